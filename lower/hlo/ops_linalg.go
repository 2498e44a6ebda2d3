package hlo

import "github.com/pantograph-go/pantograph/array"

// Factorisations, transforms and batch normalisation.

func linalgOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.cholesky", in: "a:fcq", out: "result:fcq", attrs: "lower:bool?",
			form: "%0 ( , lower = $lower )? attr-dict : <same>", check: (*checker).cholesky},
		{name: "stablehlo.triangular_solve", in: "a:fc b:fc", out: "result:fc",
			attrs: "left_side:bool lower:bool unit_diagonal:bool transpose_a:transpose", check: (*checker).triangularSolve},
		{name: "stablehlo.fft", in: "operand:fc", out: "result:fc", attrs: "fft_type:fft_type fft_length:i64s",
			form: "%0 , type = $fft_type , length = $fft_length attr-dict : <functional>", check: (*checker).fft},
		{name: "stablehlo.batch_norm_inference", in: "operand:fq scale:fq/1 offset:fq/1 mean:fq/1 variance:fq/1", out: "result:fq",
			attrs: "epsilon:f32 feature_index:i64>=0", check: (*checker).batchNorm},
		{name: "stablehlo.batch_norm_training", in: "operand:fq scale:fq/1 offset:fq/1",
			out: "output:fq batch_mean:fq/1 batch_var:fq/1", attrs: "epsilon:f32 feature_index:i64>=0", check: (*checker).batchNorm},
		{name: "stablehlo.batch_norm_grad", in: "operand:fq scale:fq/1 mean:fq/1 variance:fq/1 grad_output:fq",
			out: "grad_operand:fq grad_scale:fq/1 grad_offset:fq/1", attrs: "epsilon:f32 feature_index:i64>=0", check: (*checker).batchNorm},
	}
}

func (c *checker) cholesky(*Op) {
	a := c.in(0)
	n := len(a.Shape)
	c.check(n >= 2, "C2", "%s is no matrix", a)
	c.check(compatibleSize(a.Shape[n-2], a.Shape[n-1]), "C3", "the matrix %s is not square", a)
	c.compatibleElems("C1")
	c.result(0, "C1", a)
}

func (c *checker) triangularSolve(*Op) {
	a, b := c.in(0), c.in(1)
	n := len(a.Shape)
	c.compatibleElems("C1")
	c.check(n >= 2, "C2", "%s is no matrix", a)
	c.check(compatibleSize(a.Shape[n-2], a.Shape[n-1]), "C3", "the matrix %s is not square", a)
	c.check(n == len(b.Shape), "C2", "%s and %s differ in rank", a, b)
	side := n - 1
	if c.bool("left_side") {
		side = n - 2
	}
	c.check(compatibleSize(a.Shape[n-1], b.Shape[side]), "C3", "dimension %d of %s does not fit %s", side, b, a)
	c.check(compatibleShape(a.Shape[:n-2], b.Shape[:n-2]), "C3", "%s and %s are batched differently", a, b)
	c.check(c.op.Attr("transpose_a").(Enum).Value != "TRANSPOSE_INVALID", "attribute transpose_a", "it is to be NO_TRANSPOSE, TRANSPOSE or ADJOINT")
	c.result(0, "C4", b)
}

func (c *checker) fft(o *Op) {
	x, length := c.in(0), c.ints("fft_length")
	n, rank := len(length), len(x.Shape)
	c.check(n >= 1 && n <= 3, "C3", "a transform of %d dimensions, 1 to 3 are possible", n)
	kind := o.Attr("fft_type").(Enum).Value
	y := x
	switch kind {
	case "RFFT":
		c.check(x.Elem == array.Float32 || x.Elem == array.Float64, "C2", "RFFT takes f32 or f64, not %s", x.Elem.HLO())
		y = x.With(x.Elem.Complex())
	default:
		c.check(x.Elem.IsComplex(), "C2", "%s takes complex numbers, not %s", kind, x.Elem.HLO())
		if kind == "IRFFT" {
			y = x.With(x.Elem.Real())
		}
	}
	c.check(rank >= n, "C1", "a transform of %d dimensions of %s", n, x)
	sizes := x.sizes()
	last, inner := length[n-1], x.Shape[rank-n:]
	for i, m := range length {
		c.check(m >= 0 && m <= maxElements, "C3", "the length %d in dimension %d is out of range", m, i)
		if kind == "RFFT" || kind == "IRFFT" && i < n-1 {
			c.check(compatibleSize(inner[i], m), "C4", "dimension %d of %s has size %s, the length is %d", rank-n+i, x, sizeText(inner[i]), m)
		}
	}
	switch kind {
	case "RFFT":
		if last != 0 {
			sizes[rank-1] = size{last/2 + 1, Dynamic}
		}
	case "IRFFT":
		c.check(last == 0 && inner[n-1] == 0 || compatibleSize(inner[n-1], last/2+1), "C5", "the last dimension of %s is to have size %d for the length %d",
			x, last/2+1, last)
		sizes[rank-1] = size{last, Dynamic}
	}
	c.result(0, "C6", y.withSizes(sizes))
}

// batchNorm checks the three normalisations: the operands of rank 1 have the size of the feature dimension.
func (c *checker) batchNorm(o *Op) {
	x, feature := c.in(0), c.int("feature_index", 0)
	alike, count := "C3", "C3"
	if o.Name == "stablehlo.batch_norm_grad" {
		alike, count = "C4", "C5"
	}
	c.compatibleElems("C2")
	c.check(feature < len(x.Shape), "C1", "feature_index %d of %s", feature, x)
	var flat Tensor
	for i := range o.Operands[1:] {
		v := c.in(i + 1)
		if o.Name == "stablehlo.batch_norm_grad" && i == 3 {
			c.check(compatibleShape(x.Shape, v.Shape), "C3", "the shapes of %s and %s differ", x, v)
			continue
		}
		if i == 0 {
			flat = v
		}
		c.check(compatibleShape(flat.Shape, v.Shape), alike, "the shapes of %s and %s differ", flat, v)
	}
	c.check(compatibleSize(flat.Shape[0], x.Shape[feature]), count, "%s has another size than dimension %d of %s", flat, feature, x)
	c.result(0, "C7", x)
	for i := range o.Results[1:] {
		c.result(i+1, "C6", x.withSizes([]size{x.size(feature)}))
	}
}
