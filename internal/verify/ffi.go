package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
)

// The suite ffi holds foreign calls against what the reference does: its case files have one JSON object a line. A case is
// a program, which is traced and lowered, and its facts: types, effects, custom calls, errors, values, numbers of
// executions. Where the specification departs from the reference on purpose, ffiDepartures has the facts that hold here.

// ffiCase is one line of the file.
type ffiCase struct {
	ID        string
	Category  string
	Call      ffiCall
	Expect    ffiExpect
	Normative *bool
}

type ffiCall struct {
	Target      string
	Operands    []ffiType
	Results     []ffiType
	ResultsForm string `json:"results_form"`
	Attributes  map[string]json.RawMessage
	Options     map[string]json.RawMessage
	Around      []map[string]json.RawMessage
	Arguments   []ffiType
	X64         bool
	Program     string
	Platforms   []string
	Pivots      []int32
	Size        int `json:"permutation_size"`
}

type ffiExpect struct {
	OK          bool
	Results     []ffiType
	Effects     []string
	CustomCalls []ffiCustomCall `json:"custom_calls"`
	Executions  *int64
	Value       json.RawMessage
	Attribute   json.RawMessage
	Phase       string
	Container   *bool `json:"serialized_prefix_is_flatbuffer"`
}

type ffiCustomCall struct {
	Target     string
	APIVersion *int                       `json:"api_version"`
	Config     *string                    `json:"backend_config"`
	Typed      map[string]json.RawMessage `json:"typed_attributes"`
	SideEffect bool                       `json:"has_side_effect"`
	Operands   [][]int                    `json:"operand_layouts"`
	Results    [][]int                    `json:"result_layouts"`
	Aliases    []struct {
		Operand int   `json:"operand_index"`
		Output  []int `json:"output_tuple_indices"`
	} `json:"output_operand_aliases"`
	OperandTypes []string          `json:"operand_types"`
	ResultTypes  []string          `json:"result_types"`
	Enclosing    []string          `json:"enclosing"`
	Other        map[string]string `json:"other_attributes"`
}

// ffiType is {"shape": …, "dtype": …}, "token", or what is no type.
type ffiType struct {
	Shape  []int
	DType  string
	Token  bool
	Bad    bool
	Python any
}

func (t *ffiType) UnmarshalJSON(text []byte) error {
	var name string
	if json.Unmarshal(text, &name) == nil {
		t.Token, t.Bad = name == "token", name != "token"
		return nil
	}
	type plain ffiType
	return json.Unmarshal(text, (*plain)(t))
}

func (t ffiType) aval() (array.Aval, error) {
	if t.Token {
		return array.Aval{DType: array.Token}, nil
	}
	d, err := ffiDType(t.DType)
	return array.Aval{Shape: t.Shape, DType: d}, err
}

func ffiDType(name string) (array.DType, error) {
	switch name = strings.TrimPrefix(name, "weak "); name {
	case "key<fry>":
		return random.Threefry.DType(), nil
	case "key<ty>":
		return toy().DType(), nil
	}
	return array.ParseDType(name)
}

// ffiCases reads a case file.
func ffiCases(path string) (cases []testcase, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var name struct{ ID, Category string } // what is skipped may have forms of its own
		if err := json.Unmarshal(lines.Bytes(), &name); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c := &ffiCase{ID: name.ID, Category: name.Category}
		if ffiSkips[name.Category] == "" {
			if err := json.Unmarshal(lines.Bytes(), c); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, name.ID, err)
			}
		}
		cases = append(cases, testcase{c.ID, c.run})
	}
	return cases, lines.Err()
}

// ffiSkips are the categories that need what is not part of this suite.
var ffiSkips = map[string]string{
	"sharding": "sharding", "sharding_rule": "sharding", "shape_polymorphism": "dynamic shapes",
}

func (c *ffiCase) run(ctx context.Context, engine backend.Backend) error {
	if reason, ok := ffiSkips[c.Category]; ok {
		return &skipped{reason}
	}
	if c.Expect.Container != nil || c.ID == "prng/error-serialize-export" {
		return &skipped{"the container of an exported program"}
	}
	jit.SetDefault(engine)
	if d, ok := ffiDepartures[c.ID]; ok {
		c.Expect = d
	} else if c.Normative != nil && !*c.Normative {
		return &skipped{"behaviour that is not to be copied"}
	}
	switch {
	case c.Expect.Value != nil:
		return c.runValue()
	case c.Expect.Executions != nil:
		return c.runExecutions()
	case c.Expect.Attribute != nil || strings.HasPrefix(c.ID, "ir-attribute/"):
		return c.runAttribute()
	}
	return c.runProgram()
}

// runProgram traces and lowers the case's program and compares what comes of it.
func (c *ffiCase) runProgram() error {
	f, args, err := c.program()
	var j *trace.Closed
	if err == nil {
		if err := trace.Try(func() { j = trace.Of(f, args...) }); err != nil {
			return c.judgeError(err)
		}
		platform := "cpu"
		if len(c.Call.Platforms) > 0 {
			platform = c.Call.Platforms[0]
		}
		var m *hlo.Module
		if m, err = lower.Module("f", j, lower.Options{Platform: platform, Embed: true}); err == nil {
			if err = hlo.Verify(m); err == nil && strings.HasPrefix(c.ID, "export/") {
				err = c.checkExport(m)
			}
		}
		if err == nil {
			return c.judge(j, m)
		}
	}
	return c.judgeError(err)
}

func (c *ffiCase) judgeError(err error) error {
	var missing *unknownProgram
	var panicked *trace.PanicError
	if errors.As(err, &missing) || errors.As(err, &panicked) || c.Expect.OK {
		return err
	}
	return nil // as early as the reference, or earlier: nothing is executed here
}

// judge compares the facts of a program that is accepted.
func (c *ffiCase) judge(j *trace.Closed, m *hlo.Module) error {
	if !c.Expect.OK {
		return fmt.Errorf("accepted, where an error of phase %s is expected", c.Expect.Phase)
	}
	narrow := !c.Call.X64
	got := trace.Avals(j.Out)
	if c.Expect.Results == nil { // exported programs have no such facts
		return compareCalls(customCallsOf(m), c.Expect.CustomCalls, narrow)
	}
	if len(got) != len(c.Expect.Results) {
		return fmt.Errorf("%d results, want %d", len(got), len(c.Expect.Results))
	}
	for i, r := range c.Expect.Results {
		want, err := r.aval()
		if err != nil {
			return err
		}
		if g := narrowed(got[i].Strong(), narrow); !g.Equal(narrowed(want, narrow)) {
			return fmt.Errorf("result %d is %s, want %s", i, got[i], want)
		}
	}
	var effects []string
	if slices.ContainsFunc(j.Eqns, func(e *trace.Eqn) bool { return trace.EffectOf(e.Prim) != 0 }) {
		effects = []string{"FFI"}
	}
	if !slices.Equal(effects, c.Expect.Effects) && len(effects)+len(c.Expect.Effects) > 0 {
		return fmt.Errorf("effects %v, want %v", effects, c.Expect.Effects)
	}
	return compareCalls(customCallsOf(m), c.Expect.CustomCalls, narrow)
}

// narrowed is an aval as it is with 64-bit types off.
func narrowed(a array.Aval, narrow bool) array.Aval {
	if !narrow {
		return a
	}
	switch a.DType {
	case array.Int64:
		a.DType = array.Int32
	case array.Uint64:
		a.DType = array.Uint32
	case array.Float64:
		a.DType = array.Float32
	case array.Complex128:
		a.DType = array.Complex64
	}
	return a
}

// unknownProgram is the error of a case whose words this suite does not know.
type unknownProgram struct{ words string }

func (e *unknownProgram) Error() string { return "the suite does not know how to write: " + e.words }
