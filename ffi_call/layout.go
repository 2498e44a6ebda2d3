package ffi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Layout is a memory order as an object, the counterpart of the reference's Layout (formerly DeviceLocalLayout). A list
// of ints in its place is major to minor in a Spec and minor to major in a Lowering; a Layout is major to minor in both.
type Layout struct {
	MajorToMinor []int
	Tiling       [][]int // refused where it is not empty: custom calls have no tiled operands
}

// order reads one entry of a list of layouts as minor to major. rank is the number of dimensions, those of a key's words
// among them.
func order(entry any, rank int, intsAreMajorToMinor bool) ([]int, error) {
	minorToMajor := make([]int, rank)
	for k := range minorToMajor {
		minorToMajor[k] = rank - 1 - k
	}
	var given []int
	switch l := entry.(type) {
	case nil:
		return minorToMajor, nil
	case []int:
		if l == nil {
			return minorToMajor, nil
		}
		given = slices.Clone(l)
		if intsAreMajorToMinor {
			slices.Reverse(given)
		}
	case Layout:
		if len(l.Tiling) > 0 {
			return nil, array.ArgumentErrorf("has the tiling %v; a custom call takes no tiled layouts", l.Tiling)
		}
		given = slices.Clone(l.MajorToMinor)
		slices.Reverse(given)
	default:
		return nil, array.ArgumentErrorf("is a %T; it should be nil, []int or ffi.Layout", entry)
	}
	sorted := slices.Sorted(slices.Values(given))
	slices.Reverse(sorted)
	if !slices.Equal(sorted, minorToMajor) {
		return nil, array.ArgumentErrorf("%v is no permutation of the %d dimensions", entryInts(entry), rank)
	}
	return given, nil
}

// entryInts is the order as the user wrote it.
func entryInts(entry any) []int {
	if l, ok := entry.(Layout); ok {
		return l.MajorToMinor
	}
	l, _ := entry.([]int)
	return l
}

// resolve makes the layouts of a Spec explicit.
func resolve(what string, given []any, avals []array.Aval) (Layouts, error) {
	types := make([]hlo.Type, len(avals))
	for i, a := range avals {
		types[i] = hlo.TypeOf(a)
	}
	list, err := orders(what, given, types, true)
	return makeLayouts(list), err
}

func orders(what string, given []any, types []hlo.Type, intsAreMajorToMinor bool) ([][]int, error) {
	if given != nil && len(given) != len(types) {
		return nil, array.ArgumentErrorf("%d layouts are given for %d %ss", len(given), len(types), what)
	}
	list := make([][]int, len(types))
	for i, t := range types {
		rank, entry := 0, any(nil)
		if tensor, ok := t.(hlo.Tensor); ok {
			rank = len(tensor.Shape)
		}
		if given != nil {
			entry = given[i]
		}
		var err error
		if list[i], err = order(entry, rank, intsAreMajorToMinor); err != nil {
			return nil, fmt.Errorf("the layout of %s %d (%s): %w", what, i, t, err)
		}
	}
	return list, nil
}

// Layouts is a comparable list of memory orders, each minor to major, one for each operand or result.
type Layouts struct{ s string } // each is its length and its entries, a byte each

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
	out := [][]int{}
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
	var parts []string
	for _, m := range l.slices() {
		parts = append(parts, array.MakeInts(m...).String())
	}
	return tuple(parts)
}

func layoutAttr(list [][]int) hlo.Attr {
	out := hlo.Array{}
	for _, m := range list {
		out = append(out, integers(m, "index"))
	}
	return out
}

// integers is dense<…> : tensor<nxT> of 64-bit integers, T being i64 or index.
func integers(m []int, elem string) hlo.Attr {
	b := array.NewBuffer(array.Int64, array.Shape{len(m)})
	for i, d := range m {
		b.SetInt(i, int64(d))
	}
	t := hlo.Tensor{Shape: b.Shape(), Elem: array.Int64}
	if elem == "index" {
		t.ElemName = elem
	}
	return &hlo.Dense{Type: t, Data: b}
}
