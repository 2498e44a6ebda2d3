package golden

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/pantograph-go/pantograph/array"
)

// maxULP is how far a value may lie from the exact one, in units in the last place of the dtype, in the tables of
// special values.
const maxULP = 4

// compare checks one recorded array against got. narrow allows a dtype that is the 64-bit form of the recorded one, as
// the reference gives with 64-bit types off. Signed zeros are not told apart.
func compare(got *array.Array, want *array.Array, tol Tolerance, narrow bool) error {
	if got == nil {
		return fmt.Errorf("nothing, want %s", want.Aval())
	}
	if !got.Shape().Equal(want.Shape()) {
		return fmt.Errorf("shape %s, want %s", got.Shape(), want.Shape())
	}
	if d := got.DType(); d != want.DType() && !(narrow && narrowed(d) == want.DType()) {
		return fmt.Errorf("dtype %s, want %s", d, want.DType())
	}
	a, err := got.Host()
	if err != nil {
		return err
	}
	b, err := want.Host()
	if err != nil {
		return err
	}
	if got.DType() != want.DType() {
		a = array.Convert(a, b.DType())
	}
	scale := 0.0
	n := b.Len()
	for i := range n {
		if v := magnitude(b, i); !math.IsInf(v, 0) && !math.IsNaN(v) {
			scale = max(scale, v)
		}
	}
	worst, at := 0.0, -1
	for i := range n {
		if e := excess(a, b, i, scale, tol); e > worst {
			worst, at = e, i
		}
	}
	if at >= 0 {
		return fmt.Errorf("element %d is %v, want %v (%d of %d elements, tolerance %g + %g)", at, element(a, at), element(b, at), at, n, tol.ATol, tol.RTol)
	}
	return nil
}

func narrowed(d array.DType) array.DType {
	switch d {
	case array.Float64:
		return array.Float32
	case array.Int64:
		return array.Int32
	case array.Uint64:
		return array.Uint32
	case array.Complex128:
		return array.Complex64
	}
	return d
}

func element(b *array.Buffer, i int) any {
	switch b.DType().Kind() {
	case array.KindComplex:
		return b.Complex(i)
	case array.KindFloat:
		return b.Float(i)
	case array.KindBool:
		return b.Bool(i)
	case array.KindUint:
		return uint64(b.Int(i))
	}
	return b.Int(i)
}

func magnitude(b *array.Buffer, i int) float64 {
	switch b.DType().Kind() {
	case array.KindComplex:
		return cmplx.Abs(b.Complex(i))
	case array.KindFloat:
		return math.Abs(b.Float(i))
	}
	return 0
}

// excess is 0 where the elements agree.
func excess(a, b *array.Buffer, i int, scale float64, tol Tolerance) float64 {
	switch b.DType().Kind() {
	case array.KindFloat0:
		return 0
	case array.KindComplex:
		x, y := a.Complex(i), b.Complex(i)
		if d := cmplx.Abs(x - y); d <= tol.ATol+tol.RTol*max(cmplx.Abs(y), 0.05*scale) {
			return 0
		}
		return max(apart(real(x), real(y), scale, tol), apart(imag(x), imag(y), scale, tol))
	case array.KindFloat:
		return apart(a.Float(i), b.Float(i), scale, tol)
	}
	if a.Int(i) != b.Int(i) {
		return 1
	}
	return 0
}

func apart(x, y, scale float64, tol Tolerance) float64 {
	switch {
	case math.IsNaN(x) && math.IsNaN(y), x == y:
		return 0
	case math.IsNaN(x), math.IsNaN(y), math.IsInf(x, 0), math.IsInf(y, 0):
		return math.Inf(1)
	}
	if d := math.Abs(x - y); d > tol.ATol+tol.RTol*max(math.Abs(y), 0.05*scale) {
		return d
	}
	return 0
}

// compareExact checks a result against the exact values, in units in the last place of its dtype.
func compareExact(got *array.Array, exact, low []float64) error {
	a, err := got.Host()
	if err != nil {
		return err
	}
	if a.Len() != len(exact) {
		return fmt.Errorf("%d elements, the exact table has %d", a.Len(), len(exact))
	}
	d := a.DType()
	for i, want := range exact {
		x := a.Float(i)
		rounded := array.RoundTo(d, want)
		if x == rounded || (math.IsNaN(x) && math.IsNaN(want)) {
			if x == 0 && want == 0 && math.Signbit(x) != math.Signbit(want) {
				return fmt.Errorf("element %d is %v, exactly it is %v", i, x, want)
			}
			continue
		}
		diff := x - want
		if low != nil {
			diff -= low[i]
		}
		if ulps := math.Abs(diff) / ulp(d, want); !(ulps <= maxULP) {
			return fmt.Errorf("element %d is %v, exactly it is %v: %.1f ulp off", i, x, want, ulps)
		}
	}
	return nil
}

// ulp is the distance of neighbouring numbers of dtype d near v.
func ulp(d array.DType, v float64) float64 {
	mantissa, least := 52, -1074
	switch d {
	case array.Float32:
		mantissa, least = 23, -149
	case array.Float16:
		mantissa, least = 10, -24
	case array.BFloat16:
		mantissa, least = 7, -133
	}
	if v == 0 {
		return math.Ldexp(1, least)
	}
	_, e := math.Frexp(v)
	return math.Ldexp(1, max(e-1-mantissa, least))
}
