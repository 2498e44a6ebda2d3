package linalg

import (
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// LUPivotsToPermutation turns the row exchanges of an LU factorisation into the permutation that they make.
//
//	pivots [..., k] int32, m ≥ k   →   [..., m] int32
//
// It begins with 0 … m-1 and for i = 0 … k-1 exchanges entries i and pivots[i]. Reports a DTypeError for other dtypes, and
// a ShapeError where pivots is a scalar or m is smaller than k. On CUDA and ROCm it is a foreign call of the reference's
// kernel, elsewhere a loop of k steps over all leading axes at once.
func LUPivotsToPermutation(pivots *array.Array, m int) *array.Array {
	return primitive.Bind(LUPivotsToPermutationP{m}, pivots)
}

// LUPivotsToPermutationP is the equation of LUPivotsToPermutation. Its operand is an integer, so it has no derivative.
type LUPivotsToPermutationP struct{ PermutationSize int }

// Name implements primitive.Primitive.
func (LUPivotsToPermutationP) Name() string { return "lu_pivots_to_permutation" }

// Shape replaces the last size by that of the permutation.
func (p LUPivotsToPermutationP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 1 {
		return nil, array.ArgumentErrorf("takes one operand, got %d", len(in))
	}
	x := in[0]
	switch {
	case x.DType != array.Int32:
		return nil, array.DTypeErrorf("the pivots are %s, they should be int32", x)
	case len(x.Shape) == 0:
		return nil, array.ShapeErrorf("the pivots are a scalar, they should have at least one axis")
	case p.PermutationSize < x.Shape[len(x.Shape)-1]:
		return nil, array.ShapeErrorf("a permutation of %d entries is shorter than the %d pivots", p.PermutationSize, x.Shape[len(x.Shape)-1])
	}
	shape := x.Shape.Clone()
	shape[len(shape)-1] = p.PermutationSize
	return []array.Aval{{Shape: shape, DType: array.Int32}}, nil
}

// Batch moves the mapped axis to the front.
func (p LUPivotsToPermutationP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x := in[0]
	if d := dims[0]; d > 0 {
		perm := []int{d}
		for i := range x.Rank() {
			if i != d {
				perm = append(perm, i)
			}
		}
		x = primitive.Transpose(x, perm)
	} else if d == vmap.NotMapped {
		return primitive.BindAll(p, x), []int{vmap.NotMapped}, nil
	}
	return primitive.BindAll(p, x), []int{0}, nil
}

// prefixes begin the names of the kernels on the platforms that have one.
var prefixes = map[string]string{"cuda": "cu", "rocm": "hip"}

// LowerJaxpr implements trace.JaxprLowerable: one rule for the platforms with a kernel, the loop for all others.
func (p LUPivotsToPermutationP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if prefix, ok := prefixes[c.Builder().Platform]; ok {
		return kernel(prefix, in[0], out[0]).Lower(c.Builder(), in, out, nil)
	}
	t := in[0].Tensor()
	j, err := trace.Record(p.Name(), []array.Aval{t.Aval()}, func(x []*array.Array) ([]*array.Array, error) {
		return []*array.Array{exchange(x[0], p.PermutationSize)}, nil
	})
	if err != nil {
		return nil, err
	}
	body, _ := j.Hoist()
	return c.Inline(body, in)
}

// kernel is the foreign call: the kernel reads the size from the result, and the partitioner learns that the leading axes
// are independent of each other.
func kernel(prefix string, in *hlo.Value, out array.Aval) ffi.Lowering {
	x := in.Tensor().Shape
	return ffi.Lowering{Target: prefix + "_lu_pivots_to_permutation", Extra: hlo.Attrs{
		{Name: "mhlo.frontend_attributes", Value: hlo.Dict{{Name: "num_batch_dims", Value: hlo.Str(strconv.Itoa(len(x) - 1))}}},
		{Name: "sdy.sharding_rule", Value: hlo.Raw{Text: pivotsSharding(x, out.Shape)}},
	}}
}

// pivotsSharding is the rule for the partitioner: leading axes shared, the last ones apart.
func pivotsSharding(in, out array.Shape) string {
	letter := func(i int) string { return string(rune('i' + i)) }
	var batch, sizes []string
	for i, n := range in {
		sizes = append(sizes, letter(i)+"="+strconv.Itoa(n))
		if i < len(in)-1 {
			batch = append(batch, letter(i))
		}
	}
	last := len(in) - 1
	sizes = append(sizes, letter(last+1)+"="+strconv.Itoa(out[last]))
	list := func(l string) string { return "([" + strings.Join(append(batch[:last:last], l), ", ") + "])" }
	return "#sdy.op_sharding_rule<" + list(letter(last)) + "->" + list(letter(last+1)) + " {" + strings.Join(sizes, ", ") + "}, custom>"
}

// exchange is the loop: each step reads three entries and writes two.
func exchange(pivots *array.Array, m int) *array.Array {
	shape := pivots.Shape().Clone()
	last := len(shape) - 1
	k := shape[last]
	batch := shape[:last:last]
	shape[last] = m
	identity := primitive.Iota(array.Int32, shape, last)
	if k == 0 || m == 0 {
		return identity
	}
	var places []any // the index of every element of the leading axes
	for axis := range batch {
		places = append(places, primitive.Iota(array.Int32, batch, axis))
	}
	return flow.Fori(0, k, func(i, perm *array.Array) *array.Array {
		j := pivots.At(array.Ellipsis, i).Get()
		at := append(places[:len(places):len(places)], j)
		x, y := perm.At(array.Ellipsis, i).Get(), perm.At(at...).Get()
		return perm.At(array.Ellipsis, i).Set(y).At(at...).Set(x)
	}, identity).(*array.Array)
}
