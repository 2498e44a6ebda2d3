package array

import (
	"math"
	"strconv"
	"strings"
)

// floatLayout is the common layout of the floats of one array: NumPy's FloatingFormat in its mode maxprec.
type floatLayout struct {
	d    DType
	o    PrintOptions
	plus bool // write the sign of positive numbers

	scientific bool
	precision  int // digits after the point in scientific notation
	left       int // columns before the point
	right      int // columns after the point
	expDigits  int
}

// fit chooses the layout for the values at these positions.
func (l *floatLayout) fit(at []int, value func(int) float64) {
	largest, smallest := 0.0, math.Inf(1)
	finite, anyNonFinite, negInf := 0, false, false
	for _, i := range at {
		v := value(i)
		switch a := math.Abs(v); {
		case math.IsInf(v, 0) || v != v:
			anyNonFinite = true
			negInf = negInf || v < 0
		default:
			finite++
			if a > 0 {
				largest, smallest = max(largest, a), min(smallest, a)
			}
		}
	}
	if largest > 0 {
		d := l.d // NumPy compares in the array's own type
		if d != Float64 && d != Float16 {
			d = Float32
		}
		limit := math.Pow10(min(8, decimalPrecision(d)))
		l.scientific = largest >= limit || !l.o.Suppress && (smallest < RoundTo(d, 0.0001) || RoundTo(d, largest/smallest) > 1000)
	}
	if l.scientific {
		for _, i := range at {
			if v := value(i); isFinite(v) {
				_, frac, exp := scientificParts(l.d, v, l.o.Precision)
				l.precision = max(l.precision, len(frac))
				l.expDigits = max(l.expDigits, len(exp)-1)
			}
		}
		for _, i := range at {
			if v := value(i); isFinite(v) {
				l.left = max(l.left, len(l.sign(v))+1)
			}
		}
		l.right = l.expDigits + 2 + l.precision
	} else {
		for _, i := range at {
			if v := value(i); isFinite(v) {
				whole, frac := positionalParts(l.d, v, l.o.Precision)
				l.left = max(l.left, len(l.sign(v))+len(whole))
				l.right = max(l.right, len(frac))
			}
		}
	}
	if anyNonFinite {
		inf := len("inf")
		if l.plus || negInf {
			inf++
		}
		l.left = max(l.left, len("nan")-l.right-1, inf-l.right-1)
	}
}

func (l *floatLayout) sign(v float64) string {
	if math.Signbit(v) {
		return "-"
	}
	if l.plus {
		return "+"
	}
	return ""
}

func (l *floatLayout) format(v float64) string {
	if !isFinite(v) {
		s := l.sign(v) + "inf"
		if v != v {
			s = "nan"
			if l.plus {
				s = "+nan"
			}
		}
		return pad(l.left+l.right+1-len(s)) + s
	}
	if l.scientific {
		s := strconv.FormatFloat(math.Abs(v), 'e', l.precision, 64)
		digits, exp, _ := strings.Cut(s, "e")
		whole, frac, _ := strings.Cut(digits, ".")
		exp = exp[:1] + strings.Repeat("0", max(0, l.expDigits-len(exp)+1)) + exp[1:]
		whole = l.sign(v) + whole
		return pad(l.left-len(whole)) + whole + "." + frac + "e" + exp
	}
	whole, frac := positionalParts(l.d, v, l.o.Precision)
	whole = l.sign(v) + whole
	return pad(l.left-len(whole)) + whole + "." + frac + pad(l.right-len(frac))
}

func pad(n int) string { return strings.Repeat(" ", max(n, 0)) }

func isFinite(v float64) bool { return v-v == 0 }

// decimalPrecision is the number of decimal digits that a type holds surely: NumPy's finfo(d).precision. Types that NumPy
// does not know are laid out as float32.
func decimalPrecision(d DType) int {
	switch d {
	case Float64:
		return 15
	case Float16:
		return 3
	}
	return 6
}

// scientificParts are the digits and exponent of |v|: the fewest that tell v from other numbers of its type, or, where
// these are more than precision after the point, v rounded.
func scientificParts(d DType, v float64, precision int) (whole, frac, exp string) {
	s := shortest(d, v)
	whole, frac, exp = splitScientific(s)
	if len(frac) > precision {
		whole, frac, exp = splitScientific(strconv.FormatFloat(math.Abs(v), 'e', precision, 64))
		frac = strings.TrimRight(frac, "0")
	}
	return whole, frac, exp
}

func splitScientific(s string) (whole, frac, exp string) {
	digits, exp, _ := strings.Cut(s, "e")
	whole, frac, _ = strings.Cut(digits, ".")
	return whole, frac, exp
}

// positionalParts are the digits of |v| before and after the point, the fewest that tell v from other numbers of its
// type, rounded to precision after the point.
func positionalParts(d DType, v float64, precision int) (whole, frac string) {
	whole, frac, exp := splitScientific(shortest(d, v))
	digits := whole + frac
	e, _ := strconv.Atoi(exp)
	switch point := e + 1; {
	case point <= 0:
		whole, frac = "0", strings.Repeat("0", -point)+digits
	case point >= len(digits):
		whole, frac = digits+strings.Repeat("0", point-len(digits)), ""
	default:
		whole, frac = digits[:point], digits[point:]
	}
	if len(frac) > precision {
		whole, frac, _ = strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', precision, 64), ".")
	}
	return whole, strings.TrimRight(frac, "0")
}

// shortest is |v| in scientific notation with the fewest digits that round to v in the type d.
func shortest(d DType, v float64) string {
	v = math.Abs(v)
	switch d {
	case Float64:
		return strconv.FormatFloat(v, 'e', -1, 64)
	case Float32:
		return strconv.FormatFloat(v, 'e', -1, 32)
	}
	for digits := range 17 {
		s := strconv.FormatFloat(v, 'e', digits, 64)
		if w, err := strconv.ParseFloat(s, 64); err == nil && RoundTo(d, w) == v {
			return s
		}
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}

// scalarText prints an array without axes as NumPy prints a scalar: all the digits the number needs.
func (b *Buffer) scalarText() string {
	switch b.dtype.Kind() {
	case KindBool:
		return boolText(b.Bool(0))
	case KindFloat:
		return floatText(b.dtype, b.Float(0))
	case KindComplex:
		c, d := b.Complex(0), b.dtype.Real()
		im := strings.TrimSuffix(floatText(d, imag(c)), ".0")
		if im[0] != '-' {
			im = "+" + im
		}
		if real(c) == 0 && !math.Signbit(real(c)) {
			return strings.TrimPrefix(im, "+") + "j"
		}
		return "(" + strings.TrimSuffix(floatText(d, real(c)), ".0") + im + "j)"
	}
	return b.integerText(0)
}

func boolText(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

func floatText(d DType, v float64) string {
	switch {
	case v != v:
		return "nan"
	case v > math.MaxFloat64:
		return "inf"
	case v < -math.MaxFloat64:
		return "-inf"
	}
	sign := ""
	if math.Signbit(v) {
		sign = "-"
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= scientificFrom(d)) {
		whole, frac, exp := splitScientific(shortest(d, v))
		if frac != "" {
			frac = "." + frac
		}
		return sign + whole + frac + "e" + exp
	}
	whole, frac := positionalParts(d, v, math.MaxInt)
	if frac == "" {
		frac = "0"
	}
	return sign + whole + "." + frac
}

// scientificFrom is the scalar from which NumPy prints scientific notation.
func scientificFrom(d DType) float64 {
	if d == Float64 {
		return 1e16
	}
	return math.Pow10(decimalPrecision(d))
}
