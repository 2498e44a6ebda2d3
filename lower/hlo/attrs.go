package hlo

import (
	"sort"

	"github.com/pantograph-go/pantograph/array"
)

// Attr is an attribute value. The concrete types are below; AttrString spells one as MLIR does.
type Attr interface{ isAttr() }

// NamedAttr is one entry of a dictionary.
type NamedAttr struct {
	Name  string
	Value Attr
}

// Attrs is a dictionary, sorted by name.
type Attrs []NamedAttr

// Get finds an entry, nil where absent.
func (a Attrs) Get(name string) Attr {
	for _, n := range a {
		if n.Name == name {
			return n.Value
		}
	}
	return nil
}

// Set returns the dictionary with the entry added or replaced, still sorted. A nil value removes it.
func (a Attrs) Set(name string, v Attr) Attrs {
	out := make(Attrs, 0, len(a)+1)
	for _, n := range a {
		if n.Name != name {
			out = append(out, n)
		}
	}
	if v != nil {
		out = append(out, NamedAttr{name, v})
		sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	}
	return out
}

type (
	// Int is 3 : i64. Type is i1…i64, ui8…, si32 or index; wide unsigned values are kept as their two's complement.
	Int struct {
		Value int64
		Type  string
	}
	// Float is 1.5 : f32. Type is an MLIR float type.
	Float struct {
		Value float64
		Type  string
	}
	// Bool is true or false.
	Bool bool
	// String is a quoted string; it may hold any bytes.
	String struct {
		Value string
	}
	// Unit is an attribute whose presence is its meaning.
	Unit struct{}
	// Array is [a, b].
	Array []Attr
	// Dict is {a = 1, b}.
	Dict Attrs
	// DenseArray is array<i64: 1, 2>. Values of bool are 0 and 1; floats are kept in Floats.
	DenseArray struct {
		Elem   array.DType
		Ints   []int64
		Floats []float64
	}
	// Dense is dense<…> : tensor<…>. A splat holds one element in Data and is printed once.
	Dense struct {
		Type  Tensor
		Data  *array.Buffer // of Type's shape and element type, or of shape [] for a splat
		Splat bool
	}
	// DenseResource is dense_resource<key> : tensor<…>; the blob is in the file's resource section.
	DenseResource struct {
		Key  string
		Type Tensor
	}
	// DenseStrings is dense<["a", "b"]> : tensor<2x!dialect.string>; one value is a splat.
	DenseStrings struct {
		Type   Tensor
		Values []string
	}
	// TypeAttr is a type used as an attribute.
	TypeAttr struct{ Type Type }
	// Symbol is @f or @m::@f.
	Symbol struct{ Path []string }
	// Enum is #stablehlo<comparison_direction LT>; in the pretty form only Value is written where the op knows the kind.
	Enum struct {
		Dialect string // stablehlo, chlo
		Kind    string // comparison_direction, comparison_type, precision, fft_type, transpose, rng_distribution, rng_algorithm, …
		Value   string
	}
	// Raw is any other attribute, kept as its text: #sdy.sharding<…>, affine maps, and so on.
	Raw struct{ Text string }
	// LocAttr is a location used as an attribute.
	LocAttr struct{ Loc Loc }
)

// The structured attributes of StableHLO.
type (
	// DotDims is #stablehlo.dot<…>.
	DotDims struct {
		LHSBatch, RHSBatch, LHSContracting, RHSContracting []int
	}
	// RaggedDotDims is #chlo.ragged_dot<…>.
	RaggedDotDims struct {
		LHSBatch, RHSBatch, LHSContracting, RHSContracting, LHSRagged, RHSGroup []int
	}
	// DotAlgorithm is #stablehlo.dot_algorithm<…>.
	DotAlgorithm struct {
		LHSPrecision, RHSPrecision, Accumulation string // MLIR types
		LHSComponents, RHSComponents, Primitive  int
		AllowImprecise                           bool
	}
	// ConvDims is #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>.
	ConvDims struct {
		InputBatch, InputFeature                int
		InputSpatial                            []int
		KernelInputFeature, KernelOutputFeature int
		KernelSpatial                           []int
		OutputBatch, OutputFeature              int
		OutputSpatial                           []int
	}
	// GatherDims is #stablehlo.gather<…>.
	GatherDims struct {
		Offset, CollapsedSlice, OperandBatching, StartIndicesBatching, StartIndexMap []int
		IndexVectorDim                                                               int
	}
	// ScatterDims is #stablehlo.scatter<…>.
	ScatterDims struct {
		UpdateWindow, InsertedWindow, InputBatching, ScatterIndicesBatching, ScatterToOperand []int
		IndexVectorDim                                                                        int
	}
	// ChannelHandle is #stablehlo.channel_handle<handle = 1, type = 0>.
	ChannelHandle struct{ Handle, Type int64 }
	// OutputAlias is #stablehlo.output_operand_alias<…>.
	OutputAlias struct {
		OutputTuple  []int
		Operand      int
		OperandTuple []int
	}
	// Bounds is #stablehlo.bounds<3, ?>; Dynamic where unbounded.
	Bounds []int
	// ResultAccuracy is #stablehlo.result_accuracy<atol = …, rtol = …, ulps = …, mode = …>.
	ResultAccuracy struct {
		ATol, RTol float64
		ULPs       int64
		Mode       string
	}
)

func (Int) isAttr()            {}
func (Float) isAttr()          {}
func (Bool) isAttr()           {}
func (String) isAttr()         {}
func (Unit) isAttr()           {}
func (Array) isAttr()          {}
func (Dict) isAttr()           {}
func (DenseArray) isAttr()     {}
func (*Dense) isAttr()         {}
func (DenseResource) isAttr()  {}
func (DenseStrings) isAttr()   {}
func (TypeAttr) isAttr()       {}
func (Symbol) isAttr()         {}
func (Enum) isAttr()           {}
func (Raw) isAttr()            {}
func (LocAttr) isAttr()        {}
func (DotDims) isAttr()        {}
func (RaggedDotDims) isAttr()  {}
func (DotAlgorithm) isAttr()   {}
func (ConvDims) isAttr()       {}
func (GatherDims) isAttr()     {}
func (ScatterDims) isAttr()    {}
func (ChannelHandle) isAttr()  {}
func (OutputAlias) isAttr()    {}
func (Bounds) isAttr()         {}
func (ResultAccuracy) isAttr() {}

// I64 is an i64 integer attribute.
func I64(v int) Attr { return Int{int64(v), "i64"} }

// I32 is an i32 integer attribute.
func I32(v int) Attr { return Int{int64(v), "i32"} }

// Str is a string attribute.
func Str(s string) Attr { return String{s} }

// I64s is array<i64: …>, the form of dimension lists.
func I64s(v ...int) Attr {
	a := DenseArray{Elem: array.Int64, Ints: make([]int64, len(v))}
	for i, x := range v {
		a.Ints[i] = int64(x)
	}
	return a
}

// Bools is array<i1: …>.
func Bools(v ...bool) Attr {
	a := DenseArray{Elem: array.Bool, Ints: make([]int64, len(v))}
	for i, x := range v {
		if x {
			a.Ints[i] = 1
		}
	}
	return a
}

// Ref is a symbol reference to a function.
func Ref(name string) Attr { return Symbol{[]string{name}} }

// SHLO is an enum attribute of StableHLO.
func SHLO(kind, value string) Attr { return Enum{"stablehlo", kind, value} }

// i32s is array<i32: …>, the form of segment sizes.
func i32s(v ...int) Attr {
	a := I64s(v...).(DenseArray)
	a.Elem = array.Int32
	return a
}
