package primitive

import (
	"github.com/pantograph-go/pantograph/array"
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
	names := [4]string{"key1", "key2", "x1", "x2"}
	shape, from := array.Shape{}, 0
	for i, v := range in {
		if v.DType != array.Uint32 {
			return nil, array.DTypeErrorf("%s is %s; keys and counters are uint32", names[i], v.DType)
		}
		if v.Shape.Rank() == 0 {
			continue
		}
		if shape.Rank() > 0 && !shape.Equal(v.Shape) {
			return nil, array.ShapeErrorf("%s is %s, %s is %s; operands that are not scalars must have one shape", names[from], in[from], names[i], v)
		}
		shape, from = v.Shape, i
	}
	out := array.Aval{Shape: shape, DType: array.Uint32}
	return []array.Aval{out, out}, nil
}

// Threefry2x32 encrypts the counters x1, x2 with the key key1, key2. See Threefry2x32P.
func Threefry2x32(key1, key2, x1, x2 *array.Array) (y1, y2 *array.Array) {
	out := BindAll(Threefry2x32P{}, key1, key2, x1, x2)
	return out[0], out[1]
}
