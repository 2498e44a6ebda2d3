package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// workload is an entry of the specification; see its head for what the fields mean.
type workload struct {
	Name, Group, DType, Timed string
	Inputs                    []input
	Check                     struct {
		What         string
		RTol         float64
		Reference    float64
		ReferenceAbs float64 `json:"reference_abs"`
	}
	MinReps   int `json:"min_reps"`
	Seed, Per int
}

// input says how an array is made from a seed.
type input struct {
	Shape  []int
	DType  string
	Seed   uint64
	Lo, Hi float64
	Make   string
}

func readSpec(file string) ([]*workload, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec struct{ Workloads []*workload }
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return spec.Workloads, nil
}

func (w *workload) minReps() int {
	if w.MinReps > 0 {
		return w.MinReps
	}
	return 7
}

// random64 is number i of the stream of a seed.
func random64(seed, i uint64) uint64 {
	z := seed*0xD1342543DE82EF95 + (i+1)*0x9E3779B97F4A7C15
	z ^= z >> 30
	z *= 0xBF58476D1CE4E5B9
	z ^= z >> 27
	z *= 0x94D049BB133111EB
	return z ^ z>>31
}

// array makes the input.
func (in *input) array() (*np.Array, error) {
	types := map[string]array.DType{"f32": array.Float32, "f64": array.Float64, "bf16": array.BFloat16, "i32": array.Int32}
	d, ok := types[in.DType]
	if !ok {
		return nil, fmt.Errorf("unknown type %q of an input", in.DType)
	}
	b := array.NewBuffer(d, in.Shape)
	if d == array.Int32 {
		span := uint64(in.Hi - in.Lo)
		for i := range b.Len() {
			b.SetInt(i, int64(in.Lo)+int64(random64(in.Seed, uint64(i))>>32*span>>32))
		}
		return array.Of(b), nil
	}
	v := make([]float64, b.Len())
	for i := range v {
		v[i] = in.Lo + (in.Hi-in.Lo)*(float64(random64(in.Seed, uint64(i))>>40)/(1<<24))
	}
	switch in.Make {
	case "spd":
		v = gram(v, in.Shape[len(in.Shape)-1])
	case "diagdom":
		n := in.Shape[len(in.Shape)-1]
		for i := range v {
			if i/n%n == i%n {
				v[i] += float64(n)
			}
		}
	}
	for i, x := range v {
		b.SetFloat(i, x)
	}
	return array.Of(b), nil
}

// gram is G Gᵀ / n + I for the n by n matrix g.
func gram(g []float64, n int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			var s float64
			for k := range n {
				s += g[i*n+k] * g[j*n+k]
			}
			out[i*n+j] = s / float64(n)
		}
		out[i*n+i]++
	}
	return out
}

// checksum is the weighted sum of the results that the workload checks, and of their magnitudes.
func (w *workload) checksum(res []*np.Array) (sum, abs *float64, err error) {
	switch w.Check.What {
	case "none":
		return nil, nil, nil
	case "values", "eigenvalues":
		res = res[:1]
	case "s":
		res = res[1:2]
	case "abs(diagonal(r))":
		res = []*np.Array{np.Abs(np.Diagonal(res[1], 0))}
	}
	var s, a float64
	at := 0
	add := func(v float64) {
		weight := float64((37*at)%97+1) / 97
		s += weight * v
		a += weight * math.Abs(v)
		at++
	}
	for _, r := range res {
		b, err := r.Host()
		if err != nil {
			return nil, nil, err
		}
		for i := range b.Len() {
			switch d := b.DType(); {
			case d.IsComplex():
				c := b.Complex(i)
				add(real(c))
				add(imag(c))
			case d.IsFloat():
				add(b.Float(i))
			case d == array.Bool:
				if b.Bool(i) {
					add(1)
				} else {
					add(0)
				}
			default:
				add(float64(b.Int(i)))
			}
		}
	}
	return &s, &a, nil
}
