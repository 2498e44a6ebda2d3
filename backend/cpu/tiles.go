package cpu

import (
	"sync"
	"unsafe"
)

// tile is what a kernel of gemm_amd64.s reads; the offsets of the fields are written there. See gemm_amd64.go.
type tile struct {
	k            int
	a            unsafe.Pointer
	ars, acs     int // bytes from row to row of a, from column to column
	b            unsafe.Pointer
	ldb          int // bytes from row to row of b
	c            unsafe.Pointer
	ldc          int
	mask0, mask1 uint64 // which columns of each of the two vectors exist
	add          int
}

// matrix is where the elements of a matrix lie: element (i, j) at number i*row + j*col.
type matrix struct {
	p        unsafe.Pointer
	row, col int
}

func (x matrix) at(i, j, size int) unsafe.Pointer { return unsafe.Add(x.p, (i*x.row+j*x.col)*size) }

// Sizes of the blocks of a product: the rows of b that stay in the first-level cache, the rows of a that stay in the second.
const (
	tileRows = 14
	tileK    = 256
	blockM   = 20 * tileRows
	blockN   = 1024
)

// packed is the memory of one worker for packed blocks of a and b.
type packed[T floating] struct {
	a, b []T
	tile tile
}

var packedFloat32 = sync.Pool{New: func() any { return newPacked[float32]() }}
var packedFloat64 = sync.Pool{New: func() any { return newPacked[float64]() }}

func newPacked[T floating]() *packed[T] {
	return &packed[T]{a: make([]T, blockM*tileK), b: make([]T, blockN*tileK)}
}

// multiply computes c = a b on tiles: a is m×k, b k×n, c m×n row-major with rows ldc apart. Each element is the sum over
// blocks of tileK products that are added up in order, so it does not depend on m, n or the number of workers.
func multiply[T floating](c unsafe.Pointer, ldc int, a, b matrix, m, n, k int) {
	if m == 0 || n == 0 {
		return
	}
	size := int(unsafe.Sizeof(T(0)))
	if k == 0 {
		for i := range m {
			clear(unsafe.Slice((*T)(unsafe.Add(c, i*ldc*size)), n))
		}
		return
	}
	const enough = 1 << 20 // multiplications that are worth a worker
	switch work := m * n * k; {
	case work < 2*enough:
		multiplyOn[T](c, ldc, a, b, m, n, k)
	case m >= n:
		units := (m + tileRows - 1) / tileRows
		parallel(units, max(1, enough/(n*k*tileRows)), func(lo, hi int) {
			lo, hi = lo*tileRows, min(hi*tileRows, m)
			multiplyOn[T](unsafe.Add(c, lo*ldc*size), ldc, matrix{a.at(lo, 0, size), a.row, a.col}, b, hi-lo, n, k)
		})
	default:
		width := 128 / size
		units := (n + width - 1) / width
		parallel(units, max(1, enough/(m*k*width)), func(lo, hi int) {
			lo, hi = lo*width, min(hi*width, n)
			multiplyOn[T](unsafe.Add(c, lo*size), ldc, a, matrix{b.at(0, lo, size), b.row, b.col}, m, hi-lo, k)
		})
	}
}

// multiplyOn is multiply on one worker.
func multiplyOn[T floating](c unsafe.Pointer, ldc int, a, b matrix, m, n, k int) {
	size := int(unsafe.Sizeof(T(0)))
	pool := &packedFloat32
	if size == 8 {
		pool = &packedFloat64
	}
	w := pool.Get().(*packed[T])
	defer pool.Put(w)
	width := 128 / size
	// Packing pays where a block is read several times, or where its elements are far apart.
	far := a.row*size%4096 == 0 && m > 4
	packA := m > 1 && n > width && (far || m*k*size > 1<<17)
	packB := b.col != 1 || m > 2*tileRows && k*n*size > 1<<16
	for j0 := 0; j0 < n; j0 += blockN {
		cols := min(blockN, n-j0)
		for p0 := 0; p0 < k; p0 += tileK {
			depth := min(tileK, k-p0)
			if packB {
				packColumns(w.b, matrix{b.at(p0, j0, size), b.row, b.col}, depth, cols, width)
			}
			for i0 := 0; i0 < m; i0 += blockM {
				rows := min(blockM, m-i0)
				if packA {
					packRows(w.a, matrix{a.at(i0, p0, size), a.row, a.col}, rows, depth)
				}
				t := &w.tile
				t.k, t.ldc, t.add = depth, ldc*size, min(p0, 1)
				for j := 0; j < cols; j += width {
					t.masks(min(width, cols-j), width/2)
					for i := 0; i < rows; {
						r := tileHeight(rows - i)
						if packA {
							t.a, t.ars, t.acs = unsafe.Pointer(&w.a[i*depth]), size, r*size
						} else {
							t.a, t.ars, t.acs = a.at(i0+i, p0, size), a.row*size, a.col*size
						}
						if packB {
							t.b, t.ldb = unsafe.Pointer(&w.b[j*depth]), 128
						} else {
							t.b, t.ldb = b.at(p0, j0+j, size), b.row*size
						}
						t.c = unsafe.Add(c, ((i0+i)*ldc+j0+j)*size)
						t.run(r, size)
						i += r
					}
				}
			}
		}
	}
	w.tile = tile{} // keeps nobody's memory alive
}

// masks admits the first n columns of two vectors of half columns each.
func (t *tile) masks(n, half int) {
	t.mask0, t.mask1 = 1<<min(n, half)-1, 1<<max(0, n-half)-1
}

// tileHeight is the number of rows of the kernel that begins the given rows.
func tileHeight(rows int) int {
	switch {
	case rows >= tileRows:
		return tileRows
	case rows >= 8:
		return 8
	case rows >= 4:
		return 4
	case rows >= 2:
		return 2
	}
	return 1
}

// packRows copies a to tiles of rows, column by column within each.
func packRows[T floating](dst []T, a matrix, rows, depth int) {
	for i := 0; i < rows; {
		r := tileHeight(rows - i)
		t := dst[i*depth : (i+r)*depth]
		for q := range r {
			src := a.at(i+q, 0, int(unsafe.Sizeof(T(0))))
			if a.col == 1 {
				at := q
				for _, v := range unsafe.Slice((*T)(src), depth) {
					t[at] = v
					at += r
				}
				continue
			}
			for p := range depth {
				t[p*r+q] = *(*T)(unsafe.Add(src, p*a.col*int(unsafe.Sizeof(T(0)))))
			}
		}
		i += r
	}
}

// packColumns copies b to tiles of width columns, row by row within each. What lies beyond the last column is not read.
func packColumns[T floating](dst []T, b matrix, depth, cols, width int) {
	size := int(unsafe.Sizeof(T(0)))
	for j := 0; j < cols; j += width {
		w := min(width, cols-j)
		t := dst[j*depth : (j+width)*depth]
		if b.col == 1 {
			for p := range depth {
				copy(t[p*width:p*width+w], unsafe.Slice((*T)(b.at(p, j, size)), w))
			}
			continue
		}
		if b.row == 1 {
			const group = 16 // rows of a transposition that stay in the cache
			for p0 := 0; p0 < depth; p0 += group {
				p1 := min(p0+group, depth)
				for q := range w {
					at := p0*width + q
					for _, v := range unsafe.Slice((*T)(b.at(p0, j+q, size)), p1-p0) {
						t[at] = v
						at += width
					}
				}
			}
			continue
		}
		for p := range depth {
			for q := range w {
				t[p*width+q] = *(*T)(b.at(p, j+q, size))
			}
		}
	}
}
