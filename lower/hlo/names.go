package hlo

import (
	"strconv"

	"github.com/pantograph-go/pantograph/array"
)

func newNamer() namer {
	return namer{forms: forms(), names: map[*Value]string{}, used: map[string]bool{}}
}

// Value names in the printed text are MLIR's own: %arg0 for parameters, %c and %cst for constants, %iterArg in loops, the
// results' own names where an operation has several, numbers for the rest; a name that is taken gets a suffix. Numbers run on from an enclosing region into a nested one,
// and sibling regions start alike.

// numbering holds the counters that a nested region continues.
type numbering struct{ value, arg, conflict int }

type namer struct {
	numbering
	forms map[string]*opForm
	names map[*Value]string // without %; one of several results is name#1, or has a name of its own
	used  map[string]bool
	log   []string // names in use, innermost region last
}

// start names every value of a region that sees none from outside.
func (n *namer) start(r *Region) {
	n.numbering = numbering{}
	clear(n.names)
	clear(n.used)
	n.log = n.log[:0]
	n.region(r, "")
}

func (n *namer) region(r *Region, argName string) {
	for i, b := range r.Blocks {
		for _, a := range b.Args {
			switch {
			case i > 0:
				n.names[a] = n.number()
			case argName != "":
				n.names[a] = n.unique(argName)
			default:
				n.names[a] = n.unique("arg" + strconv.Itoa(n.arg))
				n.arg++
			}
		}
		for _, op := range b.Ops {
			n.results(op)
		}
	}
	after := n.numbering
	mark := len(n.log)
	for _, b := range r.Blocks {
		for _, op := range b.Ops {
			for _, inner := range op.Regions {
				n.numbering = after
				name := ""
				if op.Name == "stablehlo.while" {
					name = "iterArg"
				}
				n.region(inner, name)
				for _, s := range n.log[mark:] {
					delete(n.used, s)
				}
				n.log = n.log[:mark]
			}
		}
	}
}

func (n *namer) results(op *Op) {
	if len(op.Results) == 0 {
		return
	}
	if f := n.forms[op.Name]; f != nil && len(f.outNames) == len(op.Results) {
		for i, v := range op.Results {
			n.names[v] = n.unique(f.outNames[i])
		}
		return
	}
	var name string
	switch op.Name {
	case "stablehlo.constant":
		name = "cst"
		if k := op.Results[0].Tensor(); k.Quant == nil && (k.Elem.IsInteger() || k.Elem == array.Bool) {
			name = "c"
		}
		name = n.unique(name)
	case "arith.constant":
		name = n.unique(scalarName(op.Attr("value")))
	default:
		name = n.number()
	}
	for i, v := range op.Results {
		if len(op.Results) == 1 {
			n.names[v] = name
		} else {
			n.names[v] = name + "#" + strconv.Itoa(i)
		}
	}
}

// scalarName is the name of an arith constant: c3_i32, c3 for an index, true, or cst.
func scalarName(a Attr) string {
	switch a := a.(type) {
	case Bool:
		return strconv.FormatBool(bool(a))
	case Int:
		name := "c" + strconv.FormatInt(a.Value, 10)
		if a.Type != "index" {
			name += "_" + a.Type
		}
		return name
	}
	return "cst"
}

func (n *namer) number() string {
	n.value++
	return strconv.Itoa(n.value - 1)
}

func (n *namer) unique(name string) string {
	try := name
	for n.used[try] {
		try = name + "_" + strconv.Itoa(n.conflict)
		n.conflict++
	}
	n.used[try] = true
	n.log = append(n.log, try)
	return try
}
