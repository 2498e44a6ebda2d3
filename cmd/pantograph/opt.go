package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/lower/hlo"
)

// pass is something done to a module.
type pass struct {
	name, does string
	run        func(*hlo.Module) error
}

var passes = []pass{
	{"verify", "check the constraints of the specification", hlo.Verify},
	{"defaults", "leave out attributes that say what their absence says", func(m *hlo.Module) error { hlo.DropDefaults(m); return nil }},
	{"unused-functions", "leave out private functions that nothing refers to", func(m *hlo.Module) error { dropUnused(m); return nil }},
}

func setupOpt(f *flag.FlagSet) func(*env, []string) error {
	var lines []string
	for _, p := range passes {
		lines = append(lines, p.name+" ("+p.does+")")
	}
	names := f.String("pass", "verify", "`passes` to run in order, with commas between: "+strings.Join(lines, ", "))
	generic := f.Bool("generic", false, "print the generic form")
	output := f.String("o", "", "write to a `file`")
	return func(e *env, args []string) error {
		var todo []pass
		for _, name := range strings.Split(*names, ",") {
			i := slices.IndexFunc(passes, func(p pass) bool { return p.name == name })
			if i < 0 {
				return misusef("there is no pass %s", name)
			}
			todo = append(todo, passes[i])
		}
		m, err := read(e, args[0])
		if err != nil {
			return err
		}
		for _, p := range todo {
			if err := p.run(m.Module); err != nil {
				return fmt.Errorf("%s: %s: %w", args[0], p.name, err)
			}
		}
		return write(e, *output, []byte(hlo.Options{Generic: *generic}.Format(m.Module)))
	}
}

// dropUnused removes private functions that no function that stays refers to.
func dropUnused(m *hlo.Module) {
	used := map[*hlo.Func]bool{}
	var visit func(*hlo.Func)
	var attr func(hlo.Attr)
	attr = func(a hlo.Attr) {
		switch a := a.(type) {
		case hlo.Symbol:
			if f := m.Func(a.Path[0]); f != nil {
				visit(f)
			}
		case hlo.Array:
			for _, x := range a {
				attr(x)
			}
		}
	}
	var region func(*hlo.Region)
	region = func(r *hlo.Region) {
		for _, blk := range r.Blocks {
			for _, op := range blk.Ops {
				for _, n := range op.Attrs {
					attr(n.Value)
				}
				for _, sub := range op.Regions {
					region(sub)
				}
			}
		}
	}
	visit = func(f *hlo.Func) {
		if used[f] {
			return
		}
		if used[f] = true; f.Body != nil {
			region(f.Body)
		}
	}
	for _, f := range m.Funcs {
		if !f.Private {
			visit(f)
		}
	}
	m.Funcs = slices.DeleteFunc(m.Funcs, func(f *hlo.Func) bool { return !used[f] })
}
