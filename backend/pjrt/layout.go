package pjrt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// rowMajor rearranges values that lie in memory in the given order of axes, fastest first.
func rowMajor(b *array.Buffer, minorToMajor []int) *array.Buffer {
	shape, size := b.Shape(), b.DType().Size()
	steps := make([]int, len(shape)) // in elements, of each axis of b's memory
	n := 1
	for _, axis := range minorToMajor {
		steps[axis] = n
		n *= shape[axis]
	}
	out := array.NewBuffer(b.DType(), shape)
	from, to := b.Bytes(), out.Bytes()
	at := make([]int, len(shape))
	for i := 0; i < len(to); i += size {
		src := 0
		for axis, k := range at {
			src += k * steps[axis]
		}
		copy(to[i:i+size], from[src*size:])
		for axis := len(at) - 1; axis >= 0; axis-- {
			if at[axis]++; at[axis] < shape[axis] {
				break
			}
			at[axis] = 0
		}
	}
	return out
}

// parseLayout reads a layout mode of a parameter or result that is neither the default: {0,1}, minor to major. It returns
// nil for row-major. A layout that XLA is to choose is not supported: old plugins do not tell what they chose.
func parseLayout(mode string, rank int) ([]int, error) {
	inner, ok1 := strings.CutPrefix(mode, "{")
	inner, ok2 := strings.CutSuffix(inner, "}")
	if !ok1 || !ok2 {
		return nil, &backend.Unsupported{Feature: "layout mode " + strconv.Quote(mode)}
	}
	var order []int
	for s := range strings.SplitSeq(inner, ",") {
		axis, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || axis < 0 || axis >= rank || slices.Contains(order, axis) {
			return nil, array.ArgumentErrorf("layout %s is not a permutation of the %d axes", mode, rank)
		}
		order = append(order, axis)
	}
	if len(order) != rank {
		return nil, array.ArgumentErrorf("layout %s is not a permutation of the %d axes", mode, rank)
	}
	if isRowMajor(order) {
		return nil, nil
	}
	return order, nil
}

// isRowMajor tells that an order of axes is the default one: last axis fastest.
func isRowMajor(minorToMajor []int) bool {
	for i, axis := range minorToMajor {
		if axis != len(minorToMajor)-1-i {
			return false
		}
	}
	return true
}

// sameLayout compares two orders of axes; nil is row-major.
func sameLayout(a, b []int) bool {
	return slices.Equal(a, b) || len(a) == 0 && isRowMajor(b) || len(b) == 0 && isRowMajor(a)
}
