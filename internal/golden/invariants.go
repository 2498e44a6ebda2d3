package golden

import (
	"fmt"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
)

// A factorisation is unique up to signs and phases only: such a case says in words what holds for every answer, and here is
// the check of it. a is the input and out the factors, all with the same batch axes in front.

// invariants finds the check of an invariant by the word before its colon.
var invariants = map[string]func(c *checker, a *array.Array, out []*array.Array){
	"qr":    checkQR,
	"svd":   checkSVD,
	"eigh":  checkEigh,
	"eig":   checkEig,
	"schur": checkSchur,
}

// posts are the maps over the outputs of a case that were applied before recording, by their text.
var posts = map[string]func([]*array.Array) []*array.Array{
	"lambda *o: tuple(jnp.abs(x) ** 2 for x in o)": func(out []*array.Array) []*array.Array {
		squares := make([]*array.Array, len(out))
		for i, x := range out {
			squares[i] = np.Square(x.Abs())
		}
		return squares
	},
	"lambda w: jnp.sort_complex(jnp.round(w, 3))": func(out []*array.Array) []*array.Array {
		return []*array.Array{np.SortComplex(np.Round(out[0], 3))}
	},
	"lambda a, t: jnp.abs(jnp.triu(a, -1))": func(out []*array.Array) []*array.Array {
		return []*array.Array{np.Triu(out[0], -1).Abs()}
	},
	"lambda a, d, e, t: (d, jnp.abs(e))": func(out []*array.Array) []*array.Array {
		return []*array.Array{out[1], out[2].Abs()}
	},
}

// checker collects what does not hold.
type checker struct {
	mode string // of qr
	tol  float64
	errs []string
}

// invariant checks the factors out of a by the text of the case. An invariant without a check here has its case compared
// through its post.
func invariant(text, mode string, a *array.Array, out []*array.Array) error {
	name, _, _ := strings.Cut(text, ":")
	check, ok := invariants[name]
	if !ok {
		return nil
	}
	c := &checker{mode: mode, tol: 1e-12}
	if d := a.DType(); d == array.Float32 || d == array.Complex64 {
		c.tol = 5e-6
	}
	check(c, a, out)
	if c.errs != nil {
		return fmt.Errorf("%s: %s", name, strings.Join(c.errs, "; "))
	}
	return nil
}

// equal says that x and y agree up to rounding.
func (c *checker) equal(what string, x, y any) {
	a, b := np.Asarray(x), np.Asarray(y)
	if !a.Shape().Equal(b.Shape()) {
		c.errs = append(c.errs, fmt.Sprintf("%s: shapes %s and %s", what, a.Shape(), b.Shape()))
		return
	}
	if a.Size() == 0 {
		return
	}
	size := max(1, b.Abs().Max().AsType(array.Float64).Float())
	if d := a.Sub(b).Abs().Max().AsType(array.Float64).Float(); !(d <= c.tol*size*10) {
		c.errs = append(c.errs, fmt.Sprintf("%s: they differ by %g", what, d))
	}
}

func (c *checker) holds(what string, all *array.Array) {
	if !np.All(all).Bool() {
		c.errs = append(c.errs, what+" does not hold")
	}
}

func adjoint(x *array.Array) *array.Array { return np.Conj(np.MatrixTranspose(x)) }

func (c *checker) orthonormal(what string, q *array.Array) {
	n := q.Shape()[q.Rank()-1]
	c.equal(what+" has orthonormal columns", adjoint(q).MatMul(q), np.BroadcastTo(np.Eye(n, q.DType()), append(q.Shape()[:q.Rank()-2].Clone(), n, n)...))
}

func (c *checker) triangular(what string, r *array.Array) {
	c.equal(what+" is triangular", np.Triu(r, 0), r)
}

func checkQR(c *checker, a *array.Array, out []*array.Array) {
	switch c.mode {
	case "r":
		c.triangular("r", out[0])
		c.equal("rᴴr is aᴴa", adjoint(out[0]).MatMul(out[0]), adjoint(a).MatMul(a))
	case "raw":
		h := np.MatrixTranspose(out[0])
		n := min(h.Shape()[h.Rank()-2], h.Shape()[h.Rank()-1])
		r := np.Triu(h, 0).At("...", array.Slice{Stop: n}, ":").Get()
		q := linalg.HouseholderProduct(h.At("...", array.Slice{Stop: n}).Get(), out[1])
		c.equal("q r is a", q.MatMul(r), a)
	default:
		c.orthonormal("q", out[0])
		c.triangular("r", out[1])
		c.equal("q r is a", out[0].MatMul(out[1]), a)
	}
}

func checkSVD(c *checker, a *array.Array, out []*array.Array) {
	u, s, vh := out[0], out[1], out[2]
	k := s.Shape()[s.Rank()-1]
	c.orthonormal("u", u)
	c.orthonormal("v", adjoint(vh))
	thin, right := u.At("...", array.Slice{Stop: k}).Get(), vh.At("...", array.Slice{Stop: k}, ":").Get()
	c.equal("u diag(s) vh is a", thin.Mul(s.ExpandDims(-2).AsType(u.DType())).MatMul(right), a)
	c.holds("s descends", s.Equal(np.Sort(s, np.Axis(-1), np.Descending())))
}

func checkEigh(c *checker, a *array.Array, out []*array.Array) {
	w, v := out[0], out[1]
	if w.Rank() > v.Rank() {
		w, v = v, w
	}
	c.orthonormal("v", v)
	c.equal("v diag(w) vᴴ is a", v.Mul(w.ExpandDims(-2).AsType(v.DType())).MatMul(adjoint(v)), a.Add(adjoint(a)).Div(2))
	c.holds("w ascends", w.Equal(np.Sort(w, np.Axis(-1))))
}

func checkEig(c *checker, a *array.Array, out []*array.Array) {
	w, v := out[0], out[1]
	c.equal("a v is v diag(w)", a.AsType(v.DType()).MatMul(v), v.Mul(w.ExpandDims(-2)))
	c.equal("the columns have length 1", np.Sqrt(np.Square(v.Abs()).Sum(-2)), np.OnesLike(w.Real()))
}

func checkSchur(c *checker, a *array.Array, out []*array.Array) {
	t, z := out[0], out[1]
	c.orthonormal("z", z)
	c.equal("z t zᴴ is a", z.MatMul(t).MatMul(adjoint(z)), a)
	c.equal("t has no two elements in a row below the diagonal", np.Triu(t, -1), t)
}
