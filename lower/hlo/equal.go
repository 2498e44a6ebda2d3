package hlo

import (
	"bytes"
	"fmt"
	"slices"
)

// EqualType reports that two types are spelt alike.
func EqualType(a, b Type) bool {
	ta, oka := a.(Tensor)
	tb, okb := b.(Tensor)
	if oka && okb {
		return equalTensor(ta, tb)
	}
	if oka || okb || a == nil || b == nil {
		return a == nil && b == nil
	}
	switch a := a.(type) {
	case Token:
		_, ok := b.(Token)
		return ok
	case Scalar:
		return a == b
	case Opaque:
		return a == b
	case Tuple:
		b, ok := b.(Tuple)
		return ok && slices.EqualFunc(a.Elems, b.Elems, EqualType)
	case Future:
		b, ok := b.(Future)
		return ok && slices.EqualFunc(a.Elems, b.Elems, EqualType)
	case FuncType:
		b, ok := b.(FuncType)
		return ok && slices.EqualFunc(a.In, b.In, EqualType) && slices.EqualFunc(a.Out, b.Out, EqualType)
	}
	return false
}

func equalTensor(a, b Tensor) bool {
	if a.Elem != b.Elem || a.ElemName != b.ElemName || !a.Shape.Equal(b.Shape) {
		return false
	}
	if (a.Quant == nil) != (b.Quant == nil) || a.Quant != nil && a.Quant != b.Quant && !a.Quant.equal(b.Quant) {
		return false
	}
	return a.Encoding == nil && b.Encoding == nil || EqualAttr(a.Encoding, b.Encoding)
}

func (q *Quantized) equal(r *Quantized) bool {
	return q.Storage == r.Storage && q.Expressed == r.Expressed && q.Axis == r.Axis && q.HasRange == r.HasRange &&
		q.Min == r.Min && q.Max == r.Max && slices.Equal(q.Scales, r.Scales) && slices.Equal(q.ZeroPoints, r.ZeroPoints)
}

// EqualAttr reports that two attributes mean the same: they are spelt alike, or are dense constants of one type and value,
// of which one may be a splat.
func EqualAttr(a, b Attr) bool {
	da, ok1 := a.(*Dense)
	db, ok2 := b.(*Dense)
	if ok1 && ok2 {
		return equalTensor(da.Type, db.Type) && equalData(da, db)
	}
	if ok1 || ok2 || a == nil || b == nil {
		return a == nil && b == nil
	}
	return bytes.Equal(appendAttr(nil, a, false), appendAttr(nil, b, false))
}

func equalData(a, b *Dense) bool {
	if a.Splat == b.Splat {
		return bytes.Equal(a.Data.Bytes(), b.Data.Bytes())
	}
	if a.Splat {
		a, b = b, a
	}
	size := len(b.Data.Bytes())
	return isSplat(a.Data) && bytes.Equal(a.Data.Bytes()[:size], b.Data.Bytes())
}

// Equal compares two modules by structure: names of modules and functions, types, attributes, operations, and which value
// each operand is. Names of values and locations do not count. The error says where they first differ.
func Equal(a, b *Module) error {
	if a.Name != b.Name {
		return fmt.Errorf("module @%s against @%s", a.Name, b.Name)
	}
	if err := equalAttrs("module", a.Attrs, b.Attrs); err != nil {
		return err
	}
	if len(a.Funcs) != len(b.Funcs) || len(a.Other) != len(b.Other) || len(a.Nested) != len(b.Nested) {
		return fmt.Errorf("module @%s has %d functions, %d other operations and %d modules, against %d, %d and %d",
			a.Name, len(a.Funcs), len(a.Other), len(a.Nested), len(b.Funcs), len(b.Other), len(b.Nested))
	}
	c := comparison{values: map[*Value]*Value{}}
	for i, op := range a.Other {
		if err := c.op(op, b.Other[i]); err != nil {
			return err
		}
	}
	for i, f := range a.Funcs {
		if err := c.function(f, b.Funcs[i]); err != nil {
			return fmt.Errorf("@%s: %w", f.Name, err)
		}
	}
	for i, m := range a.Nested {
		if err := Equal(m, b.Nested[i]); err != nil {
			return err
		}
	}
	if !slices.EqualFunc(a.Resources, b.Resources, func(x, y Resource) bool { return x.Key == y.Key && bytes.Equal(x.Data, y.Data) }) {
		return fmt.Errorf("the resources differ")
	}
	return nil
}

// equalTypes compares lists of types and says where they first differ.
func equalTypes(what string, a, b []Type) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d %ss against %d", len(a), what, len(b))
	}
	for i := range a {
		if !EqualType(a[i], b[i]) {
			return fmt.Errorf("%s %d is %s against %s", what, i, a[i], b[i])
		}
	}
	return nil
}

func equalAttrs(of string, a, b Attrs) error {
	for _, n := range a {
		w := b.Get(n.Name)
		if w == nil {
			return fmt.Errorf("%s: attribute %s = %s is in one only", of, n.Name, AttrString(n.Value))
		}
		if !EqualAttr(n.Value, w) {
			return fmt.Errorf("%s: attribute %s is %s against %s", of, n.Name, AttrString(n.Value), AttrString(w))
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%s: %d attributes against %d", of, len(a), len(b))
	}
	return nil
}

// comparison maps each value of the first module to its counterpart.
type comparison struct{ values map[*Value]*Value }

func (c *comparison) function(a, b *Func) error {
	if a.Name != b.Name || a.Private != b.Private {
		return fmt.Errorf("function @%s (private %v) against @%s (private %v)", a.Name, a.Private, b.Name, b.Private)
	}
	if err := equalTypes("parameter", a.In, b.In); err != nil {
		return err
	}
	if err := equalTypes("result", a.Out, b.Out); err != nil {
		return err
	}
	if err := equalAttrs("function", a.Attrs, b.Attrs); err != nil {
		return err
	}
	for i := range a.In {
		if err := equalAttrs(fmt.Sprint("parameter ", i), at(a.ArgAttrs, i), at(b.ArgAttrs, i)); err != nil {
			return err
		}
	}
	for i := range a.Out {
		if err := equalAttrs(fmt.Sprint("result ", i), at(a.ResultAttrs, i), at(b.ResultAttrs, i)); err != nil {
			return err
		}
	}
	if (a.Body == nil) != (b.Body == nil) {
		return fmt.Errorf("one of the two is a declaration")
	}
	if a.Body == nil {
		return nil
	}
	return c.region(a.Body, b.Body)
}

func at(a []Attrs, i int) Attrs {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func (c *comparison) region(a, b *Region) error {
	if len(a.Blocks) != len(b.Blocks) {
		return fmt.Errorf("%d blocks against %d", len(a.Blocks), len(b.Blocks))
	}
	for i, x := range a.Blocks {
		y := b.Blocks[i]
		if err := c.define("block argument", x.Args, y.Args); err != nil {
			return err
		}
		if len(x.Ops) != len(y.Ops) {
			return fmt.Errorf("%d operations against %d", len(x.Ops), len(y.Ops))
		}
		for j, op := range x.Ops {
			if err := c.op(op, y.Ops[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// define pairs the values that two places define.
func (c *comparison) define(what string, a, b []*Value) error {
	if err := equalTypes(what, typesOf(a), typesOf(b)); err != nil {
		return err
	}
	for i, v := range a {
		c.values[v] = b[i]
	}
	return nil
}

func (c *comparison) op(a, b *Op) error {
	if a.Name != b.Name {
		return fmt.Errorf("%s against %s", a.Name, b.Name)
	}
	if len(a.Operands) != len(b.Operands) {
		return fmt.Errorf("%s: %d operands against %d", a.Name, len(a.Operands), len(b.Operands))
	}
	for i, v := range a.Operands {
		if w := b.Operands[i]; c.values[v] != w {
			return fmt.Errorf("%s: operand %d is another value", a.Name, i)
		}
	}
	if err := equalAttrs(a.Name, a.Attrs, b.Attrs); err != nil {
		return err
	}
	if len(a.Regions) != len(b.Regions) {
		return fmt.Errorf("%s: %d regions against %d", a.Name, len(a.Regions), len(b.Regions))
	}
	for i, r := range a.Regions {
		if err := c.region(r, b.Regions[i]); err != nil {
			return fmt.Errorf("%s: region %d: %w", a.Name, i, err)
		}
	}
	if err := c.define("result", a.Results, b.Results); err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	return nil
}
