package cpu

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/lapack"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// emitCustomCall emits a call of a foreign function that backend.Options.Handlers finds, or of a routine of LAPACK. The
// handler gets the operands where they lie and fills the results where they belong; where the call asks for another order
// of the dimensions in memory, it gets copies in that order.
func emitCustomCall(c *compiler, n *node) (run, error) {
	s := &foreignStep{number: c.sites, site: siteOf(n)}
	var h backend.Handler
	ok := false
	if c.opts.Handlers != nil {
		h, ok = c.opts.Handlers.Handler(s.site.Target, "cpu", s.site.APIVersion)
	}
	if !ok {
		h, ok = lapack.Handlers.Handler(s.site.Target, "cpu", s.site.APIVersion)
	}
	if !ok {
		return nil, &missingTarget{
			&array.TargetError{Msg: "no handler is registered for the custom call target " + s.site.Target + " on cpu"},
			&backend.Unsupported{Feature: "custom_call " + s.site.Target},
		}
	}
	if i, ok := h.(backend.Instantiator); ok {
		instance, err := i.Instantiate(c.ctx, s.site)
		if err != nil {
			return nil, err
		}
		c.instances = append(c.instances, instance)
		h = instance
	}
	o, ok := h.(backend.Overwriter)
	s.handler, s.overwrites = h, ok && o.Overwrites()
	c.sites++

	temps := n.temps
	for i, v := range n.in {
		s.in = append(s.in, passedIn(v, layoutOf(n.op, "operand_layouts", i), &temps))
	}
	for i, v := range n.out {
		s.out = append(s.out, passedIn(v, layoutOf(n.op, "result_layouts", i), &temps))
	}
	s.begins = begins(n)
	return s.run, nil
}

// siteOf describes the call to a handler. A dictionary under the older name makes a call of version 1 a typed one.
func siteOf(n *node) *backend.CallSite {
	s := &backend.CallSite{Target: str(n.op, "call_target_name"), APIVersion: num(n.op, "api_version", 1), Opaque: str(n.op, "backend_config"), Loc: n.op.Loc}
	if d, ok := n.op.Attr("backend_config").(hlo.Dict); ok {
		s.Attrs = hlo.Attrs(d)
	}
	if d, ok := n.op.Attr("mhlo.backend_config").(hlo.Dict); ok && s.APIVersion == 1 {
		s.Attrs, s.APIVersion, s.Opaque = hlo.Attrs(d), 4, ""
	}
	for _, v := range n.in {
		s.Operands = append(s.Operands, array.Aval{Shape: v.shape, DType: v.dtype})
	}
	for _, v := range n.out {
		s.Results = append(s.Results, array.Aval{Shape: v.shape, DType: v.dtype})
	}
	return s
}

// foreignStep is a custom call as it is executed.
type foreignStep struct {
	number     int // of the frame that the handler gets, in frame.calls
	site       *backend.CallSite
	handler    backend.Handler
	in, out    []passed
	begins     []int // by result: the operand it begins as, or -1
	overwrites bool  // the handler writes all of its results
}

// passed is an operand or a result as the handler sees it: the memory of the value or, where the handler wants another
// order, temporary memory.
type passed struct {
	value, lies ref
	size        int      // bytes
	to, back    *strided // from the engine's order to the handler's and back, nil where they are one
	copy        rawCopy
}

func passedIn(v *value, minorToMajor []int, temps *[]*value) passed {
	p := passed{value: v.ref(), lies: v.ref(), size: v.size()}
	if rowMajor(minorToMajor, v.shape) {
		return p
	}
	p.lies, *temps = ref{(*temps)[0].ref().slot, v.n}, (*temps)[1:]
	dense, turned, step := v.shape.Strides(), make([]int, len(v.shape)), 1
	for _, a := range minorToMajor {
		turned[a] = step
		step *= v.shape[a]
	}
	p.to = (&strided{sizes: v.shape, dst: turned, src: dense}).simplify()
	p.back = (&strided{sizes: v.shape, dst: dense, src: turned}).simplify()
	p.copy = rawCopyOf(v.dtype)
	return p
}

// run calls the handler.
func (s *foreignStep) run(f *frame) error {
	c := f.calls[s.number]
	if c == nil {
		c = s.frame(f)
		f.calls[s.number] = c
	}
	for i := range s.in {
		p := &s.in[i]
		if p.to != nil {
			p.copy(f.mem[p.lies.slot], f.mem[p.value.slot], p.lies.n, p.value.n, p.to, 0, 0)
		}
		array.Rebind(c.Operands[i], f.bytes(p.lies, p.size))
	}
	for i := range s.out {
		p := &s.out[i]
		m := f.bytes(p.lies, p.size)
		switch from := s.begins[i]; {
		case from >= 0:
			if src := &s.in[from]; f.mem[src.lies.slot] != f.mem[p.lies.slot] {
				copy(m, f.bytes(src.lies, src.size))
			}
		case !s.overwrites:
			clear(m)
		}
		array.Rebind(c.Results[i], m)
	}
	if err := s.handler.Call(f.ctx, c); err != nil {
		return err
	}
	for i := range s.out {
		if p := &s.out[i]; p.back != nil {
			p.copy(f.mem[p.value.slot], f.mem[p.lies.slot], p.value.n, p.lies.n, p.back, 0, 0)
		}
	}
	return nil
}

// frame makes what the handler gets in the executions of f; memory is lent to it for each call.
func (s *foreignStep) frame(f *frame) *backend.CallFrame {
	c := &backend.CallFrame{CallSite: s.site, Run: &f.current}
	for _, a := range s.site.Operands {
		c.Operands = append(c.Operands, array.Borrowed(a.DType, a.Shape))
	}
	for _, a := range s.site.Results {
		c.Results = append(c.Results, array.Borrowed(a.DType, a.Shape))
	}
	return c
}

// layoutOf is layout i of an attribute, minor to major; nil where the call names none.
func layoutOf(op *hlo.Op, name string, i int) []int {
	list, _ := op.Attr(name).(hlo.Array)
	if i >= len(list) {
		return nil
	}
	return intList(list[i])
}

// rowMajor reports that a layout is the engine's own order: its dimensions of more than one element count down.
func rowMajor(minorToMajor []int, shape array.Shape) bool {
	last := len(shape)
	for _, a := range minorToMajor {
		if shape[a] == 1 {
			continue
		}
		if a > last {
			return shape.Size() == 0
		}
		last = a
	}
	return true
}

// begins gives for each result of a custom call the operand it begins as, or -1. Of several operands for one result the
// first counts.
func begins(n *node) []int {
	out := make([]int, len(n.out))
	for r := range out {
		out[r] = -1
	}
	list, _ := n.op.Attr("output_operand_aliases").(hlo.Array)
	for _, a := range list {
		alias, ok := a.(hlo.OutputAlias)
		if !ok || len(alias.OutputTuple) > 1 || len(alias.OperandTuple) > 0 {
			continue
		}
		r := 0
		if len(alias.OutputTuple) == 1 {
			r = alias.OutputTuple[0]
		}
		if r < len(out) && out[r] < 0 && alias.Operand < len(n.in) && n.in[alias.Operand].size() == n.out[r].size() {
			out[r] = alias.Operand
		}
	}
	return out
}

// customCallOver lets a result take over the memory of the operand that it begins as.
func customCallOver(n *node) []int {
	out := begins(n)
	for r, v := range n.out {
		if !rowMajor(layoutOf(n.op, "result_layouts", r), v.shape) {
			out[r] = -1
		}
	}
	return out
}

// customCallTemps asks for room for each operand and result that the handler wants in another order.
func customCallTemps(_ *compiler, n *node) (bytes []int, err error) {
	for i, v := range n.in {
		if !rowMajor(layoutOf(n.op, "operand_layouts", i), v.shape) {
			bytes = append(bytes, v.size())
		}
	}
	for i, v := range n.out {
		if !rowMajor(layoutOf(n.op, "result_layouts", i), v.shape) {
			bytes = append(bytes, v.size())
		}
	}
	return bytes, nil
}

// missingTarget is both a TargetError, for users, and an Unsupported, for those who count what an engine lacks.
type missingTarget struct {
	target  *array.TargetError
	feature *backend.Unsupported
}

func (e *missingTarget) Error() string   { return e.target.Error() }
func (e *missingTarget) Unwrap() []error { return []error{e.target, e.feature} }
