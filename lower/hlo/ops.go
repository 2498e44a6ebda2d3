package hlo

import (
	"strings"
	"sync"
)

// opSpec is all that the package knows of one operation: one line of a table, read by the printer, the parser and the
// verifier. The tables stand in the ops_*.go files, one a family.
//
// in and out list operands and results as name:type, separated by spaces; name* may stand for any number. A type is a
// set of element kinds: f float, p bool, i integer, s signed integer, c complex, q quantized, Q quantized along an axis,
// x index, or one element type by name (=i32); behind a slash come restrictions: 0 1 2 the rank, s a static shape,
// b static or bounded in one dimension, u may be unranked. Other types join by |: token, tuple, future, buffer, any.
//
// attrs lists the operation's own attributes as name:kind, name:kind? where optional; >=n is a bound on an integer. Any
// other attribute is a discardable one. form is the pretty form, see form.go; without one the operation is always
// written in the generic form.
type opSpec struct {
	name    string
	in, out string
	attrs   string
	form    string
	regions string // how many: a number, or n* for n or more
	check   func(*checker, *Op)
}

// forms indexes the tables by operation name.
var forms = sync.OnceValue(func() map[string]*opForm {
	all := map[string]*opForm{}
	for _, family := range [][]opSpec{
		elementwiseOps(), chloOps(), shapeOps(), sliceOps(), reduceOps(), gatherOps(), dotOps(), linalgOps(),
		controlOps(), callOps(), collectiveOps(), hostOps(), dynamicOps(), randomOps(), quantizedOps(), testOps(),
	} {
		for i := range family {
			all[family[i].name] = compileForm(&family[i])
		}
	}
	return all
})

// attrSpec is one entry of opSpec.attrs.
type attrSpec struct {
	name     string
	kind     string
	optional bool
	min      int64
	bounded  bool
}

func parseAttrSpecs(s string) []attrSpec {
	var out []attrSpec
	for _, f := range strings.Fields(s) {
		name, kind, _ := strings.Cut(f, ":")
		a := attrSpec{name: name}
		kind, a.optional = strings.CutSuffix(kind, "?")
		if k, bound, ok := strings.Cut(kind, ">="); ok {
			kind, a.bounded = k, true
			if bound == "1" {
				a.min = 1
			}
		}
		a.kind = kind
		out = append(out, a)
	}
	return out
}

const (
	sameForm       = "%* attr-dict : <same>"
	functionalForm = "%* attr-dict : <functional>"
)

// elementwise makes the lines of operations that differ in the name only.
func rows(base opSpec, names ...string) []opSpec {
	out := make([]opSpec, len(names))
	for i, n := range names {
		out[i] = base
		out[i].name = n
	}
	return out
}
