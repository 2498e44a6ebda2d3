package primitive_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

var randomRows = flag.Int("primitive.random", 12, "how many random primitives of each family with many parameters to hold to the contract")

// TestContractOfRandomParameters holds primitives with parameters that nobody would think of to the contract: those
// whose rules are arithmetic on parameters.
func TestContractOfRandomParameters(t *testing.T) {
	for name, make := range map[string]func(r *rand.Rand) row{
		"conv": randomConv, "dot": randomDot, "window": randomWindow, "gather": randomGather, "scatter": randomScatter,
	} {
		rng := rand.New(rand.NewPCG(seed, 1))
		for i := range *randomRows {
			r := make(rng)
			avals := []array.Aval{}
			for _, o := range r.in {
				avals = append(avals, o.aval)
			}
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				if _, err := r.prim.Shape(avals); err != nil {
					t.Skip(err)
				}
				r.check(t)
			})
		}
	}
}

// between draws from lo to hi.
func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

func drawn(r *rand.Rand, n, lo, hi int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = between(r, lo, hi)
	}
	return v
}

func randomConv(r *rand.Rand) row {
	n := between(r, 0, 2)
	list := func(lo, hi int) array.Ints { return ints(drawn(r, n, lo, hi)...) }
	c := ConvParams{Strides: list(1, 3), PadLo: list(-1, 3), PadHi: list(-1, 3), LHSDilation: list(1, 3), RHSDilation: list(1, 2), FeatureGroups: 1, BatchGroups: 1}
	c.Dims = ConvDims{ints(r.Perm(n + 2)...), ints(r.Perm(n + 2)...), ints(r.Perm(n + 2)...)}
	batch, in, out := between(r, 1, 2), between(r, 1, 2), between(r, 1, 2)
	kernelIn := in
	switch between(r, 0, 2) {
	case 0:
		c.FeatureGroups = 2
		in, out = 2*in, 2*out
	case 1:
		c.BatchGroups = 2
		batch, out = 2*batch, 2*out
	}
	x, w := make([]int, n+2), make([]int, n+2)
	for i := range n {
		x[c.Dims.LHS.At(i+2)], w[c.Dims.RHS.At(i+2)] = between(r, 2, 5), between(r, 1, 3)
	}
	x[c.Dims.LHS.At(0)], x[c.Dims.LHS.At(1)] = batch, in
	w[c.Dims.RHS.At(0)], w[c.Dims.RHS.At(1)] = out, kernelIn
	return of(ConvGeneralDilatedP{c}, f64(x...), f64(w...)).linearIn(0).linearIn(1)
}

func randomDot(r *rand.Rand) row {
	batch, contract := drawn(r, between(r, 0, 2), 1, 3), drawn(r, between(r, 0, 2), 0, 3)
	side := func() (shape []int, c, b []int) {
		sizes := slices.Concat(batch, contract, drawn(r, between(r, 0, 2), 1, 3))
		place := r.Perm(len(sizes))
		shape = make([]int, len(sizes))
		for i, p := range place {
			shape[p] = sizes[i]
		}
		return shape, place[len(batch) : len(batch)+len(contract)], place[:len(batch)]
	}
	x, xc, xb := side()
	y, yc, yb := side()
	return of(DotGeneralP{Dims: Contract(xc, yc).WithBatch(xb, yb)}, f64(x...), f64(y...)).linearIn(0).linearIn(1)
}

func randomWindow(r *rand.Rand) row {
	n := between(r, 1, 2)
	list := func(lo, hi int) array.Ints { return ints(drawn(r, n, lo, hi)...) }
	w := Window{Size: list(1, 3), Strides: list(1, 3), PadLo: list(-1, 2), PadHi: list(-1, 2), BaseDilation: list(1, 2), Dilation: list(1, 2)}
	x := drawn(r, n, 2, 5)
	switch between(r, 0, 3) {
	case 0:
		return of(ReduceWindowP{CombineAdd, w}, f64(x...)).linearIn(0)
	case 1:
		return of(ReduceWindowP{CombineMul, w}, f64(x...)).nonlinear()
	case 2:
		w.BaseDilation, w.Dilation = ints(slices.Repeat([]int{1}, n)...), ints(slices.Repeat([]int{1}, n)...)
		out, err := ReduceWindowP{CombineMax, w}.Shape([]array.Aval{{Shape: x, DType: array.Float64}})
		if err != nil {
			return of(ReduceWindowP{CombineMax, w}, f64(x...))
		}
		return of(SelectAndScatterAddP{CombineMax, w}, f64(out[0].Shape...), f64(x...)).linearIn(0)
	}
	return of(SelectAndGatherAddP{CombineMin, w}, f64(x...), f64(x...)).linearIn(0)
}

// randomDims gives dimension numbers for an operand of some shape, slice sizes, and indices of some of which are out
// of bounds.
func randomDims(r *rand.Rand) (x []int, d GatherDims, sizes []int, idx operand) {
	rank := between(r, 1, 3)
	x = drawn(r, rank, 2, 4)
	batch := drawn(r, between(r, 0, 2), 1, 3)
	var collapsed, operandBatch, indicesBatch, start []int
	sizes = make([]int, rank)
	perm := r.Perm(len(batch))
	for a := range rank {
		sizes[a] = between(r, 1, x[a])
		switch between(r, 0, 3) {
		case 0:
			collapsed, sizes[a] = append(collapsed, a), 1
		case 1:
			if len(perm) > 0 {
				operandBatch, indicesBatch, sizes[a] = append(operandBatch, a), append(indicesBatch, perm[0]), 1
				x[a], perm = batch[perm[0]], perm[1:]
				continue
			}
		}
		if between(r, 0, 3) > 0 {
			start = append(start, a)
		}
	}
	r.Shuffle(len(start), func(i, k int) { start[i], start[k] = start[k], start[i] })
	window := rank - len(collapsed) - len(operandBatch)
	offset := r.Perm(window + len(batch))[:window]
	slices.Sort(offset)
	d = GatherDims{Offset: ints(offset...), CollapsedSlice: ints(collapsed...), StartIndexMap: ints(start...), OperandBatching: ints(operandBatch...), StartIndicesBatching: ints(indicesBatch...)}
	idx = typed(array.Int32, func(r *rand.Rand) float64 { return float64(between(r, -1, 4)) }, append(batch, len(start)))
	return x, d, sizes, idx
}

func randomGather(r *rand.Rand) row {
	x, d, sizes, idx := randomDims(r)
	return of(GatherP{Dims: d, SliceSizes: ints(sizes...), Mode: IndexMode(between(r, 0, 1))}, f64(x...), idx).linearIn(0)
}

func randomScatter(r *rand.Rand) row {
	x, d, sizes, idx := randomDims(r)
	u, _ := GatherP{Dims: d, SliceSizes: ints(sizes...), Mode: Clip}.Shape([]array.Aval{{Shape: x, DType: array.Float64}, idx.aval})
	if u == nil {
		u = []array.Aval{{}}
	}
	op := []Combine{CombineAdd, CombineReplace, CombineMax, CombineMin, CombineMul}[between(r, 0, 4)]
	p := ScatterP{Op: op, Dims: ScatterDims{d.Offset, d.CollapsedSlice, d.StartIndexMap, d.OperandBatching, d.StartIndicesBatching}, Mode: IndexMode(between(r, 0, 1))}
	row := of(p, f64(x...), idx, f64(u[0].Shape...))
	switch op {
	case CombineAdd:
		return row.linearIn(0, 2)
	case CombineMul:
		return row.without(2).linearIn(0)
	}
	return row.nonlinear()
}
