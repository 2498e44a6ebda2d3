package trace

import (
	"bytes"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// HasJaxprs is implemented by primitives that hold jaxprs, so that printing, checking, effects and lowering see them.
type HasJaxprs interface{ Jaxprs() []*Jaxpr }

// Jaxprs lists the jaxprs inside p, none for most primitives.
func Jaxprs(p primitive.Primitive) []*Jaxpr {
	if h, ok := p.(HasJaxprs); ok {
		return h.Jaxprs()
	}
	return nil
}

// interned holds, by hash, one jaxpr of each content that is in use. A primitive that holds a jaxpr is comparable
// because equal bodies are one pointer, wherever in the program they were recorded; hence a table of the whole program,
// which does not keep its entries alive. mu guards table.
var interned = struct {
	mu    sync.Mutex
	seed  maphash.Seed
	table map[uint64][]weak.Pointer[Jaxpr]
}{seed: maphash.MakeSeed(), table: map[uint64][]weak.Pointer[Jaxpr]{}}

// Intern returns the one jaxpr with the content of j: two jaxprs that differ only in the identity of their variables
// give the same pointer. The lines of equations are part of the content, so that an error never names the line of
// another, equal function; scopes are not. Safe for concurrent use.
func Intern(j *Jaxpr) *Jaxpr {
	h := j.hash(interned.seed)
	interned.mu.Lock()
	defer interned.mu.Unlock()
	for _, w := range interned.table[h] {
		if k := w.Value(); k != nil && (k == j || k.same(j)) {
			return k
		}
	}
	interned.table[h] = append(interned.table[h], weak.Make(j))
	runtime.AddCleanup(j, forget, h)
	return j
}

// forget removes the dead entries of a hash.
func forget(h uint64) {
	interned.mu.Lock()
	defer interned.mu.Unlock()
	live := slices.DeleteFunc(interned.table[h], func(w weak.Pointer[Jaxpr]) bool { return w.Value() == nil })
	if len(live) == 0 {
		delete(interned.table, h)
	} else {
		interned.table[h] = live
	}
}

// hash is equal for jaxprs that same calls equal.
func (j *Jaxpr) hash(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var key []byte
	n := numbering{}
	vars := func(vs []*Var) {
		for _, v := range vs {
			if v != nil {
				n.add(v)
				key = v.Aval.AppendKey(key)
			}
		}
		key = append(key, ';')
	}
	atoms := func(as []Atom) {
		for _, a := range as {
			if v, ok := a.(*Var); ok {
				key = append(key, byte(n[v]), byte(n[v]>>8))
			} else {
				key = a.AvalOf().AppendKey(key) // the value is left to same
			}
		}
		key = append(key, ';')
	}
	vars(j.Consts)
	vars(j.In)
	for _, e := range j.Eqns {
		maphash.WriteComparable(&h, e.Prim)
		key = append(key, byte(e.Pos.Line))
		atoms(e.In)
		vars(e.Out)
	}
	atoms(j.Out)
	h.Write(key)
	return h.Sum64()
}

// same reports whether j and k have equal content.
func (j *Jaxpr) same(k *Jaxpr) bool {
	if len(j.Eqns) != len(k.Eqns) {
		return false
	}
	jn, kn := numbering{}, numbering{}
	vars := func(vs, ws []*Var) bool {
		return slices.EqualFunc(vs, ws, func(v, w *Var) bool {
			if v == nil || w == nil {
				return v == w
			}
			jn.add(v)
			kn.add(w)
			return v.Aval.Equal(w.Aval)
		})
	}
	atoms := func(as, bs []Atom) bool {
		return slices.EqualFunc(as, bs, func(a, b Atom) bool {
			switch a := a.(type) {
			case *Var:
				w, ok := b.(*Var)
				return ok && jn[a] == kn[w]
			case *Literal:
				l, ok := b.(*Literal)
				return ok && (a == l || a.same(l))
			}
			return false
		})
	}
	if !vars(j.Consts, k.Consts) || !vars(j.In, k.In) {
		return false
	}
	for i, e := range j.Eqns {
		f := k.Eqns[i]
		if e.Prim != f.Prim || e.Pos != f.Pos || !atoms(e.In, f.In) || !vars(e.Out, f.Out) {
			return false
		}
	}
	return atoms(j.Out, k.Out)
}

// same reports equal literals: the same type and, to the bit, the same value.
func (l *Literal) same(m *Literal) bool {
	if l.Value == m.Value {
		return true
	}
	if !l.Value.Aval().Equal(m.Value.Aval()) {
		return false
	}
	x, err := array.DataOf(l.Value).Host()
	if err != nil {
		return false
	}
	y, err := array.DataOf(m.Value).Host()
	return err == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// numbering numbers the variables of a jaxpr from 1 in the order in which they are bound.
type numbering map[*Var]int

func (n numbering) add(v *Var) { n[v] = len(n) + 1 }
