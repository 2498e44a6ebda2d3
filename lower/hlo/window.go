package hlo

import "github.com/pantograph-go/pantograph/array"

// Windows that slide over a tensor: reduce_window, select_and_scatter, convolution.

// window is one dimension of a window.
type window struct{ size, stride, lo, hi, base, dilation int }

// windowRules are the names of a window's attributes and the constraints on them in one operation.
type windowRules struct {
	strides, base, dilations             string // attributes, empty where the operation has none
	count, positive                      string // constraints: of the dimensions
	strideCount, stridePositive          string
	baseCount, basePositive              string
	dilationCount, dilationPositive      string
	paddingCount, reversal, reversalName string
}

// window checks the attributes and joins them with the window's sizes.
func (c *checker) window(r windowRules, dims []int) []window {
	n := len(dims)
	list := func(attr, constraint, positive string) []int {
		v := c.ints(attr)
		if attr == "" || v == nil || len(v) == 0 {
			v = make([]int, n)
			for i := range v {
				v[i] = 1
			}
		}
		c.check(len(v) == n, constraint, "%d %s for a window of %d dimensions", len(v), attr, n)
		for i, x := range v {
			c.check(x > 0, positive, "%s has %d in dimension %d", attr, x, i)
		}
		return v
	}
	for i, d := range dims {
		c.check(d == Dynamic || d > 0, r.positive, "the window has size %d in dimension %d", d, i)
	}
	strides := list(r.strides, r.strideCount, r.stridePositive)
	base := list(r.base, r.baseCount, r.basePositive)
	dilations := list(r.dilations, r.dilationCount, r.dilationPositive)
	padding := c.padding(r.paddingCount, n)
	if r.reversalName != "" {
		if d, ok := c.op.Attr(r.reversalName).(DenseArray); ok {
			c.check(len(d.Ints) == n || len(d.Ints) == 0, r.reversal, "%d entries of %s for %d dimensions", len(d.Ints), r.reversalName, n)
		}
	}
	w := make([]window, n)
	for i := range w {
		w[i] = window{dims[i], strides[i], padding[2*i], padding[2*i+1], base[i], dilations[i]}
	}
	return w
}

// padding reads the n×2 tensor padding, zeros where it is absent.
func (c *checker) padding(constraint string, n int) []int {
	out := make([]int, 2*n)
	d, ok := c.op.Attr("padding").(*Dense)
	if !ok {
		return out
	}
	s := d.Type.Shape
	c.check(len(s) == 2 && s[1] == 2, constraint, "the padding is to be of shape n×2, not %s", s)
	c.check(s[0] == n || s[0] == 0, constraint, "%d pairs of padding for %d dimensions", s[0], n)
	for i := range 2 * s[0] {
		at := i
		if d.Splat {
			at = 0
		}
		out[i] = int(d.Data.Int(at))
	}
	return out
}

// dilated is the extent of n elements with holes between.
func dilated(n, dilation int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)*dilation + 1
}

// positions is how many places the window has along a dimension of size n, Dynamic where that is unknown.
func (w window) positions(n int) int {
	if n < 0 || w.size < 0 {
		return Dynamic
	}
	if n > maxElements || w.base > maxElements || w.size > maxElements || w.dilation > maxElements {
		return 0
	}
	extent, reach := w.lo+dilated(n, w.base)+w.hi, dilated(w.size, w.dilation)
	if extent <= 0 || reach > extent {
		return 0
	}
	return (extent-reach)/w.stride + 1
}

// windowResult is the shape of the places of a window over a tensor.
func windowResult(t Tensor, w []window) Tensor {
	sizes := make([]size, len(w))
	for i := range w {
		sizes[i] = size{w[i].positions(t.Shape[i]), w[i].positions(t.bound(i))}
	}
	return t.withSizes(sizes)
}

// reducer checks a computation that joins elements: 2n arguments, n results of the types of the first arguments; inits
// are the values it starts from and inputs what it is applied to, both of which must fit, widened if need be, into its
// arguments. Arguments may have some dimensions of allowed.
func (c *checker) reducer(constraint string, r *Region, inputs, inits []Tensor, allowed array.Shape) {
	body := r.Block()
	n := len(inputs)
	c.check(len(body.Args) == 2*n, constraint, "the computation takes %d arguments, not %d", len(body.Args), 2*n)
	out := body.Terminator().Operands
	c.check(len(out) == n, constraint, "the computation returns %d values, not %d", len(out), n)
	for i := range n {
		acc, ok := out[i].Type.(Tensor)
		c.check(ok, constraint, "the computation returns %s, no tensor", out[i].Type)
		left, okLeft := body.Args[i].Type.(Tensor)
		right, okRight := body.Args[n+i].Type.(Tensor)
		c.check(okLeft && okRight, constraint, "the computation takes %s and %s, no tensors", body.Args[i].Type, body.Args[n+i].Type)
		c.check(compatibleShape(acc.Shape, left.Shape) && sameElem(acc, left), constraint, "argument %d is %s, but result %d is %s", i, left, i, acc)
		c.check(compatibleShape(acc.Shape, right.Shape) && sameUpToPrecision(acc, right), constraint,
			"argument %d is %s, but result %d is %s", n+i, right, i, acc)
		c.check(compatibleShape(inits[i].Shape, acc.Shape), constraint, "the initial value is %s, but result %d is %s", inits[i], i, acc)
		c.check(promotable(inits[i], acc), constraint, "the initial value %s cannot be widened to %s", inits[i].ElemString(), acc)
		c.check(promotable(inputs[i], right), constraint, "the elements of %s cannot be widened to %s", inputs[i], right)
		c.check(len(right.Shape) <= len(allowed), constraint, "argument %d is %s, at most rank %d is allowed", n+i, right, len(allowed))
		at := 0
		for _, d := range allowed {
			if at < len(right.Shape) && compatibleSize(d, right.Shape[at]) {
				at++
			}
		}
		c.check(at == len(right.Shape), constraint, "argument %d is %s, whose sizes are not among %s", n+i, right, allowed)
	}
}

// sameUpToPrecision reports equal element types, or two float types.
func sameUpToPrecision(a, b Tensor) bool {
	return a.Quant == nil && b.Quant == nil && a.Elem.IsFloat() && b.Elem.IsFloat() || sameElem(a, b)
}

// promotable reports that elements of a can be widened to those of b: of one kind, and no wider; floats of any width.
func promotable(a, b Tensor) bool {
	if a.Quant != nil || b.Quant != nil {
		return a.Quant != nil && b.Quant != nil && a.Quant.Expressed == b.Quant.Expressed && a.Quant.Storage.Bits() <= b.Quant.Storage.Bits()
	}
	switch {
	case a.Elem.IsFloat() && b.Elem.IsFloat():
		return true
	case isIntOrBool(a.Elem) && isIntOrBool(b.Elem), a.Elem.IsComplex() && b.Elem.IsComplex():
		return a.Elem.Bits() <= b.Elem.Bits()
	}
	return false
}

func isIntOrBool(d array.DType) bool { return d == array.Bool || d.IsInteger() }

// accumulator is the type of result i of a region.
func accumulator(r *Region, i int) Tensor { return r.Block().Terminator().Operands[i].Tensor() }
