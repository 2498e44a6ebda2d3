package linalg

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// Option is a keyword argument. A function panics with an *array.ArgumentError for an option it does not take.
type Option struct {
	name string
	set  func(s *settings)
}

type settings struct {
	upper, lower, asGiven, full, reduced, hermitian, unit, keep bool
	trans                                                       int
	rtol                                                        any
	axes                                                        []int
}

// Upper takes or gives the upper triangle in place of the lower one.
func Upper() Option { return Option{"Upper", func(s *settings) { s.upper = true }} }

// Lower takes the lower triangle in place of the upper one.
func Lower() Option { return Option{"Lower", func(s *settings) { s.lower = true }} }

// AsGiven reads one triangle of the matrix only, instead of the mean of the matrix and its conjugate transpose. The
// derivative is then that of the function of this triangle.
func AsGiven() Option { return Option{"AsGiven", func(s *settings) { s.asGiven = true }} }

// Complete asks for square orthogonal factors.
func Complete() Option { return Option{"Complete", func(s *settings) { s.full = true }} }

// Reduced asks for orthogonal factors with min(m, n) vectors.
func Reduced() Option { return Option{"Reduced", func(s *settings) { s.reduced = true }} }

// Hermitian says that the matrix equals its conjugate transpose.
func Hermitian() Option { return Option{"Hermitian", func(s *settings) { s.hermitian = true }} }

// Transposed solves with the transpose of the matrix.
func Transposed() Option { return Option{"Transposed", func(s *settings) { s.trans = 1 }} }

// Adjoint solves with the conjugate transpose of the matrix.
func Adjoint() Option { return Option{"Adjoint", func(s *settings) { s.trans = 2 }} }

// UnitDiagonal takes the diagonal for ones, whatever it holds.
func UnitDiagonal() Option { return Option{"UnitDiagonal", func(s *settings) { s.unit = true }} }

// RTol sets below which part of the largest singular value the others count as zero.
func RTol(v any) Option { return Option{"RTol", func(s *settings) { s.rtol = v }} }

// Axis names the axes that a norm is over: one for vectors, two for matrices.
func Axis(axes ...int) Option {
	return Option{"Axis", func(s *settings) { s.axes = slices.Clone(axes) }}
}

// KeepDims keeps the axes of a norm, with size 1.
func KeepDims() Option { return Option{"KeepDims", func(s *settings) { s.keep = true }} }

func fail(op string, err error) { panic(array.Wrap("linalg."+op, err)) }

// gather applies the options, of which op takes those named.
func gather(op string, opts []Option, takes ...string) settings {
	var s settings
	for _, o := range opts {
		if !slices.Contains(takes, o.name) {
			fail(op, array.ArgumentErrorf("the option %s is not taken", o.name))
		}
		o.set(&s)
	}
	return s
}

// operands are the arrays with their common type, floating-point or complex and strong.
func operands(op string, vs ...any) []*array.Array {
	xs := make([]any, len(vs))
	for i, v := range vs {
		xs[i] = array.MustValue("linalg."+op, v)
	}
	out := primitive.PromoteInexact(xs...)
	for i, x := range out {
		if x.Aval().Weak {
			out[i] = primitive.Convert(x, x.DType())
		}
		if err := factorable(x.DType()); err != nil {
			fail(op, err)
		}
	}
	return out
}

// matrices is operands for one stack of matrices.
func matrices(op string, v any) *array.Array {
	a := operands(op, v)[0]
	if a.Rank() < 2 {
		fail(op, array.ShapeErrorf("takes matrices, got shape %s", a.Shape()))
	}
	return a
}

// squares is matrices for square ones.
func squares(op string, v any) *array.Array {
	a := matrices(op, v)
	if m, n := sizes(a.Shape()); m != n {
		fail(op, array.ShapeErrorf("takes square matrices [..., n, n], got shape %s", a.Shape()))
	}
	return a
}

// factorable refuses the types without a factorisation.
func factorable(d array.DType) error {
	switch d {
	case array.Float32, array.Float64, array.Complex64, array.Complex128:
		return nil
	}
	return array.DTypeErrorf("matrices of %s are not factored; convert to float32, float64, complex64 or complex128", d)
}

// sizes are those of the last two axes.
func sizes(s array.Shape) (m, n int) { return s[len(s)-2], s[len(s)-1] }

// adjoint is the conjugate transpose of the last two axes.
func adjoint(x *array.Array) *array.Array { return conj(np.MatrixTranspose(x)) }

func conj(x *array.Array) *array.Array {
	if x.DType().IsComplex() {
		return x.Conj()
	}
	return x
}

func realPart(x *array.Array) *array.Array {
	if x.DType().IsComplex() {
		return x.Real()
	}
	return x
}

// symmetrize is the mean of x and its adjoint.
func symmetrize(x *array.Array) *array.Array { return x.Add(adjoint(x)).Div(2) }

// mul is the matrix product in the highest precision of stacks of matrices, which broadcast.
func mul(x, y *array.Array) *array.Array {
	batch, err := array.Broadcast(x.Shape()[:x.Rank()-2], y.Shape()[:y.Rank()-2])
	if err != nil {
		fail("matmul", err)
	}
	x, y = broadcastBatch(x, batch, 2), broadcastBatch(y, batch, 2)
	n := len(batch)
	lead := make([]int, n)
	for i := range lead {
		lead[i] = i
	}
	dims := primitive.Contract([]int{n + 1}, []int{n}).WithBatch(lead, lead)
	return primitive.Bind(primitive.DotGeneralP{Dims: dims, Precision: primitive.PrecisionHighest}, x, y)
}

// broadcastBatch repeats x so that the axes before the last core ones are batch.
func broadcastBatch(x *array.Array, batch array.Shape, core int) *array.Array {
	return np.BroadcastTo(x, append(batch.Clone(), x.Shape()[x.Rank()-core:]...)...)
}

// eye is the identity as a matrix, which broadcasts against stacks.
func eye(n int, d array.DType) *array.Array { return np.Eye(n, d) }

// diagonal is the diagonal of the last two axes.
func diagonal(x *array.Array) *array.Array { return np.Diagonal(x, 0, np.Axis(-2, -1)) }

// cut is x with the last two axes cut to rows lo to hi and columns left to right.
func cut(x *array.Array, lo, hi, left, right int) *array.Array {
	r := x.Rank()
	start, limit := make([]int, r), x.Shape().Clone()
	start[r-2], start[r-1], limit[r-2], limit[r-1] = lo, left, hi, right
	ones := make([]int, r)
	for i := range ones {
		ones[i] = 1
	}
	return primitive.Slice(x, start, limit, ones)
}

// grown is x with the last two axes padded with zeros behind to rows × cols.
func grown(x *array.Array, rows, cols int) *array.Array {
	m, n := sizes(x.Shape())
	pads := make([]primitive.PadDim, x.Rank())
	pads[x.Rank()-2].Hi, pads[x.Rank()-1].Hi = rows-m, cols-n
	return primitive.Pad(x, primitive.Full(array.Aval{DType: x.DType()}, 0), pads)
}

// permuteRows is x with row i of each matrix being row order[i].
func permuteRows(x, order *array.Array) *array.Array {
	return np.TakeAlongAxis(x, order.ExpandDims(-1), np.Axis(-2))
}
