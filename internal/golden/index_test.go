package golden

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/functions.md anew")

const indexFile = "../../docs/functions.md"

// coverage counts the recorded cases of one function by what they check.
type coverage struct{ value, jvp, vjp, hvp, vmap, refused int }

// TestFunctionIndex keeps docs/functions.md: which functions are compared with the reference, and in what.
func TestFunctionIndex(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/goldens/*.jsonl")
	if len(files) == 0 {
		t.Skip("../shared/goldens is not beside the project; the index is made from the recorded results")
	}
	index := map[string]*coverage{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		err = Read(f, func(c *Case) bool {
			if functions[c.Fn] == nil {
				return true
			}
			v := index[c.Fn]
			if v == nil {
				v = &coverage{}
				index[c.Fn] = v
			}
			r := &run{Case: c}
			switch {
			case c.Error != "":
				v.refused++
				return true
			default:
				v.value++
			}
			v.jvp += count(c.JVP != nil && r.derivatives("jvp"))
			v.vjp += count(c.VJP != nil && r.derivatives("vjp"))
			v.hvp += count(c.HVP != nil && r.derivatives("hvp"))
			v.vmap += count(len(c.Vmap) > 0)
			return true
		})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString(`# Functions

Which functions are compared with the reference, under the reference's names, and in how many recorded calls: the value,
the derivative forwards and in reverse, the second derivative, batching, and calls that must be refused. Every value runs
lowered to StableHLO. The test of ` + "`internal/golden`" + ` writes this page; ` + "`go test ./internal/golden -run FunctionIndex -update`" + `
brings it up to date.

| function | value | jvp | vjp | second order | vmap | refused |
|---|---|---|---|---|---|---|
`)
	for _, name := range slices.Sorted(maps.Keys(index)) {
		v := index[name]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", name, cell(v.value), cell(v.jvp), cell(v.vjp), cell(v.hvp), cell(v.vmap), cell(v.refused))
	}
	if *update {
		if err := os.WriteFile(indexFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(indexFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Error("docs/functions.md is not up to date: run go test ./internal/golden -run FunctionIndex -update")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func cell(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
