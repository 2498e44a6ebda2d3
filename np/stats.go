package np

import (
	"math"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Median is the middle of the sorted elements, the mean of the middle two. It takes Axis and KeepDims.
func Median(x any, opts ...Option) *Array {
	gather("median", opts, optAxis|optKeepDims)
	return Quantile(x, 0.5, append(opts, Method("midpoint"))...)
}

// NaNMedian is Median without NaN.
func NaNMedian(x any, opts ...Option) *Array {
	gather("nanmedian", opts, optAxis|optKeepDims)
	return NaNQuantile(x, 0.5, append(opts, Method("midpoint"))...)
}

// Percentile is Quantile of q / 100.
func Percentile(x, q any, opts ...Option) *Array {
	return Quantile(x, inexact("percentile", q)[0].Div(100), opts...)
}

// NaNPercentile is Percentile without NaN.
func NaNPercentile(x, q any, opts ...Option) *Array {
	return NaNQuantile(x, inexact("nanpercentile", q)[0].Div(100), opts...)
}

// Quantile is the value below which a fraction q of the sorted elements lies; q is a scalar or a vector, whose axis comes
// first in the result. Between two elements Method decides: "linear" (the default), "lower", "higher", "midpoint" or
// "nearest". A NaN among the elements gives NaN. It takes Axis, KeepDims and Method.
func Quantile(x, q any, opts ...Option) *Array { return quantile("quantile", x, q, false, opts) }

// NaNQuantile is Quantile without NaN.
func NaNQuantile(x, q any, opts ...Option) *Array { return quantile("nanquantile", x, q, true, opts) }

func quantile(op string, x, q any, skipNaN bool, opts []Option) *Array {
	s := gather(op, opts, optAxis|optKeepDims|optMethod)
	a, at := inexact(op, x)[0], inexact(op, q)[0]
	realOnly(op, a)
	if at.Rank() > 1 {
		fail(op, array.ShapeErrorf("q must be a scalar or a vector, got shape %s", at.Shape()))
	}
	axes := s.axesOf(op, a.Rank())
	shape := a.Shape()
	// The reduced axes become one, the last.
	rest := shape.Without(axes...)
	perm := make([]int, 0, a.Rank())
	for i := range shape {
		if !slices.Contains(axes, i) {
			perm = append(perm, i)
		}
	}
	n := 1
	for _, i := range axes {
		n *= shape[i]
	}
	if n == 0 {
		fail(op, array.ShapeErrorf("no elements along axes %v of shape %s", axes, shape))
	}
	a = permute(a, append(perm, axes...)).Reshape(append(rest.Clone(), n)...)
	nan := IsNaN(a)
	missing := nan // what is NaN in the end; its derivative is zero
	if !skipNaN {
		missing = nan.Any(-1).ExpandDims(-1)
	}
	a = Where(missing, like(a, math.NaN()), a)
	a = primitive.Sort(a.Rank()-1, 1, a)[0]
	d := at.DType()
	count := filled(rest, d, float64(n))
	if skipNaN {
		count = nan.Not().Sum(-1).AsType(d)
	}
	qs := at
	if at.Rank() == 1 {
		qs = at.Reshape(append(at.Shape().Clone(), ones(len(rest))...)...)
	}
	last := count.Sub(1)
	pos := qs.Mul(last)
	lo, hi := primitive.Floor(pos), primitive.Ceil(pos)
	weight := pos.Sub(lo)
	inside := func(i *Array) *Array { return Maximum(Minimum(i, last), like(i, 0)).AsType(Int64) }
	take := func(i *Array) *Array {
		i = inside(i)
		if at.Rank() == 0 {
			return TakeAlongAxis(a, i.BroadcastTo(rest...).ExpandDims(-1), Mode("promise_in_bounds")).Squeeze(-1)
		}
		i = i.BroadcastTo(append(Shape{at.Size()}, rest...)...)
		return Moveaxis(TakeAlongAxis(a, Moveaxis(i, []int{0}, []int{-1}), Mode("promise_in_bounds")), []int{-1}, []int{0})
	}
	low, high := take(lo), take(hi)
	var y *Array
	switch s.method {
	case "", "linear":
		y = low.AsType(d).Mul(like(weight, 1).Sub(weight)).Add(high.AsType(d).Mul(weight))
	case "lower":
		y = low
	case "higher":
		y = high
	case "nearest":
		y = Where(weight.LessEqual(0.5), low, high)
	case "midpoint":
		y = low.Add(high).Mul(0.5)
	default:
		fail(op, array.ArgumentErrorf("method %q is none of linear, lower, higher, midpoint, nearest", s.method))
	}
	y = convert(y, a.DType(), false)
	if s.keepDims {
		kept := shape.Clone()
		for _, i := range axes {
			kept[i] = 1
		}
		if at.Rank() == 1 {
			kept = append(Shape{at.Size()}, kept...)
		}
		y = y.Reshape(kept...)
	}
	return y
}

// CovarianceParams are the choices of Cov. The zero value is NumPy's default.
type CovarianceParams struct {
	Columns          bool  // variables are columns and observations rows: rowvar=False
	Bias             bool  // divide by the count, not the count less one
	DDof             *int  // subtracted from the count instead of what Bias says
	FrequencyWeights any   // how often each observation was made, integers
	AnalyticWeights  any   // how reliable each observation is
	DType            DType // of the computation, where set
}

// Cov is the covariance matrix of the variables in the rows of x, and of y where that is not nil; a scalar for one
// variable.
func Cov(x, y any, p CovarianceParams) *Array {
	vs := []any{x}
	if y != nil {
		vs = append(vs, y)
	}
	xs := inexact("cov", vs...)
	var parts []*Array
	for i, a := range xs {
		if a.Rank() > 2 {
			fail("cov", array.ShapeErrorf("takes vectors and matrices, got shape %s", a.Shape()))
		}
		m := Atleast2d(a)
		if p.Columns && (i == 0 && a.Rank() != 1 || i == 1 && m.Shape()[0] != 1) {
			m = m.T()
		}
		parts = append(parts, m)
	}
	m := Concatenate(parts)
	if p.DType != array.Invalid {
		m = m.AsType(p.DType)
	}
	n := m.Shape()[1]
	ddof := 1
	if p.Bias {
		ddof = 0
	}
	if p.DDof != nil {
		ddof = *p.DDof
	}
	var w *Array
	for _, v := range []any{p.FrequencyWeights, p.AnalyticWeights} {
		if v == nil {
			continue
		}
		a := Abs(v)
		if a.Rank() != 1 || a.Size() != n {
			fail("cov", array.ShapeErrorf("weights of shape %s for %d observations", a.Shape(), n))
		}
		if w == nil {
			w = a
		} else {
			w = w.Mul(a)
		}
	}
	var mean, scale *Array
	weighted := m
	if w == nil {
		mean = Mean(m, Axis(1))
		scale = scalar(m.DType().Real(), float64(n-ddof))
		weighted = m.Sub(mean.ExpandDims(1))
	} else {
		w = convert(w, m.DType().Real(), false)
		total := w.Sum()
		mean = m.Mul(w).Sum(1).Div(total)
		scale = total
		if ddof != 0 {
			if p.AnalyticWeights == nil {
				scale = total.Sub(ddof)
			} else {
				scale = total.Sub(w.Mul(Abs(p.AnalyticWeights)).Sum().Mul(ddof).Div(total))
			}
		}
		weighted = m.Sub(mean.ExpandDims(1)).Mul(w)
	}
	centred := m.Sub(mean.ExpandDims(1))
	return centred.MatMul(weighted.T().Conj()).Div(scale).Squeeze()
}

// Corrcoef is the matrix of correlation coefficients of the variables in the rows of x, and of y where that is not nil;
// columns makes variables columns. It is clipped to -1 … 1.
func Corrcoef(x, y any, columns bool) *Array {
	c := Cov(x, y, CovarianceParams{Columns: columns})
	if c.Rank() == 0 {
		return c.Div(c)
	}
	dev := convert(Sqrt(Diag(c, 0).Real()), c.DType(), false)
	c = c.Div(dev.ExpandDims(1)).Div(dev.ExpandDims(0))
	return byParts(c, func(a *Array) *Array { return Clip(a, -1, 1) })
}

// Bincount counts how often each integer 0, 1, 2 … occurs in the vector x, or adds up its Weights. The result has at
// least minLength elements and one for the largest x, which must be known, or the fixed Length. Negative x count as 0.
func Bincount(x any, minLength int, opts ...Option) *Array {
	s := gather("bincount", opts, optWeights|optSize)
	a := arr("bincount", x)
	if a.DType() == Bool {
		a = a.AsType(Int32)
	}
	if a.Rank() != 1 || !a.DType().IsInteger() {
		fail("bincount", array.ArgumentErrorf("takes a vector of integers, got %s", a.Aval()))
	}
	n := s.size
	if !s.has(optSize) {
		n = minLength
		if a.Size() > 0 {
			n = max(n, a.Max().Int()+1)
		}
	}
	w := Of(1, Int64)
	if s.has(optWeights) {
		w = arr("bincount", s.weights)
		if !w.Shape().Equal(a.Shape()) {
			fail("bincount", array.ShapeErrorf("weights of shape %s for elements of shape %s", w.Shape(), a.Shape()))
		}
	}
	return Zeros([]int{n}, w.DType()).At(Maximum(a, like(a, 0))).Add(w)
}

// HistogramBinEdges gives the edges of bins of equal width over the range of x, or Range. bins is their number, or a
// vector of edges, which is the result then.
func HistogramBinEdges(x, bins any, opts ...Option) *Array {
	s := gather("histogram_bin_edges", opts, optRange)
	a, b := arr("histogram_bin_edges", x), arr("histogram_bin_edges", bins)
	d := toInexact(a.DType())
	if b.Rank() == 1 {
		return convert(b, d, false)
	}
	lo, hi := s.lo, s.hi
	if !s.has(optRange) {
		lo, hi = a.Min(), a.Max()
	}
	l, h := convert(arr("histogram_bin_edges", lo), d, false), convert(arr("histogram_bin_edges", hi), d, false)
	point := l.Equal(h)
	return Linspace(Where(point, l.Sub(0.5), l), Where(point, h.Add(0.5), h), b.Int()+1, As(d))
}

// Histogram counts the elements in each bin, and gives the edges: see HistogramBinEdges. Bins contain their left edge, the
// last one both. It takes Range, Weights and Density.
func Histogram(x, bins any, opts ...Option) (counts, edges *Array) {
	s := gather("histogram", opts, optRange|optWeights|optDensity)
	var a, w *Array
	if s.has(optWeights) {
		aw := inexact("histogram", x, s.weights)
		a, w = aw[0].Ravel(), aw[1].Ravel()
		if a.Size() != w.Size() {
			fail("histogram", array.ShapeErrorf("%d weights for %d elements", w.Size(), a.Size()))
		}
	} else {
		a = inexact("histogram", x)[0].Ravel()
		w = OnesLike(a)
	}
	var over []Option
	if s.has(optRange) {
		over = append(over, Range(s.lo, s.hi))
	}
	edges = HistogramBinEdges(a, bins, over...)
	n := edges.Size()
	at := Searchsorted(edges, a, Right())
	at = Where(a.Equal(edges.At(-1).Get()), n-1, at)
	counts = Zeros([]int{n}, w.DType()).At(at).Add(w).At("1:").Get()
	if s.density {
		counts = counts.Div(Diff(edges, 1)).Div(counts.Sum())
	}
	return counts, edges
}

// Histogram2d is Histogramdd of the points (x, y), with the same bins for both.
func Histogram2d(x, y, bins any, opts ...Option) (counts, xEdges, yEdges *Array) {
	xy := inexact("histogram2d", x, y)
	counts, edges := Histogramdd(Stack(xy, Axis(1)), []any{bins, bins}, opts...)
	return counts, edges[0], edges[1]
}

// Histogramdd counts points, the rows of sample, in the cells of a grid. bins has for each column the number of bins or
// their edges. It takes Range, for all columns, Weights and Density.
func Histogramdd(sample any, bins []any, opts ...Option) (counts *Array, edges []*Array) {
	s := gather("histogramdd", opts, optRange|optWeights|optDensity)
	vs := []any{sample}
	if s.has(optWeights) {
		vs = append(vs, s.weights)
	}
	xs := inexact("histogramdd", vs...)
	p := xs[0]
	if p.Rank() != 2 || p.Shape()[1] != len(bins) {
		fail("histogramdd", array.ShapeErrorf("a sample of shape %s and bins for %d columns", p.Shape(), len(bins)))
	}
	var over []Option
	if s.has(optRange) {
		over = append(over, Range(s.lo, s.hi))
	}
	var at []*Array
	grid := Shape{}
	inner := []any{}
	for k, b := range bins {
		col := p.At(":", k).Get()
		e := HistogramBinEdges(col, b, over...)
		i := Searchsorted(e, col, Right())
		at = append(at, Where(col.Equal(e.At(-1).Get()), i.Sub(1), i))
		edges, grid, inner = append(edges, e), append(grid, e.Size()+1), append(inner, "1:-1")
	}
	count := []Option{Length(grid.Size())}
	if len(xs) > 1 {
		count = append(count, Weights(xs[1]))
	}
	counts = Bincount(RavelMultiIndex(at, grid, Mode("clip")), 0, count...).Reshape(grid...).At(inner...).Get()
	if s.density {
		counts = convert(counts, p.DType(), false)
		counts = counts.Div(counts.Sum())
		for k, e := range edges {
			shape := ones(len(edges))
			shape[k] = e.Size() - 1
			counts = counts.Div(Diff(e, 1).Reshape(shape...))
		}
	}
	return counts, edges
}
