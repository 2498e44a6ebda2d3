package ffi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// The files beside the handlers of the specification, as far as one reader serves them all.
type (
	recordedFile struct{ Cases []recordedCall }

	recordedCall struct {
		Target     string
		Attributes map[string]json.RawMessage
		Version    *int    `json:"custom_call_api_version"`
		Opaque     *string `json:"legacy_backend_config"`
		Operands   []recordedArray
		Results    []recordedArray
		Tolerance  float64
		Error      *recordedError
		Either     []recordedCall
		Change     string
		Program    string
	}

	recordedArray struct {
		DType string
		Shape []int
		Data  []json.RawMessage
	}

	recordedError struct {
		Code  string
		Says  string `json:"message_contains"`
		Phase string
	}
)

func (a recordedArray) buffer(t testing.TB) *array.Buffer {
	t.Helper()
	d, err := array.ParseDType(a.DType)
	if err != nil {
		t.Fatal(err)
	}
	b := array.NewBuffer(d, a.Shape)
	for i, v := range a.Data {
		b.SetFloat(i, number(t, v))
	}
	return b
}

func number(t testing.TB, v json.RawMessage) float64 {
	t.Helper()
	switch s := string(v); s {
	case "true":
		return 1
	case "false":
		return 0
	default:
		var f float64
		if err := json.Unmarshal(v, &f); err != nil {
			t.Fatal(err)
		}
		return f
	}
}

// attribute reads {"dtype": …, "value": …}, {"string": …}, {"array": …} or {"dict": …}.
func attribute(t testing.TB, text json.RawMessage) any {
	t.Helper()
	var a struct {
		DType  string
		Value  json.RawMessage
		String *string
		Array  *recordedArray
		Dict   map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	switch {
	case a.String != nil:
		return *a.String
	case a.Array != nil:
		return array.Of(a.Array.buffer(t))
	case a.Dict != nil:
		return attributes(t, a.Dict)
	}
	b := recordedArray{a.DType, nil, []json.RawMessage{a.Value}}.buffer(t)
	switch a.DType {
	case "i1":
		return b.Bool(0)
	case "i8":
		return int8(b.Int(0))
	case "i16":
		return int16(b.Int(0))
	case "i32":
		return int32(b.Int(0))
	case "i64":
		return b.Int(0)
	case "ui8":
		return uint8(b.Int(0))
	case "ui16":
		return uint16(b.Int(0))
	case "ui32":
		return uint32(b.Int(0))
	case "ui64":
		return uint64(b.Int(0))
	case "f32":
		return float32(b.Float(0))
	}
	return b.Float(0)
}

func attributes(t testing.TB, m map[string]json.RawMessage) ffi.Attrs {
	t.Helper()
	out := ffi.Attrs{}
	for k, v := range m {
		out[k] = attribute(t, v)
	}
	return out
}

func (c recordedCall) spec(t testing.TB) ffi.Spec {
	t.Helper()
	s := ffi.Spec{Target: c.Target, Attrs: attributes(t, c.Attributes)}
	if c.Version != nil {
		s.APIVersion = *c.Version
		if *c.Version == 0 {
			s.APIVersion = ffi.APIUnspecified
		}
	}
	if c.Opaque != nil {
		s.Opaque = *c.Opaque
	}
	return s
}

// run makes a call and compares it with what is recorded.
func (c recordedCall) run(t testing.TB) { t.Helper(); c.runOn(t, nil) }

// runOn is run on a backend other than the default one.
func (c recordedCall) runOn(t testing.TB, b backend.Backend) {
	t.Helper()
	s := c.spec(t)
	in := make([]*array.Array, len(c.Operands))
	for i, o := range c.Operands {
		in[i] = array.Of(o.buffer(t))
	}
	want := c.outcome()
	for _, w := range want {
		if w.Results != nil {
			for _, r := range w.Results {
				d, _ := array.ParseDType(r.DType)
				s.Results = append(s.Results, ffi.Result{Shape: r.Shape, DType: d})
			}
			break
		}
	}
	if s.Results == nil { // errors.json and others do not say: as the first operand, or what the handler wants
		s.Results = []ffi.Result{{DType: array.Int32, Shape: array.Shape{2}}}
		if len(in) > 0 {
			s.Results = []ffi.Result{ffi.ResultOf(in[0])}
		}
	}
	var out []*array.Array
	err := trace.Try(func() {
		if b == nil {
			out = ffi.CallAll(s, in...)
			return
		}
		args := make([]any, len(in))
		for i, x := range in {
			args[i] = x
		}
		out = jit.Of(func(x ...*array.Array) []*array.Array { return ffi.CallAll(s, x...) }, jit.On(b)).CallAll(args...)
	})
	var problems []string
	for _, w := range want {
		p := w.compare(t, out, err)
		if p == "" {
			return
		}
		problems = append(problems, p)
	}
	t.Errorf("%s %v: %s", c.Target, s.Attrs, strings.Join(problems, "; or "))
}

func (c recordedCall) outcome() []recordedCall {
	if c.Either != nil {
		return c.Either
	}
	return []recordedCall{c}
}

func (c recordedCall) compare(t testing.TB, out []*array.Array, err error) string {
	t.Helper()
	if c.Error != nil {
		return c.Error.compare(err)
	}
	if err != nil {
		return err.Error()
	}
	for i, r := range c.Results {
		want := r.buffer(t)
		got, err := out[i].Host()
		if err != nil {
			return err.Error()
		}
		for k := range want.Len() {
			if g, w := got.Float(k), want.Float(k); math.Abs(g-w) > c.Tolerance && !(math.IsNaN(g) && math.IsNaN(w)) {
				return fmt.Sprintf("result %d, element %d: got %v, want %v", i, k, g, w)
			}
		}
	}
	return ""
}

func (e *recordedError) compare(err error) string {
	var coded *ffi.Error
	var missing *array.TargetError
	switch {
	case err == nil:
		return "no error, want " + e.Code + " " + e.Says
	case e.Code == "NOT_FOUND" && e.Phase == "compile" && errors.As(err, &missing) && strings.Contains(err.Error(), e.Says):
		return ""
	case !errors.As(err, &coded):
		return fmt.Sprintf("%v (a %T), want %s", err, err, e.Code)
	case coded.Code.String() != e.Code || !strings.Contains(err.Error(), e.Says):
		return fmt.Sprintf("%v, want %s …%s…", err, e.Code, e.Says)
	}
	return ""
}

func TestRmsNormHandler(t *testing.T) {
	lib := library(t, "rms_norm")
	register(t, "RmsNormForward", lib.Symbol("RmsNormForward"))
	register(t, "RmsNormBackward", lib.Symbol("RmsNormBackward"))
	var file recordedFile
	recorded(t, "rms_norm", &file)
	for _, c := range file.Cases {
		switch {
		case c.Error != nil: // a scalar operand; the results are those that a row would have
			x := array.Of(c.Operands[0].buffer(t))
			err := trace.Try(func() { rmsForward(x) })
			if p := c.Error.compare(err); p != "" {
				t.Error(p)
			}
		case c.Program != "":
			x := array.Of(c.Operands[0].buffer(t))
			cubed := func(x *array.Array) *array.Array { return rmsNorm.Call(x).Pow(3).Sum() }
			for name, f := range map[string]any{"grad": vjp.Grad(cubed), "vmap of grad": vmap.Of(vjp.Grad(cubed))} {
				if p := c.compare(t, []*array.Array{jit.Of(f).Call(x)}, nil); p != "" {
					t.Errorf("%s: %s", name, p)
				}
			}
		default:
			c.run(t)
		}
	}
}

func rmsForward(x *array.Array) []*array.Array {
	rows := x.Shape()
	if len(rows) > 0 {
		rows = rows[:len(rows)-1]
	}
	return ffi.CallAll(ffi.Spec{Target: "RmsNormForward", Attrs: ffi.Attrs{"eps": float32(1e-5)}, Vmap: ffi.BroadcastAll,
		Results: []ffi.Result{ffi.ResultOf(x), {Shape: rows, DType: array.Float32}}}, x)
}

// rmsNorm is the normalisation with the handler's own derivative.
var rmsNorm = vjp.Custom(func(x *array.Array) *array.Array { return rmsForward(x)[0] }, vjp.Rule{
	Fwd: func(x *array.Array) (y *array.Array, residuals []*array.Array) {
		out := rmsForward(x)
		return out[0], []*array.Array{out[1], x}
	},
	Bwd: func(res []*array.Array, ct *array.Array) *array.Array {
		return ffi.Call(ffi.Spec{Target: "RmsNormBackward", Vmap: ffi.BroadcastAll, Results: []ffi.Result{ffi.ResultOf(ct)}}, res[0], res[1], ct)
	},
})

// From eight goroutines at once, while others compile the same program.
func TestHandlersConcurrently(t *testing.T) {
	lib := library(t, "rms_norm")
	register(t, "RmsNormForward", lib.Symbol("RmsNormForward"))
	register(t, "RmsNormBackward", lib.Symbol("RmsNormBackward"))
	pool := library(t, "scratch_pool")
	for _, name := range []string{"PoolSum", "ScratchPoolSum", "PoolNegateAsync", "ContextRead", "StreamRead"} {
		register(t, name, pool.Symbol(name))
	}
	var file, second recordedFile
	recorded(t, "rms_norm", &file)
	recorded(t, "scratch_pool", &second)
	var wg sync.WaitGroup
	cases := slices.DeleteFunc(append(file.Cases, second.Cases...), func(c recordedCall) bool { return c.Program != "" || c.Target == "RmsNormForward" && c.Error != nil })
	for range 8 {
		wg.Go(func() {
			for range 5 {
				for _, c := range cases {
					c.run(t)
				}
			}
		})
	}
	wg.Wait()
}

func TestErrorsHandler(t *testing.T) {
	lib := library(t, "errors")
	register(t, "FailWithCode", lib.Symbol("FailWithCode"))
	register(t, "StrictScale", lib.Symbol("StrictScale"))
	var file recordedFile
	recorded(t, "errors", &file)
	strict := recordedCall{}
	for _, c := range file.Cases {
		switch {
		case c.Program != "": // registration: see TestRegistrationOutcomes
		case c.Target == "StrictScale" && c.Change == "":
			strict = c
			c.run(t)
		case c.Target == "StrictScale":
			if p := c.Error.compare(changedStrict(t, strict, c.Change)); p != "" {
				t.Errorf("%s: %s", c.Change, p)
			}
		default:
			c.run(t)
		}
	}
}

// changedStrict makes the call of StrictScale with one thing changed.
func changedStrict(t *testing.T, c recordedCall, change string) error {
	s := c.spec(t)
	x := array.Of(c.Operands[0].buffer(t))
	s.Results = []ffi.Result{ffi.ResultOf(x)}
	in := []*array.Array{x}
	switch {
	case strings.Contains(change, "operand of the wrong dtype"):
		in = []*array.Array{array.Of(array.NewBuffer(array.Int32, x.Shape()))}
	case strings.Contains(change, "wrong rank"):
		in = []*array.Array{array.Of(array.NewBuffer(array.Float32, array.Shape{6}))}
	case strings.Contains(change, "result of the wrong dtype"):
		s.Results[0].DType = array.Float64
	case change == "two operands":
		in = append(in, x)
	case change == "no operand":
		in = nil
	case change == "two results":
		s.Results = append(s.Results, s.Results[0])
	case strings.Contains(change, "64-bit integer"):
		s.Attrs = ffi.Attrs{"n": 3}
	case change == "no attributes":
		s.Attrs = nil
	default:
		t.Fatalf("unknown change %q", change)
	}
	return trace.Try(func() { ffi.CallAll(s, in...) })
}

func TestAttributesHandler(t *testing.T) {
	lib := library(t, "attributes")
	register(t, "AttributesAllKinds", lib.Symbol("AttributesAllKinds"))
	register(t, "AttributesCount", lib.Symbol("AttributesCount"))
	var file recordedFile
	recorded(t, "attributes", &file)
	all := file.Cases[0]
	for _, c := range file.Cases {
		if c.Change == "" {
			c.run(t)
			continue
		}
		s := all.spec(t)
		s.Results = []ffi.Result{{Shape: array.Shape{24}, DType: array.Float64}}
		switch c.Change {
		case "i32 given as a 64-bit integer":
			s.Attrs["i32"] = -70000
		case "f32 given as f64":
			s.Attrs["f32"] = 0.5
		case "text given as an integer":
			s.Attrs["text"] = 1
		case "attribute text missing":
			delete(s.Attrs, "text")
		case "one attribute too many (zzz = 1)":
			s.Attrs["zzz"] = 1
		case "attribute text renamed to texx":
			s.Attrs["texx"] = s.Attrs["text"]
			delete(s.Attrs, "text")
		case "ai64 given as an i32 array":
			s.Attrs["ai64"] = []int32{1, 2, 3}
		case "window without step":
			s.Attrs["window"] = ffi.Attrs{"lo": 2, "hi": 10}
		default:
			t.Fatalf("unknown change %q", c.Change)
		}
		if p := c.Error.compare(trace.Try(func() { ffi.CallAll(s) })); p != "" {
			t.Errorf("%s: %s", c.Change, p)
		}
	}
}

func TestScratchPoolHandler(t *testing.T) {
	lib := library(t, "scratch_pool")
	var file recordedFile
	recorded(t, "scratch_pool", &file)
	for _, c := range file.Cases {
		if !registeredTarget(c.Target) {
			register(t, c.Target, lib.Symbol(c.Target))
		}
		c.run(t)
	}
}

func registeredTarget(name string) bool {
	for _, k := range ffi.Targets() {
		if k.Name == name {
			return true
		}
	}
	return false
}

func TestLegacyHandler(t *testing.T) {
	lib := library(t, "legacy")
	var file recordedFile
	recorded(t, "legacy", &file)
	for _, c := range file.Cases {
		if !registeredTarget(c.Target) {
			register(t, c.Target, lib.Symbol(c.Target), ffi.InterfaceVersion(0))
		}
		c.run(t)
	}
}

// The error of a C handler carries its code, its text and the line of the call.
func TestHandlerErrorHasTheUsersLine(t *testing.T) {
	register(t, "FailWithCode", library(t, "errors").Symbol("FailWithCode"))
	f := jit.Of(func(x *array.Array) *array.Array {
		return ffi.Call(ffi.Spec{Target: "FailWithCode", Attrs: ffi.Attrs{"code": 5}, Results: []ffi.Result{ffi.ResultOf(x)}}, x)
	})
	_, err := f.Run(t.Context(), f32(1))
	var coded *ffi.Error
	if !errors.As(err, &coded) || coded.Code != ffi.NotFound || !strings.Contains(err.Error(), "handlers_test.go:") || !strings.Contains(err.Error(), "asked to fail with code 5") {
		t.Errorf("%v", err)
	}
}
