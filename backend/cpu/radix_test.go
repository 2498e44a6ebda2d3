package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Distributing sorts as comparing does.
func TestSortRanked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	keys := []func() uint64{r.Uint64, func() uint64 { return uint64(r.IntN(5)) }, func() uint64 { return 1<<63 + uint64(r.Int32()) - 1<<30 },
		func() uint64 { return []uint64{0, math.MaxUint64, 1 << 63, 1 << 40}[r.IntN(4)] }, func() uint64 { return 7 }}
	for _, key := range keys {
		for _, n := range []int{1, 2, radixLeast - 1, radixLeast, 5000} {
			row := make([]ranked, 2*n)[:n]
			for i := range row {
				row[i] = ranked{key(), int32(i)}
			}
			want := slices.Clone(row)
			slices.SortFunc(want, byRank)
			if sortRanked(row, row[n:2*n]); !slices.Equal(row, want) {
				t.Fatalf("%d elements are out of order", n)
			}
		}
	}
}
