package linalg

import (
	"math"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// lapackP is one call of a routine of LAPACK by the reference's convention: the arrays of most axes lie column by column,
// attributes are characters. It occurs in lowerings only.
type lapackP struct {
	Routine string // with ? for the letter of the type and, where they differ, both names: or|un
	Out     array.Avals
	Aliases array.Ints // pairs of operand and result
	Attrs   [3]attr
}

type attr struct {
	Name  string
	Value any // uint8 or int32
}

// char is an attribute that is a character.
func char(name string, c byte) attr { return attr{name, c} }

// flagChar is the first character where cond, else the second.
func flagChar(name string, cond bool, yes, no byte) attr {
	if cond {
		return char(name, yes)
	}
	return char(name, no)
}

// Name implements primitive.Primitive.
func (p lapackP) Name() string { return "lapack_" + p.Routine }

// Shape implements primitive.Primitive.
func (p lapackP) Shape([]array.Aval) ([]array.Aval, error) { return p.Out.Slice(), nil }

var letters = map[array.DType]string{array.Float32: "s", array.Float64: "d", array.Complex64: "c", array.Complex128: "z"}

// Lower implements primitive.Lowerable.
func (p lapackP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if b.Platform != "cpu" {
		return nil, array.ArgumentErrorf("the routine %s of LAPACK runs on cpu only; compile this part of the program for it", p.Routine)
	}
	d := in[0].Aval().DType
	name := p.Routine
	if forReal, rest, ok := strings.Cut(name, "|"); ok {
		forComplex, tail := rest[:2], rest[2:]
		if name = forReal + tail; d.IsComplex() {
			name = forComplex + tail
		}
	}
	rank := 0
	for _, v := range in {
		rank = max(rank, v.Aval().Shape.Rank())
	}
	order := func(a array.Aval) any {
		n := a.Shape.Rank()
		if n != rank {
			return nil
		}
		minorToMajor := []int{n - 2, n - 1}
		for i := n - 3; i >= 0; i-- {
			minorToMajor = append(minorToMajor, i)
		}
		return minorToMajor
	}
	l := ffi.Lowering{Target: "lapack_" + letters[d] + name + "_ffi", Aliases: map[int]int{}}
	for _, v := range in {
		l.OperandLayouts = append(l.OperandLayouts, order(v.Aval()))
	}
	for _, a := range out {
		l.ResultLayouts = append(l.ResultLayouts, order(a))
	}
	for i := 0; i < p.Aliases.Len(); i += 2 {
		l.Aliases[p.Aliases.At(i)] = p.Aliases.At(i + 1)
	}
	attrs := ffi.Attrs{}
	for _, a := range p.Attrs {
		if a.Name != "" {
			attrs[a.Name] = a.Value
		}
	}
	return l.Lower(b, in, out, attrs)
}

// hasLapack reports whether the platform has the routines; where it has not, the factorisations of portable.go serve.
func hasLapack(c trace.Lowering) bool { return c.Builder().Platform == "cpu" }

// call calls the routine with results of the given avals.
func (p lapackP) call(out []array.Aval, in ...*array.Array) []*array.Array {
	p.Out = array.MakeAvals(out...)
	return primitive.BindAll(p, in...)
}

// overwriting are the aliases by which the first result takes the memory of the first operand.
var overwriting = array.MakeInts(0, 0)

// statusOf is the type of the status of each matrix of a.
func statusOf(a array.Aval) array.Aval {
	return array.Aval{Shape: a.Shape[:len(a.Shape)-2], DType: array.Int32}
}

// whereOK is x where ok, one truth for each element of the batch, and NaN elsewhere.
func whereOK(ok, x *array.Array) *array.Array {
	for ok.Rank() < x.Rank() {
		ok = ok.ExpandDims(-1)
	}
	var nan any = math.NaN()
	if x.DType().IsComplex() {
		nan = complex(math.NaN(), math.NaN())
	}
	return np.Where(ok, x, np.Asarray(nan, x.DType()))
}

// lowerFunction lowers what f does with the operands.
func lowerFunction(c trace.Lowering, name string, in []*hlo.Value, f func(in []*array.Array) []*array.Array) ([]*hlo.Value, error) {
	avals := make([]array.Aval, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
	}
	j, err := trace.Record(name, avals, func(in []*array.Array) ([]*array.Array, error) { return f(in), nil })
	if err != nil {
		return nil, err
	}
	var args []*hlo.Value
	for _, x := range j.ConstVals {
		data, err := x.Host()
		if err != nil {
			return nil, err
		}
		args = append(args, c.Builder().Const(data))
	}
	return c.Inline(j.Jaxpr, append(args, in...))
}

// batchLeading is the batch rule of primitives that take and give any axes in front: the batch axis goes first.
func batchLeading(p primitive.Primitive, size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	xs := make([]*array.Array, len(in))
	for i, x := range in {
		xs[i] = leading(x, size, dims[i])
	}
	out := primitive.BindAll(p, xs...)
	return out, make([]int, len(out)), nil
}

// leading is x with its batch axis in front; without one it is repeated.
func leading(x *array.Array, size, dim int) *array.Array {
	if dim < 0 {
		return np.BroadcastTo(x, append(array.Shape{size}, x.Shape()...)...)
	}
	return np.Moveaxis(x, []int{dim}, []int{0})
}

// matrixOperand is the only operand, a stack of matrices.
func matrixOperand(in []array.Aval) (array.Aval, error) {
	if len(in) != 1 {
		return array.Aval{}, array.ArgumentErrorf("takes one operand, got %d", len(in))
	}
	if in[0].Shape.Rank() < 2 {
		return array.Aval{}, array.ShapeErrorf("operand is %s; it must be a matrix or a stack of them", in[0])
	}
	return in[0].Strong(), factorable(in[0].DType)
}

// squareOperand is matrixOperand for square matrices.
func squareOperand(in []array.Aval) (array.Aval, error) {
	a, err := matrixOperand(in)
	if err == nil {
		if m, n := sizes(a.Shape); m != n {
			err = array.ShapeErrorf("operand is %s; its last two axes must have one size", a)
		}
	}
	return a, err
}

// like is a with the axes of each matrix replaced.
func like(a array.Aval, axes ...int) array.Aval {
	a.Shape = append(a.Shape[:len(a.Shape)-2:len(a.Shape)-2], axes...)
	return a
}

// withType is a with another element type.
func withType(a array.Aval, d array.DType) array.Aval {
	a.DType = d
	return a
}
