package callframe

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// The mirrors have the sizes and offsets that were measured from the C headers.
func TestLayout(t *testing.T) {
	text, err := os.ReadFile("../../../shared/spec/ffi_abi.json")
	if err != nil {
		t.Skip("the measured layout ../shared/spec/ffi_abi.json is not here")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		mirror reflect.Type
	}{
		{"CallFrame", reflect.TypeFor[Frame]()}, {"Extension_Base", reflect.TypeFor[Extension]()}, {"Args", reflect.TypeFor[Buffers]()},
		{"Rets", reflect.TypeFor[Buffers]()}, {"Buffer", reflect.TypeFor[Buffer]()}, {"Attrs", reflect.TypeFor[Attrs]()},
		{"ByteSpan", reflect.TypeFor[Span]()}, {"Scalar", reflect.TypeFor[Scalar]()}, {"Array", reflect.TypeFor[Array]()},
		{"Api_Version", reflect.TypeFor[Version]()}, {"Api", reflect.TypeFor[API]()}, {"Metadata", reflect.TypeFor[Metadata]()},
		{"Metadata_Extension", reflect.TypeFor[MetadataExtension]()}, {"Error_Create_Args", reflect.TypeFor[CreateErrorArgs]()},
		{"ExecutionContext_Get_Args", reflect.TypeFor[UserDataArgs]()}, {"Error_GetMessage_Args", reflect.TypeFor[ErrorMessageArgs]()},
		{"Error_Destroy_Args", reflect.TypeFor[DestroyErrorArgs]()}, {"Handler_Bundle", reflect.TypeFor[Bundle]()},
		{"Handler_Register_Args", reflect.TypeFor[RegisterArgs]()}, {"TypeInfo", reflect.TypeFor[TypeInfo]()},
		{"Type_Register_Args", reflect.TypeFor[RegisterTypeArgs]()}, {"State_Set_Args", reflect.TypeFor[StateArgs]()},
		{"State_Get_Args", reflect.TypeFor[StateArgs]()}, {"Stream_Get_Args", reflect.TypeFor[StreamArgs]()},
		{"DeviceMemory_Allocate_Args", reflect.TypeFor[AllocateArgs]()}, {"DeviceMemory_Free_Args", reflect.TypeFor[FreeArgs]()},
		{"ThreadPool_Schedule_Args", reflect.TypeFor[ScheduleArgs]()}, {"ThreadPool_NumThreads_Args", reflect.TypeFor[ThreadsArgs]()},
		{"Future_Create_Args", reflect.TypeFor[CreateFutureArgs]()}, {"Future_SetAvailable_Args", reflect.TypeFor[FutureArgs]()},
		{"Future_SetError_Args", reflect.TypeFor[FutureErrorArgs]()}, {"RunId_Get_Args", reflect.TypeFor[RunIDArgs]()},
		{"DeviceOrdinal_Get_Args", reflect.TypeFor[DeviceOrdinalArgs]()},
	} {
		var want struct {
			Size   uintptr `json:"sizeof"`
			Fields [][]any `json:"fields"`
		}
		if err := json.Unmarshal(raw["XLA_FFI_"+tt.name], &want); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if tt.mirror.Size() != want.Size || tt.mirror.NumField() != len(want.Fields) {
			t.Errorf("%s: %d bytes and %d fields, want %d and %d", tt.name, tt.mirror.Size(), tt.mirror.NumField(), want.Size, len(want.Fields))
			continue
		}
		for i, f := range want.Fields { // [name, type, offset, size]; the type is absent from some
			offset, size := f[len(f)-2].(float64), f[len(f)-1].(float64)
			if g := tt.mirror.Field(i); float64(g.Offset) != offset || float64(g.Type.Size()) != size {
				t.Errorf("%s.%s: offset %d size %d, want %v %v", tt.name, g.Name, g.Offset, g.Type.Size(), offset, size)
			}
		}
	}
	prefix := "XLA_FFI_DataType_"
	for name, v := range raw {
		short, ok := strings.CutPrefix(name, prefix)
		if !ok || slices.Contains([]string{"INVALID", "TOKEN", "S1", "U1"}, short) {
			continue
		}
		var code int32
		if err := json.Unmarshal(v, &code); err != nil {
			t.Fatal(err)
		}
		d := dtypeOf(code)
		got := strings.ToUpper(d.HLO())
		if want := headerNames[short]; d == array.Invalid || (got != short && d.HLO() != want) || codeOf(d) != code {
			t.Errorf("%s = %d is %s here", name, code, d)
		}
	}
}

// headerNames are StableHLO's names of the types that the C header spells differently.
var headerNames = map[string]string{
	"PRED": "i1", "S2": "i2", "S4": "i4", "S8": "i8", "S16": "i16", "S32": "i32", "S64": "i64",
	"U2": "ui2", "U4": "ui4", "U8": "ui8", "U16": "ui16", "U32": "ui32", "U64": "ui64",
	"C64": "complex<f32>", "C128": "complex<f64>",
}

func buffer[T any](d array.DType, shape array.Shape, values ...T) *array.Buffer {
	b := array.NewBuffer(d, shape)
	copy(array.View[T](b), values)
	return b
}

func view(l *Buffers, i int) (*array.Buffer, error) {
	b, err := l.At(i)
	if err != nil {
		return nil, err
	}
	return b.View()
}

func TestRoundTrip(t *testing.T) {
	x := buffer[float32](array.Float32, array.Shape{2, 3}, 0, 1, 2, 3, 4, 5)
	y := array.NewBuffer(array.Complex64, array.Shape{})
	empty := array.NewBuffer(array.Int32, array.Shape{0, 4})
	eps, sizes := buffer[float64](array.Float64, array.Shape{}, 1e-5), buffer[uint8](array.Uint8, array.Shape{3}, 7, 8, 9)
	f, err := New(Call{
		Stage: Execute, Operands: []*array.Buffer{x, empty}, Results: []*array.Buffer{y},
		Attrs: Dict{
			{"sizes", sizes}, {"name", "p\x00q"}, {"eps", eps},
			{"inner", Dict{{"b", buffer[bool](array.Bool, array.Shape{}, true)}, {"a", ""}}},
			{"id", buffer[int64](array.Int64, array.Shape{}, 7)}, {"none", array.NewBuffer(array.Float32, array.Shape{0})},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.Question() != nil || f.Stage != Execute || f.StructSize != 168 || f.Args.Len() != 2 || f.Rets.Len() != 1 {
		t.Errorf("got %+v", f)
	}
	for i, want := range []*array.Buffer{x, empty} {
		got, err := view(&f.Args, i)
		if err != nil || !got.Aval().Equal(want.Aval()) || unsafe.SliceData(got.Bytes()) != unsafe.SliceData(want.Bytes()) && want.Len() > 0 {
			t.Errorf("operand %d: got %v, %v", i, got.Aval(), err)
		}
	}
	r, err := view(&f.Rets, 0)
	if err != nil {
		t.Fatal(err)
	}
	array.View[complex64](r)[0] = 3i
	if array.View[complex64](y)[0] != 3i {
		t.Error("the result's view is a copy")
	}
	attrs, err := f.Attrs.Decode()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range attrs {
		names = append(names, a.Name)
	}
	if want := []string{"eps", "id", "inner", "name", "none", "sizes"}; !slices.Equal(names, want) {
		t.Fatalf("attributes %v, want %v", names, want)
	}
	if got := attrs[0].Value.(*array.Buffer); array.View[float64](got)[0] != 1e-5 || len(got.Shape()) != 0 {
		t.Errorf("eps = %v", got)
	}
	if got := attrs[2].Value.(Dict); got[0].Name != "a" || got[0].Value != "" || array.View[bool](got[1].Value.(*array.Buffer))[0] != true {
		t.Errorf("inner = %v", got)
	}
	if got := attrs[3].Value; got != "p\x00q" {
		t.Errorf("name = %q", got)
	}
	if got := attrs[4].Value.(*array.Buffer); !got.Aval().Shape.Equal(array.Shape{0}) {
		t.Errorf("none = %v", got)
	}
	if got := attrs[5].Value.(*array.Buffer); !slices.Equal(got.Bytes(), []byte{7, 8, 9}) {
		t.Errorf("sizes = %v", got)
	}
	if id, ok := f.Attrs.Int64("id"); !ok || id != 7 {
		t.Errorf("Int64(id) = %d, %v", id, ok)
	}
	if _, ok := f.Attrs.Int64("eps"); ok {
		t.Error("eps passes as an int64")
	}
	if _, ok := f.Attrs.Int64("absent"); ok {
		t.Error("absent is found")
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		call Call
		want string
	}{
		{"operand", Call{Operands: []*array.Buffer{array.NewBuffer(array.Float6E2M3FN, array.Shape{2})}}, "operand 0: a foreign call cannot carry float6_e2m3fn"},
		{"packed", Call{Results: []*array.Buffer{array.NewBuffer(array.Int4, array.Shape{2})}}, "result 0: a foreign call cannot carry int4"},
		{"attribute", Call{Attrs: Dict{{"n", 3}}}, "attribute n: a foreign call cannot carry a Go int"},
		{"nested", Call{Attrs: Dict{{"d", Dict{{"n", nil}}}}}, "attribute d: attribute n: a foreign call cannot carry a Go <nil>"},
	} {
		if _, err := New(tt.call); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	f, _ := New(Call{Operands: []*array.Buffer{array.NewBuffer(array.Float32, array.Shape{2})}})
	(*f.Args.Pointers).DType = 17
	if _, err := view(&f.Args, 0); err == nil || err.Error() != "element type 17 has no counterpart" || !(*f.Args.Pointers).IsToken() {
		t.Errorf("token: got %v", err)
	}
	*f.Args.Types = 9
	if _, err := view(&f.Args, 0); err == nil || err.Error() != "kind 9 where a buffer was expected" {
		t.Errorf("kind: got %v", err)
	}
}

// Elements of two and four bits: first element in the low bits, signed ones extended.
func TestPacked(t *testing.T) {
	for _, tt := range []struct {
		d        array.DType
		packed   []byte
		unpacked []byte
	}{
		{array.Int4, []byte{0x10, 0xf8}, []byte{0, 1, 0xf8, 0xff}},
		{array.Uint4, []byte{0x10, 0x0f}, []byte{0, 1, 15}},
		{array.Int2, []byte{0b11_10_01_00, 1}, []byte{0, 1, 0xfe, 0xff, 1}},
		{array.Uint2, []byte{0b11_10_01_00}, []byte{0, 1, 2, 3}},
		{array.Float4E2M1FN, []byte{0x9f}, []byte{15, 9}},
	} {
		mem := slices.Clone(tt.packed)
		dims := []int64{int64(len(tt.unpacked))}
		b := &Buffer{DType: codeOf(tt.d), Data: unsafe.Pointer(&mem[0]), Rank: 1, Dims: &dims[0]}
		v, err := b.View()
		if err != nil || !slices.Equal(v.Bytes(), tt.unpacked) {
			t.Errorf("%s: unpacked %x, %v; want %x", tt.d, v.Bytes(), err, tt.unpacked)
		}
		clear(mem)
		if b.Pack(v); !slices.Equal(mem, tt.packed) {
			t.Errorf("%s: packed %x, want %x", tt.d, mem, tt.packed)
		}
	}
}

func TestQuestion(t *testing.T) {
	m := &Metadata{}
	q := &MetadataExtension{Extension{StructSize: 32, Type: metadataType}, m}
	f := &Frame{Extensions: &q.Extension, Stage: Execute}
	if f.Question() != m {
		t.Error("the question is not seen")
	}
	q.Type = 9
	if f.Question() != nil {
		t.Error("another extension passes as the question")
	}
}

func TestTable(t *testing.T) {
	tab := Table[int]{Same: func(a, b int) bool { return a == b }}
	if err := tab.Register(Key{"f", "Host", 4}, 1); err != nil {
		t.Fatal(err)
	}
	if h, ok := tab.Lookup(Key{"f", "CPU", 4}); !ok || h != 1 {
		t.Errorf("Lookup = %d, %v", h, ok)
	}
	if _, ok := tab.Lookup(Key{"f", "cpu", 1}); ok {
		t.Error("found under another API version")
	}
	if err := tab.Register(Key{"f", "cpu", 4}, 1); err != nil {
		t.Errorf("the same again: %v", err)
	}
	var e *array.ArgumentError
	if err := tab.Register(Key{"f", "cpu", 4}, 2); !errors.As(err, &e) || !strings.Contains(err.Error(), `"f" is registered already for platform cpu`) {
		t.Errorf("another: %v", err)
	}
	if err := tab.Register(Key{"f", "CUDA", 4}, 2); err != nil {
		t.Error(err)
	}
	if got := tab.Keys(); !slices.Equal(got, []Key{{"f", "cpu", 4}, {"f", "cuda", 4}}) {
		t.Errorf("Keys = %v", got)
	}
	if !tab.Unregister(Key{"f", "host", 4}) || tab.Unregister(Key{"f", "host", 4}) {
		t.Error("Unregister does not say whether there was a handler")
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				tab.Register(Key{"g", "cpu", i}, i)
				tab.Lookup(Key{"g", "cpu", 7 - i})
				tab.Keys()
				tab.Unregister(Key{"g", "cpu", i})
			}
		})
	}
	wg.Wait()
	if len(tab.Keys()) != 1 {
		t.Errorf("left over: %v", tab.Keys())
	}
}
