package np

import (
	"math/bits"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Option is a keyword argument. Each function says which it takes; any other is an ArgumentError.
type Option struct {
	kind option
	set  func(*settings)
}

type option uint32

const (
	optAxis option = 1 << iota
	optKeepDims
	optDType
	optInitial
	optWhere
	optDDof
	optWeights
	optMode
	optMethod
	optSize
	optFill
	optRight
	optDescending
	optEqualNaN
	optTolerance
	optDensity
	optEndpoint
	optRange
	optBefore
	optAfter
	optDistinctNaN
	optSizes
)

var optionNames = [...]string{"Axis", "KeepDims", "As", "Initial", "Masked", "DDof", "Weights", "Mode", "Method", "Length",
	"FillValue", "Right", "Descending", "EqualNaN", "Tolerance", "Density", "NoEndpoint", "Range", "Before", "After", "DistinctNaN", "Lengths"}

type settings struct {
	given      option
	axes       []int
	keepDims   bool
	dtype      DType
	initial    any
	where      any
	ddof       float64
	weights    any
	mode       string
	method     string
	size       int
	sizes      any
	fill       any
	right      bool
	descending bool
	equalNaN   bool
	rtol, atol float64
	density    bool
	noEndpoint bool
	lo, hi     any
	before     any
	after      any
	distinct   bool
}

// Axis names the axes that a function works over; negative ones count from the end.
func Axis(axes ...int) Option {
	return Option{optAxis, func(s *settings) { s.axes = append([]int{}, axes...) }}
}

// KeepDims keeps the reduced axes with size 1.
func KeepDims() Option { return Option{optKeepDims, func(s *settings) { s.keepDims = true }} }

// As sets the dtype of the computation and its result.
func As(d DType) Option { return Option{optDType, func(s *settings) { s.dtype = d }} }

// Initial is a number that a reduction starts from.
func Initial(v any) Option { return Option{optInitial, func(s *settings) { s.initial = v }} }

// Masked lets a reduction see only the elements where mask, a bool array that broadcasts to the operand, is true: NumPy's
// keyword where.
func Masked(mask any) Option { return Option{optWhere, func(s *settings) { s.where = mask }} }

// DDof is subtracted from the count that a variance divides by: 1 gives the unbiased estimate.
func DDof(n float64) Option { return Option{optDDof, func(s *settings) { s.ddof = n }} }

// Weights gives each element a weight.
func Weights(w any) Option { return Option{optWeights, func(s *settings) { s.weights = w }} }

// Mode chooses among the ways a function has to treat edges or positions out of bounds: see there.
func Mode(name string) Option { return Option{optMode, func(s *settings) { s.mode = name }} }

// Method chooses among the ways a function has to compute its result: see there.
func Method(name string) Option { return Option{optMethod, func(s *settings) { s.method = name }} }

// Length fixes the size of a result that depends on the values, which tracing needs: what is too much is cut off, what
// is missing is filled with FillValue. It is JAX's keyword size.
func Length(n int) Option { return Option{optSize, func(s *settings) { s.size = n }} }

// Lengths are the numbers of elements next to the edges that Pad takes a value of: one number, a pair (before, behind), or
// a pair for each axis.
func Lengths(v any) Option { return Option{optSizes, func(s *settings) { s.sizes = v }} }

// FillValue is what stands where there is no value: behind the results that fill a Length, or for positions out of
// bounds.
func FillValue(v any) Option { return Option{optFill, func(s *settings) { s.fill = v }} }

// Right makes intervals closed on their right side: NumPy's side="right" and right=True.
func Right() Option { return Option{optRight, func(s *settings) { s.right = true }} }

// Descending sorts the largest first.
func Descending() Option { return Option{optDescending, func(s *settings) { s.descending = true }} }

// EqualNaN lets a NaN equal a NaN.
func EqualNaN() Option { return Option{optEqualNaN, func(s *settings) { s.equalNaN = true }} }

// DistinctNaN makes each NaN a value of its own.
func DistinctNaN() Option {
	return Option{optDistinctNaN, func(s *settings) { s.distinct = true }}
}

// Tolerance sets the relative and absolute tolerance of a comparison, 1e-5 and 1e-8 otherwise.
func Tolerance(rtol, atol float64) Option {
	return Option{optTolerance, func(s *settings) { s.rtol, s.atol = rtol, atol }}
}

// Density divides a histogram by its sum and the widths of its bins.
func Density() Option { return Option{optDensity, func(s *settings) { s.density = true }} }

// NoEndpoint leaves the last point of a sequence out: NumPy's endpoint=False.
func NoEndpoint() Option { return Option{optEndpoint, func(s *settings) { s.noEndpoint = true }} }

// Range is the interval that a histogram divides.
func Range(lo, hi any) Option { return Option{optRange, func(s *settings) { s.lo, s.hi = lo, hi }} }

// Before puts values at the front of what is worked on.
func Before(v any) Option { return Option{optBefore, func(s *settings) { s.before = v }} }

// After puts values behind what is worked on.
func After(v any) Option { return Option{optAfter, func(s *settings) { s.after = v }} }

// gather applies options and refuses those that op does not take.
func gather(op string, opts []Option, allowed option) *settings {
	s := &settings{rtol: 1e-5, atol: 1e-8}
	for _, o := range opts {
		if o.set == nil || o.kind&allowed == 0 {
			var names []string
			for i, n := range optionNames {
				if allowed>>i&1 == 1 {
					names = append(names, n)
				}
			}
			name := "the zero Option"
			if o.set != nil {
				name = optionNames[bits.TrailingZeros32(uint32(o.kind))]
			}
			fail(op, array.ArgumentErrorf("does not take %s; it takes %s", name, strings.Join(names, ", ")))
		}
		s.given |= o.kind
		o.set(s)
	}
	return s
}

func (s *settings) has(o option) bool { return s.given&o != 0 }

// axis is the single axis that was given, normalised, or otherwise.
func (s *settings) axis(op string, rank, otherwise int) int {
	if s.has(optAxis) {
		if len(s.axes) != 1 {
			fail(op, array.AxisErrorf("takes one axis, got %d", len(s.axes)))
		}
		otherwise = s.axes[0]
	}
	return normalAxis(op, otherwise, rank)
}

// axesOf are the axes that were given, normalised, or all.
func (s *settings) axesOf(op string, rank int) []int {
	if !s.has(optAxis) {
		return allAxes(rank)
	}
	axes, err := array.NormalAxes(s.axes, rank)
	if err != nil {
		fail(op, err)
	}
	return axes
}

func allAxes(rank int) []int {
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

func normalAxis(op string, axis, rank int) int {
	a, err := array.NormalAxis(axis, rank)
	if err != nil {
		fail(op, err)
	}
	return a
}
