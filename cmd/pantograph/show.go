package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

func setupShow(f *flag.FlagSet) func(*env, []string) error {
	stats := f.Bool("stats", false, "print counts of operations, parameters, results and costs instead of the module")
	format := f.String("format", "text", "`form` of the counts: text or json")
	locations := f.Bool("locations", false, "print where operations came from")
	return func(e *env, args []string) error {
		if *format != "text" && *format != "json" {
			return misusef("-format is text or json, not %s", *format)
		}
		m, err := read(e, args[0])
		if err != nil {
			return err
		}
		if !*stats && *format == "text" {
			return write(e, "", []byte(hlo.Options{Locations: *locations}.Format(m.Module)))
		}
		if err := hlo.Verify(m.Module); err != nil { // costs rely on sound operations
			return fmt.Errorf("%s: %w", args[0], err)
		}
		s := statsOf(m)
		if *format == "json" {
			text, err := json.MarshalIndent(s, "", "  ")
			if err != nil {
				return err
			}
			return write(e, "", append(text, '\n'))
		}
		s.print(e)
		return nil
	}
}

// stats say what a module is made of. Costs are those of each operation once: the body of a loop counts as one turn.
type stats struct {
	Name    string         `json:"name"`
	Kind    string         `json:"kind"`
	In      []string       `json:"in"`
	Out     []string       `json:"out"`
	Funcs   int            `json:"functions"`
	Ops     int            `json:"operations"`
	ByName  map[string]int `json:"by_name"`
	Targets []string       `json:"targets,omitempty"`
	Flops   float64        `json:"flops"`
	Bytes   float64        `json:"constant_bytes"`
	Unknown int            `json:"of_unknown_size,omitempty"`
}

func statsOf(m *module) *stats {
	s := &stats{Name: m.Name, Kind: m.kind, Funcs: len(m.Funcs), ByName: map[string]int{}, Targets: lower.Targets(m.Module), In: []string{}, Out: []string{}}
	if main := m.Func("main"); main != nil {
		for _, t := range main.In {
			s.In = append(s.In, t.String())
		}
		for _, t := range main.Out {
			s.Out = append(s.Out, t.String())
		}
	}
	for _, f := range m.Funcs {
		if f.Body != nil {
			s.region(f.Body)
		}
	}
	return s
}

func (s *stats) region(r *hlo.Region) {
	for _, blk := range r.Blocks {
		for _, op := range blk.Ops {
			s.Ops++
			s.ByName[op.Name]++
			s.cost(op)
			for _, sub := range op.Regions {
				s.region(sub)
			}
		}
	}
}

// cost counts a multiplication and an addition for each pair that a product sums, one operation for each element that
// anything else computes, and nothing for what only moves elements.
func (s *stats) cost(op *hlo.Op) {
	if len(op.Results) == 0 {
		return
	}
	out := op.Results[0].Tensor()
	if !out.IsStatic() {
		s.Unknown++
		return
	}
	size := float64(out.Shape.Size())
	switch op.Name {
	case "stablehlo.constant":
		if d, ok := op.Attr("value").(*hlo.Dense); ok {
			s.Bytes += float64(len(d.Data.Bytes()))
		}
	case "stablehlo.dot_general":
		d, ok := op.Attr("dot_dimension_numbers").(hlo.DotDims)
		if in := op.Operands[0].Tensor(); ok && in.IsStatic() {
			for _, c := range d.LHSContracting {
				size *= float64(in.Shape[c])
			}
		}
		s.Flops += 2 * size
	case "stablehlo.convolution":
		d, ok := op.Attr("dimension_numbers").(hlo.ConvDims)
		if k := op.Operands[1].Tensor(); ok && k.IsStatic() && d.KernelOutputFeature < len(k.Shape) {
			for i, n := range k.Shape {
				if i != d.KernelOutputFeature {
					size *= float64(n)
				}
			}
		}
		s.Flops += 2 * size
	case "stablehlo.reduce", "stablehlo.reduce_window":
		s.Flops += float64(max(op.Operands[0].Tensor().Shape.Size(), 0))
	case "stablehlo.reshape", "stablehlo.transpose", "stablehlo.broadcast_in_dim", "stablehlo.slice", "stablehlo.dynamic_slice",
		"stablehlo.dynamic_update_slice", "stablehlo.concatenate", "stablehlo.pad", "stablehlo.gather", "stablehlo.reverse", "stablehlo.iota",
		"stablehlo.bitcast_convert", "stablehlo.get_tuple_element", "stablehlo.tuple", "func.call", "stablehlo.while", "stablehlo.case",
		"stablehlo.if", "stablehlo.optimization_barrier", "stablehlo.custom_call", "stablehlo.composite":
	default:
		s.Flops += size
	}
}

func (s *stats) print(e *env) {
	fmt.Fprintf(e.out, "module @%s, %s\n", s.Name, s.Kind)
	fmt.Fprintf(e.out, "main(%s) -> (%s)\n", strings.Join(s.In, ", "), strings.Join(s.Out, ", "))
	fmt.Fprintf(e.out, "%d functions, %d operations, %.6g floating-point operations, %.6g bytes of constants\n", s.Funcs, s.Ops, s.Flops, s.Bytes)
	if s.Unknown > 0 {
		fmt.Fprintf(e.out, "%d operations have results of unknown size, which are not counted\n", s.Unknown)
	}
	if len(s.Targets) > 0 {
		fmt.Fprintf(e.out, "foreign functions: %s\n", strings.Join(s.Targets, ", "))
	}
	names := slices.SortedFunc(maps.Keys(s.ByName), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.ByName[b], s.ByName[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(e.out, "%6d %s\n", s.ByName[name], name)
	}
}
