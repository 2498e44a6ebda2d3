package primitive

import (
	"strconv"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Threefry2x32P is the block cipher behind random keys: 20 rounds of Threefry on two 32-bit words (Salmon, Moraes, Dror
// and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011), for each pair of counters.
//
//	key1, key2, x1, x2 [...] uint32, of one shape or scalars   →   two [...] uint32
//
// No derivative.
type Threefry2x32P struct{}

// Name implements Primitive.
func (Threefry2x32P) Name() string { return "threefry2x32" }

// Shape implements Primitive.
func (Threefry2x32P) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 4 {
		return nil, array.ArgumentErrorf("takes two key words and two counters, got %d operands", len(in))
	}
	names := []string{"key1", "key2", "x1", "x2"}
	for i, v := range in {
		if v.DType != array.Uint32 {
			return nil, array.DTypeErrorf("%s is %s; keys and counters are uint32", names[i], v.DType)
		}
	}
	shape, err := commonShape(names, in)
	if err != nil {
		return nil, err
	}
	out := array.Aval{Shape: shape, DType: array.Uint32}
	return []array.Aval{out, out}, nil
}

// Batch implements vmap.Batcher.
func (p Threefry2x32P) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	shape := array.Shape{} // of the results without the batch axis
	for i, x := range in {
		s := x.Shape()
		if dims[i] != notMapped {
			s = s.Without(dims[i])
		}
		if s.Rank() > 0 {
			shape = s
		}
	}
	xs := make([]*array.Array, len(in))
	for i, x := range in {
		scalar := x.Rank() == 0 || x.Rank() == 1 && dims[i] != notMapped
		switch {
		case scalar && dims[i] != notMapped: // a key for each batch element
			xs[i] = BroadcastInDim(x, shape.Insert(0, size), []int{0})
		case scalar:
			xs[i] = x
		default:
			xs[i] = batchAt(x, size, dims[i], 0)
		}
	}
	return BindAll(p, xs...), []int{0, 0}, nil
}

// Lower implements Lowerable: the rounds as a function of the module, one for each shape.
func (p Threefry2x32P) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	name := "threefry2x32"
	for _, n := range out[0].Shape {
		name += "_" + strconv.Itoa(n)
	}
	f := b.Module.Func(name)
	if f == nil {
		t := hlo.TensorOf(out[0])
		var err error
		f, err = b.Func(name, true, []hlo.Type{t, t, t, t}, func(args []*hlo.Value) ([]*hlo.Value, error) {
			return compose(b, args, func(in []*array.Array) []*array.Array { return threefry(in[0], in[1], in[2], in[3]) })
		})
		if err != nil {
			return nil, err
		}
	}
	return b.Call(f, spreadAll(b, in, out[0].Shape)...), nil
}

// threefry is section 3.2 of the paper for two words of 32 bits: five times four rounds, each group followed by a
// part of the key schedule.
func threefry(key1, key2, x1, x2 *array.Array) []*array.Array {
	word := func(v float64) *array.Array { return Full(key1.Aval(), v) }
	rotations := [2][4]float64{{13, 15, 26, 6}, {17, 29, 16, 24}}
	keys := [3]*array.Array{key1, key2, Xor(Xor(key1, key2), word(0x1BD11BDA))}
	x1, x2 = Add(x1, keys[0]), Add(x2, keys[1])
	for i := range 5 {
		for _, r := range rotations[i%2] {
			x1 = Add(x1, x2)
			x2 = Xor(x1, Or(ShiftLeft(x2, word(r)), ShiftRightLogical(x2, word(32-r))))
		}
		x1 = Add(x1, keys[(i+1)%3])
		x2 = Add(Add(x2, keys[(i+2)%3]), word(float64(i+1)))
	}
	return []*array.Array{x1, x2}
}

// Threefry2x32 encrypts the counters x1, x2 with the key key1, key2. See Threefry2x32P.
func Threefry2x32(key1, key2, x1, x2 *array.Array) (y1, y2 *array.Array) {
	out := BindAll(Threefry2x32P{}, key1, key2, x1, x2)
	return out[0], out[1]
}
