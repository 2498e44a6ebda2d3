package cpu

import (
	"fmt"

	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Readers of attributes. The verifier has checked kinds and lengths where an op requires an attribute; an absent one
// gives the default that StableHLO states.

// ints reads a list of integers: array<i64: …>, dense<…> : tensor<nxi64> or [1, 2].
func ints(op *hlo.Op, name string) []int { return intList(op.Attr(name)) }

func intList(a hlo.Attr) []int {
	switch a := a.(type) {
	case hlo.DenseArray:
		out := make([]int, len(a.Ints))
		for i, v := range a.Ints {
			out[i] = int(v)
		}
		return out
	case *hlo.Dense:
		out := make([]int, a.Type.Shape.Size())
		for i := range out {
			if a.Splat {
				out[i] = int(a.Data.Int(0))
			} else {
				out[i] = int(a.Data.Int(i))
			}
		}
		return out
	case hlo.Array:
		var out []int
		for _, e := range a {
			switch e := e.(type) {
			case hlo.Int:
				out = append(out, int(e.Value))
			default:
				out = append(out, intList(e)...)
			}
		}
		return out
	case hlo.Int:
		return []int{int(a.Value)}
	}
	return nil
}

// intsOr is ints, or n copies of def where the attribute is absent.
func intsOr(op *hlo.Op, name string, n, def int) []int {
	if op.Attr(name) != nil {
		return ints(op, name)
	}
	out := make([]int, n)
	for i := range out {
		out[i] = def
	}
	return out
}

// num reads an integer.
func num(op *hlo.Op, name string, def int) int {
	switch a := op.Attr(name).(type) {
	case hlo.Int:
		return int(a.Value)
	case *hlo.Dense:
		return int(a.Data.Int(0))
	}
	return def
}

// flag reads a bool.
func flag(op *hlo.Op, name string) bool {
	switch a := op.Attr(name).(type) {
	case hlo.Bool:
		return bool(a)
	case hlo.Unit:
		return true
	case hlo.Int:
		return a.Value != 0
	}
	return false
}

// str reads a string.
func str(op *hlo.Op, name string) string {
	s, _ := op.Attr(name).(hlo.String)
	return s.Value
}

// enum reads an enumerator such as LT.
func enum(op *hlo.Op, name string) string {
	switch a := op.Attr(name).(type) {
	case hlo.Enum:
		return a.Value
	case hlo.String:
		return a.Value
	}
	return ""
}

// symbol reads a reference to a function.
func symbol(op *hlo.Op, name string) string {
	switch a := op.Attr(name).(type) {
	case hlo.Symbol:
		if len(a.Path) > 0 {
			return a.Path[len(a.Path)-1]
		}
	case hlo.String:
		return a.Value
	}
	return ""
}

// pairs reads padding: a list of low and high for each of n dimensions, zeros where absent.
func pairs(op *hlo.Op, name string, n int) (lo, hi []int, err error) {
	lo, hi = make([]int, n), make([]int, n)
	if op.Attr(name) == nil {
		return lo, hi, nil
	}
	flat := ints(op, name)
	if len(flat) != 2*n {
		return nil, nil, fmt.Errorf("%s has %d numbers, needs %d", name, len(flat), 2*n)
	}
	for i := range n {
		lo[i], hi[i] = flat[2*i], flat[2*i+1]
	}
	return lo, hi, nil
}
