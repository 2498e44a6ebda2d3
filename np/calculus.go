package np

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Diff is the difference of neighbours along an axis, the last or Axis, taken n times; of bools, whether they differ. It
// takes Axis, and Before and After, values that are put at the ends first.
func Diff(x any, n int, opts ...Option) *Array {
	s := gather("diff", opts, optAxis|optBefore|optAfter)
	a := arr("diff", x)
	if n < 0 {
		fail("diff", array.ArgumentErrorf("the order %d is negative", n))
	}
	if n == 0 {
		return a
	}
	atLeast("diff", a, 1)
	axis := s.axis("diff", a.Rank(), -1)
	end := func(v any) *Array {
		e := arr("diff", v)
		if e.Rank() == 0 {
			shape := a.Shape().Clone()
			shape[axis] = 1
			e = e.BroadcastTo(shape...)
		}
		return e
	}
	parts := []*Array{a}
	if s.has(optBefore) {
		parts = []*Array{end(s.before), a}
	}
	if s.has(optAfter) {
		parts = append(parts, end(s.after))
	}
	a = Concatenate(parts, Axis(axis))
	for range n {
		hi, lo := sliceAxis(a, axis, 1, End), sliceAxis(a, axis, 0, -1)
		if a.DType() == Bool {
			a = hi.NotEqual(lo)
		} else {
			a = hi.Sub(lo)
		}
	}
	return a
}

// Ediff1d is the difference of neighbours in the flattened array, with the values of Before and After at the ends.
func Ediff1d(x any, opts ...Option) *Array {
	s := gather("ediff1d", opts, optBefore|optAfter)
	a := arr("ediff1d", x).Ravel()
	parts := []*Array{sliceAxis(a, 0, 1, End).Sub(sliceAxis(a, 0, 0, -1))}
	if s.has(optBefore) {
		parts = append([]*Array{convert(arr("ediff1d", s.before), a.DType(), false).Ravel()}, parts...)
	}
	if s.has(optAfter) {
		parts = append(parts, convert(arr("ediff1d", s.after), a.DType(), false).Ravel())
	}
	return Concatenate(parts)
}

// Gradient is the slope of x along each axis, or those of Axis, by central differences, one-sided at the ends. spacing is
// empty (distance 1), one value for all axes, or one for each: a number, or a vector of positions.
func Gradient(x any, spacing []any, opts ...Option) []*Array {
	s := gather("gradient", opts, optAxis)
	all := inexact("gradient", append([]any{x}, spacing...)...)
	a, h := all[0], all[1:]
	axes := s.axesOf("gradient", a.Rank())
	switch len(h) {
	case 0:
		h = []*Array{like(a, 1)}
		fallthrough
	case 1:
		for len(h) < len(axes) {
			h = append(h, h[0])
		}
	case len(axes):
	default:
		fail("gradient", array.ArgumentErrorf("%d spacings for %d axes", len(h), len(axes)))
	}
	out := make([]*Array, len(axes))
	for i, axis := range axes {
		out[i] = gradientAlong(a, h[i], axis)
	}
	return out
}

func gradientAlong(a, h *Array, axis int) *Array {
	n := a.Shape()[axis]
	if n < 2 {
		fail("gradient", array.ShapeErrorf("axis %d has %d elements; a slope needs two", axis, n))
	}
	cut := func(v *Array, from, to int) *Array { return sliceAxis(v, axis, from, to) }
	first, last := cut(a, 1, 2).Sub(cut(a, 0, 1)), cut(a, n-1, n).Sub(cut(a, n-2, n-1))
	if h.Rank() == 0 {
		inner := cut(a, 2, End).Sub(cut(a, 0, n-2)).Mul(0.5).Div(h)
		return Concatenate([]*Array{first.Div(h), inner, last.Div(h)}, Axis(axis))
	}
	if h.Rank() != 1 || h.Size() != n {
		fail("gradient", array.ShapeErrorf("positions of shape %s for an axis of %d elements", h.Shape(), n))
	}
	shape := ones(a.Rank())
	shape[axis] = n
	h = h.Reshape(shape...)
	d := cut(h, 1, End).Sub(cut(h, 0, n-1))
	d1, d2 := cut(d, 0, n-2), cut(d, 1, n-1)
	sum := d1.Add(d2)
	inner := cut(a, 0, n-2).Mul(d2.Neg().Div(d1.Mul(sum))).
		Add(cut(a, 1, n-1).Mul(d2.Sub(d1).Div(d1.Mul(d2)))).
		Add(cut(a, 2, n).Mul(d1.Div(d2.Mul(sum))))
	return Concatenate([]*Array{first.Div(cut(d, 0, 1)), inner, last.Div(cut(d, n-2, n-1))}, Axis(axis))
}

// Trapezoid integrates y along an axis, the last or Axis, by the trapezoidal rule. x is nil for distance 1, a scalar
// distance, or an array of positions: a vector, or of the shape of y.
func Trapezoid(y, x any, opts ...Option) *Array {
	s := gather("trapezoid", opts, optAxis)
	if x == nil {
		x = 1.0
	}
	ab := inexact("trapezoid", y, x)
	a, p := ab[0], ab[1]
	axis := s.axis("trapezoid", a.Rank(), -1)
	a = Moveaxis(a, []int{axis}, []int{-1})
	if p.Rank() == 0 {
		return p.Mul(a.Sum(-1).Sub(a.At(Ellipsis, 0).Get().Add(a.At(Ellipsis, -1).Get()).Mul(0.5)))
	}
	if p.Rank() > 1 {
		p = Moveaxis(p, []int{axis}, []int{-1})
	}
	d := Diff(p, 1)
	return a.At(Ellipsis, "1:").Get().Add(a.At(Ellipsis, ":-1").Get()).Mul(d).Sum(-1).Mul(0.5)
}

// Interp interpolates linearly between the points (xp, fp), of which xp ascends, at each x; beyond the ends it gives the
// first and last fp.
func Interp(x, xp, fp any) *Array { return InterpWith(x, xp, fp, nil, nil, nil) }

// InterpWith is Interp with the values left and right of the ends, nil for those of fp, and a period, nil for none, by
// which x and xp are reduced first. "extrapolate" for left or right continues the outermost line.
func InterpWith(x, xp, fp, left, right, period any) *Array {
	xs := inexact("interp", x, xp)
	a, p := xs[0], xs[1]
	f := inexact("interp", fp)[0]
	realOnly("interp", a)
	if p.Rank() != 1 || !p.Shape().Equal(f.Shape()) || p.Size() == 0 {
		fail("interp", array.ShapeErrorf("points must be two vectors of one size, got %s and %s", p.Shape(), f.Shape()))
	}
	if period != nil {
		per := Abs(period)
		a, p = Mod(a, per), Mod(p, per)
		sorted := primitive.Sort(0, 1, p, f)
		p, f = sorted[0], sorted[1]
		p = Concatenate([]*Array{p.At("-1:").Get().Sub(per), p, p.At(":1").Get().Add(per)})
		f = Concatenate([]*Array{f.At("-1:").Get(), f, f.At(":1").Get()})
	}
	n := p.Size()
	i := Clip(Searchsorted(p, a, Right()), 1, n-1)
	at := func(v *Array, back int) *Array { return v.At(i.Sub(back)).Mode(array.ClipMode).Get() }
	df, dx := at(f, 0).Sub(at(f, 1)), at(p, 0).Sub(at(p, 1))
	flat := dx.Abs().LessEqual(math.Ldexp(1, -2*mantissaBits(p.DType())))
	y := Where(flat, at(f, 1), at(f, 1).Add(a.Sub(at(p, 1)).Div(Where(flat, like(dx, 1), dx)).Mul(df)))
	if period != nil {
		return y
	}
	if left != "extrapolate" {
		if left == nil {
			left = f.At(0).Get()
		}
		y = Where(a.Less(p.At(0).Get()), left, y)
	}
	if right != "extrapolate" {
		if right == nil {
			right = f.At(-1).Get()
		}
		y = Where(a.Greater(p.At(-1).Get()), right, y)
	}
	return y
}

func mantissaBits(d DType) int {
	if f, ok := floatFormats[d]; ok {
		return f.mantissa
	}
	return 23
}

// Convolve is the discrete convolution of two vectors: Σ x[k] y[n-k]. Mode is "full" (the default), "same" (as long as
// the longer one) or "valid" (only where both overlap fully).
func Convolve(x, y any, opts ...Option) *Array {
	a, b := convolutionOperands("convolve", x, y)
	if a.Size() < b.Size() {
		a, b = b, a
	}
	return convolution("convolve", a, Flip(b), gather("convolve", opts, optMode), "full")
}

// Correlate is the cross-correlation of two vectors: Σ x[n+k] conj(y[k]). Mode is "valid" (the default), "same" or "full".
func Correlate(x, y any, opts ...Option) *Array {
	a, b := convolutionOperands("correlate", x, y)
	s := gather("correlate", opts, optMode)
	b = b.Conj()
	if a.Size() < b.Size() {
		return Flip(convolution("correlate", b, a, s, "valid"))
	}
	return convolution("correlate", a, b, s, "valid")
}

func convolutionOperands(op string, x, y any) (a, b *Array) {
	ab := inexact(op, x, y)
	for _, v := range ab {
		if v.Rank() != 1 || v.Size() == 0 {
			fail(op, array.ShapeErrorf("takes vectors that are not empty, got shapes %s and %s", ab[0].Shape(), ab[1].Shape()))
		}
	}
	return ab[0], ab[1]
}

func convolution(op string, a, b *Array, s *settings, mode string) *Array {
	if s.has(optMode) {
		mode = s.mode
	}
	n := b.Size()
	var lo, hi int
	switch mode {
	case "full":
		lo, hi = n-1, n-1
	case "same":
		lo, hi = n/2, n-n/2-1
	case "valid":
	default:
		fail(op, array.ArgumentErrorf("mode %q is none of full, same, valid", mode))
	}
	y := primitive.ConvGeneralDilated(a.Reshape(1, 1, -1), b.Reshape(1, 1, -1), primitive.ConvParams{
		PadLo: array.MakeInts(lo), PadHi: array.MakeInts(hi)})
	return y.Reshape(-1)
}
