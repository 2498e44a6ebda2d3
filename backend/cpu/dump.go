package cpu

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// dumps numbers the plans that one process writes with PANTOGRAPH=dump=DIR.
var dumps atomic.Int64

// dump writes the plan's text into a folder.
func (c *compiler) dump(dir string, p *plan) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return '_'
		}
		return r
	}, c.opts.Name)
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d.cpu.plan", name, dumps.Add(1))), []byte(c.text(p)), 0o644)
}

// text prints the program as it will run: each node with the place of its values. a is the memory of an argument, r of a result,
// c of a constant, t+N an offset in the arena; values in one place share memory.
//
//	r0:f32[3] = stablehlo.add a0 a0
func (c *compiler) text(p *plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d bytes of temporary memory\n", c.opts.Name, p.arena)
	printRegion(&b, c.main, "")
	return b.String()
}

func printRegion(b *strings.Builder, r *region, indent string) {
	for _, n := range r.nodes {
		b.WriteString(indent)
		for i, v := range n.out {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s:%s%s", v.place(), v.dtype.Short(), v.shape)
		}
		name := "fill"
		if n.op != nil {
			name = n.op.Name
		}
		if len(n.out) > 0 {
			name = " = " + name
		}
		b.WriteString(name)
		for _, v := range n.in {
			b.WriteString(" " + v.place())
			if v.uniform {
				b.WriteString("…")
			}
		}
		b.WriteByte('\n')
		for _, sub := range n.regions {
			fmt.Fprintf(b, "%s  (%s)", indent, places(sub.args))
			if sub.lanes > 1 {
				fmt.Fprintf(b, " ×%d", sub.lanes)
			}
			b.WriteByte('\n')
			printRegion(b, sub, indent+"    ")
		}
	}
	fmt.Fprintf(b, "%syield %s\n", indent, places(r.results))
}

func places(vs []*value) string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = v.place()
	}
	return strings.Join(names, " ")
}

// place names the memory of a value.
func (v *value) place() string {
	s := v.store.root()
	switch s.kind {
	case argument:
		return fmt.Sprintf("a%d", s.slot)
	case constant:
		return fmt.Sprintf("c%d", s.slot)
	case result:
		return fmt.Sprintf("r%d", s.slot)
	}
	return fmt.Sprintf("t+%d", s.offset)
}
