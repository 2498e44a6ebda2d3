package ffi_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cpu"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/internal/dl"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

// function is a C function of a library for the test to call.
func function(t *testing.T, lib *ffi.Library, name string) func(args ...uintptr) uintptr {
	t.Helper()
	addr, err := lib.Symbol(name).Address()
	if err != nil {
		t.Fatal(err)
	}
	return func(args ...uintptr) uintptr { return dl.CallN(addr, args...) }
}

// program compiles a function for the CPU engine.
func program(t *testing.T, f any, args ...any) backend.Executable {
	t.Helper()
	exe, err := tryProgram(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { exe.Close() })
	return exe
}

func tryProgram(f any, args ...any) (backend.Executable, error) {
	var j *trace.Closed
	if err := trace.Try(func() { j = trace.Of(f, args...) }); err != nil {
		return nil, err
	}
	m, err := lower.Module("program", j, lower.Options{Embed: true})
	if err != nil {
		return nil, err
	}
	return cpu.New().Compile(context.Background(), m, backend.Options{Handlers: ffi.Handlers})
}

func execute(t *testing.T, exe backend.Executable, args ...array.Data) []*array.Buffer {
	t.Helper()
	out, err := exe.Execute(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	hosts := make([]*array.Buffer, len(out))
	for i, b := range out {
		if hosts[i], err = b.Host(); err != nil {
			t.Fatal(err)
		}
	}
	return hosts
}

// The stages are called as recorded; prepare and initialize, which XLA's CPU client never calls, once a run before execute.
func TestStages(t *testing.T) {
	lib := library(t, "stages")
	readLog, clearLog, setVersion := function(t, lib, "StageLog"), function(t, lib, "StageLogClear"), function(t, lib, "StageSetVersion")
	logged := func() []string {
		p := readLog()
		n := 0
		for dl.Bytes(p+uintptr(n), 1)[0] != 0 {
			n++
		}
		s := strings.TrimSuffix(dl.String(p, n), ";")
		clearLog()
		if s == "" {
			return nil
		}
		return strings.Split(s, ";")
	}
	var file struct {
		Cases []struct {
			Program, Outcome string
			Log              []string
			Normative        *bool
		}
	}
	recorded(t, "stages", &file)
	all := ffi.Bundle{Instantiate: lib.Symbol("StageInstantiate"), Prepare: lib.Symbol("StagePrepare"),
		Initialize: lib.Symbol("StageInitialize"), Execute: lib.Symbol("StageExecute")}
	x := array.NewBuffer(array.Float32, array.Shape{4})
	spec := ffi.Spec{Target: "Stages", Attrs: ffi.Attrs{"a": 1, "b": "s"}, HasSideEffect: true, Results: []ffi.Result{{Shape: x.Shape(), DType: array.Float32}}}
	looped := spec
	looped.Attrs = ffi.Attrs{"a": 1}
	var one, loop backend.Executable
	early := func(log []string) (rest []string) { // without the stages that the recorded log lacks
		for _, item := range log {
			if !strings.HasPrefix(item, "prepare:") && !strings.HasPrefix(item, "initialize:") {
				rest = append(rest, item)
			}
		}
		return rest
	}
	clearLog()
	for _, c := range file.Cases {
		var err error
		var major, minor uintptr
		switch {
		case strings.HasPrefix(c.Program, "register the bundle of four stages"):
			register(t, "Stages", all)
		case strings.HasPrefix(c.Program, "compile one call"):
			one = program(t, func(x *array.Array) *array.Array { return ffi.Call(spec, x) }, trace.Spec(array.Float32, 4))
		case c.Program == "first run", c.Program == "second run":
			execute(t, one, x)
			log := logged()
			if want := []string{"prepare:1:1:1:2", "initialize:2:1:1:2", "execute:3:1:1:2"}; !slices.Equal(log, want) || !slices.Equal(early(log), c.Log) {
				t.Errorf("%s: %v, want %v", c.Program, log, want)
			}
			continue
		case strings.HasSuffix(c.Program, "three iterations: compile"):
			loop = program(t, func(x *array.Array) *array.Array {
				return flow.Fori(0, 3, func(_, x *array.Array) *array.Array { return ffi.Call(looped, x) }, x).(*array.Array)
			}, trace.Spec(array.Float32, 4))
		case strings.HasSuffix(c.Program, "three iterations: run"):
			execute(t, loop, x)
			log := logged()
			if len(log) != 5 || log[0] != "prepare:1:1:1:1" || log[1] != "initialize:2:1:1:1" || !slices.Equal(early(log), c.Log) {
				t.Errorf("%s: %v, want prepare and initialize once and then %v", c.Program, log, c.Log)
			}
			continue
		case strings.HasPrefix(c.Program, "register an execute function alone"):
			register(t, "StageAlone", lib.Symbol("StageExecute"))
		case strings.HasPrefix(c.Program, "register a handler whose metadata reports version"):
			fmt.Sscanf(c.Program, "register a handler whose metadata reports version %d.%d", &major, &minor)
			setVersion(major, minor)
			err = ffi.Register("StageVersion", lib.Symbol("StageExecute"))
			ffi.Unregister("StageVersion")
			setVersion(0, 3)
			logged()
			var coded *ffi.Error
			if refused := strings.HasPrefix(c.Outcome, "error"); refused != (err != nil) || refused && (!errors.As(err, &coded) || coded.Code != ffi.InvalidArgument) {
				t.Errorf("%s: %v, want %s", c.Program, err, c.Outcome)
			}
			continue
		case strings.Contains(c.Program, "unknown stage name"):
			continue // not to be copied: Bundle has no other stages
		default:
			t.Errorf("unknown program %q", c.Program)
		}
		if got := logged(); !slices.Equal(got, c.Log) {
			t.Errorf("%s: %v, want %v", c.Program, got, c.Log)
		}
	}
}

// One state for each call of each program, destroyed with the program.
func TestStates(t *testing.T) {
	lib := library(t, "state")
	live := function(t, lib, "CounterLive")
	id := ffi.SymbolAt(function(t, lib, "CounterTypeId")())
	info := ffi.SymbolAt(function(t, lib, "CounterTypeInfo")())
	bundle := ffi.Bundle{Instantiate: lib.Symbol("CounterInstantiate"), Execute: lib.Symbol("CounterExecute")}
	at, err := id.Address()
	if err != nil {
		t.Fatal(err)
	}
	if number := (*int64)(dl.Pointer(at)); *number == 0 {
		var coded *ffi.Error
		if err := ffi.Register("Counter", bundle); !errors.As(err, &coded) || coded.Code != ffi.FailedPrecondition || !strings.Contains(err.Error(), "before the handler registration") {
			t.Errorf("registering before the state's type: %v", err)
		}
	}
	for _, name := range []string{"CounterState", "CounterState", "AnotherName"} {
		if err := ffi.RegisterType(name, id, info); err != nil {
			t.Fatal(err)
		}
	}
	if err := ffi.RegisterType("CounterState", id, ffi.Symbol{}); err != nil {
		t.Errorf("without info: %v", err)
	}
	if err := ffi.RegisterType("Nothing", ffi.Symbol{}, info); err == nil {
		t.Error("a type without an identifier is accepted")
	}
	register(t, "Counter", bundle)
	count := func(start int) *array.Array {
		return ffi.Call(ffi.Spec{Target: "Counter", HasSideEffect: true, Attrs: ffi.Attrs{"start": start}, Results: []ffi.Result{{DType: array.Int32}}})
	}
	values := func(exe backend.Executable) (out []int64) {
		for _, b := range execute(t, exe) {
			for i := range b.Len() {
				out = append(out, b.Int(i))
			}
		}
		return out
	}
	one := func() *array.Array { return count(5) }
	first := program(t, one)
	for want := int64(5); want < 8; want++ {
		if got := values(first)[0]; got != want {
			t.Errorf("the counter is %d, want %d", got, want)
		}
	}
	three := program(t, func() []*array.Array { return []*array.Array{count(0), count(100), count(0)} })
	for _, want := range [][]int64{{0, 100, 0}, {1, 101, 1}} {
		if got := values(three); !slices.Equal(got, want) {
			t.Errorf("three calls: %v, want %v", got, want)
		}
	}
	second := program(t, one)
	if a, b := values(second)[0], values(second)[0]; a != 5 || b != 6 {
		t.Errorf("a second program begins with %d, %d", a, b)
	}
	scan := program(t, func() *array.Array {
		_, ys := flow.Scan(func(c, _ *array.Array) (*array.Array, *array.Array) { return c, count(10) }, np.Asarray(int32(0)), nil, flow.Length(4))
		return ys.(*array.Array)
	})
	for _, want := range [][]int64{{10, 11, 12, 13}, {14, 15, 16, 17}} {
		if got := values(scan); !slices.Equal(got, want) {
			t.Errorf("a scan: %v, want %v", got, want)
		}
	}
	var coded *ffi.Error
	if _, err := tryProgram(func() *array.Array { return count(-1) }); !errors.As(err, &coded) || coded.Code != ffi.InvalidArgument || !strings.Contains(err.Error(), "must not be negative") || !strings.Contains(err.Error(), "stages_test.go:") {
		t.Errorf("start=-1: %v", err)
	}
	before := live()
	for _, exe := range []backend.Executable{first, three, second, scan} {
		exe.Close()
	}
	if n := live(); before != 6 || n != 0 {
		t.Errorf("%d states live, %d after closing", before, n)
	}
	func() { // a program that is dropped takes its states with it
		exe, err := tryProgram(one)
		if err != nil {
			t.Fatal(err)
		}
		values(exe)
	}()
	for range 100 {
		if runtime.GC(); live() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d states live after their program was dropped", live())
}

// A closed program is not executed again.
func TestClosedProgram(t *testing.T) {
	register(t, "FailWithCode", library(t, "errors").Symbol("FailWithCode"))
	exe := program(t, func(x *array.Array) *array.Array {
		return ffi.Call(ffi.Spec{Target: "FailWithCode", Attrs: ffi.Attrs{"code": 0}, Results: []ffi.Result{ffi.ResultOf(x)}}, x)
	}, trace.Spec(array.Float32, 1))
	exe.Close()
	if _, err := exe.Execute(t.Context(), []array.Data{array.NewBuffer(array.Float32, array.Shape{1})}); err == nil {
		t.Error("executed after Close")
	}
}

// Go stages: a state for each call, closed with the program; prepare and initialize once a run.
func TestGoStages(t *testing.T) {
	var log []string
	register(t, "test.stages", ffi.Bundle{
		Instantiate: func(attrs struct {
			Start int `ffi:"start"`
		}) (*counter, error) {
			if attrs.Start < 0 {
				return nil, ffi.Errorf(ffi.InvalidArgument, "start must not be negative")
			}
			return &counter{n: attrs.Start, log: &log}, nil
		},
		Prepare:    func(c *counter) error { log = append(log, "prepare"); return nil },
		Initialize: func(ctx ffi.Context, c *counter) error { log = append(log, "initialize"); return nil },
		Execute: func(ctx ffi.Context, c *counter, out ffi.BufferR0[int32]) error {
			out.Data[0] = int32(c.n)
			c.n++
			if ctx.RunID() <= 0 || ctx.DeviceOrdinal() != 0 {
				return fmt.Errorf("run %d on device %d", ctx.RunID(), ctx.DeviceOrdinal())
			}
			return nil
		},
	})
	count := func(start int) *array.Array {
		return ffi.Call(ffi.Spec{Target: "test.stages", HasSideEffect: true, Attrs: ffi.Attrs{"start": start}, Results: []ffi.Result{{DType: array.Int32}}})
	}
	exe := program(t, func() []*array.Array { return []*array.Array{count(3), count(7)} })
	for k := range int64(2) {
		out := execute(t, exe)
		if a, b := out[0].Int(0), out[1].Int(0); a != 3+k || b != 7+k {
			t.Errorf("run %d: %d, %d", k, a, b)
		}
	}
	exe.Close()
	run := []string{"prepare", "initialize", "prepare", "initialize"}
	if want := slices.Concat(run, run, []string{"close", "close"}); !slices.Equal(log, want) {
		t.Errorf("stages %v, want %v", log, want)
	}
	var coded *ffi.Error
	if _, err := tryProgram(func() *array.Array { return count(-1) }); !errors.As(err, &coded) || coded.Code != ffi.InvalidArgument {
		t.Errorf("start=-1: %v", err)
	}
}

type counter struct {
	n   int
	log *[]string
}

func (c *counter) Close() error {
	*c.log = append(*c.log, "close")
	return nil
}

// A Go handler says what it takes, and a call that does not fit is refused when it is compiled.
func TestGoHandlersCheckCalls(t *testing.T) {
	type attrs struct {
		N int32 `ffi:"n"`
	}
	register(t, "test.strict", func(x, y ffi.BufferR2[float32], a attrs) error {
		for i := range x.Shape[0] {
			for k, v := range x.Row(i) {
				y.Row(i)[k] = v * float32(a.N)
			}
		}
		return nil
	})
	x := np.Arange(6.0).AsType(np.Float32).Reshape(2, 3)
	spec := ffi.Spec{Target: "test.strict", Attrs: ffi.Attrs{"n": int32(3)}, Results: []ffi.Result{ffi.ResultOf(x)}}
	if got := jit.Of(func(x *array.Array) *array.Array { return ffi.Call(spec, x) }).Call(x); !np.ArrayEqual(got, x.Mul(3)).Bool() {
		t.Errorf("%v", got)
	}
	for says, change := range map[string]func(s *ffi.Spec, in []*array.Array) []*array.Array{
		"operand 0 is i32[2,3]": func(s *ffi.Spec, in []*array.Array) []*array.Array { return []*array.Array{x.AsType(np.Int32)} },
		"of rank 1":             func(s *ffi.Spec, in []*array.Array) []*array.Array { return []*array.Array{x.Reshape(6)} },
		"result 0 is f64[2,3]":  func(s *ffi.Spec, in []*array.Array) []*array.Array { s.Results[0].DType = np.Float64; return in },
		"takes 2 buffers":       func(s *ffi.Spec, in []*array.Array) []*array.Array { return append(in, x) },
		"wants a int32":         func(s *ffi.Spec, in []*array.Array) []*array.Array { s.Attrs = ffi.Attrs{"n": 3}; return in },
		"no attribute \"n\"":    func(s *ffi.Spec, in []*array.Array) []*array.Array { s.Attrs = nil; return in },
		"takes 1 attributes": func(s *ffi.Spec, in []*array.Array) []*array.Array {
			s.Attrs = ffi.Attrs{"n": int32(3), "m": 1}
			return in
		},
	} {
		s := spec
		s.Results = slices.Clone(spec.Results)
		in := change(&s, []*array.Array{x})
		if err := trace.Try(func() { ffi.CallAll(s, in...) }); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "stages_test.go:") {
			t.Errorf("want an error with %q, got %v", says, err)
		}
	}
}

// Every kind of attribute reaches a Go handler in a field of its type.
func TestGoHandlersDecodeAttributes(t *testing.T) {
	type window struct {
		Lo   int64   `ffi:"lo"`
		Step float64 `ffi:"step"`
	}
	type mode int32
	type attrs struct {
		B      bool          `ffi:"b"`
		U      uint64        `ffi:"u"`
		F      float32       `ffi:"f"`
		Text   string        `ffi:"text"`
		Bytes  []byte        `ffi:"bytes"`
		List   []int32       `ffi:"list"`
		Flags  []bool        `ffi:"flags"`
		Matrix *array.Buffer `ffi:"matrix"`
		Window window        `ffi:"window"`
		Mode   mode          `ffi:"mode"`
		Type   array.DType   `ffi:"type"`
		Words  []string      `ffi:"words"`
	}
	want := attrs{true, 1 << 63, 0.5, "x", []byte{0, 255}, []int32{1, 2}, []bool{true, false}, nil, window{3, 0.25}, 2, array.BFloat16, []string{"a", "b"}}
	want.Matrix = array.NewBuffer(array.Float64, array.Shape{2, 1})
	want.Matrix.SetFloat(1, 7)
	var got attrs
	register(t, "test.decodes", func(_ ffi.Buffer, a attrs) error { got = a; return nil })
	ffi.Call(ffi.Spec{Target: "test.decodes", Results: []ffi.Result{{DType: array.Float32}}, Attrs: ffi.Attrs{
		"b": want.B, "u": want.U, "f": want.F, "text": want.Text, "bytes": want.Bytes, "list": want.List, "flags": want.Flags, "matrix": want.Matrix,
		"window": want.Window, "mode": want.Mode, "type": want.Type, "words": want.Words}})
	if !slices.Equal(got.Matrix.Bytes(), want.Matrix.Bytes()) || !got.Matrix.Shape().Equal(want.Matrix.Shape()) {
		t.Errorf("the matrix is %v", got.Matrix)
	}
	got.Matrix, want.Matrix = nil, nil
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
