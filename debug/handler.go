package debug

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// target is the name of the handler in compiled programs.
const target = "pantograph.debug_print"

func init() {
	if err := ffi.Register(target, ffi.Handler(handle)); err != nil {
		panic(err)
	}
}

// writers are the writers that programs print to, by number less one. Compiled programs name a writer by its number, as
// they name handlers by their targets. mu guards both fields, and writing.
var writers struct {
	mu   sync.Mutex
	list []io.Writer
}

func numberOf(w io.Writer) int {
	writers.mu.Lock()
	defer writers.mu.Unlock()
	for i, v := range writers.list {
		if v == w {
			return i + 1
		}
	}
	writers.list = append(writers.list, w)
	return len(writers.list)
}

// handle prints the lines of one call.
func handle(_ ffi.Context, operands, _ []ffi.Buffer, attrs hlo.Attrs) error {
	format, _ := attrs.Get("fmt").(hlo.String)
	args, _ := attrs.Get("args").(hlo.String)
	loops, _ := attrs.Get("loops").(*hlo.Dense)
	writer, _ := attrs.Get("writer").(hlo.Int)
	axes, lines := 0, 1
	if loops != nil {
		axes = loops.Data.Len()
		for i := range axes {
			lines *= int(loops.Data.Int(i))
		}
	}
	var text strings.Builder
	for line := range lines {
		values, err := arguments(args.Value, operands, axes, line)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, format.Value, values...)
		if !strings.HasSuffix(format.Value, "\n") {
			text.WriteByte('\n')
		}
	}
	writers.mu.Lock()
	defer writers.mu.Unlock()
	w := io.Writer(os.Stdout)
	if n := int(writer.Value); n > 0 && n <= len(writers.list) {
		w = writers.list[n-1]
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// arguments are what fmt gets for one line: the operands, without the axes that lines are counted over, and the static
// arguments between them.
func arguments(args string, operands []ffi.Buffer, axes, line int) ([]any, error) {
	var values []any
	for args = strings.TrimSpace(args); args != ""; args = strings.TrimSpace(args) {
		if rest, ok := strings.CutPrefix(args, "*"); ok && len(operands) > 0 {
			b := operands[0]
			shape := b.Shape()[axes:]
			size := shape.Size() * b.DType().Size()
			element, err := array.WrapBuffer(b.DType(), shape, b.Bytes()[line*size:(line+1)*size])
			if err != nil {
				return nil, err
			}
			values = append(values, operand{array.Of(element)})
			operands, args = operands[1:], rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(args)
		if err != nil {
			return nil, fmt.Errorf("%s: arguments %q: %w", target, args, err)
		}
		s, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		values, args = append(values, s), args[len(quoted):]
	}
	return values, nil
}

// operand is an array as fmt prints it.
type operand struct{ x *array.Array }

// Format implements fmt.Formatter.
func (o operand) Format(s fmt.State, verb rune) {
	switch precision, set := s.Precision(); {
	case verb == 'v' || verb == 's':
		fmt.Fprintf(s, fmt.FormatString(stringFlags{s}, 's'), o.x.String())
	case o.x.Rank() == 0:
		fmt.Fprintf(s, fmt.FormatString(s, verb), o.x.Item())
	case set:
		io.WriteString(s, o.x.Text(array.PrintOptions{Precision: precision}))
	default:
		io.WriteString(s, o.x.String())
	}
}

// stringFlags is the state of %-10v for printing a string: width and - count, precision and other flags do not.
type stringFlags struct{ fmt.State }

func (stringFlags) Precision() (int, bool) { return 0, false }
func (f stringFlags) Flag(c int) bool      { return c == '-' && f.State.Flag(c) }
