package cpu

import (
	"math"
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// emitReducePrecision emits stablehlo.reduce_precision: round to a format of fewer exponent and mantissa bits and back.
// What is too large becomes infinite, what is below the smallest normal number zero.
func emitReducePrecision(_ *compiler, n *node) (run, error) {
	exp, mant := num(n.op, "exponent_bits", 0), num(n.op, "mantissa_bits", 0)
	if exp < 1 || mant < 0 {
		return nil, array.ArgumentErrorf("%d exponent bits and %d mantissa bits", exp, mant)
	}
	d := n.in[0].dtype
	narrow := func(own int) loop1[float32, float32] { return reducePrecision32(exp, mant, exp >= own) }
	switch d {
	case array.Float16:
		return narrow1(n, float16, narrow(5)), nil
	case array.BFloat16:
		return narrow1(n, bfloat16, narrow(8)), nil
	case array.Float32:
		return emit1(n, narrow(8)), nil
	case array.Float64:
		return emit1(n, unaryOf(func(x float64) float64 {
			return math.Float64frombits(reduceBits(math.Float64bits(x), 52, 11, exp, mant, exp >= 11))
		})), nil
	}
	return nil, unsupported(n)
}

func reducePrecision32(exp, mant int, wholeRange bool) loop1[float32, float32] {
	return unaryOf(func(x float32) float32 {
		return math.Float32frombits(uint32(reduceBits(uint64(math.Float32bits(x)), 23, 8, exp, mant, wholeRange)))
	})
}

// reduceBits does it on the bits of a number with fracBits and expBits of its own.
func reduceBits(b uint64, fracBits, expBits, exp, mant int, wholeRange bool) uint64 {
	sign := b & (1 << (fracBits + expBits))
	b ^= sign
	inf := (uint64(1)<<expBits - 1) << fracBits
	if b > inf { // NaN stays one where there are bits to say so
		if mant == 0 {
			b = inf
		}
		return sign | b
	}
	if drop := fracBits - mant; drop > 0 {
		b += 1<<(drop-1) - 1 + b>>drop&1
		b &^= 1<<drop - 1
	}
	if wholeRange || b == 0 {
		return sign | b
	}
	bias, small := uint64(1)<<(expBits-1)-1, uint64(1)<<(exp-1)-1
	switch e := b >> fracBits; {
	case e > bias+small:
		return sign | inf
	case e <= bias-small:
		return sign
	}
	return sign | b
}

// emitTopK emits chlo.top_k: the k largest elements of the last axis and their places, the first of equal ones first.
func emitTopK(_ *compiler, n *node) (run, error) {
	in, values, places := n.in[0], n.out[0], n.out[1]
	rank, k := len(in.shape), num(n.op, "k", 0)
	if rank < 1 || k < 0 || k > in.shape[rank-1] || places.dtype != array.Int32 {
		return nil, array.ShapeErrorf("the %d largest of an axis of %s", k, in.shape)
	}
	load := rankOf(in.dtype, true)
	if load == nil {
		return nil, unsupported(n)
	}
	count := in.shape[rank-1]
	x, v, p, size := in.ref(), values.ref(), places.ref(), in.dtype.Size()
	return func(f *frame) error {
		if k == 0 {
			return nil
		}
		row := make([]ranked, count)
		for r := range product(in.shape[:rank-1]) {
			src := unsafe.Add(f.mem[x.slot], r*count*size)
			for i := range row {
				row[i] = ranked{^load(src, i), int32(i)}
			}
			slices.SortFunc(row, byRank)
			where := elems[int32](f, p)[r*k : (r+1)*k]
			for i := range where {
				where[i] = row[i].place
				copyMem(unsafe.Add(f.mem[v.slot], (r*k+i)*size), unsafe.Add(src, int(row[i].place)*size), size)
			}
		}
		return nil
	}, nil
}

// emitMap emits a stablehlo.map whose computation is not elementwise: element by element.
func emitMap(_ *compiler, n *node) (run, error) {
	c := computationOf(n, 0)
	if len(c.args) != len(n.in) || len(c.results) != 1 {
		return nil, array.ArgumentErrorf("the computation takes %d values for %d operands", len(c.args), len(n.in))
	}
	out, size := n.out[0].ref(), n.out[0].dtype.Size()
	return func(f *frame) error {
		for e := range out.n {
			for i, v := range n.in {
				copyMem(f.mem[c.args[i].slot], unsafe.Add(f.mem[v.ref().slot], e*c.sizes[i]), c.sizes[i])
			}
			if err := f.run(c.block); err != nil {
				return err
			}
			copyMem(unsafe.Add(f.mem[out.slot], e*size), f.mem[c.results[0].slot], size)
		}
		return nil
	}, nil
}

// emitZero emits the operations that number devices or replicas: there is one, number 0.
func emitZero(_ *compiler, n *node) (run, error) {
	return func(f *frame) error {
		clear(f.bytes(n.out[0].ref(), n.out[0].size()))
		return nil
	}, nil
}
