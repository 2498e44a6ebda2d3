package main

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Factorisations whose factors are not unique are judged by the equations that define them.

// matrix is a square matrix of any element type, for a handful of rows.
type matrix [][]complex128

func newMatrix(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]complex128, n)
	}
	return m
}

func matrixOf(b *array.Buffer) (matrix, error) {
	s := b.Shape()
	if len(s) != 2 || s[0] != s[1] {
		return nil, fmt.Errorf("%s is no square matrix", b.Aval())
	}
	m := newMatrix(s[0])
	for i := range m {
		for j := range m {
			m[i][j] = b.Complex(i*s[1] + j)
		}
	}
	return m, nil
}

func (m matrix) times(x matrix) matrix {
	out := newMatrix(len(m))
	for i := range m {
		for j := range m {
			for k := range m {
				out[i][j] += m[i][k] * x[k][j]
			}
		}
	}
	return out
}

// h is the conjugate transpose.
func (m matrix) h() matrix {
	out := newMatrix(len(m))
	for i := range m {
		for j := range m {
			out[i][j] = cmplx.Conj(m[j][i])
		}
	}
	return out
}

// scaled multiplies column j by w[j].
func (m matrix) scaled(w []complex128) matrix {
	out := newMatrix(len(m))
	for i := range m {
		for j := range m {
			out[i][j] = m[i][j] * w[j]
		}
	}
	return out
}

// norm is the largest element.
func (m matrix) norm() float64 {
	largest := 0.0
	for i := range m {
		for j := range m {
			largest = max(largest, cmplx.Abs(m[i][j]))
			if cmplx.IsNaN(m[i][j]) {
				return math.Inf(1)
			}
		}
	}
	return largest
}

// same asks for two matrices that differ by tol at most.
func same(what string, x, y matrix, tol float64) error {
	d := newMatrix(len(x))
	for i := range x {
		for j := range x {
			d[i][j] = x[i][j] - y[i][j]
		}
	}
	if n := d.norm(); !(n <= tol) {
		return fmt.Errorf("%s does not hold: off by %g, allowed %g", what, n, tol)
	}
	return nil
}

func identity(n int) matrix {
	m := newMatrix(n)
	for i := range m {
		m[i][i] = 1
	}
	return m
}

// sameValues asks for the same numbers in any order.
func sameValues(what string, got, want []complex128, tol float64) error {
	left := slices.Clone(want)
	for _, g := range got {
		at := -1
		for i, w := range left {
			if d := cmplx.Abs(g - w); d <= tol && (at < 0 || d < cmplx.Abs(g-left[at])) {
				at = i
			}
		}
		if at < 0 {
			return fmt.Errorf("%s: %v is not among %v", what, g, left)
		}
		left = slices.Delete(left, at, at+1)
	}
	return nil
}

func vectorOf(b *array.Buffer) []complex128 {
	v := make([]complex128, b.Len())
	for i := range v {
		v[i] = b.Complex(i)
	}
	return v
}

// diagonal are the eigenvalues of a matrix that is triangular but for blocks of 2×2, as of a real Schur form.
func (m matrix) diagonal() []complex128 {
	var v []complex128
	for i := 0; i < len(m); i++ {
		if i+1 == len(m) || m[i+1][i] == 0 {
			v = append(v, m[i][i])
			continue
		}
		mean := (m[i][i] + m[i+1][i+1]) / 2
		root := cmplx.Sqrt(mean*mean - m[i][i]*m[i+1][i+1] + m[i][i+1]*m[i+1][i])
		v = append(v, mean+root, mean-root)
		i++
	}
	return v
}

// eigenvectors asks for A V = V diag(w).
func eigenvectors(what string, a, v matrix, w []complex128, tol float64) error {
	return same(what, a.times(v), v.scaled(w), tol)
}

// tolerance is what rounding may cost in an equation between products of a's size.
func tolerance(d array.DType, a matrix) float64 {
	eps := 1e-6
	if d == array.Float64 || d == array.Complex128 {
		eps = 1e-14
	}
	return 20 * eps * float64(len(a)) * max(a.norm(), 1)
}

// symmetricEigen judges v, w of a symmetric matrix, of which the lower triangle counts.
func symmetricEigen(a matrix, got, expected []*array.Buffer) error {
	for i := range a {
		for j := i + 1; j < len(a); j++ {
			a[i][j] = cmplx.Conj(a[j][i])
		}
	}
	v, err := matrixOf(got[0])
	if err != nil {
		return err
	}
	tol := tolerance(got[0].DType(), a)
	if err := within(tol)(got[1], expected[1]); err != nil {
		return fmt.Errorf("w: %w", err)
	}
	if err := eigenvectors("A v = w v", a, v, vectorOf(got[1]), tol); err != nil {
		return err
	}
	return same("v^H v = I", v.h().times(v), identity(len(v)), tol)
}

// generalEigen judges w, vl, vr.
func generalEigen(a matrix, got, expected []*array.Buffer) error {
	vl, err1 := matrixOf(got[1])
	vr, err2 := matrixOf(got[2])
	if err1 != nil || err2 != nil {
		return fmt.Errorf("the eigenvectors are no square matrices")
	}
	tol := tolerance(got[0].DType(), a)
	w := vectorOf(got[0])
	if err := sameValues("w", w, vectorOf(expected[0]), tol); err != nil {
		return err
	}
	if err := eigenvectors("A v = w v", a, vr, w, tol); err != nil {
		return err
	}
	for j := range vr {
		for side, m := range map[string]matrix{"left": vl, "right": vr} {
			length := 0.0
			for i := range m {
				length += real(m[i][j])*real(m[i][j]) + imag(m[i][j])*imag(m[i][j])
			}
			if math.Abs(length-1) > tol {
				return fmt.Errorf("%s eigenvector %d has length² %g", side, j, length)
			}
		}
	}
	conj := make([]complex128, len(w))
	for i, x := range w {
		conj[i] = cmplx.Conj(x)
	}
	return eigenvectors("u^H A = w u^H", a.h(), vl, conj, tol)
}

// schur judges T, Z.
func schur(a matrix, got, expected []*array.Buffer) error {
	t, err1 := matrixOf(got[0])
	z, err2 := matrixOf(got[1])
	want, err3 := matrixOf(expected[0])
	if err1 != nil || err2 != nil || err3 != nil {
		return fmt.Errorf("the factors are no square matrices")
	}
	tol := tolerance(got[0].DType(), a)
	if err := same("Z T Z^H = A", z.times(t).times(z.h()), a, tol); err != nil {
		return err
	}
	if err := same("Z^H Z = I", z.h().times(z), identity(len(z)), tol); err != nil {
		return err
	}
	return sameValues("the diagonal of T", t.diagonal(), want.diagonal(), 100*tol)
}

// equations are the judges of what the cases say in words, by how that begins.
var equations = []struct {
	begins string
	judge  func(a matrix, got, expected []*array.Buffer) error
}{
	{"w closely; v only through", symmetricEigen},
	{"w as a multiset; vl and vr", generalEigen},
	{"T and Z only through", schur},
}

// factorised is what the first routine of LAPACK that main calls is given: main is cut off there.
func factorised(ctx context.Context, engine backend.Backend, m *hlo.Module, inputs []*array.Buffer) (matrix, error) {
	main := m.Func("main")
	blk := main.Body.Block()
	at := slices.IndexFunc(blk.Ops, func(op *hlo.Op) bool {
		target, _ := op.Attr("call_target_name").(hlo.String)
		return strings.HasPrefix(target.Value, "lapack_")
	})
	if at < 0 {
		return nil, fmt.Errorf("main calls no routine of LAPACK")
	}
	operand := blk.Ops[at].Operands[0]
	ops := append(slices.Clone(blk.Ops[:at]), &hlo.Op{Name: "func.return", Operands: []*hlo.Value{operand}})
	cut := &hlo.Module{Name: m.Name, Attrs: m.Attrs}
	for _, f := range m.Funcs {
		if f == main {
			f = &hlo.Func{Name: "main", In: main.In, Out: []hlo.Type{operand.Type}, ArgAttrs: main.ArgAttrs,
				Body: &hlo.Region{Blocks: []*hlo.Block{{Args: blk.Args, Ops: ops}}}}
		}
		cut.Funcs = append(cut.Funcs, f)
	}
	out, err := runMain(ctx, engine, cut, m.Name, inputs)
	if err != nil {
		return nil, err
	}
	return matrixOf(out[0])
}
