package linalg

import (
	"errors"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// permuted makes the exchanges one by one.
func permuted(pivots []int32, m int) []int32 {
	p := make([]int32, m)
	for i := range p {
		p[i] = int32(i)
	}
	for i, j := range pivots {
		p[i], p[j] = p[j], p[i]
	}
	return p
}

func TestLUPivotsToPermutation(t *testing.T) {
	for _, tt := range []struct {
		pivots [][]int32
		m      int
	}{
		{[][]int32{{0, 1, 2}}, 3}, {[][]int32{{2, 2, 2}}, 3}, {[][]int32{{2, 3, 2, 3}}, 4}, {[][]int32{{4}, {0}}, 5},
		{[][]int32{{1, 1, 4}, {5, 3, 2}, {0, 2, 2}}, 6}, {[][]int32{{}}, 2},
	} {
		x := np.Asarray(tt.pivots).AsType(np.Int32)
		permute := func(x *array.Array) *array.Array { return LUPivotsToPermutation(x, tt.m) }
		for name, y := range map[string]*array.Array{"eager": permute(x), "jit": jit.Of(permute).Call(x), "vmap": vmap.Of(permute).Call(x),
			"vmap along axis 1": vmap.Of(permute, vmap.In(1)).Call(x.T())} {
			for i, p := range tt.pivots {
				want := permuted(p, tt.m)
				got := y.At(i).Get()
				if !np.ArrayEqual(got, np.Asarray(want)).Bool() {
					t.Errorf("%s of %v, %d entries: %v, want %v", name, p, tt.m, got, want)
				}
			}
		}
	}
}

func TestLUPivotsErrors(t *testing.T) {
	var shape *array.ShapeError
	var dtype *array.DTypeError
	for _, tt := range []struct {
		x  *array.Array
		m  int
		as any
	}{{np.Zeros([]int{3}, np.Int32), 2, &shape}, {np.Zeros([]int{}, np.Int32), 2, &shape}, {np.Zeros([]int{3}, np.Float32), 3, &dtype}} {
		if err := trace.Try(func() { LUPivotsToPermutation(tt.x, tt.m) }); !errors.As(err, tt.as) {
			t.Errorf("%s, %d entries: %v", tt.x.Aval(), tt.m, err)
		}
	}
}

// One lowering for the platforms that have a kernel, with hints for the partitioner.
func TestLUPivotsLowering(t *testing.T) {
	for platform, want := range map[string]string{
		"cuda": `stablehlo.custom_call @cu_lu_pivots_to_permutation(%arg0) {api_version = 4 : i32, backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "2"}`,
		"rocm": `@hip_lu_pivots_to_permutation(%arg0)`,
		"cpu":  `stablehlo.while`, "tpu": `stablehlo.while`,
	} {
		j := trace.Of(func(x *array.Array) *array.Array { return LUPivotsToPermutation(x, 6) }, trace.Spec(np.Int32, 5, 2, 3))
		m, err := lower.Module("f", j, lower.Options{Platform: platform})
		if err != nil {
			t.Fatal(err)
		}
		text := m.String()
		kernel := platform == "cuda" || platform == "rocm"
		const sharding = `sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, l]) {i=5, j=2, k=3, l=6}, custom>`
		if !strings.Contains(text, want) || strings.Contains(text, "custom_call") != kernel || strings.Contains(text, sharding) != kernel {
			t.Errorf("%s:\n%s", platform, text)
		}
	}
}
