package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

func setupRun(f *flag.FlagSet) func(*env, []string) error {
	var inputs, allow list
	f.Var(&inputs, "input", "an argument: a `file` .npy, a .npz with several by name order, or a number; once for each")
	f.Var(&allow, "allow", "let the module call this foreign `target` though it is not promised stable; ALL for every one")
	output := f.String("output", "", "save the results in a `file` .npz, or .npy where there is one")
	engine := f.String("backend", "", "the `engine`: cpu, cuda, pjrt:PLATFORM; the default is that of PANTOGRAPH")
	verbose := f.Bool("v", false, "say how long compiling and running took")
	return func(e *env, args []string) error {
		m, err := verified(e, args[0])
		if err != nil {
			return err
		}
		var disabled []lower.DisabledCheck
		for _, target := range allow {
			disabled = append(disabled, lower.DisabledCustomCall(target))
		}
		if m.exported != nil {
			disabled = append(disabled, m.exported.Disabled...)
		}
		if err := lower.CheckTargets(m.Module, disabled...); err != nil {
			return err
		}
		b, err := openBackend(*engine)
		if err != nil {
			return err
		}
		values, err := m.arguments(e, b.Platform(), inputs)
		if err != nil {
			return err
		}
		results, err := execute(e, b, m, values, *verbose)
		if err != nil {
			return err
		}
		if *output != "" {
			return save(*output, results)
		}
		for i, r := range results {
			fmt.Fprintf(e.out, "# result %d: %s\n%s\n", i, r.Aval(), array.Of(r))
		}
		return nil
	}
}

func openBackend(name string) (backend.Backend, error) {
	if name == "" {
		return jit.Default()
	}
	return jit.OpenBackend(name)
}

func execute(e *env, b backend.Backend, m *module, values []*array.Buffer, verbose bool) ([]*array.Buffer, error) {
	ctx := context.Background()
	start := time.Now()
	exe, err := b.Compile(ctx, m.Module, backend.Options{Name: m.Name, Handlers: ffi.Handlers})
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	compiled := time.Now()
	args := make([]array.Data, len(values))
	for i, v := range values {
		if args[i], err = b.Put(v, b.Devices()[0]); err != nil {
			return nil, err
		}
	}
	out, err := exe.Execute(ctx, args)
	if err != nil {
		return nil, err
	}
	results := make([]*array.Buffer, len(out))
	for i, r := range out {
		if results[i], err = r.Host(); err != nil {
			return nil, err
		}
	}
	if verbose {
		fmt.Fprintf(e.errs, "%s: compiled in %v, run in %v\n", b.Name(), compiled.Sub(start).Round(time.Microsecond), time.Since(compiled).Round(time.Microsecond))
	}
	return results, nil
}

// arguments are the values of main's parameters: the inputs, behind the number of the platform where a container's module
// takes it.
func (m *module) arguments(e *env, platform string, inputs []string) ([]*array.Buffer, error) {
	main := m.Func("main")
	if main == nil {
		return nil, fmt.Errorf("%s has no function main", m.file)
	}
	types := main.In
	var values []*array.Buffer
	if m.exported != nil && len(m.exported.Platforms) > 1 && len(types) > 0 {
		index := slices.Index(m.exported.Platforms, platform)
		if index < 0 {
			return nil, fmt.Errorf("%s was exported for %s, not for %s", m.file, strings.Join(m.exported.Platforms, ", "), platform)
		}
		b := array.NewBuffer(array.Int32, nil)
		b.SetInt(0, int64(index))
		values, types = append(values, b), types[1:]
	}
	given, err := readInputs(e, inputs, types)
	if err != nil {
		return nil, err
	}
	if len(given) != len(types) {
		return nil, misusef("%d inputs are given, main takes %d: %s", len(given), len(types), typeNames(types))
	}
	for i, b := range given {
		t, ok := types[i].(hlo.Tensor)
		if !ok {
			return nil, fmt.Errorf("main takes %s as input %d, which no file can hold", types[i], i)
		}
		if b.DType() != t.Elem || !fits(b.Shape(), t.Shape) {
			return nil, misusef("input %d is %s, main takes %s", i, b.Aval(), t)
		}
	}
	return append(values, given...), nil
}

// fits reports that an array has the sizes of a type, of which some may be unknown.
func fits(got, want array.Shape) bool {
	return slices.EqualFunc(got, want, func(g, w int) bool { return g == w || w == hlo.Dynamic })
}

func typeNames(types []hlo.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// readInputs reads the inputs in order; a number takes the element type of the parameter it stands for.
func readInputs(e *env, inputs []string, types []hlo.Type) ([]*array.Buffer, error) {
	var out []*array.Buffer
	for _, in := range inputs {
		if v, err := strconv.ParseFloat(in, 64); err == nil {
			if len(out) >= len(types) {
				return nil, misusef("more inputs are given than the %d that main takes", len(types))
			}
			t, _ := types[len(out)].(hlo.Tensor)
			if t.Elem == array.Invalid || len(t.Shape) > 0 {
				return nil, misusef("input %d is the number %s, main takes %s", len(out), in, types[len(out)])
			}
			b := array.NewBuffer(t.Elem, nil)
			b.SetFloat(0, v)
			out = append(out, b)
			continue
		}
		data, err := readFile(e, in)
		if err != nil {
			return nil, err
		}
		if filepath.Ext(in) == ".npz" {
			arrays, err := array.ReadNpz(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", in, err)
			}
			for _, name := range inOrder(arrays) {
				b, err := arrays[name].Host()
				if err != nil {
					return nil, err
				}
				out = append(out, b)
			}
			continue
		}
		x, err := array.ReadNpy(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in, err)
		}
		b, err := x.Host()
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// inOrder sorts names so that arr_2 stands before arr_10.
func inOrder(arrays map[string]*array.Array) []string {
	var names []string
	for name := range arrays {
		names = append(names, name)
	}
	number := func(s string) (string, int) {
		stem := strings.TrimRight(s, "0123456789")
		n, _ := strconv.Atoi(s[len(stem):])
		return stem, n
	}
	slices.SortFunc(names, func(a, b string) int {
		s, m := number(a)
		t, n := number(b)
		if s != t {
			return strings.Compare(s, t)
		}
		return m - n
	})
	return names
}

// save writes results as arr_0, arr_1, … of a .npz, or the one there is as .npy.
func save(file string, results []*array.Buffer) error {
	one := filepath.Ext(file) == ".npy"
	if one && len(results) != 1 {
		return misusef("a .npy file holds one array, there are %d results: name a .npz", len(results))
	}
	var b bytes.Buffer
	var err error
	if one {
		err = array.WriteNpy(&b, array.Of(results[0]))
	} else {
		arrays := map[string]*array.Array{}
		for i, r := range results {
			arrays[fmt.Sprint("arr_", i)] = array.Of(r)
		}
		err = array.WriteNpz(&b, arrays)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}
