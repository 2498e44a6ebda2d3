package hlo

import (
	"regexp"
	"slices"
	"strings"
)

// Calls of functions, of composites and of foreign targets.

func callOps() []opSpec {
	const foreign = "fpicqQ/u|buffer|token|tuple|future"
	return []opSpec{
		{name: "func.call", in: "operands*:|any", out: "results*:|any", attrs: "callee:sym no_inline:unit? arg_attrs:any? res_attrs:any?",
			form: "$callee ( %* ) attr-dict : <functional>", check: (*checker).call},
		{name: "func.return", in: "operands*:|any", form: "<return>"},
		{name: "stablehlo.custom_call", in: "inputs*:" + foreign, out: "results*:" + foreign,
			attrs: "call_target_name:str has_side_effect:bool? backend_config:any? api_version:i32? called_computations:array? " +
				"operand_layouts:array? result_layouts:array? output_operand_aliases:array? result_tilings:array?",
			form: "<target> ( %* ) attr-dict : <functional>", check: (*checker).customCall},
		{name: "stablehlo.composite", in: "inputs*:fpicqQ|token|tuple", out: "results*:fpicqQ|token|tuple",
			attrs:   "name:str composite_attributes:dict? decomposition:sym version:i32?",
			regions: "0*", form: "$name %* <composite-regions> attr-dict : <functional>", check: (*checker).composite},
	}
}

// callee finds a function of the module and checks that operands and results are its parameters and results.
func (c *checker) callee(name, find, operands, results string) {
	f := c.funcs[name]
	c.check(f != nil, find, "there is no function @%s", name)
	in, out := typesOf(c.op.Operands), typesOf(c.op.Results)
	c.check(slices.EqualFunc(in, f.In, EqualType), operands, "@%s takes %s, not %s", name, typesText(f.In), typesText(in))
	c.check(slices.EqualFunc(out, f.Out, EqualType), results, "@%s returns %s, not %s", name, typesText(f.Out), typesText(out))
}

func (c *checker) call(o *Op) {
	c.callee(o.Attr("callee").(Symbol).Path[0], "symbol", "operand", "result")
}

// compositeName is a dialect and a name in it.
var compositeName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$`)

func (c *checker) composite(o *Op) {
	name := o.Attr("name").(String).Value
	c.check(compositeName.MatchString(name), "C1", "%q is no name in a namespace, such as my_namespace.my_op", name)
	c.callee(o.Attr("decomposition").(Symbol).Path[0], "C2", "C3", "C4")
}

const typedFFI = 4 // the api_version whose backend_config is a dictionary

func (c *checker) customCall(o *Op) {
	c.layouts(o)
	c.aliases(o)
	switch version := c.int("api_version", 1); config := o.Attr("backend_config").(type) {
	case nil:
	case Dict:
		c.check(version == typedFFI, "attribute backend_config", "with api_version %d it is a string", version)
	case String:
		c.check(version != typedFFI, "attribute backend_config", "with api_version %d it is a dictionary", version)
	default:
		c.fail("attribute backend_config", "it is to be a string or a dictionary, not %s", AttrString(config))
	}
	c.check(c.int("api_version", 1) >= 0 && c.int("api_version", 1) <= typedFFI, "attribute api_version", "it is %d, known are 0 to %d",
		c.int("api_version", 1), typedFFI)
	c.buffers(o)
}

// layouts checks the layouts of operands and results, given for all or none: each a permutation of the dimensions.
func (c *checker) layouts(o *Op) {
	in, ok1 := o.Attr("operand_layouts").(Array)
	out, ok2 := o.Attr("result_layouts").(Array)
	c.check(ok1 == ok2, "attribute operand_layouts", "layouts are given for operands and results or for none")
	if !ok1 {
		return
	}
	results := typesOf(o.Results)
	if len(results) == 1 {
		if t, ok := results[0].(Tuple); ok {
			results = t.Elems
		}
	}
	c.layoutsOf("operand", typesOf(o.Operands), in)
	c.layoutsOf("result", results, out)
}

func (c *checker) layoutsOf(what string, types []Type, layouts Array) {
	constraint := "attribute " + what + "_layouts"
	c.check(len(types) == len(layouts), constraint, "%d layouts for %d %ss", len(layouts), len(types), what)
	for i, a := range layouts {
		d, ok := a.(*Dense)
		c.check(ok && d.Type.ElemName == "index" && len(d.Type.Shape) == 1, constraint, "layout %d is to be a list of indices, not %s", i, AttrString(a))
		_, isTuple := types[i].(Tuple)
		c.check(!isTuple, constraint, "%s %d is a tuple, which has no layout", what, i)
		if t, ok := types[i].(Tensor); ok {
			n := len(t.Shape)
			c.check(d.Type.Shape[0] == n, constraint, "layout %d has %d dimensions, %s has %d", i, d.Type.Shape[0], t, n)
			order := make([]int, n)
			for k := range order {
				at := k
				if d.Splat {
					at = 0
				}
				order[k] = int(d.Data.Int(at))
			}
			c.inRange(constraint, "the layout", order, n)
			c.unique(constraint, "the layout", order)
		} else if _, ranked := unrankedElem(types[i]); !ranked && !isOther(types[i], "buffer") {
			c.check(d.Type.Shape[0] == 0, constraint, "%s %d is %s, which has no layout", what, i, types[i])
		}
	}
}

// part finds a type inside tuples.
func part(t Type, path []int) (Type, bool) {
	for _, i := range path {
		u, ok := t.(Tuple)
		if !ok || i < 0 || i >= len(u.Elems) {
			return nil, false
		}
		t = u.Elems[i]
	}
	return t, true
}

// resultsAsOne is the type that output tuple indices lead into.
func resultsAsOne(o *Op) Type {
	if len(o.Results) == 1 {
		return o.Results[0].Type
	}
	return Tuple{typesOf(o.Results)}
}

func (c *checker) aliases(o *Op) {
	const constraint = "attribute output_operand_aliases"
	list, _ := o.Attr("output_operand_aliases").(Array)
	for _, a := range list {
		alias, ok := a.(OutputAlias)
		c.check(ok, constraint, "an entry is %s", AttrString(a))
		c.check(alias.Operand >= 0 && alias.Operand < len(o.Operands), constraint, "operand %d of %d", alias.Operand, len(o.Operands))
		in, ok := part(o.Operands[alias.Operand].Type, alias.OperandTuple)
		c.check(ok, constraint, "operand_tuple_indices %v are out of bounds", alias.OperandTuple)
		out, ok := part(resultsAsOne(o), alias.OutputTuple)
		c.check(ok, constraint, "output_tuple_indices %v are out of bounds", alias.OutputTuple)
		c.check(EqualType(in, out), constraint, "the operand's part is %s, the result's %s", in, out)
	}
}

// buffers checks the calls that make, pin and unpin buffers, and that elsewhere each buffer of the results is aliased once.
func (c *checker) buffers(o *Op) {
	const constraint = "buffers"
	one := len(o.Operands) == 1 && len(o.Results) == 1
	switch target, _ := o.Attr("call_target_name").(String); target.Value {
	case "CreateBuffer":
		c.check(len(o.Operands) == 0 && len(o.Results) == 1 && isOther(o.Results[0].Type, "buffer"), constraint, "CreateBuffer takes nothing and gives a memref")
		return
	case "Pin":
		c.check(one && isOther(o.Results[0].Type, "buffer") && sameAsBuffer(o.Operands[0].Type, o.Results[0].Type), constraint, "Pin takes a tensor and gives a memref of its type")
		return
	case "Unpin":
		c.check(one && isOther(o.Operands[0].Type, "buffer") && sameAsBuffer(o.Results[0].Type, o.Operands[0].Type), constraint, "Unpin takes a memref and gives a tensor of its type")
		return
	}
	seenIn, seenOut := map[string]bool{}, map[string]bool{}
	list, _ := o.Attr("output_operand_aliases").(Array)
	for _, a := range list {
		alias := a.(OutputAlias)
		if t, _ := part(o.Operands[alias.Operand].Type, alias.OperandTuple); !isOther(t, "buffer") {
			continue
		}
		out := string(appendDims(nil, alias.OutputTuple))
		in := string(appendDims([]byte(sizeText(alias.Operand)), alias.OperandTuple))
		c.check(!seenOut[out], constraint, "the buffer result %s is aliased twice", out)
		c.check(!seenIn[in], constraint, "the buffer operand %s is aliased twice", in)
		seenOut[out], seenIn[in] = true, true
	}
	c.aliased(resultsAsOne(o), nil, seenOut)
}

// aliased checks that every buffer inside a result is among the aliased ones.
func (c *checker) aliased(t Type, path []int, seen map[string]bool) {
	if u, ok := t.(Tuple); ok {
		for i, e := range u.Elems {
			c.aliased(e, append(slices.Clone(path), i), seen)
		}
		return
	}
	if isOther(t, "buffer") {
		at := string(appendDims(nil, path))
		c.check(seen[at], "buffers", "the buffer result %s is not aliased with an operand", at)
	}
}

// sameAsBuffer reports that a tensor and a memref have the same sizes and elements.
func sameAsBuffer(t, buffer Type) bool {
	x, ok := t.(Tensor)
	return ok && strings.TrimPrefix(x.String(), "tensor") == strings.TrimPrefix(buffer.String(), "memref")
}
