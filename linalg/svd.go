package linalg

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// SvdP is a = U diag(s) Vᴴ with s descending and k = min(m, n).
//
//	a [..., m, n]   →   s [..., k] real; with ComputeUV also U [..., m, k] and Vᴴ [..., k, n] same dtype, or with FullMatrices
//	                    U [..., m, m] and Vᴴ [..., n, n]
//
// The sign, or phase, of each pair of vectors is free.
//
// JVP: ds = diag(Uᴴ da V); dU and dV as in Giles, NA-08/01, section 3.2, which need distinct singular values, and for
// FullMatrices a square a.
type SvdP struct{ ComputeUV, FullMatrices bool }

// Name implements primitive.Primitive.
func (SvdP) Name() string { return "svd" }

// Params implements primitive.Parametric.
func (p SvdP) Params() []primitive.Param {
	return []primitive.Param{{Name: "compute_uv", Value: p.ComputeUV}, {Name: "full_matrices", Value: p.FullMatrices}}
}

// Shape implements primitive.Primitive.
func (p SvdP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := matrixOperand(in)
	if err != nil {
		return nil, err
	}
	m, n := sizes(a.Shape)
	k := min(m, n)
	out := []array.Aval{like(withType(a, a.DType.Real()), k)}
	switch {
	case p.ComputeUV && p.FullMatrices:
		out = append(out, like(a, m, m), like(a, n, n))
	case p.ComputeUV:
		out = append(out, like(a, m, k), like(a, k, n))
	}
	return out, nil
}

// JVP implements vjp.Differentiable.
func (p SvdP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	a, da := x[0], dx[0]
	m, n := sizes(a.Shape())
	if p.ComputeUV && p.FullMatrices && m != n {
		return nil, nil, array.ArgumentErrorf("the full factors of a matrix of %d×%d have no derivative: the vectors without a singular value are free; ask for Reduced ones", m, n)
	}
	y = primitive.BindAll(SvdP{ComputeUV: true}, a)
	s, u, vh := y[0], y[1], y[2]
	uh, v, d := adjoint(u), adjoint(vh), a.DType()
	inner := mul(mul(uh, da), v)
	ds := realPart(diagonal(inner))
	if !p.ComputeUV {
		return y[:1], []*array.Array{ds}, nil
	}
	one := eye(s.Shape()[s.Rank()-1], s.DType())
	row, column := s.ExpandDims(-2), s.ExpandDims(-1)
	f := np.Reciprocal(row.Add(column).Mul(row.Sub(column)).Add(one)).Sub(one).AsType(d)
	right, left := inner.Mul(row.AsType(d)), inner.Mul(column.AsType(d))
	isZero := s.Equal(0).AsType(s.DType())
	inverse := np.Reciprocal(s.Add(isZero)).Sub(isZero)
	phase := inner.Sub(adjoint(inner)).Div(2).Mul(inverse.ExpandDims(-1).Mul(one).AsType(d))
	du := mul(u, f.Mul(right.Add(adjoint(right))).Add(phase))
	dv := mul(v, f.Mul(left.Add(adjoint(left))))
	if m > n {
		rest := mul(da, v)
		du = du.Add(rest.Sub(mul(u, mul(uh, rest))).Div(row.AsType(d)))
	}
	if n > m {
		rest := mul(adjoint(da), u)
		dv = dv.Add(rest.Sub(mul(v, mul(vh, rest))).Div(row.AsType(d)))
	}
	return y, []*array.Array{ds, du, adjoint(dv)}, nil
}

// Batch implements vmap.Batcher.
func (p SvdP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p SvdP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		a := x[0].Aval()
		m, n := sizes(a.Shape)
		mode, nu, nv := byte('N'), min(m, n), min(m, n)
		switch {
		case p.ComputeUV && p.FullMatrices:
			mode, nu, nv = 'A', m, n
		case p.ComputeUV:
			mode = 'S'
		}
		if !hasLapack(c) {
			return svdElsewhere(x[0], nu, nv)[:len(out)]
		}
		call := lapackP{Routine: "gesdd", Aliases: overwriting, Attrs: [3]attr{char("mode", mode)}}
		y := call.call([]array.Aval{a, out[0], like(a, m, nu), like(a, nv, n), statusOf(a)}, x...)
		ok := y[4].Equal(0)
		var results []*array.Array
		for _, r := range y[1 : 1+len(out)] {
			results = append(results, whereOK(ok, r))
		}
		return results
	})
}

// svdElsewhere is s, U with nu columns, Vᴴ with nv rows.
func svdElsewhere(a *array.Array, nu, nv int) []*array.Array {
	if m, n := sizes(a.Shape()); m >= n {
		u, s, vh := svdPortable(a, nu)
		return []*array.Array{s, u, vh}
	}
	v, s, uh := svdPortable(adjoint(a), nv)
	return []*array.Array{s, adjoint(uh), adjoint(v)}
}

// SVD returns the factors of a = u diag(s) vh, s descending. u and vh are square, or with Reduced have min(m, n) vectors. With
// Hermitian, a is taken for (a + aᴴ)/2 and its eigenvectors serve. See SvdP.
//
//	a [..., m, n]   →   u [..., m, m], s [..., min(m, n)] real, vh [..., n, n]
func SVD(a any, opts ...Option) (u, s, vh *array.Array) {
	o := gather("SVD", opts, "Reduced", "Complete", "Hermitian")
	if o.hermitian {
		w, v := Eigh(a)
		order := np.Argsort(w.Abs(), np.Axis(-1), np.Descending())
		w, v = np.TakeAlongAxis(w, order, np.Axis(-1)), np.TakeAlongAxis(v, order.ExpandDims(-2), np.Axis(-1))
		sign := np.Sign(w).ExpandDims(-2).AsType(v.DType())
		return v, w.Abs(), adjoint(v.Mul(sign))
	}
	y := primitive.BindAll(SvdP{ComputeUV: true, FullMatrices: !o.reduced}, matrices("SVD", a))
	return y[1], y[0], y[2]
}

// Svdvals returns the singular values, descending.
//
//	a [..., m, n]   →   [..., min(m, n)] real
func Svdvals(a any, opts ...Option) *array.Array {
	if o := gather("Svdvals", opts, "Hermitian"); o.hermitian {
		return np.Sort(Eigvalsh(a).Abs(), np.Axis(-1), np.Descending())
	}
	return primitive.Bind(SvdP{}, matrices("Svdvals", a))
}

// epsilon is the distance from 1 to the next number.
func epsilon(d array.DType) float64 {
	if d.Real() == array.Float32 {
		return 0x1p-23
	}
	return 0x1p-52
}

// Pinv is the Moore-Penrose inverse. Singular values up to RTol, by default 10 max(m, n) ε, times the largest one count
// as zero. Its derivative, Golub and Pereyra (1973), holds where the rank does not change.
//
//	a [..., m, n]   →   [..., n, m]
func Pinv(a any, opts ...Option) *array.Array {
	o := gather("Pinv", opts, "RTol", "Hermitian")
	x := matrices("Pinv", a)
	m, n := sizes(x.Shape())
	if m == 0 || n == 0 {
		return np.Zeros(like(x.Aval(), n, m).Shape, x.DType())
	}
	if o.rtol == nil {
		o.rtol = 10 * float64(max(m, n)) * epsilon(x.DType())
	}
	rtol := np.Asarray(o.rtol).AsType(x.DType().Real())
	if o.hermitian {
		return hermitianPinv.Call(x, rtol)
	}
	return pinv.Call(x, rtol)
}

var pinv = vjp.CustomJVP(
	func(a, rtol *array.Array) *array.Array { return pinvOf(a, rtol, Reduced()) },
	func(a, rtol, da *array.Array) (p, dp *array.Array) {
		p = pinvOf(a, rtol, Reduced())
		return p, pinvTangent(p, a, da)
	}, vjp.Nondiff(1))

var hermitianPinv = vjp.CustomJVP(
	func(a, rtol *array.Array) *array.Array { return pinvOf(a, rtol, Hermitian()) },
	func(a, rtol, da *array.Array) (p, dp *array.Array) {
		p = pinvOf(a, rtol, Hermitian())
		return p, pinvTangent(p, symmetrize(a), symmetrize(da))
	}, vjp.Nondiff(1))

func pinvOf(a, rtol *array.Array, how Option) *array.Array {
	u, s, vh := SVD(conj(a), how)
	cutoff := rtol.ExpandDims(-1).Mul(s.At("...", "0:1").Get())
	s = np.Where(s.Greater(cutoff), s, math.Inf(1))
	return mul(np.MatrixTranspose(vh), np.MatrixTranspose(u).Div(s.AsType(u.DType()).ExpandDims(-1)))
}

func pinvTangent(p, a, da *array.Array) *array.Array {
	ph, dah := adjoint(p), adjoint(da)
	m, n := sizes(a.Shape())
	var s, t *array.Array
	if m >= n {
		s, t = mul(mul(p, ph), dah), mul(mul(dah, ph), p)
	} else {
		s, t = mul(p, mul(ph, dah)), mul(dah, mul(ph, p))
	}
	return s.Sub(mul(s, mul(a, p))).Add(t).Sub(mul(p, mul(a, t))).Sub(mul(p, mul(da, p)))
}

// MatrixRank counts the singular values above RTol, by default max(m, n) ε times the largest.
//
//	a [..., m, n]   →   int64 [...]
func MatrixRank(a any, opts ...Option) *array.Array {
	o := gather("MatrixRank", opts, "RTol", "Hermitian")
	if x := np.Asarray(a); x.Rank() < 2 {
		return np.Any(x.NotEqual(0)).AsType(array.Int32)
	}
	x := matrices("MatrixRank", a)
	m, n := sizes(x.Shape())
	var how []Option
	if o.hermitian {
		how = []Option{Hermitian()}
	}
	s := Svdvals(x, how...)
	limit := s.Mul(0).Sum(-1)
	if min(m, n) > 0 {
		limit = s.Max(-1).Mul(float64(max(m, n)) * epsilon(x.DType()))
	}
	if o.rtol != nil {
		limit = np.Asarray(o.rtol)
	}
	return s.Greater(limit.ExpandDims(-1)).Sum(-1)
}

// Lstsq returns the least-squares solution of a x = b of least norm, the squared norms of the residuals, the rank of a, and
// its singular values. Those below RTol, by default max(m, n) ε, times the largest count as zero.
//
//	a [m, n], b [m] or [m, k]   →   x [n] or [n, k], residuals [1] or [k], rank int64 [], s [min(m, n)]
func Lstsq(a, b any, opts ...Option) (x, residuals, rank, s *array.Array) {
	o := gather("Lstsq", opts, "RTol")
	xs := operands("Lstsq", a, b)
	m, y := xs[0], xs[1]
	if m.Rank() != 2 || y.Rank() != 1 && y.Rank() != 2 || m.Shape()[0] != y.Shape()[0] {
		fail("Lstsq", array.ShapeErrorf("takes a matrix [m, n] and a right-hand side [m] or [m, k], got shapes %s and %s", m.Shape(), y.Shape()))
	}
	vector, d := y.Rank() == 1, m.DType()
	if vector {
		y = y.ExpandDims(1)
	}
	rows, cols := sizes(m.Shape())
	if rows == 0 || cols == 0 {
		s, rank = np.Zeros([]int{0}, d.Real()), np.Zeros(nil, array.Int64)
		x = np.Zeros([]int{cols, y.Shape()[1]}, d)
	} else {
		var rtol any = epsilon(d) * float64(max(rows, cols))
		if o.rtol != nil {
			rtol = np.Where(np.Less(o.rtol, 0), epsilon(d), o.rtol)
		}
		var u, vh *array.Array
		u, s, vh = SVD(m, Reduced())
		counts := s.Greater(0).And(s.GreaterEqual(np.Asarray(rtol).AsType(s.DType()).Mul(s.At("0:1").Get())))
		rank = counts.Sum()
		inverse := np.Where(counts, np.Reciprocal(np.Where(counts, s, 1).AsType(d)), 0).ExpandDims(1)
		x = mul(adjoint(vh), inverse.Mul(mul(adjoint(u), y)))
	}
	residuals = squaredSize(y.Sub(mul(m, x))).Sum(0)
	if vector {
		x = x.Ravel()
	}
	return x, residuals, rank, s
}
