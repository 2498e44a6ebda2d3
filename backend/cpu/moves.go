package cpu

// moves copies storages to storages as if at once: a loop's new values to where its body reads the old ones.
type moves []moveStepOf

// moveStepOf is one copy in an order in which no storage is overwritten before it is read. Where that needs it, saved
// is the number of a buffer into which the old contents of dst go first, and from the number of the one to copy from.
type moveStepOf struct {
	dst, src, size int // slots, bytes
	save, from     int // 1 + number of a saved storage, 0 for none
}

// movesOf orders copies, each from one slot to another; no slot is written twice.
func movesOf(dst, src []ref, sizes []int) moves {
	var pending, out moves
	for i := range dst {
		if dst[i].slot != src[i].slot {
			pending = append(pending, moveStepOf{dst: dst[i].slot, src: src[i].slot, size: sizes[i]})
		}
	}
	saved := 0
	for len(pending) > 0 {
		at := 0
		for at < len(pending) && pending.reads(pending[at].dst, at) {
			at++
		}
		if at == len(pending) { // a cycle: keep what the first move overwrites
			at = 0
			saved++
			pending[0].save = saved
			for i := range pending {
				if i != 0 && pending[i].from == 0 && pending[i].src == pending[0].dst {
					pending[i].from = saved
				}
			}
		}
		out = append(out, pending[at])
		pending = append(pending[:at], pending[at+1:]...)
	}
	return out
}

// reads reports that a move other than number except still needs the contents of slot.
func (m moves) reads(slot, except int) bool {
	for i := range m {
		if i != except && m[i].from == 0 && m[i].src == slot {
			return true
		}
	}
	return false
}

func (m moves) run(f *frame) {
	var saved [][]byte
	for i := range m {
		s := &m[i]
		if s.save > 0 {
			old := make([]byte, s.size)
			copy(old, f.bytes(ref{slot: s.dst}, s.size))
			saved = append(saved, old)
		}
		if s.from > 0 {
			copy(f.bytes(ref{slot: s.dst}, s.size), saved[s.from-1])
		} else if s.size > 0 {
			copyMem(f.mem[s.dst], f.mem[s.src], s.size)
		}
	}
}
