package lapack

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// call runs a routine on column-major operands and returns its results.
func call(t *testing.T, target string, attrs hlo.Attrs, in []*array.Buffer, out ...array.Aval) []*array.Buffer {
	t.Helper()
	results, err := tryCall(target, attrs, in, out...)
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	return results
}

func tryCall(target string, attrs hlo.Attrs, in []*array.Buffer, out ...array.Aval) ([]*array.Buffer, error) {
	h, ok := Handlers.Handler(target, "cpu", 4)
	if !ok {
		return nil, fmt.Errorf("no handler")
	}
	site := &backend.CallSite{Target: target, APIVersion: 4, Attrs: attrs, Results: out}
	frame := &backend.CallFrame{CallSite: site, Operands: in}
	for _, b := range in {
		site.Operands = append(site.Operands, array.Aval{Shape: b.Shape(), DType: b.DType()})
	}
	for _, a := range out {
		frame.Results = append(frame.Results, array.NewBuffer(a.DType, a.Shape))
	}
	err := h.Call(context.Background(), frame)
	return frame.Results, err
}

func char(name string, c byte) hlo.Attrs {
	return hlo.Attrs{{Name: name, Value: hlo.Int{Value: int64(c), Type: "ui8"}}}
}

func aval(d array.DType, shape ...int) array.Aval { return array.Aval{Shape: shape, DType: d} }

// columns stores matrices column by column.
func columns[T scalar](d array.DType, ms ...matrix[T]) *array.Buffer {
	b := array.NewBuffer(d, array.Shape{len(ms), ms[0].rows, ms[0].cols})
	at := 0
	for _, m := range ms {
		for j := range m.cols {
			for i := range m.rows {
				b.SetComplex(at, toComplex(m.at(i, j)))
				at++
			}
		}
	}
	return b
}

func toComplex[T scalar](x T) complex128 {
	if c, ok := any(x).(complex128); ok {
		return c
	}
	return complex(any(x).(float64), 0)
}

// matrixOf reads element k of a batch that lies column by column.
func matrixOf(b *array.Buffer, k int) matrix[complex128] {
	s := b.Shape()
	m := newMatrix[complex128](s[1], s[2])
	for j := range m.cols {
		for i := range m.rows {
			m.set(i, j, b.Complex(k*len(m.a)+j*m.rows+i))
		}
	}
	return m
}

func random(rng *rand.Rand, rows, cols int) matrix[complex128] {
	m := newMatrix[complex128](rows, cols)
	for i := range m.a {
		m.a[i] = complex(rng.NormFloat64(), rng.NormFloat64())
	}
	return m
}

func times(x, y matrix[complex128]) matrix[complex128] {
	z := newMatrix[complex128](x.rows, y.cols)
	for i := range x.rows {
		for k, v := range x.row(i) {
			axpy(z.row(i), v, y.row(k))
		}
	}
	return z
}

func apart(x, y matrix[complex128]) float64 {
	worst := 0.0
	for i := range x.a {
		worst = max(worst, cmplx.Abs(x.a[i]-y.a[i]))
	}
	return worst
}

// The reflectors of the reduction to tridiagonal form take the matrix there, for both triangles.
func TestReflectorsOfTheTridiagonalForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 7; n++ {
		a := random(rng, n, n)
		h := hermitianFrom(a, false)
		for _, upper := range []bool{false, true} {
			uplo := byte('L')
			if upper {
				uplo = 'U'
			}
			c := array.Complex128
			out := call(t, "lapack_zhetrd_ffi", char("uplo", uplo), []*array.Buffer{columns(c, h)},
				aval(c, 1, n, n), aval(array.Float64, 1, n), aval(array.Float64, 1, n-1), aval(c, 1, n-1), aval(array.Int32, 1))
			reflectors := matrixOf(out[0], 0)
			q := identity[complex128](n)
			for k := range n - 1 {
				i := n - 2 - k // the product is H(0) H(1) … for the lower triangle, the other way round for the upper one
				if upper {
					i = k
				}
				v := make([]complex128, n)
				if upper {
					copy(v, reflectors.column(0, i+1)[:i])
					v[i] = 1
				} else {
					v[i+1] = 1
					copy(v[i+2:], reflectors.column(i+2, i))
				}
				reflectLeft(q, 0, 0, v, out[3].Complex(i))
			}
			want := newMatrix[complex128](n, n)
			for i := range n {
				want.set(i, i, out[1].Complex(i))
				if i < n-1 {
					want.set(i, i+1, out[2].Complex(i))
					want.set(i+1, i, out[2].Complex(i))
				}
			}
			if d := apart(times(times(q.adjoint(), h), q), want); d > 1e-13 {
				t.Errorf("n %d, %c: Qᴴ a Q is off by %g", n, uplo, d)
			}
		}
	}
}

// Left and right eigenvectors of real and complex matrices, two to a batch.
func TestEigenvectorsOnBothSides(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	both := append(char("compute_left", 'V'), char("compute_right", 'V')...)
	for _, n := range []int{1, 2, 5, 12} {
		for _, isReal := range []bool{false, true} {
			ms := []matrix[complex128]{random(rng, n, n), random(rng, n, n)}
			target, d := "lapack_zgeev_ffi", array.Complex128
			outs := []array.Aval{aval(d, 2, n), aval(d, 2, n, n), aval(d, 2, n, n), aval(array.Int32, 2)}
			if isReal {
				target, d = "lapack_dgeev_ffi", array.Float64
				outs[0].DType = d
				outs = append([]array.Aval{outs[0]}, outs...)
				for _, m := range ms {
					for i := range m.a {
						m.a[i] = complex(real(m.a[i]), 0)
					}
				}
			}
			out := call(t, target, both, []*array.Buffer{columns(d, ms...)}, outs...)
			for k, a := range ms {
				w := func(i int) complex128 { return out[0].Complex(k*n + i) }
				if isReal {
					w = func(i int) complex128 { return complex(out[0].Float(k*n+i), out[1].Float(k*n+i)) }
				}
				vectors := out[len(out)-3:]
				for i := range n {
					u := matrix[complex128]{n, 1, matrixOf(vectors[0], k).column(0, i)}
					v := matrix[complex128]{n, 1, matrixOf(vectors[1], k).column(0, i)}
					for j := range n {
						if d := cmplx.Abs(times(a, v).a[j] - w(i)*v.a[j]); d > 1e-12 {
							t.Errorf("%s %d: a v is off by %g", target, n, d)
						}
						if d := cmplx.Abs(times(u.adjoint(), a).a[j] - w(i)*u.adjoint().a[j]); d > 1e-12 {
							t.Errorf("%s %d: uᴴ a is off by %g", target, n, d)
						}
					}
				}
			}
		}
	}
}

// A defective matrix has fewer eigenvectors than rows; those found are still ones.
func TestDefectiveMatrix(t *testing.T) {
	a := matrix[complex128]{3, 3, []complex128{2, 1, 0, 0, 2, 1, 0, 0, 2}}
	c := array.Complex128
	out := call(t, "lapack_zgeev_ffi", char("compute_right", 'V'), []*array.Buffer{columns(c, a)}, aval(c, 1, 3), aval(c, 1, 3, 3), aval(c, 1, 3, 3), aval(array.Int32, 1))
	v := matrixOf(out[2], 0)
	for i := range v.a {
		if w := times(a, v).a[i] - 2*v.a[i]; cmplx.Abs(w) > 1e-9 {
			t.Errorf("a v - 2 v has an element %v", w)
		}
	}
}

func TestStatus(t *testing.T) {
	d := array.Float64
	one := func(v ...float64) *array.Buffer {
		return columns(d, matrix[float64]{2, 2, v})
	}
	lu := []array.Aval{aval(d, 1, 2, 2), aval(array.Int32, 1, 2), aval(array.Int32, 1)}
	if out := call(t, "lapack_dgetrf_ffi", nil, []*array.Buffer{one(1, 2, 2, 4)}, lu...); out[2].Int(0) != 2 {
		t.Errorf("status %d of a singular matrix, want 2", out[2].Int(0))
	}
	chol := []array.Aval{aval(d, 1, 2, 2), aval(array.Int32, 1)}
	if out := call(t, "lapack_dpotrf_ffi", char("uplo", 'L'), []*array.Buffer{one(1, 2, 2, 1)}, chol...); out[1].Int(0) != 2 {
		t.Errorf("status %d of an indefinite matrix, want 2", out[1].Int(0))
	}
	out := call(t, "lapack_dpotrf_ffi", char("uplo", 'U'), []*array.Buffer{one(4, 2, 99, 5)}, chol...)
	if m := matrixOf(out[0], 0); m.at(0, 0) != 2 || m.at(0, 1) != 1 || m.at(1, 1) != 2 || m.at(1, 0) != 99 {
		t.Errorf("the upper factor beside the triangle that is not read: %v", m.a)
	}
	sv := []array.Aval{aval(d, 1, 2, 2), aval(d, 1, 2), aval(d, 1, 2, 2), aval(d, 1, 2, 2), aval(array.Int32, 1)}
	if out := call(t, "lapack_dgesdd_ffi", char("mode", 'A'), []*array.Buffer{one(1, math.NaN(), 0, 1)}, sv...); out[4].Int(0) == 0 || !math.IsNaN(out[1].Float(0)) {
		t.Errorf("status %d, singular value %v of a matrix with a NaN", out[4].Int(0), out[1].Float(0))
	}
}

// A call that does not fit is refused before anything runs.
func TestRefusals(t *testing.T) {
	f, d := array.Float32, array.Float64
	sq := array.NewBuffer(d, array.Shape{2, 2})
	for name, try := range map[string]func() error{
		"count": func() error { _, err := tryCall("lapack_dgetrf_ffi", nil, []*array.Buffer{sq, sq}); return err },
		"dtype": func() error {
			_, err := tryCall("lapack_sgeqrf_ffi", nil, []*array.Buffer{sq}, aval(f, 2, 2), aval(f, 2))
			return err
		},
		"shape": func() error {
			_, err := tryCall("lapack_dgeqrf_ffi", nil, []*array.Buffer{sq}, aval(d, 2, 3), aval(d, 2))
			return err
		},
		"k": func() error {
			_, err := tryCall("lapack_dgeqrf_ffi", nil, []*array.Buffer{sq}, aval(d, 2, 2), aval(d, 1))
			return err
		},
		"rank": func() error {
			_, err := tryCall("lapack_dpotrf_ffi", nil, []*array.Buffer{array.NewBuffer(d, array.Shape{2})}, aval(d, 2), aval(array.Int32))
			return err
		},
		"batch": func() error {
			_, err := tryCall("lapack_dpotrf_ffi", nil, []*array.Buffer{sq}, aval(d, 2, 2), aval(array.Int32, 3))
			return err
		},
		"wide": func() error {
			_, err := tryCall("lapack_dorgqr_ffi", nil, []*array.Buffer{array.NewBuffer(d, array.Shape{2, 3}), array.NewBuffer(d, array.Shape{1})}, aval(d, 2, 3))
			return err
		},
		"beside": func() error {
			_, err := tryCall("lapack_dgehrd_ffi", nil, []*array.Buffer{sq}, aval(d, 2, 2), aval(d, 2), aval(array.Int32))
			return err
		},
		"side": func() error {
			_, err := tryCall("lapack_dtrsm_ffi", char("side", 'R'), []*array.Buffer{sq, array.NewBuffer(d, array.Shape{2, 3})}, aval(d, 2, 3))
			return err
		},
		"mode": func() error {
			_, err := tryCall("lapack_dgesdd_ffi", char("mode", 'A'), []*array.Buffer{array.NewBuffer(d, array.Shape{2, 3})}, aval(d, 2, 3), aval(d, 2), aval(d, 2, 2), aval(d, 2, 3), aval(array.Int32))
			return err
		},
	} {
		if err := try(); err == nil {
			t.Errorf("%s: the call is accepted", name)
		}
	}
	for _, target := range []string{"lapack_xgetrf_ffi", "lapack_sgetrf", "lapack_ffi", "lapack_s_ffi", "lapack_sungqr_ffi", "lapack_corgqr_ffi", "getrf"} {
		if _, ok := Handlers.Handler(target, "cpu", 4); ok {
			t.Errorf("%s has a handler", target)
		}
	}
	if _, ok := Handlers.Handler("lapack_sgetrf_ffi", "cuda", 4); ok {
		t.Error("a routine of the processor serves cuda")
	}
}
