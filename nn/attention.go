package nn

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// AttentionParams are the options of DotProductAttention; the zero value has none of them.
type AttentionParams struct {
	Scale  float64 // of the products of queries and keys; 0 is 1/√H
	Bias   any     // added to them, [B, N, T, S] or what broadcasts to it, a missing batch axis in front
	Mask   any     // bool, of that shape: false takes a key away from a query
	Causal bool    // a query sees the keys up to its own position
	Window []int   // {left, right}: and only those so many positions before and behind it
	// QueryLengths and KeyLengths [B] are how many positions of each sequence are in use; results for the others are 0.
	QueryLengths, KeyLengths any
}

// DotProductAttention mixes values by how well queries meet keys, for each head: softmax(scale q kᵀ + bias) v (Vaswani et
// al., arXiv:1706.03762). With fewer heads K of keys and values than N of queries, each serves N/K of them (Ainslie et al.,
// arXiv:2305.13245).
//
//	q [B, T, N, H], k, v [B, S, K, H] of one floating-point dtype, N a multiple of K   →   [B, T, N, H]
//
// The batch axis may be missing in all three. Types of 16 bits are multiplied and exponentiated in float32. A
// query that no key is left for sees all of them alike. It panics with a ShapeError or DTypeError where the operands do
// not fit.
func DotProductAttention(q, k, v any, p AttentionParams) *array.Array {
	const op = "nn.DotProductAttention"
	fail := func(err error) { panic(array.Wrap(op, err)) }
	query, key, value := inexact(q), inexact(k), inexact(v)
	shape := query.Shape()
	if query.DType() != key.DType() || key.DType() != value.DType() {
		fail(array.DTypeErrorf("queries are %s, keys %s and values %s; one dtype is wanted", query.DType(), key.DType(), value.DType()))
	}
	if r := query.Rank(); r < 3 || r > 4 || key.Rank() != r {
		fail(array.ShapeErrorf("queries %s and keys %s must both be [batch, position, head, feature] or [position, head, feature]", query.Aval(), key.Aval()))
	}
	if query.Rank() == 3 {
		query, key, value = query.ExpandDims(0), key.ExpandDims(0), value.ExpandDims(0)
	}
	qs, ks := query.Shape(), key.Shape()
	b, t, n, h := qs[0], qs[1], qs[2], qs[3]
	s, heads := ks[1], ks[2]
	switch {
	case !value.Shape().Equal(ks):
		fail(array.ShapeErrorf("values are %s; their shape must be that of the keys %s", value.Aval(), key.Aval()))
	case ks[0] != b || ks[3] != h:
		fail(array.ShapeErrorf("queries are %s and keys %s; batch and feature must be the same", query.Aval(), key.Aval()))
	case heads == 0 || n%heads != 0:
		fail(array.ShapeErrorf("%d heads of queries cannot be divided among %d of keys", n, heads))
	case len(p.Window) != 0 && len(p.Window) != 2:
		fail(array.ArgumentErrorf("the window is {left, right}, got %v", p.Window))
	}

	d := key.DType()
	wide := d
	if d.Bits() < 32 {
		wide = array.Float32
	}
	grouped := query.AsType(wide).Reshape(b, t, heads, n/heads, h)
	logits := np.Einsum("btkgh,bskh->bkgts", grouped, key.AsType(wide)).Reshape(b, n, t, s)
	scale := p.Scale
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(h))
	}
	logits = logits.Mul(scale)
	if p.Bias != nil {
		logits = logits.Add(p.Bias).AsType(wide)
	}
	if mask := p.mask(op, b, t, s); mask != nil {
		logits = np.Where(mask, logits, -0.7*wide.MaxFinite())
	}
	weights := Softmax(logits).AsType(d).Reshape(b, heads, n/heads, t, s)
	out := np.Einsum("bkgts,bskh->btkgh", weights, value).Reshape(b, t, n, h)
	if p.QueryLengths != nil {
		used := below(t, lengths(op, p.QueryLengths, b).Reshape(b, 1))
		out = out.Mul(used.Reshape(b, t, 1, 1).AsType(d))
	}
	return out.Reshape(shape...)
}

// mask is where a query may see a key, something that broadcasts to [B, N, T, S], or nil for everywhere.
func (p AttentionParams) mask(op string, b, t, s int) *array.Array {
	var all *array.Array
	and := func(m *array.Array) {
		if all != nil {
			m = all.And(m)
		}
		all = m
	}
	if p.Mask != nil {
		m := np.Asarray(p.Mask)
		if m.DType() != array.Bool {
			panic(array.Wrap(op, array.DTypeErrorf("the mask is %s; it must be bool, what is to be added is a Bias", m.Aval())))
		}
		and(m)
	}
	from, to := np.Arange(t).Reshape(t, 1), np.Arange(s)
	if p.Causal {
		and(to.LessEqual(from))
	}
	if len(p.Window) == 2 {
		and(from.Sub(p.Window[0]).LessEqual(to).And(to.LessEqual(from.Add(p.Window[1]))))
	}
	if p.QueryLengths != nil {
		and(from.Less(lengths(op, p.QueryLengths, b).Reshape(b, 1, 1, 1)))
	}
	if p.KeyLengths != nil {
		and(below(s, lengths(op, p.KeyLengths, b).Reshape(b, 1, 1, 1)))
	}
	return all
}

func lengths(op string, v any, b int) *array.Array {
	x := np.Asarray(v)
	if !x.DType().IsInteger() || !x.Shape().Equal(array.Shape{b}) {
		panic(array.Wrap(op, array.ShapeErrorf("lengths are %s; one integer for each of the %d sequences is wanted", x.Aval(), b)))
	}
	return x
}

// below tells which of 0 … n-1, along a last axis, are less than x.
func below(n int, x *array.Array) *array.Array { return np.Arange(n).Less(x) }
