package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// CumulativeP combines every element along Axis with all before it, or with all behind it where Reverse is set. Its
// names are cumsum, cumprod, cummax, cummin and cumlogsumexp.
//
//	x [...]   →   [...] same shape and dtype
//
// It takes numbers; cumlogsumexp, log of the cumulative sum of exp(x), floating-point and complex ones.
//
// JVP: cumsum is linear, and its transpose sums in the other direction. The others are differentiated through a tree of
// pairs: where equal elements compete in cummax, each node of the tree gives half to either side.
type CumulativeP struct {
	Op      Combine
	Axis    int
	Reverse bool
}

// Name implements Primitive.
func (p CumulativeP) Name() string { return "cum" + p.Op.word() }

// Params implements Parametric.
func (p CumulativeP) Params() []Param { return []Param{{"axis", p.Axis}, {"reverse", p.Reverse}} }

// Shape implements Primitive.
func (p CumulativeP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if x.DType == array.Bool {
		return nil, array.DTypeErrorf("operand is bool; it takes numbers: convert to an integer type first")
	}
	if err := p.Op.accepts(x.DType, CombineAdd, CombineMul, CombineMax, CombineMin, CombineLogAddExp); err != nil {
		return nil, err
	}
	if err := distinctAxes("axis", array.MakeInts(p.Axis), x.Shape.Rank()); err != nil {
		return nil, err
	}
	return []array.Aval{x}, nil
}

// JVP implements vjp.Differentiable.
func (p CumulativeP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if p.Op == CombineAdd {
		return BindAll(p, x...), BindAll(p, dx...), nil
	}
	pair, err := p.scan([]*array.Array{x[0], dx[0]}, func(a, b []*array.Array) ([]*array.Array, error) {
		z, dz, err := p.Op.jvp(a[0], b[0], a[1], b[1])
		return []*array.Array{z, dz}, err
	})
	if err != nil {
		return nil, nil, err
	}
	return single(pair[0], pair[1])
}

// scan computes the cumulative reduction of xs, the parts of one value, in a tree.
func (p CumulativeP) scan(xs []*array.Array, combine combiner) ([]*array.Array, error) {
	if !p.Reverse {
		return prefixes(xs, p.Axis, combine)
	}
	reversed := make([]*array.Array, len(xs))
	for i, x := range xs {
		reversed[i] = Rev(x, p.Axis)
	}
	ys, err := prefixes(reversed, p.Axis, combine)
	if err != nil {
		return nil, err
	}
	for i, y := range ys {
		ys[i] = Rev(y, p.Axis)
	}
	return ys, nil
}

// combiner is an associative function of two values that have several parts.
type combiner func(a, b []*array.Array) ([]*array.Array, error)

// prefixes combines each element along axis with all before it, by recursion (Blelloch, Prefix sums and their
// applications, 1990): neighbours are combined, the half as many pairs scanned, and the places between filled in.
func prefixes(xs []*array.Array, axis int, combine combiner) ([]*array.Array, error) {
	n := xs[0].Shape()[axis]
	if n < 2 {
		return slices.Clone(xs), nil
	}
	part := func(xs []*array.Array, lo, hi, step int) []*array.Array {
		ys := make([]*array.Array, len(xs))
		for i, x := range xs {
			ys[i] = sliceAlong(x, axis, lo, hi, step)
		}
		return ys
	}
	neighbours, err := combine(part(xs, 0, n-1, 2), part(xs, 1, n, 2))
	if err != nil {
		return nil, err
	}
	odd, err := prefixes(neighbours, axis, combine)
	if err != nil {
		return nil, err
	}
	even := part(xs, 0, 1, 1)
	if m := (n - 1) / 2; m > 0 { // places 2, 4, … that have an odd place before them
		rest, err := combine(part(odd, 0, m, 1), part(xs, 2, n, 2))
		if err != nil {
			return nil, err
		}
		for i := range even {
			even[i] = Concatenate(axis, even[i], rest[i])
		}
	}
	for i := range even {
		even[i] = interleave(even[i], odd[i], axis)
	}
	return even, nil
}

// interleave takes elements from even and odd by turns along axis; even has as many as odd or one more.
func interleave(even, odd *array.Array, axis int) *array.Array {
	n := even.Shape()[axis] + odd.Shape()[axis]
	last := even.Shape()[axis]
	if n%2 == 1 {
		odd = Concatenate(axis, odd, sliceAlong(even, axis, last-1, last, 1))
	}
	both := Concatenate(axis+1, ExpandDims(even, axis+1), ExpandDims(odd, axis+1))
	shape := even.Shape().Clone()
	shape[axis] = 2 * last
	return sliceAlong(Reshape(both, shape), axis, 0, n, 1)
}

// Transpose implements vjp.Linear: the transpose of a cumulative sum sums in the other direction.
func (p CumulativeP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	if p.Op != CombineAdd {
		return nil, notLinear(p)
	}
	return []*array.Array{CumSum(ct[0], p.Axis, !p.Reverse)}, nil
}

// Batch implements vmap.Batcher.
func (p CumulativeP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	p.Axis = beside(array.MakeInts(p.Axis), dims[0]).At(0)
	return BindAll(p, in...), dims, nil
}

// Lower implements Lowerable: a window over the whole axis, of which all but one element lie in padding at first. XLA and
// the CPU engine know the form and run it as a scan, where the function is one operation of theirs; others are a tree.
func (p CumulativeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	rank, n, d := out[0].Shape.Rank(), out[0].Shape[p.Axis], out[0].DType
	switch {
	case n == 0:
		return in, nil
	case p.Op == CombineLogAddExp, d.IsComplex() && (p.Op == CombineMax || p.Op == CombineMin):
		return compose(b, in, func(in []*array.Array) []*array.Array {
			ys, _ := p.scan(in, func(a, b []*array.Array) ([]*array.Array, error) {
				return []*array.Array{p.Op.apply(a[0], b[0])}, nil
			})
			return ys
		})
	}
	size, pad, none := onesList(rank), make([]int, rank), array.MakeInts(make([]int, rank)...)
	size[p.Axis], pad[p.Axis] = n, n-1
	w := Window{Size: array.MakeInts(size...), PadLo: array.MakeInts(pad...), PadHi: none}
	if p.Reverse {
		w.PadLo, w.PadHi = w.PadHi, w.PadLo
	}
	body, err := p.Op.region(b, d)
	if err != nil {
		return nil, err
	}
	return w.canonical().reduce(b, in, []*hlo.Value{p.Op.identity(b, d)}, out, body), nil
}

// CumSum returns the sums of the elements up to each one along axis, or from each one on. See CumulativeP.
func CumSum(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineAdd, axis, reverse}, x)
}

// CumProd returns the cumulative products along axis. See CumulativeP.
func CumProd(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineMul, axis, reverse}, x)
}

// CumMax returns the cumulative maxima along axis. See CumulativeP.
func CumMax(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineMax, axis, reverse}, x)
}

// CumMin returns the cumulative minima along axis. See CumulativeP.
func CumMin(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineMin, axis, reverse}, x)
}

// CumLogSumExp returns the logarithm of the cumulative sums of exp(x) along axis. See CumulativeP.
func CumLogSumExp(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineLogAddExp, axis, reverse}, x)
}
