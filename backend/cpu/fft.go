package cpu

import (
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/pantograph-go/pantograph/array"
)

// emitFFT emits stablehlo.fft: FFT, IFFT, RFFT (half of the symmetric result) and IRFFT over the last axes. Everything is
// computed in complex128 and rounded once.
func emitFFT(_ *compiler, n *node) (run, error) {
	kind, length := enum(n.op, "fft_type"), ints(n.op, "fft_length")
	in, out := n.in[0], n.out[0]
	k := len(length)
	if k < 1 || k > len(in.shape) || k > len(out.shape) {
		return nil, array.ShapeErrorf("transform of %d axes of an operand of rank %d", k, len(in.shape))
	}
	read, write := complexReader(in), complexWriter(out)
	if read == nil || write == nil {
		return nil, unsupported(n)
	}
	t := &transform{inverse: kind == "IFFT" || kind == "IRFFT", lengths: length}
	last := length[k-1]
	t.in, t.out = last, last
	switch kind {
	case "RFFT":
		t.out = last/2 + 1
	case "IRFFT":
		t.in = last/2 + 1
		t.halved = true
	}
	if n.in[0].n != 0 && (in.shape[len(in.shape)-1] != t.in || out.shape[len(out.shape)-1] != t.out) {
		return nil, array.ShapeErrorf("%s of length %d from axis of size %d to %d", kind, last, in.shape[len(in.shape)-1], out.shape[len(out.shape)-1])
	}
	for _, l := range length {
		t.plans = append(t.plans, newDFT(l, t.inverse))
	}
	rows := product(length)
	batch := 0
	if rows > 0 {
		batch = product(out.shape[:len(out.shape)-k])
	}
	return func(f *frame) error {
		buf := make([]complex128, rows)
		for b := range batch {
			if err := f.cancelled(); err != nil {
				return err
			}
			t.load(f, read, buf, b)
			t.run(buf)
			for r := range rows / last {
				for j := range t.out {
					write(f, (b*(rows/last)+r)*t.out+j, buf[r*last+j])
				}
			}
		}
		return nil
	}, nil
}

// transform is a Fourier transform over some axes, the last axes of an array.
type transform struct {
	lengths []int
	plans   []*dft
	inverse bool
	halved  bool // the operand holds only half of a symmetric spectrum along the last axis
	in, out int  // sizes of the last axis
}

// load reads batch entry b, completing a half spectrum: element -i of the transform of a real array is the conjugate of
// element i, in all axes.
func (t *transform) load(f *frame, read func(*frame, int) complex128, buf []complex128, b int) {
	last := t.lengths[len(t.lengths)-1]
	rows := len(buf) / last
	for r := range rows {
		for j := range t.in {
			buf[r*last+j] = read(f, (b*rows+r)*t.in+j)
		}
	}
	if !t.halved {
		return
	}
	// The inverse transform of the leading axes comes first, and the last axis is then completed row by row, which is
	// the same and needs no index of negated rows.
	t.axes(buf, len(t.lengths)-1)
	for r := range rows {
		row := buf[r*last : (r+1)*last]
		row[0] = complex(real(row[0]), 0)
		if last%2 == 0 {
			row[last/2] = complex(real(row[last/2]), 0)
		}
		for j := t.in; j < last; j++ {
			row[j] = cmplx.Conj(row[last-j])
		}
	}
}

func (t *transform) run(buf []complex128) {
	k := len(t.lengths)
	if !t.halved {
		t.axes(buf, k-1)
	}
	t.axis(buf, k-1)
}

// axes transforms along axes 0 … n-1.
func (t *transform) axes(buf []complex128, n int) {
	for a := range n {
		t.axis(buf, a)
	}
}

func (t *transform) axis(buf []complex128, a int) {
	n, inner := t.lengths[a], product(t.lengths[a+1:])
	row := make([]complex128, n)
	for o := range len(buf) / (n * inner) {
		for i := range inner {
			at := o*n*inner + i
			for j := range row {
				row[j] = buf[at+j*inner]
			}
			t.plans[a].run(row)
			for j, v := range row {
				buf[at+j*inner] = v
			}
		}
	}
}

// dft is a discrete Fourier transform of one length.
type dft struct {
	n       int
	inverse bool
	factors []int
	roots   []complex128 // exp(∓2πi j/n)
	chirp   *chirp       // for a length with a large prime factor
}

// newDFT plans a length: mixed radix for small prime factors, Bluestein's convolution for others.
func newDFT(n int, inverse bool) *dft {
	d := &dft{n: n, inverse: inverse}
	d.roots = make([]complex128, n)
	sign := -1.0
	if inverse {
		sign = 1
	}
	for j := range d.roots {
		s, c := sincosTurn(j, n)
		d.roots[j] = complex(c, sign*s)
	}
	m := n
	for p := 2; m > 1; p++ {
		for m%p == 0 {
			d.factors = append(d.factors, p)
			m /= p
		}
		if p > 64 && m > 1 {
			d.factors, d.chirp = nil, newChirp(n, sign)
			break
		}
	}
	return d
}

// sincosTurn is sine and cosine of j/n turns, exact at multiples of an eighth.
func sincosTurn(j, n int) (sin, cos float64) {
	eighths := 8 * j / n
	rest := 8*j - eighths*n // j/n = eighths/8 + rest/(8n)
	if eighths%2 == 1 {     // count back from the next quarter
		rest = n - rest
	}
	s, c := math.Sincos(2 * math.Pi * float64(rest) / float64(8*n))
	switch eighths {
	case 0:
		return s, c
	case 1:
		return c, s
	case 2:
		return c, -s
	case 3:
		return s, -c
	case 4:
		return -s, -c
	case 5:
		return -c, -s
	case 6:
		return -c, s
	}
	return -s, c
}

func (d *dft) run(x []complex128) {
	if d.n <= 1 {
		return
	}
	if d.chirp != nil {
		d.chirp.run(x)
	} else {
		out := make([]complex128, d.n)
		d.step(out, x, 1, d.factors)
		copy(x, out)
	}
	if d.inverse {
		scale := complex(1/float64(d.n), 0)
		for i := range x {
			x[i] *= scale
		}
	}
}

// step computes the transform of in[0], in[stride], … into out, splitting off one factor at a time (Cooley and Tukey).
func (d *dft) step(out, in []complex128, stride int, factors []int) {
	n := len(out)
	if n == 1 {
		out[0] = in[0]
		return
	}
	p := factors[0]
	m := n / p
	for r := range p {
		d.step(out[r*m:(r+1)*m], in[r*stride:], stride*p, factors[1:])
	}
	var tmp [67]complex128
	turn := d.n / n // roots of order n are every turn-th root
	for k := range m {
		for r := range p {
			tmp[r] = out[r*m+k] * d.roots[(r*k*turn)%d.n]
		}
		for q := range p {
			var s complex128
			for r := range p {
				s += tmp[r] * d.roots[(r*q*(d.n/p))%d.n]
			}
			out[q*m+k] = s
		}
	}
}

// chirp is Bluestein's algorithm: a transform of any length as a convolution of length a power of two.
type chirp struct {
	n, m    int
	w       []complex128 // exp(±πi j²/n)
	filter  []complex128 // transform of the conjugate chirp
	forward *dft
	back    *dft
}

func newChirp(n int, sign float64) *chirp {
	c := &chirp{n: n, m: 1 << bits.Len(uint(2*n-2))}
	c.forward, c.back = newDFT(c.m, false), newDFT(c.m, true)
	c.w = make([]complex128, n)
	for j := range c.w {
		hi, lo := bits.Mul64(uint64(j), uint64(j))
		_, r := bits.Div64(hi%uint64(2*n), lo, uint64(2*n))
		s, co := sincosTurn(int(r), 2*n)
		c.w[j] = complex(co, sign*s)
	}
	c.filter = make([]complex128, c.m)
	for j, w := range c.w {
		c.filter[j] = cmplx.Conj(w)
		if j > 0 {
			c.filter[c.m-j] = cmplx.Conj(w)
		}
	}
	c.forward.run(c.filter)
	return c
}

func (c *chirp) run(x []complex128) {
	buf := make([]complex128, c.m)
	for j, w := range c.w {
		buf[j] = x[j] * w
	}
	c.forward.run(buf)
	for j, h := range c.filter {
		buf[j] *= h
	}
	c.back.run(buf)
	for j, w := range c.w {
		x[j] = buf[j] * w
	}
}

// complexReader reads element i of a float or complex value.
func complexReader(v *value) func(f *frame, i int) complex128 {
	r := v.ref()
	switch v.dtype {
	case array.Float32:
		return func(f *frame, i int) complex128 { return complex(float64(elems[float32](f, r)[i]), 0) }
	case array.Float64:
		return func(f *frame, i int) complex128 { return complex(elems[float64](f, r)[i], 0) }
	case array.Complex64:
		return func(f *frame, i int) complex128 { return complex128(elems[complex64](f, r)[i]) }
	case array.Complex128:
		return func(f *frame, i int) complex128 { return elems[complex128](f, r)[i] }
	}
	if c, ok := is16(v.dtype); ok {
		return func(f *frame, i int) complex128 { return complex(float64(c.get(elems[uint16](f, r)[i])), 0) }
	}
	return nil
}

// complexWriter rounds to element i of a float or complex value; a float gets the real part.
func complexWriter(v *value) func(f *frame, i int, x complex128) {
	r := v.ref()
	switch v.dtype {
	case array.Float32:
		return func(f *frame, i int, x complex128) { elems[float32](f, r)[i] = float32(real(x)) }
	case array.Float64:
		return func(f *frame, i int, x complex128) { elems[float64](f, r)[i] = real(x) }
	case array.Complex64:
		return func(f *frame, i int, x complex128) { elems[complex64](f, r)[i] = complex64(x) }
	case array.Complex128:
		return func(f *frame, i int, x complex128) { elems[complex128](f, r)[i] = x }
	}
	if c, ok := is16(v.dtype); ok {
		return func(f *frame, i int, x complex128) { elems[uint16](f, r)[i] = c.put(oddFromFloat(real(x))) }
	}
	return nil
}
