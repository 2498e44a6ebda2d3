package primitive

import "github.com/pantograph-go/pantograph/array"

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

// reduceNames are the words JAX uses in the names of reductions.
var combineNames = [...]string{"sum", "prod", "max", "min", "and", "or", "xor", "logsumexp", ""}

// accepts reports whether op is defined on elements of type d, as an error that says which types are.
func (c Combine) accepts(d array.DType) error {
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
	case CombineReplace:
	}
	return nil
}
