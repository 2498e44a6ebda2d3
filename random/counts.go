package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// rejection is what the rejection loops of this file carry.
type rejection struct {
	Key, K   *array.Array
	Accepted *array.Array
}

// Poisson draws from the distribution of rate lam ≥ 0, probability lam^k e^-lam / k!. A nil shape is that of lam. Rates are
// float32.
//
//	key [], lam a number or an array   →   [shape] int64, or the integer dtype that follows
//
// Below a rate of 10 it multiplies uniform numbers until the product is below e^-lam (Knuth, The art of computer
// programming, volume 2, 3.4.1), from there on it uses transformed rejection (Hörmann, The transformed rejection method
// for generating Poisson random variables, 1993).
func Poisson(key *array.Array, shape []int, lam any, dtype ...array.DType) *array.Array {
	const op = "random.Poisson"
	d := integerOf(op, dtype)
	rate := parameter(op, lam, array.Float32)
	s := shapeOf(op, shape, rate)
	rate = rate.BroadcastTo(s...)
	if s.Size() == 0 {
		return filled(d, s, 0)
	}
	small := rate.Less(10).Or(np.IsNaN(rate))
	few := poissonProduct(op, key, choose(small, rate, filled(array.Float32, s, 0)), d)
	many := poissonRejection(op, key, choose(small, filled(array.Float32, s, 1e5), rate), d)
	return choose(rate.Equal(0), filled(d, s, 0), choose(small, few, many))
}

// poissonProduct counts the factors of a product that stays above e^-lam. No count passes the largest of its type.
func poissonProduct(op string, key, lam *array.Array, d array.DType) *array.Array {
	type product struct{ I, K, Key, Log *array.Array }
	s, below := lam.Shape(), lam.Neg()
	_, most := limits(d)
	last := exactly(array.Int64, int64(min(most, math.MaxInt64)))
	out := flow.While(
		func(c product) *array.Array { return np.Any(c.Log.Greater(below)).And(c.I.Less(last)) },
		func(c product) product {
			keys := pairOf(op, c.Key)
			k := choose(c.Log.Greater(below), primitive.Add(c.K, filled(d, s, 1)), c.K)
			return product{c.I.Add(exactly(array.Int64, 1)), k, keys[0], c.Log.Add(primitive.Log(unit(op, keys[1], s, array.Float32)))}
		},
		product{exactly(array.Int64, 0), filled(d, s, 0), key, filled(array.Float32, s, 0)}).(product)
	return primitive.Sub(out.K, filled(d, s, 1))
}

func poissonRejection(op string, key, lam *array.Array, d array.DType) *array.Array {
	s := lam.Shape()
	logLam := primitive.Log(lam)
	b := primitive.Sqrt(lam).Mul(2.53).Add(0.931)
	a := b.Mul(0.02483).Add(-0.059)
	inverseAlpha := filled(array.Float32, nil, 1.1328).Div(b.Sub(3.4)).Add(1.1239)
	vr := filled(array.Float32, nil, 3.6224).Div(b.Sub(2)).Neg().Add(0.9277)
	k := flow.While(
		func(c rejection) *array.Array { return np.Any(not(c.Accepted)) },
		func(c rejection) rejection {
			keys := list(split(op, c.Key, array.Shape{3}))
			u := unit(op, keys[1], s, array.Float32).Sub(0.5)
			v := unit(op, keys[2], s, array.Float32)
			us := u.Abs().Neg().Add(0.5)
			k := primitive.Floor(a.Mul(2).Div(us).Add(b).Mul(u).Add(lam).Add(0.43))
			left := primitive.Log(v.Mul(inverseAlpha).Div(a.Div(us.Mul(us)).Add(b)))
			right := lam.Neg().Add(k.Mul(logLam)).Sub(primitive.Lgamma(k.Add(1)))
			quick := us.GreaterEqual(0.07).And(v.LessEqual(vr))
			reject := k.Less(0).Or(us.Less(0.013).And(v.Greater(us)))
			accept := quick.Or(not(reject).And(left.LessEqual(right)))
			return rejection{keys[0], choose(accept, k, c.K), c.Accepted.Or(accept)}
		},
		rejection{key, filled(array.Float32, s, -1), filled(array.Bool, s, 0)}).(rejection).K
	return primitive.Convert(k, d)
}

// Binomial draws the number of successes in n trials of probability p; the fraction of n is dropped. A nil shape is that
// of the parameters. Where p is NaN or negative or n is negative or NaN, so is the draw NaN.
//
//	key [], n, p numbers or arrays   →   [shape] float64, or the floating-point dtype that follows
//
// Numbers are drawn in p's floating-point type. Where n min(p, 1-p) ≤ 10 it adds geometric variables up to n, above it
// uses transformed rejection (Hörmann, The generation of binomial random variates, 1993).
func Binomial(key *array.Array, shape []int, n, p any, dtype ...array.DType) *array.Array {
	const op = "random.Binomial"
	d := floatOf(op, dtype)
	prob := inexact(op, p)
	count := parameter(op, n, prob.DType())
	s := shapeOf(op, shape, count, prob)
	params := spread(s, count, prob)
	if s.Size() == 0 {
		return filled(d, s, 0)
	}
	return binomial(op, key, params[0], params[1], d)
}

func binomial(op string, key, count, prob *array.Array, d array.DType) *array.Array {
	s := prob.Shape()
	number := func(v float64) *array.Array { return filled(prob.DType(), s, v) }
	rare := prob.Less(0.5)
	q := choose(rare, prob, prob.Neg().Add(1))
	noCount := np.IsNaN(count).Or(count.Less(0))
	noProb := np.IsNaN(q)
	invalid := q.Less(0).Or(noProb).Or(noCount)
	endless := np.IsInf(count)
	q = choose(q.Less(0).Or(noProb), number(0.01), q)
	few := noCount.Or(count.Mul(q).LessEqual(10))
	count = primitive.Floor(count)

	sums := binomialSum(op, key, choose(few, count, number(0)), q)
	tries := binomialRejection(op, key, choose(few, number(1e4), count), choose(few, number(0.5), q))
	k := primitive.Convert(choose(few, sums, tries), d)
	result := func(v float64) *array.Array { return filled(d, s, v) }
	k = choose(invalid, result(math.NaN()), k)
	k = choose(endless.And(not(invalid)), result(math.Inf(1)), k)
	return choose(rare.Or(noCount).Or(noProb).Or(endless), k, primitive.Sub(primitive.Convert(count, d), k))
}

// binomialSum counts the geometric variables whose sum stays within count.
func binomialSum(op string, key, count, prob *array.Array) *array.Array {
	type sum struct{ K, Sum, Key *array.Array }
	s, zero := prob.Shape(), filled(prob.DType(), prob.Shape(), 0)
	log := primitive.Log1p(prob.Neg())
	out := flow.While(
		func(c sum) *array.Array { return np.Any(c.Sum.LessEqual(count)) },
		func(c sum) sum {
			keys := pairOf(op, c.Key)
			k := choose(c.Sum.LessEqual(count), c.K.Add(1), c.K)
			trials := primitive.Ceil(primitive.Log(unit(op, keys[0], s, prob.DType())).Div(log))
			return sum{k, c.Sum.Add(trials), keys[1]}
		},
		sum{zero, zero, key}).(sum)
	return out.K.Sub(1)
}

func binomialRejection(op string, key, count, prob *array.Array) *array.Array {
	s, dt := prob.Shape(), prob.DType()
	number := func(v float64) *array.Array { return filled(dt, nil, v) }
	log := primitive.Log
	odds := prob.Div(prob.Neg().Add(1))
	deviation := primitive.Sqrt(count.Mul(prob).Mul(prob.Neg().Add(1)))
	b := deviation.Mul(2.53).Add(1.15)
	a := b.Mul(0.0248).Add(-0.0873).Add(prob.Mul(0.01))
	c := count.Mul(prob).Add(0.5)
	vr := number(4.2).Div(b).Neg().Add(0.92)
	alpha := number(5.1).Div(b).Add(2.83).Mul(deviation)
	m := primitive.Floor(count.Add(1).Mul(prob)) // the most likely count
	rest := count.Sub(m).Add(1)
	k := flow.While(
		func(c rejection) *array.Array { return np.Any(not(c.Accepted)) },
		func(st rejection) rejection {
			keys := list(split(op, st.Key, array.Shape{3}))
			u := unit(op, keys[1], s, dt).Sub(0.5)
			v := unit(op, keys[2], s, dt)
			us := u.Abs().Neg().Add(0.5)
			quick := us.GreaterEqual(0.07).And(v.LessEqual(vr))
			k := primitive.Floor(a.Mul(2).Div(us).Add(b).Mul(u).Add(c))
			reject := k.Less(0).Or(k.Greater(count))
			left := log(v.Mul(alpha).Div(a.Div(us.Mul(us)).Add(b)))
			right := m.Add(0.5).Mul(log(m.Add(1).Div(odds.Mul(rest)))).
				Add(count.Add(1).Mul(log(rest.Div(count.Sub(k).Add(1))))).
				Add(k.Add(0.5).Mul(log(odds.Mul(count.Sub(k).Add(1)).Div(k.Add(1))))).
				Add(stirlingTail(m)).Add(stirlingTail(count.Sub(m))).
				Sub(stirlingTail(k)).Sub(stirlingTail(count.Sub(k)))
			accept := quick.Or(not(reject).And(left.LessEqual(right)))
			return rejection{keys[0], choose(accept, k, st.K), st.Accepted.Or(accept)}
		},
		rejection{key, filled(dt, s, -1), filled(array.Bool, s, 0)}).(rejection).K
	return k
}

// stirlingTails are log k! - [log √(2π) + (k + ½) log(k + 1) - (k + 1)] for k = 0 … 9.
var stirlingTails = func() [10]float64 {
	var t [10]float64
	for k := range t {
		x := float64(k)
		factorial, _ := math.Lgamma(x + 1)
		t[k] = factorial - (0.5*math.Log(2*math.Pi) + (x+0.5)*math.Log(x+1) - (x + 1))
	}
	return t
}()

// stirlingTail is the rest of Stirling's approximation of log k!: exact up to 9, then three terms of its series.
func stirlingTail(k *array.Array) *array.Array {
	dt := k.DType()
	table := np.Of(stirlingTails[:]).AsType(dt)
	small := k.LessEqual(9)
	inside := np.Clip(k, 0.0, 9.0)
	n := inside.Add(1)
	square := n.Mul(n)
	series := filled(dt, nil, 1./1260).Div(square).Neg().Add(1. / 360).Div(square).Neg().Add(1. / 12).Div(n)
	return choose(small, np.Take(table, primitive.Floor(inside).AsType(array.Int32)), series)
}

// Multinomial draws how often each of the classes of probabilities p occurs in n trials: a binomial variable for each class
// of what the classes before it left. A nil shape is that of p without its last axis. The draws have the common floating-point type
// of n and p.
//
//	key [], n [...], p [..., classes]   →   [shape, classes] float64, or the floating-point dtype that follows
func Multinomial(key *array.Array, shape []int, n, p any, dtype ...array.DType) *array.Array {
	const op = "random.Multinomial"
	d := floatOf(op, dtype)
	params := primitive.PromoteInexact(n, p)
	count, prob := parameter(op, params[0], params[0].DType()), parameter(op, params[1], params[1].DType())
	if prob.Rank() == 0 {
		panic(array.Wrap(op, array.ShapeErrorf("p is a vector or more, got %s", prob.Aval())))
	}
	last := prob.Rank() - 1
	s := fit(op, shape, prob.Shape()[:last])
	classes := prob.Shape()[last]
	fit(op, s, count.Shape())
	if s.Size() == 0 || classes == 0 {
		return filled(d, append(s, classes), 0)
	}
	prob = np.Moveaxis(prob.BroadcastTo(append(s.Clone(), classes)...), []int{-1}, []int{0})
	left := primitive.CumSum(prob, 0, true)
	share := np.Clip(prob.Div(np.Where(left.Equal(0), 1.0, left)), 0.0, 1.0)
	type class struct{ Share, Key *array.Array }
	_, counts := flow.Scan(func(rest *array.Array, c class) (*array.Array, *array.Array) {
		k := binomial(op, c.Key, rest, c.Share, rest.DType())
		return rest.Sub(k), k
	}, count.BroadcastTo(s...), class{share, split(op, key, array.Shape{classes})})
	return np.Moveaxis(counts.(*array.Array), []int{0}, []int{-1}).AsType(d)
}
