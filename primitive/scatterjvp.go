package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// JVP implements vjp.Differentiable.
func (p ScatterP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	v := scatterJVP{p, x[0], x[1], x[2], dx[0], dx[2]}
	switch p.Op {
	case CombineAdd:
		return BindAll(p, x...), []*array.Array{v.sum(v.dx, v.du)}, nil
	case CombineMul:
		return v.product()
	case CombineReplace:
		return v.replacement()
	}
	return v.extreme()
}

// scatterJVP are the operands of a scatter with the tangents of operand and updates, nil where zero.
type scatterJVP struct {
	p         ScatterP
	x, idx, u *array.Array
	dx, du    *array.Array
}

// sum scatter-adds updates to x; nil is zero, x then being like the operand.
func (v scatterJVP) sum(x, u *array.Array) *array.Array {
	if u == nil {
		return x
	}
	p := v.p
	p.Op = CombineAdd
	return Bind(p, instantiate(x, array.Aval{Shape: v.x.Shape(), DType: u.DType()}), v.idx, u)
}

// read is the gather of what the scatter writes.
func (v scatterJVP) read(x *array.Array) *array.Array {
	return Bind(v.p.gather(x.Shape(), v.u.Shape()), x, v.idx)
}

// gather reads, of an array of shape x, where the scatter writes; 0 where it drops.
func (p ScatterP) gather(x, updates array.Shape) GatherP {
	return GatherP{Dims: p.Dims.gather(), SliceSizes: p.Dims.windowSizes(x, updates), Mode: p.Mode, Sorted: p.Sorted, Unique: p.Unique}
}

// windowSizes is the extent of an update's window along each axis of the operand.
func (d ScatterDims) windowSizes(x, updates array.Shape) array.Ints {
	sizes := onesList(x.Rank())
	w := 0
	for i := range sizes {
		if !d.InsertedWindow.Contains(i) && !d.OperandBatching.Contains(i) {
			sizes[i] = updates[d.UpdateWindow.At(w)]
			w++
		}
	}
	return array.MakeInts(sizes...)
}

// product: where no two updates meet, y = x u at the places of the updates.
func (v scatterJVP) product() (y, dy []*array.Array, err error) {
	if v.du != nil && !v.p.Unique {
		return nil, nil, array.ArgumentErrorf("scatter-mul has a derivative for its updates only where no two of them meet; promise that with Unique, or multiply with segments of a sorted array")
	}
	var l, r *array.Array
	if v.dx != nil {
		l = Bind(v.p, v.dx, v.idx, v.u)
	}
	if v.du != nil {
		r = Mul(v.x, v.sum(nil, v.du))
	}
	return single(Bind(v.p, v.x, v.idx, v.u), addTangents(l, r))
}

// replacement: where several updates meet, one remains, and the engine need not choose the same twice. So the updates
// are numbered from 1, the numbers scattered, and whatever does not find its number again is left out of value and
// tangent.
func (v scatterJVP) replacement() (y, dy []*array.Array, err error) {
	if v.p.Unique {
		dx, du := instantiate(v.dx, v.x.Aval()), instantiate(v.du, v.u.Aval())
		return BindAll(v.p, v.x, v.idx, v.u), BindAll(v.p, dx, v.idx, du), nil
	}
	var batch []int // the axes of the updates along which the index vectors lie
	for i := range v.u.Rank() {
		if !v.p.Dims.UpdateWindow.Contains(i) {
			batch = append(batch, i)
		}
	}
	shape := v.idx.Shape()[:v.idx.Rank()-1]
	n := shape.Size()
	d := indexDType(n)
	count := array.Aval{Shape: array.Shape{n}, DType: d}
	number := Add(Iota(d, count.Shape, 0), Full(count, 1))
	number = BroadcastInDim(Reshape(number, shape), v.u.Shape(), batch)
	winner := Bind(v.p, Full(array.Aval{Shape: v.x.Shape(), DType: d}, 0), v.idx, number)
	untouched := Eq(winner, zerosOf(winner.Aval()))
	remains := Eq(v.read(winner), number)
	kept := func(mask, t *array.Array) *array.Array {
		if t == nil {
			return nil
		}
		return Select(mask, t, zerosOf(t.Aval()))
	}
	y = []*array.Array{v.sum(kept(untouched, v.x), kept(remains, v.u))}
	return y, []*array.Array{v.sum(kept(untouched, v.dx), kept(remains, v.du))}, nil
}

// extreme takes the mean of the tangents of all candidates that are equal to the result.
func (v scatterJVP) extreme() (y, dy []*array.Array, err error) {
	y = BindAll(v.p, v.x, v.idx, v.u)
	d := v.x.DType()
	attainedX, attainedU := Convert(Eq(v.x, y[0]), d), Convert(Eq(v.u, v.read(y[0])), d)
	weigh := func(t, attained *array.Array) *array.Array {
		if t == nil {
			return nil
		}
		return Mul(t, attained)
	}
	sum := v.sum(weigh(v.dx, attainedX), weigh(v.du, attainedU))
	return y, []*array.Array{Div(sum, v.sum(attainedX, attainedU))}, nil
}
