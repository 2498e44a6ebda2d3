package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// GeqrfP is a = Q R in LAPACK's form: R on and above the diagonal, below it the vectors v of the reflectors I - τ v vᴴ whose
// product is Q.
//
//	a [..., m, n]   →   [..., m, n], τ [..., min(m, n)] same dtype
type GeqrfP struct{}

// Name implements primitive.Primitive.
func (GeqrfP) Name() string { return "geqrf" }

// Shape implements primitive.Primitive.
func (GeqrfP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := matrixOperand(in)
	if err != nil {
		return nil, err
	}
	m, n := sizes(a.Shape)
	return []array.Aval{a, like(a, min(m, n))}, nil
}

// Batch implements vmap.Batcher.
func (p GeqrfP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p GeqrfP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		if !hasLapack(c) {
			r, tau := geqrfPortable(x[0])
			return []*array.Array{r, tau}
		}
		return lapackP{Routine: "geqrf", Aliases: overwriting}.call(out, x...)
	})
}

// Geqp3P is GeqrfP with columns exchanged so that the diagonal of R decreases in size.
//
//	a [..., m, n], fixed int32 [..., n]   →   [..., m, n], pivots int32 [..., n], τ [..., min(m, n)]
//
// Columns with a number other than 0 in fixed come first; column pivots[i]-1 of a is column i of Q R.
type Geqp3P struct{}

// Name implements primitive.Primitive.
func (Geqp3P) Name() string { return "geqp3" }

// Shape implements primitive.Primitive.
func (Geqp3P) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes two operands, got %d", len(in))
	}
	a, err := matrixOperand(in[:1])
	if err != nil {
		return nil, err
	}
	m, n := sizes(a.Shape)
	pivots := like(withType(a, array.Int32), n)
	if in[1].DType != array.Int32 || !in[1].Shape.Equal(pivots.Shape) {
		return nil, array.ShapeErrorf("the fixed columns are %s; they must be %s for a matrix %s", in[1], pivots, a)
	}
	return []array.Aval{a, pivots, like(a, min(m, n))}, nil
}

// Batch implements vmap.Batcher.
func (p Geqp3P) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p Geqp3P) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		return lapackP{Routine: "geqp3", Aliases: array.MakeInts(0, 0, 1, 1)}.call(out, x...)
	})
}

// HouseholderProductP multiplies the reflectors of GeqrfP: the first n columns of Q.
//
//	a [..., m, n], m ≥ n, τ [..., p], p ≤ n, same dtype   →   [..., m, n]
type HouseholderProductP struct{}

// Name implements primitive.Primitive.
func (HouseholderProductP) Name() string { return "householder_product" }

// Shape implements primitive.Primitive.
func (HouseholderProductP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes two operands, got %d", len(in))
	}
	a, err := matrixOperand(in[:1])
	if err != nil {
		return nil, err
	}
	m, n := sizes(a.Shape)
	tau, rank := in[1], a.Shape.Rank()
	switch {
	case m < n:
		return nil, array.ShapeErrorf("operand is %s; it must have at least as many rows as columns", a)
	case tau.DType != a.DType || tau.Shape.Rank() != rank-1 || !tau.Shape[:rank-2].Equal(a.Shape[:rank-2]):
		return nil, array.ShapeErrorf("the factors are %s; they must have dtype and batch axes of %s", tau, a)
	case tau.Shape[rank-2] > n:
		return nil, array.ShapeErrorf("%d reflectors for %d columns", tau.Shape[rank-2], n)
	}
	return []array.Aval{a}, nil
}

// Batch implements vmap.Batcher.
func (p HouseholderProductP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p HouseholderProductP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		if !hasLapack(c) {
			return []*array.Array{householderPortable(x[0], x[1])}
		}
		return lapackP{Routine: "or|ungqr", Aliases: overwriting}.call(out, x...)
	})
}

// HouseholderProduct multiplies the reflectors of QRRaw. See HouseholderProductP.
func HouseholderProduct(a, tau any) *array.Array {
	xs := operands("HouseholderProduct", a, tau)
	return primitive.Bind(HouseholderProductP{}, xs...)
}

// QrP is a = Q R, with k = min(m, n), or m with FullMatrices. With Pivoting the columns of a are exchanged so that the
// diagonal of R decreases in size: a[:, p] = Q R.
//
//	a [..., m, n]   →   q [..., m, k] with orthonormal columns, r [..., k, n] upper triangular, p int32 [..., n]
//
// JVP: Walter and Lehmann; for wide matrices the square part gives dQ and dR₂ follows from R₂ = Qᴴ a₂; for full Q of a
// tall matrix arXiv:2409.13374.
type QrP struct{ FullMatrices, Pivoting bool }

// Name implements primitive.Primitive.
func (QrP) Name() string { return "qr" }

// Shape implements primitive.Primitive.
func (p QrP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := matrixOperand(in)
	if err != nil {
		return nil, err
	}
	m, n := sizes(a.Shape)
	k := min(m, n)
	if p.FullMatrices {
		k = m
	}
	out := []array.Aval{like(a, m, k), like(a, k, n)}
	if p.Pivoting {
		out = append(out, like(withType(a, array.Int32), n))
	}
	return out, nil
}

// JVP implements vjp.Differentiable.
func (p QrP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	y = primitive.BindAll(p, x...)
	q, r, a, da := y[0], y[1], x[0], dx[0]
	dy = make([]*array.Array, len(y))
	if p.Pivoting {
		order := y[2].ExpandDims(-2)
		a, da = np.TakeAlongAxis(a, order, np.Axis(-1)), np.TakeAlongAxis(da, order, np.Axis(-1))
	}
	m, n := sizes(a.Shape())
	if m < n {
		dq, dr := thinTangents(q, cut(r, 0, m, 0, m), cut(da, 0, m, 0, m))
		dr2 := mul(adjoint(dq), cut(a, 0, m, m, n)).Add(mul(adjoint(q), cut(da, 0, m, m, n)))
		dy[0], dy[1] = dq, np.Concatenate([]*array.Array{dr, dr2}, np.Axis(-1))
		return y, dy, nil
	}
	qn := cut(q, 0, m, 0, n)
	dq, dr := thinTangents(qn, cut(r, 0, n, 0, n), da)
	if p.FullMatrices && m > n {
		top, below, rest := cut(qn, 0, n, 0, n), cut(qn, n, m, 0, n), cut(q, 0, m, n, m)
		// z = below (top - 1)⁻¹, by the adjoint system.
		zh := Solve(adjoint(top.Sub(eye(n, q.DType()))), adjoint(below))
		z := adjoint(zh)
		dtop, dbelow := cut(dq, 0, n, 0, n), cut(dq, n, m, 0, n)
		drest := mul(dq, zh).Sub(mul(qn.Add(mul(rest, z)), adjoint(dbelow.Sub(mul(z, dtop)))))
		dq = np.Concatenate([]*array.Array{dq, drest}, np.Axis(-1))
		dr = grown(dr, m, n)
	}
	dy[0], dy[1] = dq, dr
	return y, dy, nil
}

// thinTangents are those of Q and R for a matrix of at least as many rows as columns.
func thinTangents(q, r, da *array.Array) (dq, dr *array.Array) {
	right := TriangularSolve(r, da, TriangularSolveP{})
	inner := mul(adjoint(q), right)
	low := np.Tril(inner, -1)
	turn := low.Sub(adjoint(low)) // skew-Hermitian
	if inner.DType().IsComplex() {
		imaginary := inner.Sub(inner.Real().AsType(inner.DType()))
		turn = turn.Add(imaginary.Mul(eye(r.Shape()[r.Rank()-1], r.DType())))
	}
	return mul(q, turn.Sub(inner)).Add(right), mul(inner.Sub(turn), r)
}

// Batch implements vmap.Batcher.
func (p QrP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable: GeqrfP or Geqp3P, and HouseholderProductP.
func (p QrP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		a := x[0]
		m, n := sizes(a.Shape())
		var r, tau, pivots *array.Array
		if p.Pivoting {
			y := primitive.BindAll(Geqp3P{}, a, primitive.Full(out[2], 0))
			r, tau, pivots = y[0], y[2], primitive.Sub(y[1], primitive.Full(out[2], 1))
		} else {
			y := primitive.BindAll(GeqrfP{}, a)
			r, tau = y[0], y[1]
		}
		_, k := sizes(out[0].Shape)
		q := primitive.Bind(HouseholderProductP{}, grown(cut(r, 0, m, 0, min(k, n)), m, k), tau)
		y := []*array.Array{q, np.Triu(cut(r, 0, k, 0, n), 0)}
		if p.Pivoting {
			y = append(y, pivots)
		}
		return y
	})
}

// QR returns the factors of a = Q R, with min(m, n) columns of Q, or with Complete all m. See QrP.
//
//	a [..., m, n]   →   q [..., m, k], r [..., k, n]
func QR(a any, opts ...Option) (q, r *array.Array) {
	s := gather("QR", opts, "Complete", "Reduced")
	y := primitive.BindAll(QrP{FullMatrices: s.full}, matrices("QR", a))
	return y[0], y[1]
}

// QRPivoted returns the factors of a[:, p] = Q R, where the diagonal of R decreases in size.
//
//	a [..., m, n]   →   q [..., m, k], r [..., k, n], p int32 [..., n]
func QRPivoted(a any, opts ...Option) (q, r, p *array.Array) {
	s := gather("QRPivoted", opts, "Complete", "Reduced")
	y := primitive.BindAll(QrP{FullMatrices: s.full, Pivoting: true}, matrices("QRPivoted", a))
	return y[0], y[1], y[2]
}

// QRRaw returns LAPACK's form of the factors as NumPy's mode raw has it, transposed: h[i] is column i of GeqrfP's matrix.
//
//	a [..., m, n]   →   h [..., n, m], τ [..., min(m, n)]
func QRRaw(a any) (h, tau *array.Array) {
	y := primitive.BindAll(GeqrfP{}, matrices("QRRaw", a))
	return np.MatrixTranspose(y[0]), y[1]
}
