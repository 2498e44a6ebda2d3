package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// RngAlgorithm names a generator of rng_bit_generator.
type RngAlgorithm uint8

// The generators, as XLA names them. RngDefault is the backend's choice.
const (
	RngDefault RngAlgorithm = iota
	RngThreeFry
	RngPhilox
)

// String is JAX's name.
func (a RngAlgorithm) String() string { return "RNG_" + choice(rngAlgorithms[:], a) }

var rngAlgorithms = [...]string{"DEFAULT", "THREE_FRY", "PHILOX"}

// RngBitGeneratorP draws random bits with one of XLA's generators and returns the state to draw on with.
//
//	state uint32 [4] or [6], uint64 [2] or [3]   →   state of the same type, bits [OutShape] of DType, an unsigned integer
//
// Three words of 64 bits belong to Philox only. No derivative.
type RngBitGeneratorP struct {
	OutShape  array.Ints
	DType     array.DType
	Algorithm RngAlgorithm
}

// Name implements Primitive.
func (RngBitGeneratorP) Name() string { return "rng_bit_generator" }

// Params implements Parametric.
func (p RngBitGeneratorP) Params() []Param {
	return []Param{{"algorithm", p.Algorithm}, {"dtype", p.DType}, {"shape", p.OutShape}}
}

// Shape implements Primitive.
func (p RngBitGeneratorP) Shape(in []array.Aval) ([]array.Aval, error) {
	state, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if state.DType != array.Uint32 && state.DType != array.Uint64 {
		return nil, array.DTypeErrorf("state is %s; it must be uint32 or uint64", state.DType)
	}
	if err := known("generator", p.Algorithm, len(rngAlgorithms)); err != nil {
		return nil, err
	}
	if slices.Min(append(p.OutShape.Slice(), 0)) < 0 {
		return nil, array.ShapeErrorf("shape %s has a negative size", p.OutShape)
	}
	words := state.Shape.Size() * state.DType.Size() / 8
	if state.Shape.Rank() != 1 || words != 2 && !(words == 3 && p.Algorithm == RngPhilox) || state.Shape.Size()*state.DType.Size()%8 != 0 {
		return nil, array.ShapeErrorf("state is %s; it must hold 128 bits, u32[4] or u64[2], for Philox also 192 bits", state)
	}
	if p.DType.Kind() != array.KindUint || p.DType.Bits() < 8 {
		return nil, array.DTypeErrorf("dtype is %s; bits are drawn as uint8, uint16, uint32 or uint64: convert or bitcast the result", p.DType)
	}
	return []array.Aval{state.Strong(), {Shape: p.OutShape.Shape(), DType: p.DType}}, nil
}

// Batch implements vmap.Batcher: one draw after the other, for a generator has one state.
func (p RngBitGeneratorP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if size == 0 {
		return emptyBatch(p, in, dims)
	}
	states := moveAxis(in[0], dims[0], 0)
	next, bits := make([]*array.Array, size), make([]*array.Array, size)
	for i := range size {
		out := BindAll(p, Reshape(sliceAlong(states, 0, i, i+1, 1), states.Shape()[1:]))
		next[i], bits[i] = ExpandDims(out[0], 0), ExpandDims(out[1], 0)
	}
	return []*array.Array{Concatenate(0, next...), Concatenate(0, bits...)}, []int{0, 0}, nil
}

// Lower implements Lowerable: StableHLO's state has 64-bit words.
func (p RngBitGeneratorP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	state, given := in[0], out[0]
	wide := given
	if given.DType == array.Uint32 {
		wide = array.Aval{Shape: array.Shape{given.Shape[0] / 2}, DType: array.Uint64}
		split := array.Aval{Shape: array.Shape{given.Shape[0] / 2, 2}, DType: array.Uint32}
		state = b.Op1("stablehlo.bitcast_convert", wide, nil, b.Op1("stablehlo.reshape", split, nil, state))
	}
	r := b.Append(&hlo.Op{
		Name:     "stablehlo.rng_bit_generator",
		Operands: []*hlo.Value{state},
		Attrs:    hlo.Attrs{{Name: "rng_algorithm", Value: hlo.SHLO("rng_algorithm", rngAlgorithms[p.Algorithm])}},
	}, hlo.TensorOf(wide), hlo.TensorOf(out[1])).Results
	next := r[0]
	if given.DType == array.Uint32 {
		split := array.Aval{Shape: array.Shape{given.Shape[0] / 2, 2}, DType: array.Uint32}
		next = b.Op1("stablehlo.reshape", given, nil, b.Op1("stablehlo.bitcast_convert", split, nil, next))
	}
	return []*hlo.Value{next, r[1]}, nil
}

// RngBitGenerator draws random bits. See RngBitGeneratorP.
func RngBitGenerator(state *array.Array, shape []int, dtype array.DType, algorithm RngAlgorithm) (newState, bits *array.Array) {
	out := BindAll(RngBitGeneratorP{array.MakeInts(shape...), dtype, algorithm}, state)
	return out[0], out[1]
}
