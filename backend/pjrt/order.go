package pjrt

import (
	"slices"

	"github.com/pantograph-go/pantograph/lower/hlo"
)

// orderEffects returns a copy of the module in which the calls of Go functions with a side effect happen in the order of
// the text, one after the other: XLA runs what does not depend on each other in any order, while the program's other
// engine goes by the text. A token runs through the calls and through all that holds one: loops carry it, branches yield
// it, functions take and return it. The token is the last operand and the last result everywhere, so that the numbers of
// the others stay. A module without such calls is returned as it is.
func orderEffects(m *hlo.Module) *hlo.Module {
	o := orderer{module: m, functions: map[string]bool{}}
	if main := m.Func("main"); main == nil || !o.inFunction(main) {
		return m
	}
	c := *m
	c.Funcs = slices.Clone(m.Funcs)
	for i, f := range c.Funcs {
		if o.inFunction(f) {
			c.Funcs[i] = o.function(f)
		}
	}
	return &c
}

type orderer struct {
	module    *hlo.Module
	functions map[string]bool // whether a function holds such a call, as far as that is known
}

func (o *orderer) inFunction(f *hlo.Func) bool {
	known, ok := o.functions[f.Name]
	if !ok && f.Body != nil {
		o.functions[f.Name] = false // functions do not call themselves
		known = o.inRegion(f.Body)
		o.functions[f.Name] = known
	}
	return known
}

func (o *orderer) inRegion(r *hlo.Region) bool {
	return slices.ContainsFunc(r.Blocks, func(b *hlo.Block) bool { return slices.ContainsFunc(b.Ops, o.inOp) })
}

func (o *orderer) inOp(op *hlo.Op) bool {
	switch op.Name {
	case "stablehlo.custom_call":
		return op.Attr("call_target_name") == hlo.Str(goTarget) && op.Attr("has_side_effect") == hlo.Bool(true)
	case "func.call":
		callee, ok := op.Attr("callee").(hlo.Symbol)
		if !ok || len(callee.Path) != 1 {
			return false
		}
		f := o.module.Func(callee.Path[0])
		return f != nil && o.inFunction(f)
	case "stablehlo.while", "stablehlo.case", "stablehlo.if":
		return slices.ContainsFunc(op.Regions, o.inRegion)
	}
	return false
}

// function gives a function a token to take and return; main makes its own.
func (o *orderer) function(f *hlo.Func) *hlo.Func {
	c := *f
	from := f.Body.Block()
	to := &hlo.Block{Args: from.Args}
	main := f.Name == "main"
	var token *hlo.Value
	if main {
		start := withToken(&hlo.Op{Name: "stablehlo.after_all"}, nil)
		token = start.Results[0]
		to.Ops = append(to.Ops, start)
	} else {
		token = &hlo.Value{Type: hlo.Token{}, Num: len(from.Args)}
		to.Args = append(slices.Clip(from.Args), token)
		c.In = append(slices.Clip(f.In), hlo.Token{})
		c.Out = append(slices.Clip(f.Out), hlo.Token{})
		if f.ArgAttrs != nil {
			c.ArgAttrs = append(slices.Clip(f.ArgAttrs), nil)
		}
		if f.ResultAttrs != nil {
			c.ResultAttrs = append(slices.Clip(f.ResultAttrs), nil)
		}
	}
	o.ops(to, from.Ops, token, !main)
	c.Body = &hlo.Region{Blocks: []*hlo.Block{to}}
	return &c
}

// ops appends a block's operations to another one, the token running through them; yield gives the last token to the
// terminator.
func (o *orderer) ops(to *hlo.Block, ops []*hlo.Op, token *hlo.Value, yield bool) {
	last := len(ops) - 1
	for _, op := range ops[:last] {
		if o.inOp(op) {
			op = o.op(op, token)
			token = op.Results[len(op.Results)-1]
		}
		to.Ops = append(to.Ops, op)
	}
	terminator := ops[last]
	if yield {
		c := *terminator
		c.Operands = append(slices.Clip(c.Operands), token)
		terminator = &c
	}
	to.Ops = append(to.Ops, terminator)
}

// op returns a copy of an operation through which the token runs.
func (o *orderer) op(op *hlo.Op, token *hlo.Value) *hlo.Op {
	switch op.Name {
	case "stablehlo.while":
		c := withToken(op, token)
		cond, body := op.Regions[0], op.Regions[1]
		c.Regions = []*hlo.Region{o.carried(cond, false), o.carried(body, true)}
		return c
	case "stablehlo.case", "stablehlo.if":
		c := withToken(op, nil)
		c.Regions = make([]*hlo.Region, len(op.Regions))
		for i, r := range op.Regions {
			to := &hlo.Block{}
			o.ops(to, r.Block().Ops, token, true)
			c.Regions[i] = &hlo.Region{Blocks: []*hlo.Block{to}}
		}
		return c
	case "stablehlo.custom_call":
		c := withToken(op, token)
		for _, name := range []string{"operand_layouts", "result_layouts"} { // a token's is empty
			list := slices.Clone(c.Attr(name).(hlo.Array))
			c.Attrs = c.Attrs.Set(name, append(list, rowMajorLayout(0)))
		}
		if aliases, ok := c.Attr("output_operand_aliases").(hlo.Array); ok && len(op.Results) == 1 {
			list := slices.Clone(aliases)
			for i, a := range list { // the only result becomes the first of two
				alias := a.(hlo.OutputAlias)
				alias.OutputTuple = []int{0}
				list[i] = alias
			}
			c.Attrs = c.Attrs.Set("output_operand_aliases", list)
		}
		return c
	}
	return withToken(op, token) // func.call
}

// carried is a region of a loop whose block takes the token as one more argument.
func (o *orderer) carried(r *hlo.Region, yield bool) *hlo.Region {
	from := r.Block()
	token := &hlo.Value{Type: hlo.Token{}, Num: len(from.Args)}
	to := &hlo.Block{Args: append(slices.Clip(from.Args), token)}
	o.ops(to, from.Ops, token, yield)
	return &hlo.Region{Blocks: []*hlo.Block{to}}
}

// withToken copies an operation, with the token as its last operand unless that is nil, and with a new token as its last
// result.
func withToken(op *hlo.Op, token *hlo.Value) *hlo.Op {
	c := *op
	if token != nil {
		c.Operands = append(slices.Clip(op.Operands), token)
	}
	c.Results = append(slices.Clip(op.Results), &hlo.Value{Type: hlo.Token{}, Def: &c, Num: len(op.Results)})
	return &c
}
