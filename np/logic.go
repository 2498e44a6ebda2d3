package np

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Equal is the bool array x == y.
func Equal(x, y any) *Array { return arr("equal", x).Equal(y) }

// NotEqual is the bool array x != y.
func NotEqual(x, y any) *Array { return arr("not_equal", x).NotEqual(y) }

// Less is the bool array x < y. Complex numbers are ordered by the real part, then by the imaginary one.
func Less(x, y any) *Array { return arr("less", x).Less(y) }

// LessEqual is the bool array x <= y.
func LessEqual(x, y any) *Array { return arr("less_equal", x).LessEqual(y) }

// Greater is the bool array x > y.
func Greater(x, y any) *Array { return arr("greater", x).Greater(y) }

// GreaterEqual is the bool array x >= y.
func GreaterEqual(x, y any) *Array { return arr("greater_equal", x).GreaterEqual(y) }

// LogicalAnd is true where both operands differ from zero.
func LogicalAnd(x, y any) *Array { return mask("logical_and", x).And(mask("logical_and", y)) }

// LogicalOr is true where one operand differs from zero.
func LogicalOr(x, y any) *Array { return mask("logical_or", x).Or(mask("logical_or", y)) }

// LogicalXor is true where exactly one operand differs from zero.
func LogicalXor(x, y any) *Array { return mask("logical_xor", x).Xor(mask("logical_xor", y)) }

// LogicalNot is true where x is zero.
func LogicalNot(x any) *Array { return mask("logical_not", x).Not() }

// BitwiseAnd is the bitwise and of integers or bools.
func BitwiseAnd(x, y any) *Array { return arr("bitwise_and", x).And(y) }

// BitwiseOr is the bitwise or of integers or bools.
func BitwiseOr(x, y any) *Array { return arr("bitwise_or", x).Or(y) }

// BitwiseXor is the bitwise exclusive or of integers or bools.
func BitwiseXor(x, y any) *Array { return arr("bitwise_xor", x).Xor(y) }

// BitwiseNot is the complement of integers or bools.
func BitwiseNot(x any) *Array { return arr("bitwise_not", x).Not() }

// Invert is BitwiseNot.
func Invert(x any) *Array { return BitwiseNot(x) }

// BitwiseInvert is BitwiseNot.
func BitwiseInvert(x any) *Array { return BitwiseNot(x) }

// LeftShift is x << y for integers; bools count as int32.
func LeftShift(x, y any) *Array {
	xy := numeric("left_shift", x, y)
	return xy[0].ShiftLeft(xy[1])
}

// BitwiseLeftShift is LeftShift.
func BitwiseLeftShift(x, y any) *Array { return LeftShift(x, y) }

// RightShift is x >> y for integers: signed types keep the sign.
func RightShift(x, y any) *Array {
	xy := numeric("right_shift", x, y)
	return xy[0].ShiftRight(xy[1])
}

// BitwiseRightShift is RightShift.
func BitwiseRightShift(x, y any) *Array { return RightShift(x, y) }

// BitwiseCount is the number of ones in |x|, as uint8.
func BitwiseCount(x any) *Array {
	return primitive.PopulationCount(numeric("bitwise_count", x)[0].Abs()).AsType(Uint8)
}

// IsNaN is true where x is NaN.
func IsNaN(x any) *Array {
	a := arr("isnan", x)
	return a.NotEqual(a)
}

// IsInf is true where x is infinite; a complex number where one of its parts is.
func IsInf(x any) *Array {
	a := arr("isinf", x)
	switch {
	case a.DType().IsComplex():
		return IsInf(a.Real()).Or(IsInf(a.Imag()))
	case a.DType().IsFloat():
		return primitive.Abs(a).Equal(like(a, math.Inf(1)))
	}
	return filled(a.Shape(), Bool, 0)
}

// IsFinite is true where x is neither infinite nor NaN.
func IsFinite(x any) *Array {
	a := arr("isfinite", x)
	switch {
	case a.DType().IsComplex():
		return IsFinite(a.Real()).And(IsFinite(a.Imag()))
	case a.DType().IsFloat():
		return primitive.IsFinite(a)
	}
	return filled(a.Shape(), Bool, 1)
}

// IsPosInf is true where the real number x is +Inf.
func IsPosInf(x any) *Array { return isSignedInf("isposinf", x, 1) }

// IsNegInf is true where the real number x is -Inf.
func IsNegInf(x any) *Array { return isSignedInf("isneginf", x, -1) }

func isSignedInf(op string, x any, sign int) *Array {
	a := arr(op, x)
	realOnly(op, a)
	if !a.DType().IsFloat() {
		return filled(a.Shape(), Bool, 0)
	}
	return a.Equal(like(a, math.Inf(sign)))
}

// IsReal is true where the imaginary part is zero.
func IsReal(x any) *Array { return arr("isreal", x).Imag().Equal(0) }

// IsComplex is true where the imaginary part is not zero.
func IsComplex(x any) *Array { return arr("iscomplex", x).Imag().NotEqual(0) }

// IsComplexObj reports whether the dtype of x is complex.
func IsComplexObj(x any) bool { return arr("iscomplexobj", x).DType().IsComplex() }

// IsRealObj reports whether the dtype of x is not complex.
func IsRealObj(x any) bool { return !IsComplexObj(x) }

// IsClose is true where |x - y| <= atol + rtol |y|. Equal infinities are close; NaN is close to nothing, or with EqualNaN
// to NaN. It takes Tolerance and EqualNaN.
func IsClose(x, y any, opts ...Option) *Array {
	s := gather("isclose", opts, optTolerance|optEqualNaN)
	xy := broadcast("isclose", promote("isclose", x, y)...)
	a, b := xy[0], xy[1]
	if a.DType() == Bool {
		a, b = a.AsType(Int32), b.AsType(Int32)
	}
	if !a.DType().IsInexact() {
		a, b = a.AsType(toInexact(a.DType())), b.AsType(toInexact(b.DType()))
	}
	close := a.Sub(b).Abs().LessEqual(b.Abs().Mul(s.rtol).Add(s.atol))
	finite := IsFinite(a).And(IsFinite(b))
	close = close.And(finite).Or(a.Equal(b))
	if s.equalNaN {
		close = close.Or(IsNaN(a).And(IsNaN(b)))
	}
	return close
}

// AllClose is the scalar that is true where IsClose is everywhere. It takes Tolerance and EqualNaN.
func AllClose(x, y any, opts ...Option) *Array { return IsClose(x, y, opts...).All() }

// ArrayEqual is the scalar that is true where x and y have the same shape and elements. It takes EqualNaN.
func ArrayEqual(x, y any, opts ...Option) *Array {
	s := gather("array_equal", opts, optEqualNaN)
	a, b := arr("array_equal", x), arr("array_equal", y)
	if !a.Shape().Equal(b.Shape()) {
		return scalar(Bool, 0)
	}
	same := a.Equal(b)
	if s.equalNaN {
		same = same.Or(IsNaN(a).And(IsNaN(b)))
	}
	return same.All()
}

// ArrayEquiv is the scalar that is true where x and y broadcast together and are equal then.
func ArrayEquiv(x, y any) *Array {
	a, b := arr("array_equiv", x), arr("array_equiv", y)
	if _, err := array.Broadcast(a.Shape(), b.Shape()); err != nil {
		return scalar(Bool, 0)
	}
	return a.Equal(b).All()
}
