package cpu

import (
	"math/bits"
	"slices"
)

const (
	radixLeast = 256 // elements from which distributing beats comparing
	radixBits  = 11  // of a key that one pass looks at
)

// sortRanked sorts a row by key, equal keys by place. The row's places ascend; spare has the row's length.
func sortRanked(row, spare []ranked) {
	if len(row) < radixLeast {
		slices.SortFunc(row, byRank)
		return
	}
	least, most := row[0].key, row[0].key
	for _, r := range row {
		least, most = min(least, r.key), max(most, r.key)
	}
	from, to := row, spare[:len(row)]
	for shift := 0; shift < bits.Len64(most-least); shift += radixBits {
		const mask = 1<<radixBits - 1
		var start [mask + 1]int32
		for _, r := range from {
			start[(r.key-least)>>shift&mask]++
		}
		if start[(from[0].key-least)>>shift&mask] == int32(len(from)) {
			continue // all keys agree in these bits
		}
		sum := int32(0)
		for i, n := range start {
			start[i] = sum
			sum += n
		}
		for _, r := range from {
			d := (r.key - least) >> shift & mask
			to[start[d]] = r
			start[d]++
		}
		from, to = to, from
	}
	if &from[0] != &row[0] {
		copy(row, from)
	}
}
