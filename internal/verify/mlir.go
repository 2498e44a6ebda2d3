package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// mlirCases finds the modules in files of StableHLO text. A file is cut into pieces at lines that begin with "// -----".
func mlirCases(path string) ([]testcase, error) {
	var cases []testcase
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".mlir" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		pieces := cut(string(text))
		for i, piece := range pieces {
			name := filepath.ToSlash(file)
			if len(pieces) > 1 {
				name = fmt.Sprintf("%s#%d", name, i)
			}
			cases = append(cases, testcase{name, func(ctx context.Context, engine backend.Backend) error {
				return checkModule(ctx, engine, name, piece)
			}})
		}
		return nil
	})
	return cases, err
}

// cut returns the pieces of a file that hold more than comments.
func cut(text string) []string {
	var pieces []string
	var b strings.Builder
	code := false
	end := func() {
		if code {
			pieces = append(pieces, b.String())
		}
		b.Reset()
		code = false
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "// -----") {
			end()
			continue
		}
		t := strings.TrimSpace(line)
		code = code || t != "" && !strings.HasPrefix(t, "//")
		b.WriteString(line)
	}
	end()
	return pieces
}

// checkModule parses a piece and runs its entry points: main, or the functions without arguments that hold checks.
func checkModule(ctx context.Context, engine backend.Backend, name, text string) error {
	m, err := hlo.Parse(text)
	if err != nil {
		return err
	}
	if err := hlo.Verify(m); err != nil {
		return err
	}
	entries, err := entryPoints(m)
	if err != nil {
		return err
	}
	for _, f := range entries {
		if err := checkFunction(ctx, engine, name, m, f); err != nil {
			return err
		}
	}
	return nil
}

func entryPoints(m *hlo.Module) ([]*hlo.Func, error) {
	var entries []*hlo.Func
	checks := 0
	for _, f := range m.Funcs {
		if n := countChecks(f.Body); n > 0 {
			checks += n
			if len(f.In) == 0 && (f.Name == "main" || m.Func("main") == nil) {
				entries = append(entries, f)
			}
		}
	}
	switch {
	case checks == 0:
		return nil, &skipped{"nothing to compare"}
	case len(entries) == 0:
		return nil, &skipped{"checks outside the entry point"}
	}
	return entries, nil
}

func countChecks(r *hlo.Region) int {
	n := 0
	if r == nil {
		return 0
	}
	for _, blk := range r.Blocks {
		for _, op := range blk.Ops {
			if checkName(op) != "" {
				n++
			}
			for _, sub := range op.Regions {
				n += countChecks(sub)
			}
		}
	}
	return n
}

// checkName is the kind of check that op states, such as expect_eq, empty for any other operation.
func checkName(op *hlo.Op) string {
	name := op.Name
	if name == "stablehlo.custom_call" {
		target, _ := op.Attr("call_target_name").(hlo.String)
		name = target.Value
	}
	kind, ok := strings.CutPrefix(name, "check.")
	if !ok {
		return ""
	}
	return kind
}

// check is one check of a function: the comparison of two results of the rewritten function, or of one with a constant.
type check struct {
	name      string
	got, want int // numbers of results; want is -1 where constant holds the value
	constant  *array.Buffer
	compare   comparison
}

// checkFunction runs f with its checked values as results, so that any engine can run it, and compares them here.
func checkFunction(ctx context.Context, engine backend.Backend, name string, m *hlo.Module, f *hlo.Func) error {
	blk := f.Body.Block()
	main := &hlo.Block{Args: blk.Args}
	ret := &hlo.Op{Name: "func.return"}
	var checks []check
	for _, op := range blk.Ops[:len(blk.Ops)-1] {
		kind := checkName(op)
		if kind == "" {
			main.Ops = append(main.Ops, op)
			continue
		}
		c, err := newCheck(kind, op, ret)
		if err != nil {
			return err
		}
		checks = append(checks, c)
	}
	main.Ops = append(main.Ops, ret)
	entry := &hlo.Func{Name: "main", Body: &hlo.Region{Blocks: []*hlo.Block{main}}}
	for _, v := range ret.Operands {
		entry.Out = append(entry.Out, v.Type)
	}
	module := &hlo.Module{Name: m.Name, Attrs: m.Attrs, Funcs: []*hlo.Func{entry}}
	for _, g := range m.Funcs {
		if g != f {
			module.Funcs = append(module.Funcs, g)
		}
	}
	exe, err := engine.Compile(ctx, module, backend.Options{Name: m.Name})
	if err != nil {
		return err
	}
	defer exe.Close()
	out, err := exe.Execute(ctx, nil)
	if err != nil {
		return err
	}
	values := make([]*array.Buffer, len(out))
	for i, b := range out {
		if values[i], err = b.Host(); err != nil {
			return err
		}
	}
	for i, c := range checks {
		want := c.constant
		if c.want >= 0 {
			want = values[c.want]
		}
		if err := ruleFor(name, i, c.compare)(values[c.got], want); err != nil {
			return fmt.Errorf("check %d, %s: %w", i, c.name, err)
		}
	}
	return nil
}

// newCheck reads one check and adds its operands to the results that ret returns.
func newCheck(kind string, op *hlo.Op, ret *hlo.Op) (check, error) {
	c := check{name: kind, want: -1}
	add := func(i int) int {
		ret.Operands = append(ret.Operands, op.Operands[i])
		return len(ret.Operands) - 1
	}
	if len(op.Operands) == 0 {
		return c, fmt.Errorf("%s has no operand", kind)
	}
	c.got = add(0)
	if len(op.Operands) > 1 {
		c.want = add(1)
	} else {
		d, ok := op.Attr("value").(*hlo.Dense)
		if !ok {
			return c, &skipped{"check." + kind}
		}
		c.constant = expand(d)
	}
	custom := op.Name == "stablehlo.custom_call"
	switch kind {
	case "expect_eq", "expect_eq_const":
		c.compare = equal
	case "expect_close":
		high, low := uint64(1), uint64(0)
		if custom {
			high = 3
		}
		if a, ok := op.Attr("max_ulp_difference").(hlo.Int); ok {
			high = uint64(a.Value)
		}
		if a, ok := op.Attr("min_ulp_difference").(hlo.Int); ok {
			low = uint64(a.Value)
		}
		c.compare = ulps(low, high)
	case "expect_almost_eq", "expect_almost_eq_const":
		tolerance := 1e-4
		if custom {
			tolerance = 1e-3
		}
		if a, ok := op.Attr("tolerance").(hlo.Float); ok {
			tolerance = a.Value
		}
		c.compare = within(tolerance)
	case "eq":
		c.compare = within(1e-4)
		if d := op.Operands[0].Tensor().Elem; d.IsInteger() || d == array.Bool {
			c.compare = equal
		}
	default:
		return c, &skipped{"check." + kind}
	}
	return c, nil
}

// expand writes a constant out in full.
func expand(d *hlo.Dense) *array.Buffer {
	if !d.Splat {
		return d.Data
	}
	b := array.NewBuffer(d.Type.Elem, d.Type.Shape)
	size := d.Type.Elem.Size()
	for i := range b.Len() {
		copy(b.Bytes()[i*size:(i+1)*size], d.Data.Bytes()[:size])
	}
	return b
}
