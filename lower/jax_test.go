package lower_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	_ "github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/vjp"
)

// python is an interpreter that has JAX and what its export needs: PANTOGRAPH_PYTHON, that of the virtual environment, or
// python3. The test is skipped where there is none.
func python(t *testing.T) string {
	candidates := []string{os.Getenv("PANTOGRAPH_PYTHON"), "python3"}
	if venv := os.Getenv("VIRTUAL_ENV"); venv != "" {
		candidates = append([]string{filepath.Join(venv, "bin", "python")}, candidates...)
	}
	for _, p := range candidates {
		if p != "" && exec.Command(p, "-c", "import jax, flatbuffers").Run() == nil {
			return p
		}
	}
	t.Skip("JAX and the package flatbuffers are not installed: PANTOGRAPH_PYTHON names an interpreter that has them")
	return ""
}

func readNpz(t *testing.T, file string) map[string]*array.Array {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	arrays, err := array.ReadNpz(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return arrays
}

// leaves are the arrays letter0, letter1, ….
func leaves(m map[string]*array.Array, letter string) []*array.Array {
	out := []*array.Array{}
	for i := 0; ; i++ {
		x, ok := m[fmt.Sprint(letter, i)]
		if !ok {
			return out
		}
		out = append(out, x)
	}
}

// compare asks for equal integers and for floats that agree to 200 units of rounding of the largest.
func compare(what string, got, want []*array.Array) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d %ss, want %d", len(got), what, len(want))
	}
	for i := range got {
		g, err := got[i].Host()
		if err != nil {
			return err
		}
		w, err := want[i].Host()
		if err != nil {
			return err
		}
		if g.DType() != w.DType() || !g.Shape().Equal(w.Shape()) {
			return fmt.Errorf("%s %d is %s, want %s", what, i, g.Aval(), w.Aval())
		}
		eps := map[array.DType]float64{array.Float16: 0x1p-10, array.Float32: 0x1p-23, array.Complex64: 0x1p-23, array.Float64: 0x1p-52, array.Complex128: 0x1p-52}[w.DType()]
		largest := 0.0
		for k := range w.Len() {
			largest = max(largest, math.Abs(real(w.Complex(k))), math.Abs(imag(w.Complex(k))))
		}
		for k := range w.Len() {
			d := g.Complex(k) - w.Complex(k)
			if off := math.Hypot(real(d), imag(d)); !(off <= 200*eps*largest) {
				return fmt.Errorf("%s %d: element %d is %v, want %v", what, i, k, g.Complex(k), w.Complex(k))
			}
		}
	}
	return nil
}

// TestFromJAX imports functions that JAX exported, runs them and their pull-backs, and compares with what JAX computed.
func TestFromJAX(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(python(t), "testdata/from_jax.py", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	forward, back := 0, 0
	for _, name := range strings.Fields(string(out)) {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name+".bin"))
			if err != nil {
				t.Fatal(err)
			}
			e, err := lower.Import(data)
			if err != nil {
				t.Fatal(err)
			}
			recorded := readNpz(t, filepath.Join(dir, name+".npz"))
			args, want := leaves(recorded, "a"), leaves(recorded, "r")
			flat := func(x []*array.Array) []*array.Array {
				out, err := e.Apply(x)
				if err != nil {
					panic(err)
				}
				return out
			}
			if err := compare("result", flat(args), want); err != nil {
				t.Fatal(err)
			}
			forward++
			if e.VJP == nil {
				return
			}
			_, pull := vjp.VJP(func(x []*array.Array) []*array.Array { return inexact(flat(x)) }, args)
			got := inexact(pull.CallAll(leaves(recorded, "c")))
			if err := compare("cotangent", got, leaves(recorded, "g")); err != nil {
				t.Fatal(err)
			}
			back++
		})
	}
	t.Logf("%d functions, %d of them with their pull-back", forward, back)
}

func inexact(x []*array.Array) []*array.Array {
	return slices.DeleteFunc(x, func(x *array.Array) bool { return !x.DType().IsInexact() })
}
