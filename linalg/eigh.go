package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// EighP is a = V diag(w) Vᴴ for Hermitian matrices, w ascending.
//
//	a [..., n, n]   →   V [..., n, n] same dtype with orthonormal columns, w [..., n] real
//
// Only one triangle of a is read, the lower one with LowerA. The sign, or phase, of each column is free.
//
// JVP: dw = diag(Vᴴ da V), dV = V (F ∘ Vᴴ da V) with F = 1/(w_j - w_i) off the diagonal. Giles, NA-08/01, section 3.1. Where
// eigenvalues are equal their vectors have no derivative, and dV is not finite; dw is right for symmetric functions.
type EighP struct{ LowerA bool }

// Name implements primitive.Primitive.
func (EighP) Name() string { return "eigh" }

// Params implements primitive.Parametric.
func (p EighP) Params() []primitive.Param { return []primitive.Param{{Name: "lower", Value: p.LowerA}} }

// Shape implements primitive.Primitive.
func (EighP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := squareOperand(in)
	if err != nil {
		return nil, err
	}
	n, _ := sizes(a.Shape)
	return []array.Aval{a, like(withType(a, a.DType.Real()), n)}, nil
}

// JVP implements vjp.Differentiable.
func (p EighP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	y = primitive.BindAll(p, symmetrize(x[0]))
	v, w := y[0], y[1]
	inner := mul(mul(adjoint(v), dx[0]), v)
	return y, []*array.Array{mul(v, gaps(w, v.DType()).Mul(inner)), realPart(diagonal(inner))}, nil
}

// gaps is 1/(w_j - w_i) off the diagonal and zero on it.
func gaps(w *array.Array, d array.DType) *array.Array {
	one := eye(w.Shape()[w.Rank()-1], w.DType())
	apart := w.ExpandDims(-2).Sub(w.ExpandDims(-1)).Add(one)
	return np.Reciprocal(apart).Sub(one).AsType(d)
}

// Batch implements vmap.Batcher.
func (p EighP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p EighP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		if !hasLapack(c) {
			a := np.Tril(x[0], 0)
			if !p.LowerA {
				a = adjoint(np.Triu(x[0], 0))
			}
			v, w := eighPortable(a.Add(adjoint(np.Tril(a, -1))))
			return []*array.Array{v, w}
		}
		call := lapackP{Routine: "sy|heevd", Aliases: overwriting, Attrs: [3]attr{char("mode", 'V'), flagChar("uplo", p.LowerA, 'L', 'U')}}
		y := call.call([]array.Aval{out[0], out[1], statusOf(out[0])}, x...)
		ok := y[2].Equal(0)
		return []*array.Array{whereOK(ok, y[0]), whereOK(ok, y[1])}
	})
}

// Eigh returns the eigenvalues w, ascending, and the eigenvectors, the columns of v, of a Hermitian matrix: that of
// (a + aᴴ)/2, or with AsGiven that of the lower triangle of a, with Upper of the upper one. See EighP.
//
//	a [..., n, n]   →   w [..., n] real, v [..., n, n]
func Eigh(a any, opts ...Option) (w, v *array.Array) {
	s := gather("Eigh", opts, "Upper", "AsGiven")
	x := squares("Eigh", a)
	if !s.asGiven {
		x = symmetrize(x)
	}
	y := primitive.BindAll(EighP{LowerA: !s.upper}, x)
	return y[1], y[0]
}

// Eigvalsh returns the eigenvalues of a Hermitian matrix, ascending. Sums of them and other symmetric functions have
// derivatives also where some are equal. See Eigh.
//
//	a [..., n, n]   →   [..., n] real
func Eigvalsh(a any, opts ...Option) *array.Array {
	w, _ := Eigh(a, opts...)
	return w
}

// EighTridiagonal returns the eigenvalues, ascending, of the real symmetric matrix with the diagonal d and the elements e
// beside it.
//
//	d [..., n], e [..., n-1]   →   [..., n]
func EighTridiagonal(d, e any) *array.Array {
	xs := operands("EighTridiagonal", d, e)
	x, y := xs[0], xs[1]
	if x.DType().IsComplex() {
		fail("EighTridiagonal", array.DTypeErrorf("takes real numbers, got %s", x.Aval()))
	}
	if x.Rank() < 1 || y.Rank() != x.Rank() || y.Shape()[y.Rank()-1] != x.Shape()[x.Rank()-1]-1 {
		fail("EighTridiagonal", array.ShapeErrorf("the diagonal is %s and the elements beside it %s; they must be one less", x.Shape(), y.Shape()))
	}
	n := x.Shape()[x.Rank()-1]
	below := grownRows(y, n)
	m := x.ExpandDims(-1).Mul(eye(n, x.DType())).Add(below.ExpandDims(-1).Mul(np.EyeOffset(n, n, -1, x.DType())))
	return Eigvalsh(m, AsGiven())
}

// grownRows is the elements below the diagonal by row: the first row has none.
func grownRows(e *array.Array, n int) *array.Array {
	pads := make([]primitive.PadDim, e.Rank())
	pads[e.Rank()-1].Lo = n - e.Shape()[e.Rank()-1]
	return primitive.Pad(e, primitive.Full(array.Aval{DType: e.DType()}, 0), pads)
}
