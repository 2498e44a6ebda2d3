package np_test

import (
	"slices"
	"testing"

	"github.com/pantograph-go/pantograph/np"
)

func TestKaiser(t *testing.T) {
	w := np.Kaiser(5, 8.6).Float64s()
	if w[2] != 1 || w[0] != w[4] || w[1] != w[3] || w[0] != 1/np.I0(8.6).Float() {
		t.Errorf("the window is %v: it must be even, 1 in the middle and 1/I0(beta) at the ends", w)
	}
	if got := np.Kaiser(1, 2).Float64s(); !slices.Equal(got, []float64{1}) {
		t.Errorf("a window of one point is %v", got)
	}
}

func TestAddReduceat(t *testing.T) {
	x := [][]int{{1, 2}, {3, 4}, {5, 6}, {7, 8}}
	if got := np.AddReduceat(x, []int{0, 3, 1, 2}).Ravel().Ints(); !slices.Equal(got, []int{9, 12, 7, 8, 3, 4, 12, 14}) {
		t.Errorf("the sums of rows are %v", got)
	}
	if got := np.AddReduceat(x, []int{1}, np.Axis(-1)).Ravel().Ints(); !slices.Equal(got, []int{2, 4, 6, 8}) {
		t.Errorf("the sums of columns are %v", got)
	}
}

func TestPadLengths(t *testing.T) {
	got := np.Pad([]float64{1, 2, 6, 10}, 1, np.Mode("mean"), np.Lengths([]int{3, 2})).Float64s()
	if !slices.Equal(got, []float64{3, 1, 2, 6, 10, 8}) {
		t.Errorf("padded by the means of 3 and 2 elements it is %v", got)
	}
}
