package random

import (
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// Option changes how Permutation, Choice or Categorical draws.
type Option struct {
	only string // the functions that know it, for the error of the others
	set  func(*settings)
}

type settings struct {
	axis        int
	hasAxis     bool
	independent bool
	noReplace   bool
	weights     any
	index       array.DType
	resolution  Resolution
}

// Axis is the axis along which Permutation and Choice (the first by default) and Categorical (the last) work.
func Axis(axis int) Option {
	return Option{"Permutation Choice Categorical", func(s *settings) { s.axis, s.hasAxis = axis, true }}
}

// Independent makes Permutation shuffle each vector along the axis by itself.
func Independent() Option {
	return Option{"Permutation", func(s *settings) { s.independent = true }}
}

// WithoutReplacement makes Choice and Categorical draw each entry at most once.
func WithoutReplacement() Option {
	return Option{"Choice Categorical", func(s *settings) { s.noReplace = true }}
}

// Weights gives Choice a probability for each entry.
func Weights(p any) Option {
	return Option{"Choice", func(s *settings) { s.weights = p }}
}

// IndexDType makes Choice draw its positions as integers of a dtype: of another width they are other numbers. The default
// is int64.
func IndexDType(d array.DType) Option {
	return Option{"Choice", func(s *settings) { s.index = d }}
}

// At makes Choice and Categorical resolve small probabilities as GumbelAt does.
func At(r Resolution) Option {
	return Option{"Choice Categorical", func(s *settings) { s.resolution = r }}
}

func set(op string, axis int, opts []Option) settings {
	s := settings{axis: axis, index: array.Int64}
	for _, o := range opts {
		if !slices.Contains(strings.Fields(o.only), op) {
			panic(array.Wrap("random."+op, array.ArgumentErrorf("an option is given that only %s has", o.only)))
		}
		o.set(&s)
	}
	return s
}

// Permutation returns the numbers 0 … n-1 in random order, int64, or, given an array, its entries along the first axis (or
// that of Axis) in random order: what lies within an entry stays, unless the option Independent shuffles each vector by
// itself.
//
//	key [], n   →   [n] int64
//	key [], x [...]   →   [...] same dtype
//
// Entries are sorted by random 32-bit keys, several times where equal keys would show.
func Permutation(key *array.Array, x any, opts ...Option) *array.Array {
	const op = "random.Permutation"
	s := set("Permutation", 0, opts)
	n, isCount := x.(int)
	v, isArray := x.(*array.Array)
	if isArray && v.Rank() == 0 && v.DType().IsInteger() {
		n, isCount = v.Int(), true
	}
	switch {
	case isCount && n >= 0:
		axisOf(op, s.axis, 1)
		return shuffle(op, key, primitive.Iota(array.Int64, array.Shape{n}, 0), 0)
	case isCount || !isArray || v.Rank() == 0:
		panic(array.Wrap(op, array.ArgumentErrorf("wants a number of entries or an array of rank 1 or more, got %v", x)))
	}
	axis := axisOf(op, s.axis, v.Rank())
	if s.independent || v.Rank() == 1 {
		return shuffle(op, key, v, axis)
	}
	order := shuffle(op, key, primitive.Iota(array.Int64, array.Shape{v.Shape()[axis]}, 0), 0)
	return np.Take(v, order, np.Axis(axis))
}

func axisOf(op string, axis, rank int) int {
	a, err := array.NormalAxis(axis, rank)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	return a
}

// shuffle sorts by random keys, so often that every pair of entries has met different ones.
func shuffle(op string, key, x *array.Array, axis int) *array.Array {
	if x.DType().IsKey() { // which follow their positions
		return np.TakeAlongAxis(x, shuffle(op, key, primitive.Iota(array.Int64, x.Shape(), axis), axis), np.Axis(axis))
	}
	rounds := int(math.Ceil(3 * math.Log(math.Max(1, float64(x.Size()))) / math.Log(math.MaxUint32)))
	for range rounds {
		keys := pairOf(op, key)
		key = keys[0]
		x = primitive.Sort(axis, 1, draw(op, keys[1], 32, x.Shape()), x)[1]
	}
	return x
}

// Choice draws entries of a, or, where a is a number n, of 0 … n-1, all with the same probability or with those of the
// option Weights. A nil shape is a scalar. Other options: Axis, WithoutReplacement, IndexDType, At.
//
//	key [], n   →   [shape] int64
//	key [], a [..., n, ...], weights [n]   →   [..., shape, ...] same dtype, shape in the place of the axis
//
// Weighted drawing without replacement takes the largest sums of log p and Gumbel noise (Kool et al., arXiv:1903.06059);
// where fewer entries than wanted have a weight, entries without one fill up. It panics with an ArgumentError where more
// entries are wanted than there are, and a ShapeError where the weights do not fit.
func Choice(key *array.Array, shape []int, a any, opts ...Option) *array.Array {
	const op = "random.Choice"
	s := set("Choice", 0, opts)
	x := array.MustValue(op, a)
	n, axis := 0, 0
	var before, after array.Shape
	if x.Rank() == 0 {
		if !x.DType().IsInteger() {
			panic(array.Wrap(op, array.DTypeErrorf("wants a number of entries or an array of rank 1 or more, got %s", x.Aval())))
		}
		n = x.Int()
		x = nil
	} else {
		axis = axisOf(op, s.axis, x.Rank())
		n, before, after = x.Shape()[axis], x.Shape()[:axis], x.Shape()[axis+1:]
	}
	wanted := fit(op, shape)
	draws := wanted.Size()
	out := append(append(before.Clone(), wanted...), after...)
	take := func(at *array.Array) *array.Array {
		if x == nil {
			return at.AsType(array.Int64)
		}
		return np.Take(x, at, np.Axis(axis))
	}
	switch {
	case draws == 0 && x == nil:
		return filled(array.Int64, out, 0)
	case draws == 0:
		return filled(x.DType(), out, 0)
	case n <= 0:
		panic(array.Wrap(op, array.ArgumentErrorf("%d of no entries cannot be drawn", draws)))
	case s.noReplace && draws > n:
		panic(array.Wrap(op, array.ArgumentErrorf("%d of %d entries cannot be drawn without replacement", draws, n)))
	case s.weights != nil:
		return take(weighted(op, key, wanted, n, s))
	case !s.noReplace:
		return take(randint(op, key, wanted, exactly(array.Int64, 0), exactly(array.Int64, int64(n)), s.index))
	}
	var all any = n
	if x != nil {
		all = x
	}
	some := Permutation(key, all, Axis(axis)) // of which the first are taken
	first := make([]int, some.Rank())
	limit := some.Shape().Clone()
	limit[axis] = draws
	return primitive.Reshape(primitive.Slice(some, first, limit, nil), out)
}

// weighted draws positions of a vector of n weights.
func weighted(op string, key *array.Array, shape array.Shape, n int, s settings) *array.Array {
	p := inexact(op, s.weights)
	if !p.Shape().Equal(array.Shape{n}) {
		panic(array.Wrap(op, array.ShapeErrorf("the weights are %s; one for each of the %d entries is wanted", p.Aval(), n)))
	}
	if s.noReplace {
		noisy := gumbel(op, key, array.Shape{n}, p.DType(), s.resolution).Add(primitive.Log(p))
		_, at := primitive.TopK(noisy, shape.Size())
		return primitive.Reshape(at, shape)
	}
	sums := np.Cumsum(p)
	u := unit(op, key, shape, p.DType()).Neg().Add(1)
	return np.Searchsorted(sums, row(sums, n-1).Mul(u))
}

// Categorical draws a class for each vector of logits, with the probabilities softmax(logits): that of the largest sum of
// logit and Gumbel noise. Without replacement, those of the largest sums. A logit of -Inf is never drawn while there are
// others. A nil shape is that of the logits without the classes; a longer one has more draws in front, and these
// are different ones where the option WithoutReplacement is given. Other options: Axis, At.
//
//	key [], logits [..., classes]   →   [shape] int64, where shape ends like [...]
//
// It panics with an ArgumentError where more classes are wanted without replacement than there are.
func Categorical(key *array.Array, shape []int, logits any, opts ...Option) *array.Array {
	const op = "random.Categorical"
	s := set("Categorical", -1, opts)
	x := array.MustValue(op, logits)
	if !x.DType().IsFloat() {
		panic(array.Wrap(op, array.DTypeErrorf("the logits are %s; they are floating-point numbers, logarithms of weights: convert with AsType", x.Aval())))
	}
	x = inexact(op, x)
	axis := axisOf(op, s.axis, x.Rank())
	batch := x.Shape().Without(axis)
	out := fit(op, shape, batch)
	front := out[:len(out)-len(batch)]
	if !s.noReplace {
		noise := out[len(front):].Insert(axis, x.Shape()[axis])
		noisy := gumbel(op, key, append(front.Clone(), noise...), x.DType(), s.resolution).Add(x)
		return np.Argmax(noisy, np.Axis(axis+len(front)))
	}
	if !out[len(front):].Equal(batch) {
		panic(array.Wrap(op, array.ShapeErrorf("the shape %s must end with %s, that of the logits without the classes, where nothing is drawn twice", out, batch)))
	}
	draws, classes := front.Size(), x.Shape()[axis]
	if draws > classes {
		panic(array.Wrap(op, array.ArgumentErrorf("%d of %d classes cannot be drawn without replacement", draws, classes)))
	}
	noisy := gumbel(op, key, x.Shape(), x.DType(), s.resolution).Add(x)
	_, at := primitive.TopK(np.Moveaxis(noisy, []int{axis}, []int{-1}), draws)
	at = np.Moveaxis(at, []int{-1}, []int{0})
	return primitive.Reshape(at, append(front.Clone(), batch...)).AsType(array.Int64)
}
