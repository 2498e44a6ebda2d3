package trace

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// String prints the jaxpr as JAX does, in lines of 80 columns. Like there, the text does not show which types are weak.
func (j *Jaxpr) String() string { return j.Text(80) }

// Text prints the jaxpr in lines of the given width where they can be broken. Jaxprs that occur twice, and long ones,
// come first under a name: let f = { lambda … } in.
func (j *Jaxpr) Text(width int) string {
	p := &printer{names: map[*Var]string{}, shared: map[*Jaxpr]string{}}
	p.drop(j)
	var d concat
	for _, s := range p.share(j) {
		d = append(d, text("let "+p.shared[s]+" = "), p.skeleton(s), text(" in"), brk(" "))
	}
	return layout(append(d, p.jaxpr(j)), width)
}

// printer names the variables of a jaxpr and the jaxprs in it, each name used once.
type printer struct {
	names  map[*Var]string
	next   int // number of the next name
	shared map[*Jaxpr]string
	brief  bool // leave the bodies of primitives out
}

// drop names the results that nobody reads.
func (p *printer) drop(j *Jaxpr) {
	used := map[*Var]bool{}
	use := func(atoms []Atom) {
		for _, a := range atoms {
			if v, ok := a.(*Var); ok {
				used[v] = true
			}
		}
	}
	use(j.Out)
	for _, e := range j.Eqns {
		use(e.In)
	}
	for _, e := range j.Eqns {
		for _, v := range e.Out {
			if !used[v] {
				p.names[v] = "_"
			}
		}
	}
}

// share chooses names for the jaxprs inside j that are printed before it.
func (p *printer) share(j *Jaxpr) (shared []*Jaxpr) {
	count, hint := map[*Jaxpr]int{}, map[*Jaxpr]string{}
	var order []*Jaxpr
	for queue := []*Jaxpr{j}; len(queue) > 0; queue = queue[1:] {
		k := queue[0]
		if count[k] == 0 {
			order = append(order, k)
		}
		count[k]++
		if k != j && len(k.Eqns) > 10 {
			count[k]++
		}
		for _, e := range k.Eqns {
			name, named := nameParam(e.Prim)
			for _, body := range Jaxprs(e.Prim) {
				queue = append(queue, body)
				if named && hint[body] == "" {
					hint[body] = name
				}
			}
		}
	}
	taken := map[string]int{}
	for _, k := range order {
		if count[k] == 1 {
			continue
		}
		name := hint[k]
		if name == "" {
			name = "jaxpr"
		}
		if n := taken[name]; n > 0 {
			taken[name]++
			name += fmt.Sprint(n)
		}
		taken[name]++
		p.shared[k] = name
		shared = append(shared, k)
	}
	return shared
}

func (p *printer) jaxpr(j *Jaxpr) doc {
	if p.brief {
		return text("{ … }")
	}
	if name, ok := p.shared[j]; ok {
		return text(name)
	}
	return p.skeleton(j)
}

func (p *printer) skeleton(j *Jaxpr) doc {
	consts, in := p.binders(j.Consts), p.binders(j.In)
	eqns := make([]doc, len(j.Eqns))
	for i, e := range j.Eqns {
		eqns[i] = p.eqn(e)
	}
	closing := text(")")
	if len(j.Out) == 1 {
		closing = ",)"
	}
	return group{concat{nest{concat{
		text("{ lambda "), consts, text("; "), in, text(". let"),
		nest{concat{brk(" "), join(brk("; "), eqns)}}, brk(" "),
		text("in ("), p.atoms(j.Out, ","), closing,
	}}, text(" }")}}
}

func (p *printer) eqn(e *Eqn) doc {
	var d concat
	if len(e.Out) > 0 {
		d = concat{p.binders(e.Out), text(" = ")}
	}
	if bodies := Jaxprs(e.Prim); e.Prim.Name() == "jit" && len(bodies) == 1 && p.shared[bodies[0]] == "" {
		p.suggest(bodies[0], e)
	}
	return append(d, text(e.Prim.Name()), p.params(e.Prim), text(" "), p.atoms(e.In, ""))
}

// suggest gives the inputs and results of a called function the names that they have outside, so that a call reads
// like the code it stands for.
func (p *printer) suggest(body *Jaxpr, e *Eqn) {
	give := func(v, like *Var, used map[*Var]bool) {
		if p.names[v] == "" && !used[like] {
			used[like] = true
			p.names[v] = p.name(like)
		}
	}
	used := map[*Var]bool{}
	for i, v := range body.In {
		if like, ok := e.In[i].(*Var); ok {
			give(v, like, used)
		}
	}
	used = map[*Var]bool{}
	for i, a := range body.Out {
		if v, ok := a.(*Var); ok && e.Out[i] != nil {
			give(v, e.Out[i], used)
		}
	}
}

// binders are variables where they are bound: a:f32[3] b:i32[].
func (p *printer) binders(vs []*Var) doc {
	docs := make([]doc, len(vs))
	for i, v := range vs {
		docs[i] = text("_")
		if v != nil {
			docs[i] = text(p.name(v) + ":" + v.Aval.Strong().String())
		}
	}
	return nest{group{join(group{brk(" ")}, docs)}}
}

// atoms are variables and literals where they are read.
func (p *printer) atoms(as []Atom, separator string) doc {
	docs := make([]doc, len(as))
	for i, a := range as {
		switch a := a.(type) {
		case *Var:
			docs[i] = text(p.name(a))
		case *Literal:
			docs[i] = text(a.String())
		}
	}
	return nest{group{join(concat{text(separator), group{brk(" ")}}, docs)}}
}

// name is the name of a variable: a, b, …, z, ba, bb, …, which are the numbers 0, 1, … with letters for digits.
func (p *printer) name(v *Var) string {
	if name, ok := p.names[v]; ok {
		return name
	}
	for {
		n, name := p.next, ""
		for first := true; first || n > 0; first = false {
			name = string(rune('a'+n%26)) + name
			n /= 26
		}
		p.next++
		if !p.isShared(name) {
			p.names[v] = name
			return name
		}
	}
}

func (p *printer) isShared(name string) bool {
	for _, s := range p.shared {
		if s == name {
			return true
		}
	}
	return false
}

// String is the value with its type: 2.0:f32[].
func (l *Literal) String() string {
	value := "[...]"
	if d := array.DataOf(l.Value); d != nil && l.Value.Size() == 1 {
		if b, err := d.Host(); err == nil {
			value = scalarString(b)
		}
	}
	return value + ":" + l.Value.Aval().Strong().String()
}

// EqnText is one equation of j on one line, with the names that it has in the print of j; bodies are left out.
func (j *Jaxpr) EqnText(e *Eqn) string {
	p := &printer{names: map[*Var]string{}, brief: true}
	p.drop(j)
	p.skeleton(j)
	return layout(p.eqn(e), 1<<30)
}

// text is an operation as errors show it, its operands with their names so far and their types.
func (r *recorder) text(prim primitive.Primitive, in []*array.Array) string {
	p := &printer{names: map[*Var]string{}, brief: true}
	p.skeleton(r.jaxpr) // names the variables
	operands := make([]doc, len(in))
	for i, x := range in {
		operands[i] = text(x.Aval().String())
		if t, ok := array.TracerOf(x).(*tracer); ok && t.rec == r {
			operands[i] = concat{text(p.name(t.v) + ":"), operands[i]}
		}
	}
	return layout(concat{text(prim.Name()), p.params(prim), text(" "), join(text(" "), operands)}, 1<<30)
}
