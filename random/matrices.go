package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// Orthogonal draws matrices whose rows or columns, whichever are fewer, are orthonormal, none likelier than its rotations: the
// Q of a matrix of normal numbers, with the diagonal of R made positive (Mezzadri, How to generate random matrices from the classical
// compact groups, arXiv:math-ph/0609050). Complex dtypes give unitary ones.
//
//	key []   →   [shape, rows, cols] float64, or the floating-point or complex dtype that follows
func Orthogonal(key *array.Array, shape []int, rows, cols int, dtype ...array.DType) *array.Array {
	const op = "random.Orthogonal"
	if rows < 0 || cols < 0 {
		panic(array.Wrap(op, array.ShapeErrorf("a matrix of %d rows and %d columns", rows, cols)))
	}
	d := array.Float64
	if len(dtype) > 0 {
		d = dtype[0]
	}
	long, short := max(rows, cols), min(rows, cols)
	q, r := linalg.QR(Normal(key, append(fit(op, shape), long, short), d))
	signs := primitive.Sign(np.Diagonal(r, 0, np.Axis(-2, -1)))
	q = q.Mul(signs.ExpandDims(-2))
	if rows < cols {
		return np.MatrixTranspose(q)
	}
	return q
}

// Factor is how MultivariateNormalBy takes the root of a covariance.
type Factor uint8

// The roots. ByCholesky needs a positive definite matrix and is the fastest; the others take semidefinite ones too.
const (
	ByCholesky Factor = iota
	ByEigh
	BySVD
)

// MultivariateNormal draws normal vectors of the given mean and covariance: mean + L z, with the Cholesky factor L of the
// covariance and z standard normal. A nil shape is that of the parameters, broadcast without their last axes. Where a
// covariance is not positive definite the draws are NaN: see MultivariateNormalBy.
//
//	key [], mean [..., n], cov [..., n, n] floating point   →   [shape, n] the parameters' dtype, or the one that follows
func MultivariateNormal(key *array.Array, shape []int, mean, cov any, dtype ...array.DType) *array.Array {
	return multivariate("random.MultivariateNormal", key, ByCholesky, shape, mean, cov, dtype)
}

// MultivariateNormalBy is MultivariateNormal with another root of the covariance.
func MultivariateNormalBy(key *array.Array, by Factor, shape []int, mean, cov any, dtype ...array.DType) *array.Array {
	return multivariate("random.MultivariateNormalBy", key, by, shape, mean, cov, dtype)
}

func multivariate(op string, key *array.Array, by Factor, shape []int, mean, cov any, dtype []array.DType) *array.Array {
	params := primitive.PromoteInexact(mean, cov)
	m, c := params[0], params[1]
	if m.Rank() < 1 || c.Rank() < 2 {
		panic(array.Wrap(op, array.ShapeErrorf("the mean is %s and the covariance %s; they must be a vector and a matrix or more", m.Aval(), c.Aval())))
	}
	n, ms, cs := m.Shape()[m.Rank()-1], m.Shape(), c.Shape()
	if !cs[len(cs)-2:].Equal(array.Shape{n, n}) {
		panic(array.Wrap(op, array.ShapeErrorf("the covariance is %s; for the mean %s its last axes must be %d and %d", c.Aval(), m.Aval(), n, n)))
	}
	d := floatOf(op, append(append([]array.DType{}, dtype...), m.DType()))
	s := fit(op, shape, ms[:len(ms)-1], cs[:len(cs)-2])
	var root *array.Array
	switch by {
	case ByEigh:
		w, v := linalg.Eigh(c)
		root = v.Mul(np.Sqrt(np.Maximum(w, 0)).ExpandDims(-2)) // rounding may leave a zero below it
	case BySVD:
		u, w, _ := linalg.SVD(c)
		root = u.Mul(np.Sqrt(w).ExpandDims(-2))
	default:
		root = linalg.Cholesky(c)
	}
	z := normal(op, key, append(s, n), d)
	return m.AsType(d).Add(np.Squeeze(root.AsType(d).MatMul(z.ExpandDims(-1)), -1))
}
