package hlo

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/pantograph-go/pantograph/array"
)

// The spelling of StableHLO's structured attributes. A field that is empty or zero is left out where the dialect does so.

// littleFloat reads a float32 or float64 by the number of its bytes.
func littleFloat(b []byte) float64 {
	if len(b) == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

func appendStructured(b []byte, a Attr) []byte {
	switch a := a.(type) {
	case DotDims:
		f := fields{b: append(b, "#stablehlo.dot<"...)}
		f.dims("lhs_batching_dimensions", a.LHSBatch)
		f.dims("rhs_batching_dimensions", a.RHSBatch)
		f.dims("lhs_contracting_dimensions", a.LHSContracting)
		f.dims("rhs_contracting_dimensions", a.RHSContracting)
		return append(f.b, '>')
	case RaggedDotDims:
		f := fields{b: append(b, "#chlo.ragged_dot<"...)}
		f.dims("lhs_batching_dimensions", a.LHSBatch)
		f.dims("rhs_batching_dimensions", a.RHSBatch)
		f.dims("lhs_contracting_dimensions", a.LHSContracting)
		f.dims("rhs_contracting_dimensions", a.RHSContracting)
		f.dims("lhs_ragged_dimensions", a.LHSRagged)
		f.dims("rhs_group_dimensions", a.RHSGroup)
		return append(f.b, '>')
	case DotAlgorithm:
		return appendAlgorithm(append(b, "#stablehlo.dot_algorithm"...), a)
	case ConvDims:
		return append(appendConvDims(append(b, "#stablehlo.conv<"...), a), '>')
	case GatherDims:
		f := fields{b: append(b, "#stablehlo.gather<"...)}
		f.dims("offset_dims", a.Offset)
		f.dims("collapsed_slice_dims", a.CollapsedSlice)
		f.dims("operand_batching_dims", a.OperandBatching)
		f.dims("start_indices_batching_dims", a.StartIndicesBatching)
		f.dims("start_index_map", a.StartIndexMap)
		f.dim("index_vector_dim", a.IndexVectorDim)
		return append(f.b, '>')
	case ScatterDims:
		f := fields{b: append(b, "#stablehlo.scatter<"...)}
		f.dims("update_window_dims", a.UpdateWindow)
		f.dims("inserted_window_dims", a.InsertedWindow)
		f.dims("input_batching_dims", a.InputBatching)
		f.dims("scatter_indices_batching_dims", a.ScatterIndicesBatching)
		f.dims("scatter_dims_to_operand_dims", a.ScatterToOperand)
		f.dim("index_vector_dim", a.IndexVectorDim)
		return append(f.b, '>')
	case ChannelHandle:
		b = strconv.AppendInt(append(b, "#stablehlo.channel_handle<handle = "...), a.Handle, 10)
		b = strconv.AppendInt(append(b, ", type = "...), a.Type, 10)
		return append(b, '>')
	case OutputAlias:
		b = appendDims(append(b, "#stablehlo.output_operand_alias<output_tuple_indices = "...), a.OutputTuple)
		b = strconv.AppendInt(append(b, ", operand_index = "...), int64(a.Operand), 10)
		b = appendDims(append(b, ", operand_tuple_indices = "...), a.OperandTuple)
		return append(b, '>')
	case Bounds:
		b = append(b, "#stablehlo.bounds<"...)
		for i, d := range a {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendSize(b, d)
		}
		return append(b, '>')
	case ResultAccuracy:
		return appendAccuracy(b, a)
	}
	return appendMesh(b, a)
}

// fields writes name = value, name = value.
type fields struct {
	b    []byte
	some bool
}

func (f *fields) name(s string) {
	if f.some {
		f.b = append(f.b, ", "...)
	}
	f.some = true
	f.b = append(append(f.b, s...), " = "...)
}

func (f *fields) dims(name string, d []int) {
	if len(d) > 0 {
		f.name(name)
		f.b = appendDims(f.b, d)
	}
}

func (f *fields) dim(name string, d int) {
	if d != 0 {
		f.name(name)
		f.b = strconv.AppendInt(f.b, int64(d), 10)
	}
}

// appendDims writes [0, ?, 2].
func appendDims(b []byte, dims []int) []byte {
	b = append(b, '[')
	for i, d := range dims {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendSize(b, d)
	}
	return append(b, ']')
}

func appendSize(b []byte, d int) []byte {
	if d == Dynamic {
		return append(b, '?')
	}
	return strconv.AppendInt(b, int64(d), 10)
}

func appendAlgorithm(b []byte, a DotAlgorithm) []byte {
	b = append(append(b, "<lhs_precision_type = "...), a.LHSPrecision...)
	b = append(append(b, ", rhs_precision_type = "...), a.RHSPrecision...)
	b = append(append(b, ", accumulation_type = "...), a.Accumulation...)
	b = strconv.AppendInt(append(b, ", lhs_component_count = "...), int64(a.LHSComponents), 10)
	b = strconv.AppendInt(append(b, ", rhs_component_count = "...), int64(a.RHSComponents), 10)
	b = strconv.AppendInt(append(b, ", num_primitive_operations = "...), int64(a.Primitive), 10)
	b = strconv.AppendBool(append(b, ", allow_imprecise_accumulation = "...), a.AllowImprecise)
	return append(b, '>')
}

// appendConvDims writes [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], or the raw form where the numbers are no permutation.
func appendConvDims(b []byte, a ConvDims) []byte {
	in, ok1 := convLayout(a.InputSpatial, a.InputBatch, 'b', a.InputFeature, 'f')
	kernel, ok2 := convLayout(a.KernelSpatial, a.KernelInputFeature, 'i', a.KernelOutputFeature, 'o')
	out, ok3 := convLayout(a.OutputSpatial, a.OutputBatch, 'b', a.OutputFeature, 'f')
	if ok1 && ok2 && ok3 {
		b = append(append(b, in...), 'x')
		b = append(append(b, kernel...), "->"...)
		return append(b, out...)
	}
	f := fields{b: append(b, "raw "...)}
	f.dim("input_batch_dimension", a.InputBatch)
	f.dim("input_feature_dimension", a.InputFeature)
	f.dims("input_spatial_dimensions", a.InputSpatial)
	f.dim("kernel_input_feature_dimension", a.KernelInputFeature)
	f.dim("kernel_output_feature_dimension", a.KernelOutputFeature)
	f.dims("kernel_spatial_dimensions", a.KernelSpatial)
	f.dim("output_batch_dimension", a.OutputBatch)
	f.dim("output_feature_dimension", a.OutputFeature)
	f.dims("output_spatial_dimensions", a.OutputSpatial)
	return f.b
}

// convLayout spells one side; ok is false where two dimensions claim one place or a place is out of range.
func convLayout(spatial []int, first int, c1 byte, second int, c2 byte) (s []byte, ok bool) {
	at := make([]string, len(spatial)+2)
	put := func(place int, what string) bool {
		if place < 0 || place >= len(at) || at[place] != "" {
			return false
		}
		at[place] = what
		return true
	}
	ok = put(first, string(c1)) && put(second, string(c2))
	for i, d := range spatial {
		ok = ok && put(d, strconv.Itoa(i))
	}
	s = append(s, '[')
	for i, x := range at {
		if i > 0 {
			s = append(s, ", "...)
		}
		s = append(s, x...)
	}
	return append(s, ']'), ok
}

func appendAccuracy(b []byte, a ResultAccuracy) []byte {
	b = append(b, "#stablehlo.result_accuracy<"...)
	if a.ATol != 0 {
		b = append(appendFloat(append(b, "atol = "...), a.ATol, array.Float64), ", "...)
	}
	if a.RTol != 0 {
		b = append(appendFloat(append(b, "rtol = "...), a.RTol, array.Float64), ", "...)
	}
	if a.ULPs != 0 {
		b = append(strconv.AppendInt(append(b, "ulps = "...), a.ULPs, 10), ", "...)
	}
	b = append(append(b, "mode = #stablehlo.result_accuracy_mode<"...), a.Mode...)
	return append(b, ">>"...)
}

// appendLoc writes loc("name"("file":1:2)).
func appendLoc(b []byte, l Loc) []byte {
	b = append(b, "loc("...)
	file := func(b []byte) []byte {
		b = append(appendString(b, l.File), ':')
		b = append(strconv.AppendInt(b, int64(l.Line), 10), ':')
		return strconv.AppendInt(b, int64(l.Col), 10)
	}
	switch {
	case l.Name != "" && l.File != "":
		b = append(file(append(appendString(b, l.Name), '(')), ')')
	case l.Name != "":
		b = appendString(b, l.Name)
	case l.File != "":
		b = file(b)
	default:
		b = append(b, "unknown"...)
	}
	return append(b, ')')
}
