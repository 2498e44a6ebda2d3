package opt

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// LBFGS are the parameters of the method L-BFGS, for smooth functions whose value and gradient are exact: zeros stand for the
// values in the comments.
type LBFGS struct {
	History    int     // how many steps it learns the curvature from: 10
	Iterations int     // at most: 200
	Tolerance  float64 // of the largest element of the gradient, at which it stops: √ε of the dtype
	Trials     int     // of the line search in one iteration, at most: 30
}

// Minimum is where a minimisation ended: a tree.
type Minimum struct {
	X          any          // in the Go type of the start
	Value      *array.Array // of the function at X
	Gradient   *array.Array // its largest element at X
	Iterations *array.Array // int64
	Converged  *array.Array // bool: whether the gradient is within the tolerance
}

// Minimize looks for a minimum of f, a function of one tree of floating-point arrays that returns a scalar, from start. All
// of it is one loop, so it can be compiled, and mapped over starts, but not differentiated in reverse.
//
// The direction is that of the two-loop recursion over the last steps (Nocedal, Updating quasi-Newton matrices with
// limited storage, 1980), the length by bisection for the weak Wolfe conditions (Lewis and Overton, Nonsmooth optimization
// via quasi-Newton methods, 2013). It stops where the gradient vanishes, or where no step along the direction lowers f.
func (p LBFGS) Minimize(f any, start any) Minimum {
	const op = "opt.Minimize"
	leaves, tree := flatten("Minimize", start)
	c, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	if len(leaves) == 0 {
		panic(array.Wrap(op, array.TreeErrorf("the start %s has no arrays", tree)))
	}
	v := vectors{tree: tree, leaves: leaves}
	x := v.join(op)
	value := func(x *array.Array) *array.Array {
		y, err := c.Apply([]any{rebuilt("Minimize", tree, v.split(x))})
		if err != nil {
			panic(err)
		}
		out := array.MustValue(op, y)
		if out.Rank() != 0 {
			panic(array.Wrap(op, array.ShapeErrorf("the function returns %s, which has no minimum; it must return a scalar", out.Aval())))
		}
		return out.AsType(x.DType())
	}
	s := search{LBFGS: p.defaults(x.DType()), of: vjp.ValueAndGrad(value)}
	out := flow.While(s.going, s.step, s.first(x)).(iterate)
	return Minimum{rebuilt("Minimize", tree, v.split(out.X)), out.F, np.Max(out.G.Abs()), out.N, s.converged(out)}
}

func (p LBFGS) defaults(d array.DType) LBFGS {
	if p.History == 0 {
		p.History = 10
	}
	if p.Iterations == 0 {
		p.Iterations = 200
	}
	if p.Tolerance == 0 {
		p.Tolerance = 0x1p-26
		if d != array.Float64 {
			p.Tolerance = 0x1p-11
		}
	}
	if p.Trials == 0 {
		p.Trials = 30
	}
	return p
}

// vectors turns a tree of arrays into one vector and back.
type vectors struct {
	tree   *trace.Tree
	leaves []*array.Array
}

func (v vectors) join(op string) *array.Array {
	flat := make([]*array.Array, len(v.leaves))
	for i, x := range v.leaves {
		if !x.DType().IsFloat() {
			panic(array.Wrap(op, array.DTypeErrorf("the start%s is %s; only real floating-point numbers are varied", v.tree.Paths()[i], x.Aval())))
		}
		flat[i] = x.AsType(x.DType()).Ravel()
	}
	return np.Concatenate(flat)
}

func (v vectors) split(x *array.Array) []*array.Array {
	out, at := make([]*array.Array, len(v.leaves)), 0
	for i, like := range v.leaves {
		n := like.Size()
		out[i] = primitive.Slice(x, []int{at}, []int{at + n}, nil).Reshape(like.Shape()...).AsType(like.DType())
		at += n
	}
	return out
}

// search is one minimisation.
type search struct {
	LBFGS
	of *trace.Func
}

// iterate is what the loop carries: where it is, and the last steps S with the changes Y of the gradient, newest last.
// Rho is 1/(s·y), 0 for steps that were not made.
type iterate struct {
	N, X, F, G *array.Array
	S, Y, Rho  *array.Array
	Stuck      *array.Array
}

func (s search) at(x *array.Array) (f, g *array.Array) {
	r := s.of.CallAll(x)
	return r[0], r[1]
}

func (s search) first(x *array.Array) iterate {
	f, g := s.at(x)
	history := []int{s.History, x.Shape()[0]}
	return iterate{np.Of(int64(0)), x, f, g, np.Zeros(history, x.DType()), np.Zeros(history, x.DType()), np.Zeros(history[:1], x.DType()), np.Of(false)}
}

func (s search) converged(i iterate) *array.Array {
	return np.Max(i.G.Abs()).LessEqual(s.Tolerance)
}

func (s search) going(i iterate) *array.Array {
	return i.N.Less(s.Iterations).And(s.converged(i).Or(i.Stuck).Not())
}

// direction is -H g with the inverse Hessian H that the history stands for.
func (s search) direction(i iterate) *array.Array {
	q, alpha := i.G, make([]*array.Array, s.History)
	row := func(x *array.Array, k int) *array.Array { return x.At(k).Get() }
	for k := s.History - 1; k >= 0; k-- {
		alpha[k] = row(i.Rho, k).Mul(row(i.S, k).Dot(q))
		q = q.Sub(alpha[k].Mul(row(i.Y, k)))
	}
	last := s.History - 1
	yy := row(i.Y, last).Dot(row(i.Y, last))
	scale := np.Where(yy.Greater(0), row(i.S, last).Dot(row(i.Y, last)).Div(np.Where(yy.Greater(0), yy, 1.0)), 1.0)
	q = q.Mul(scale)
	for k := range s.History {
		beta := row(i.Rho, k).Mul(row(i.Y, k).Dot(q))
		q = q.Add(alpha[k].Sub(beta).Mul(row(i.S, k)))
	}
	return q.Neg()
}

// trial is a step length T in the bracket from Lo to Hi, with the function there.
type trial struct{ N, T, Lo, Hi, X, F, G, Found *array.Array }

func (s search) step(i iterate) iterate {
	const decrease, curvature = 1e-4, 0.9
	d := s.direction(i)
	slope := i.G.Dot(d)
	downhill := slope.Less(0) // or the history is of no use: along the gradient then
	d = np.Where(downhill, d, i.G.Neg())
	slope = np.Where(downhill, slope, i.G.Dot(i.G).Neg())

	try := func(n, t, lo, hi *array.Array) trial {
		x := i.X.Add(d.Mul(t))
		f, g := s.at(x)
		low := f.LessEqual(i.F.Add(slope.Mul(t).Mul(decrease)))
		flat := g.Dot(d).GreaterEqual(slope.Mul(curvature))
		return trial{n, t, np.Where(low, t, lo), np.Where(low, hi, t), x, f, g, low.And(flat)}
	}
	one := np.Ones(nil, d.DType())
	length := np.Where(i.N.Equal(0), np.Minimum(primitive.Rsqrt(slope.Neg()), 1.0), one) // the first direction has no scale
	begin := try(np.Of(int64(1)), length, one.Mul(0), one.Mul(math.Inf(1)))
	end := flow.While(
		func(t trial) *array.Array { return t.Found.Not().And(t.N.Less(s.Trials)) },
		func(t trial) trial {
			between := np.Where(np.IsInf(t.Hi), t.Lo.Mul(2), t.Lo.Add(t.Hi).Div(2))
			return try(t.N.Add(1), between, t.Lo, t.Hi)
		}, begin).(trial)

	better := end.F.Less(i.F) // also without the curvature condition
	move, change := end.X.Sub(i.X), end.G.Sub(i.G)
	sy := move.Dot(change)
	learn := better.And(sy.Greater(0))
	rho := np.Where(learn, one.Div(np.Where(learn, sy, 1.0)), 0.0)
	push := func(h, v *array.Array) *array.Array {
		return np.Where(learn, np.Concatenate([]*array.Array{h.At("1:").Get(), v.ExpandDims(0)}), h)
	}
	return iterate{i.N.Add(1), np.Where(better, end.X, i.X), np.Where(better, end.F, i.F), np.Where(better, end.G, i.G),
		push(i.S, move), push(i.Y, change), push(i.Rho, rho), better.Not()}
}
