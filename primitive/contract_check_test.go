package primitive_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// seed makes all random data; a failure is repeated with it.
const seed = 20240229

type list = []*array.Array

func (r row) check(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s: %s%+v, seed %d", r.line, r.prim.Name(), trace.Params(r.prim), seed)
		}
	})
	in := make(list, len(r.in))
	for i, o := range r.in {
		in[i] = o.make(rng)
	}
	f := func(xs list) list { return primitive.BindAll(r.prim, xs...) }
	out := f(in)

	r.checkShape(t, out)
	r.checkEager(t, f, in, out)
	r.checkBatch(t, rng, in)
	r.checkDerivative(t, rng, f, in, out)
	r.checkTranspose(t, rng, in)
}

// make draws an operand.
func (o operand) make(rng *rand.Rand) *array.Array {
	b := array.NewBuffer(o.aval.DType, o.aval.Shape)
	for i := range b.Len() {
		switch {
		case o.data != nil:
			b.SetFloat(i, o.data[i])
		case o.aval.DType.IsComplex():
			b.SetComplex(i, complex(o.draw(rng), o.draw(rng)))
		default:
			b.SetFloat(i, o.draw(rng))
		}
	}
	return array.OfAval(b, o.aval)
}

// checkShape compares the shape rule with what comes out and with the types of the lowered module, which must verify.
func (r row) checkShape(t *testing.T, out list) {
	t.Helper()
	avals := make([]array.Aval, len(r.in))
	for i, o := range r.in {
		avals[i] = o.aval
	}
	want, err := r.prim.Shape(avals)
	if err != nil {
		t.Fatalf("%s: Shape: %v", r.line, err)
	}
	if len(out) != len(want) {
		t.Fatalf("%s: Shape says %d results, there are %d", r.line, len(want), len(out))
	}
	for i, y := range out {
		if !y.Aval().Equal(want[i]) {
			t.Errorf("%s: Shape says %s for result %d, which is %s", r.line, want[i], i, y.Aval())
		}
	}
	for _, platform := range []string{"cpu", "cuda"} {
		j, err := trace.Record("contract", avals, func(in []*array.Array) ([]*array.Array, error) {
			return primitive.BindAll(r.prim, in...), nil
		})
		if err != nil {
			t.Fatalf("%s: %v", r.line, err)
		}
		m, err := lower.Module("contract", j, lower.Options{Platform: platform})
		if err != nil {
			t.Fatalf("%s: Lower for %s: %v", r.line, platform, err)
		}
		if err := hlo.Verify(m); err != nil {
			t.Errorf("%s: the lowered module is not valid: %v\n%s", r.line, err, m)
		}
		for i, typ := range m.Func("main").Out {
			if w := hlo.TensorOf(want[i]).String(); typ.String() != w {
				t.Errorf("%s: Shape says %s for result %d, the module for %s returns %s", r.line, w, i, platform, typ)
			}
		}
	}
}

// checkEager compares evaluation at once with a compiled program.
func (r row) checkEager(t *testing.T, f func(list) list, in, out list) {
	t.Helper()
	if len(in) == 0 {
		return
	}
	for i, y := range jit.Of(f).CallAll(in) {
		r.compare(t, "jit", y, out[i], 0)
	}
}

// checkBatch compares vmap with a loop, for every set of mapped operands and every batch axis.
func (r row) checkBatch(t *testing.T, rng *rand.Rand, in list) {
	t.Helper()
	if len(in) == 0 {
		return
	}
	const size = 2
	for mapped := 1; mapped < 1<<len(in); mapped++ {
		if n := len(in); n > 4 && mapped != 1<<n-1 && mapped&(mapped-1) != 0 {
			continue // of many operands: each alone, and all
		}
		for axis := 0; axis <= r.maxRank(); axis++ {
			dims, stacked := make([]int, len(in)), slices.Clone(in)
			elements := [size]list{}
			for e := range elements {
				elements[e] = slices.Clone(in)
			}
			for i, o := range r.in {
				dims[i] = vmap.NotMapped
				if mapped>>i&1 == 0 {
					continue
				}
				for e := range elements {
					elements[e][i] = o.make(rng)
				}
				dims[i] = min((axis+i)%(r.maxRank()+1), o.aval.Shape.Rank())
				stacked[i] = stack(dims[i], elements[0][i], elements[1][i])
			}
			what := fmt.Sprintf("Batch(dims=%v)", dims)
			got, outDims, err := vmap.Apply(vmap.AxisData{Size: size}, stacked, dims, func(xs []*array.Array) ([]*array.Array, error) {
				return primitive.BindAll(r.prim, xs...), nil
			})
			if err != nil {
				t.Errorf("%s: %s: %v", r.line, what, err)
				continue
			}
			for e := range elements {
				for i, y := range primitive.BindAll(r.prim, elements[e]...) {
					g := got[i]
					if outDims[i] != vmap.NotMapped {
						g = pick(g, outDims[i], e)
					}
					r.compare(t, what, g, y, 8)
				}
			}
		}
	}
}

func (r row) maxRank() int {
	rank := 0
	for _, o := range r.in {
		rank = max(rank, o.aval.Shape.Rank())
	}
	return rank
}

// stack puts arrays along a new axis, by the host.
func stack(axis int, xs ...*array.Array) *array.Array {
	a := xs[0].Aval()
	b := array.NewBuffer(a.DType, a.Shape.Insert(axis, len(xs)))
	each(b, xs, axis, func(dst, src *array.Buffer, i, k int) { copyElement(dst, i, src, k) })
	return array.OfAval(b, a.WithShape(b.Shape()))
}

// pick is element e along an axis, by the host.
func pick(x *array.Array, axis, e int) *array.Array {
	a := x.Aval()
	a.Shape = a.Shape.Without(axis)
	parts := make(list, x.Shape()[axis])
	for i := range parts {
		parts[i] = array.OfAval(array.NewBuffer(a.DType, a.Shape), a)
	}
	each(host(x), parts, axis, func(src, dst *array.Buffer, i, k int) { copyElement(dst, k, src, i) })
	return parts[e]
}

// each pairs the elements of a stack with those of its parts.
func each(whole *array.Buffer, parts list, axis int, f func(whole, part *array.Buffer, i, k int)) {
	strides := whole.Shape().Strides()
	inner, n := strides[axis], len(parts)
	for i := range whole.Len() {
		outer, p, rest := i/(inner*n), i/inner%n, i%inner
		f(whole, host(parts[p]), i, outer*inner+rest)
	}
}

func copyElement(dst *array.Buffer, i int, src *array.Buffer, k int) {
	size := dst.DType().Size()
	copy(dst.Bytes()[i*size:(i+1)*size], src.Bytes()[k*size:(k+1)*size])
}

func host(x *array.Array) *array.Buffer {
	b, err := x.Host()
	if err != nil {
		panic(err)
	}
	return b
}

// checkDerivative compares jvp with central differences, and jvp of jvp with differences of jvp; and for both the
// pull-back with jvp, <w, J v> = <Jᵀ w, v>.
func (r row) checkDerivative(t *testing.T, rng *rand.Rand, f func(list) list, in, out list) {
	t.Helper()
	var active []int
	for i, x := range in {
		if x.DType().IsInexact() && x.DType().Real() == array.Float64 && !slices.Contains(r.fixed, i) {
			active = append(active, i)
		}
	}
	inexact := slices.IndexFunc(out, func(y *array.Array) bool { return y.DType().IsInexact() })
	if len(active) == 0 || inexact < 0 || r.order == 0 {
		return
	}
	fn := func(xs list) list {
		all := slices.Clone(in)
		for k, i := range active {
			all[i] = xs[k]
		}
		return slices.DeleteFunc(f(all), func(y *array.Array) bool { return !y.DType().IsInexact() })
	}
	point := make(list, len(active))
	for k, i := range active {
		point[k] = in[i]
	}
	for order := 1; order <= r.order; order++ {
		v := make(list, len(point))
		for k, i := range active {
			v[k] = typed(in[i].DType(), normal, in[i].Shape()).make(rng)
		}
		primal := fn
		jvp := func(xs list) list {
			_, dy := vjp.JVP(primal, []any{xs}, []any{v})
			return dy.(list)
		}
		got := jvp(point)
		h := 1e-5
		up, down := fn(moved(point, v, h)), fn(moved(point, v, -h))
		for i, g := range got {
			r.compare(t, fmt.Sprintf("JVP to order %d", order), g, difference(up[i], down[i], 2*h), 1e9)
		}
		w, forward, backward := make(list, len(got)), 0.0, 0.0
		for i, g := range got {
			w[i] = typed(g.DType(), normal, g.Shape()).make(rng)
			forward += inner(w[i], g)
		}
		_, pull := vjp.VJP(primal, point)
		for i, x := range pull.CallAll(w) {
			backward += inner(x, v[i])
		}
		if !(math.Abs(forward-backward) <= 1e-9*r.tol*(1+math.Abs(forward))) {
			t.Errorf("%s: to order %d: <w,Jv> = %v, <J'w,v> = %v", r.line, order, forward, backward)
		}
		fn = jvp
	}
}

// moved is x + h v, by the host.
func moved(x, v list, h float64) list {
	out := make(list, len(x))
	for i := range x {
		out[i] = combine(x[i], v[i], func(a, b complex128) complex128 { return a + complex(h, 0)*b })
	}
	return out
}

func difference(up, down *array.Array, h float64) *array.Array {
	return combine(up, down, func(a, b complex128) complex128 { return (a - b) / complex(h, 0) })
}

func combine(x, y *array.Array, f func(a, b complex128) complex128) *array.Array {
	b, p, q := array.NewBuffer(x.DType(), x.Shape()), host(x), host(y)
	for i := range b.Len() {
		b.SetComplex(i, f(p.Complex(i), q.Complex(i)))
	}
	return array.OfAval(b, x.Aval())
}

// checkTranspose compares <J v, w> with <v, Jᵀ w>; the products do not conjugate, and of complex ones the real part is
// compared, for some primitives are linear over the real numbers only.
func (r row) checkTranspose(t *testing.T, rng *rand.Rand, in list) {
	t.Helper()
	for _, set := range r.linear {
		operands := make([]primitive.Operand, len(in))
		xs := slices.Clone(in)
		for i, x := range in {
			operands[i] = primitive.Operand{Aval: x.Aval(), Value: x}
		}
		for _, i := range set {
			operands[i].Value = nil
			xs[i] = r.in[i].make(rng)
		}
		jv := primitive.BindAll(r.prim, xs...)
		zeros := slices.Clone(xs)
		for _, i := range set {
			zeros[i] = array.OfAval(array.NewBuffer(in[i].DType(), in[i].Shape()), in[i].Aval())
		}
		affine := primitive.BindAll(r.prim, zeros...) // what the other operands add
		w := make(list, len(jv))
		forward := 0.0
		for i, y := range jv {
			if y.DType().IsInexact() {
				w[i] = typed(y.DType(), normal, y.Shape()).make(rng)
				forward += inner(y, w[i]) - inner(affine[i], w[i])
			}
		}
		sent, err := r.prim.(vjp.Linear).Transpose(w, operands)
		if err != nil {
			t.Errorf("%s: Transpose(%v): %v", r.line, set, err)
			continue
		}
		backward := 0.0
		for _, i := range set {
			if sent[i] == nil {
				t.Errorf("%s: Transpose(%v) sends nothing to operand %d", r.line, set, i)
				continue
			}
			if got, want := sent[i].Aval(), in[i].Aval(); got.DType != want.DType || !got.Shape.Equal(want.Shape) {
				t.Errorf("%s: Transpose(%v) sends %s to operand %d, which is %s", r.line, set, got, i, want)
				continue
			}
			backward += inner(xs[i], sent[i])
		}
		if math.Abs(forward-backward) > 1e-9*r.tol*(1+math.Abs(forward)) {
			t.Errorf("%s: Transpose(%v): <Jv,w> = %v, <v,J'w> = %v", r.line, set, forward, backward)
		}
	}
}

func inner(x, y *array.Array) float64 {
	p, q, sum := host(x), host(y), complex128(0)
	for i := range p.Len() {
		sum += p.Complex(i) * q.Complex(i)
	}
	return real(sum)
}

// compare fails where got and want differ by more than ulps of their dtype, beside their largest element. 0 ulps: bit
// for bit, all NaNs being one.
func (r row) compare(t *testing.T, what string, got, want *array.Array, ulps float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		t.Errorf("%s: %s: got %s, want %s", r.line, what, got.Aval(), want.Aval())
		return
	}
	g, w, d := host(got), host(want), want.DType()
	if !d.IsInexact() {
		if !slices.Equal(g.Bytes(), w.Bytes()) {
			t.Errorf("%s: %s: got %v, want %v", r.line, what, got, want)
		}
		return
	}
	eps := array.RoundTo(d.Real(), 1+epsilon(d.Real())) - 1
	largest := 0.0
	for i := range w.Len() {
		for _, v := range parts(w.Complex(i)) {
			if !math.IsInf(v, 0) && !math.IsNaN(v) {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	for i := range w.Len() {
		a, b := parts(g.Complex(i)), parts(w.Complex(i))
		for k := range a {
			if a[k] == b[k] || math.IsNaN(a[k]) && math.IsNaN(b[k]) || math.Abs(a[k]-b[k]) <= r.tol*ulps*eps*max(1, largest) {
				continue
			}
			t.Errorf("%s: %s: element %d: got %v, want %v", r.line, what, i, g.Complex(i), w.Complex(i))
			return
		}
	}
}

func parts(c complex128) [2]float64 { return [2]float64{real(c), imag(c)} }

// epsilon is the distance from 1 to the next number of a type.
func epsilon(d array.DType) float64 {
	e := 1.0
	for array.RoundTo(d, 1+e/2) > 1 {
		e /= 2
	}
	return e
}
