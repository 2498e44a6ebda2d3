package cpu

import (
	"cmp"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// place numbers the storages and gives each temporary a range of bytes in the arena, such that no two that are needed
// at the same time overlap. It is the classical linear scan: in order of first writes, best fit among the free ranges.
func (c *compiler) place(p *plan) error {
	var temps []*storage
	for _, s := range c.storages {
		if t := s.root(); t != s {
			t.def, t.last, t.hold = min(t.def, s.def), max(t.last, s.last), max(t.hold, s.hold)
		}
	}
	for _, s := range c.storages {
		if s.in != nil || s.kind == temporary && s.def == 0 { // a part of another, or of a node that was pruned
			continue
		}
		s.slot = p.slots
		p.slots++
		switch {
		case s.kind == constant:
			p.consts = append(p.consts, slotConst{s.slot, s.data})
		case s.kind == temporary && s.size > 0:
			temps = append(temps, s)
		}
	}
	slices.SortStableFunc(temps, func(a, b *storage) int { return cmp.Compare(a.def, b.def) })
	var a arena
	var live []*storage
	for _, s := range temps {
		kept := live[:0]
		for _, t := range live {
			if max(t.last, t.hold) < s.def {
				a.release(t.offset, aligned(t.size))
			} else {
				kept = append(kept, t)
			}
		}
		s.offset = a.take(aligned(s.size))
		live = append(kept, s)
		p.temps = append(p.temps, slotMem{s.slot, s.offset, s.size})
	}
	if a.end > maxBytes {
		return array.ShapeErrorf("the program needs %d bytes of temporary memory, more than the limit of %d GiB", a.end, maxBytes>>30)
	}
	p.arena = a.end
	return nil
}

func aligned(n int) int { return (n + array.Alignment - 1) &^ (array.Alignment - 1) }

// arena is a growing range of bytes with free ranges inside, kept sorted and never touching.
type arena struct {
	end  int
	free []span
}

type span struct{ lo, hi int }

// take finds n bytes: the smallest free range that holds them, else new bytes at the end.
func (a *arena) take(n int) int {
	best := -1
	for i, s := range a.free {
		if s.hi-s.lo >= n && (best < 0 || s.hi-s.lo < a.free[best].hi-a.free[best].lo) {
			best = i
		}
	}
	if best >= 0 {
		at := a.free[best].lo
		if a.free[best].lo += n; a.free[best].lo == a.free[best].hi {
			a.free = slices.Delete(a.free, best, best+1)
		}
		return at
	}
	at := a.end
	if k := len(a.free) - 1; k >= 0 && a.free[k].hi == a.end {
		at = a.free[k].lo
		a.free = a.free[:k]
	}
	a.end = at + n
	return at
}

// release gives a range back.
func (a *arena) release(lo, n int) {
	i, _ := slices.BinarySearchFunc(a.free, lo, func(s span, lo int) int { return cmp.Compare(s.lo, lo) })
	a.free = slices.Insert(a.free, i, span{lo, lo + n})
	if i+1 < len(a.free) && a.free[i].hi == a.free[i+1].lo {
		a.free[i].hi = a.free[i+1].hi
		a.free = slices.Delete(a.free, i+1, i+2)
	}
	if i > 0 && a.free[i-1].hi == a.free[i].lo {
		a.free[i-1].hi = a.free[i].hi
		a.free = slices.Delete(a.free, i, i+1)
	}
}
