package np

import (
	"github.com/pantograph-go/pantograph/array"
)

// The functions of this file take polynomials as vectors of coefficients, the highest power first.

func coefficients(op string, ps ...any) []*Array {
	xs := promote(op, ps...)
	for i, x := range xs {
		xs[i] = Atleast1d(x)
		if xs[i].Rank() != 1 {
			fail(op, array.ShapeErrorf("a polynomial is a vector of coefficients, got shape %s", x.Shape()))
		}
	}
	return xs
}

// padFront gives two vectors the same length by zeros in front.
func padFront(a, b *Array) (x, y *Array) {
	n := max(a.Size(), b.Size())
	return Pad(a, [][2]int{{n - a.Size(), 0}}), Pad(b, [][2]int{{n - b.Size(), 0}})
}

// Poly gives the coefficients of the polynomial with these roots, the first 1.
func Poly(roots any) *Array {
	r := inexact("poly", roots)[0]
	if r.Rank() != 1 {
		fail("poly", array.ShapeErrorf("takes a vector of roots, got shape %s; for a matrix take its eigenvalues", r.Shape()))
	}
	p := filled(Shape{1}, r.DType(), 1)
	zero := filled(Shape{1}, r.DType(), 0)
	for i := range r.Size() {
		up := Concatenate([]*Array{p, zero})
		p = up.Sub(Concatenate([]*Array{zero, p}).Mul(r.At(i).Get()))
	}
	return p
}

// Polyval evaluates the polynomial p at each x, by Horner's rule.
func Polyval(p, x any) *Array {
	px := inexact("polyval", p, x)
	c, a := px[0], px[1]
	atLeast("polyval", c, 1)
	shape := BroadcastShapes(c.Shape()[1:], a.Shape())
	y := filled(shape, c.DType(), 0)
	for i := range c.Shape()[0] {
		y = y.Mul(a).Add(c.At(i).Get())
	}
	return y
}

// Polyadd is the sum of two polynomials.
func Polyadd(p, q any) *Array {
	c := coefficients("polyadd", p, q)
	a, b := padFront(c[0], c[1])
	return a.Add(b)
}

// Polysub is the difference of two polynomials.
func Polysub(p, q any) *Array {
	c := coefficients("polysub", p, q)
	a, b := padFront(c[0], c[1])
	return a.Sub(b)
}

// Polymul is the product of two polynomials.
func Polymul(p, q any) *Array {
	c := coefficients("polymul", p, q)
	return Convolve(c[0], c[1])
}

// Polydiv divides polynomials: u = quotient v + remainder. The remainder has as many coefficients as u.
func Polydiv(u, v any) (quotient, remainder *Array) {
	c := inexact("polydiv", u, v)
	a, b := Atleast1d(c[0]), Atleast1d(c[1])
	m, n := a.Size(), b.Size()
	if n > m {
		return filled(Shape{1}, a.DType(), 0), a
	}
	var q []*Array
	lead := b.At(0).Get()
	for k := range m - n + 1 {
		d := a.At(k).Get().Div(lead)
		q = append(q, d)
		a = a.At(Slice{Start: k, Stop: k + n}).Add(b.Mul(d).Neg())
	}
	return Stack(q), a
}

// Polyder is the m-th derivative of a polynomial.
func Polyder(p any, m int) *Array {
	a := coefficients("polyder", p)[0]
	if m < 0 {
		fail("polyder", array.ArgumentErrorf("the order %d is negative", m))
	}
	for range m {
		n := a.Size()
		if n <= 1 {
			return Zeros([]int{0}, a.DType())
		}
		a = a.At(":-1").Get().Mul(convert(Arange(n-1, 0, -1), a.DType(), false))
	}
	return a
}

// Polyint is the m-th integral of a polynomial, with the constants of integration k: nil for 0, or one for each.
func Polyint(p any, m int, k any) *Array {
	a := inexact("polyint", p)[0]
	if k == nil {
		k = 0.0
	}
	if m < 0 || a.Rank() != 1 {
		fail("polyint", array.ArgumentErrorf("takes a vector and an order that is not negative, got shape %s and %d", a.Shape(), m))
	}
	if m == 0 {
		return a
	}
	constants := convert(Atleast1d(k), a.DType(), false).BroadcastTo(m)
	for i := range m {
		n := a.Size()
		a = Concatenate([]*Array{a.Div(convert(Arange(n, 0, -1), a.DType(), false)), constants.At(Slice{Start: i, Stop: i + 1}).Get()})
	}
	return a
}
