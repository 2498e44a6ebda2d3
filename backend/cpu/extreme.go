package cpu

import (
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// This file runs the reductions that argmax and argmin are lowered to without running their computation for each element.

// extremes are the computations by the condition under which the value so far, a0 with index a1, stays against a2 with index a3:
// it is larger, or equal with a smaller index; a NaN counts as larger than any number.
var extremes = map[string]bool{ // whether it is the largest
	"or(or(GT(a0,a2),and(NE(a0,a0),not(NE(a2,a2)))),and(or(EQ(a0,a2),and(NE(a0,a0),NE(a2,a2))),LT(a1,a3)))": true,
	"or(or(LT(a0,a2),and(NE(a0,a0),not(NE(a2,a2)))),and(or(EQ(a0,a2),and(NE(a0,a0),NE(a2,a2))),LT(a1,a3)))": false,
	"or(GT(a0,a2),and(EQ(a0,a2),LT(a1,a3)))": true,
	"or(LT(a0,a2),and(EQ(a0,a2),LT(a1,a3)))": false,
}

// formula writes v as an expression of the arguments of blk; the empty string stands for what is too deep.
func formula(v *hlo.Value, blk *hlo.Block, depth int) string {
	if i := slices.Index(blk.Args, v); i >= 0 {
		return "a" + string(rune('0'+i))
	}
	if v.Def == nil || depth == 0 || enum(v.Def, "compare_type") == "TOTALORDER" {
		return ""
	}
	name := strings.TrimPrefix(v.Def.Name, "stablehlo.")
	if name == "compare" {
		name = enum(v.Def, "comparison_direction")
	}
	var args []string
	for _, o := range v.Def.Operands {
		args = append(args, formula(o, blk, depth-1))
	}
	return name + "(" + strings.Join(args, ",") + ")"
}

// extremeOf reports that the computation of a reduction picks the largest or smallest value with its index.
func extremeOf(blk *hlo.Block) (largest, ok bool) {
	ret := blk.Terminator()
	if len(blk.Args) != 4 || len(ret.Operands) != 2 {
		return false, false
	}
	value, index := formula(ret.Operands[0], blk, 8), formula(ret.Operands[1], blk, 8)
	which, found := strings.CutSuffix(strings.TrimPrefix(value, "select("), ",a0,a2)")
	if !found || index != "select("+which+",a1,a3)" {
		return false, false
	}
	largest, ok = extremes[which]
	return largest, ok
}

// extremeReduce makes the step of such a reduction, nil for types that it leaves to the computation.
func extremeReduce(n *node, dims []int, largest bool) run {
	if n.in[0].n == 0 {
		return nil
	}
	switch n.in[1].dtype {
	case array.Int32:
		return extremeBy[int32](n, dims, largest)
	case array.Int64:
		return extremeBy[int64](n, dims, largest)
	}
	return nil
}

func extremeBy[I int32 | int64](n *node, dims []int, largest bool) run {
	switch n.in[0].dtype {
	case array.Float32:
		return extremeRun[float32, I](n, dims, largest)
	case array.Float64:
		return extremeRun[float64, I](n, dims, largest)
	case array.Int32:
		return extremeRun[int32, I](n, dims, largest)
	case array.Int64:
		return extremeRun[int64, I](n, dims, largest)
	}
	return nil
}

func extremeRun[T int32 | int64 | float32 | float64, I int32 | int64](n *node, dims []int, largest bool) run {
	r := newReduction(nil, n.in[0].dtype.Size(), n.in[0].shape, dims)
	x, idx, initX, initIdx, out, where := n.in[0].ref(), n.in[1].ref(), n.in[2].ref(), n.in[3].ref(), n.out[0].ref(), n.out[1].ref()
	wins := func(v, w T, i, j I) bool { // (v, i) stays against (w, j)
		if largest && v > w || !largest && v < w || v != v && w == w {
			return true
		}
		return (v == w || v != v && w != w) && i < j
	}
	return func(f *frame) error {
		xs, is, best, at := elems[T](f, x), elems[I](f, idx), elems[T](f, out), elems[I](f, where)
		fill(best, elems[T](f, initX)[0])
		fill(at, elems[I](f, initIdx)[0])
		if !r.rows {
			for k, start := range r.kept {
				parallel(r.length, max(64, grain/len(r.folded)), func(lo, hi int) {
					b, a := best[k*r.length+lo:k*r.length+hi], at[k*r.length+lo:k*r.length+hi]
					for _, o := range r.folded {
						row, ri := xs[start+o+lo:][:len(b)], is[start+o+lo:][:len(b)]
						for j, v := range row {
							if !wins(b[j], v, a[j], ri[j]) {
								b[j], a[j] = v, ri[j]
							}
						}
					}
				})
			}
			return nil
		}
		parallel(len(r.kept), max(1, grain/(r.length*len(r.folded))), func(lo, hi int) {
			for k := lo; k < hi; k++ {
				b, a := best[k], at[k]
				for _, o := range r.folded {
					row, ri := xs[r.kept[k]+o:][:r.length], is[r.kept[k]+o:][:r.length]
					if largest {
						for j, v := range row {
							if v < b || wins(b, v, a, ri[j]) {
								continue
							}
							b, a = v, ri[j]
						}
						continue
					}
					for j, v := range row {
						if v > b || wins(b, v, a, ri[j]) {
							continue
						}
						b, a = v, ri[j]
					}
				}
				best[k], at[k] = b, a
			}
		})
		return nil
	}
}
