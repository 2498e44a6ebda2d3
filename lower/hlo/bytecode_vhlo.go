package hlo

import (
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// The VHLO dialect in bytecode: StableHLO's types and attributes under codes that never change their meaning. They are
// read as what they stand for; what an attribute of an operation becomes is in vhlo.go.

// The codes of VHLO attributes.
const (
	vaArray           = 1
	vaBool            = 2
	vaComparison      = 3
	vaComparisonType  = 4
	vaAPIVersion      = 5
	vaDictionary      = 6
	vaFFT             = 7
	vaFloat           = 8
	vaInteger         = 9
	vaOutputAlias     = 10
	vaPrecision       = 11
	vaRNGAlgorithm    = 12
	vaRNGDistribution = 13
	vaString          = 14
	vaTensor          = 15
	vaTranspose       = 16
	vaType            = 17
	vaBounds          = 18
	vaAccuracyMode    = 19
	vaAccuracy        = 20
	vaSubAxis         = 21
	vaAxisRef         = 22
	vaMeshGroups      = 23
	vaMeshAxis        = 24
	vaMesh            = 25
)

// vhloEnum is an enumeration: its code, its kind in StableHLO and the values by their numbers.
type vhloEnum struct {
	code   uint64
	kind   string
	values []string
}

var vhloEnums = []vhloEnum{
	{vaComparison, "comparison_direction", []string{"EQ", "NE", "GE", "GT", "LE", "LT"}},
	{vaComparisonType, "comparison_type", []string{"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
	{vaFFT, "fft_type", []string{"FFT", "IFFT", "RFFT", "IRFFT"}},
	{vaPrecision, "precision", []string{"DEFAULT", "HIGH", "HIGHEST"}},
	{vaRNGAlgorithm, "rng_algorithm", []string{"DEFAULT", "THREE_FRY", "PHILOX"}},
	{vaRNGDistribution, "rng_distribution", []string{"", "UNIFORM", "NORMAL"}},
	{vaTranspose, "transpose", []string{"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
	{vaAccuracyMode, accuracyMode, []string{"DEFAULT", "HIGHEST", "TOLERANCE"}},
}

const accuracyMode = "result_accuracy_mode"

// The codes of VHLO types that are made of others; the rest is in vhloScalars.
const (
	vtComplex            = 1
	vtFunction           = 8
	vtTensor             = 20
	vtTensorWithEncoding = 21
	vtToken              = 22
	vtTuple              = 23
	vtQuantized          = 24
	vtUnrankedTensor     = 25
	vtWitness            = 26
	vtQuantizedPerAxis   = 30
	vtBuffer             = 41
	vtFuture             = 42
)

// vhloScalars are the types of one name by their codes.
var vhloScalars = map[uint64]string{
	0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index",
	31: "i2", 10: "i4", 11: "i8", 12: "i16", 13: "i32", 14: "i64",
	32: "ui2", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64",
	27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 33: "none", 34: "tf32", 35: "f8E4M3", 36: "f8E3M4",
	37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}

const witness = "!shape.witness"

func (r *bytecodeReader) vhloAttr(c *cursor) Attr {
	code := c.varint()
	switch code {
	case vaArray:
		return Array(r.attrList(c))
	case vaBool:
		return Bool(c.varint() != 0)
	case vaAPIVersion:
		v := r.small(c)
		if v > typedFFI {
			c.fail("the API version %d of custom calls is not known", v)
		}
		return I32(v)
	case vaDictionary:
		d := make(Attrs, c.count("attributes"))
		for i := range d {
			d[i].Name = r.stringAttr(c)
			d[i].Value = r.attr(c)
		}
		return Dict(r.dictionary(c, d))
	case vaFloat, vaInteger:
		return r.number(c)
	case vaOutputAlias:
		var a OutputAlias
		a.OutputTuple = r.signedList(c)
		a.Operand = r.index(c, c.signed())
		a.OperandTuple = r.signedList(c)
		return a
	case vaString:
		return String{r.string(c)}
	case vaTensor:
		t := r.typ(c)
		return r.dense(c, t, c.bytes(c.varint()))
	case vaType:
		return TypeAttr{r.typ(c)}
	case vaBounds:
		return Bounds(r.signedList(c))
	case vaAccuracy:
		var a ResultAccuracy
		a.ATol = math.Float64frombits(c.fixed(64))
		a.RTol = math.Float64frombits(c.fixed(64))
		a.ULPs = c.signed()
		mode, ok := r.attr(c).(Enum)
		if !ok || mode.Kind != accuracyMode {
			c.fail("the mode of an accuracy is to stand here")
		}
		a.Mode = mode.Value
		return a
	case vaSubAxis:
		return subAxis{c.signed(), c.signed()}
	case vaAxisRef:
		a := AxisRef{Name: r.stringAttr(c)}
		if c.varint() != 0 {
			s, ok := r.attr(c).(subAxis)
			if !ok {
				c.fail("a part of an axis is to stand here")
			}
			a.PreSize, a.Size = s.pre, s.size
		}
		return a
	case vaMeshGroups:
		return r.meshGroups(c)
	case vaMeshAxis:
		return MeshAxis{r.stringAttr(c), c.signed()}
	case vaMesh:
		var m Mesh
		axes, ok := r.attr(c).(Array)
		for _, x := range axes {
			axis, isAxis := x.(MeshAxis)
			ok = ok && isAxis
			m.Axes = append(m.Axes, axis)
		}
		if !ok {
			c.fail("the axes of a mesh are to stand here")
		}
		m.DeviceIDs = r.optionalAttr(c)
		return m
	}
	for _, e := range vhloEnums {
		if e.code == code {
			v := c.varint()
			if v >= uint64(len(e.values)) || e.values[v] == "" {
				c.fail("%s has no value %d", e.kind, v)
			}
			return Enum{"stablehlo", e.kind, e.values[v]}
		}
	}
	c.fail("the VHLO attribute %d is not known", code)
	return nil
}

// subAxis is a part of an axis of a mesh; it only stands inside an AxisRef.
type subAxis struct{ pre, size int64 }

func (subAxis) isAttr() {}

func (r *bytecodeReader) meshGroups(c *cursor) Attr {
	var g MeshGroups
	switch mesh := r.attr(c).(type) {
	case String:
		g.Mesh = Symbol{[]string{mesh.Value}}
	case Mesh:
		g.Mesh = mesh
	default:
		c.fail("a mesh is to stand here")
	}
	axes, ok := r.attr(c).(Array)
	for _, x := range axes {
		axis, isAxis := x.(AxisRef)
		ok = ok && isAxis
		g.Axes = append(g.Axes, axis)
	}
	if !ok {
		c.fail("axes of a mesh are to stand here")
	}
	return g
}

// index checks a number that counts or places something.
func (r *bytecodeReader) index(c *cursor, v int64) int {
	if v == math.MinInt64 {
		return Dynamic
	}
	if v > maxElements || v < -maxElements {
		c.fail("%d is out of range", v)
	}
	return int(v)
}

func (r *bytecodeReader) signedList(c *cursor) []int {
	list := make([]int, c.count("numbers"))
	for i := range list {
		list[i] = r.index(c, c.signed())
	}
	return list
}

func (r *bytecodeReader) vhloType(c *cursor, e *entry) {
	code := c.varint()
	switch code {
	case vtComplex:
		e.typ = Scalar{r.around(c, "complex<")}
	case vtFunction:
		in := r.typeList(c)
		e.typ = FuncType{in, r.typeList(c)}
	case vtTensor:
		e.typ = r.tensor(c, r.shape(c), nil)
	case vtTensorWithEncoding:
		encoding := r.attr(c)
		e.typ = r.tensor(c, r.shape(c), encoding)
	case vtToken:
		e.typ = Token{}
	case vtTuple:
		e.typ = Tuple{r.typeList(c)}
	case vtFuture:
		e.typ = Future{r.typeList(c)}
	case vtQuantized, vtQuantizedPerAxis:
		e.quant = r.quantized(c, code == vtQuantizedPerAxis)
		e.typ = Opaque{e.quant.String()}
	case vtUnrankedTensor:
		e.typ = Opaque{r.around(c, "tensor<*x")}
	case vtWitness:
		e.typ = Opaque{witness}
	case vtBuffer:
		t := r.tensor(c, r.shape(c), nil).String()
		e.typ = Opaque{r.word("memref" + strings.TrimPrefix(t, "tensor"))}
	default:
		name, ok := vhloScalars[code]
		if !ok {
			c.fail("the VHLO type %d is not known", code)
		}
		e.typ = Scalar{name}
	}
}

// quantized reads a quantized element type. The storage type is signless: a flag says whether it is signed.
func (r *bytecodeReader) quantized(c *cursor, perAxis bool) *Quantized {
	q := &Quantized{Axis: -1}
	signed := c.varint()&1 != 0
	storage, express := r.elemName(c, r.typ(c)), r.elemName(c, r.typ(c))
	if !signed && !strings.HasPrefix(storage, "ui") {
		storage = "u" + storage
	}
	var ok1, ok2 bool
	q.Storage, ok1 = elementTypes[storage]
	q.Expressed, ok2 = elementTypes[express]
	if !ok1 || !ok2 || !q.Storage.IsInteger() || !q.Expressed.IsFloat() {
		c.fail("%s cannot be quantized as %s", express, storage)
	}
	if perAxis {
		if q.Axis = r.small(c); q.Axis > maxRank {
			c.fail("the quantized axis %d is out of range", q.Axis)
		}
		q.Min, q.Max = c.signed(), c.signed()
		for range c.count("scales") {
			q.Scales = append(q.Scales, math.Float64frombits(c.fixed(64)))
		}
		for range c.count("zero points") {
			q.ZeroPoints = append(q.ZeroPoints, c.signed())
		}
		if len(q.Scales) != len(q.ZeroPoints) {
			c.fail("%d scales and %d zero points", len(q.Scales), len(q.ZeroPoints))
		}
	} else {
		q.Scales = []float64{math.Float64frombits(c.fixed(64))}
		q.ZeroPoints = []int64{c.signed()}
		q.Min, q.Max = c.signed(), c.signed()
	}
	low, high := storageRange(q.Storage)
	if q.Min < low || q.Max > high || q.Min > q.Max {
		c.fail("the range %d:%d does not fit %s", q.Min, q.Max, storage)
	}
	q.HasRange = q.Min != low || q.Max != high
	return q
}

// storageRange is the range of an integer type, as far as it fits 64 signed bits.
func storageRange(d array.DType) (low, high int64) {
	if width := d.Bits(); d.Kind() == array.KindInt {
		return -1 << (width - 1), 1<<(width-1) - 1
	} else {
		return 0, 1<<min(width, 63) - 1
	}
}

// enumOf finds the enumeration of a kind.
func enumOf(kind string) *vhloEnum {
	i := slices.IndexFunc(vhloEnums, func(e vhloEnum) bool { return e.kind == kind })
	if i < 0 {
		return nil
	}
	return &vhloEnums[i]
}
