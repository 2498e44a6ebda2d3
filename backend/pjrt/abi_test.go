package pjrt

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// The mirrors have the sizes and offsets of the C structures on 64-bit machines.
func TestLayout(t *testing.T) {
	type at map[string]uintptr
	for _, tt := range []struct {
		mirror any
		size   uintptr
		fields at
	}{
		{oneHandle{}, 24, at{"handle": 16}},
		{query{}, 40, at{"handle": 16, "value": 24, "count": 32}},
		{attributesArgs{}, 32, at{"list": 16, "count": 24}},
		{namedValue{}, 56, at{"name": 16, "nameSize": 24, "kind": 32, "value": 40, "size": 48}},
		{clientCreateArgs{}, 88, at{"options": 16, "numOptions": 24, "keyValue": 32, "client": 64, "tryGet": 72}},
		{program{}, 48, at{"code": 16, "codeSize": 24, "format": 32, "formatSize": 40}},
		{compileArgs{}, 56, at{"client": 16, "program": 24, "options": 32, "optionsSize": 40, "executable": 48}},
		{topologyArgs{}, 56, at{"name": 16, "nameSize": 24, "options": 32, "numOptions": 40, "topology": 48}},
		{compileForArgs{}, 64, at{"topology": 16, "program": 24, "options": 32, "optionsSize": 40, "client": 48, "executable": 56}},
		{serializeArgs{}, 56, at{"executable": 16, "bytes": 24, "size": 32, "holder": 40, "deleter": 48}},
		{deserializeArgs{}, 72, at{"client": 16, "bytes": 24, "size": 32, "loaded": 40, "options": 48, "optionsSize": 56, "loadOptions": 64}},
		{costArgs{}, 40, at{"executable": 16, "count": 24, "list": 32}},
		{putArgs{}, 120, at{"client": 16, "data": 24, "kind": 32, "dims": 40, "rank": 48, "strides": 56, "numStrides": 64,
			"semantics": 72, "device": 80, "memory": 88, "layout": 96, "done": 104, "buffer": 112}},
		{toHostArgs{}, 56, at{"buffer": 16, "layout": 24, "to": 32, "size": 40, "event": 48}},
		{executeOptions{}, 144, at{"sendCallbacks": 16, "recvCallbacks": 24, "numSend": 32, "numRecv": 40, "launchID": 48,
			"nonDonatable": 56, "numNonDonatable": 64, "context": 72, "callLocation": 80, "numTasks": 88, "taskIDs": 96,
			"incarnationIDs": 104, "multiSlice": 112, "majorToMinor": 120, "outputCallbacks": 128, "numCallbacks": 136}},
		{executeArgs{}, 80, at{"executable": 16, "options": 24, "arguments": 32, "numDevices": 40, "numArgs": 48, "results": 56,
			"events": 64, "device": 72}},
		{onReadyArgs{}, 40, at{"event": 16, "callback": 24, "argument": 32}},
		{compiledMemory{}, 144, at{"executable": 16, "code": 24, "arguments": 32, "outputs": 40, "alias": 48, "temp": 56,
			"hostCode": 64, "hostTemp": 96, "peak": 104, "total": 112, "allocation": 120, "indef": 128, "peakUnpadded": 136}},
		{deviceMemoryArgs{}, 208, at{"device": 16, "inUse": 24, "peak": 32, "limit": 80, "peakAllocated": 192}},
		{registerHandler{}, 56, at{"target": 8, "targetSize": 16, "handler": 24, "platform": 32, "platformSize": 40, "traits": 48}},
		{registerType{}, 48, at{"name": 16, "nameSize": 24, "id": 32, "info": 40}},
		{addUserData{}, 48, at{"context": 16, "kind": 24, "data": 32, "deleter": 40}},
	} {
		typ := reflect.TypeOf(tt.mirror)
		if typ.Size() != tt.size {
			t.Errorf("%s: %d bytes, want %d", typ.Name(), typ.Size(), tt.size)
		}
		for name, offset := range tt.fields {
			if f, ok := typ.FieldByName(name); !ok || f.Offset != offset {
				t.Errorf("%s.%s: offset %d, want %d", typ.Name(), name, f.Offset, offset)
			}
		}
	}
}

// Each element type has its own number, and all but the six-bit floats, which PJRT lacks, have one.
func TestElementTypes(t *testing.T) {
	seen := map[int32]array.DType{}
	for d := array.Bool; d <= array.Complex128; d++ {
		n := elementType(d)
		if (n == 0) != (d == array.Float6E2M3FN || d == array.Float6E3M2FN) {
			t.Errorf("%s has number %d", d, n)
		}
		if other, ok := seen[n]; ok && n != 0 {
			t.Errorf("%s and %s are both %d", d, other, n)
		}
		seen[n] = d
	}
	key := array.NewKeyType("fry", array.Shape{2})
	if elementType(key) != elementType(array.Uint32) || elementType(array.Float0) != 0 {
		t.Error("keys travel as uint32, float0 not at all")
	}
}

// A function that a plugin's version lacks is an error that names it.
func TestMissingFunction(t *testing.T) {
	p := &plugin{file: "/p/old.so", minor: 81, functions: make([]uintptr, 12)}
	for _, f := range []function{eventIsReady, {2000, "New_Thing"}} {
		err := call(p, f, &query{})
		e, ok := err.(*Error)
		if !ok || e.Code != Unimplemented || e.Message != "/p/old.so has API 0.81, which lacks PJRT_"+f.name {
			t.Errorf("got %v", err)
		}
	}
	if ok, err := callExtension(p, extensionFFI, ffiRegisterHandler, &registerHandler{}); ok || err != nil {
		t.Errorf("an extension that is not there: %v, %v", ok, err)
	}
}

func TestVersionRefused(t *testing.T) {
	table := struct {
		size, extensions uintptr
		version          [2]uintptr
		major, minor     int32
	}{size: 40, minor: 80}
	_, err := readTable("/p/old.so", uintptr(unsafe.Pointer(&table)))
	if e, ok := err.(*VersionError); !ok || e.Error() != "/p/old.so has PJRT API 0.80; 0.81 is the oldest that works" {
		t.Errorf("got %v", err)
	}
}
