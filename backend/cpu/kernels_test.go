package cpu

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// runText runs a module on arguments.
func runText(t *testing.T, text string, args ...array.Data) []*array.Buffer {
	t.Helper()
	m, err := hlo.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	exe, err := New().Compile(context.Background(), m, backend.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out, err := exe.Execute(context.Background(), args)
	if err != nil {
		t.Fatal(err)
	}
	host := make([]*array.Buffer, len(out))
	for i, b := range out {
		host[i], _ = b.Host()
	}
	return host
}

func TestNarrowCodecs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, d := range []array.DType{array.Float16, array.BFloat16} {
		c, _ := is16(d)
		b := array.NewBuffer(d, array.Shape{1})
		bits := array.View[uint16](b)
		for i := range 1 << 16 {
			bits[0] = uint16(i)
			if got, want := c.get(uint16(i)), b.Float(0); float64(got) != want && (got == got || want == want) {
				t.Fatalf("%s %#x is %v, want %v", d, i, got, want)
			}
		}
		for range 200000 {
			v := math.Float32frombits(r.Uint32())
			b.SetFloat(0, float64(v))
			if got := c.put(v); got != bits[0] && v == v {
				t.Fatalf("%s of %v is %#x, want %#x", d, v, got, bits[0])
			}
		}
	}
}

// Conversions agree with package array's, which converts one element at a time.
func TestConvertAllPairs(t *testing.T) {
	types := []array.DType{array.Bool, array.Int4, array.Int8, array.Int16, array.Int32, array.Int64, array.Uint4, array.Uint8, array.Uint16, array.Uint32, array.Uint64,
		array.Float8E4M3FN, array.Float8E5M2, array.BFloat16, array.Float16, array.Float32, array.Float64, array.Complex64, array.Complex128}
	r := rand.New(rand.NewPCG(2, 2))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, 127, 128, -128, -129, 255, 256, 65504, 65520, 1e10, -1e10, 1e30, 1 << 53, 1<<53 + 2,
		math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e-40, 6e-8, 1 + 1.0/256, 1 + 3.0/256, 1 + 1.0/256 + 1e-12, 9223372036854775807}
	for _, from := range types {
		in := array.NewBuffer(from, array.Shape{len(special) + 300})
		for i := range in.Len() {
			switch {
			case i < len(special):
				in.SetFloat(i, special[i])
			case from.IsInteger() && from.Bits() == 64:
				in.SetInt(i, int64(r.Uint64())>>r.IntN(60))
			default:
				in.SetFloat(i, math.Ldexp(r.Float64()-0.5, r.IntN(70)-10))
			}
		}
		for _, to := range types {
			if from == to {
				continue
			}
			text := fmt.Sprintf("func.func @main(%%x: tensor<%[1]dx%[2]s>) -> tensor<%[1]dx%[3]s> {\n %%0 = stablehlo.convert %%x : (tensor<%[1]dx%[2]s>) -> tensor<%[1]dx%[3]s>\n return %%0 : tensor<%[1]dx%[3]s>\n}",
				in.Len(), from.HLO(), to.HLO())
			got, want := runText(t, text, in)[0], array.Convert(in, to)
			for i := range in.Len() {
				g, w := got.Complex(i), want.Complex(i)
				same := g == w || cmplx.IsNaN(g) && cmplx.IsNaN(w)
				if to.IsInteger() {
					same = got.Int(i) == want.Int(i)
				}
				if !same {
					t.Errorf("%s to %s: element %d of %v is %v, want %v", from, to, i, in.Complex(i), g, w)
					break
				}
			}
		}
	}
}

func TestStridedCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		rank := r.IntN(5)
		s := &strided{srcAt: 200}
		n := 1
		for range rank {
			size := 1 + r.IntN(5)
			s.sizes = append(s.sizes, size)
			s.src = append(s.src, r.IntN(7)-3)
			n *= size
		}
		s.dst = array.Shape(s.sizes).Strides()
		src := make([]int32, 400)
		for i := range src {
			src[i] = int32(i)
		}
		got, want := make([]int32, n), make([]int32, n)
		copyStrided(got, src, s.simplify(), 0, 0)
		for i := range want {
			at, rest := s.srcAt, i
			for a := rank - 1; a >= 0; a-- {
				at += rest % s.sizes[a] * s.src[a]
				rest /= s.sizes[a]
			}
			want[i] = src[at]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("sizes %v strides %v: got %v, want %v", s.sizes, s.src, got, want)
		}
	}
}

func TestGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, s := range [][3]int{{1, 1, 1}, {4, 2, 3}, {5, 7, 600}, {3, 1, 1025}, {17, 9, 4}, {200, 3, 300}, {2, 300, 300}, {3, 3, 0}} {
		m, n, k := s[0], s[1], s[2]
		a, b := make([]int64, m*k), make([]int64, n*k)
		for i := range a {
			a[i] = r.Int64N(100) - 50
		}
		for i := range b {
			b[i] = r.Int64N(100) - 50
		}
		got := make([]int64, m*n)
		for i := range got {
			got[i] = 7 // what was there does not count
		}
		gemm(false, got, a, b, m, n, k)
		for i := range m {
			for j := range n {
				var want int64
				for p := range k {
					want += a[i*k+p] * b[j*k+p]
				}
				if got[i*n+j] != want {
					t.Fatalf("%v: element %d,%d is %d, want %d", s, i, j, got[i*n+j], want)
				}
			}
		}
	}
}

// Sums of many numbers are close, and do not depend on the number of processors.
func TestLongSums(t *testing.T) {
	const n = 1 << 20
	x := array.NewBuffer(array.Float32, array.Shape{n})
	for i, v := 0, array.View[float32](x); i < n; i++ {
		v[i] = 0.1
	}
	const text = `func.func @main(%x: tensor<1048576xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<1024xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1048576xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reshape %x : (tensor<1048576xf32>) -> tensor<262144x4xf32>
  %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<262144x4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.reshape %x : (tensor<1048576xf32>) -> tensor<1024x1024xf32>
  %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %0, %2, %4 : tensor<f32>, tensor<4xf32>, tensor<1024xf32>
}`
	first := runText(t, text, x)
	for i, count := range []float64{n, n / 4, 1024} {
		want := count * float64(float32(0.1))
		if got := first[i].Float(0); math.Abs(got-want) > 1e-6*want {
			t.Errorf("the sum of %v times 0.1 is %v, want %v", count, got, want)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for i, b := range runText(t, text, x) {
		if !slices.Equal(b.Bytes(), first[i].Bytes()) {
			t.Errorf("result %d depends on the number of processors", i)
		}
	}
}

func TestFFTLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 30, 49, 61, 64, 67, 97, 100, 134, 211} {
		x := array.NewBuffer(array.Complex128, array.Shape{n})
		for i := range n {
			x.SetComplex(i, complex(r.Float64()-0.5, r.Float64()-0.5))
		}
		text := fmt.Sprintf("func.func @main(%%x: tensor<%[1]dxcomplex<f64>>) -> (tensor<%[1]dxcomplex<f64>>, tensor<%[1]dxcomplex<f64>>) {\n"+
			" %%0 = stablehlo.fft %%x, type = FFT, length = [%[1]d] : (tensor<%[1]dxcomplex<f64>>) -> tensor<%[1]dxcomplex<f64>>\n"+
			" %%1 = stablehlo.fft %%0, type = IFFT, length = [%[1]d] : (tensor<%[1]dxcomplex<f64>>) -> tensor<%[1]dxcomplex<f64>>\n"+
			" return %%0, %%1 : tensor<%[1]dxcomplex<f64>>, tensor<%[1]dxcomplex<f64>>\n}", n)
		out := runText(t, text, x)
		for k := range n {
			var want complex128
			for j := range n {
				want += x.Complex(j) * cmplx.Exp(complex(0, -2*math.Pi*float64(j*k%n)/float64(n)))
			}
			if cmplx.Abs(out[0].Complex(k)-want) > 1e-13*float64(n) {
				t.Fatalf("length %d, element %d: got %v, want %v", n, k, out[0].Complex(k), want)
			}
			if cmplx.Abs(out[1].Complex(k)-x.Complex(k)) > 1e-14 {
				t.Fatalf("length %d, element %d: there and back gives %v, want %v", n, k, out[1].Complex(k), x.Complex(k))
			}
		}
	}
}

// The bits that jax 0.10.2 on XLA:CPU draws from the state 0x123456789abcdef0, 0xfedcba9876543210.
func TestRandomBits(t *testing.T) {
	for _, c := range []struct {
		algorithm, elem string
		shape           array.Shape
		next            uint64
		want            []uint64
	}{
		{"THREE_FRY", "ui8", array.Shape{3, 3}, 0xfedcba9876543216, []uint64{0x9, 0x65, 0x39, 0xd5, 0x29, 0x30, 0x88, 0x25, 0xbd}},
		{"THREE_FRY", "ui16", array.Shape{2, 5}, 0xfedcba9876543215, []uint64{0x6409, 0x8965, 0x1439, 0x1588, 0xcc25, 0x36d5, 0x1129, 0x4b30, 0xc37b, 0x4088}},
		{"THREE_FRY", "ui32", array.Shape{5}, 0xfedcba9876543213, []uint64{0x92506409, 0x827536d5, 0x4d818965, 0x225f1129, 0xea2d1439}},
		{"THREE_FRY", "ui64", array.Shape{5}, 0xfedcba9876543215, []uint64{0x827536d592506409, 0x225f11294d818965, 0x97414b30ea2d1439, 0xc96dc37b85761588, 0xabbb40884671cc25}},
		{"PHILOX", "ui8", array.Shape{5}, 0xfedcba9876543212, []uint64{0xab, 0x83, 0x19, 0xc5, 0x5f}},
		{"PHILOX", "ui32", array.Shape{5}, 0xfedcba9876543212, []uint64{0x36160bab, 0xa3d93e83, 0xf557ad19, 0xfdc9cbc5, 0x1892fa5f}},
		{"DEFAULT", "ui64", array.Shape{5}, 0xfedcba9876543213, []uint64{0xa3d93e8336160bab, 0xfdc9cbc5f557ad19, 0x20ed7b5c1892fa5f, 0xf4471df45010de97, 0xeba417b424c15768}},
	} {
		d, _ := array.ParseDType(c.elem)
		typ := hlo.Tensor{Shape: c.shape, Elem: d}.String()
		state := array.NewBuffer(array.Uint64, array.Shape{2})
		state.SetUint(0, 0x123456789abcdef0)
		state.SetUint(1, 0xfedcba9876543210)
		out := runText(t, fmt.Sprintf("func.func @main(%%x: tensor<2xui64>) -> (tensor<2xui64>, %[2]s) {\n"+
			" %%0, %%1 = stablehlo.rng_bit_generator %%x, algorithm = %[1]s : (tensor<2xui64>) -> (tensor<2xui64>, %[2]s)\n return %%0, %%1 : tensor<2xui64>, %[2]s\n}", c.algorithm, typ), state)
		if got := out[0].Uint(1); got != c.next || out[0].Uint(0) != state.Uint(0) {
			t.Errorf("%s %s: next state %#x, want %#x", c.algorithm, typ, got, c.next)
		}
		for i, w := range c.want {
			if got := out[1].Uint(i); got != w {
				t.Errorf("%s %s: element %d is %#x, want %#x", c.algorithm, typ, i, got, w)
			}
		}
	}
}

// A comparator of two keys runs as steps; one of a key computed from each side is sorted by the key. Both are stable.
func TestSortComparators(t *testing.T) {
	const lex = `
  %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %4 = stablehlo.and %2, %3 : tensor<i1>
  %5 = stablehlo.or %1, %4 : tensor<i1>
  stablehlo.return %5 : tensor<i1>`
	const byAbs = `
  %1 = stablehlo.abs %a : tensor<i32>
  %2 = stablehlo.abs %b : tensor<i32>
  %3 = stablehlo.compare GT, %2, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %3 : tensor<i1>`
	const n = 200
	r := rand.New(rand.NewPCG(9, 9))
	x, y := array.NewBuffer(array.Int32, array.Shape{n, 2}), array.NewBuffer(array.Int32, array.Shape{n, 2})
	for i := range 2 * n {
		x.SetInt(i, r.Int64N(21)-10)
		y.SetInt(i, int64(i))
	}
	abs := func(v int64) int64 { return max(v, -v) }
	for name, c := range map[string]struct {
		body string
		less func(a, b [2]int64) int
	}{
		"lexicographic": {lex, func(a, b [2]int64) int { return sign(a[0]-b[0], b[1]-a[1]) }},
		"by key":        {byAbs, func(a, b [2]int64) int { return sign(abs(a[0])-abs(b[0]), 0) }},
	} {
		out := runText(t, `func.func @main(%x: tensor<200x2xi32>, %y: tensor<200x2xi32>) -> (tensor<200x2xi32>, tensor<200x2xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):`+c.body+`
  }) : (tensor<200x2xi32>, tensor<200x2xi32>) -> (tensor<200x2xi32>, tensor<200x2xi32>)
  return %0#0, %0#1 : tensor<200x2xi32>, tensor<200x2xi32>
}`, x, y)
		for col := range 2 {
			rows := make([][2]int64, n)
			for i := range rows {
				rows[i] = [2]int64{x.Int(2*i + col), y.Int(2*i + col)}
			}
			slices.SortStableFunc(rows, c.less)
			for i, w := range rows {
				if g := [2]int64{out[0].Int(2*i + col), out[1].Int(2*i + col)}; g != w {
					t.Fatalf("%s: column %d, row %d is %v, want %v", name, col, i, g, w)
				}
			}
		}
	}
}

// sign is the sign of a, or of b where a is zero.
func sign(a, b int64) int {
	if a == 0 {
		a = b
	}
	return int(max(-1, min(a, 1)))
}
