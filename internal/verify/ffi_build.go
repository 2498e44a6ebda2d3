package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// arrays is a function on any number of arrays, as the programs of a case are.
type arrays func(x []*array.Array) []*array.Array

// Name implements trace.Callable.
func (f arrays) Name() string { return "f" }

// Apply implements trace.Callable. One result is an array, several are a list.
func (f arrays) Apply(args []any) (any, error) {
	x := make([]*array.Array, len(args))
	for i, a := range args {
		x[i] = a.(*array.Array)
	}
	out := f(x)
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

// ofFunc is a transformed function as one on arrays.
func ofFunc(f interface {
	CallAll(args ...any) []*array.Array
}) arrays {
	return func(x []*array.Array) []*array.Array { return f.CallAll(anys(x)...) }
}

func anys(x []*array.Array) []any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = v
	}
	return out
}

// program is the case's program and the types of its arguments.
func (c *ffiCase) program() (trace.Callable, []any, error) {
	var args []any
	for _, a := range c.Call.Arguments {
		aval, err := a.aval()
		if err != nil {
			return nil, nil, err
		}
		if a.Python != nil {
			args = append(args, 2.0)
			continue
		}
		args = append(args, trace.Spec(aval.DType, aval.Shape...))
	}
	if c.Call.Program != "" {
		f, err := c.written()
		return f, args, err
	}
	s, err := c.spec()
	if err != nil {
		return nil, nil, err
	}
	f := arrays(func(x []*array.Array) []*array.Array { return ffi.CallAll(s, x...) })
	for _, w := range c.Call.Around {
		for name, settings := range w {
			if f, err = around(f, name, settings); err != nil {
				return nil, nil, err
			}
		}
	}
	return f, args, nil
}

// spec is the call of a declarative case.
func (c *ffiCase) spec() (s ffi.Spec, err error) {
	s.Target = "probe"
	if c.Call.Target != "" {
		s.Target = c.Call.Target
	}
	for _, r := range c.Call.Results {
		if r.Bad {
			s.Results = append(s.Results, ffi.Result{})
			continue
		}
		a, err := r.aval()
		if err != nil {
			return s, err
		}
		s.Results = append(s.Results, ffi.Result{Shape: a.Shape, DType: a.DType})
	}
	if len(c.Call.Attributes) > 0 {
		s.Attrs = ffi.Attrs{}
	}
	for name, text := range c.Call.Attributes {
		if s.Attrs[name], err = hostValue(text); err != nil {
			return s, err
		}
	}
	for name, text := range c.Call.Options {
		if err := c.option(&s, name, text); err != nil {
			return s, fmt.Errorf("option %s: %w", name, err)
		}
	}
	return s, nil
}

var methods = []ffi.VmapMethod{ffi.NoVmap, ffi.Sequential, ffi.SequentialUnrolled, ffi.ExpandDims, ffi.BroadcastAll, ffi.LegacyVectorized}

func methodNamed(name string) ffi.VmapMethod {
	for _, m := range methods {
		if m.String() == name {
			return m
		}
	}
	return 99
}

func (c *ffiCase) option(s *ffi.Spec, name string, text json.RawMessage) (err error) {
	switch name {
	case "has_side_effect":
		return json.Unmarshal(text, &s.HasSideEffect)
	case "vmap_method":
		var m *string
		if err := json.Unmarshal(text, &m); err != nil || m == nil {
			return err
		}
		s.Vmap = methodNamed(*m)
	case "input_layouts":
		s.InputLayouts, err = layoutList(text)
	case "output_layouts":
		single := len(c.Call.Results) == 1 && (c.Call.ResultsForm == "" || c.Call.ResultsForm == "single")
		if !single || string(text) == "null" {
			s.OutputLayouts, err = layoutList(text)
			return err
		}
		var one any
		if one, err = layoutEntry(text); err == nil {
			s.OutputLayouts = []any{one}
		}
	case "input_output_aliases":
		var pairs [][2]int
		if err := json.Unmarshal(text, &pairs); err != nil {
			return err
		}
		s.Aliases = map[int]int{}
		for _, p := range pairs {
			s.Aliases[p[0]] = p[1]
		}
	case "custom_call_api_version":
		if err := json.Unmarshal(text, &s.APIVersion); err != nil {
			return err
		}
		if s.APIVersion == 0 {
			s.APIVersion = ffi.APIUnspecified
		}
	case "legacy_backend_config":
		return json.Unmarshal(text, &s.Opaque)
	default: // the old flag vectorized: a field that Spec does not have
		return errors.New("there is no such option")
	}
	return err
}

func layoutList(text json.RawMessage) ([]any, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil || list == nil {
		return nil, err
	}
	out := []any{}
	for _, e := range list {
		l, err := layoutEntry(e)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

func layoutEntry(text json.RawMessage) (any, error) {
	var ints []int
	if json.Unmarshal(text, &ints) == nil {
		if ints == nil {
			return nil, nil
		}
		return ints, nil
	}
	var object struct {
		Layout struct {
			MajorToMinor []int `json:"major_to_minor"`
			Tiling       [][]int
		}
	}
	err := json.Unmarshal(text, &object)
	return ffi.Layout{MajorToMinor: object.Layout.MajorToMinor, Tiling: object.Layout.Tiling}, err
}

// around wraps a function as a case says.
func around(f arrays, name string, settings json.RawMessage) (arrays, error) {
	var s struct {
		InAxes   []any `json:"in_axes"`
		AxisSize int   `json:"axis_size"`
		OutAxes  *int  `json:"out_axes"`
		Explicit bool  `json:"explicit_axis_size"`
		Length   int
		Trips    int
	}
	if err := json.Unmarshal(settings, &s); err != nil {
		return nil, err
	}
	sum := func(x []*array.Array) []*array.Array { return []*array.Array{np.Sum(f(x)[0])} }
	switch name {
	case "vmap":
		opts := []vmap.Option{}
		axes := make([]any, len(s.InAxes))
		for i, a := range s.InAxes {
			if v, ok := a.(float64); ok {
				axes[i] = int(v)
			}
		}
		if len(axes) > 0 {
			opts = append(opts, vmap.In(axes...))
		}
		if s.OutAxes != nil {
			opts = append(opts, vmap.Out(*s.OutAxes))
		}
		if s.Explicit {
			opts = append(opts, vmap.Size(s.AxisSize))
		}
		return ofFunc(vmap.Of(f, opts...)), nil
	case "jit":
		return ofFunc(jit.Of(f)), nil
	case "scan":
		return func(x []*array.Array) []*array.Array {
			return flow.Map(func(x []*array.Array) []*array.Array { return f(x) }, x, flow.Length(s.Length)).([]*array.Array)
		}, nil
	case "fori_loop":
		return func(x []*array.Array) []*array.Array {
			return []*array.Array{flow.Fori(0, s.Trips, func(_, x *array.Array) *array.Array { return f([]*array.Array{x})[0] }, x[0]).(*array.Array)}
		}, nil
	case "cond":
		return func(x []*array.Array) []*array.Array {
			yes := func(x *array.Array) *array.Array { return f([]*array.Array{x})[0] }
			return []*array.Array{flow.Cond(x[0], yes, func(x *array.Array) *array.Array { return x }, x[1]).(*array.Array)}
		}, nil
	case "grad":
		return ofFunc(vjp.Grad(arrays(sum))), nil
	case "jvp":
		return func(x []*array.Array) []*array.Array {
			_, dy := vjp.JVP(f, anys(x), anys(x))
			return []*array.Array{dy.(*array.Array)}
		}, nil
	case "linear_transpose":
		return func(x []*array.Array) []*array.Array { return vjp.LinearTranspose(f, anys(x)...).CallAll(x[0]) }, nil
	case "remat":
		return ofFunc(vjp.Checkpoint(f)), nil
	case "call_twice":
		return func(x []*array.Array) []*array.Array { return append(f(x), f(x)...) }, nil
	case "drop_result":
		return func(x []*array.Array) []*array.Array { f(x); return x[:1] }, nil
	case "token_operand":
		return func(x []*array.Array) []*array.Array { return f(append([]*array.Array{ffi.CreateToken()}, x...)) }, nil
	}
	return nil, &unknownProgram{"a call in " + name}
}

// hostValue is the Go value of an attribute of a case.
func hostValue(text json.RawMessage) (any, error) {
	var v struct {
		Kind    string
		DType   string
		Value   json.RawMessage
		Hex     string
		Shape   []int
		Data    []json.RawMessage
		Items   []json.RawMessage
		Entries map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	switch v.Kind {
	case "bool":
		return string(v.Value) == "true", nil
	case "int":
		if n, err := strconv.Atoi(string(v.Value)); err == nil {
			return n, nil
		}
		n, _ := new(big.Int).SetString(string(v.Value), 10)
		return n, nil
	case "float":
		return recordedFloat(v.Value)
	case "complex":
		return 1 + 2i, nil
	case "none":
		return nil, nil
	case "string":
		var s string
		err := json.Unmarshal(v.Value, &s)
		return s, err
	case "bytes":
		b, err := hex.DecodeString(v.Hex)
		return b, err
	case "dtype":
		return array.ParseDType(v.DType)
	case "scalar", "array", "array_on_device":
		if v.Kind == "scalar" {
			v.Data = []json.RawMessage{v.Value}
		}
		if v.Kind == "array_on_device" {
			v.Shape = []int{len(v.Data)}
		}
		b, err := recordedBuffer(v.DType, v.Shape, v.Data)
		switch {
		case err != nil:
			return nil, err
		case v.Kind == "scalar":
			return sizedScalar(b), nil
		case v.Kind == "array_on_device":
			return np.Add(array.Of(b), array.Of(b)), nil // the result of a computation
		}
		return array.Of(b), nil
	case "tuple", "list":
		list := []any{}
		for _, e := range v.Items {
			item, err := hostValue(e)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		return list, nil
	case "dict":
		d := ffi.Attrs{}
		for name, e := range v.Entries {
			item, err := hostValue(e)
			if err != nil {
				return nil, err
			}
			d[name] = item
		}
		return d, nil
	}
	return nil, &unknownProgram{"an attribute of kind " + v.Kind}
}

// recordedFloat reads a number or one of the strings nan, inf, -inf.
func recordedFloat(text json.RawMessage) (float64, error) {
	s := strings.Trim(string(text), `"`)
	if s == "nan" {
		return math.Float64frombits(0x7FF8 << 48), nil // as Python; the one of package math has other bits
	}
	return strconv.ParseFloat(s, 64)
}

func recordedBuffer(dtype string, shape []int, data []json.RawMessage) (*array.Buffer, error) {
	d, err := array.ParseDType(dtype)
	if err != nil {
		return nil, err
	}
	b := array.NewBuffer(d, shape)
	for i, e := range data {
		switch text := string(e); {
		case text == "true", text == "false":
			b.SetInt(i, int64(slices.Index([]string{"false", "true"}, text)))
		case d.IsComplex():
			var parts [2]float64
			if err := json.Unmarshal(e, &parts); err != nil {
				return nil, err
			}
			b.SetComplex(i, complex(parts[0], parts[1]))
		case d.IsInteger():
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, err
			}
			b.SetInt(i, n)
		default:
			v, err := recordedFloat(e)
			if err != nil {
				return nil, err
			}
			b.SetFloat(i, v)
		}
	}
	return b, nil
}

// sizedScalar is the Go number of a NumPy scalar.
func sizedScalar(b *array.Buffer) any {
	switch d := b.DType(); d {
	case array.Bool:
		return b.Bool(0)
	case array.Int8:
		return int8(b.Int(0))
	case array.Int16:
		return int16(b.Int(0))
	case array.Int32:
		return int32(b.Int(0))
	case array.Int64:
		return b.Int(0)
	case array.Uint8:
		return uint8(b.Int(0))
	case array.Uint16:
		return uint16(b.Int(0))
	case array.Uint32:
		return uint32(b.Int(0))
	case array.Uint64:
		return uint64(b.Int(0))
	case array.Float32:
		return float32(b.Float(0))
	case array.Float64:
		return b.Float(0)
	default: // Go has no such numbers
		return hlo.Float{Value: b.Float(0), Type: d.HLO()}
	}
}
