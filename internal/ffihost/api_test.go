package ffihost

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// The table is called through its C function pointers, as a handler calls it.

func table(t *testing.T) *callframe.API {
	t.Helper()
	if !dl.Supported {
		t.Skip("C functions cannot be called on this platform")
	}
	return api()
}

// invoke sets the first word of an argument structure and calls a function with it.
func invoke[T any](t *testing.T, fn uintptr, args *T) error {
	t.Helper()
	p := (*uintptr)(unsafe.Pointer(args))
	if *p == 0 {
		*p = unsafe.Sizeof(*args)
	}
	return takeFailure(dl.Call(fn, unsafe.Pointer(args)))
}

func code(err error) backend.ForeignCode {
	var e *backend.ForeignError
	if errors.As(err, &e) {
		return e.Code
	}
	return backend.OK
}

// onHeap keeps executions where they are: the stack of a goroutine moves, the heap does not.
var onHeap []*execution

func newExecution() *execution {
	e := &execution{ctx: context.Background(), run: &backend.Run{}, minor: 3, kept: &states{}, ofRun: &states{}}
	e.run.Begin(backend.Device{ID: 2})
	onHeap = append(onHeap, e)
	return e
}

func at(e *execution) uintptr { return uintptr(unsafe.Pointer(e)) }

func TestErrorsBelongToTheirHolder(t *testing.T) {
	a := table(t)
	before := failures.count()
	text := []byte("no such thing\x00")
	h := dl.Call(a.CreateError, unsafe.Pointer(&callframe.CreateErrorArgs{StructSize: 28, Message: &text[0], Code: 5}))
	text[0] = 'X' // the message was copied
	m := &callframe.ErrorMessageArgs{Error: h}
	if err := invoke(t, a.ErrorMessage, m); err != nil {
		t.Fatal(err)
	}
	if got := dl.String(m.Message, 13); got != "no such thing" {
		t.Errorf("message %q", got)
	}
	if failures.count() != before+1 {
		t.Error("the error is not kept")
	}
	if err := takeFailure(h); code(err) != backend.NotFound || err.Error() != "NOT_FOUND: no such thing" {
		t.Errorf("%v", err)
	}
	h = dl.Call(a.CreateError, unsafe.Pointer(&callframe.CreateErrorArgs{StructSize: 28, Message: &text[0], Code: 99}))
	if err := invoke(t, a.DestroyError, &callframe.DestroyErrorArgs{Error: h}); err != nil || failures.count() != before {
		t.Errorf("destroying an error: %v, %d left", err, failures.count()-before)
	}
	if err := takeFailure(12345); code(err) != backend.Internal {
		t.Errorf("an error of somebody else: %v", err)
	}
}

// Structures that are too short are refused, longer ones accepted, as for later headers.
func TestSizesAreChecked(t *testing.T) {
	a := table(t)
	e := newExecution()
	if err := invoke(t, a.RunID, &callframe.RunIDArgs{StructSize: 24, Context: at(e)}); code(err) != backend.InvalidArgument || !strings.Contains(err.Error(), "24 bytes") {
		t.Errorf("too short: %v", err)
	}
	args := &callframe.RunIDArgs{StructSize: 40, Context: at(e)} // what the C++ wrapper passes
	if err := invoke(t, a.RunID, args); err != nil || args.RunID != e.run.ID || args.RunID <= 0 {
		t.Errorf("run id %d: %v", args.RunID, err)
	}
	device := &callframe.DeviceOrdinalArgs{StructSize: 28, Context: at(e)}
	if err := invoke(t, a.DeviceOrdinal, device); err != nil || device.DeviceOrdinal != 2 {
		t.Errorf("device %d: %v", device.DeviceOrdinal, err)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	a := table(t)
	e := newExecution()
	for name, err := range map[string]error{
		"stream":   invoke(t, a.Stream, &callframe.StreamArgs{Context: at(e)}),
		"register": invoke(t, a.Register, &callframe.RegisterArgs{}),
	} {
		if code(err) != backend.Unimplemented {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestScratchMemory(t *testing.T) {
	a := table(t)
	e := newExecution()
	for _, alignment := range []uintptr{1, 64, 4096} {
		args := &callframe.AllocateArgs{Context: at(e), Size: 100, Alignment: alignment}
		if err := invoke(t, a.Allocate, args); err != nil || args.Data%alignment != 0 || args.Data == 0 {
			t.Errorf("aligned to %d: %#x, %v", alignment, args.Data, err)
		}
		clear(dl.Bytes(args.Data, 100))
		if err := invoke(t, a.Free, &callframe.FreeArgs{Context: at(e), Size: 100, Data: args.Data}); err != nil {
			t.Error(err)
		}
		if err := invoke(t, a.Free, &callframe.FreeArgs{Context: at(e), Size: 100, Data: args.Data}); code(err) != backend.InvalidArgument {
			t.Errorf("freed twice: %v", err)
		}
	}
	for _, tt := range []struct {
		size, alignment uintptr
		want            backend.ForeignCode
	}{{0, 64, backend.OK}, {1 << 60, 64, backend.ResourceExhausted}, {8, 3, backend.InvalidArgument}} {
		if err := invoke(t, a.Allocate, &callframe.AllocateArgs{Context: at(e), Size: tt.size, Alignment: tt.alignment}); code(err) != tt.want {
			t.Errorf("%d bytes aligned to %d: %v", tt.size, tt.alignment, err)
		}
	}
}

// States by stage and type; handlers from before version 0.3 name no stage.
func TestStates(t *testing.T) {
	a := table(t)
	var destroyed atomic.Int64
	deleter := dl.Callback(func(v uintptr) uintptr { destroyed.Add(int64(v)); return 0 })
	var kind, other int64
	if err := typeRegistered("T", &kind, &callframe.TypeInfo{Deleter: deleter}); err != nil || kind <= 0 {
		t.Fatalf("type %d: %v", kind, err)
	}
	if err := typeRegistered("U", &other, nil); err != nil || other == kind {
		t.Fatalf("type %d: %v", other, err)
	}
	named := []byte("V")
	var third int64
	if err := invoke(t, a.RegisterType, &callframe.RegisterTypeArgs{StructSize: 40, Name: callframe.Span{Data: &named[0], Length: 1}, Type: &third}); err != nil || third <= 0 {
		t.Errorf("a type that a library registers: %d, %v", third, err)
	}
	e := newExecution()
	set := func(stage callframe.Stage, kind *int64, v uintptr) error {
		return invoke(t, a.SetState, &callframe.StateArgs{Context: at(e), Stage: stage, Type: kind, State: v})
	}
	get := func(stage callframe.Stage, kind *int64) (uintptr, error) {
		args := &callframe.StateArgs{Context: at(e), Stage: stage, Type: kind}
		err := invoke(t, a.State, args)
		return args.State, err
	}
	for stage, v := range []uintptr{10, 20, 30} {
		if err := set(callframe.Stage(stage), &kind, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := set(callframe.Execute, &kind, 1); code(err) != backend.InvalidArgument {
		t.Errorf("a state of the last stage: %v", err)
	}
	var none int64
	if err := set(callframe.Instantiate, &none, 1); code(err) != backend.FailedPrecondition {
		t.Errorf("a state without a type: %v", err)
	}
	for stage, want := range []uintptr{10, 20, 30} {
		if got, err := get(callframe.Stage(stage), &kind); err != nil || got != want {
			t.Errorf("stage %d: %d, %v", stage, got, err)
		}
	}
	if _, err := get(callframe.Instantiate, &other); code(err) != backend.NotFound {
		t.Errorf("another type: %v", err)
	}
	old := newExecution()
	old.minor, old.kept = 2, e.kept
	args := &callframe.OldStateArgs{StructSize: 40, Context: at(old), Type: &kind}
	if err := invoke(t, a.State, args); err != nil || args.State != 10 {
		t.Errorf("an older handler's state is %d: %v", args.State, err)
	}
	if err := invoke(t, a.SetState, &callframe.OldStateArgs{Context: at(old), Type: &kind, State: 11}); err != nil || destroyed.Load() != 10 {
		t.Errorf("an older handler sets a state: %v; %d destroyed", err, destroyed.Load())
	}
	e.ofRun.clear()
	e.kept.clear()
	if destroyed.Load() != 10+20+30+11 {
		t.Errorf("destroyed values sum up to %d", destroyed.Load())
	}
}

func TestUserData(t *testing.T) {
	a := table(t)
	kind := new(int64)
	*kind = 4711
	e := newExecution()
	e.ctx = WithUserData(context.Background(), uintptr(unsafe.Pointer(kind)), 99)
	args := &callframe.UserDataArgs{Context: at(e), Type: kind}
	if err := invoke(t, a.UserData, args); err != nil || args.Data != 99 {
		t.Errorf("%d, %v", args.Data, err)
	}
	other := new(int64)
	if err := invoke(t, a.UserData, &callframe.UserDataArgs{Context: at(e), Type: other}); code(err) != backend.NotFound {
		t.Errorf("another type: %v", err)
	}
}

func TestFutures(t *testing.T) {
	a := table(t)
	before := futures.count()
	create := func() uintptr {
		args := &callframe.CreateFutureArgs{StructSize: 16}
		if err := invoke(t, a.CreateFuture, args); err != nil {
			t.Fatal(err)
		}
		return args.Future
	}
	done, failed := create(), create()
	go invoke(t, a.FutureAvailable, &callframe.FutureArgs{Future: done})
	if err := await(done); err != nil {
		t.Error(err)
	}
	if err := invoke(t, a.FutureError, &callframe.FutureErrorArgs{Future: failed, Error: newFailure(backend.Aborted, "stop")}); err != nil {
		t.Error(err)
	}
	if err := await(failed); code(err) != backend.Aborted {
		t.Errorf("%v", err)
	}
	if futures.count() != before {
		t.Errorf("%d futures are left", futures.count()-before)
	}
	if err := invoke(t, a.FutureAvailable, &callframe.FutureArgs{Future: done}); code(err) != backend.InvalidArgument {
		t.Errorf("a future that is over: %v", err)
	}
}

func TestPool(t *testing.T) {
	a := table(t)
	e := newExecution()
	n := new(int64)
	if err := invoke(t, a.Threads, &callframe.ThreadsArgs{Context: at(e), Threads: n}); err != nil || *n < 1 {
		t.Errorf("%d threads, %v", *n, err)
	}
	done := make(chan uintptr, 100)
	task := dl.Callback(func(data uintptr) uintptr { done <- data; return 0 })
	sum := uintptr(0)
	for i := range uintptr(100) {
		if err := invoke(t, a.Schedule, &callframe.ScheduleArgs{Context: at(e), Task: task, Data: i}); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		sum += <-done
	}
	if sum != 4950 {
		t.Errorf("the tasks got %d", sum)
	}
}

// What panics in the table comes back as an error: nothing unwinds through C.
func TestPanicsAreErrors(t *testing.T) {
	table(t)
	fn := dl.Callback(guarded(8, func(unsafe.Pointer) uintptr { panic("ouch") }))
	size := uintptr(8)
	if err := takeFailure(dl.Call(fn, unsafe.Pointer(&size))); code(err) != backend.Internal || !strings.Contains(err.Error(), "ouch") {
		t.Errorf("%v", err)
	}
}

// A handler written in Go against the C structures, called as C would be.
func TestHandlerInstance(t *testing.T) {
	table(t)
	var stages []callframe.Stage
	fn := dl.Callback(func(p unsafe.Pointer) uintptr {
		f := (*callframe.Frame)(p)
		if q := f.Question(); q != nil {
			q.Version.Minor = 3
			return 0
		}
		stages = append(stages, f.Stage)
		if f.Stage != callframe.Execute {
			return 0
		}
		x, err := f.Args.At(0)
		if err != nil {
			return newFailure(backend.Internal, err.Error())
		}
		y, _ := f.Rets.At(0)
		copy(y.Memory(2), x.Memory(2)) // four nibbles
		return 0
	})
	h, err := New(callframe.Bundle{Instantiate: fn, Prepare: fn, Initialize: fn, Execute: fn})
	if err != nil {
		t.Fatal(err)
	}
	nibbles := array.Aval{Shape: array.Shape{4}, DType: array.Int4}
	site := &backend.CallSite{Target: "t", Operands: []array.Aval{nibbles}, Results: []array.Aval{nibbles}}
	i, err := h.Instantiate(context.Background(), site)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	x, y := array.NewBuffer(array.Int4, nibbles.Shape), array.NewBuffer(array.Int4, nibbles.Shape)
	for k, v := range []int64{1, -2, 7, -8} {
		x.SetInt(k, v)
	}
	run := &backend.Run{}
	run.Begin(backend.Device{})
	c := &backend.CallFrame{CallSite: site, Run: run, Operands: []*array.Buffer{x}, Results: []*array.Buffer{y}}
	for range 2 {
		if err := i.Call(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	run.End()
	for k := range 4 {
		if x.Int(k) != y.Int(k) {
			t.Errorf("element %d is %d, want %d", k, y.Int(k), x.Int(k))
		}
	}
	if len(stages) != 5 || stages[0] != callframe.Instantiate || stages[1] != callframe.Prepare || stages[2] != callframe.Initialize || stages[3] != callframe.Execute {
		t.Errorf("stages %v", stages)
	}
	site.Attrs = hlo.Attrs{{Name: "d", Value: hlo.Dict{{Name: "x", Value: hlo.Float{Value: 1, Type: "bf16"}}}}}
	if _, err := h.Instantiate(context.Background(), site); code(err) != backend.InvalidArgument || !strings.Contains(err.Error(), `"d.x"`) {
		t.Errorf("an attribute that frames cannot carry: %v", err)
	}
	site.Attrs, site.Results = nil, []array.Aval{{DType: array.Float6E2M3FN}}
	if _, err := h.Instantiate(context.Background(), site); code(err) != backend.InvalidArgument {
		t.Errorf("a type that frames cannot carry: %v", err)
	}
}
