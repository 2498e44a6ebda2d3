package pjrt

import (
	"maps"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pantograph-go/pantograph/array"
)

// exactness are options by which XLA keeps to StableHLO's meaning where its default does not: minimum and maximum of a NaN
// are NaN. All plugins know them.
var exactness = map[string]string{"cpu": "xla_cpu_enable_fast_min_max", "cuda": "xla_gpu_enable_fast_min_max"}

// withExactness adds what the user has not set, neither as an option nor in XLA_FLAGS.
func withExactness(platform, flags string, overrides map[string]any) map[string]any {
	name, ok := exactness[platform]
	if !ok || overrides[name] != nil || strings.Contains(flags, name) {
		return overrides
	}
	c := map[string]any{name: false}
	maps.Copy(c, overrides)
	return c
}

// compileOptions encodes XLA's CompileOptionsProto for a program on one device. It is never empty: a plugin ends the
// process on an empty message.
//
//	CompileOptionsProto: 3 executable_build_options, 4 compile_portable_executable, 7 env_option_overrides (map)
//	ExecutableBuildOptionsProto: 4 num_replicas, 5 num_partitions
//
// A portable executable runs on the device that each execution names.
func compileOptions(overrides map[string]any) ([]byte, error) {
	var build, out []byte
	build = appendInt(build, 4, 1)
	build = appendInt(build, 5, 1)
	out = appendBytes(out, 3, build)
	out = appendInt(out, 4, 1)
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		var value []byte // OptionOverrideProto: 1 string, 2 bool, 3 int64, 4 double
		switch v := overrides[name].(type) {
		case string:
			value = appendBytes(value, 1, []byte(v))
		case bool:
			n := uint64(0)
			if v {
				n = 1
			}
			value = appendInt(value, 2, n)
		case int:
			value = appendInt(value, 3, uint64(v))
		case float64:
			value = protowire.AppendTag(value, 4, protowire.Fixed64Type)
			value = protowire.AppendFixed64(value, math.Float64bits(v))
		default:
			return nil, array.ArgumentErrorf("compile option %s: a %T; want string, bool, int or float64", name, v)
		}
		entry := appendBytes(nil, 1, []byte(name))
		out = appendBytes(out, 7, appendBytes(entry, 2, value))
	}
	return out, nil
}

func appendInt(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
