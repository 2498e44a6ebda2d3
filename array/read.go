package array

// Host returns the values of x in host memory, row-major. The buffer must not be changed. It reports a
// ConcretizationError for a traced value, unless that is known nevertheless, as the primal under an eager derivative.
func (x *Array) Host() (*Buffer, error) {
	if x == nil {
		return nil, ArgumentErrorf("a nil array has no values")
	}
	for x.data == nil {
		known := (*Array)(nil)
		if c, ok := x.tracer.(Concrete); ok {
			known = c.Concrete()
		}
		if known == nil {
			return nil, concretization(x)
		}
		x = known
	}
	return x.data.Host()
}

func concretization(x *Array) error {
	what := "an array without data"
	if x.tracer != nil {
		what = x.tracer.Describe()
	}
	return ConcretizationErrorf("%s has no value yet: the function is being traced. Choose between values with np.Where, "+
		"between computations with flow.Cond, repeat with flow.While; or return it and read it outside; or pass the "+
		"argument as a Go number, which is static", what)
}

// IsConcrete reports whether the values of x can be read now.
func (x *Array) IsConcrete() bool {
	_, err := x.Host()
	return err == nil
}

func (x *Array) mustHost(op string) *Buffer {
	if x != nil && x.aval.DType.IsKey() {
		panic(Wrap(op, DTypeErrorf("%s does not read %s; random.KeyData gives the words of keys", op, x.aval.DType)))
	}
	b, err := x.Host()
	if err != nil {
		panic(Wrap(op, err))
	}
	return b
}

func (x *Array) single(op string) *Buffer {
	if x != nil && x.Size() != 1 {
		panic(Wrap(op, ShapeErrorf("one number was asked of an array of shape %s with %d elements; index it or reduce it first",
			x.Shape(), x.Size())))
	}
	return x.mustHost(op)
}

// Item is the only element of x as a Go value: bool, int64, uint64, float64 or complex128, by the kind of its type.
// It panics with a ShapeError where x has not exactly one element, and with a ConcretizationError where x is traced;
// so do the methods below.
func (x *Array) Item() any {
	b := x.single("Item")
	switch b.dtype.Kind() {
	case KindBool:
		return b.Bool(0)
	case KindInt:
		return b.Int(0)
	case KindUint:
		return b.Uint(0)
	case KindFloat:
		return b.Float(0)
	case KindComplex:
		return b.Complex(0)
	}
	panic(Wrap("Item", DTypeErrorf("an element of %s is no number", b.dtype)))
}

// Float is the only element of x as a float64. It panics with a DTypeError where x is complex.
func (x *Array) Float() float64 { return x.single("Float").mustBe("Float", realKinds).Float(0) }

// Int is the only element of x, of an integer type or bool. For floats use x.AsType(array.Int64).Int().
func (x *Array) Int() int { return int(x.single("Int").mustBe("Int", wholeKinds).Int(0)) }

// Bool reports whether the only element of x differs from zero.
func (x *Array) Bool() bool { return x.single("Bool").mustBe("Bool", numberKinds).Bool(0) }

// Complex is the only element of x as a complex128.
func (x *Array) Complex() complex128 {
	return x.single("Complex").mustBe("Complex", numberKinds).Complex(0)
}

// Float64s returns a copy of the elements in row-major order. It panics with a DTypeError where x is complex.
func (x *Array) Float64s() []float64 { return elements[float64](x, "Float64s", Float64, realKinds) }

// Float32s returns a copy of the elements in row-major order, rounded where x has a wider type.
func (x *Array) Float32s() []float32 { return elements[float32](x, "Float32s", Float32, realKinds) }

// Int64s returns a copy of the elements in row-major order, of an integer type or bool.
func (x *Array) Int64s() []int64 { return elements[int64](x, "Int64s", Int64, wholeKinds) }

// Ints is Int64s as Go ints.
func (x *Array) Ints() []int {
	v := x.Int64s()
	out := make([]int, len(v))
	for i := range v {
		out[i] = int(v[i])
	}
	return out
}

// Bools returns for each element in row-major order whether it differs from zero.
func (x *Array) Bools() []bool {
	b := x.mustHost("Bools").mustBe("Bools", numberKinds)
	out := make([]bool, b.Len())
	for i := range out {
		out[i] = b.Bool(i)
	}
	return out
}

// Complex128s returns a copy of the elements in row-major order.
func (x *Array) Complex128s() []complex128 {
	return elements[complex128](x, "Complex128s", Complex128, numberKinds)
}

func elements[T any](x *Array, op string, d DType, allowed kindSet) []T {
	b := Convert(x.mustHost(op).mustBe(op, allowed), d)
	return append(make([]T, 0, b.Len()), View[T](b)...)
}

type kindSet uint

const (
	wholeKinds  kindSet = 1<<KindBool | 1<<KindInt | 1<<KindUint
	realKinds           = wholeKinds | 1<<KindFloat
	numberKinds         = realKinds | 1<<KindComplex
)

func (b *Buffer) mustBe(op string, allowed kindSet) *Buffer {
	if allowed>>b.dtype.Kind()&1 == 0 {
		panic(Wrap(op, DTypeErrorf("%s does not read %s; convert with AsType, or take Real or Imag, first", op, b.dtype)))
	}
	return b
}
