package linalg

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

// MatrixPower is a multiplied n times with itself, by repeated squaring; for a negative n its inverse is.
//
//	a [..., n, n]   →   [..., n, n]
func MatrixPower(a any, n int) *array.Array {
	x := np.Asarray(a)
	if x.Rank() < 2 || x.Shape()[x.Rank()-1] != x.Shape()[x.Rank()-2] {
		fail("MatrixPower", array.ShapeErrorf("takes square matrices [..., n, n], got shape %s", x.Shape()))
	}
	size := x.Shape()[x.Rank()-1]
	switch {
	case n == 0:
		return np.BroadcastTo(np.Eye(size, x.DType()), x.Shape()...)
	case n < 0:
		x, n = Inv(x), -n
	}
	var result *array.Array
	for square := x; ; square = square.MatMul(square) {
		if n&1 == 1 {
			if result == nil {
				result = square
			} else {
				result = result.MatMul(square)
			}
		}
		if n >>= 1; n == 0 {
			return result
		}
	}
}

// MultiDot is the product of matrices in the order that takes the fewest multiplications. The first may be a row and the last a
// column, as vectors.
func MultiDot(xs ...any) *array.Array {
	if len(xs) < 2 {
		fail("MultiDot", array.ArgumentErrorf("takes at least two arrays, got %d", len(xs)))
	}
	ms := make([]*array.Array, len(xs))
	for i, v := range xs {
		ms[i] = array.MustValue("linalg.MultiDot", v)
		if r := ms[i].Rank(); r != 2 && (r != 1 || i != 0 && i != len(xs)-1) {
			fail("MultiDot", array.ShapeErrorf("operand %d has shape %s; all are matrices, but the first and last may be vectors", i, ms[i].Shape()))
		}
	}
	row, column := ms[0].Rank() == 1, ms[len(ms)-1].Rank() == 1
	if row {
		ms[0] = ms[0].ExpandDims(0)
	}
	if column {
		ms[len(ms)-1] = ms[len(ms)-1].ExpandDims(1)
	}
	for i := range ms[1:] {
		if p, q := ms[i].Shape(), ms[i+1].Shape(); p[1] != q[0] {
			fail("MultiDot", array.ShapeErrorf("operand %d has %d columns, operand %d has %d rows", i, p[1], i+1, q[0]))
		}
	}
	y := chain(ms)
	switch {
	case row && column:
		return np.Squeeze(y, 0, 1)
	case row:
		return np.Squeeze(y, 0)
	case column:
		return np.Squeeze(y, 1)
	}
	return y
}

// chain multiplies by the cheapest order, the textbook's dynamic program.
func chain(ms []*array.Array) *array.Array {
	n := len(ms)
	size := func(i int) int {
		if i == n {
			return ms[n-1].Shape()[1]
		}
		return ms[i].Shape()[0]
	}
	cost, split := make([][]float64, n), make([][]int, n)
	for i := range n {
		cost[i], split[i] = make([]float64, n), make([]int, n)
	}
	for length := 1; length < n; length++ {
		for i := 0; i+length < n; i++ {
			j := i + length
			cost[i][j] = math.Inf(1)
			for k := i; k < j; k++ {
				if c := cost[i][k] + cost[k+1][j] + float64(size(i))*float64(size(k+1))*float64(size(j+1)); c < cost[i][j] {
					cost[i][j], split[i][j] = c, k
				}
			}
		}
	}
	var product func(i, j int) *array.Array
	product = func(i, j int) *array.Array {
		if i == j {
			return ms[i]
		}
		return product(i, split[i][j]).MatMul(product(split[i][j]+1, j))
	}
	return product(0, n-1)
}

// The coefficients of the Padé approximants of exp by their order, and the largest norms for which they suffice. Higham
// (2005), The scaling and squaring method for the matrix exponential revisited.
var (
	pade = [][]float64{
		{120, 60, 12, 1},
		{30240, 15120, 3360, 420, 30, 1},
		{17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1},
		{17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1},
		{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
			670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1},
	}
	doubleNorms = []float64{1.495585217958292e-2, 2.539398330063230e-1, 9.504178996162932e-1, 2.097847961257068e0, 5.371920351148152}
	singleNorms = []float64{4.258730016922831e-1, 1.880152677804762e0, 3.925724783138660}
)

// maxSquarings bounds the norm of the argument of Expm: above about 2¹⁷ its result is NaN.
const maxSquarings = 16

// Expm is the matrix exponential, by scaling, a Padé approximant, and squaring. With Upper, a is upper triangular.
//
//	a [..., n, n]   →   [..., n, n]
func Expm(a any, opts ...Option) *array.Array {
	s := gather("Expm", opts, "Upper")
	x := squares("Expm", a)
	if x.Rank() > 2 {
		return np.Vectorize(func(x *array.Array) *array.Array { return expm(x, s.upper) }, "(n,n)->(n,n)").Call(x)
	}
	return expm(x, s.upper)
}

func expm(a *array.Array, triangular bool) *array.Array {
	norms := doubleNorms
	if a.DType().Real() == array.Float32 {
		norms = singleNorms
	}
	largest := norms[len(norms)-1]
	size := MatrixNorm(vjp.StopGradient(a), 1)
	squarings := np.Maximum(0, np.Floor(np.Log2(size.Div(largest))))
	scaled := a.Div(np.Exp2(squarings).AsType(a.DType()))
	var branches []any
	for i := range norms {
		branches = append(branches, func(a *array.Array) []*array.Array { return approximant(a, pade[i]) })
	}
	which := np.Digitize(size, np.Asarray(norms[:len(norms)-1]).AsType(size.DType()))
	uv := flow.Switch(which, branches, scaled).([]*array.Array)
	p, q := uv[1].Add(uv[0]), uv[1].Sub(uv[0])
	var r *array.Array
	if triangular {
		r = SolveTriangular(q, p)
	} else {
		r = Solve(q, p)
	}
	r = flow.Fori(0, maxSquarings, func(i, r *array.Array) *array.Array {
		return flow.Cond(i.Less(squarings), func(r *array.Array) *array.Array { return mul(r, r) }, func(r *array.Array) *array.Array { return r }, r).(*array.Array)
	}, r).(*array.Array)
	return np.Where(squarings.Greater(maxSquarings), np.Asarray(math.NaN(), a.DType()), r)
}

// approximant returns the odd and the even part of the numerator with coefficients b; the denominator is their difference.
func approximant(a *array.Array, b []float64) []*array.Array {
	one := eye(a.Shape()[0], a.DType())
	a2 := mul(a, a)
	odd, even := one.Mul(b[1]), one.Mul(b[0])
	if len(b) == 14 {
		a4 := mul(a2, a2)
		a6 := mul(a4, a2)
		high := func(i int) *array.Array { return a6.Mul(b[i]).Add(a4.Mul(b[i-2])).Add(a2.Mul(b[i-4])) }
		odd = odd.Add(mul(a6, high(13))).Add(high(7))
		even = even.Add(mul(a6, high(12))).Add(high(6))
		return []*array.Array{mul(a, odd), even}
	}
	power := a2
	for i := 2; i < len(b); i += 2 {
		even, odd = even.Add(power.Mul(b[i])), odd.Add(power.Mul(b[i+1]))
		if i+2 < len(b) {
			power = mul(power, a2)
		}
	}
	return []*array.Array{mul(a, odd), even}
}

// ExpmFrechet returns the exponential of a and its derivative in the direction e.
//
//	a, e [..., n, n]   →   expm(a), derivative [..., n, n]
func ExpmFrechet(a, e any) (exp, derivative *array.Array) {
	xs := operands("ExpmFrechet", a, e)
	if !xs[0].Shape().Equal(xs[1].Shape()) {
		fail("ExpmFrechet", array.ShapeErrorf("matrix and direction have shapes %s and %s; they must have one", xs[0].Shape(), xs[1].Shape()))
	}
	y, dy := vjp.JVP(func(a *array.Array) *array.Array { return Expm(a) }, []any{xs[0]}, []any{xs[1]})
	return y.(*array.Array), dy.(*array.Array)
}

// Sqrtm is a matrix r with r r = a, by the Schur form: Björck and Hammarling (1983).
//
//	a [n, n]   →   [n, n] complex
func Sqrtm(a any) *array.Array {
	x := squares("Sqrtm", a)
	if x.Rank() != 2 {
		fail("Sqrtm", array.ShapeErrorf("takes one matrix, got shape %s", x.Shape()))
	}
	t, z := SchurComplex(x)
	n := x.Shape()[0]
	d := np.Sqrt(diagonal(t))
	rows := np.Arange(n)
	// Column j of the root from those before it, row by row from the diagonal up.
	r := flow.Fori(0, n, func(j, r *array.Array) *array.Array {
		r = r.At(j, j).Set(d.At(j).Get())
		return flow.Fori(0, n, func(l, r *array.Array) *array.Array {
			i := j.Sub(1).Sub(l)
			at := np.Maximum(i, 0)
			between := rows.Greater(at).And(rows.Less(j))
			s := np.Where(between, r.At(at).Get().Mul(r.At(":", j).Get()), 0).Sum()
			rest := t.At(at, j).Get().Sub(s)
			v := np.Where(rest.Equal(0), 0, rest.Div(d.At(at).Get().Add(d.At(j).Get())))
			return np.Where(i.GreaterEqual(0), r.At(at, j).Set(v), r)
		}, r).(*array.Array)
	}, np.ZerosLike(t)).(*array.Array)
	return mul(mul(z, r), adjoint(z))
}

// Polar returns the factors of a = u p, u with orthonormal columns or rows and p Hermitian and positive semidefinite; with
// Adjoint p stands on the left, a = p u. By the singular value decomposition.
//
//	a [m, n]   →   u [m, n], p [n, n], or with Adjoint [m, m]
func Polar(a any, opts ...Option) (u, p *array.Array) {
	o := gather("Polar", opts, "Adjoint")
	left, s, right := SVD(a, Reduced())
	u = mul(left, right)
	w := s.AsType(left.DType()).ExpandDims(-2)
	if o.trans == 2 {
		return u, mul(left.Mul(w), adjoint(left))
	}
	return u, mul(adjoint(right).Mul(w), right)
}

// SolveSylvester solves a x + x b = c by the eigenvectors' triangular forms: Bartels and Stewart (1972). Where an
// eigenvalue of a is the negative of one of b, the result is NaN.
//
//	a [m, m], b [n, n], c [m, n]   →   [m, n]
func SolveSylvester(a, b, c any) *array.Array {
	xs := operands("SolveSylvester", a, b, c)
	x, y, z := xs[0], xs[1], xs[2]
	if z.Rank() != 2 || !x.Shape().Equal(array.Shape{z.Shape()[0], z.Shape()[0]}) || !y.Shape().Equal(array.Shape{z.Shape()[1], z.Shape()[1]}) {
		fail("SolveSylvester", array.ShapeErrorf("shapes %s, %s and %s do not fit; they must be [m, m], [n, n] and [m, n]", x.Shape(), y.Shape(), z.Shape()))
	}
	r, u := SchurComplex(x)
	s, v := SchurComplex(y)
	f := mul(mul(adjoint(u), z.AsType(r.DType())), v)
	m, n := sizes(z.Shape())
	// (r + s[j, j]) column j = f[:, j] minus what the columns before it give.
	sol := flow.Fori(0, n, func(j, sol *array.Array) *array.Array {
		rhs := f.At(":", j).Get().Sub(sol.MatMul(s.At(":", j).Get()))
		column := SolveTriangular(r.Add(eye(m, r.DType()).Mul(s.At(j, j).Get())), rhs)
		return sol.At(":", j).Set(column)
	}, np.ZerosLike(f)).(*array.Array)
	out := mul(mul(u, sol), adjoint(v))
	if !z.DType().IsComplex() {
		out = out.Real()
	}
	sums := diagonal(r).ExpandDims(1).Add(diagonal(s).ExpandDims(0)).Abs()
	return np.Where(np.Any(sums.Less(1e-8)), np.Asarray(math.NaN(), out.DType()), out)
}

// SymmetricProduct is alpha a aᵀ + beta c for a symmetric c.
//
//	a [..., m, n], c [..., m, m]   →   [..., m, m]
func SymmetricProduct(a, c any, alpha, beta float64) *array.Array {
	xs := operands("SymmetricProduct", a, c)
	return mul(xs[0], np.MatrixTranspose(xs[0])).Mul(alpha).Add(xs[1].Mul(beta))
}
