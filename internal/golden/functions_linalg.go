package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
)

type linalgOption = linalg.Option

// when lists the options whose condition holds.
func when(pairs ...any) []linalgOption {
	var opts []linalgOption
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			opts = append(opts, pairs[i+1].(linalgOption))
		}
	}
	return opts
}

// trans is the keyword that says which system is solved.
func trans(c *Call) []linalgOption {
	n := c.Int("trans", 0)
	return when(n == 1, linalg.Transposed(), n == 2, linalg.Adjoint())
}

func givenRTol(c *Call, names ...string) []linalgOption {
	var opts []linalgOption
	for _, name := range names {
		if v := c.Any(name); v != nil {
			opts = append(opts, linalg.RTol(v))
		}
	}
	return append(opts, when(c.Bool("hermitian", false), linalg.Hermitian())...)
}

func norm(f func(x, ord any, opts ...linalgOption) *array.Array, or any) Func {
	return func(c *Call) any {
		ord := c.Any("ord")
		if ord == nil {
			ord = or
		}
		opts := when(c.Bool("keepdims", false), linalg.KeepDims())
		if axes := c.Ints("axis"); axes != nil {
			opts = append(opts, linalg.Axis(axes...))
		}
		return f(c.Args[0], ord, opts...)
	}
}

func svd(c *Call) any {
	hermitian := when(c.Bool("hermitian", false), linalg.Hermitian())
	full := c.Bool("full_matrices", true)
	if !c.Bool("compute_uv", true) {
		return linalg.Svdvals(c.Args[0], hermitian...)
	}
	u, s, vh := linalg.SVD(c.Args[0], append(hermitian, when(!full, linalg.Reduced())...)...)
	return []any{u, s, vh}
}

func eigh(c *Call) any {
	opts := when(c.Str("UPLO", "L") == "U", linalg.Upper(), !c.Bool("symmetrize_input", true), linalg.AsGiven())
	w, v := linalg.Eigh(c.Args[0], opts...)
	return []any{w, v}
}

func qr(c *Call) any {
	a := c.Args[0]
	switch c.Str("mode", "reduced") {
	case "r":
		_, r := linalg.QR(a)
		return r
	case "raw":
		h, tau := linalg.QRRaw(a)
		return []any{h, tau}
	case "complete", "full":
		q, r := linalg.QR(a, linalg.Complete())
		return []any{q, r}
	}
	q, r := linalg.QR(a)
	return []any{q, r}
}

func scipyQR(c *Call) any {
	a, mode := c.Args[0], c.Str("mode", "full")
	opts := when(mode != "economic", linalg.Complete())
	if c.Bool("pivoting", false) {
		q, r, p := linalg.QRPivoted(a, opts...)
		if mode == "r" {
			return []any{r, p}
		}
		return []any{q, r, p}
	}
	q, r := linalg.QR(a, opts...)
	if mode == "r" {
		return []any{r}
	}
	return []any{q, r}
}

func triangularSolve(c *Call) any {
	return linalg.TriangularSolve(c.X(0), c.X(1), linalg.TriangularSolveP{
		LeftSide: c.Bool("left_side", false), LowerA: c.Bool("lower", false), TransposeA: c.Bool("transpose_a", false),
		ConjugateA: c.Bool("conjugate_a", false), UnitDiagonal: c.Bool("unit_diagonal", false),
	})
}

// scipyCholesky reads the triangle that it returns.
func scipyCholesky(a any, lower bool) *array.Array {
	return linalg.Cholesky(a, append(when(!lower, linalg.Upper()), linalg.AsGiven())...)
}

func argOrNil(c *Call, i int) any {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return nil
}

// linalgFunctions are the functions of jax.numpy.linalg, jax.scipy.linalg and jax.lax.linalg.
var linalgFunctions = map[string]Func{
	"linalg.cholesky": func(c *Call) any {
		return linalg.Cholesky(c.Args[0], when(c.Bool("upper", false), linalg.Upper(), !c.Bool("symmetrize_input", true), linalg.AsGiven())...)
	},
	"lax.linalg.cholesky": func(c *Call) any {
		return linalg.Cholesky(c.Args[0], when(!c.Bool("symmetrize_input", true), linalg.AsGiven())...)
	},
	"scipy.linalg.cholesky": func(c *Call) any {
		return scipyCholesky(c.Args[0], c.Bool("lower", false))
	},
	"scipy.linalg.cho_solve": func(c *Call) any {
		lower := c.Bool("lower", false)
		return linalg.ChoSolve(scipyCholesky(c.Args[0], lower), c.Args[1], when(!lower, linalg.Upper())...)
	},
	"lax.linalg.cholesky_update": func(c *Call) any { return linalg.CholeskyUpdate(c.Args[0], c.Args[1]) },

	"linalg.inv":       func(c *Call) any { return linalg.Inv(c.Args[0]) },
	"scipy.linalg.inv": func(c *Call) any { return linalg.Inv(c.Args[0]) },
	"linalg.solve":     func(c *Call) any { return linalg.Solve(c.Args[0], c.Args[1]) },
	"scipy.linalg.solve": func(c *Call) any {
		lower := c.Bool("lower", false)
		if c.Str("assume_a", "gen") == "pos" {
			return linalg.SolvePositive(c.Args[0], c.Args[1], when(!lower, linalg.Upper())...)
		}
		return linalg.Solve(c.Args[0], c.Args[1])
	},
	"scipy.linalg.solve_triangular": func(c *Call) any {
		opts := append(trans(c), when(c.Bool("lower", false), linalg.Lower(), c.Bool("unit_diagonal", false), linalg.UnitDiagonal())...)
		return linalg.SolveTriangular(c.Args[0], c.Args[1], opts...)
	},
	"lax.linalg.triangular_solve": triangularSolve,
	"lax.linalg.tridiagonal_solve": func(c *Call) any {
		return linalg.TridiagonalSolve(c.Args[0], c.Args[1], c.Args[2], c.Args[3])
	},
	"linalg.tensorinv":   func(c *Call) any { return linalg.TensorInv(c.Args[0], c.Int("ind", 2)) },
	"linalg.tensorsolve": func(c *Call) any { return linalg.TensorSolve(c.Args[0], c.Args[1], c.Ints("axes")...) },

	"linalg.det":       func(c *Call) any { return linalg.Det(c.Args[0]) },
	"scipy.linalg.det": func(c *Call) any { return linalg.Det(c.Args[0]) },
	"linalg.slogdet": func(c *Call) any {
		if c.Str("method", "lu") == "qr" {
			sign, log := linalg.SlogdetQR(c.Args[0])
			return []any{sign, log}
		}
		sign, log := linalg.Slogdet(c.Args[0])
		return []any{sign, log}
	},

	"lax.linalg.lu": func(c *Call) any {
		lu, pivots, perm := linalg.LUFactor(c.Args[0])
		return []any{lu, pivots, perm}
	},
	"scipy.linalg.lu_factor": func(c *Call) any {
		lu, pivots, _ := linalg.LUFactor(c.Args[0])
		return []any{lu, pivots}
	},
	"scipy.linalg.lu": func(c *Call) any {
		p, l, u := linalg.LU(c.Args[0])
		if c.Bool("permute_l", false) {
			return []any{np.MatMul(p, l), u}
		}
		return []any{p, l, u}
	},
	"scipy.linalg.lu_solve": func(c *Call) any {
		lu, pivots, _ := linalg.LUFactor(c.Args[0])
		return linalg.LUSolve(lu, pivots, c.Args[1], trans(c)...)
	},
	"lax.linalg.lu_pivots_to_permutation": func(c *Call) any {
		return linalg.LUPivotsToPermutation(c.X(0), c.Int("permutation_size", 0))
	},

	"linalg.qr":       qr,
	"scipy.linalg.qr": scipyQR,
	"lax.linalg.qr": func(c *Call) any {
		opts := when(c.Bool("full_matrices", true), linalg.Complete())
		if c.Bool("pivoting", false) {
			q, r, p := linalg.QRPivoted(c.Args[0], opts...)
			return []any{q, r, p}
		}
		q, r := linalg.QR(c.Args[0], opts...)
		return []any{q, r}
	},
	"lax.linalg.householder_product": func(c *Call) any { return linalg.HouseholderProduct(c.Args[0], c.Args[1]) },

	"linalg.svd":       svd,
	"scipy.linalg.svd": svd,
	"lax.linalg.svd":   svd,
	"linalg.svdvals":   func(c *Call) any { return linalg.Svdvals(c.Args[0]) },
	"linalg.pinv":      func(c *Call) any { return linalg.Pinv(c.Args[0], givenRTol(c, "rtol", "rcond")...) },
	"linalg.matrix_rank": func(c *Call) any {
		return linalg.MatrixRank(c.Args[0], givenRTol(c, "rtol", "tol")...)
	},
	"linalg.lstsq": func(c *Call) any {
		x, resid, rank, s := linalg.Lstsq(c.Args[0], c.Args[1], givenRTol(c, "rcond")...)
		return []any{x, resid, rank, s}
	},
	"linalg.cond": func(c *Call) any { return linalg.Cond(c.Args[0], c.Any("p")) },

	"linalg.eigh": eigh,
	"linalg.eigvalsh": func(c *Call) any {
		return linalg.Eigvalsh(c.Args[0], when(c.Str("UPLO", "L") == "U", linalg.Upper())...)
	},
	"scipy.linalg.eigh": func(c *Call) any {
		w, v := linalg.Eigh(c.Args[0], when(!c.Bool("lower", true), linalg.Upper())...)
		if c.Bool("eigvals_only", false) {
			return w
		}
		return []any{w, v}
	},
	"lax.linalg.eigh": func(c *Call) any {
		c.Bool("sort_eigenvalues", true)
		w, v := linalg.Eigh(c.Args[0], when(!c.Bool("lower", true), linalg.Upper(), !c.Bool("symmetrize_input", true), linalg.AsGiven())...)
		return []any{v, w}
	},
	"linalg.eig": func(c *Call) any {
		w, v := linalg.Eig(c.Args[0])
		return []any{w, v}
	},
	"linalg.eigvals": func(c *Call) any { return linalg.Eigvals(c.Args[0]) },
	"scipy.linalg.eigh_tridiagonal": func(c *Call) any {
		c.Bool("eigvals_only", true)
		return linalg.EighTridiagonal(c.Args[0], c.Args[1])
	},
	"lax.linalg.schur": func(c *Call) any {
		t, z := linalg.Schur(c.Args[0])
		return []any{t, z}
	},
	"lax.linalg.hessenberg": func(c *Call) any {
		h, tau := linalg.HessenbergReflectors(c.Args[0])
		return []any{h, tau}
	},
	"lax.linalg.tridiagonal": func(c *Call) any {
		a, d, e, tau := linalg.Tridiagonal(c.Args[0], when(!c.Bool("lower", true), linalg.Upper())...)
		return []any{a, d, e, tau}
	},

	"linalg.norm":         norm(linalg.Norm, nil),
	"linalg.vector_norm":  norm(linalg.VectorNorm, 2),
	"linalg.matrix_norm":  norm(linalg.MatrixNorm, "fro"),
	"linalg.matrix_power": func(c *Call) any { return linalg.MatrixPower(c.Args[0], c.Int("n", 0)) },
	"linalg.multi_dot":    func(c *Call) any { return linalg.MultiDot(c.Args[0].([]any)...) },
	"linalg.cross": func(c *Call) any {
		return linalg.Cross(c.Args[0], c.Args[1], linalg.Axis(c.Int("axis", -1)))
	},
	"linalg.outer":            func(c *Call) any { return linalg.Outer(c.Args[0], c.Args[1]) },
	"linalg.trace":            func(c *Call) any { return linalg.Trace(c.Args[0], c.Int("offset", 0)) },
	"linalg.diagonal":         func(c *Call) any { return linalg.Diagonal(c.Args[0], c.Int("offset", 0)) },
	"linalg.matrix_transpose": func(c *Call) any { return np.MatrixTranspose(c.Args[0]) },
	"linalg.vecdot":           func(c *Call) any { return np.Vecdot(c.Args[0], c.Args[1], np.Axis(c.Int("axis", -1))) },
	"linalg.matmul":           func(c *Call) any { return np.MatMul(c.Args[0], c.Args[1]) },
	"linalg.tensordot":        npFunctions["np.tensordot"],

	"lax.linalg.symmetric_product": func(c *Call) any {
		c.Bool("symmetrize_output", false)
		return linalg.SymmetricProduct(c.Args[0], c.Args[1], c.Float("alpha", 1), c.Float("beta", 0))
	},
	"scipy.linalg.expm": func(c *Call) any {
		return linalg.Expm(c.Args[0], when(c.Bool("upper_triangular", false), linalg.Upper())...)
	},
	"scipy.linalg.expm_frechet": func(c *Call) any {
		e, d := linalg.ExpmFrechet(c.Args[0], c.Args[1])
		return []any{e, d}
	},
	"scipy.linalg.sqrtm": func(c *Call) any { return linalg.Sqrtm(c.Args[0]) },
	"scipy.linalg.polar": func(c *Call) any {
		u, p := linalg.Polar(c.Args[0], when(c.Str("side", "right") == "left", linalg.Adjoint())...)
		return []any{u, p}
	},
	"scipy.linalg.solve_sylvester": func(c *Call) any {
		return linalg.SolveSylvester(c.Args[0], c.Args[1], c.Args[2])
	},
	"scipy.linalg.block_diag": func(c *Call) any { return linalg.BlockDiag(c.Args...) },
	"scipy.linalg.toeplitz":   func(c *Call) any { return linalg.Toeplitz(c.Args[0], argOrNil(c, 1)) },
	"scipy.linalg.hankel":     func(c *Call) any { return linalg.Hankel(c.Args[0], argOrNil(c, 1)) },
	"scipy.linalg.circulant":  func(c *Call) any { return linalg.Circulant(c.Args[0]) },
	"scipy.linalg.hilbert":    func(c *Call) any { return linalg.Hilbert(c.Int("n", 0)) },
	"scipy.linalg.pascal":     func(c *Call) any { return linalg.Pascal(c.Int("n", 0), c.Str("kind", "")) },
	"scipy.linalg.dft": func(c *Call) any {
		return linalg.DFT(c.Int("n", 0), c.Str("scale", "")).AsType(c.DType("dtype", array.Complex128))
	},
	"scipy.linalg.hadamard": func(c *Call) any { return linalg.Hadamard(c.Int("n", 0), c.DType("dtype", array.Int64)) },
}
