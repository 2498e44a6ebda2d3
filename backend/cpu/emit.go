package cpu

import (
	"context"
	"slices"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// compile makes the plan of a module. The phases are described in plan.go.
func compile(ctx context.Context, m *hlo.Module, opts backend.Options) (p *plan, err error) {
	if err := hlo.Verify(m); err != nil { // the families rely on it: a wrong size would be read or written in memory
		return nil, err
	}
	c := newCompiler(ctx, m, opts)
	settings := debug.Current()
	c.tiled = hasTiles() && settings.CPU != "interp"
	defer func() {
		if err != nil {
			closeAll(c.instances)
		}
	}()
	if err := c.build(); err != nil {
		return nil, err
	}
	c.runPasses(settings)
	p = &plan{}
	if err := c.place(p); err != nil {
		return nil, err
	}
	if settings.Dump != "" {
		if err := c.dump(settings.Dump, p); err != nil {
			return nil, err
		}
	}
	if p.steps, err = c.emit(ctx, c.main); err != nil {
		return nil, err
	}
	c.signature(p)
	p.sites, p.instances = c.sites, c.instances
	return p, nil
}

func newCompiler(ctx context.Context, m *hlo.Module, opts backend.Options) *compiler {
	return &compiler{mod: m, opts: opts, ctx: ctx, invariant: map[*value]*value{}, foreign: map[string][]*node{}}
}

// emit turns the nodes of a region into steps.
func (c *compiler) emit(ctx context.Context, r *region) (block, error) {
	b := make(block, 0, len(r.nodes))
	g := group{fusing: c.fusing}
	for _, n := range r.nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, sub := range n.regions {
			inner, err := c.emit(ctx, sub)
			if err != nil {
				return nil, err
			}
			n.blocks = append(n.blocks, inner)
		}
		run, err := n.rule.emit(c, n)
		if err != nil {
			return nil, located(n.op, err)
		}
		s := step{run, n.op}
		if !g.admits(n) {
			b = g.flush(b)
		}
		if g.admits(n) {
			g.add(n, s)
		} else {
			b = append(b, s)
		}
	}
	return g.flush(b), nil
}

// signature records what Execute needs to know of arguments and results.
func (c *compiler) signature(p *plan) {
	written := map[*storage]bool{}
	for _, s := range c.storages {
		if s.in != nil {
			written[s.root()] = true
		}
	}
	for i, v := range c.main.args {
		p.args = append(p.args, param{
			shape: v.shape, dtype: v.dtype, size: v.size(), slot: v.store.slot, from: -1,
			donated: slices.Contains(c.opts.Donate, i), written: written[v.store],
		})
	}
	for _, v := range c.main.results {
		s := v.store.root()
		r := param{shape: v.shape, dtype: v.dtype, size: v.size(), slot: s.slot, from: -1}
		if s.kind == argument {
			r.from = slices.IndexFunc(c.main.args, func(a *value) bool { return a.store == s })
			p.args[r.from].written = true
		}
		p.results = append(p.results, r)
	}
}

// ref is where v is found at run time.
func (v *value) ref() ref {
	if v.uniform {
		return ref{v.store.root().slot, 1}
	}
	return ref{v.store.root().slot, v.n}
}

// same reports that two values lie in the same memory.
func (v *value) same(w *value) bool { return v.store.root() == w.store.root() }
