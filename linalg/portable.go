package linalg

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// The factorisations for platforms without routines of LAPACK, by other primitives: a loop over the columns, over all
// matrices of a stack at once. Rows and columns are picked by masks, so that every step has the same shapes.

// luPortable is LuP's first two results. Ties and zero pivots are as there.
func luPortable(a *array.Array) (lu, pivots *array.Array) {
	m, n := sizes(a.Shape())
	k := min(m, n)
	start := primitive.Full(like(withType(a.Aval(), array.Int32), k), 0)
	if k == 0 {
		return a, start
	}
	rows, cols, places := np.Arange(m, array.Int32).ExpandDims(1), np.Arange(n, array.Int32), np.Arange(k, array.Int32)
	out := flow.Fori(0, k, func(i *array.Array, state []*array.Array) []*array.Array {
		a, pivots := state[0], state[1]
		i = i.AsType(array.Int32)
		column := np.Take(a, i, np.Axis(-1)).ExpandDims(-1)
		p := np.Argmax(np.Where(rows.GreaterEqual(i), sizeOf(column), -1), np.Axis(-2), np.KeepDims()).AsType(array.Int32)
		top, chosen := np.Take(a, i, np.Axis(-2)).ExpandDims(-2), np.TakeAlongAxis(a, p, np.Axis(-2))
		a = np.Where(rows.Equal(i), chosen, np.Where(rows.Equal(p), top, a))

		column = np.Take(a, i, np.Axis(-1)).ExpandDims(-1)
		pivot := np.Take(chosen, i, np.Axis(-1)).ExpandDims(-1)
		below := rows.Greater(i)
		column = np.Where(below.And(pivot.NotEqual(0)), column.Div(pivot), column)
		a = np.Where(cols.Equal(i), column, a)
		a = a.Sub(np.Where(below.And(cols.Greater(i)), column.Mul(chosen), 0))
		return []*array.Array{a, np.Where(places.Equal(i), np.Squeeze(p, -1), pivots)}
	}, []*array.Array{a, start}).([]*array.Array)
	return out[0], out[1]
}

// sizeOf is the size by which pivots are chosen, LAPACK's |re| + |im|.
func sizeOf(x *array.Array) *array.Array {
	if x.DType().IsComplex() {
		return x.Real().Abs().Add(x.Imag().Abs())
	}
	return x.Abs()
}

// geqrfPortable is GeqrfP.
func geqrfPortable(a *array.Array) (r, tau *array.Array) {
	m, n := sizes(a.Shape())
	k := min(m, n)
	d := a.DType()
	start := primitive.Full(like(a.Aval(), k), 0)
	if k == 0 {
		return a, start
	}
	rows, cols, places := np.Arange(m, array.Int32).ExpandDims(1), np.Arange(n, array.Int32), np.Arange(k, array.Int32)
	out := flow.Fori(0, k, func(i *array.Array, state []*array.Array) []*array.Array {
		a, taus := state[0], state[1]
		i = i.AsType(array.Int32)
		column := np.Take(a, i, np.Axis(-1)).ExpandDims(-1)
		v, tau, beta := reflector(np.Where(rows.GreaterEqual(i), column, 0), i, rows)
		along := mul(adjoint(v), np.Where(cols.Greater(i), a, 0))
		a = a.Sub(mul(v, along).Mul(conj(tau)))
		kept := np.Where(rows.Less(i), column, np.Where(rows.Equal(i), beta.AsType(d), v))
		return []*array.Array{np.Where(cols.Equal(i), kept, a), np.Where(places.Equal(i), np.Squeeze(tau, -1), taus)}
	}, []*array.Array{a, start}).([]*array.Array)
	return out[0], out[1]
}

// reflector is LAPACK's larfg for the columns x [..., m, 1], which are zero above row i: I - τ v vᴴ, v 1 in row i, whose adjoint
// takes x to the real β in row i.
func reflector(x, i, rows *array.Array) (v, tau, beta *array.Array) {
	d := x.DType()
	first := rows.Equal(i)
	alpha := np.Sum(np.Where(first, x, 0), np.Axis(-2), np.KeepDims())
	// Scaled by the largest element, squares neither overflow nor vanish.
	scale := np.Max(sizeOf(x), np.Axis(-2), np.KeepDims())
	scale = np.Where(scale.Equal(0), 1, scale)
	size := np.Sqrt(np.Sum(squaredSize(x.Div(scale.AsType(d))), np.Axis(-2), np.KeepDims())).Mul(scale)
	re := realPart(alpha)
	beta = np.Where(np.Signbit(re), size, size.Neg())
	rest := np.Any(np.Where(first, 0, x).NotEqual(0), np.Axis(-2), np.KeepDims())
	trivial := rest.Not()
	if d.IsComplex() {
		trivial = trivial.And(alpha.Imag().Equal(0))
	}
	safe := np.Where(trivial, 1, beta)
	tau = safe.AsType(d).Sub(alpha).Div(safe.AsType(d))
	tau = np.Where(trivial, 0, tau)
	v = np.Where(first, 1, x.Div(np.Where(trivial, 1, alpha.Sub(beta.AsType(d)))))
	return np.Where(rows.Less(i), 0, v), tau, np.Where(trivial, re, beta)
}

// householderPortable is HouseholderProductP.
func householderPortable(a, tau *array.Array) *array.Array {
	m, n := sizes(a.Shape())
	k := last(tau)
	q := np.BroadcastTo(np.EyeOffset(m, n, 0, a.DType()), a.Shape()...)
	if k == 0 || n == 0 {
		return q
	}
	rows := np.Arange(m, array.Int32).ExpandDims(1)
	return flow.Fori(0, k, func(i, q *array.Array) *array.Array {
		i = i.AsType(array.Int32).Neg().Add(k - 1)
		v := np.Take(a, i, np.Axis(-1)).ExpandDims(-1)
		v = np.Where(rows.Equal(i), 1, np.Where(rows.Less(i), 0, v))
		t := np.Take(tau, i, np.Axis(-1)).ExpandDims(-1).ExpandDims(-1)
		return q.Sub(mul(v, mul(adjoint(v), q)).Mul(t))
	}, q).(*array.Array)
}

// The Jacobi methods: plane rotations make a Hermitian matrix diagonal, or the columns of any matrix orthogonal. A round
// rotates column i against column i + n/2, for all i; between rounds the columns change places as in a tournament, so that
// in n-1 rounds, a sweep, each meets each and all are where they began. Brent and Luk (1985).

const maxSweeps = 20

// tournament is the order in which n columns, an even number, stand in the next round.
func tournament(n int) []int {
	h := n / 2
	order := make([]int, n)
	if h == 1 {
		return []int{0, 1}
	}
	for i := 1; i < h; i++ {
		order[i] = i - 1
	}
	order[0], order[1] = 0, h
	for i := range h - 1 {
		order[h+i] = h + i + 1
	}
	order[n-1] = h - 1
	return order
}

// rotation makes the 2×2 Hermitian matrices with diagonal p, q and corner r diagonal: the columns x, y become
// c x - s conj(e) y and s x + c conj(e) y.
func rotation(p, q, r *array.Array) (c, s, e *array.Array) {
	size := r.Abs()
	none := size.Equal(0)
	safe := np.Where(none, 1, size)
	theta := q.Sub(p).Div(safe.Mul(2))
	sign := np.Where(theta.Less(0), -1, 1).AsType(theta.DType())
	t := np.Where(none, 0, sign.Div(theta.Abs().Add(np.Hypot(theta, 1))))
	c = np.Reciprocal(np.Hypot(t, 1))
	d := r.DType()
	e = np.Where(none, 1, r.Div(safe.AsType(d)))
	return c.AsType(d), c.Mul(t).AsType(d), e
}

// turn applies rotations, one for each pair of columns, to x [..., m, n].
func turn(x, c, s, e *array.Array) *array.Array {
	m, n := sizes(x.Shape())
	left, right := cut(x, 0, m, 0, n/2), cut(x, 0, m, n/2, n)
	c, s, e = c.ExpandDims(-2), s.ExpandDims(-2), conj(e).ExpandDims(-2)
	right = right.Mul(e)
	return np.Concatenate([]*array.Array{left.Mul(c).Sub(right.Mul(s)), left.Mul(s).Add(right.Mul(c))}, np.Axis(-1))
}

// sweeps repeats round n-1 times while going says so.
func sweeps(n int, state []*array.Array, going func(state []*array.Array) *array.Array, round func(state []*array.Array) []*array.Array) []*array.Array {
	state = append([]*array.Array{np.Asarray(0, array.Int32)}, state...)
	out := flow.While(
		func(state []*array.Array) *array.Array { return state[0].Less(maxSweeps).And(going(state[1:])) },
		func(state []*array.Array) []*array.Array {
			rest := flow.Fori(0, n-1, func(_ *array.Array, state []*array.Array) []*array.Array { return round(state) }, state[1:]).([]*array.Array)
			return append([]*array.Array{state[0].Add(1)}, rest...)
		}, state).([]*array.Array)
	return out[1:]
}

// eighPortable is EighP for a matrix of which both triangles are right.
func eighPortable(a *array.Array) (v, w *array.Array) {
	n, _ := sizes(a.Shape())
	d := a.DType()
	if n < 2 {
		return np.BroadcastTo(eye(n, d), a.Shape()...), realPart(diagonal(a))
	}
	// A row and a column of zeros make the size even: no rotation touches them.
	even := n + n%2
	h := even / 2
	a = grown(a, even, even)
	order := tournament(even)
	limit := squaredSize(a).Sum(-2, -1).Mul(math.Pow(epsilon(d)/4, 2))
	out := sweeps(even, []*array.Array{a, np.BroadcastTo(eye(even, d), a.Shape()...)},
		func(state []*array.Array) *array.Array {
			off := squaredSize(state[0].Mul(np.Ones([]int{even, even}, d).Sub(eye(even, d)))).Sum(-2, -1)
			return np.Any(off.Greater(limit))
		},
		func(state []*array.Array) []*array.Array {
			a, v := state[0], state[1]
			w := realPart(diagonal(a))
			c, s, e := rotation(w.At("...", array.Slice{Stop: h}).Get(), w.At("...", array.Slice{Start: h, Stop: array.End}).Get(), diagonal(cut(a, 0, h, h, even)))
			a = adjoint(turn(adjoint(turn(a, c, s, e)), c, s, e))
			a = np.Take(np.Take(a, order, np.Axis(-1)), order, np.Axis(-2))
			return []*array.Array{a, np.Take(turn(v, c, s, e), order, np.Axis(-1))}
		})
	w = realPart(diagonal(cut(out[0], 0, n, 0, n)))
	sorted := np.Argsort(w, np.Axis(-1))
	return np.TakeAlongAxis(cut(out[1], 0, n, 0, n), sorted.ExpandDims(-2), np.Axis(-1)), np.TakeAlongAxis(w, sorted, np.Axis(-1))
}

// svdPortable gives s, the first count columns of U, and Vᴴ, for a matrix of at least as many rows as columns.
func svdPortable(a *array.Array, count int) (u, s, vh *array.Array) {
	m, n := sizes(a.Shape())
	d := a.DType()
	// Scaled by its largest element, squares neither overflow nor vanish.
	scale := np.Max(sizeOf(a), np.Axis(-2, -1), np.KeepDims(), np.Initial(0))
	scale = np.Where(scale.Equal(0), 1, scale)
	a = a.Div(scale.AsType(d))
	g, v := a, np.BroadcastTo(eye(n, d), like(a.Aval(), n, n).Shape...)
	if n > 1 {
		even := n + n%2
		h := even / 2
		order := tournament(even)
		halves := func(g *array.Array) (x, y *array.Array) { return cut(g, 0, m, 0, h), cut(g, 0, m, h, even) }
		products := func(g *array.Array) (p, q, r *array.Array) {
			x, y := halves(g)
			return squaredSize(x).Sum(-2), squaredSize(y).Sum(-2), conj(x).Mul(y).Sum(-2)
		}
		out := sweeps(even, []*array.Array{grown(a, m, even), grown(v, even, even).Add(eye(even, d).Sub(grown(eye(n, d), even, even)))},
			func(state []*array.Array) *array.Array {
				gram := mul(adjoint(state[0]), state[0])
				size := np.Sqrt(realPart(diagonal(gram)))
				off := gram.Mul(np.Ones([]int{even, even}, d).Sub(eye(even, d))).Abs()
				return np.Any(off.Greater(size.ExpandDims(-1).Mul(size.ExpandDims(-2)).Mul(epsilon(d) * float64(m))))
			},
			func(state []*array.Array) []*array.Array {
				c, s, e := rotation(products(state[0]))
				return []*array.Array{np.Take(turn(state[0], c, s, e), order, np.Axis(-1)), np.Take(turn(state[1], c, s, e), order, np.Axis(-1))}
			})
		g, v = cut(out[0], 0, m, 0, n), cut(out[1], 0, n, 0, n)
	}
	s = np.Sqrt(squaredSize(g).Sum(-2))
	sorted := np.Argsort(s, np.Axis(-1), np.Descending())
	s = np.TakeAlongAxis(s, sorted, np.Axis(-1))
	g, v = np.TakeAlongAxis(g, sorted.ExpandDims(-2), np.Axis(-1)), np.TakeAlongAxis(v, sorted.ExpandDims(-2), np.Axis(-1))
	// The columns are orthogonal: their triangular factor is diagonal, and Q completes those that are zero.
	r, tau := geqrfPortable(g)
	u = householderPortable(grown(r, m, count), tau)
	signs := diagonal(r)
	size := signs.Abs()
	phase := np.Where(size.Equal(0), 1, signs.Div(np.Where(size.Equal(0), 1, size).AsType(d)))
	if count > n {
		phase = np.Concatenate([]*array.Array{phase, np.Ones(append(phase.Shape()[:phase.Rank()-1].Clone(), count-n), d)}, np.Axis(-1))
	}
	return u.Mul(phase.ExpandDims(-2)), s.Mul(np.Squeeze(scale, -1)), adjoint(v)
}
