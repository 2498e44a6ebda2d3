package hlo

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Dot products and convolutions.

func dotOps() []opSpec {
	const convRest = "lhs_dilation:i64s? rhs_dilation:i64s? window_reversal:bools? " +
		"dimension_numbers:conv feature_group_count:i64>=1 batch_group_count:i64>=1 precision_config:precisions?"
	return []opSpec{
		{name: "stablehlo.dot", in: "lhs:fpicq rhs:fpicqQ", out: "result:fpicqQ", attrs: "precision_config:precisions?",
			form: "%0 , %1 <precision> attr-dict : <functional>", check: (*checker).dot},
		{name: "stablehlo.dot_general", in: "lhs:fpicq rhs:fpicqQ", out: "result:fpicqQ",
			attrs: "dot_dimension_numbers:dot precision_config:precisions? algorithm:algorithm?",
			form:  "%0 , %1 , <dot-dims> <precision-algorithm> attr-dict : <functional>", check: (*checker).dotGeneral},
		{name: "stablehlo.convolution", in: "lhs:fpicq rhs:fpicqQ", out: "result:fpicqQ",
			attrs: "window_strides:i64s? padding:i64elements? " + convRest,
			form:  "( %* ) dim_numbers = <conv-dims> , window = { <window> } attr-dict : <functional>", check: (*checker).convolution},
		{name: "stablehlo.dynamic_conv", in: "lhs:fpicq rhs:fpicq padding:i/2s", out: "result:fpicq",
			attrs: "window_strides:i64s? " + convRest, check: (*checker).dynamicConv},
		{name: "stablehlo.einsum", in: "lhs:fpicq rhs:fpicq", out: "result:fpicq", attrs: "einsum_config:str",
			form: "%0 , %1 , config = $einsum_config attr-dict : <functional>"},
		{name: "stablehlo.unary_einsum", in: "operand:fpicq", out: "result:fpicq", attrs: "einsum_config:str",
			form: "%0 , config = $einsum_config attr-dict : <functional>"},
	}
}

// precisionConfig checks the number of precisions: one an operand, or none.
func (c *checker) precisionConfig(constraint string) {
	if list, ok := c.op.Attr("precision_config").(Array); ok {
		c.check(len(list) <= 2, constraint, "%d precisions for two operands", len(list))
	}
}

// dot multiplies vectors and matrices.
func (c *checker) dot(*Op) {
	x, y := c.in(0), c.in(1)
	c.precisionConfig("attribute precision_config")
	m, n := len(x.Shape), len(y.Shape)
	c.check((m == 1 || m == 2) && (n == 1 || n == 2), "C1", "the operands %s and %s are to be vectors or matrices", x, y)
	c.check(compatibleSize(x.Shape[m-1], y.Shape[0]), "C1", "the contracted sizes of %s and %s differ", x, y)
	sizes := x.sizes()[:m-1]
	if n == 2 {
		sizes = append(sizes, y.size(1))
	}
	c.resultShape("C1", x.withSizes(sizes))
}

// resultShape checks the sizes of the result, whose element type is free.
func (c *checker) resultShape(constraint string, inferred Tensor) {
	c.check(compatibleShape(inferred.Shape, c.out(0).Shape), constraint, "the result is %s, from the operands follows the shape %s",
		c.out(0), array.Shape(inferred.Shape))
}

func (c *checker) dotGeneral(o *Op) {
	x, y := c.in(0), c.in(1)
	c.dotDims(x, y, o.Attr("dot_dimension_numbers").(DotDims))
	c.precisionConfig("C11")
	if a, ok := o.Attr("algorithm").(DotAlgorithm); ok {
		c.dotAlgorithm(a)
	}
	d := o.Attr("dot_dimension_numbers").(DotDims)
	c.resultShape("C12", x.withSizes(dotSizes(x, y, d)))
	if z := c.out(0); x.Quant != nil || y.Quant != nil || z.Quant != nil {
		if q := y.Quant; q != nil {
			for _, zero := range q.ZeroPoints {
				c.check(zero == 0, "C15", "the zero points of rhs are to be 0, not %d", zero)
			}
			c.check(q.Axis < 0 || !slices.Contains(d.RHSContracting, q.Axis), "C16", "rhs is quantized along %d, which is contracted", q.Axis)
		}
		c.quantizedProduct(productRules{"C14", "C17", "C18", "C19", "C20"}, x, y, z)
	}
}

// dotDims checks which dimensions are batched and contracted.
func (c *checker) dotDims(x, y Tensor, d DotDims) {
	c.check(len(d.LHSBatch) == len(d.RHSBatch), "C1", "%d batching dimensions of lhs, %d of rhs", len(d.LHSBatch), len(d.RHSBatch))
	c.check(len(d.LHSContracting) == len(d.RHSContracting), "C2", "%d contracting dimensions of lhs, %d of rhs",
		len(d.LHSContracting), len(d.RHSContracting))
	c.unique("C3", "the dimensions of lhs", d.LHSBatch, d.LHSContracting)
	c.unique("C4", "the dimensions of rhs", d.RHSBatch, d.RHSContracting)
	c.inRange("C5", "lhs_batching_dimensions", d.LHSBatch, len(x.Shape))
	c.inRange("C6", "lhs_contracting_dimensions", d.LHSContracting, len(x.Shape))
	c.inRange("C7", "rhs_batching_dimensions", d.RHSBatch, len(y.Shape))
	c.inRange("C8", "rhs_contracting_dimensions", d.RHSContracting, len(y.Shape))
	for i, a := range d.LHSBatch {
		b := d.RHSBatch[i]
		c.check(compatibleSize(x.Shape[a], y.Shape[b]), "C9", "batched sizes differ: lhs axis %d has %d, rhs axis %d has %d", a, x.Shape[a], b, y.Shape[b])
	}
	for i, a := range d.LHSContracting {
		b := d.RHSContracting[i]
		c.check(compatibleSize(x.Shape[a], y.Shape[b]), "C10", "contracted sizes differ: lhs axis %d has %d, rhs axis %d has %d", a, x.Shape[a], b, y.Shape[b])
	}
}

// dotSizes are the batched sizes, then what is left of lhs and of rhs.
func dotSizes(x, y Tensor, d DotDims) []size {
	var sizes []size
	for i, a := range d.LHSBatch {
		s, _ := narrowest(x.size(a), y.size(d.RHSBatch[i]))
		sizes = append(sizes, s)
	}
	for i := range x.Shape {
		if !slices.Contains(d.LHSBatch, i) && !slices.Contains(d.LHSContracting, i) {
			sizes = append(sizes, x.size(i))
		}
	}
	for i := range y.Shape {
		if !slices.Contains(d.RHSBatch, i) && !slices.Contains(d.RHSContracting, i) {
			sizes = append(sizes, y.size(i))
		}
	}
	return sizes
}

// knownAlgorithms are the combinations of types and numbers of products that some hardware has.
var knownAlgorithms = map[[3]string][]int{
	{"f16", "f16", "f16"}: {1}, {"f16", "f16", "f32"}: {1}, {"bf16", "bf16", "bf16"}: {1}, {"bf16", "bf16", "f32"}: {1, 3, 6, 9},
	{"tf32", "tf32", "f32"}: {1, 3}, {"f32", "f32", "f32"}: {1}, {"f64", "f64", "f64"}: {1},
}

func (c *checker) dotAlgorithm(a DotAlgorithm) {
	c.check(a.LHSComponents >= 1, "C22", "lhs_component_count is %d, at least 1 is needed", a.LHSComponents)
	c.check(a.RHSComponents >= 1, "C23", "rhs_component_count is %d, at least 1 is needed", a.RHSComponents)
	c.check(a.Primitive >= 1, "C24", "num_primitive_operations is %d, at least 1 is needed", a.Primitive)
	if list, ok := c.op.Attr("precision_config").(Array); ok {
		for _, p := range list {
			c.check(p.(Enum).Value == "DEFAULT", "C21", "with an algorithm the precisions are to be DEFAULT")
		}
	}
	single := a.LHSComponents == 1 && a.RHSComponents == 1
	known := slices.Contains(knownAlgorithms[[3]string{a.LHSPrecision, a.RHSPrecision, a.Accumulation}], a.Primitive) && !a.AllowImprecise
	eight := isEightBitFloat(a.LHSPrecision) && isEightBitFloat(a.RHSPrecision) && a.Accumulation == "f32" && a.Primitive == 1
	c.check(single && (known || eight), "C8", "no hardware is known to have the algorithm %s", AttrString(a))
}

func isEightBitFloat(name string) bool {
	d, ok := elementTypes[name]
	return ok && d.IsFloat() && d.Bits() == 8 && d != array.Float8E8M0FNU
}

// productRules are the constraints on the quantization of a product, by their numbers in one operation.
type productRules struct{ which, storage, expressed, granularity, hybrid string }

func (c *checker) quantizedProduct(r productRules, x, y, z Tensor) {
	c.check(y.Quant != nil && (x.Quant != nil) == (z.Quant != nil), r.which, "rhs is quantized, and lhs exactly when the result is")
	if x.Quant == nil {
		e := y.Quant.Expressed
		c.check(x.Elem == e && z.Elem == e, r.hybrid, "lhs %s and result %s are to have the expressed type %s of rhs", x, z, e.HLO())
		return
	}
	c.check(x.Quant.Storage == y.Quant.Storage, r.storage, "the storage types of %s and %s differ", x, y)
	c.check(x.Quant.Expressed == y.Quant.Expressed && x.Quant.Expressed == z.Quant.Expressed, r.expressed, "the expressed types of %s, %s and %s differ", x, y, z)
	c.check(y.Quant.Axis >= 0 || z.Quant.Axis < 0, r.granularity, "the result is quantized along an axis, rhs is not")
}

func (c *checker) convolution(o *Op) {
	c.convShape(o)
	n := len(o.Attr("dimension_numbers").(ConvDims).InputSpatial)
	c.convResult(o, c.padding("C4", n))
}

func (c *checker) dynamicConv(o *Op) {
	c.convShape(o)
	n := len(o.Attr("dimension_numbers").(ConvDims).InputSpatial)
	p := c.in(2)
	c.check(p.Shape[0] == n && p.Shape[1] == 2, "C4", "the padding is to be of shape [%d,2], not %s", n, p.Shape)
	if values, known := constInts(o.Operands[2]); known {
		c.convResult(o, values)
	}
}

// convShape checks the dimension numbers and groups; both convolutions number their constraints alike.
func (c *checker) convShape(o *Op) {
	x, k, z := c.in(0), c.in(1), c.out(0)
	d := o.Attr("dimension_numbers").(ConvDims)
	rank := len(x.Shape)
	c.check(rank >= 2, "C13", "%s has fewer than 2 dimensions", x)
	c.check(rank == len(k.Shape), "C1", "%s and %s differ in rank", x, k)
	c.check(x.Quant != nil || k.Quant != nil || compatibleElem(x, k), "C27", "the element types of %s and %s differ", x, k)
	n := len(d.InputSpatial)
	c.check(n == len(d.KernelSpatial), "C17", "%d spatial dimensions of the input, %d of the kernel", n, len(d.KernelSpatial))
	c.check(n == len(d.OutputSpatial), "C19", "%d spatial dimensions of the input, %d of the output", n, len(d.OutputSpatial))
	sides := []struct {
		constraint, what string
		dims             []int
	}{{"C13", "input dimensions", append([]int{d.InputBatch, d.InputFeature}, d.InputSpatial...)},
		{"C18", "kernel dimensions", append([]int{d.KernelInputFeature, d.KernelOutputFeature}, d.KernelSpatial...)},
		{"C20", "output dimensions", append([]int{d.OutputBatch, d.OutputFeature}, d.OutputSpatial...)}}
	for _, s := range sides {
		c.inRange(s.constraint, s.what, s.dims, rank)
	}
	for _, s := range sides {
		c.unique(s.constraint, s.what, s.dims)
	}
	c.check(rank == n+2, "C12", "%d spatial dimensions for rank %d", n, rank)
	features, batches := c.int("feature_group_count", 1), c.int("batch_group_count", 1)
	c.check(features == 1 || batches == 1, "C23", "feature_group_count %d and batch_group_count %d are not both above 1", features, batches)
	inBatch, inFeatures := x.Shape[d.InputBatch], x.Shape[d.InputFeature]
	kernelIn, kernelOut := k.Shape[d.KernelInputFeature], k.Shape[d.KernelOutputFeature]
	c.check(inBatch < 0 || inBatch%batches == 0, "C10", "%d input batches in %d groups", inBatch, batches)
	c.check(inFeatures < 0 || inFeatures%features == 0, "C11", "%d input features in %d groups", inFeatures, features)
	c.check(inFeatures < 0 || kernelIn < 0 || inFeatures/features == kernelIn, "C14", "%d input features in %d groups, the kernel takes %d",
		inFeatures, features, kernelIn)
	c.check(kernelOut < 0 || kernelOut%batches == 0, "C15", "%d output features in %d batch groups", kernelOut, batches)
	c.check(kernelOut < 0 || kernelOut%features == 0, "C16", "%d output features in %d feature groups", kernelOut, features)
	c.precisionConfig("C24")
	if x.Quant != nil || k.Quant != nil || z.Quant != nil {
		c.convQuantized(x, k, z, d)
	}
}

func (c *checker) convQuantized(x, k, z Tensor, d ConvDims) {
	if k.Quant != nil && k.Quant.Axis >= 0 {
		c.check(k.Quant.Axis == d.KernelOutputFeature, "C29", "the kernel is quantized along %d, its output features are %d", k.Quant.Axis, d.KernelOutputFeature)
	}
	if z.Quant != nil && z.Quant.Axis >= 0 {
		c.check(z.Quant.Axis == d.OutputFeature, "C30", "the result is quantized along %d, its features are %d", z.Quant.Axis, d.OutputFeature)
	}
	c.quantizedProduct(productRules{"C28", "C31", "C32", "C33", "C34"}, x, k, z)
}

// convResult checks the window and the result's sizes.
func (c *checker) convResult(o *Op, padding []int) {
	x, k := c.in(0), c.in(1)
	d := o.Attr("dimension_numbers").(ConvDims)
	dims := make([]int, len(d.KernelSpatial))
	for i, a := range d.KernelSpatial {
		dims[i] = k.Shape[a]
	}
	w := c.window(windowRules{strides: "window_strides", base: "lhs_dilation", dilations: "rhs_dilation", positive: "C12",
		strideCount: "C2", stridePositive: "C3", baseCount: "C5", basePositive: "C6", dilationCount: "C7", dilationPositive: "C8",
		paddingCount: "C4", reversal: "C9", reversalName: "window_reversal"}, dims)
	sizes := make([]size, len(x.Shape))
	for i := range sizes {
		sizes[i] = size{Dynamic, Dynamic}
	}
	for i := range w {
		w[i].lo, w[i].hi = padding[2*i], padding[2*i+1]
		sizes[d.OutputSpatial[i]].n = w[i].positions(x.Shape[d.InputSpatial[i]])
	}
	if n := x.Shape[d.InputBatch]; n >= 0 {
		sizes[d.OutputBatch].n = n / c.int("batch_group_count", 1)
	}
	sizes[d.OutputFeature].n = k.Shape[d.KernelOutputFeature]
	c.resultShape("C25", x.withSizes(sizes))
}
