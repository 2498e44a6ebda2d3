package ffi

import (
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Layouts is a comparable list of memory orders, each minor to major, one for each operand or result.
type Layouts struct{ s string } // each is its length and its entries, a byte each

// resolve makes layouts explicit: given is major to minor, nil or with nil entries where row-major is meant.
func resolve(what, plural string, given [][]int, avals []array.Aval) (Layouts, error) {
	if given != nil && len(given) != len(avals) {
		return Layouts{}, array.ArgumentErrorf("%d layouts are given for %d %s", len(given), len(avals), plural)
	}
	list := make([][]int, len(avals))
	for i, a := range avals {
		majorToMinor := make([]int, len(a.Shape))
		for k := range majorToMinor {
			majorToMinor[k] = k
		}
		if given != nil && given[i] != nil {
			if sorted := slices.Sorted(slices.Values(given[i])); !slices.Equal(sorted, majorToMinor) {
				return Layouts{}, array.ArgumentErrorf("the layout %v of %s %d (%s) is no permutation of its %d dimensions", given[i], what, i, a, len(a.Shape))
			}
			majorToMinor = slices.Clone(given[i])
		}
		slices.Reverse(majorToMinor)
		list[i] = majorToMinor
	}
	return makeLayouts(list), nil
}

func makeLayouts(list [][]int) Layouts {
	var b strings.Builder
	for _, l := range list {
		b.WriteByte(byte(len(l)))
		for _, d := range l {
			b.WriteByte(byte(d))
		}
	}
	return Layouts{b.String()}
}

func (l Layouts) slices() [][]int {
	var out [][]int
	for s := l.s; s != ""; {
		n := int(s[0])
		m := make([]int, n)
		for i := range m {
			m[i] = int(s[1+i])
		}
		out = append(out, m)
		s = s[1+n:]
	}
	return out
}

// Len is the number of layouts.
func (l Layouts) Len() int { return len(l.slices()) }

// At is layout i, minor to major.
func (l Layouts) At(i int) array.Ints { return array.MakeInts(l.slices()[i]...) }

// batched returns the list with a new slowest dimension in front of layout i.
func (l Layouts) batched(i int) Layouts {
	list := l.slices()
	for k := range list[i] {
		list[i][k]++
	}
	list[i] = append(list[i], 0)
	return makeLayouts(list)
}

// String prints as the reference prints the parameter.
func (l Layouts) String() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, m := range l.slices() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(array.MakeInts(m...).String())
	}
	if l.Len() == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}

// attr is the attribute of the op. Operands of a key type have the dimensions of the key's words behind their own.
func (l Layouts) attr(in []*hlo.Value) hlo.Attr {
	list := hlo.Array{}
	for i, m := range l.slices() {
		if in != nil {
			for k := len(m); k < len(in[i].Tensor().Shape); k++ {
				m = slices.Insert(m, 0, k)
			}
		}
		list = append(list, indexTensor(m))
	}
	return list
}

func indexTensor(m []int) hlo.Attr {
	b := array.NewBuffer(array.Int64, array.Shape{len(m)})
	for i, d := range m {
		b.SetInt(i, int64(d))
	}
	return &hlo.Dense{Type: hlo.Tensor{Shape: b.Shape(), Elem: array.Int64, ElemName: "index"}, Data: b}
}
