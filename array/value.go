package array

import (
	"reflect"
)

// FromValue makes an array of a Go value:
//
//	*Array                  itself
//	int, float64, complex128  a weak scalar: it takes the type of the arrays it meets
//	bool, other numbers     a scalar of that very type; uint is uint64
//	slices, Go arrays       of these, nested to any depth and rectangular: an array, never weak; int is int64
//	*Buffer, other Data     an array on that data
//
// Named types count as what they are made of. Numbers are copied. It reports a ShapeError for ragged slices and an
// ArgumentError for anything else.
func FromValue(v any) (*Array, error) {
	switch v := v.(type) {
	case *Array:
		if v == nil {
			return nil, ArgumentErrorf("an operand is a nil array")
		}
		return v, nil
	case Data:
		if b, ok := v.(*Buffer); ok && b == nil {
			return nil, ArgumentErrorf("an operand is a nil buffer")
		}
		return Of(v), nil
	case float64:
		return WeakOf(scalarFloat(Float64, v)), nil
	case int:
		return WeakOf(scalarInt(Int64, int64(v))), nil
	case []float64:
		return Of(FromSlice(Float64, Shape{len(v)}, v)), nil
	case []float32:
		return Of(FromSlice(Float32, Shape{len(v)}, v)), nil
	case []int:
		return Of(FromSlice(Int64, Shape{len(v)}, v)), nil
	case nil:
		return nil, ArgumentErrorf("an operand is nil")
	}
	return fromReflect(reflect.ValueOf(v))
}

// MustValue is FromValue that panics with an *Error naming the operation op.
func MustValue(op string, v any) *Array {
	x, err := FromValue(v)
	if err != nil {
		panic(Wrap(op, err))
	}
	return x
}

// FromSlice makes a buffer of type d from Go numbers whose memory has the layout of d's elements, copying them. It
// panics where the count does not fit the shape.
func FromSlice[T any](d DType, shape Shape, v []T) *Buffer {
	b := NewBuffer(d, shape)
	if dst := View[T](b); len(dst) != len(v) {
		panic(Wrap("array.FromSlice", ShapeErrorf("%s%s takes %d elements, got %d", d.Short(), shape, len(dst), len(v))))
	}
	copy(View[T](b), v)
	return b
}

func scalarFloat(d DType, v float64) *Buffer {
	b := NewBuffer(d, Shape{})
	b.SetFloat(0, v)
	return b
}

func scalarInt(d DType, v int64) *Buffer {
	b := NewBuffer(d, Shape{})
	b.SetInt(0, v)
	return b
}

func fromReflect(v reflect.Value) (*Array, error) {
	shape, t := Shape{}, v.Type()
	for sample := v; t.Kind() == reflect.Slice || t.Kind() == reflect.Array; t = t.Elem() {
		n := 0
		if sample.IsValid() {
			n = sample.Len()
		}
		shape = append(shape, n)
		if n > 0 {
			sample = sample.Index(0)
		} else {
			sample = reflect.Value{}
		}
	}
	d := dtypeOf(t.Kind())
	if d == Invalid {
		if t == reflect.TypeFor[*Array]() {
			return nil, ArgumentErrorf("a slice of arrays is not an array: put them together with np.Stack or np.Concatenate")
		}
		return nil, ArgumentErrorf("a Go value of type %s is not an array: give a number, a slice of numbers or an Array", v.Type())
	}
	b, i := NewBuffer(d, shape), 0
	if err := fill(b, v, 0, &i); err != nil {
		return nil, err
	}
	switch t.Kind() {
	case reflect.Int, reflect.Float64, reflect.Complex128:
		if len(shape) == 0 {
			return WeakOf(b), nil
		}
	}
	return Of(b), nil
}

func fill(b *Buffer, v reflect.Value, axis int, i *int) error {
	if axis < len(b.shape) {
		if v.Len() != b.shape[axis] {
			return ShapeErrorf("ragged slice: on axis %d one part has %d elements, the first has %d", axis, v.Len(), b.shape[axis])
		}
		for k := range v.Len() {
			if err := fill(b, v.Index(k), axis+1, i); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case v.CanInt():
		b.SetInt(*i, v.Int())
	case v.CanUint():
		b.SetUint(*i, v.Uint())
	case v.CanFloat():
		b.SetFloat(*i, v.Float())
	case v.CanComplex():
		b.SetComplex(*i, v.Complex())
	default:
		b.SetBool(*i, v.Bool())
	}
	*i++
	return nil
}

func dtypeOf(k reflect.Kind) DType {
	switch k {
	case reflect.Bool:
		return Bool
	case reflect.Int, reflect.Int64:
		return Int64
	case reflect.Int8:
		return Int8
	case reflect.Int16:
		return Int16
	case reflect.Int32:
		return Int32
	case reflect.Uint, reflect.Uint64:
		return Uint64
	case reflect.Uint8:
		return Uint8
	case reflect.Uint16:
		return Uint16
	case reflect.Uint32:
		return Uint32
	case reflect.Float32:
		return Float32
	case reflect.Float64:
		return Float64
	case reflect.Complex64:
		return Complex64
	case reflect.Complex128:
		return Complex128
	}
	return Invalid
}
