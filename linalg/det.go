package linalg

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// Det is the determinant. Its derivative is the matrix of cofactors, also where a is singular; zero where it lacks two
// ranks or more.
//
//	a [..., n, n]   →   [...]
func Det(a any) *array.Array {
	x := squares("Det", a)
	e := func(i, j int) *array.Array { return x.At("...", i, j).Get() }
	switch n := x.Shape()[x.Rank()-1]; n {
	case 0:
		return np.Ones(x.Shape()[:x.Rank()-2], x.DType())
	case 1:
		return e(0, 0)
	case 2:
		return e(0, 0).Mul(e(1, 1)).Sub(e(0, 1).Mul(e(1, 0)))
	case 3:
		term := func(i, j, k int) *array.Array { return e(0, i).Mul(e(1, j)).Mul(e(2, k)) }
		return term(0, 1, 2).Add(term(1, 2, 0)).Add(term(2, 0, 1)).Sub(term(2, 1, 0)).Sub(term(0, 2, 1)).Sub(term(1, 0, 2))
	}
	return det.Call(x)
}

// det is exp of the logarithm, which neither overflows nor underflows on the way.
var det = vjp.CustomJVP(
	func(a *array.Array) *array.Array {
		s := slogdetLU(a)
		return s[0].Mul(np.Exp(s[1]).AsType(s[0].DType()))
	},
	func(a, da *array.Array) (y, dy *array.Array) {
		y, z := cofactorSolve(a, da)
		return y, np.Trace(z, 0, np.Axis(-2, -1))
	})

// parity is 1 or -1 by the number of exchanges.
func parity(pivots *array.Array, d array.DType) *array.Array {
	n := pivots.Shape()[pivots.Rank()-1]
	odd := np.Mod(np.CountNonzero(pivots.NotEqual(np.Arange(n, array.Int32)), np.Axis(-1)), 2)
	return odd.Mul(-2).Add(1).AsType(d)
}

// cofactorSolve returns det(a) and det(a) a⁻¹ b, also for singular matrices: with the last pivot left out of the product
// and put into U in its place, the back substitution never divides by zero where a lacks one rank. Where it lacks more,
// b is replaced by zeros. a has at least two rows.
func cofactorSolve(a, b *array.Array) (determinant, x *array.Array) {
	lu, pivots, perm := LUFactor(a)
	n := a.Shape()[a.Rank()-1]
	partial := np.Cumprod(diagonal(lu), np.Axis(-1)).Mul(parity(pivots, a.DType()).ExpandDims(-1))
	determinant = partial.At("...", -1).Get()
	lu = lu.At("...", -1, -1).Set(np.Divide(1, partial.At("...", -2).Get()))
	upper := TriangularSolveP{LeftSide: true}
	d := TriangularSolve(lu, np.Ones(append(a.Shape()[:a.Rank()-2].Clone(), n, 1), a.DType()), upper)
	lacking := np.Any(np.IsFinite(d).Not(), np.Axis(-2, -1), np.KeepDims())
	zero := np.ZerosLike(b)
	x = permuteRows(np.Where(lacking, zero, b), perm)
	x = TriangularSolve(lu, x, TriangularSolveP{LeftSide: true, LowerA: true, UnitDiagonal: true})
	scaled := cut(x, 0, n-1, 0, n).Mul(determinant.ExpandDims(-1).ExpandDims(-1))
	x = np.Concatenate([]*array.Array{scaled, cut(x, n-1, n, 0, n)}, np.Axis(-2))
	return determinant, np.Where(lacking, zero, TriangularSolve(lu, x, upper))
}

// Slogdet returns the sign of the determinant, a number of size 1 or 0, and the logarithm of its absolute value, which is
// exact where the determinant itself would overflow or vanish.
//
//	a [..., n, n]   →   sign [...] same dtype, logabsdet [...] real
func Slogdet(a any) (sign, logabsdet *array.Array) {
	x := squares("Slogdet", a)
	f := slogdet
	switch n := x.Shape()[x.Rank()-1]; {
	case n == 0:
		batch := x.Shape()[:x.Rank()-2]
		return np.Ones(batch, x.DType()), np.Zeros(batch, x.DType().Real())
	case n <= 2:
		f = slogdetSmall
	}
	y := f.CallTree(x).([]*array.Array)
	return y[0], y[1]
}

// SlogdetQR is Slogdet of a real matrix by orthogonal factorisation.
func SlogdetQR(a any) (sign, logabsdet *array.Array) {
	x := squares("SlogdetQR", a)
	if x.DType().IsComplex() {
		fail("SlogdetQR", array.DTypeErrorf("takes real matrices, got %s; use Slogdet", x.Aval()))
	}
	y := slogdetQR.CallTree(x).([]*array.Array)
	return y[0], y[1]
}

var (
	slogdet = vjp.CustomJVP(slogdetLU, func(a, da *array.Array) (y, dy []*array.Array) {
		return slogdetTangent(slogdetLU(a), np.Trace(Solve(a, da), 0, np.Axis(-2, -1)))
	})
	slogdetQR = vjp.CustomJVP(
		func(a *array.Array) []*array.Array {
			y := primitive.BindAll(GeqrfP{}, a)
			r, tau := diagonal(y[0]), y[1]
			n := a.Shape()[a.Rank()-1]
			turns := np.Where(tau.NotEqual(0), -1, 1)
			turns = np.Where(np.Arange(n).Less(n-1), turns, 1)
			sign := np.Prod(np.Sign(r), np.Axis(-1)).Mul(np.Prod(turns, np.Axis(-1)).AsType(r.DType()))
			return []*array.Array{sign, np.Log(r.Abs()).Sum(-1)}
		},
		func(a, da *array.Array) (y, dy []*array.Array) {
			return slogdetTangent(slogdetLU(a), np.Trace(Solve(a, da), 0, np.Axis(-2, -1)))
		})
	slogdetSmall = vjp.CustomJVP(
		func(a *array.Array) []*array.Array { return signAndLog(Det(a)) },
		func(a, da *array.Array) (y, dy []*array.Array) {
			e := func(x *array.Array, i, j int) *array.Array { return x.At("...", i, j).Get() }
			d := Det(a)
			if a.Shape()[a.Rank()-1] == 1 {
				return slogdetTangent(signAndLog(d), e(da, 0, 0).Div(d))
			}
			dd := e(da, 0, 0).Mul(e(a, 1, 1)).Sub(e(da, 0, 1).Mul(e(a, 1, 0))).
				Sub(e(da, 1, 0).Mul(e(a, 0, 1))).Add(e(da, 1, 1).Mul(e(a, 0, 0)))
			return slogdetTangent(signAndLog(d), dd.Div(d))
		})
)

// phase is the sign of x; unlike that of Sign, the derivative of a complex one is not zero.
func phase(x *array.Array) *array.Array {
	if !x.DType().IsComplex() {
		return np.Sign(x)
	}
	size := x.Abs()
	isZero := size.Equal(0)
	return np.Where(isZero, 0, x.Div(np.Where(isZero, 1, size).AsType(x.DType())))
}

func signAndLog(d *array.Array) []*array.Array {
	return []*array.Array{phase(d), np.Log(d.Abs())}
}

// slogdetTangent splits the tangent of the complex logarithm into those of sign and absolute value.
func slogdetTangent(y []*array.Array, dlog *array.Array) (_, dy []*array.Array) {
	if !dlog.DType().IsComplex() {
		return y, []*array.Array{np.ZerosLike(y[0]), dlog}
	}
	size := dlog.Real()
	return y, []*array.Array{dlog.Sub(size.AsType(dlog.DType())).Mul(y[0]), size}
}

// slogdetLU is [sign, logabsdet] by the factors.
func slogdetLU(a *array.Array) []*array.Array {
	lu, pivots, _ := LUFactor(a)
	d, u := a.DType(), diagonal(lu)
	isZero := np.Any(u.Equal(0), np.Axis(-1))
	sign := np.Prod(phase(u), np.Axis(-1)).Mul(parity(pivots, d))
	sign = np.Where(isZero, np.Zeros(nil, d), sign)
	log := np.Where(isZero, np.Asarray(math.Inf(-1), d.Real()), np.Log(u.Abs()).Sum(-1))
	return []*array.Array{sign, log}
}
