package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Targets lists the foreign functions that a module calls, in the order of the module, in all of its functions and regions.
func Targets(m *hlo.Module) []string {
	var list []string
	eachCall(m, func(op *hlo.Op, target string) {
		if !slices.Contains(list, target) {
			list = append(list, target)
		}
	})
	return list
}

// DisabledCheck names a check that export is to leave out: DisabledCustomCall of a target, or DisabledPlatform.
type DisabledCheck string

// DisabledPlatform leaves out the check that a module runs on the platform it was lowered for.
const DisabledPlatform DisabledCheck = "platform"

// DisabledCustomCall lets a target through though it is not promised stable; "ALL" lets every target through.
func DisabledCustomCall(target string) DisabledCheck { return DisabledCheck("custom_call:" + target) }

// CheckTargets refuses a module for export where it calls a foreign function that is not promised to be there, and mean
// the same, in later versions: an *array.TargetError that lists the calls, each with its line. A disabled check lets one
// target through, by its whole name.
func CheckTargets(m *hlo.Module, disabled ...DisabledCheck) error {
	if slices.Contains(disabled, DisabledCustomCall("ALL")) {
		return nil
	}
	var bad []string
	var names []string
	eachCall(m, func(op *hlo.Op, target string) {
		if stable[target] || slices.Contains(disabled, DisabledCustomCall(target)) {
			return
		}
		line := fmt.Sprintf("%q", target)
		if op.Loc.File != "" {
			line += fmt.Sprintf(" at %s:%d", op.Loc.File, op.Loc.Line)
		}
		if bad = append(bad, line); !slices.Contains(names, target) {
			names = append(names, target)
		}
	})
	if bad == nil {
		return nil
	}
	return array.TargetErrorf("the module cannot be exported: these foreign functions are not promised to stay as they are: %s. Let one through with DisabledCustomCall(%q)",
		strings.Join(bad, ", "), names[0])
}

// eachCall visits the custom calls of a module.
func eachCall(m *hlo.Module, visit func(op *hlo.Op, target string)) {
	var region func(r *hlo.Region)
	region = func(r *hlo.Region) {
		if r == nil {
			return
		}
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.Name == "stablehlo.custom_call" {
					target, _ := op.Attr("call_target_name").(hlo.String)
					visit(op, target.Value)
				}
				for _, inner := range op.Regions {
					region(inner)
				}
			}
		}
	}
	for _, f := range m.Funcs {
		region(f.Body)
	}
}

// StableTargets lists the targets that are promised stable, in alphabetical order: the reference's list.
func StableTargets() []string { return slices.Sorted(maps.Keys(stable)) }

var stable = stableTargets()

func stableTargets() map[string]bool {
	list := []string{
		"cu_lu_pivots_to_permutation", "hip_lu_pivots_to_permutation", "cusparse_gtsv2_ffi", "hipsolver_gesdd_ffi",
		"cu_threefry2x32_ffi", "hip_threefry2x32_ffi",
		"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement",
		"Eigh", "Qr", "ProductOfElementaryHouseholderReflectors", "LuDecomposition", "ApproxTopK",
		"stablehlo.dynamic_approx_top_k", "stablehlo.dynamic_reduce_window", "stablehlo.dynamic_rng_bit_generator", "stablehlo.dynamic_top_k",
		"tf.call_tf_function", "tpu_custom_call", "AllocateBuffer", "mosaic_gpu_v2", "shape_assertion",
	}
	common := []string{"potrf", "geqrf", "geev", "gesdd", "getrf", "gehrd", "gees", "trsm", "gtsv"}
	for letter, more := range map[string][]string{
		"s": {"orgqr", "syevd", "sytrd"}, "d": {"orgqr", "syevd", "sytrd"},
		"c": {"ungqr", "heevd", "hetrd"}, "z": {"ungqr", "heevd", "hetrd"},
	} {
		for _, routine := range slices.Concat(common, more) {
			list = append(list, "lapack_"+letter+routine+"_ffi")
		}
	}
	for _, library := range []string{"cusolver_", "hipsolver_"} {
		for _, routine := range []string{"getrf", "geqrf", "orgqr", "potrf", "syevd", "gesvd", "gesvdj", "sytrd"} {
			list = append(list, library+routine+"_ffi")
		}
	}
	m := make(map[string]bool, len(list))
	for _, name := range list {
		m[name] = true
	}
	return m
}
