package debug

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// Print prints a line to standard output when the program runs. The format is that of fmt.Printf. Arrays and Go numbers
// are operands: a scalar prints as the Go number it is (%d, %.3f), a larger array as NumPy prints it, with as many digits
// as the verb says. Other arguments are static and are formatted with %v while tracing. A newline is added where the
// format does not end in one. It panics with *trace.Error for arrays of random keys.
func Print(format string, args ...any) { printTo("debug.Print", 0, format, args) }

// Fprint is Print to w, on which lines are written one at a time. Programs keep the writer for as long as the process
// lives. It panics with *trace.Error where w cannot be compared.
func Fprint(w io.Writer, format string, args ...any) {
	if w == nil || !reflect.ValueOf(w).Comparable() {
		panic(array.Wrap("debug.Fprint", array.ArgumentErrorf("a writer of type %T cannot be told from another; give a pointer", w)))
	}
	printTo("debug.Fprint", numberOf(w), format, args)
}

func printTo(op string, writer int, format string, args []any) {
	var operands []*array.Array
	parts := make([]string, len(args))
	for i, a := range args {
		x, isArray := a.(*array.Array)
		if _, named := a.(fmt.Stringer); !isArray && !named {
			var err error
			x, err = array.FromValue(a)
			isArray = err == nil
		}
		if !isArray {
			parts[i] = strconv.Quote(fmt.Sprint(a))
			continue
		}
		if x != nil && x.DType().IsKey() {
			panic(array.Wrap(op, array.DTypeErrorf("argument %d is an array of random keys; print its data", i)))
		}
		operands = append(operands, x)
		parts[i] = "*"
	}
	primitive.BindAll(PrintP{Format: format, Args: strings.Join(parts, " "), Writer: writer}, operands...)
}

// PrintP prints one line, or one for each index of Loops.
//
//	operands [Loops..., ...]  any dtype but keys   →   no result
type PrintP struct {
	Format string
	Args   string     // the arguments in order: * is the next operand, a quoted string is static
	Writer int        // number of the writer, 0 for standard output
	Loops  array.Ints // the sizes of axes that vmap mapped, outermost first; all operands lead with them
}

// Name implements primitive.Primitive.
func (PrintP) Name() string { return "debug_print" }

// Params implements primitive.Parametric.
func (p PrintP) Params() []primitive.Param {
	params := []primitive.Param{{Name: "fmt", Value: strconv.Quote(p.Format)}, {Name: "ordered", Value: true}}
	if p.Loops.Len() > 0 {
		params = append(params, primitive.Param{Name: "loops", Value: p.Loops})
	}
	return params
}

// Shape implements primitive.Primitive.
func (p PrintP) Shape(in []array.Aval) ([]array.Aval, error) {
	for i, a := range in {
		if n := p.Loops.Len(); len(a.Shape) < n || !a.Shape[:n].Equal(p.Loops.Shape()) {
			return nil, array.ShapeErrorf("operand %d is %s, it must lead with the axes %s", i, a, p.Loops)
		}
	}
	return nil, nil
}

// Effect implements primitive.Effectful.
func (PrintP) Effect() primitive.Effect { return primitive.Ordered }

// JVP prints the primal values.
func (p PrintP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) {
	primitive.BindAll(p, x...)
	return nil, nil, nil
}

// Batch puts the mapped axis in front of all operands and prints a line for each of its elements.
func (p PrintP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	moved := make([]*array.Array, len(in))
	for i, x := range in {
		if dims[i] < 0 {
			axes := make([]int, x.Rank())
			for k := range axes {
				axes[k] = k + 1
			}
			moved[i] = primitive.BroadcastInDim(x, x.Shape().Insert(0, size), axes)
			continue
		}
		perm := []int{dims[i]}
		for k := range x.Rank() {
			if k != dims[i] {
				perm = append(perm, k)
			}
		}
		moved[i] = primitive.Transpose(x, perm)
	}
	p.Loops = array.MakeInts(append([]int{size}, p.Loops.Slice()...)...)
	primitive.BindAll(p, moved...)
	return nil, nil, nil
}

// Lower writes a custom call of the handler in this package.
func (p PrintP) Lower(b *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	loops := array.NewBuffer(array.Int64, array.Shape{p.Loops.Len()})
	for i, n := range p.Loops.Slice() {
		loops.SetInt(i, int64(n))
	}
	attrs := hlo.Attrs{}.
		Set("api_version", hlo.I32(4)).
		Set("backend_config", hlo.Dict(hlo.Attrs{}.
			Set("args", hlo.Str(p.Args)).
			Set("fmt", hlo.Str(p.Format)).
			Set("loops", &hlo.Dense{Type: hlo.Tensor{Shape: loops.Shape(), Elem: array.Int64}, Data: loops}).
			Set("writer", hlo.Int{Value: int64(p.Writer), Type: "i64"}))).
		Set("call_target_name", hlo.Str(target)).
		Set("has_side_effect", hlo.Bool(true))
	return b.Append(&hlo.Op{Name: "stablehlo.custom_call", Operands: in, Attrs: attrs}).Results, nil
}
