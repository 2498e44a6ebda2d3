package primitive

import (
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// kinds is a set of kinds of element types: what a family of elementwise primitives takes.
type kinds uint8

const (
	bools kinds = 1 << iota
	signed
	unsigned
	reals
	complexes
	keys

	integers = signed | unsigned
	inexact  = reals | complexes
	numbers  = integers | inexact
	bitwise  = bools | integers
	ordered  = bools | integers | reals
	anything = bools | numbers
)

func kindOf(d array.DType) kinds {
	switch d.Kind() {
	case array.KindBool:
		return bools
	case array.KindInt:
		return signed
	case array.KindUint:
		return unsigned
	case array.KindFloat:
		return reals
	case array.KindComplex:
		return complexes
	case array.KindKey:
		return keys
	}
	return 0
}

func (k kinds) String() string {
	var names []string
	for _, n := range []struct {
		k    kinds
		name string
	}{{bools, "bools"}, {integers, "integers"}, {signed, "signed integers"}, {reals, "floats"}, {complexes, "complex numbers"}, {keys, "keys"}} {
		if k&n.k == n.k {
			names = append(names, n.name)
			k &^= n.k
		}
	}
	if len(names) > 1 {
		names = append(names[:len(names)-2], names[len(names)-2]+" and "+names[len(names)-1])
	}
	return strings.Join(names, ", ")
}

// operandNames are what errors call the operands of a primitive that takes that many.
func operandNames(n int) []string {
	switch n {
	case 1:
		return []string{"operand"}
	case 2:
		return []string{"lhs", "rhs"}
	}
	return []string{"the first operand", "the second", "the third"}
}

// sameOperands is the shape rule of elementwise primitives: n operands of one dtype among takes and of one shape. As in
// jax.lax a scalar may stand beside arrays: the constants of a formula need no broadcast. The result is weak where all
// operands are.
func sameOperands(in []array.Aval, n int, takes kinds) (array.Aval, error) {
	if len(in) != n {
		return array.Aval{}, array.ArgumentErrorf("takes %d operands, got %d", n, len(in))
	}
	names := operandNames(n)
	out := in[0]
	for i, a := range in {
		if kindOf(a.DType)&takes == 0 {
			hint := "convert with AsType"
			if a.DType.IsKey() {
				hint = "draw numbers from a random key, or make new ones with random.Split and random.FoldIn"
			}
			return array.Aval{}, array.DTypeErrorf("%s is %s; it takes %s: %s", names[i], a.DType, takes, hint)
		}
		if a.DType != in[0].DType {
			return array.Aval{}, array.DTypeErrorf("%s is %s, %s is %s; the operands must have one dtype: convert one of them with AsType, or use the methods of arrays, which promote", names[0], in[0], names[i], a)
		}
		out.Weak = out.Weak && a.Weak
	}
	var err error
	out.Shape, err = commonShape(names, in)
	return out, err
}

// commonShape is the shape that all operands but scalars have.
func commonShape(names []string, in []array.Aval) (array.Shape, error) {
	shape, from := array.Shape{}, 0
	for i, a := range in {
		switch {
		case a.Shape.Rank() == 0:
		case shape.Rank() == 0:
			shape, from = a.Shape, i
		case !shape.Equal(a.Shape):
			return nil, array.ShapeErrorf("%s is %s, %s is %s; the operands must have one shape: broadcast one of them with BroadcastInDim, or use the methods of arrays, which broadcast", names[from], in[from], names[i], a)
		}
	}
	return shape, nil
}

func one(a array.Aval, err error) ([]array.Aval, error) {
	if err != nil {
		return nil, err
	}
	return []array.Aval{a}, nil
}

// elementwise is the mark that vmap.Elementwise asks for.
type elementwise struct{}

// Elementwise implements vmap.Elementwise.
func (elementwise) Elementwise() {}

// The families of elementwise primitives with one shape rule each; the result has the type of the operands.
type (
	floatUnary    struct{ elementwise } // floating-point or complex
	realUnary     struct{ elementwise } // real floating-point
	numberUnary   struct{ elementwise }
	bitUnary      struct{ elementwise } // integers and bools
	integerUnary  struct{ elementwise }
	numberBinary  struct{ elementwise }
	floatBinary   struct{ elementwise }
	realBinary    struct{ elementwise }
	anyBinary     struct{ elementwise } // numbers and bools
	bitBinary     struct{ elementwise }
	integerBinary struct{ elementwise }
	realTernary   struct{ elementwise }
)

// Shape implements Primitive.
func (floatUnary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 1, inexact))
}

// Shape implements Primitive.
func (realUnary) Shape(in []array.Aval) ([]array.Aval, error) { return one(sameOperands(in, 1, reals)) }

// Shape implements Primitive.
func (numberUnary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 1, numbers))
}

// Shape implements Primitive.
func (bitUnary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 1, bitwise))
}

// Shape implements Primitive.
func (integerUnary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 1, integers))
}

// Shape implements Primitive.
func (numberBinary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, numbers))
}

// Shape implements Primitive.
func (floatBinary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, inexact))
}

// Shape implements Primitive.
func (realBinary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, reals))
}

// Shape implements Primitive.
func (realTernary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 3, reals))
}

// Shape implements Primitive.
func (anyBinary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, anything))
}

// Shape implements Primitive.
func (bitBinary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, bitwise))
}

// Shape implements Primitive.
func (integerBinary) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, integers))
}

// lowerNary appends an elementwise operation, whose operands StableHLO wants of one shape.
func lowerNary(b *hlo.Builder, name string, in []*hlo.Value, out []array.Aval, attrs ...hlo.NamedAttr) ([]*hlo.Value, error) {
	return b.Op(name, out[0], spreadAll(b, in, out[0].Shape), attrs...), nil
}

// spreadAll repeats the scalars among in to a shape.
func spreadAll(b *hlo.Builder, in []*hlo.Value, shape array.Shape) []*hlo.Value {
	full := make([]*hlo.Value, len(in))
	for i, v := range in {
		full[i] = v
		if t := v.Tensor(); t.Shape.Rank() == 0 && shape.Rank() > 0 {
			full[i] = b.Op1("stablehlo.broadcast_in_dim", array.Aval{Shape: shape, DType: t.Elem}, hlo.Attrs{{Name: "broadcast_dimensions", Value: hlo.I64s()}}, v)
		}
	}
	return full
}

// like is the scalar v of the type of x.
func like(x *array.Array, v float64) *array.Array {
	return Full(x.Aval().WithShape(array.Shape{}), v)
}

// fullLike is v in the type and shape of x.
func fullLike(x *array.Array, v float64) *array.Array { return Full(x.Aval(), v) }

// spread repeats x, where it is a scalar, to a shape.
func spread(x *array.Array, shape array.Shape) *array.Array {
	if x.Rank() == 0 && shape.Rank() > 0 {
		return BroadcastInDim(x, shape, nil)
	}
	return x
}

// unspread is the transpose of spread: the cotangent of an operand that may have been a scalar beside arrays.
func unspread(ct *array.Array, a array.Aval) *array.Array {
	if a.Shape.Rank() == 0 && ct.Rank() > 0 {
		return ReduceSum(ct, iotaInts(ct.Rank()).Slice()...)
	}
	return ct
}

// addTangents adds tangents of which either may be a zero.
func addTangents(a, b *array.Array) *array.Array {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return AddAny(a, b)
}

// flat is the JVP of a function whose derivative is zero wherever there is one.
func flat(p Primitive, x []*array.Array) (y, dy []*array.Array, err error) {
	y = BindAll(p, x...)
	return y, make([]*array.Array, len(y)), nil
}

// single are results and tangents of a primitive with one result.
func single(y, dy *array.Array) ([]*array.Array, []*array.Array, error) {
	return []*array.Array{y}, []*array.Array{dy}, nil
}
