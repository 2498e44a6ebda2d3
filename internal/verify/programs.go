package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// programCases finds the folders that hold a program: module.mlir, module.bin, inputs.json, expected.json and meta.json. The
// program is run from its text and from its artifact.
func programCases(path string) ([]testcase, error) {
	var cases []testcase
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "meta.json" {
			return err
		}
		dir := filepath.Dir(file)
		for _, module := range []string{"module.mlir", "module.bin"} {
			if _, err := os.Stat(filepath.Join(dir, module)); err != nil {
				continue
			}
			name := filepath.ToSlash(dir)
			if module != "module.mlir" {
				name += "#" + module
			}
			cases = append(cases, testcase{name, func(ctx context.Context, engine backend.Backend) error {
				return checkProgram(ctx, engine, dir, module)
			}})
		}
		return nil
	})
	return cases, err
}

// jsonArray is an array as inputs.json and expected.json hold it; its dtype has StableHLO's name.
type jsonArray struct {
	DType string            `json:"dtype"`
	Shape array.Shape       `json:"shape"`
	Data  []json.RawMessage `json:"data"`
}

// checkProgram runs main on the inputs and compares each output within its absolute tolerance.
func checkProgram(ctx context.Context, engine backend.Backend, dir, module string) error {
	var meta struct {
		Tolerance []float64 `json:"abs_tolerance"`
	}
	if err := readJSON(filepath.Join(dir, "meta.json"), &meta); err != nil {
		return err
	}
	m, err := readModule(filepath.Join(dir, module))
	if err != nil {
		return err
	}
	inputs, err := readArrays(filepath.Join(dir, "inputs.json"))
	if err != nil {
		return err
	}
	expected, err := readArrays(filepath.Join(dir, "expected.json"))
	if err != nil {
		return err
	}
	out, err := runMain(ctx, engine, m, filepath.Base(dir), inputs)
	if err != nil {
		return err
	}
	if len(out) != len(expected) {
		return fmt.Errorf("%d results, want %d", len(out), len(expected))
	}
	for i, got := range out {
		tolerance := 0.0
		if i < len(meta.Tolerance) {
			tolerance = meta.Tolerance[i]
		}
		compare := within(tolerance)
		if !got.DType().IsInexact() {
			compare = equal
		}
		if err := ruleFor(filepath.ToSlash(dir), i, compare)(got, expected[i]); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// runMain compiles a module and runs it once.
func runMain(ctx context.Context, engine backend.Backend, m *hlo.Module, name string, inputs []*array.Buffer) ([]*array.Buffer, error) {
	exe, err := engine.Compile(ctx, m, backend.Options{Name: name})
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	args := make([]array.Data, len(inputs))
	for i, b := range inputs {
		if args[i], err = engine.Put(b, engine.Devices()[0]); err != nil {
			return nil, err
		}
	}
	results, err := exe.Execute(ctx, args)
	if err != nil {
		return nil, err
	}
	out := make([]*array.Buffer, len(results))
	for i, r := range results {
		if out[i], err = r.Host(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readJSON(file string, v any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func readArrays(file string) ([]*array.Buffer, error) {
	var list []jsonArray
	if err := readJSON(file, &list); err != nil {
		return nil, err
	}
	out := make([]*array.Buffer, len(list))
	for i, a := range list {
		b, err := a.buffer()
		if err != nil {
			return nil, fmt.Errorf("%s: array %d: %w", file, i, err)
		}
		out[i] = b
	}
	return out, nil
}

func (a *jsonArray) buffer() (*array.Buffer, error) {
	d, err := array.ParseDType(a.DType)
	if err != nil {
		return nil, err
	}
	if a.Shape.Size() != len(a.Data) {
		return nil, fmt.Errorf("%d elements for shape %s", len(a.Data), a.Shape)
	}
	b := array.NewBuffer(d, a.Shape)
	for i, raw := range a.Data {
		if err := setElement(b, i, raw); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return b, nil
}

// setElement stores a JSON value: a number, a string such as "NaN", a bool, or [re, im].
func setElement(b *array.Buffer, i int, raw json.RawMessage) error {
	switch d := b.DType(); {
	case d == array.Bool:
		b.SetBool(i, string(raw) == "true")
		return nil
	case d.Kind() == array.KindUint:
		v, err := strconv.ParseUint(string(raw), 10, 64)
		b.SetUint(i, v)
		return err
	case d.IsInteger():
		v, err := strconv.ParseInt(string(raw), 10, 64)
		b.SetInt(i, v)
		return err
	case d.IsComplex():
		var parts [2]json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return err
		}
		re, err := parseFloat(parts[0])
		if err != nil {
			return err
		}
		im, err := parseFloat(parts[1])
		b.SetComplex(i, complex(re, im))
		return err
	}
	v, err := parseFloat(raw)
	b.SetFloat(i, v)
	return err
}

func parseFloat(raw json.RawMessage) (float64, error) {
	text := string(raw)
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	return strconv.ParseFloat(text, 64)
}
