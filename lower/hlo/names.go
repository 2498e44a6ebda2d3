package hlo

import "strconv"

// Value names in the printed text are MLIR's own: %arg0 for parameters, %c and %cst for constants, %iterArg in loops,
// numbers for the rest; a name that is taken gets a suffix. Numbers run on from an enclosing region into a nested one,
// and sibling regions start alike.

// numbering holds the counters that a nested region continues.
type numbering struct{ value, arg, conflict int }

type namer struct {
	numbering
	names map[*Value]string // without %; a result after the first is name#1
	used  map[string]bool
	log   []string // names in use, innermost region last
}

// function names every value of f.
func (n *namer) function(f *Func) {
	n.numbering = numbering{}
	clear(n.names)
	clear(n.used)
	n.log = n.log[:0]
	n.region(f.Body, "")
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
	var name string
	switch op.Name {
	case "stablehlo.constant":
		name = "cst"
		if k := op.Results[0].Tensor(); k.Quant == nil && (k.Elem.IsInteger() || k.Elem.HLO() == "i1") {
			name = "c"
		}
		name = n.unique(name)
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
