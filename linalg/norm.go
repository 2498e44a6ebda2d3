package linalg

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// Norm is the norm of vectors or matrices: with one axis in Axis VectorNorm, with two that of the matrices along these axes;
// without Axis that of the whole array, which for an order must have one or two axes.
//
// ord is nil (2 for vectors, Frobenius for matrices), a number, "inf", "-inf", or for matrices:
//
//	"fro", "f"  Frobenius, √Σ|a|²    "nuc"  sum of singular values
//	1, -1       largest and smallest sum of a column's absolute values;  Inf, -Inf  of a row's
//	2, -2       largest and smallest singular value
//
//	x [...]   →   the other axes, real; with KeepDims all
func Norm(x, ord any, opts ...Option) *array.Array {
	s := gather("Norm", opts, "Axis", "KeepDims")
	v := inexact("Norm", x)
	var keep []np.Option
	if s.keep {
		keep = append(keep, np.KeepDims())
	}
	if s.axes == nil {
		if ord == nil {
			return np.Sqrt(np.Sum(squaredSize(v), keep...))
		}
		s.axes = leadingAxes(v.Rank())
	}
	axes, err := array.NormalAxes(s.axes, v.Rank())
	if err != nil {
		fail("Norm", err)
	}
	switch len(axes) {
	case 1:
		return vectorNorm("Norm", v, ord, append(keep, np.Axis(axes...)))
	case 2:
		return matrixNorm("Norm", v, ord, axes[0], axes[1], s.keep)
	}
	fail("Norm", array.AxisErrorf("%d axes; a norm is over one axis, of vectors, or two, of matrices: name them with Axis", len(axes)))
	return nil
}

// VectorNorm is (Σ|x|^ord)^(1/ord) over the axes of Axis, or all: for ord nil 2, Inf and -Inf the largest and smallest absolute
// value, 0 the count of elements that are not zero.
//
//	x [...]   →   the other axes, real; with KeepDims all
func VectorNorm(x, ord any, opts ...Option) *array.Array {
	s := gather("VectorNorm", opts, "Axis", "KeepDims")
	var how []np.Option
	if s.keep {
		how = append(how, np.KeepDims())
	}
	if s.axes != nil {
		how = append(how, np.Axis(s.axes...))
	}
	return vectorNorm("VectorNorm", inexact("VectorNorm", x), ord, how)
}

// MatrixNorm is Norm over the last two axes. A nil ord is Frobenius.
//
//	x [..., m, n]   →   [...], real; with KeepDims [..., 1, 1]
func MatrixNorm(x, ord any, opts ...Option) *array.Array {
	s := gather("MatrixNorm", opts, "KeepDims")
	v := inexact("MatrixNorm", x)
	if v.Rank() < 2 {
		fail("MatrixNorm", array.ShapeErrorf("takes matrices, got shape %s", v.Shape()))
	}
	return matrixNorm("MatrixNorm", v, ord, v.Rank()-2, v.Rank()-1, s.keep)
}

// inexact is x as floating-point or complex numbers of any width.
func inexact(op string, x any) *array.Array {
	v := array.MustValue("linalg."+op, x)
	if !v.DType().IsInexact() {
		v = np.Add(v, 0.0)
	}
	return v
}

func squaredSize(x *array.Array) *array.Array { return realPart(x.Mul(conj(x))) }

// order is ord as a number, or as one of the names of matrix norms.
func order(op string, ord any) (number float64, name string) {
	switch v := ord.(type) {
	case nil:
		return 0, "none"
	case int:
		return float64(v), ""
	case float64:
		return v, ""
	case string:
		switch v {
		case "inf":
			return math.Inf(1), ""
		case "-inf":
			return math.Inf(-1), ""
		case "f":
			return 0, "fro"
		case "fro", "nuc":
			return 0, v
		}
	}
	fail(op, array.ArgumentErrorf("the order %v is no number and none of inf, -inf, fro, nuc", ord))
	return 0, ""
}

func vectorNorm(op string, x *array.Array, ord any, how []np.Option) *array.Array {
	p, name := order(op, ord)
	switch {
	case name == "none":
		p = 2
	case name != "":
		fail(op, array.ArgumentErrorf("the order %s is one of matrices; the norm is of vectors", name))
	}
	switch {
	case p == 2:
		return np.Sqrt(np.Sum(squaredSize(x), how...))
	case math.IsInf(p, 1):
		return np.Max(x.Abs(), append(how, np.Initial(0))...)
	case math.IsInf(p, -1):
		return np.Min(x.Abs(), how...)
	case p == 0:
		return np.Sum(x.NotEqual(0), append(how, np.As(x.DType().Real()))...)
	case p == 1:
		return np.Sum(x.Abs(), how...)
	}
	return np.Power(np.Sum(np.Power(x.Abs(), p), how...), 1/p)
}

func matrixNorm(op string, x *array.Array, ord any, row, column int, keep bool) *array.Array {
	if row == column {
		fail(op, array.AxisErrorf("axis %d is named twice", row))
	}
	p, name := order(op, ord)
	var y *array.Array
	x = np.Moveaxis(x, []int{row, column}, []int{-2, -1})
	largest := func(x *array.Array) *array.Array { return np.Max(x, np.Axis(-1), np.Initial(0)) }
	smallest := func(x *array.Array) *array.Array { return x.Min(-1) }
	switch {
	case name == "none", name == "fro":
		y = np.Sqrt(squaredSize(x).Sum(-2, -1))
	case name == "nuc":
		y = Svdvals(x).Sum(-1)
	case p == 1:
		y = largest(x.Abs().Sum(-2))
	case p == -1:
		y = smallest(x.Abs().Sum(-2))
	case math.IsInf(p, 1):
		y = largest(x.Abs().Sum(-1))
	case math.IsInf(p, -1):
		y = smallest(x.Abs().Sum(-1))
	case p == 2:
		y = largest(Svdvals(x))
	case p == -2:
		y = smallest(Svdvals(x))
	default:
		fail(op, array.ArgumentErrorf("the order %v is none of matrices: 1, -1, 2, -2, inf, -inf, fro, nuc", ord))
	}
	if keep {
		return np.ExpandDims(y, row, column)
	}
	return y
}

// Cond is the condition number: for p nil or 2 the quotient of the largest and the smallest singular value, for -2 its
// inverse, else the product of the norms of order p of a and its inverse. It is infinite for singular matrices.
//
//	a [..., m, n], square for other orders than 2 and -2   →   [...] real
func Cond(a, p any) *array.Array {
	x := matrices("Cond", a)
	m, n := sizes(x.Shape())
	if m == 0 || n == 0 {
		fail("Cond", array.ShapeErrorf("a matrix without elements has no condition number; got shape %s", x.Shape()))
	}
	number, name := order("Cond", p)
	var r *array.Array
	ends := func() (largest, smallest *array.Array) {
		s := Svdvals(x)
		return s.At("...", 0).Get(), s.At("...", -1).Get()
	}
	switch {
	case name == "none" || name == "" && number == 2:
		largest, smallest := ends()
		return largest.Div(smallest)
	case name == "" && number == -2:
		largest, smallest := ends()
		r = smallest.Div(largest)
	default:
		r = MatrixNorm(x, p).Mul(MatrixNorm(Inv(x), p))
	}
	known := np.Any(np.IsNaN(x), np.Axis(-2, -1)).Not()
	return np.Where(np.IsNaN(r).And(known), math.Inf(1), r)
}
