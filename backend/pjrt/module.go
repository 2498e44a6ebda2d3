package pjrt

import (
	"context"
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/lapack"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// prepared is a module made ready for the plugin.
type prepared struct {
	module  *hlo.Module // a copy where something had to be changed
	params  []param
	results []param
	donate  []bool             // by parameter
	sites   []*site            // the calls of Go functions, by the number in their attribute
	others  map[string]*hlo.Op // targets left to the plugin, and a call of each
	foreign bool               // there are custom calls at all
}

// param is the type of a parameter or result of main.
type param struct {
	aval         array.Aval
	minorToMajor []int // nil for row-major
}

// prepare checks main and makes a copy of the module in which donated parameters are marked and the custom calls that
// have a Go handler call the one target under which this package is registered. The given module is not changed; what
// stays the same is shared.
func (b *Backend) prepare(ctx context.Context, m *hlo.Module, opts backend.Options) (p *prepared, err error) {
	main := m.Func("main")
	if main == nil || main.Body == nil {
		return nil, array.ArgumentErrorf("the module %s has no function main", m.Name)
	}
	p = &prepared{donate: make([]bool, len(main.In))}
	if p.params, err = b.types("argument", main.In, main.ArgAttrs); err != nil {
		return nil, err
	}
	if p.results, err = b.types("result", main.Out, main.ResultAttrs); err != nil {
		return nil, err
	}
	c := *m
	c.Funcs = slices.Clone(m.Funcs)
	r := rewriter{ctx: ctx, backend: b, handlers: opts.Handlers, known: map[string]int{}, others: map[string]*hlo.Op{}}
	defer func() {
		if err != nil {
			closeSites(r.sites)
		}
	}()
	for i, f := range c.Funcs {
		body, err := r.region(f.Body)
		if err != nil {
			return nil, err
		}
		if body != f.Body {
			g := *f
			g.Body = body
			c.Funcs[i] = &g
		}
	}
	p.sites, p.others = r.sites, r.others
	p.foreign = len(r.sites)+len(r.others) > 0
	if len(opts.Donate) > 0 {
		if err := p.markDonated(&c, opts.Donate); err != nil {
			return nil, err
		}
	}
	for i, f := range c.Funcs { // a program may have marked its parameters itself
		if f.Name != "main" {
			continue
		}
		for k := range f.ArgAttrs {
			if a := c.Funcs[i].ArgAttrs[k]; a.Get("jax.buffer_donor") != nil || a.Get("tf.aliasing_output") != nil {
				p.donate[k] = true
			}
		}
	}
	p.module = orderEffects(&c)
	return p, nil
}

// types reads the types of main's parameters or results.
func (b *Backend) types(what string, types []hlo.Type, attrs []hlo.Attrs) ([]param, error) {
	out := make([]param, len(types))
	for i, t := range types {
		tensor, ok := t.(hlo.Tensor)
		if !ok || !tensor.IsStatic() || tensor.Quant != nil || elementType(tensor.Elem) == 0 {
			return nil, &backend.Unsupported{Feature: fmt.Sprintf("%s: %s %d of main of type %s", b.name, what, i, t)}
		}
		out[i].aval = tensor.Aval()
		if attrs == nil {
			continue
		}
		if mode, ok := attrs[i].Get("mhlo.layout_mode").(hlo.String); ok && mode.Value != "default" {
			order, err := parseLayout(mode.Value, len(tensor.Shape))
			if err != nil {
				return nil, fmt.Errorf("%s %d of main: %w", what, i, err)
			}
			out[i].minorToMajor = order
		}
	}
	return out, nil
}

// markDonated copies main with the attribute by which XLA takes a parameter's memory for any result that fits.
func (p *prepared) markDonated(m *hlo.Module, donate []int) error {
	i := slices.IndexFunc(m.Funcs, func(f *hlo.Func) bool { return f.Name == "main" })
	f := *m.Funcs[i]
	attrs := make([]hlo.Attrs, len(f.In))
	copy(attrs, f.ArgAttrs)
	for _, k := range donate {
		if k < 0 || k >= len(f.In) {
			return array.ArgumentErrorf("argument %d is to be donated, but main has %d", k, len(f.In))
		}
		if attrs[k].Get("tf.aliasing_output") == nil {
			attrs[k] = attrs[k].Set("jax.buffer_donor", hlo.Bool(true))
		}
	}
	f.ArgAttrs = attrs
	m.Funcs[i] = &f
	return nil
}

// rewriter copies the regions in which a custom call with a Go handler stands. Values are shared between the copy and
// the original: only the printer reads the copy, and it goes by the values' identity.
type rewriter struct {
	ctx      context.Context
	backend  *Backend
	handlers backend.Handlers
	sites    []*site
	known    map[string]int // equal calls without effect share a number, so that XLA may merge them
	others   map[string]*hlo.Op
}

// region returns r itself where nothing in it changes.
func (w *rewriter) region(r *hlo.Region) (*hlo.Region, error) {
	if r == nil {
		return nil, nil
	}
	var out *hlo.Region
	for i, blk := range r.Blocks {
		for k, op := range blk.Ops {
			changed, err := w.op(op)
			if err != nil {
				return nil, err
			}
			if changed == op {
				continue
			}
			if out == nil {
				out = &hlo.Region{Blocks: slices.Clone(r.Blocks)}
			}
			if out.Blocks[i] == blk {
				out.Blocks[i] = &hlo.Block{Args: blk.Args, Ops: slices.Clone(blk.Ops)}
			}
			out.Blocks[i].Ops[k] = changed
		}
	}
	if out == nil {
		return r, nil
	}
	return out, nil
}

// narrowSafe is the API version from which programs on types narrower than a byte are known to be safe: 0.81 ends the
// process while it compiles a transpose of them.
const narrowSafe = 106

func (w *rewriter) op(op *hlo.Op) (*hlo.Op, error) {
	if p := w.backend.plugin; p.minor < narrowSafe {
		for _, r := range op.Results {
			if t, ok := r.Type.(hlo.Tensor); ok && t.Elem.Bits() > 0 && t.Elem.Bits() < 8 && t.Elem != array.Bool {
				return nil, located(op, &backend.Unsupported{Feature: fmt.Sprintf("%s: %s in a plugin of API %s", w.backend.name, t.Elem, p.version())})
			}
		}
	}
	switch {
	case op.Name == "stablehlo.custom_call":
		return w.call(op)
	case op.Name == "stablehlo.add" && op.Results[0].Tensor().Elem == array.Bool && op.Results[0].Tensor().ElemName == "":
		c := *op // the sum of two truths is true; XLA would make it false
		c.Name = "stablehlo.or"
		return &c, nil
	}
	var regions []*hlo.Region
	for i, r := range op.Regions {
		changed, err := w.region(r)
		if err != nil {
			return nil, err
		}
		if changed == r {
			continue
		}
		if regions == nil {
			regions = slices.Clone(op.Regions)
		}
		regions[i] = changed
	}
	if regions == nil {
		return op, nil
	}
	c := *op
	c.Regions = regions
	return &c, nil
}

// call directs a custom call that has a Go handler to this package; others are left to the plugin.
func (w *rewriter) call(op *hlo.Op) (*hlo.Op, error) {
	target, _ := op.Attr("call_target_name").(hlo.String)
	s := backend.CallSite{Target: target.Value, APIVersion: 1, Operands: siteAvals(op.Operands), Results: siteAvals(op.Results), Loc: op.Loc}
	if v, ok := op.Attr("api_version").(hlo.Int); ok {
		s.APIVersion = int(v.Value)
	}
	switch c := op.Attr("backend_config").(type) {
	case hlo.Dict:
		s.Attrs = hlo.Attrs(c)
	case hlo.String:
		s.Opaque = c.Value
	}
	if d, ok := op.Attr("mhlo.backend_config").(hlo.Dict); ok { // the older way to write a call of version 4
		s.Attrs, s.APIVersion = hlo.Attrs(d), 4
	}
	var h backend.Handler
	found := false
	if w.handlers != nil {
		h, found = w.handlers.Handler(s.Target, w.backend.platform, s.APIVersion)
	}
	if !found { // the plugins come without the reference's routines of LAPACK
		h, found = lapack.Handlers.Handler(s.Target, w.backend.platform, s.APIVersion)
	}
	if !found {
		w.others[s.Target] = op
		return op, nil
	}
	if n, ok := h.(backend.Native); ok && w.backend.platform != "cpu" {
		w.others[s.Target] = op
		return op, located(op, w.backend.plugin.registerNative(s.Target, w.backend.platform, n))
	}
	if w.backend.platform != "cpu" {
		return nil, located(op, &backend.Unsupported{Feature: fmt.Sprintf("%s: the Go handler of %q, whose operands would be in the device's memory", w.backend.name, s.Target)})
	}
	key := fmt.Sprintf("%q %d %q %s %v %v", s.Target, s.APIVersion, s.Opaque, hlo.AttrString(hlo.Dict(s.Attrs)), s.Operands, s.Results)
	n, known := w.known[key]
	if !known || op.Attr("has_side_effect") == hlo.Bool(true) {
		site, err := newSite(w.ctx, op, s, h)
		if err != nil {
			return nil, err
		}
		n = len(w.sites)
		w.known[key] = n
		w.sites = append(w.sites, site)
	}
	c := *op
	c.Attrs = op.Attrs.Set("mhlo.backend_config", nil).
		Set("call_target_name", hlo.Str(goTarget)).
		Set("api_version", hlo.I32(4)).
		Set("backend_config", hlo.Dict{{Name: siteAttr, Value: hlo.I64(n)}})
	c.Attrs = rowMajorDefault(c.Attrs, "operand_layouts", len(op.Operands), func(i int) hlo.Type { return op.Operands[i].Type })
	c.Attrs = rowMajorDefault(c.Attrs, "result_layouts", len(op.Results), func(i int) hlo.Type { return op.Results[i].Type })
	return &c, nil
}

// rowMajorDefault writes out the layouts of a call that names none: XLA is free to choose then.
func rowMajorDefault(a hlo.Attrs, name string, n int, typeOf func(int) hlo.Type) hlo.Attrs {
	if a.Get(name) != nil {
		return a
	}
	list := make(hlo.Array, n)
	for i := range list {
		t, _ := typeOf(i).(hlo.Tensor)
		list[i] = rowMajorLayout(len(t.Shape))
	}
	return a.Set(name, list)
}

// rowMajorLayout is the layout of a rank whose last axis is the fastest.
func rowMajorLayout(rank int) hlo.Attr {
	order := array.NewBuffer(array.Int64, array.Shape{rank})
	for k := range rank {
		array.View[int64](order)[k] = int64(rank - 1 - k)
	}
	return &hlo.Dense{Type: hlo.Tensor{Shape: array.Shape{rank}, Elem: array.Int64, ElemName: "index"}, Data: order}
}
