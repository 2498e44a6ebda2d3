package np_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
)

// TestEinsumAgainstLoops compares random subscripts with the definition: a loop over all labels.
func TestEinsumAgainstLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := map[rune]int{'a': 2, 'b': 3, 'c': 1, 'd': 4}
	letters := []rune("abcd")
	for range 60 {
		var terms [][]rune
		var xs []any
		used := map[rune]bool{}
		text := ""
		for k := range 1 + rng.IntN(3) {
			var labels []rune
			shape := []int{}
			for range rng.IntN(4) {
				l := letters[rng.IntN(4)]
				labels, shape, used[l] = append(labels, l), append(shape, sizes[l]), true
			}
			terms = append(terms, labels)
			v := make([]float64, np.Shape(shape).Size())
			for i := range v {
				v[i] = float64(rng.IntN(7) - 3)
			}
			xs = append(xs, np.FromSlice(v, shape...))
			if k > 0 {
				text += ","
			}
			text += string(labels)
		}
		var out []rune
		for _, l := range letters {
			if used[l] && rng.IntN(2) == 0 {
				out = append(out, l)
			}
		}
		text += "->" + string(out)
		got := np.Einsum(text, xs...)
		shape := np.Shape{}
		for _, l := range out {
			shape = append(shape, sizes[l])
		}
		require.Equal(t, shape.String(), got.Shape().String(), text)
		want := make([]float64, shape.Size())
		at := map[rune]int{}
		position := func(labels []rune) int {
			p := 0
			for _, l := range labels {
				p = p*sizes[l] + at[l]
			}
			return p
		}
		var loop func(k int)
		loop = func(k int) {
			if k < len(letters) {
				n := sizes[letters[k]]
				if !used[letters[k]] {
					n = 1
				}
				for at[letters[k]] = 0; at[letters[k]] < n; at[letters[k]]++ {
					loop(k + 1)
				}
				at[letters[k]] = 0
				return
			}
			p := 1.0
			for i, labels := range terms {
				p *= xs[i].(*np.Array).Float64s()[position(labels)]
			}
			want[position(out)] += p
		}
		loop(0)
		require.Equal(t, want, got.Float64s(), text)
	}
}

func TestSearchsortedNaN(t *testing.T) {
	nan := math.NaN()
	x := []float64{-1, 0, 0, 2, nan, nan}
	q := []float64{-5, -1, 0, 1, 2, 3, nan}
	require.Equal(t, []int{0, 0, 1, 3, 3, 4, 4}, np.Searchsorted(x, q).Ints())
	require.Equal(t, []int{0, 1, 3, 3, 4, 4, 6}, np.Searchsorted(x, q, np.Right()).Ints())
}

func TestRollByTracedShift(t *testing.T) {
	x := np.Arange(5)
	roll := jit.Of(func(x, by *np.Array) *np.Array { return np.Roll(x, by, np.Axis(0)) })
	for _, by := range []int{-7, -1, 0, 2, 5} {
		require.Equal(t, np.Roll(x, by).Ints(), roll.Call(x, by).Ints(), "by %d", by)
	}
}

func TestDynamicIndex(t *testing.T) {
	x := np.Arange(12).Reshape(3, 4)
	row := jit.Of(func(x, i *np.Array) *np.Array { return x.At(i, "1:").Get() })
	require.Equal(t, []int{5, 6, 7}, row.Call(x, 1).Ints())
	require.Equal(t, []int{9, 10, 11}, row.Call(x, -1).Ints(), "negative positions count from the end")
	require.Equal(t, []int{9, 10, 11}, row.Call(x, 9).Ints(), "reading clips")
	set := jit.Of(func(x, i *np.Array) *np.Array { return x.At(i).Set(0) })
	require.Equal(t, np.Sum(x).Int(), np.Sum(set.Call(x, 9)).Int(), "updates out of bounds are dropped")
}

func TestIntegerExtremes(t *testing.T) {
	for _, d := range []np.DType{np.Int8, np.Uint8, np.Int64, np.Uint64, np.Bool} {
		x := np.Of([]int{0, 1, 1}, d)
		mask := np.Of([]bool{false, false, false})
		require.Equal(t, "1", fmt.Sprint(np.Max(x, np.Initial(1), np.Masked(mask)).AsType(np.Int8)), d)
		require.Equal(t, "0", fmt.Sprint(np.Min(x, np.Initial(0), np.Masked(mask)).AsType(np.Int8)), d)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.npz")
	want := map[string]*np.Array{"w": np.Ones([]int{2, 2}, np.Float32), "b": np.Of([]float64{1})}
	require.NoError(t, np.Savez(name, want))
	got, err := np.LoadNpz(name)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
	name = filepath.Join(dir, "x.npy")
	require.NoError(t, np.Save(name, []int{1, 2}))
	x, err := np.Load(name)
	require.NoError(t, err)
	require.Equal(t, "[1 2]", x.String())
	_, err = np.Load(filepath.Join(dir, "none.npy"))
	require.Error(t, err)
	fsys := fstest.MapFS{"bad.npy": {Data: []byte("nothing that numpy wrote")}}
	_, err = np.LoadFS(fsys, "bad.npy")
	require.ErrorContains(t, err, "not a .npy file")
}
