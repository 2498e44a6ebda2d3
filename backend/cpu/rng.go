package cpu

import (
	"encoding/binary"
	"math/bits"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// emitRngBitGenerator emits stablehlo.rng_bit_generator with XLA's generators, so that the bits are XLA's: THREE_FRY
// (state of two words), PHILOX (two or three words), DEFAULT, which on the CPU is PHILOX.
func emitRngBitGenerator(_ *compiler, n *node) (run, error) {
	state, out := n.in[0], n.out[1]
	if state.dtype != array.Uint64 || n.out[0].n != state.n || !out.dtype.IsInteger() || out.dtype.Bits() < 8 {
		return nil, &backend.Unsupported{Feature: "rng_bit_generator of " + out.dtype.String() + " from a state of " + state.dtype.String()}
	}
	from, to, res := state.ref(), n.out[0].ref(), out.ref()
	size, bytes := out.dtype.Size(), out.size()
	algorithm := enum(n.op, "rng_algorithm")
	halves := halvesOf(out.shape)
	switch {
	case algorithm == "THREE_FRY" && state.n == 2:
		return func(f *frame) error {
			s := elems[uint64](f, from)
			key, counter := s[0], s[1]
			next := threefryFill(f.bytes(res, bytes), size, halves, key, counter)
			t := elems[uint64](f, to)
			t[0], t[1] = key, next
			return nil
		}, nil
	case (algorithm == "PHILOX" || algorithm == "DEFAULT") && (state.n == 2 || state.n == 3):
		return func(f *frame) error {
			s := elems[uint64](f, from)
			key, lo, hi := s[0], s[1], s[0] // of two words, the key is also the upper half of the counter
			if len(s) == 3 {
				hi = s[2]
			}
			lo, hi = philoxFill(f.bytes(res, bytes), size, key, lo, hi)
			t := elems[uint64](f, to)
			t[0], t[1] = key, lo
			if len(t) == 3 {
				t[2] = hi
			}
			return nil
		}, nil
	}
	return nil, &backend.Unsupported{Feature: "rng_bit_generator " + algorithm}
}

// threefry2x32 is the block cipher of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", with 20 rounds.
func threefry2x32(k0, k1, x0, x1 uint32) (uint32, uint32) {
	ks := [3]uint32{k0, k1, k0 ^ k1 ^ 0x1bd11bda}
	rot := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	x0 += ks[0]
	x1 += ks[1]
	for i := range 5 {
		for _, r := range rot[i%2] {
			x0 += x1
			x1 = bits.RotateLeft32(x1, r) ^ x0
		}
		x0 += ks[(i+1)%3]
		x1 += ks[(i+2)%3] + uint32(i) + 1
	}
	return x0, x1
}

// halves says how the two words of a counter are laid out in an array of 32-bit and narrower elements: along one axis they
// alternate, [outer, axis, inner] seen as [outer, (axis+1)/2, 2, inner].
type halves struct{ outer, axis, inner int }

// halvesOf takes the first axis of even size, else the first of the largest.
func halvesOf(shape array.Shape) halves {
	at := -1
	for i, d := range shape {
		if d%2 == 0 {
			at = i
			break
		}
		if at < 0 || d > shape[at] {
			at = i
		}
	}
	if at < 0 {
		return halves{1, 1, 1}
	}
	return halves{product(shape[:at]), shape[at], product(shape[at+1:])}
}

// threefryFill fills out with the bits of elements of a size and returns the next counter. An element of 64 bits is the
// two words of one counter; narrower ones are the low bits of a word.
func threefryFill(out []byte, size int, h halves, key, counter uint64) uint64 {
	k0, k1 := uint32(key), uint32(key>>32)
	if size == 8 {
		for i := range len(out) / 8 {
			a, b := threefry2x32(k0, k1, uint32(counter), uint32(counter>>32))
			binary.LittleEndian.PutUint64(out[8*i:], uint64(a)|uint64(b)<<32)
			counter++
		}
		return counter
	}
	for o := range h.outer {
		for j := 0; j < h.axis; j += 2 {
			for i := range h.inner {
				a, b := threefry2x32(k0, k1, uint32(counter), uint32(counter>>32))
				counter++
				at := (o*h.axis+j)*h.inner + i
				putWord(out, size, at, a)
				if j+1 < h.axis {
					putWord(out, size, at+h.inner, b)
				}
			}
		}
	}
	return counter
}

// putWord stores the low bits of v as element i.
func putWord(out []byte, size, i int, v uint32) {
	switch size {
	case 4:
		binary.LittleEndian.PutUint32(out[4*i:], v)
	case 2:
		binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
	default:
		out[i] = byte(v)
	}
}

// philox4x32 is the counter-based generator of the same paper, with 10 rounds.
func philox4x32(key uint64, x [4]uint32) [4]uint32 {
	k0, k1 := uint32(key), uint32(key>>32)
	for range 10 {
		h0, l0 := bits.Mul32(0xd2511f53, x[0])
		h1, l1 := bits.Mul32(0xcd9e8d57, x[2])
		x = [4]uint32{h1 ^ x[1] ^ k0, l1, h0 ^ x[3] ^ k1, l0}
		k0 += 0x9e3779b9
		k1 += 0xbb67ae85
	}
	return x
}

// philoxFill fills out and returns the next 128-bit counter.
func philoxFill(out []byte, size int, key, lo, hi uint64) (uint64, uint64) {
	n := len(out) / size
	per := 4 // elements from one block
	if size == 8 {
		per = 2
	}
	blocks := (n + per - 1) / per
	for b := range blocks {
		l, carry := bits.Add64(lo, uint64(b), 0)
		h := hi + carry
		w := philox4x32(key, [4]uint32{uint32(l), uint32(l >> 32), uint32(h), uint32(h >> 32)})
		for j := range per {
			i := b*per + j
			if i >= n {
				break
			}
			if size == 8 {
				binary.LittleEndian.PutUint64(out[8*i:], uint64(w[2*j])|uint64(w[2*j+1])<<32)
			} else {
				putWord(out, size, i, w[j])
			}
		}
	}
	l, carry := bits.Add64(lo, uint64(blocks), 0)
	return l, hi + carry
}
