package hlo

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Compatibility and inference of types. A size may be known, unknown, or unknown with a bound; two sizes are compatible
// when nothing that is known of them differs.

// bound is the bound of dimension i, Dynamic where it has none.
func (t Tensor) bound(i int) int {
	if b, ok := t.Encoding.(Bounds); ok && i < len(b) {
		return b[i]
	}
	return Dynamic
}

// size is a dimension's size and its bound, each Dynamic where unknown.
type size struct{ n, bound int }

func (t Tensor) size(i int) size { return size{t.Shape[i], t.bound(i)} }

// limit is the largest the size can be, Dynamic where that is unknown.
func (s size) limit() int {
	if s.n >= 0 {
		return s.n
	}
	return s.bound
}

func (t Tensor) sizes() []size {
	s := make([]size, len(t.Shape))
	for i := range s {
		s[i] = t.size(i)
	}
	return s
}

// withSizes is a tensor of t's elements with other sizes.
func (t Tensor) withSizes(sizes []size) Tensor {
	t.Shape, t.Encoding = make(array.Shape, len(sizes)), nil
	bounds, some := make(Bounds, len(sizes)), false
	for i, s := range sizes {
		t.Shape[i] = s.n
		bounds[i] = Dynamic
		if s.n < 0 && s.bound >= 0 {
			bounds[i], some = s.bound, true
		}
	}
	if some {
		t.Encoding = bounds
	}
	return t
}

// withElem is a tensor of t's sizes with the elements of u.
func (t Tensor) withElem(u Tensor) Tensor {
	t.Elem, t.Quant, t.ElemName = u.Elem, u.Quant, u.ElemName
	return t
}

func compatibleSize(a, b int) bool { return a < 0 || b < 0 || a == b }

func compatibleShape(a, b array.Shape) bool { return slices.EqualFunc(a, b, compatibleSize) }

// compatibleElem reports equal element types; two quantized ones may differ in scales and zero points.
func compatibleElem(a, b Tensor) bool {
	p, q := a.Quant, b.Quant
	if p == nil || q == nil {
		return p == q && a.Elem == b.Elem && a.ElemName == b.ElemName
	}
	return p.Storage == q.Storage && p.Min == q.Min && p.Max == q.Max && p.Expressed == q.Expressed && (p.Axis < 0) == (q.Axis < 0)
}

// sameElem reports identical element types.
func sameElem(a, b Tensor) bool {
	return a.Elem == b.Elem && a.ElemName == b.ElemName && (a.Quant == b.Quant || a.Quant != nil && b.Quant != nil && a.Quant.equal(b.Quant))
}

// compatible reports that a value of one type may be meant where the other is written.
func compatible(a, b Type) bool {
	x, ok1 := a.(Tensor)
	y, ok2 := b.(Tensor)
	if !ok1 || !ok2 {
		if u, ok := unrankedElem(a); ok {
			return compatible(u, scalarOrSelf(b))
		}
		if u, ok := unrankedElem(b); ok {
			return compatible(scalarOrSelf(a), u)
		}
		return EqualType(a, b)
	}
	if !compatibleShape(x.Shape, y.Shape) || !compatibleElem(x, y) {
		return false
	}
	for i := range x.Shape {
		if b := y.bound(i); b >= 0 && x.Shape[i] > b {
			return false
		}
		if b := x.bound(i); b >= 0 && y.Shape[i] > b {
			return false
		}
	}
	return true
}

// scalarOrSelf drops the sizes of a tensor, for comparing with an unranked one.
func scalarOrSelf(t Type) Type {
	if x, ok := t.(Tensor); ok {
		return scalarOf(x)
	}
	if u, ok := unrankedElem(t); ok {
		return u
	}
	return t
}

func compatibleTypes(a, b []Type) bool { return slices.EqualFunc(a, b, compatible) }

func typesOf(vs []*Value) []Type {
	ts := make([]Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

// narrowest joins what two sizes tell of one dimension: known beats unknown, the smaller bound holds. ok is false where
// they contradict each other.
func narrowest(a, b size) (s size, ok bool) {
	switch {
	case a.n >= 0 && b.n >= 0:
		return a, a.n == b.n
	case a.n >= 0:
		return a, b.bound < 0 || a.n <= b.bound
	case b.n >= 0:
		return b, a.bound < 0 || b.n <= a.bound
	case a.bound >= 0 && b.bound >= 0:
		return size{Dynamic, min(a.bound, b.bound)}, true
	}
	return size{Dynamic, max(a.bound, b.bound)}, true
}

// widest covers two sizes that a dimension may have: equal ones stay, others become unknown with the larger bound.
func widest(a, b size) size {
	if a.n >= 0 && a.n == b.n {
		return a
	}
	if a.limit() >= 0 && b.limit() >= 0 {
		return size{Dynamic, max(a.limit(), b.limit())}
	}
	return size{Dynamic, Dynamic}
}

// narrowestOf joins the sizes of tensors of one rank.
func narrowestOf(ts []Tensor) (Tensor, bool) {
	sizes := ts[0].sizes()
	for _, t := range ts[1:] {
		for i := range sizes {
			var ok bool
			if sizes[i], ok = narrowest(sizes[i], t.size(i)); !ok {
				return Tensor{}, false
			}
		}
	}
	return ts[0].withSizes(sizes), true
}

// constInts is the value of an integer constant.
func constInts(v *Value) ([]int, bool) {
	if v.Def == nil {
		return nil, false
	}
	d, ok := v.Def.Attr("value").(*Dense)
	if !ok || d.Type.Quant != nil || !d.Type.Elem.IsInteger() {
		return nil, false
	}
	n := d.Type.Shape.Size()
	if n > 1<<16 {
		return nil, false
	}
	out := make([]int, n)
	for i := range out {
		at := i
		if d.Splat {
			at = 0
		}
		out[i] = int(d.Data.Int(at))
	}
	return out, true
}

// What the checks of the families say most often.

func (c *checker) in(i int) Tensor  { return c.op.Operands[i].Tensor() }
func (c *checker) out(i int) Tensor { return c.op.Results[i].Tensor() }

// ints is an attribute array<i64: …>, nil where absent.
func (c *checker) ints(name string) []int {
	list, _ := int64s(c.op.Attr(name))
	if list == nil {
		return nil
	}
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

// int is an integer attribute, or the default.
func (c *checker) int(name string, absent int) int {
	if n, ok := c.op.Attr(name).(Int); ok {
		return int(n.Value)
	}
	return absent
}

func (c *checker) bool(name string) bool {
	b, _ := c.op.Attr(name).(Bool)
	return bool(b)
}

// result checks that result i has the type that follows from the operands.
func (c *checker) result(i int, constraint string, inferred Type) {
	c.check(compatible(inferred, c.op.Results[i].Type), constraint, "result %d is %s, from the operands follows %s",
		i, c.op.Results[i].Type, inferred)
}

// sameShapes checks that operands and results have one shape.
func (c *checker) sameShapes(constraint string) {
	var first Type
	for _, v := range append(slices.Clone(c.op.Operands), c.op.Results...) {
		if _, ranked := v.Type.(Tensor); !ranked {
			continue
		}
		if first == nil {
			first = v.Type
		}
		c.check(compatibleShape(first.(Tensor).Shape, v.Tensor().Shape), constraint,
			"operands and results are to have one shape, here are %s and %s", first, v.Type)
	}
}

// compatibleElems checks that operands and results have compatible elements.
func (c *checker) compatibleElems(constraint string) {
	all := append(slices.Clone(c.op.Operands), c.op.Results...)
	for _, v := range all[1:] {
		a, b := scalarOrSelf(all[0].Type), scalarOrSelf(v.Type)
		c.check(compatible(a, b), constraint, "operands and results are to have one element type, here are %s and %s",
			all[0].Type, v.Type)
	}
}

// sameElems checks that some values have the same elements.
func (c *checker) sameElems(constraint string, vs ...*Value) {
	for _, v := range vs[1:] {
		c.check(sameElem(vs[0].Tensor(), v.Tensor()), constraint, "the element types of %s and %s differ", vs[0].Type, v.Type)
	}
}

// distinct reports the first number that occurs twice.
func distinct(lists ...[]int) (twice int, ok bool) {
	seen := map[int]bool{}
	for _, l := range lists {
		for _, x := range l {
			if seen[x] {
				return x, false
			}
			seen[x] = true
		}
	}
	return 0, true
}

// unique checks that no dimension occurs twice in one or two lists.
func (c *checker) unique(constraint, what string, lists ...[]int) {
	x, ok := distinct(lists...)
	c.check(ok, constraint, "%s name dimension %d twice", what, x)
}

// inRange checks that every element is a dimension of a tensor of the rank.
func (c *checker) inRange(constraint, what string, dims []int, rank int) {
	for _, d := range dims {
		c.check(d >= 0 && d < rank, constraint, "%s: %d is out of the range [0, %d)", what, d, rank)
	}
}

// ascending checks that a list is sorted.
func (c *checker) ascending(constraint, what string, dims []int) {
	c.check(slices.IsSorted(dims), constraint, "%s are to be sorted: %v", what, dims)
}
