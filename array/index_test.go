package array

import (
	"errors"
	"fmt"
	"testing"
)

func TestParseIndex(t *testing.T) {
	x := Of(NewBuffer(Float32, Shape{4, 5, 6}))
	ints := of(t, []int{0, 2})
	column := of(t, [][]int{{1}, {0}, {3}})
	tests := []struct {
		index []any
		want  string // shape, new axes, front
	}{
		{[]any{0}, "[5,6] [] false"},
		{[]any{-1, ":", 2}, "[5] [] false"},
		{[]any{"..., 0"}, "[4,5] [] false"},
		{[]any{Ellipsis, Slice{1, 3, 0}}, "[4,5,2] [] false"},
		{[]any{Slice{Stop: End, Step: 2}, "::-1", Slice{Start: End, Stop: Begin, Step: -4}}, "[2,5,2] [] false"},
		{[]any{"1:100, -2:, 4:2"}, "[3,2,0] [] false"},
		{[]any{NewAxis, 1, NewAxis, "...", NewAxis}, "[1,1,5,6,1] [0 1 4] false"},
		{[]any{ints}, "[2,5,6] [] false"},
		{[]any{":", ints, column}, "[4,3,2] [] false"},
		{[]any{ints, ":", column}, "[3,2,5] [] true"},
		{[]any{0, ":", ints}, "[2,5] [] true"},
		{[]any{":", 0, ints}, "[4,2] [] false"},
		{[]any{ints, NewAxis, ints}, "[2,1,6] [1] true"},
		{[]any{NewAxis, ints, ints, NewAxis}, "[1,2,1,6] [0 2] false"},
		{[]any{[]bool{true, false, true, true}}, "[3,5,6] [] false"},
		{[]any{"...", of(t, [2]int{1, 1}), 0}, "[4,2] [] false"},
		{[]any{[]int{}}, "[0,5,6] [] false"},
		{nil, "[4,5,6] [] false"},
	}
	for _, tt := range tests {
		r, err := parseIndex(x, tt.index)
		if err != nil {
			t.Errorf("%v: %v", tt.index, err)
			continue
		}
		if got := fmt.Sprint(r.shape, r.newAxes, r.idx.Front); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.index, got, tt.want)
		}
		if len(r.idx.Axes) != 3 {
			t.Errorf("%v: %d axes", tt.index, len(r.idx.Axes))
		}
	}
}

// TestSlices compares with Python's slice.indices, computed here by its definition: walk from start while inside.
func TestSlices(t *testing.T) {
	bounds := []int{Begin, -7, -5, -4, -1, 0, 1, 3, 4, 5, 9, End}
	for n := range 6 {
		for _, start := range bounds {
			for _, stop := range bounds {
				for _, step := range []int{-3, -2, -1, 1, 2, 3} {
					a, err := Slice{start, stop, step}.resolve(n)
					if err != nil {
						t.Fatal(err)
					}
					var want []int
					for i := range n { // i-th candidate in walking order
						p := i
						if step < 0 {
							p = n - 1 - i
						}
						if inSlice(p, start, stop, step, n) {
							want = append(want, p)
						}
					}
					var got []int
					for i := range a.Size {
						got = append(got, a.Start+i*a.Step)
					}
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("[%d:%d:%d] of %d: got %v, want %v", start, stop, step, n, got, want)
					}
				}
			}
		}
	}
}

func inSlice(p, start, stop, step, n int) bool {
	wrap := func(b int) int {
		if b < 0 && b != Begin {
			b += n
		}
		return b
	}
	first, last := wrap(start), wrap(stop)
	if step > 0 {
		first = max(first, 0)
		return p >= first && p < last && (p-first)%step == 0
	}
	first = min(first, n-1)
	return p <= first && p > last && (first-p)%-step == 0
}

func TestIndexErrors(t *testing.T) {
	x := Of(NewBuffer(Float32, Shape{4, 5}))
	var (
		arg      *ArgumentError
		dtype    *DTypeError
		concrete *ConcretizationError
	)
	for _, index := range [][]any{{4}, {-5}, {0, 0, 0}, {"...", "..."}, {"a"}, {"::0"}, {"1:2:3:4"}, {nil}, {[]bool{true}}, {"1.5"}} {
		if _, err := parseIndex(x, index); !errors.As(err, &arg) {
			t.Errorf("%v: %v", index, err)
		}
	}
	if _, err := parseIndex(x, []any{1.5}); !errors.As(err, &dtype) {
		t.Errorf("float index: %v", err)
	}
	mask := FromTracer(Aval{Shape: Shape{4}, DType: Bool}, fakeTracer{})
	if _, err := parseIndex(x, []any{mask}); !errors.As(err, &concrete) {
		t.Errorf("traced mask: %v", err)
	}
	if e := caught(t, func() { x.At(7) }); e.Pos.File == "" {
		t.Errorf("no position: %v", e)
	}
}
