package primitive

import (
	"math"
	"slices"
	"strconv"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Combine is an associative function of two values with an identity. Reductions, cumulative reductions, windows and
// scatters apply one to many values.
type Combine uint8

// The combining functions. CombineReplace keeps the second value; only scatter knows it.
const (
	CombineAdd Combine = iota
	CombineMul
	CombineMax
	CombineMin
	CombineAnd
	CombineOr
	CombineXor
	CombineLogAddExp
	CombineReplace
)

// combineNames are the words JAX uses in the names of primitives.
var combineNames = [...]string{"sum", "prod", "max", "min", "and", "or", "xor", "logsumexp", ""}

// word is c in the names of primitives.
func (c Combine) word() string { return choice(combineNames[:], c) }

// choice is what an enumeration calls a value, its number where it has no such value.
func choice[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// known refuses a value that an enumeration of n does not have.
func known[T ~uint8](what string, v T, n int) error {
	if int(v) >= n {
		return array.ArgumentErrorf("%s %d does not exist; it is from 0 to %d, see its constants", what, v, n-1)
	}
	return nil
}

// accepts refuses functions that are not among those of a family, and elements of a type that c is not defined on.
func (c Combine) accepts(d array.DType, family ...Combine) error {
	if !slices.Contains(family, c) {
		return array.ArgumentErrorf("there is no such primitive with Combine(%d); it is one of %d", c, family)
	}
	switch c {
	case CombineAdd, CombineMul:
		if !d.IsInteger() && !d.IsInexact() {
			return array.DTypeErrorf("operand is %s; it takes numbers: convert to an integer or floating-point type first", d)
		}
	case CombineMax, CombineMin:
		if !d.IsInteger() && !d.IsInexact() && d != array.Bool {
			return array.DTypeErrorf("operand is %s; it takes numbers and bools", d)
		}
	case CombineAnd, CombineOr, CombineXor:
		if !d.IsInteger() && d != array.Bool {
			return array.DTypeErrorf("operand is %s; it takes integers and bools: compare first, for instance with ne to 0", d)
		}
	case CombineLogAddExp:
		if !d.IsInexact() {
			return array.DTypeErrorf("operand is %s; it takes floating-point and complex numbers: convert first", d)
		}
	}
	return nil
}

// identity is the value that changes nothing, as a scalar constant.
func (c Combine) identity(b *hlo.Builder, d array.DType) *hlo.Value {
	return b.SplatOf(hlo.Tensor{Elem: d}, c.identityOf(d))
}

func (c Combine) identityOf(d array.DType) *array.Buffer {
	s := array.NewBuffer(d, nil)
	switch c {
	case CombineMul:
		s.SetInt(0, 1)
	case CombineAnd:
		s.SetInt(0, -1)
	case CombineMax:
		setExtreme(s, -1)
	case CombineMin:
		setExtreme(s, 1)
	}
	return s
}

// setExtreme stores the largest value of the type (sign 1) or the smallest (sign -1): an infinity where there is one.
func setExtreme(s *array.Buffer, sign int) {
	if s.DType() == array.Bool {
		s.SetBool(0, sign > 0)
		return
	}
	s.SetFloat(0, math.Inf(sign))
	if s.DType().IsFloat() && !math.IsInf(s.Float(0), sign) {
		s.SetFloat(0, float64(sign)*largestFinite(s.DType()))
	}
}

// largestFinite is the largest number of a type without infinities. They have at most eight bits, so that a number
// more than 2^20 is out of their range and a step below 1/16 of a number out of their precision.
func largestFinite(d array.DType) float64 {
	fits := func(v float64) bool { return array.RoundTo(d, v) == v }
	v := 0x1p20
	for !fits(v) {
		v /= 2
	}
	for step := v / 2; step >= v/16; step /= 2 {
		if fits(v + step) {
			v += step
		}
	}
	return v
}

// apply is the function as an operation on arrays.
func (c Combine) apply(x, y *array.Array) *array.Array {
	switch c {
	case CombineAdd:
		return Add(x, y)
	case CombineMul:
		return Mul(x, y)
	case CombineMax:
		return Max(x, y)
	case CombineMin:
		return Min(x, y)
	case CombineAnd:
		return And(x, y)
	case CombineOr:
		return Or(x, y)
	case CombineXor:
		return Xor(x, y)
	case CombineLogAddExp:
		l := logAdd(x, y)
		return l.sum
	}
	return y
}

// region is the function as the scalar computation of a reduction over elements of type d.
func (c Combine) region(b *hlo.Builder, d array.DType) (*hlo.Region, error) {
	t := hlo.Tensor{Elem: d}
	return b.Region([]hlo.Type{t, t}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return compose(b, args, func(in []*array.Array) []*array.Array { return []*array.Array{c.apply(in[0], in[1])} })
	})
}

// jvp is apply with tangents, for the functions that are not linear and take inexact numbers.
func (c Combine) jvp(x, y, dx, dy *array.Array) (z, dz *array.Array, err error) {
	var p interface {
		JVP(x, dx []*array.Array) (y, dy []*array.Array, err error)
	}
	switch c {
	case CombineLogAddExp:
		l := logAdd(x, y)
		return l.sum, l.tangent(dx, dy), nil
	case CombineMul:
		p = MulP{}
	case CombineMax:
		p = MaxP{}
	case CombineMin:
		p = MinP{}
	}
	zs, dzs, err := p.JVP([]*array.Array{x, y}, []*array.Array{dx, dy})
	if err != nil {
		return nil, nil, err
	}
	return zs[0], dzs[0], nil
}

// logAddExp is log(exp(x) + exp(y)) with what its derivative needs.
type logAddExp struct {
	first *array.Array // x is the larger
	delta *array.Array // the smaller less the larger
	sum   *array.Array
}

// logAdd is hi + log1p(exp(lo - hi)). The operands are sorted by select instead of max and abs, which have a kink where
// x = y: so derivatives of every order are right there too.
func logAdd(x, y *array.Array) logAddExp {
	rx, ry := x, y
	if x.DType().IsComplex() {
		rx, ry = Real(x), Real(y)
	}
	first := Gt(rx, ry)
	hi, lo := Select(first, x, y), Select(first, y, x)
	delta := Sub(lo, hi)
	// Equal infinities: their difference is not a number, but neither is the larger.
	infinite := And(Ne(delta, delta), Eq(lo, hi))
	delta = Select(infinite, zerosOf(delta.Aval()), delta)
	return logAddExp{first, delta, Add(hi, Log1p(Exp(delta)))}
}

// tangent weighs the tangents by each operand's share of the sum.
func (l logAddExp) tangent(dx, dy *array.Array) *array.Array {
	hi, lo := Select(l.first, dx, dy), Select(l.first, dy, dx)
	return Add(Mul(Logistic(Neg(l.delta)), hi), Mul(Logistic(l.delta), lo))
}
