package pjrt

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// createOptions are the client options that are known, with a value of each one's type. Older CPU plugins end the process
// when a value has another type, so it is compared here.
var createOptions = map[string]map[string]any{
	"cpu": {"cpu_device_count": 0, "asynchronous": false, "process_id": 0},
	"cuda": {
		"platform_name": "", "allocator": "", "memory_fraction": float32(0), "preallocate": false, "collective_memory_size": 0,
		"visible_devices": []int64(nil), "node_id": 0, "num_nodes": 0, "should_stage_host_to_device_transfers": false,
		"abort_collectives_on_failure": false, "use_tfrt_gpu_client": false, "enable_mock_nccl": false, "mock_gpu_topology": "",
		"partition_index": 0,
	},
}

// namedValues encodes client options, sorted by name. keep holds what they point to.
func namedValues(platform string, options map[string]any) (list []namedValue, keep []unsafe.Pointer, err error) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		v := namedValue{name: unsafe.Pointer(unsafe.StringData(name)), nameSize: uintptr(len(name)), size: 1}
		v.header.size = unsafe.Sizeof(v)
		if known, ok := createOptions[platform][name]; ok && reflect.TypeOf(known) != reflect.TypeOf(options[name]) {
			return nil, nil, array.ArgumentErrorf("client option %s takes a %T, got a %T", name, known, options[name])
		}
		switch o := options[name].(type) {
		case string:
			p := unsafe.Pointer(unsafe.StringData(o))
			keep = append(keep, p)
			v.kind, v.value, v.size = valueString, uint64(uintptr(p)), uintptr(len(o))
		case int:
			v.kind, v.value = valueInt, uint64(o)
		case []int64:
			p := unsafe.Pointer(unsafe.SliceData(o))
			keep = append(keep, p)
			v.kind, v.value, v.size = valueInts, uint64(uintptr(p)), uintptr(len(o))
		case float32:
			v.kind, v.value = valueFloat, uint64(math.Float32bits(o))
		case bool:
			v.kind = valueBool
			if o {
				v.value = 1
			}
		default:
			return nil, nil, array.ArgumentErrorf("client option %s is a %T; want string, int, []int64, float32 or bool", name, o)
		}
		list = append(list, v)
	}
	return list, keep, nil
}
