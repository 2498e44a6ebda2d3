package array

import (
	"math/bits"
	"strings"
)

// The promotion lattice has three more places than there are element types: those of Go numbers.
const (
	weakInt = numDTypes + iota
	weakFloat
	weakComplex
	numNodes
)

// lattice maps each node to those directly above it: JAX's type promotion lattice with 64-bit types on
// (https://docs.jax.dev/en/latest/type_promotion.html). Types that are missing above a node, such as the f8 types,
// do not promote on their own.
var lattice = [numNodes][]DType{
	Bool:    {weakInt},
	weakInt: {Uint8, Uint2, Uint4, Int8, Int2, Int4},
	Uint8:   {Int16, Uint16},
	Uint16:  {Int32, Uint32},
	Uint32:  {Int64, Uint64},
	Uint64:  {weakFloat},
	Int8:    {Int16},
	Int16:   {Int32},
	Int32:   {Int64},
	Int64:   {weakFloat},
	weakFloat: {Float4E2M1FN, Float6E2M3FN, Float6E3M2FN, Float8E3M4, Float8E4M3,
		Float8E4M3FN, Float8E4M3FNUZ, Float8E4M3B11FNUZ, Float8E5M2, Float8E5M2FNUZ,
		Float8E8M0FNU, BFloat16, Float16, weakComplex},
	BFloat16:    {Float32},
	Float16:     {Float32},
	Float32:     {Float64, Complex64},
	Float64:     {Complex128},
	weakComplex: {Complex64},
	Complex64:   {Complex128},
}

// upperBounds holds for each node the set of nodes at or above it.
var upperBounds = func() (ub [numNodes]uint64) {
	var above func(n DType) uint64
	above = func(n DType) uint64 {
		if ub[n] == 0 {
			ub[n] = 1 << n
			for _, m := range lattice[n] {
				ub[n] |= above(m)
			}
		}
		return ub[n]
	}
	for n := range numNodes {
		above(n)
	}
	return ub
}()

// Promote is the type that operands of these avals have in common, and whether it is still weak: the least upper bound
// in JAX's lattice. Go numbers are weak: they take the type of the arrays they meet, unless these are of a lesser kind.
// It reports a DTypeError where there is no common type, as for two different f8 types or a key with anything else.
func Promote(avals ...Aval) (d DType, weak bool, err error) {
	if len(avals) == 0 {
		return Invalid, false, ArgumentErrorf("promotion of no operands")
	}
	d, same, allWeak := avals[0].DType, true, true
	for _, a := range avals {
		same = same && a.DType == d
		allWeak = allWeak && a.Weak
	}
	switch {
	case len(avals) == 1:
		return d, avals[0].Weak, nil
	case same:
		return d, allWeak && d != Bool, nil
	}
	var nodes uint64
	common := ^uint64(0)
	for _, a := range avals {
		n := a.DType
		if a.DType >= numDTypes {
			return Invalid, false, noCommonType(avals)
		}
		if a.Weak && !allWeak { // where all are weak, bounds are those of the strong types, weak again at the end
			n = weakNode(a.DType)
		}
		nodes |= 1 << n
		common &= upperBounds[n]
	}
	least := common & nodes
	for n := range numNodes {
		if least == 0 && common>>n&1 == 1 && common&^upperBounds[n] == 0 {
			least = 1 << n
		}
	}
	if least == 0 {
		return Invalid, false, noCommonType(avals)
	}
	d, weak = strongOf(DType(bits.TrailingZeros64(least)))
	return d, (weak || allWeak) && d != Bool, nil
}

// PromoteDTypes is Promote of strong types.
func PromoteDTypes(ds ...DType) (DType, error) {
	avals := make([]Aval, len(ds))
	for i, d := range ds {
		avals[i].DType = d
	}
	d, _, err := Promote(avals...)
	return d, err
}

func weakNode(d DType) DType {
	switch d.Kind() {
	case KindInt, KindUint:
		return weakInt
	case KindFloat:
		return weakFloat
	case KindComplex:
		return weakComplex
	}
	return d
}

func strongOf(n DType) (d DType, weak bool) {
	switch n {
	case weakInt:
		return Int64, true
	case weakFloat:
		return Float64, true
	case weakComplex:
		return Complex128, true
	}
	return n, false
}

func noCommonType(avals []Aval) error {
	names := make([]string, len(avals))
	narrow, keys := false, 0
	for i, a := range avals {
		names[i] = a.DType.String()
		narrow = narrow || a.DType != Bool && a.DType.Bits() < 16
		if a.DType.IsKey() {
			keys++
		}
	}
	hint := "convert one of them with AsType"
	switch {
	case keys == len(avals):
		hint = "keys of different generators do not mix"
	case keys > 0:
		hint = "random keys have no arithmetic: draw numbers from them, or make new keys with random.Split and random.FoldIn"
	case narrow:
		hint = "types of fewer than 8 bits and narrow floats never promote on their own; " + hint
	}
	return DTypeErrorf("%s have no common type; %s", strings.Join(names, " and "), hint)
}
