package lower_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/fft"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/special"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// exports are functions that JAX is to load, with their arguments.
var exports = []struct {
	name  string
	f     any
	args  func(r *source) []any
	order int // how often it is exported with its pull-back
}{
	{"sine", np.Sin, f32s(5), 1},
	{"affine", affine, func(r *source) []any { return []any{params{r.f32(3, 2), r.f32(2)}, r.f32(4, 3)} }, 1},
	{"softmax", func(x *np.Array) *np.Array { return nn.Softmax(x) }, f32s(4, 7), 1},
	{"two_results", func(x, y *np.Array) (*np.Array, *np.Array) { return x.Add(y), x.Mul(y) }, pair(3), 1},
	{"slice_of_arrays", func(xs []*np.Array) []*np.Array { return []*np.Array{xs[1], xs[0].Mul(2)} },
		func(r *source) []any { return []any{[]*np.Array{r.f32(2), r.f64(3)}} }, 1},
	{"map_of_arrays", func(m map[string]*np.Array) *np.Array { return m["b"].Sub(m["a"]) },
		func(r *source) []any { return []any{map[string]*np.Array{"b": r.f32(3), "a": r.f32(3)}} }, 1},
	{"integers", func(x, i *np.Array) (*np.Array, *np.Array) { return np.Take(x, i), i.Add(1) },
		func(r *source) []any { return []any{r.f32(9), r.i32(9, 4)} }, 1},
	{"only_integers", func(i *np.Array) *np.Array { return i.Mul(3).Sub(1) }, func(r *source) []any { return []any{r.i32(100, 6)} }, 1},
	{"booleans", func(x *np.Array) (*np.Array, *np.Array) { return x.Greater(0), np.Where(x.Greater(0), x, x.Mul(0.1)) }, f32s(8), 1},
	{"complex", func(z *np.Array) *np.Array { return z.Mul(np.Conj(z)).Add(np.Exp(z)) },
		func(r *source) []any { return []any{primitive.Complex(r.f32(5), r.f32(5))} }, 1},
	{"double", func(x *np.Array) *np.Array { return np.Cumsum(np.Log1p(x.Mul(x))) }, func(r *source) []any { return []any{r.f64(11)} }, 1},
	{"half", func(x *np.Array) *np.Array { return x.Mul(x).Sum() }, func(r *source) []any { return []any{r.f32(8).AsType(array.Float16)} }, 1},
	{"error_functions", func(x *np.Array) *np.Array { return special.Erf(x).Add(special.Erfc(x.Mul(2))) }, f32s(9), 1},
	{"gamma", func(x *np.Array) *np.Array {
		return special.GammaLn(np.Abs(x).Add(1)).Add(special.Digamma(np.Abs(x).Add(1)))
	}, f32s(9), 1},
	{"inverse_error", func(x *np.Array) *np.Array { return special.ErfInv(np.Tanh(x)) }, f32s(9), 1},
	{"hyperbolic", func(x *np.Array) *np.Array {
		return np.Sinh(x).Add(np.Asinh(x)).Add(np.Atan(x)).Add(np.Acosh(x.Mul(x).Add(1.5)))
	}, f32s(9), 1},
	{"powers", func(x *np.Array) *np.Array { return x.Pow(3).Div(np.Sqrt(x.Mul(x).Add(1))) }, f32s(9), 2},
	{"scan", scanned, func(r *source) []any { return []any{params{r.f32(3, 3), r.f32(3)}, r.f32(5, 3)} }, 1},
	{"cond", func(p, x *np.Array) *np.Array {
		return flow.Cond(p.Greater(0), np.Sin, np.Cos, x).(*np.Array)
	}, func(r *source) []any { return []any{r.f32(), r.f32(4)} }, 1},
	{"sort", func(x *np.Array) (*np.Array, *np.Array) { return np.Sort(x), np.Argsort(x) }, f32s(11), 1},
	{"gather", func(x, i *np.Array) *np.Array { return np.Take(x, i, np.Axis(1)) },
		func(r *source) []any { return []any{r.f32(3, 7), r.i32(7, 5)} }, 1},
	{"concatenate", func(x, y *np.Array) *np.Array { return np.Concatenate([]*np.Array{np.Flip(x), y}) }, pair(3), 1},
	{"fft", func(x *np.Array) *np.Array { y := np.Abs(fft.RFFT(x)); return y.Mul(y) }, f32s(16), 1},
	{"cholesky", func(a *np.Array) *np.Array { return linalg.Cholesky(a) }, spd(4), 1},
	{"solve", func(a, b *np.Array) *np.Array { return linalg.Solve(a, b) },
		func(r *source) []any { return []any{spd(4)(r)[0], r.f32(4, 2)} }, 1},
	{"triangular", func(a, b *np.Array) *np.Array { return linalg.SolveTriangular(a, b) },
		func(r *source) []any { return []any{spd(4)(r)[0], r.f32(4, 2)} }, 1},
	{"gradient", vjp.Grad(func(x *np.Array) *np.Array { return np.Sin(x).Mul(np.Exp(x.Mul(x).Neg())).Sum() }), f32s(7), 1},
	{"hessian", vjp.Hessian(func(x *np.Array) *np.Array { return np.Prod(np.Cosh(x)) }), f32s(3), 1},
	{"vmap", vmap.Of(func(a, b *np.Array) *np.Array { return a.MatMul(b) }),
		func(r *source) []any { return []any{r.f32(3, 2, 4), r.f32(3, 4)} }, 1},
	{"random", func(seed *np.Array) *np.Array { return random.Normal(random.Key(seed), []int{5}, array.Float32) },
		func(r *source) []any { return []any{r.i32(99)} }, 1},
	{"einsum", func(a, b *np.Array) *np.Array { return np.Einsum("bij,bkj->bik", a, b) },
		func(r *source) []any { return []any{r.f32(2, 3, 4), r.f32(2, 5, 4)} }, 1},
	{"attention", func(q, k, v *np.Array) *np.Array { return nn.Softmax(q.MatMul(k.T()).Div(2)).MatMul(v) },
		func(r *source) []any { return []any{r.f32(5, 4), r.f32(5, 4), r.f32(5, 4)} }, 1},
	{"norm", func(x *np.Array) *np.Array {
		mean := x.Sub(np.Mean(x, np.Axis(-1), np.KeepDims()))
		return mean.Div(np.Sqrt(np.Mean(mean.Mul(mean), np.Axis(-1), np.KeepDims()).Add(1e-5)))
	}, f32s(4, 6), 1},
	{"loop", func(x *np.Array) *np.Array {
		return flow.Fori(0, 20, func(_, y *np.Array) *np.Array { return y.Sub(y.Mul(y).Sub(x).Div(y.Mul(2))) }, np.OnesLike(x)).(*np.Array)
	}, func(r *source) []any { return []any{np.Abs(r.f32(4)).Add(1)} }, 0},
}

func scanned(p params, xs *np.Array) *np.Array {
	_, ys := flow.Scan(func(h, x *np.Array) (*np.Array, *np.Array) {
		h = np.Tanh(p.W.MatMul(h).Add(x))
		return h, h.Mul(p.B).Sum()
	}, p.B.Mul(0), xs)
	return ys.(*np.Array)
}

// source makes random arrays.
type source struct{ *rand.Rand }

func (r *source) f64(shape ...int) *np.Array {
	b := array.NewBuffer(array.Float64, shape)
	for i := range b.Len() {
		b.SetFloat(i, r.NormFloat64())
	}
	return array.Of(b)
}

func (r *source) f32(shape ...int) *np.Array { return r.f64(shape...).AsType(array.Float32) }

func (r *source) i32(n int, shape ...int) *np.Array {
	b := array.NewBuffer(array.Int32, shape)
	for i := range b.Len() {
		b.SetInt(i, r.Int64N(int64(n)))
	}
	return array.Of(b)
}

func f32s(shape ...int) func(*source) []any {
	return func(r *source) []any { return []any{r.f32(shape...)} }
}

func pair(n int) func(*source) []any {
	return func(r *source) []any { return []any{r.f32(n), r.f32(n)} }
}

// spd makes a symmetric positive-definite matrix.
func spd(n int) func(*source) []any {
	return func(r *source) []any {
		a := r.f32(n, n)
		return []any{a.MatMul(a.T()).Add(np.Eye(n).AsType(array.Float32).Mul(3))}
	}
}

// TestFromGo exports functions, and has JAX load them, run them and their pull-backs, and compare with what is computed here.
func TestFromGo(t *testing.T) {
	cmd := exec.Command(python(t), "testdata/from_go.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the interpreter came down")
	}
	counts := map[string]int{}
	for i, x := range exports {
		t.Run(x.name, func(t *testing.T) {
			args := x.args(&source{rand.New(rand.NewPCG(uint64(i), 7))})
			e, err := lower.Export(x.f, args, lower.ExportOptions{VJPOrder: x.order})
			if err != nil {
				t.Fatal(err)
			}
			data, err := e.Serialize()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), x.name)
			if err := os.WriteFile(file+".bin", data, 0o666); err != nil {
				t.Fatal(err)
			}
			recorded, err := record(e, args, x.order > 0)
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(file + ".npz")
			if err != nil {
				t.Fatal(err)
			}
			if err := array.WriteNpz(f, recorded); err != nil {
				t.Fatal(err)
			}
			f.Close()
			fmt.Fprintln(in, file)
			if !lines.Scan() {
				t.Fatal("the interpreter came down")
			}
			verdict, detail, _ := strings.Cut(lines.Text(), " ")
			if verdict != "pass" {
				t.Fatal(detail)
			}
			counts[detail]++
		})
	}
	t.Logf("%s: %v", lines.Text(), counts)
}

// record computes what the exported function gives here: its results, random cotangents and what the pull-back makes of
// them, by the leaves in the order of the container.
func record(e *lower.Exported, args []any, back bool) (map[string]*array.Array, error) {
	m := map[string]*array.Array{}
	put := func(letter string, list []*array.Array) {
		for i, x := range list {
			m[fmt.Sprint(letter, i)] = x
		}
	}
	var leaves, results []*array.Array
	flat := func(x []*array.Array) []*array.Array {
		out, err := e.Apply(x)
		if err != nil {
			panic(err)
		}
		return out
	}
	err := trace.Try(func() {
		var err error
		if leaves, err = e.Leaves(args); err != nil {
			panic(err)
		}
		results = flat(leaves)
	})
	if err != nil {
		return nil, err
	}
	put("a", leaves)
	put("r", results)
	if !back {
		return m, nil
	}
	r := &source{rand.New(rand.NewPCG(1, 2))}
	cts := []*array.Array{}
	for _, y := range inexact(results) {
		ct := r.f64(y.Shape()...)
		if y.DType().IsComplex() {
			ct = primitive.Complex(ct, r.f64(y.Shape()...))
		}
		cts = append(cts, ct.AsType(y.DType()))
	}
	put("c", cts)
	return m, trace.Try(func() {
		_, pull := vjp.VJP(func(x []*array.Array) []*array.Array { return inexact(flat(x)) }, leaves)
		put("g", inexact(pull.CallAll(cts)))
	})
}
