package cpu

import "slices"

// strided is a copy between two arrays that are walked with strides: a broadcast has zero strides in the source, a
// transpose permuted ones, a reversal negative ones, an interior padding larger ones in the destination. All numbers
// count elements.
type strided struct {
	sizes    []int
	dst, src []int // strides
	dstAt    int   // offset of the first element
	srcAt    int
}

// simplify drops axes of size 1 and merges neighbours that are one run in both arrays.
func (s *strided) simplify() *strided {
	t := &strided{dstAt: s.dstAt, srcAt: s.srcAt}
	for i, n := range s.sizes {
		if n == 0 {
			return &strided{sizes: []int{0}, dst: []int{0}, src: []int{0}}
		}
		if n == 1 {
			continue
		}
		if k := len(t.sizes) - 1; k >= 0 && t.dst[k] == s.dst[i]*n && t.src[k] == s.src[i]*n {
			t.sizes[k] *= n
			t.dst[k], t.src[k] = s.dst[i], s.src[i]
			continue
		}
		t.sizes = append(t.sizes, n)
		t.dst = append(t.dst, s.dst[i])
		t.src = append(t.src, s.src[i])
	}
	return t
}

// copyStrided does the copy with the given offsets added to the two arrays' own.
func copyStrided[T any](dst, src []T, s *strided, dstAt, srcAt int) {
	d, x := dstAt+s.dstAt, srcAt+s.srcAt
	if len(s.sizes) > 0 && s.sizes[0] > 1 {
		if n := product(s.sizes); n >= 4*grain {
			copyParallel(dst, src, s, d, x, n)
			return
		}
	}
	copyDims(dst, src, s.sizes, s.dst, s.src, d, x)
}

// copyParallel splits the first axis of a copy of n elements.
func copyParallel[T any](dst, src []T, s *strided, d, x, n int) {
	rows := s.sizes[0]
	parallel(rows, max(1, grain/(n/rows)), func(lo, hi int) {
		sizes := slices.Clone(s.sizes)
		sizes[0] = hi - lo
		copyDims(dst, src, sizes, s.dst, s.src, d+lo*s.dst[0], x+lo*s.src[0])
	})
}

func product(v []int) int {
	n := 1
	for _, x := range v {
		n *= x
	}
	return n
}

func copyDims[T any](dst, src []T, sizes, ds, ss []int, d, s int) {
	switch {
	case len(sizes) == 0:
		dst[d] = src[s]
	case len(sizes) == 1:
		copyRow(dst, src, sizes[0], ds[0], ss[0], d, s)
	case len(sizes) == 2 && ds[1] == 1 && ss[0] == 1:
		transposeTiles(dst, src, sizes[0], sizes[1], ds[0], ss[1], d, s)
	default:
		for range sizes[0] {
			copyDims(dst, src, sizes[1:], ds[1:], ss[1:], d, s)
			d += ds[0]
			s += ss[0]
		}
	}
}

func copyRow[T any](dst, src []T, n, ds, ss, d, s int) {
	switch {
	case n == 0:
	case ds == 1 && ss == 1:
		copy(dst[d:d+n], src[s:s+n])
	case ds == 1 && ss == 0:
		fill(dst[d:d+n], src[s])
	case ds == 1:
		row := dst[d : d+n]
		for i := range row {
			row[i] = src[s]
			s += ss
		}
	default:
		for range n {
			dst[d] = src[s]
			d += ds
			s += ss
		}
	}
}

// transposeTiles copies rows of dst that are columns of src, in tiles that stay in the cache.
func transposeTiles[T any](dst, src []T, rows, cols, ds, ss, d, s int) {
	const tile = 16
	for i0 := 0; i0 < rows; i0 += tile {
		i1 := min(i0+tile, rows)
		for j0 := 0; j0 < cols; j0 += tile {
			j1 := min(j0+tile, cols)
			for i := i0; i < i1; i++ {
				row := dst[d+i*ds+j0 : d+i*ds+j1]
				at := s + i + j0*ss
				for j := range row {
					row[j] = src[at]
					at += ss
				}
			}
		}
	}
}

// mover is a node that is strided copies of its operands into its result, after an optional fill of the result with
// the one element of an operand.
type mover struct {
	n      *node
	fill   int // operand whose element fills the result first, or -1
	copies []moverCopy
}

type moverCopy struct {
	operand int
	*strided
}

func (m *mover) bytes1() run  { return moveStep[uint8](m) }
func (m *mover) bytes2() run  { return moveStep[uint16](m) }
func (m *mover) bytes4() run  { return moveStep[uint32](m) }
func (m *mover) bytes8() run  { return moveStep[uint64](m) }
func (m *mover) bytes16() run { return moveStep[[2]uint64](m) }

func moveStep[T any](m *mover) run {
	d := m.n.out[0].ref()
	in := make([]ref, len(m.n.in))
	for i, v := range m.n.in {
		in[i] = v.ref()
	}
	if m.fill < 0 && len(m.copies) == 1 {
		x, s := in[m.copies[0].operand], m.copies[0].strided
		return func(f *frame) error {
			copyStrided(elems[T](f, d), elems[T](f, x), s, 0, 0)
			return nil
		}
	}
	return func(f *frame) error {
		dst := elems[T](f, d)
		if m.fill >= 0 {
			fill(dst, elems[T](f, in[m.fill])[0])
		}
		for _, c := range m.copies {
			copyStrided(dst, elems[T](f, in[c.operand]), c.strided, 0, 0)
		}
		return nil
	}
}

// move emits a node that is one strided copy.
func move(n *node, s *strided) (run, error) {
	return bySize(n.out[0].dtype, &mover{n: n, fill: -1, copies: []moverCopy{{0, s.simplify()}}})
}
