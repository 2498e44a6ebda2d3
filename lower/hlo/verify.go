package hlo

import (
	"fmt"
	"slices"
	"strings"
)

// VerifyError is a violation of the StableHLO specification or of the rules of scope.
//
//	@main: stablehlo.slice: C3: the start 3 is behind the limit 2 in dimension 1 (model.go:41)
type VerifyError struct {
	Func       string // the function that holds the operation, may be empty
	Op         string // the operation, or "func" for a function as a whole
	Constraint string // C1, C2, … as the specification numbers them, or what was broken: operand 0 (lhs), attribute dimension, scope, regions
	Loc        Loc
	Msg        string
}

func (e *VerifyError) Error() string {
	var b strings.Builder
	if e.Func != "" {
		b.WriteString("@" + e.Func + ": ")
	}
	b.WriteString(e.Op + ": " + e.Constraint + ": " + e.Msg)
	switch l := e.Loc; {
	case l.File != "":
		fmt.Fprintf(&b, " (%s:%d)", l.File, l.Line)
	case l.Name != "":
		b.WriteString(" (" + l.Name + ")")
	}
	return b.String()
}

// Verify checks that the module obeys the StableHLO specification: that every value is defined before its use and in
// scope, that operations have the operands, results, attributes and regions they must have, that results have the types
// that follow from operands, and that functions are called as they are declared and not in a circle. The error is a
// *VerifyError; the first violation found is reported. Operations of dialects that the package does not know are checked
// for scope only.
func Verify(m *Module) (err error) {
	c := &checker{forms: forms(), visible: map[*Value]bool{}}
	defer func() {
		if e := recover(); e != nil {
			ve, ok := e.(*VerifyError)
			if !ok {
				panic(e)
			}
			err = ve
		}
	}()
	c.moduleBody(m)
	return nil
}

// checker walks a module. A violation is a panic with a *VerifyError, which Verify recovers.
type checker struct {
	forms   map[string]*opForm
	module  *Module
	funcs   map[string]*Func // of the module
	fn      *Func
	op      *Op // the operation under inspection
	visible map[*Value]bool
	log     []*Value // the visible values, innermost scope last
}

// fail reports a violation by the current operation.
func (c *checker) fail(constraint, format string, args ...any) {
	e := &VerifyError{Op: "func", Constraint: constraint, Msg: fmt.Sprintf(format, args...)}
	if c.fn != nil {
		e.Func, e.Loc = c.fn.Name, c.fn.Loc
	}
	if c.op != nil {
		e.Op, e.Loc = c.op.Name, c.op.Loc
	}
	panic(e)
}

// check reports a violation unless ok.
func (c *checker) check(ok bool, constraint, format string, args ...any) {
	if !ok {
		c.fail(constraint, format, args...)
	}
}

func (c *checker) moduleBody(m *Module) {
	c.module, c.funcs = m, make(map[string]*Func, len(m.Funcs))
	for _, f := range m.Funcs {
		c.fn = f
		c.check(c.funcs[f.Name] == nil, "symbol", "there are two functions @%s", f.Name)
		c.funcs[f.Name] = f
	}
	c.fn = nil
	c.calls(m)
	for _, op := range m.Other {
		c.operation(op)
	}
	c.op = nil
	for _, f := range m.Funcs {
		c.function(f)
	}
	c.fn = nil
	for _, n := range m.Nested {
		c.moduleBody(n)
	}
}

// calls refuses functions that call themselves, directly or through others: a program of StableHLO always ends its calls.
func (c *checker) calls(m *Module) {
	state := map[*Func]int{} // 1: its calls are being followed, 2: done
	type frame struct {
		f     *Func
		calls []string
	}
	for _, root := range m.Funcs {
		if state[root] != 0 {
			continue
		}
		stack := []frame{{root, callees(root)}}
		state[root] = 1
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.calls) == 0 {
				state[top.f] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			next := c.funcs[top.calls[0]]
			top.calls = top.calls[1:]
			if next == nil {
				continue // the call itself reports it
			}
			if state[next] == 1 {
				c.fn = top.f
				c.fail("symbol", "@%s calls itself through @%s", next.Name, top.f.Name)
			}
			if state[next] == 0 {
				state[next] = 1
				stack = append(stack, frame{next, callees(next)})
			}
		}
	}
}

// callees lists the functions that f calls, each once.
func callees(f *Func) []string {
	var list []string
	seen := map[string]bool{}
	if f.Body == nil {
		return nil
	}
	walk(f.Body, func(op *Op) {
		name := "callee"
		if op.Name == "stablehlo.composite" {
			name = "decomposition"
		} else if op.Name != "func.call" {
			return
		}
		if s, ok := op.Attr(name).(Symbol); ok && len(s.Path) == 1 && !seen[s.Path[0]] {
			seen[s.Path[0]] = true
			list = append(list, s.Path[0])
		}
	})
	return list
}

// walk visits the operations of a region, outer before inner.
func walk(r *Region, visit func(*Op)) {
	for _, b := range r.Blocks {
		for _, op := range b.Ops {
			visit(op)
			for _, inner := range op.Regions {
				walk(inner, visit)
			}
		}
	}
}

func (c *checker) function(f *Func) {
	c.fn, c.op = f, nil
	for _, t := range slices.Concat(f.In, f.Out) {
		c.typ(t)
	}
	if f.Body == nil {
		return
	}
	c.check(len(f.Body.Blocks) == 1, "regions", "the body has %d blocks, not one", len(f.Body.Blocks))
	args := f.Args()
	c.check(len(args) == len(f.In), "symbol", "the body has %d arguments, the function %d parameters", len(args), len(f.In))
	for i, a := range args {
		c.check(EqualType(a.Type, f.In[i]), "symbol", "parameter %d is %s, in the body %s", i, f.In[i], a.Type)
	}
	c.isolated(f.Body, "func.return")
	c.op = nil
	ret := f.Body.Block().Terminator()
	c.op = ret
	c.check(len(ret.Operands) == len(f.Out), "operand", "%d values are returned, the function has %d results",
		len(ret.Operands), len(f.Out))
	for i, v := range ret.Operands {
		c.check(EqualType(v.Type, f.Out[i]), "operand", "result %d is %s, the function says %s", i, v.Type, f.Out[i])
	}
	c.op = nil
}

// isolated checks a region that sees no values from outside.
func (c *checker) isolated(r *Region, terminator string) {
	visible, log := c.visible, c.log
	c.visible, c.log = map[*Value]bool{}, nil
	c.region(r, terminator)
	c.visible, c.log = visible, log
}

// region checks a region's blocks, each of which ends in the terminator; an empty name allows any end.
func (c *checker) region(r *Region, terminator string) {
	parent := c.op
	mark := len(c.log)
	for _, b := range r.Blocks {
		for i, a := range b.Args {
			c.typ(a.Type)
			c.check(a.Def == nil && a.Num == i, "scope", "block argument %d is numbered %d", i, a.Num)
			c.define(a)
		}
		for i, op := range b.Ops {
			c.operation(op)
			if last := i == len(b.Ops)-1; isReturn(op) != last && terminator != "" || last && terminator != "" && op.Name != terminator {
				c.op = op
				c.fail("regions", "a block ends in %s and has no other return", terminator)
			}
		}
		c.op = parent
		c.check(len(b.Ops) > 0 || terminator == "", "regions", "a block ends in %s, this one is empty", terminator)
	}
	for _, v := range c.log[mark:] {
		delete(c.visible, v)
	}
	c.log = c.log[:mark]
}

func isReturn(op *Op) bool { return op.Name == "stablehlo.return" || op.Name == "func.return" }

func (c *checker) define(v *Value) {
	c.check(!c.visible[v], "scope", "a value is defined twice")
	c.visible[v] = true
	c.log = append(c.log, v)
}

func (c *checker) operation(op *Op) {
	c.op = op
	for i, v := range op.Operands {
		c.check(v != nil, "scope", "operand %d is missing", i)
		c.check(c.visible[v], "scope", "operand %d, of type %s, is not defined before its use or is out of scope", i, v.Type)
	}
	form := c.forms[op.Name]
	if form == nil {
		dialect, _, _ := strings.Cut(op.Name, ".")
		c.check(dialect != "stablehlo" && dialect != "chlo" && dialect != "func", "operation", "there is no such operation")
	}
	for i, v := range op.Results {
		c.check(v.Def == op && v.Num == i, "scope", "result %d does not point back to its operation", i)
		c.typ(v.Type)
	}
	if form != nil {
		c.attributes(form)
		c.operands(form)
		c.regionCount(form)
	}
	for _, r := range op.Regions {
		switch {
		case op.Name == "stablehlo.async_start" || op.Name == "chlo.scan" || op.Name == "stablehlo.composite":
			c.isolated(r, "stablehlo.return")
		case form != nil:
			c.region(r, "stablehlo.return")
		default:
			c.region(r, "")
		}
		c.op = op
	}
	if form != nil && form.check != nil {
		form.check(c, op)
	}
	for _, v := range op.Results {
		c.define(v)
	}
}

// regionCount checks the number of regions, each of one block.
func (c *checker) regionCount(f *opForm) {
	n := len(c.op.Regions)
	switch least, many := strings.CutSuffix(f.regions, "*"); {
	case many && least == "1":
		c.check(n >= 1, "regions", "at least one region is needed")
	case many:
	default:
		want := 0
		if f.regions != "" {
			want = int(f.regions[0] - '0')
		}
		c.check(n == want, "regions", "there are %d regions, not %d", n, want)
	}
	for i, r := range c.op.Regions {
		c.check(len(r.Blocks) == 1, "regions", "region %d has %d blocks, not one", i, len(r.Blocks))
	}
}
