package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// loop repeats step while a condition, a scalar bool, holds: functions without a closed form are iterated until they are
// exact. It may be called in a function given to compose only, where it becomes a while operation at once.
func loop(init []*array.Array, while func(state []*array.Array) *array.Array, step func(state []*array.Array) []*array.Array) []*array.Array {
	t := compositionOf(init)
	out, err := t.loop(init, while, step)
	if err != nil {
		panic(array.Wrap("while", err))
	}
	return out
}

// compositionOf is the composition that arrays belong to; there is one, or loop is called where it may not be.
func compositionOf(xs []*array.Array) *composition {
	for _, x := range xs {
		if c, ok := array.TracerOf(x).(composed); ok {
			return c.made
		}
	}
	panic(array.Wrap("while", array.ArgumentErrorf("a loop stands outside a lowering rule")))
}

func (t *composition) loop(init []*array.Array, while func([]*array.Array) *array.Array, step func([]*array.Array) []*array.Array) ([]*array.Array, error) {
	in, err := t.values(init)
	if err != nil {
		return nil, err
	}
	types := make([]hlo.Type, len(in))
	for i, v := range in {
		types[i] = v.Type
	}
	region := func(f func([]*array.Array) []*array.Array) (*hlo.Region, error) {
		return t.b.Region(types, func(args []*hlo.Value) ([]*hlo.Value, error) { return compose(t.b, args, f) })
	}
	cond, err := region(func(state []*array.Array) []*array.Array { return []*array.Array{while(state)} })
	if err != nil {
		return nil, err
	}
	body, err := region(step)
	if err != nil {
		return nil, err
	}
	op := t.b.Append(&hlo.Op{Name: "stablehlo.while", Operands: in, Regions: []*hlo.Region{cond, body}}, types...)
	out := make([]*array.Array, len(op.Results))
	for i, v := range op.Results {
		out[i] = t.array(v, v.Aval())
	}
	return out, nil
}

// anyOf reports whether some element of a bool array is true.
func anyOf(x *array.Array) *array.Array { return ReduceOr(x, iotaInts(x.Rank()).Slice()...) }

// inFloat64 computes in float64 a function of operands of one type of floats, whose scalars it spreads, and rounds the
// result: recurrences lose digits that narrower types do not have to spare.
func inFloat64(b *hlo.Builder, in []*hlo.Value, out array.Aval, f func(in []*array.Array) *array.Array) ([]*hlo.Value, error) {
	return compose(b, spreadAll(b, in, out.Shape), func(in []*array.Array) []*array.Array {
		for i := range in {
			in[i] = Convert(in[i], array.Float64)
		}
		return []*array.Array{Convert(f(in), out.DType)}
	})
}

// tolerance is the relative size of a term that does not matter in a float64 result rounded to d.
func tolerance(d array.DType) float64 {
	if d == array.Float64 {
		return 0x1p-53
	}
	return 0x1p-30
}
