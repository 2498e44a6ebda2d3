package np

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// MatMul is the matrix product [..., m, k], [..., k, n] → [..., m, n]: leading axes broadcast, a vector is a row on the
// left and a column on the right and loses that axis again. A ShapeError where the contracted sizes differ, or for
// scalars.
func MatMul(x, y any) *Array { return arr("matmul", x).MatMul(y) }

// Dot is NumPy's dot: the sum over the last axis of x and the last but one (of a vector, the only one) of y; the product
// where one of them is a scalar.
func Dot(x, y any) *Array { return arr("dot", x).Dot(y) }

// Vdot is the sum of conj(x) y over all elements.
func Vdot(x, y any) *Array {
	return arr("vdot", x).Conj().Ravel().Dot(arr("vdot", y).Ravel())
}

// Inner is the sum over the last axes of x and y; their product where one of them is a scalar.
func Inner(x, y any) *Array {
	a, b := arr("inner", x), arr("inner", y)
	if a.Rank() == 0 || b.Rank() == 0 {
		return a.Mul(b)
	}
	return TensordotAxes(a, b, []int{-1}, []int{-1})
}

// Outer is the matrix of products of the elements of x and y, both flattened.
func Outer(x, y any) *Array {
	return arr("outer", x).Ravel().ExpandDims(1).Mul(arr("outer", y).Ravel().ExpandDims(0))
}

// Tensordot is the sum over the last axes of x and as many first axes of y.
func Tensordot(x, y any, axes int) *Array {
	a, b := arr("tensordot", x), arr("tensordot", y)
	if axes < 0 || axes > min(a.Rank(), b.Rank()) {
		fail("tensordot", array.AxisErrorf("%d axes of shapes %s and %s", axes, a.Shape(), b.Shape()))
	}
	return TensordotAxes(a, b, allAxes(a.Rank())[a.Rank()-axes:], allAxes(axes))
}

// TensordotAxes is the sum over pairs of axes, xAxes[i] of x with yAxes[i] of y; the others remain, x's first.
func TensordotAxes(x, y any, xAxes, yAxes []int) *Array {
	ab := promote("tensordot", x, y)
	a, b := ab[0], ab[1]
	ax, err := array.NormalAxes(xAxes, a.Rank())
	if err != nil {
		fail("tensordot", err)
	}
	by, err := array.NormalAxes(yAxes, b.Rank())
	if err != nil {
		fail("tensordot", err)
	}
	if len(ax) != len(by) {
		fail("tensordot", array.AxisErrorf("%d axes of the first operand and %d of the second", len(ax), len(by)))
	}
	return convert(primitive.DotGeneral(a, b, primitive.Contract(ax, by), array.Invalid), a.DType(), a.Aval().Weak)
}

// Matvec is the product of matrices [..., m, n] and vectors [..., n].
func Matvec(x, y any) *Array {
	a, b := arr("matvec", x), arr("matvec", y)
	atLeast("matvec", a, 2)
	atLeast("matvec", b, 1)
	return a.MatMul(b.ExpandDims(-1)).Squeeze(-1)
}

// Vecmat is the product of conjugated vectors [..., m] and matrices [..., m, n].
func Vecmat(x, y any) *Array {
	a, b := arr("vecmat", x), arr("vecmat", y)
	atLeast("vecmat", a, 1)
	atLeast("vecmat", b, 2)
	return a.Conj().ExpandDims(-2).MatMul(b).Squeeze(-2)
}

// Vecdot is the sum of conj(x) y along an axis of both, the last or Axis; the others broadcast.
func Vecdot(x, y any, opts ...Option) *Array {
	s := gather("vecdot", opts, optAxis)
	a, b := arr("vecdot", x), arr("vecdot", y)
	atLeast("vecdot", a, 1)
	atLeast("vecdot", b, 1)
	a = Moveaxis(a, []int{s.axis("vecdot", a.Rank(), -1)}, []int{-1})
	b = Moveaxis(b, []int{s.axis("vecdot", b.Rank(), -1)}, []int{-1})
	if m, n := a.Shape()[a.Rank()-1], b.Shape()[b.Rank()-1]; m != n {
		fail("vecdot", array.ShapeErrorf("vectors of %d and %d elements", m, n))
	}
	return a.Conj().ExpandDims(-2).MatMul(b.ExpandDims(-1)).Squeeze(-1, -2)
}

// Kron is the Kronecker product: a block b a[i, j] for each element of a.
func Kron(x, y any) *Array {
	ab := promote("kron", x, y)
	a, b := ab[0], ab[1]
	for a.Rank() < b.Rank() {
		a = a.ExpandDims(0)
	}
	for b.Rank() < a.Rank() {
		b = b.ExpandDims(0)
	}
	out := Shape{}
	var odd, even []int
	for i := range a.Rank() {
		out = append(out, a.Shape()[i]*b.Shape()[i])
		odd, even = append(odd, 2*i+1), append(even, 2*i)
	}
	return ExpandDims(a, odd...).Mul(ExpandDims(b, even...)).Reshape(out...)
}

// Cross is the vector product along an axis of both, the last or Axis, of size 3; vectors of size 2 lie in the plane, and
// two of these give the third component alone.
func Cross(x, y any, opts ...Option) *Array {
	s := gather("cross", opts, optAxis)
	a, b := arr("cross", x), arr("cross", y)
	atLeast("cross", a, 1)
	atLeast("cross", b, 1)
	axis := -1
	if s.has(optAxis) {
		axis = s.axis("cross", max(a.Rank(), b.Rank()), -1)
	}
	a = Moveaxis(a, []int{axis}, []int{-1})
	b = Moveaxis(b, []int{axis}, []int{-1})
	m, n := a.Shape()[a.Rank()-1], b.Shape()[b.Rank()-1]
	if m != 2 && m != 3 || n != 2 && n != 3 {
		fail("cross", array.ShapeErrorf("vectors must have 2 or 3 components, got %d and %d", m, n))
	}
	part := func(v *Array, k int) *Array {
		if k >= v.Shape()[v.Rank()-1] {
			return ZerosLike(v.At(Ellipsis, 0).Get())
		}
		return v.At(Ellipsis, k).Get()
	}
	component := func(i, j int) *Array {
		return part(a, i).Mul(part(b, j)).Sub(part(a, j).Mul(part(b, i)))
	}
	if m == 2 && n == 2 {
		return component(0, 1)
	}
	return Stack([]*Array{component(1, 2), component(2, 0), component(0, 1)}, Axis(axis))
}
