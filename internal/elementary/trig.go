package elementary

import (
	"math"
	"math/big"
	"sync"
)

// Sin is the sine. math.Sin is close but where the result is small beside the argument, which then has to be reduced
// with more digits of π.
func Sin(x float64) float64 {
	if s := math.Sin(x); x-x != 0 || math.Abs(x) < 0.7 || math.Abs(x) < 1e5 && math.Abs(s) > 1e-2 {
		return s
	}
	r, quadrant := reduce(x)
	s, c := sinCos(r)
	switch quadrant {
	case 0:
		return s
	case 1:
		return c
	case 2:
		return -s
	}
	return -c
}

// Cos is the cosine.
func Cos(x float64) float64 {
	if c := math.Cos(x); x-x != 0 || math.Abs(x) < 0.7 || math.Abs(x) < 1e5 && math.Abs(c) > 1e-2 {
		return c
	}
	r, quadrant := reduce(x)
	s, c := sinCos(r)
	switch quadrant {
	case 0:
		return c
	case 1:
		return -s
	case 2:
		return -c
	}
	return s
}

// Tan is the tangent.
func Tan(x float64) float64 {
	if t := math.Abs(math.Tan(x)); x-x != 0 || math.Abs(x) < 0.7 || math.Abs(x) < 1e5 && t > 1e-2 && t < 1e2 {
		return math.Tan(x)
	}
	r, quadrant := reduce(x)
	t := math.Tan(r.hi)
	t += r.lo * math.FMA(t, t, 1)
	if quadrant%2 == 1 {
		return -1 / t
	}
	return t
}

// SinCos is both.
func SinCos(x float64) (sin, cos float64) { return Sin(x), Cos(x) }

// sinCos is sine and cosine of a reduced argument, |r| ≤ π/4.
func sinCos(r pair) (sin, cos float64) {
	s, c := math.Sin(r.hi), math.Cos(r.hi)
	return s + r.lo*c, c - r.lo*s
}

// The first three parts of π/2, and what two of them miss.
const (
	halfPi1 = 1.5707963267948966
	halfPi2 = 6.123233995736766e-17
	halfPi3 = -1.4973849048591833e-33
)

// reduce subtracts the nearest multiple of π/2 and tells which it was, modulo 4.
func reduce(x float64) (r pair, quadrant int) {
	if math.Abs(x) > 1<<20 {
		return reduceFar(x)
	}
	k := math.Round(x / halfPi1)
	r = pair{x, 0}.add(twoProd(-k, halfPi1)).add(twoProd(-k, halfPi2)).addFloat(-k * halfPi3)
	return r, int(k) & 3
}

// farBits is the precision of 2/π needed for the largest float: its exponent and three words.
const farBits = 1024 + 192

// twoOverPi is 2/π · 2^farBits, by Machin's formula π = 16 atan(1/5) - 4 atan(1/239).
var twoOverPi = sync.OnceValue(func() *big.Int {
	const guard = 64
	one := new(big.Int).Lsh(big.NewInt(1), farBits+guard)
	atan := func(n int64) *big.Int {
		sum, term, square := new(big.Int), new(big.Int).Div(one, big.NewInt(n)), big.NewInt(n*n)
		for k := int64(1); term.Sign() != 0; k += 2 {
			t := new(big.Int).Div(term, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
			term.Div(term, square)
		}
		return sum
	}
	pi := new(big.Int).Sub(new(big.Int).Lsh(atan(5), 4), new(big.Int).Lsh(atan(239), 2))
	return new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), 2*farBits+guard+1), pi)
})

// reduceFar reduces by multiplication with 2/π in as many bits as the argument's exponent asks for (Payne and Hanek).
func reduceFar(x float64) (r pair, quadrant int) {
	frac, exp := math.Frexp(math.Abs(x))
	product := new(big.Int).Mul(big.NewInt(int64(frac*(1<<53))), twoOverPi()) // |x| 2/π · 2^(farBits-exp+53)
	point := uint(farBits - exp + 53)
	turns := new(big.Int).Rsh(product, point)
	product.Sub(product, new(big.Int).Lsh(turns, point))
	quadrant = int(new(big.Int).And(turns, big.NewInt(3)).Int64())
	if product.Bit(int(point-1)) == 1 { // nearer to the next quarter
		product.Sub(product, new(big.Int).Lsh(big.NewInt(1), point))
		quadrant = (quadrant + 1) & 3
	}
	f := new(big.Float).SetPrec(160).SetInt(product)
	f.SetMantExp(f, -int(point))
	hi, _ := f.Float64()
	lo, _ := f.Sub(f, new(big.Float).SetFloat64(hi)).Float64()
	r = pair{hi, lo}.mul(pair{halfPi1, halfPi2})
	if x < 0 {
		r, quadrant = r.neg(), (4-quadrant)&3
	}
	return r, quadrant
}

// Acos is the arc cosine; near ±1 math.Acos subtracts two close angles.
func Acos(x float64) float64 {
	switch {
	case x > 0.5:
		return 2 * math.Asin(math.Sqrt((1-x)/2))
	case x < -0.5:
		return math.Pi - 2*math.Asin(math.Sqrt((1+x)/2))
	}
	return math.Acos(x)
}
