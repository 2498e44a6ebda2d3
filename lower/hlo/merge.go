package hlo

import (
	"bytes"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Merge copies the functions of m, and what they refer to, into the builder's module: private, under names that are free
// there, main as name. It returns what main became. m stays as it is.
func (b *Builder) Merge(m *Module, name string) (*Func, error) {
	if m.Func("main") == nil {
		return nil, array.ArgumentErrorf("the module @%s has no function main", m.Name)
	}
	if len(m.Nested) > 0 {
		return nil, array.ArgumentErrorf("the module @%s holds modules, which cannot be merged", m.Name)
	}
	for _, r := range m.Resources {
		i := slices.IndexFunc(b.Module.Resources, func(have Resource) bool { return have.Key == r.Key })
		switch {
		case i < 0:
			b.Module.Resources = append(b.Module.Resources, r)
		case !bytes.Equal(b.Module.Resources[i].Data, r.Data):
			return nil, array.ArgumentErrorf("both modules have a resource %s", r.Key)
		}
	}
	for _, op := range m.Other {
		if err := b.mergeOther(op); err != nil {
			return nil, err
		}
	}
	c := cloner{names: map[string]string{}, values: map[*Value]*Value{}}
	added := make([]*Func, len(m.Funcs))
	for i, f := range m.Funcs {
		as := f.Name
		if as == "main" {
			as = name
		}
		g := *f
		g.Name, g.Private = b.unique(as), true
		g.Attrs = g.Attrs.Set("sym_visibility", nil)
		c.names[f.Name] = g.Name
		added[i] = &g
		b.Module.Funcs = append(b.Module.Funcs, &g)
	}
	var main *Func
	for i, f := range m.Funcs {
		if f.Body != nil {
			added[i].Body = c.region(f.Body)
		}
		if f.Name == "main" {
			main = added[i]
			main.ArgAttrs = nil // who gives memory away is said by the caller
		}
	}
	return main, nil
}

// mergeOther adds an operation beside the functions, such as a mesh, unless there is an equal one.
func (b *Builder) mergeOther(op *Op) error {
	name := op.Attr("sym_name")
	for _, have := range b.Module.Other {
		if name == nil || !EqualAttr(have.Attr("sym_name"), name) {
			continue
		}
		if have.Name != op.Name || equalAttrs(op.Name, have.Attrs, op.Attrs) != nil {
			return array.ArgumentErrorf("both modules have a %s %s, and they differ", op.Name, AttrString(name))
		}
		return nil
	}
	if len(op.Operands)+len(op.Results)+len(op.Regions) > 0 {
		return array.ArgumentErrorf("a module that holds a %s cannot be merged", op.Name)
	}
	b.Module.Other = append(b.Module.Other, op)
	return nil
}

// cloner copies functions under other names.
type cloner struct {
	names  map[string]string
	values map[*Value]*Value
}

func (c *cloner) region(r *Region) *Region {
	out := &Region{Blocks: make([]*Block, len(r.Blocks))}
	for i, blk := range r.Blocks {
		n := &Block{Args: c.define(blk.Args, nil), Ops: make([]*Op, len(blk.Ops))}
		for k, op := range blk.Ops {
			n.Ops[k] = c.op(op)
		}
		out.Blocks[i] = n
	}
	return out
}

func (c *cloner) define(vs []*Value, def *Op) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = &Value{Type: v.Type, Def: def, Num: v.Num}
		c.values[v] = out[i]
	}
	return out
}

func (c *cloner) op(op *Op) *Op {
	out := &Op{Name: op.Name, Attrs: c.attrs(op.Attrs), Loc: op.Loc, Operands: make([]*Value, len(op.Operands))}
	for i, v := range op.Operands {
		out.Operands[i] = c.values[v]
	}
	for _, r := range op.Regions {
		out.Regions = append(out.Regions, c.region(r))
	}
	out.Results = c.define(op.Results, out)
	return out
}

// attrs renames the functions that attributes refer to; attributes without such are shared.
func (c *cloner) attrs(a Attrs) Attrs {
	out := a
	for i, n := range a {
		if v, changed := c.attr(n.Value); changed {
			if &out[0] == &a[0] {
				out = slices.Clone(a)
			}
			out[i].Value = v
		}
	}
	return out
}

func (c *cloner) attr(a Attr) (Attr, bool) {
	switch a := a.(type) {
	case Symbol:
		if to, ok := c.names[a.Path[0]]; ok && len(a.Path) == 1 {
			return Ref(to), true
		}
	case Array:
		out, changed := make(Array, len(a)), false
		for i, x := range a {
			v, did := c.attr(x)
			out[i], changed = v, changed || did
		}
		if changed {
			return out, true
		}
	}
	return a, false
}
