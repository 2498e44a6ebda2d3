package hlo

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// VHLO is StableHLO for storage: every operation has its attributes written out, structured ones in parts, under a name
// that ends in a version. What a version has follows from the table of operations and from vhloChanges, which lists all
// that was not there from 0.9 to now in one form.

// Version is a version of StableHLO.
type Version struct{ Major, Minor, Patch int }

// CurrentVersion is the newest version that is read and written; MinimumVersion the oldest that is read.
var (
	CurrentVersion = Version{1, 20, 0}
	MinimumVersion = Version{0, 9, 0}
)

// ParseVersion reads 1.2.3.
func ParseVersion(s string) (Version, error) {
	var v Version
	n, err := fmt.Sscanf(s, "%d.%d.%d", &v.Major, &v.Minor, &v.Patch)
	if err != nil || n != 3 || v.String() != s || v.Major < 0 || v.Minor < 0 || v.Patch < 0 {
		return Version{}, fmt.Errorf("%q is no version of StableHLO, such as %s", s, CurrentVersion)
	}
	return v, nil
}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Less reports an older version.
func (v Version) Less(w Version) bool {
	if v.Major != w.Major {
		return v.Major < w.Major
	}
	if v.Minor != w.Minor {
		return v.Minor < w.Minor
	}
	return v.Patch < w.Patch
}

// vhloChanges has a line for each operation's version that was not there from 0.9 to now: its name, the first and the last
// version of StableHLO that has it, and what it lacks or has beside the attributes of today.
const vhloChanges = `
all_gather_v1 0.9.0 1.4.0
all_gather_v2 1.5.0 now
all_reduce_v1 0.9.0 1.4.0
all_reduce_v2 1.5.0 now
all_to_all_v1 0.9.0 1.4.0
all_to_all_v2 1.5.0 now
async_start_v1 1.15.0 now
async_done_v1 1.15.0 now
cbrt_v1 0.9.0 1.9.0 -result_accuracy
cbrt_v2 1.10.0 now
collective_broadcast_v1 0.16.0 1.19.0 -has_dynamic_root
collective_broadcast_v2 1.20.0 now
collective_reduce_v1 1.19.0 now
composite_v1 0.19.0 1.13.0
composite_v2 1.14.0 now
cosine_v1 0.9.0 1.9.0 -result_accuracy
cosine_v2 1.10.0 now
custom_call_v1 0.9.0 1.17.0 -result_tilings
custom_call_v2 1.18.0 now
dot_general_v1 0.9.0 1.5.0 -algorithm
dot_general_v2 1.6.0 now
dynamic_conv_v1 0.9.0 0.19.0 +padding
dynamic_conv_v2 0.20.0 now
dynamic_gather_v1 0.9.0 1.0.0 -operand_batching_dims -start_indices_batching_dims
dynamic_gather_v2 1.1.0 now
exponential_v1 0.9.0 1.8.0 -result_accuracy
exponential_v2 1.9.0 now
exponential_minus_one_v1 0.9.0 1.9.0 -result_accuracy
exponential_minus_one_v2 1.10.0 now
gather_v1 0.9.0 1.0.0 -operand_batching_dims -start_indices_batching_dims
gather_v2 1.1.0 now
log_v1 0.9.0 1.9.0 -result_accuracy
log_v2 1.10.0 now
log_plus_one_v1 0.9.0 1.9.0 -result_accuracy
log_plus_one_v2 1.10.0 now
logistic_v1 0.9.0 1.9.0 -result_accuracy
logistic_v2 1.10.0 now
recv_v1 0.9.0 1.11.0 -source_target_pairs
recv_v2 1.12.0 now
rsqrt_v1 0.9.0 1.9.0 -result_accuracy
rsqrt_v2 1.10.0 now
scatter_v1 0.9.0 1.0.0 -input_batching_dims -scatter_indices_batching_dims
scatter_v2 1.1.0 now
send_v1 0.9.0 1.11.0 -source_target_pairs
send_v2 1.12.0 now
sine_v1 0.9.0 1.9.0 -result_accuracy
sine_v2 1.10.0 now
sqrt_v1 0.9.0 1.9.0 -result_accuracy
sqrt_v2 1.10.0 now
tan_v1 1.4.0 1.9.0 -result_accuracy
tan_v2 1.10.0 now
tanh_v1 0.9.0 1.9.0 -result_accuracy
tanh_v2 1.10.0 now
`

// vhloOp is one version of one operation.
type vhloOp struct {
	name         string // vhlo.add_v1
	form         *opForm
	since, until Version
	attrs        []string // sorted, as they stand in a file
}

// funcAttrs are the attributes of func.func, which is no operation of the table.
var funcAttrs = []string{"arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"}

// vhloOps indexes the operations by their names in VHLO; vhloVersions by those in StableHLO, oldest first.
var vhloTables = sync.OnceValues(func() (map[string]*vhloOp, map[string][]*vhloOp) {
	byName, byOp := map[string]*vhloOp{}, map[string][]*vhloOp{}
	add := func(op string, v *vhloOp) {
		byName[v.name] = v
		byOp[op] = append(byOp[op], v)
	}
	for _, line := range strings.Split(strings.TrimSpace(vhloChanges), "\n") {
		f := strings.Fields(line)
		op := "stablehlo." + f[0][:strings.LastIndex(f[0], "_v")]
		v := &vhloOp{name: "vhlo." + f[0], form: forms()[op], until: CurrentVersion}
		v.since, _ = ParseVersion(f[1])
		if f[2] != "now" {
			v.until, _ = ParseVersion(f[2])
		}
		v.attrs = v.form.vhloAttrs(f[3:])
		add(op, v)
	}
	for name, form := range forms() {
		short, ok := strings.CutPrefix(name, "stablehlo.")
		switch {
		case name == "func.call":
			short = "call"
		case !ok || byOp[name] != nil:
			continue
		}
		add(name, &vhloOp{"vhlo." + short + "_v1", form, MinimumVersion, CurrentVersion, form.vhloAttrs(nil)})
	}
	add("func.func", &vhloOp{"vhlo.func_v1", nil, MinimumVersion, CurrentVersion, funcAttrs})
	return byName, byOp
})

// vhloAttrs lists the attributes of an operation in VHLO: its own with the structured ones in parts, and the changes.
func (f *opForm) vhloAttrs(changes []string) []string {
	var names []string
	for _, a := range f.attrSpecs {
		switch {
		case f.name == "func.call" && a.name != "callee":
		case slices.Contains(changes, "-"+a.name):
		default:
			names = append(names, partNames(f.name, a)...)
		}
	}
	for _, change := range changes {
		if name, more := strings.CutPrefix(change, "+"); more {
			names = append(names, name)
		} else {
			names = slices.DeleteFunc(names, func(s string) bool { return s == change[1:] })
		}
	}
	slices.Sort(names)
	return names
}

// partNames are the names of an attribute's parts, or its own.
func partNames(op string, a attrSpec) []string {
	switch a.kind {
	case "algorithm":
		return algorithmParts
	case "channel":
		if op == "stablehlo.send" || op == "stablehlo.recv" {
			return []string{"channel_id", "channel_type"}
		}
		return []string{"channel_id"}
	}
	parts, _ := vhloParts(a.kind, nil)
	if parts == nil {
		return []string{a.name}
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name
	}
	return names
}

// vhloPart is a list or a number in a structured attribute.
type vhloPart struct {
	name string
	list *[]int
	one  *int
}

// vhloParts takes a structured attribute of a kind apart: pointers to its parts, and the attribute that they make; nil for
// kinds that are stored whole. Without an attribute the parts are empty.
func vhloParts(kind string, a Attr) ([]vhloPart, func() Attr) {
	switch kind {
	case "dot":
		d, _ := a.(DotDims)
		return []vhloPart{
			{"lhs_batching_dimensions", &d.LHSBatch, nil}, {"rhs_batching_dimensions", &d.RHSBatch, nil},
			{"lhs_contracting_dimensions", &d.LHSContracting, nil}, {"rhs_contracting_dimensions", &d.RHSContracting, nil},
		}, func() Attr { return d }
	case "gather":
		d, _ := a.(GatherDims)
		return []vhloPart{
			{"offset_dims", &d.Offset, nil}, {"collapsed_slice_dims", &d.CollapsedSlice, nil},
			{"operand_batching_dims", &d.OperandBatching, nil},
			{"start_indices_batching_dims", &d.StartIndicesBatching, nil}, {"start_index_map", &d.StartIndexMap, nil},
			{"index_vector_dim", nil, &d.IndexVectorDim},
		}, func() Attr { return d }
	case "scatter":
		d, _ := a.(ScatterDims)
		return []vhloPart{
			{"update_window_dims", &d.UpdateWindow, nil}, {"inserted_window_dims", &d.InsertedWindow, nil},
			{"input_batching_dims", &d.InputBatching, nil},
			{"scatter_indices_batching_dims", &d.ScatterIndicesBatching, nil},
			{"scatter_dims_to_operand_dims", &d.ScatterToOperand, nil}, {"index_vector_dim", nil, &d.IndexVectorDim},
		}, func() Attr { return d }
	case "conv":
		d, _ := a.(ConvDims)
		return []vhloPart{
			{"input_batch_dimension", nil, &d.InputBatch}, {"input_feature_dimension", nil, &d.InputFeature},
			{"input_spatial_dimensions", &d.InputSpatial, nil},
			{"kernel_input_feature_dimension", nil, &d.KernelInputFeature},
			{"kernel_output_feature_dimension", nil, &d.KernelOutputFeature},
			{"kernel_spatial_dimensions", &d.KernelSpatial, nil},
			{"output_batch_dimension", nil, &d.OutputBatch}, {"output_feature_dimension", nil, &d.OutputFeature},
			{"output_spatial_dimensions", &d.OutputSpatial, nil},
		}, func() Attr { return d }
	}
	return nil, nil
}

// algorithmParts are the parts of a DotAlgorithm, each of which has type none where there is no algorithm.
var algorithmParts = []string{"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count",
	"rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"}
