package vjp

import (
	"fmt"
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

// CheckOption is a setting of CheckGrads.
type CheckOption func(*checker)

type checker struct {
	order       int
	reverseOnly bool
	step, tol   float64 // 0: by dtype
	seed        uint64
	name        string
}

// Order is how many derivatives CheckGrads looks at; the default is 2.
func Order(n int) CheckOption { return func(c *checker) { c.order = n } }

// ReverseOnly leaves forward mode out, for functions with a rule by Custom; it implies that second derivatives are
// those in reverse mode.
func ReverseOnly() CheckOption { return func(c *checker) { c.reverseOnly = true } }

// Tolerance is the relative difference that CheckGrads accepts. The default follows from the dtype and the step of the
// differences: 1e-5 for float64, 2e-2 for float32.
func Tolerance(rtol float64) CheckOption { return func(c *checker) { c.tol = rtol } }

// CheckGrads compares the derivatives of f at args, which must be data, with central differences in a random direction:
// forward mode, reverse mode by ⟨w, J v⟩ = ⟨Jᵀw, v⟩, and the same for the gradient, up to the order asked for. It
// returns an error that tells which derivative differs by how much. The direction is the same in every run.
//
// float64 arguments give the sharper check. Functions must be smooth near args.
func CheckGrads(f any, args []any, opts ...CheckOption) (err error) {
	defer trace.Recover(&err)
	c := &checker{order: 2, seed: 20250601, name: "f"}
	for _, o := range opts {
		o(c)
	}
	callable, err := trace.CallableOf(f)
	if err != nil {
		return err
	}
	leaves, tree, err := trace.FlattenArgs(trace.SignatureOf(callable), args)
	if err != nil {
		return err
	}
	flat := func(in []*array.Array) []*array.Array {
		out, _, err := trace.CallTree(callable, tree, in)
		if err != nil {
			panic(array.Wrap(callable.Name(), err))
		}
		return out
	}
	return c.check(flat, leaves, 1)
}

func (c *checker) check(f func([]*array.Array) []*array.Array, x []*array.Array, order int) error {
	step, tol := c.step, c.tol
	for _, v := range x {
		s, t := 1e-5, 1e-5
		switch v.DType() {
		case array.Float32, array.Complex64:
			s, t = 4e-3, 2e-2
		case array.Float16, array.BFloat16:
			s, t = 0.1, 0.2
		}
		if v.DType().IsInexact() {
			step, tol = max(step, s), max(tol, t)
		}
	}
	if c.tol != 0 {
		tol = c.tol
	}
	v := c.directions(x)
	plus, minus := f(along(x, v, step)), f(along(x, v, -step))
	var want []*array.Array
	for i := range plus {
		want = append(want, difference(plus[i], minus[i], 2*step))
	}

	y, pull := VJP(f, x)
	out := y.([]*array.Array)
	w := c.directions(out)
	if !c.reverseOnly {
		_, dy := JVP(f, []any{x}, []any{v})
		for i, d := range dy.([]*array.Array) {
			if err := agree(fmt.Sprintf("derivative of order %d, forward mode, result %d", order, i), d, want[i], tol); err != nil {
				return err
			}
		}
	}
	sent := pull.CallTree(w).([]*array.Array)
	lhs, rhs := inner(w, want), inner(sent, v)
	scale := math.Max(norm(w)*norm(want), 1e-3)
	if math.IsNaN(lhs-rhs) != math.IsNaN(lhs) || math.Abs(lhs-rhs) > tol*scale {
		return fmt.Errorf("derivative of order %d, reverse mode: ⟨w, J v⟩ = %.9g by differences, ⟨Jᵀw, v⟩ = %.9g", order, lhs, rhs)
	}
	if order >= c.order {
		return nil
	}
	var active []*array.Array
	var at []int
	for i, a := range x {
		if a.DType().IsInexact() {
			active, at = append(active, a), append(at, i)
		}
	}
	return c.check(func(in []*array.Array) []*array.Array {
		full := append([]*array.Array{}, x...)
		for k, i := range at {
			full[i] = in[k]
		}
		_, pull := VJP(f, full)
		all := pull.CallTree(w).([]*array.Array)
		grads := make([]*array.Array, len(at))
		for k, i := range at {
			grads[k] = all[i]
		}
		return grads
	}, active, order+1)
}

// directions makes random tangents, nil for values without.
func (c *checker) directions(x []*array.Array) []*array.Array {
	out := make([]*array.Array, len(x))
	for i, a := range x {
		if !a.DType().IsInexact() {
			out[i] = Zeros(a.Aval())
			continue
		}
		b := array.NewBuffer(a.DType(), a.Shape())
		for k := range b.Len() {
			if a.DType().IsComplex() {
				b.SetComplex(k, complex(c.random(), c.random()))
			} else {
				b.SetFloat(k, c.random())
			}
		}
		out[i] = array.Of(b)
	}
	return out
}

// random is the next number of a fixed sequence in [-1, 1): splitmix64.
func (c *checker) random() float64 {
	c.seed += 0x9e3779b97f4a7c15
	z := c.seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64(z>>11)/(1<<52) - 1
}

// along is x + h v.
func along(x, v []*array.Array, h float64) []*array.Array {
	out := make([]*array.Array, len(x))
	for i, a := range x {
		if out[i] = a; a.DType().IsInexact() {
			out[i] = combine(a, v[i], complex(h, 0), 1)
		}
	}
	return out
}

// difference is (a - b) / h.
func difference(a, b *array.Array, h float64) *array.Array {
	if !a.DType().IsInexact() {
		return Zeros(a.Aval())
	}
	return combine(a, b, -1, complex(1/h, 0))
}

// combine is (a + s b) c, computed in double precision on the host.
func combine(a, b *array.Array, s, c complex128) *array.Array {
	x, y := mustHost(a), mustHost(b)
	out := array.NewBuffer(a.DType(), a.Shape())
	for k := range out.Len() {
		if a.DType().IsComplex() {
			out.SetComplex(k, (x.Complex(k)+s*y.Complex(k))*c)
		} else {
			out.SetFloat(k, (x.Float(k)+real(s)*y.Float(k))*real(c))
		}
	}
	return array.Of(out)
}

func mustHost(x *array.Array) *array.Buffer {
	b, err := x.Host()
	if err != nil {
		panic(array.Wrap("vjp.CheckGrads", err))
	}
	return b
}

// inner is Σ a b, of which the real part is what transposition keeps.
func inner(a, b []*array.Array) float64 {
	sum := 0.0
	for i := range a {
		if !a[i].DType().IsInexact() {
			continue
		}
		x, y := mustHost(a[i]), mustHost(b[i])
		for k := range x.Len() {
			if a[i].DType().IsComplex() {
				sum += real(x.Complex(k) * y.Complex(k))
			} else {
				sum += x.Float(k) * y.Float(k)
			}
		}
	}
	return sum
}

func norm(a []*array.Array) float64 {
	sum := 0.0
	for _, v := range a {
		if v.DType().IsInexact() {
			n := magnitude(v)
			sum += n * n
		}
	}
	return math.Sqrt(sum)
}

// magnitude is the Euclidean norm of the elements.
func magnitude(v *array.Array) float64 {
	b, sum := mustHost(v), 0.0
	for k := range b.Len() {
		if v.DType().IsComplex() {
			z := b.Complex(k)
			sum += real(z)*real(z) + imag(z)*imag(z)
		} else {
			sum += b.Float(k) * b.Float(k)
		}
	}
	return math.Sqrt(sum)
}

// agree compares a derivative with differences, relative to the largest element.
func agree(what string, got, want *array.Array, tol float64) error {
	if !got.DType().IsInexact() {
		return nil
	}
	diff := combine(got, want, -1, 1)
	d, x, y := mustHost(diff), mustHost(got), mustHost(want)
	scale := 1e-3
	for k := range d.Len() {
		scale = math.Max(scale, abs(y, k))
	}
	for k := range d.Len() {
		if e := abs(d, k); math.IsNaN(e) != math.IsNaN(abs(y, k)) || e > tol*scale {
			return fmt.Errorf("%s: element %d is %v, by differences %v", what, k, number(x, k), number(y, k))
		}
	}
	return nil
}

func abs(b *array.Buffer, k int) float64 {
	if b.DType().IsComplex() {
		z := b.Complex(k)
		return math.Hypot(real(z), imag(z))
	}
	return math.Abs(b.Float(k))
}

func number(b *array.Buffer, k int) any {
	if b.DType().IsComplex() {
		return b.Complex(k)
	}
	return b.Float(k)
}
