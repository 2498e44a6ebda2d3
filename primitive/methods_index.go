package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Index implements array.Methods: first the slices, then a gather at the positions in arrays.
func (methods) Index(x *array.Array, idx array.Index) *array.Array {
	x = sliced(x, idx.Axes)
	at, axes := indexArrays(idx)
	if len(at) == 0 {
		return x
	}
	mode := Clip
	switch idx.Mode {
	case array.FillMode:
		mode = FillOrDrop
	case array.PromiseInBounds:
		mode = PromiseInBounds
	}
	g := arrayIndex(x.Shape(), at, axes, idx.Front)
	if mode == FillOrDrop && idx.Fill != nil {
		return GatherFill(x, g.vectors, g.dims, g.sizes, *idx.Fill)
	}
	return Gather(x, g.vectors, g.dims, g.sizes, mode)
}

// Update implements array.Methods: what Index selects is combined with y, and written back into x.
func (methods) Update(op string, x *array.Array, idx array.Index, y any) *array.Array {
	v := cast(array.MustValue("at", y), x.DType(), x.Aval().Weak)
	part := sliced(x, idx.Axes)
	at, axes := indexArrays(idx)
	if len(at) == 0 {
		return unsliced(x, idx.Axes, combined(op, part, fit(v, part.Shape())))
	}
	mode := FillOrDrop
	switch idx.Mode {
	case array.ClipMode:
		mode = Clip
	case array.PromiseInBounds:
		mode = PromiseInBounds
	}
	g := arrayIndex(part.Shape(), at, axes, idx.Front)
	scatter := ScatterP{Op: scatterOp(op), Dims: g.dims.scatter(), Mode: mode, Unique: idx.Unique}
	part = Bind(scatter, part, g.vectors, fit(v, g.result))
	return unsliced(x, idx.Axes, part)
}

// fit broadcasts an update to the selected part.
func fit(v *array.Array, shape array.Shape) *array.Array {
	if s, err := array.Broadcast(v.Shape(), shape); err != nil || !s.Equal(shape) {
		panic(array.Wrap("at", array.ShapeErrorf("an update of shape %s does not broadcast to the selected part, which has shape %s", v.Shape(), shape)))
	}
	return broadcastTo(v, shape)
}

func scatterOp(op string) Combine {
	switch op {
	case "set":
		return CombineReplace
	case "add":
		return CombineAdd
	case "multiply":
		return CombineMul
	case "min":
		return CombineMin
	case "max":
		return CombineMax
	}
	panic(unknownMethod(op))
}

func combined(op string, part, v *array.Array) *array.Array {
	if op == "set" {
		return v
	}
	return scatterOp(op).apply(part, v)
}

// sliced applies the slices and positions of an index; axes that arrays index stay whole.
func sliced(x *array.Array, axes []array.AxisIndex) *array.Array {
	start, limit, steps := make([]int, len(axes)), make([]int, len(axes)), make([]int, len(axes))
	var back, drop []int
	for i, a := range axes {
		start[i], limit[i], steps[i] = 0, x.Shape()[i], 1
		if a.At != nil {
			continue
		}
		start[i], limit[i], steps[i] = extent(a)
		if a.Step < 0 && a.Size > 0 {
			back = append(back, i)
		}
		if a.Drop {
			drop = append(drop, i)
		}
	}
	x = Slice(x, start, limit, steps)
	if len(back) > 0 {
		x = Rev(x, back...)
	}
	return Squeeze(x, drop...)
}

// extent is the ascending range of positions that a selects.
func extent(a array.AxisIndex) (start, limit, step int) {
	if a.Size == 0 {
		return 0, 0, 1
	}
	last := a.Start + (a.Size-1)*a.Step
	if a.Step < 0 {
		return last, a.Start + 1, -a.Step
	}
	return a.Start, last + 1, a.Step
}

// unsliced is x with what sliced took out of it replaced by part.
func unsliced(x *array.Array, axes []array.AxisIndex, part *array.Array) *array.Array {
	var back []int
	shape, starts := x.Shape().Clone(), make([]*array.Array, len(axes))
	pad := make([]PadDim, len(axes))
	whole, unit := true, true
	for i, a := range axes {
		start, step := 0, 1
		if a.At == nil {
			start, _, step = extent(a)
			shape[i] = a.Size
			if a.Step < 0 && a.Size > 0 {
				back = append(back, i)
			}
		}
		whole = whole && shape[i] == x.Shape()[i]
		unit = unit && step == 1
		starts[i] = Full(array.Aval{Shape: array.Shape{}, DType: array.Int64}, float64(start))
		pad[i] = PadDim{Lo: start, Hi: x.Shape()[i] - start - dilated(shape[i], step), Interior: step - 1}
	}
	part = Reshape(part, shape)
	if len(back) > 0 {
		part = Rev(part, back...)
	}
	switch {
	case whole:
		return part
	case shape.Size() == 0:
		return x
	case unit:
		return DynamicUpdateSlice(x, part, starts)
	}
	// With steps between, the part is spread out, and a mask spread out alike says where it is.
	inside := array.Aval{DType: array.Bool}
	mask := Pad(Full(inside.WithShape(shape), 1), Full(inside.WithShape(array.Shape{}), 0), pad)
	return Select(mask, Pad(part, like(part, 0), pad), x)
}

// indexArrays lists the arrays of an index and the axes they index, counted without dropped ones.
func indexArrays(idx array.Index) (at []*array.Array, axes []int) {
	axis := 0
	for _, a := range idx.Axes {
		if a.At != nil {
			at, axes = append(at, a.At), append(axes, axis)
		}
		if !a.Drop {
			axis++
		}
	}
	return at, axes
}

// gathering is an index by arrays in the terms of a gather.
type gathering struct {
	vectors *array.Array // the index vectors
	dims    GatherDims
	sizes   []int
	result  array.Shape
}

// arrayIndex indexes the given axes of an array of a shape by arrays, negative positions counting from the end.
func arrayIndex(shape array.Shape, at []*array.Array, axes []int, front bool) gathering {
	at = BroadcastArrays(at...)
	common := at[0].Shape()
	d := array.Int32
	for i, a := range at {
		if a.DType().Bits() >= 64 || a.DType() == array.Uint32 || shape[axes[i]] > 1<<31-1 {
			d = array.Int64
		}
	}
	columns := make([]*array.Array, len(at))
	for i, a := range at {
		a = Convert(a, d)
		a = Select(Lt(a, like(a, 0)), Add(a, like(a, float64(shape[axes[i]]))), a)
		columns[i] = ExpandDims(a, len(common))
	}
	g := gathering{vectors: Concatenate(len(common), columns...), sizes: shape.Clone()}
	for _, a := range axes {
		g.sizes[a] = 1
	}
	place := axes[0] // where the arrays' axes stand in the result
	if front {
		place = 0
	}
	rest := shape.Without(axes...)
	g.result = slices.Concat(rest[:place], common, rest[place:])
	offset := make([]int, len(rest))
	for i := range rest {
		offset[i] = i
		if i >= place {
			offset[i] += len(common)
		}
	}
	g.dims = GatherDims{Offset: array.MakeInts(offset...), CollapsedSlice: array.MakeInts(axes...), StartIndexMap: array.MakeInts(axes...)}
	return g
}
