package array

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

type special float64

func (s *special) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"nan"`:
		*s = special(math.NaN())
	case `"inf"`:
		*s = special(math.Inf(1))
	case `"-inf"`:
		*s = special(math.Inf(-1))
	default:
		return json.Unmarshal(b, (*float64)(s))
	}
	return nil
}

func sameFloat(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func TestNarrowAgainstMLDTypes(t *testing.T) {
	data, err := os.ReadFile("testdata/narrow.json")
	if err != nil {
		t.Fatal(err)
	}
	var formats map[string]struct {
		Codes, Encoded  []uint16
		Values, Special []special
	}
	if err := json.Unmarshal(data, &formats); err != nil {
		t.Fatal(err)
	}
	if len(formats) != 13 {
		t.Errorf("%d formats in the file", len(formats))
	}
	for name, f := range formats {
		d, err := ParseDType(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range f.Codes {
			if got, want := NarrowFromBits(d, c), float64(f.Values[i]); !sameFloat(got, want) {
				t.Errorf("%s: code %#x is %v, want %v", d, c, got, want)
			}
		}
		for i, v := range f.Special {
			if got, want := NarrowBits(d, float64(v)), f.Encoded[i]; got != want {
				t.Errorf("%s: %v became %#x, want %#x", d, float64(v), got, want)
			}
		}
	}
}

// TestNarrowRounding checks each pair of neighbouring numbers of each format: they and all between them go where rounding
// to nearest, ties to even, sends them.
func TestNarrowRounding(t *testing.T) {
	for d := Bool; d < numDTypes; d++ {
		f := narrows[d]
		if f == nil {
			continue
		}
		for c := uint16(0); c < f.maxFinite; c++ {
			lo, hi := f.decode(c), f.decode(c+1)
			if !(lo < hi) {
				t.Fatalf("%s: codes %#x and %#x are not in order: %v, %v", d, c, c+1, lo, hi)
			}
			mid := lo + (hi-lo)/2
			even := c + c&1
			if f.sign == 0 { // f8E8M0: the upper neighbour's fraction is the even one
				even = c + 1
			}
			for _, tt := range []struct {
				v    float64
				want uint16
			}{{lo, c}, {math.Nextafter(mid, lo), c}, {mid, even}, {math.Nextafter(mid, hi), c + 1}, {hi, c + 1}} {
				if got := f.encode(tt.v); got != tt.want {
					t.Fatalf("%s: %v became %#x, want %#x", d, tt.v, got, tt.want)
				}
				if got, want := f.encode(-tt.v), tt.want|f.sign; f.sign != 0 && got != want && !(f.unsigned0 && got == 0 && tt.want == 0) {
					t.Fatalf("%s: %v became %#x, want %#x", d, -tt.v, got, want)
				}
			}
		}
	}
}

func TestConvert(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	floats := []float64{nan, inf, -inf, 1e30, -1e30, -1.5, 300.7, -0.5, 5e9, 0}
	tests := []struct {
		to   DType
		want string
	}{ // as XLA's CPU backend converts
		{Int8, "[0 127 -128 127 -128 -1 127 0 127 0]"},
		{Uint8, "[0 255 0 255 0 0 255 0 255 0]"},
		{Int32, "[0 2147483647 -2147483648 2147483647 -2147483648 -1 300 0 2147483647 0]"},
		{Uint32, "[0 4294967295 0 4294967295 0 0 300 0 4294967295 0]"},
		{Int64, "[0 9223372036854775807 -9223372036854775808 9223372036854775807 -9223372036854775808 -1 300 0 5000000000 0]"},
		{Int4, "[0 7 -8 7 -8 -1 7 0 7 0]"},
		{Int2, "[0 1 -2 1 -2 -1 1 0 1 0]"},
		{Uint4, "[0 15 0 15 0 0 15 0 15 0]"},
		{Bool, "[1 1 1 1 1 1 1 1 1 0]"},
	}
	for _, from := range []DType{Float64, Float32} {
		src := Convert(FromSlice(Float64, Shape{len(floats)}, floats), from)
		for _, tt := range tests {
			b := Convert(src, tt.to)
			got := make([]int64, b.Len())
			for i := range got {
				got[i] = b.Int(i)
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("%s to %s: got %v, want %s", from, tt.to, got, tt.want)
			}
		}
		if b := Convert(src, Uint64); b.Uint(1) != math.MaxUint64 || b.Uint(2) != 0 || b.Uint(8) != 5e9 {
			t.Errorf("%s to uint64: %v", from, View[uint64](b))
		}
	}
}

// TestConvertPaths compares the fast loops with the element-wise path for every pair of types.
func TestConvertPaths(t *testing.T) {
	values := []float64{0, 1, -1, 2, 3.5, -7, 100, 127, 200, -129, 1e5, -3e9, 1e19, 0.1, math.Inf(1), math.NaN()}
	for from := Bool; from < Float0; from++ {
		src := NewBuffer(from, Shape{len(values)})
		for i, v := range values {
			src.SetFloat(i, v)
		}
		for to := Bool; to < Float0; to++ {
			if from == to {
				continue
			}
			want, got := NewBuffer(to, src.Shape()), Convert(src, to)
			convertEach(src, want)
			if string(got.Bytes()) != string(want.Bytes()) {
				t.Errorf("%s to %s: got %s, want %s of %s", from, to, got, want, src)
			}
		}
	}
}

func TestIntegersRoundOnce(t *testing.T) {
	// 2^60 + 2^52 is half way between two bfloat16 numbers, and the last bit decides; float64 has lost it.
	for _, tt := range []struct {
		v    int64
		to   DType
		want float64
	}{
		{1<<60 + 1<<52, BFloat16, 1 << 60},
		{1<<60 + 1<<52 + 1, BFloat16, 1<<60 + 1<<53},
		{-(1<<60 + 1<<52 + 1), BFloat16, -(1<<60 + 1<<53)},
		{1<<60 + 1<<36 + 1, Float32, 1<<60 + 1<<37},
		{1<<60 + 1<<36, Float32, 1 << 60},
	} {
		src := scalarInt(Int64, tt.v)
		if got := Convert(src, tt.to).Float(0); got != tt.want {
			t.Errorf("%d to %s: got %v, want %v", tt.v, tt.to, got, tt.want)
		}
	}
	b := NewBuffer(BFloat16, Shape{1})
	b.SetUint(0, 1<<63+1<<55+1)
	if b.Float(0) != 1<<63+1<<56 {
		t.Errorf("uint64 to bfloat16: %v", b.Float(0))
	}
}

func TestComplexElements(t *testing.T) {
	b := FromSlice(Complex64, Shape{3}, []complex64{1 + 2i, 3i, 0})
	if f := Convert(b, Float32); f.Float(0) != 1 || f.Float(1) != 0 {
		t.Errorf("complex to float: %s", f)
	}
	if c := Convert(b, Complex128); c.Complex(1) != 3i {
		t.Errorf("complex64 to complex128: %s", c)
	}
	if !b.Bool(1) || b.Bool(2) {
		t.Error("a purely imaginary number differs from zero")
	}
}

func TestIntegerNarrowing(t *testing.T) {
	for _, tt := range []struct {
		to   DType
		want int64
	}{{Int2, -1}, {Uint2, 3}, {Int4, -1}, {Uint4, 15}, {Int8, -1}, {Uint8, 255}, {Int16, 511}, {Bool, 1}} {
		if got := Convert(scalarInt(Int64, 511), tt.to).Int(0); got != tt.want {
			t.Errorf("511 to %s: got %d, want %d", tt.to, got, tt.want)
		}
	}
}

func TestRoundTo(t *testing.T) {
	for _, tt := range []struct {
		d       DType
		v, want float64
	}{{Float32, 0.1, float64(float32(0.1))}, {Float16, 65519, 65504}, {Float16, 65520, math.Inf(1)}, {Int8, -200.5, -128},
		{Uint8, -1, 0}, {Bool, 0.25, 1}, {Float8E4M3FN, 1e4, math.NaN()}, {Float4E2M1FN, 100, 6}, {Complex64, 0.1, float64(float32(0.1))}} {
		if got := RoundTo(tt.d, tt.v); !sameFloat(got, tt.want) {
			t.Errorf("RoundTo(%s, %v) = %v, want %v", tt.d, tt.v, got, tt.want)
		}
	}
}
