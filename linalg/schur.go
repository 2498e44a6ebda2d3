package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// HessenbergP is a = Q H Qᴴ, H zero below the first diagonal under the main one: H, and below it the vectors of the
// reflectors of Q.
//
//	a [..., n, n]   →   [..., n, n], τ [..., n-1] same dtype
type HessenbergP struct{}

// Name implements primitive.Primitive.
func (HessenbergP) Name() string { return "hessenberg" }

// Shape implements primitive.Primitive.
func (HessenbergP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := squareOperand(in)
	if err != nil {
		return nil, err
	}
	n, _ := sizes(a.Shape)
	return []array.Aval{a, like(a, max(n-1, 0))}, nil
}

// Batch implements vmap.Batcher.
func (p HessenbergP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p HessenbergP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		n, _ := sizes(out[0].Shape)
		call := lapackP{Routine: "gehrd", Aliases: overwriting, Attrs: [3]attr{{"high", int32(n)}, {"low", int32(1)}}}
		y := call.call([]array.Aval{out[0], out[1], statusOf(out[0])}, x...)
		ok := y[2].Equal(0)
		return []*array.Array{whereOK(ok, y[0]), whereOK(ok, y[1])}
	})
}

// Hessenberg returns the factors of a = q h qᴴ, h zero below the first diagonal under the main one.
//
//	a [..., n, n]   →   h, q [..., n, n]
func Hessenberg(a any) (h, q *array.Array) {
	x := squares("Hessenberg", a)
	n, _ := sizes(x.Shape())
	y := primitive.BindAll(HessenbergP{}, x)
	if n == 0 {
		return x, x
	}
	inner := primitive.Bind(HouseholderProductP{}, cut(y[0], 1, n, 0, n-1), y[1])
	pads := make([]primitive.PadDim, x.Rank())
	pads[x.Rank()-2].Lo, pads[x.Rank()-1].Lo = 1, 1
	q = primitive.Pad(inner, primitive.Full(array.Aval{DType: x.DType()}, 0), pads)
	return np.Triu(y[0], -1), q.Add(grown(eye(min(n, 1), x.DType()), n, n))
}

// HessenbergReflectors returns h with the vectors of the reflectors of q below it, and their factors. See HessenbergP.
func HessenbergReflectors(a any) (h, tau *array.Array) {
	y := primitive.BindAll(HessenbergP{}, squares("HessenbergReflectors", a))
	return y[0], y[1]
}

// SchurP is a = Z T Zᴴ with Z unitary and T upper triangular; for a real a both are real, and T has blocks of two rows on its
// diagonal for pairs of conjugate eigenvalues.
//
//	a [..., n, n]   →   T, Z [..., n, n] same dtype
type SchurP struct{}

// Name implements primitive.Primitive.
func (SchurP) Name() string { return "schur" }

// Shape implements primitive.Primitive.
func (SchurP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := squareOperand(in)
	return []array.Aval{a, a}, err
}

// Batch implements vmap.Batcher.
func (p SchurP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p SchurP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		a := out[0]
		n, _ := sizes(a.Shape)
		avals := []array.Aval{a, a, like(a, n), statusOf(a), statusOf(a)}
		if !a.DType.IsComplex() {
			avals = append(avals[:3:3], avals[2:]...)
		}
		call := lapackP{Routine: "gees", Aliases: overwriting, Attrs: [3]attr{char("mode", 'V'), char("sort", 'N')}}
		y := call.call(avals, x...)
		ok := y[len(y)-1].Equal(0)
		return []*array.Array{whereOK(ok, y[0]), whereOK(ok, y[1])}
	})
}

// Schur returns the factors of a = z t zᴴ. See SchurP; SchurComplex gives a triangular t for real matrices too.
//
//	a [..., n, n]   →   t, z [..., n, n]
func Schur(a any) (t, z *array.Array) {
	y := primitive.BindAll(SchurP{}, squares("Schur", a))
	return y[0], y[1]
}

// SchurComplex is Schur of a as a complex matrix.
func SchurComplex(a any) (t, z *array.Array) {
	x := squares("SchurComplex", a)
	return Schur(x.AsType(complexOf(x.DType())))
}

// TridiagonalP is Qᴴ a Q = T for Hermitian matrices, T real, symmetric and tridiagonal.
//
//	a [..., n, n]   →   a with the vectors of the reflectors of Q, d [..., n] and e [..., n-1] real, the diagonals of T,
//	                    τ [..., n-1]
//
// Only one triangle of a is read, the lower one with LowerA.
type TridiagonalP struct{ LowerA bool }

// Name implements primitive.Primitive.
func (TridiagonalP) Name() string { return "tridiagonal" }

// Params implements primitive.Parametric.
func (p TridiagonalP) Params() []primitive.Param {
	return []primitive.Param{{Name: "lower", Value: p.LowerA}}
}

// Shape implements primitive.Primitive.
func (TridiagonalP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := squareOperand(in)
	if err != nil {
		return nil, err
	}
	n, _ := sizes(a.Shape)
	if n == 0 {
		return nil, array.ShapeErrorf("operand is %s; a matrix without elements has no tridiagonal form", a)
	}
	parts := withType(a, a.DType.Real())
	return []array.Aval{a, like(parts, n), like(parts, n-1), like(a, n-1)}, nil
}

// Batch implements vmap.Batcher.
func (p TridiagonalP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p TridiagonalP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		call := lapackP{Routine: "sy|hetrd", Aliases: overwriting, Attrs: [3]attr{flagChar("uplo", p.LowerA, 'L', 'U')}}
		y := call.call(append(append([]array.Aval(nil), out...), statusOf(out[0])), x...)
		ok := y[4].Equal(0)
		for i := range out {
			y[i] = whereOK(ok, y[i])
		}
		return y[:4]
	})
}

// Tridiagonal reduces a Hermitian matrix, of which it reads the lower triangle or with Upper the upper one. See TridiagonalP.
func Tridiagonal(a any, opts ...Option) (reflectors, d, e, tau *array.Array) {
	s := gather("Tridiagonal", opts, "Upper")
	y := primitive.BindAll(TridiagonalP{LowerA: !s.upper}, squares("Tridiagonal", a))
	return y[0], y[1], y[2], y[3]
}

// TridiagonalSolveP solves tridiagonal systems by elimination with partial pivoting.
//
//	dl, d, du [..., n], b [..., n, k] same dtype   →   as b
//
// Row i of the matrix has dl[i], d[i], du[i] at columns i-1, i, i+1; dl[0] and du[n-1] are outside and not read. A singular
// matrix gives NaN.
//
// JVP: linear in b; dx = -a⁻¹ da x.
type TridiagonalSolveP struct{}

// Name implements primitive.Primitive.
func (TridiagonalSolveP) Name() string { return "tridiagonal_solve" }

// Shape implements primitive.Primitive.
func (TridiagonalSolveP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 4 {
		return nil, array.ArgumentErrorf("takes four operands, got %d", len(in))
	}
	b, err := matrixOperand(in[3:])
	if err != nil {
		return nil, err
	}
	for i, a := range in[:3] {
		if a.DType != b.DType || !a.Shape.Equal(b.Shape[:b.Shape.Rank()-1]) {
			return nil, array.ShapeErrorf("diagonal %d is %s; for a right-hand side %s it must be %s%s", i, a, b, b.DType, b.Shape[:b.Shape.Rank()-1])
		}
	}
	return []array.Aval{b}, nil
}

// JVP implements vjp.Differentiable.
func (p TridiagonalSolveP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	ans := primitive.Bind(p, x...)
	rhs := dx[3]
	n, k := sizes(ans.Shape())
	for i, d := range dx[:3] {
		if d == nil {
			continue
		}
		// The product with one diagonal: ans moved down, kept, moved up.
		moved := ans
		edge := primitive.Full(array.Aval{Shape: like(ans.Aval(), min(n, 1), k).Shape, DType: ans.DType()}, 0)
		switch {
		case n == 0:
		case i == 0:
			moved = np.Concatenate([]*array.Array{edge, cut(ans, 0, n-1, 0, k)}, np.Axis(-2))
		case i == 2:
			moved = np.Concatenate([]*array.Array{cut(ans, 1, n, 0, k), edge}, np.Axis(-2))
		}
		term := d.ExpandDims(-1).Mul(moved).Neg()
		if rhs != nil {
			term = primitive.AddAny(rhs, term)
		}
		rhs = term
	}
	return []*array.Array{ans}, []*array.Array{primitive.Bind(p, x[0], x[1], x[2], rhs)}, nil
}

// Transpose implements vjp.Linear.
func (p TridiagonalSolveP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	dl, d, du := in[0].Value, in[1].Value, in[2].Value
	if dl == nil || d == nil || du == nil {
		return nil, array.ArgumentErrorf("is not linear in the diagonals")
	}
	return []*array.Array{nil, nil, nil, primitive.Bind(p, np.Roll(du, 1, np.Axis(-1)), d, np.Roll(dl, -1, np.Axis(-1)), ct[0])}, nil
}

// Batch implements vmap.Batcher. Right-hand sides for one matrix are put side by side.
func (p TridiagonalSolveP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if max(dims[0], dims[1], dims[2]) >= 0 {
		return batchLeading(p, size, in, dims)
	}
	last := in[3].Rank() - 1
	b := np.Moveaxis(in[3], []int{dims[3]}, []int{last})
	shape := b.Shape()
	y := primitive.Bind(p, in[0], in[1], in[2], primitive.Reshape(b, append(shape[:last-1].Clone(), shape[last-1]*shape[last])))
	return []*array.Array{primitive.Reshape(y, shape)}, []int{last}, nil
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p TridiagonalSolveP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		var avals []array.Aval
		for _, v := range x {
			avals = append(avals, v.Aval())
		}
		call := lapackP{Routine: "gtsv", Aliases: array.MakeInts(0, 0, 1, 1, 2, 2, 3, 3)}
		y := call.call(append(avals, statusOf(out[0])), x...)
		return []*array.Array{whereOK(y[4].Equal(0), y[3])}
	})
}

// TridiagonalSolve solves a system with the diagonals dl below, d, and du above, each of n elements. See TridiagonalSolveP.
func TridiagonalSolve(dl, d, du, b any) *array.Array {
	return primitive.Bind(TridiagonalSolveP{}, operands("TridiagonalSolve", dl, d, du, b)...)
}
