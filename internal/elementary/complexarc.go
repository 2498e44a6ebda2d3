package elementary

import "math"

// The inverse functions follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using
// exception handling": r and s are the distances to -1 and 1, a their mean, and every difference is written as a
// sum of terms of one sign.

const (
	arcMax      = 0x1p509  // √max/8: below it no square overflows
	arcMin      = 0x1p-509 // 4√min
	arcEps      = 0x1p-53
	arcSinCross = 0.6417 // beyond it asin(x/a) would lose digits
	logCross    = 1.5
)

// arc holds what asin and acos share, for x, y ≥ 0.
type arc struct{ x, y, r, s, a, b float64 }

func newArc(x, y float64) arc {
	r, s := Hypot(x+1, y), Hypot(x-1, y)
	a := (r + s) / 2
	return arc{x, y, r, s, a, x / a}
}

func (c arc) safe() bool {
	return c.x < arcMax && c.x > arcMin && c.y < arcMax && c.y > arcMin
}

// imag is log(a + √(a²-1)).
func (c arc) imag() float64 {
	if c.a > logCross {
		return Log(c.a + math.Sqrt((c.a-1)*(c.a+1)))
	}
	yy := c.y * c.y
	var am1 float64
	if c.x < 1 {
		am1 = (yy/(c.r+(c.x+1)) + yy/(c.s+(1-c.x))) / 2
	} else {
		am1 = (yy/(c.r+(c.x+1)) + (c.s + (c.x - 1))) / 2
	}
	return math.Log1p(am1 + math.Sqrt(am1*(c.a+1)))
}

// root is √(a²-x²), the third side of a right triangle with a and x.
func (c arc) root() float64 {
	apx := c.a + c.x
	if c.x <= 1 {
		return math.Sqrt(apx / 2 * (c.y*c.y/(c.r+(c.x+1)) + (c.s + (1 - c.x))))
	}
	return c.y * math.Sqrt((apx/(c.r+(c.x+1))+apx/(c.s+(c.x-1)))/2)
}

// far gives the imaginary part, and the real parts of asin and acos, where squares would leave the range of floats.
func (c arc) far() (asin, acos, im float64) {
	x, y := c.x, c.y
	xp1, xm1 := x+1, x-1
	switch {
	case y <= arcEps*math.Abs(xm1):
		if x < 1 {
			return math.Asin(x), math.Acos(x), y / math.Sqrt(-xp1*xm1)
		}
		if math.MaxFloat64/xp1 > xm1 {
			root := math.Sqrt(xm1 * xp1)
			return math.Pi / 2, y / root, math.Log1p(xm1 + root)
		}
		return math.Pi / 2, y / x, math.Ln2 + Log(x)
	case y <= arcMin: // x is 1
		return math.Pi/2 - math.Sqrt(y), math.Sqrt(y), math.Sqrt(y)
	case arcEps*y-1 >= x:
		return x / y, math.Pi / 2, math.Ln2 + Log(y)
	case x > 1:
		q := x / y
		return math.Atan(q), math.Atan(y / x), math.Ln2 + Log(y) + math.Log1p(q*q)/2
	}
	root := math.Sqrt(1 + y*y)
	return x / root, math.Pi / 2, math.Log1p(2*y*(y+root)) / 2
}

// arcs is the real parts of asin and acos and the imaginary part of asin for x, y ≥ 0, none of them NaN.
func arcs(x, y float64) (asin, acos, im float64) {
	switch {
	case math.IsInf(x, 1) && math.IsInf(y, 1):
		return math.Pi / 4, math.Pi / 4, y
	case math.IsInf(x, 1):
		return math.Pi / 2, 0, x
	case math.IsInf(y, 1):
		return 0, math.Pi / 2, y
	case y == 0 && x <= 1:
		return math.Asin(x), math.Acos(x), 0
	}
	c := newArc(x, y)
	if !c.safe() {
		return c.far()
	}
	if c.b <= arcSinCross {
		return math.Asin(c.b), math.Acos(c.b), c.imag()
	}
	root := c.root()
	return math.Atan(x / root), math.Atan(root / x), c.imag()
}

// ComplexAsin is the arc sine.
func ComplexAsin(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x != x && math.IsInf(y, 0):
		return complex(x, y)
	case y != y && x == 0:
		return complex(x, y)
	case y != y && math.IsInf(x, 0):
		return complex(y, x)
	case x != x || y != y:
		return complex(math.NaN(), math.NaN())
	}
	asin, _, im := arcs(math.Abs(x), math.Abs(y))
	return complex(math.Copysign(asin, x), math.Copysign(im, y))
}

// ComplexAcos is the arc cosine.
func ComplexAcos(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x != x && math.IsInf(y, 0):
		return complex(x, -y)
	case y != y && x == 0:
		return complex(math.Pi/2, y)
	case y != y && math.IsInf(x, 0):
		return complex(y, -x)
	case x != x || y != y:
		return complex(math.NaN(), math.NaN())
	}
	_, acos, im := arcs(math.Abs(x), math.Abs(y))
	if math.Signbit(x) {
		acos = math.Pi - acos
	}
	return complex(acos, math.Copysign(im, -y))
}

// ComplexAsinh is the inverse hyperbolic sine: -i asin iz.
func ComplexAsinh(z complex128) complex128 {
	w := ComplexAsin(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}

// ComplexAcosh is the inverse hyperbolic cosine, with non-negative real part: ±i acos z.
func ComplexAcosh(z complex128) complex128 {
	w := ComplexAcos(z)
	if imag(w) != imag(w) || real(w) != real(w) {
		return complex(math.Abs(imag(w)), real(w))
	}
	return complex(math.Abs(imag(w)), math.Copysign(real(w), imag(z)))
}

// ComplexAtanh is the inverse hyperbolic tangent.
func ComplexAtanh(z complex128) complex128 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	if x != x || y != y {
		return nanAtanh(z)
	}
	var re, im float64
	switch {
	case math.IsInf(x, 1) || math.IsInf(y, 1):
		re, im = 0, math.Pi/2
	case x > arcMax || y > arcMax: // x / |z|²
		h := Hypot(x/4, y/4)
		re, im = x/4/h/h/4, math.Pi/2
	case x < arcMin && y < arcMin:
		re, im = x, y
	default:
		d := 1 - x
		if den := d*d + y*y; den > 0x1p-900 {
			re = math.Log1p(4*x/den) / 4
		} else { // at the pole
			re = (math.Ln2 - Log(Hypot(d, y))) / 2
		}
		im = Atan2(2*y, twoProd(d, 1+x).add(twoProd(-y, y)).float()) / 2
	}
	return complex(math.Copysign(re, real(z)), math.Copysign(im, imag(z)))
}

func nanAtanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(y, 0):
		return complex(math.Copysign(0, x), math.Copysign(math.Pi/2, y))
	case math.IsInf(x, 0):
		return complex(math.Copysign(0, x), y)
	case x == 0:
		return z
	}
	return complex(math.NaN(), math.NaN())
}

// ComplexAtan is the arc tangent: -i atanh iz.
func ComplexAtan(z complex128) complex128 {
	w := ComplexAtanh(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}
