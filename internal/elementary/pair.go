package elementary

import "math"

// pair is the unevaluated sum hi + lo, |lo| at most half an ulp of hi: a number of about 106 bits. The algorithms are those of
// Dekker and Knuth; see Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic". They hold while nothing overflows or becomes subnormal.
type pair struct{ hi, lo float64 }

// twoSum is x + y exactly.
func twoSum(x, y float64) pair {
	s := x + y
	t := s - x
	return pair{s, (x - (s - t)) + (y - t)}
}

// quickSum is x + y exactly for |x| ≥ |y|.
func quickSum(x, y float64) pair {
	s := x + y
	return pair{s, y - (s - x)}
}

// twoProd is x · y exactly. The conversion keeps the compiler from fusing the product into a later sum.
func twoProd(x, y float64) pair {
	p := float64(x * y)
	return pair{p, math.FMA(x, y, -p)}
}

func (a pair) add(b pair) pair {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a pair) addFloat(b float64) pair {
	s := twoSum(a.hi, b)
	return quickSum(s.hi, s.lo+a.lo)
}

func (a pair) neg() pair { return pair{-a.hi, -a.lo} }

func (a pair) mul(b pair) pair {
	p := twoProd(a.hi, b.hi)
	return quickSum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a pair) mulFloat(b float64) pair {
	p := twoProd(a.hi, b)
	return quickSum(p.hi, p.lo+a.lo*b)
}

func (a pair) div(b pair) pair {
	q := a.hi / b.hi
	r := a.add(b.mulFloat(q).neg())
	return quickSum(q, (r.hi+r.lo)/b.hi)
}

func (a pair) divFloat(b float64) pair { return a.div(pair{b, 0}) }

// scale is a · 2^e exactly.
func (a pair) scale(e int) pair { return pair{math.Ldexp(a.hi, e), math.Ldexp(a.lo, e)} }

func (a pair) float() float64 { return a.hi + a.lo }

var ln2 = pair{0.6931471805599453, 2.319046813846299e-17}

// logPair is the natural logarithm of a positive, normal x: 2 atanh(s) + e ln 2 with s = (m-1)/(m+1) for x = m 2^e, m in
// [√½, √2). |s| < 0.172, so that s^2k/(2k+1) falls below 2^-104 at k = 20.
func logPair(x pair) pair {
	m, e := math.Frexp(x.hi)
	lo := math.Ldexp(x.lo, -e)
	if m < math.Sqrt2/2 {
		m, lo, e = m*2, lo*2, e-1
	}
	y := pair{m, lo}
	s := y.addFloat(-1).div(y.addFloat(1))
	z := s.mul(s)
	sum := pair{}
	for k := 20; k > 0; k-- {
		term := pair{1, 0}.divFloat(float64(2*k + 1))
		sum = sum.add(term).mul(z)
	}
	sum = sum.addFloat(1).mul(s).scale(1)
	return ln2.mulFloat(float64(e)).add(sum)
}

// expOfPair is e to the power of x, rounded.
func expOfPair(x pair) float64 {
	e := math.Exp(x.hi) // reduced by the caller
	if e == 0 || math.IsInf(e, 0) || x.lo == 0 {
		return e
	}
	return e + e*x.lo
}
