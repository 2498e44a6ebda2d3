package cpu

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// convShape is a convolution brought into products of matrices: for each image and group, the windows of the padded
// input, one a row, times the kernel, one output feature a row.
type convShape struct {
	images, groups       int // images of one batch group; batch or feature groups
	positions, window    int // of the output, of the kernel: spatial × input features of a group
	features             int // output features of a group
	padded               array.Shape
	plain                bool     // the padded input is the input
	pad                  *strided // from the input to the padded one
	patch, kernel, place *strided // one image and group: windows, kernel rows, from the product to the output
	imageIn, imageOut    int      // steps from image to image in the padded input and the output
	groupIn, groupKernel int      // steps from group to group
	groupOut             int
}

func convShapeOf(n *node) (*convShape, error) {
	d, ok := n.op.Attr("dimension_numbers").(hlo.ConvDims)
	if !ok {
		return nil, &backend.Unsupported{Feature: "convolution without dimension_numbers"}
	}
	in, kernel, out := n.in[0].shape, n.in[1].shape, n.out[0].shape
	rank := len(d.InputSpatial)
	strides, lhsDilation := intsOr(n.op, "window_strides", rank, 1), intsOr(n.op, "lhs_dilation", rank, 1)
	rhsDilation, reversal := intsOr(n.op, "rhs_dilation", rank, 1), intsOr(n.op, "window_reversal", rank, 0)
	lo, hi, err := pairs(n.op, "padding", rank)
	if err != nil {
		return nil, err
	}
	features, batches := num(n.op, "feature_group_count", 1), num(n.op, "batch_group_count", 1)
	if len(in) != rank+2 || len(kernel) != rank+2 || len(out) != rank+2 || len(strides) != rank || len(lhsDilation) != rank ||
		len(rhsDilation) != rank || len(reversal) != rank || features < 1 || batches < 1 || features > 1 && batches > 1 {
		return nil, array.ShapeErrorf("convolution over %d axes of %s with %s", rank, in, kernel)
	}
	c := &convShape{groups: features * batches, plain: true, positions: 1, window: kernel[d.KernelInputFeature]}
	c.images = in[d.InputBatch] / batches
	c.features = kernel[d.KernelOutputFeature] / c.groups
	if in[d.InputFeature] != features*kernel[d.KernelInputFeature] || in[d.InputBatch]%batches != 0 ||
		kernel[d.KernelOutputFeature]%c.groups != 0 || out[d.OutputFeature] != kernel[d.KernelOutputFeature] || out[d.OutputBatch] != c.images {
		return nil, array.ShapeErrorf("input %s, kernel %s and output %s do not fit for %d groups", in, kernel, out, c.groups)
	}
	c.padded = in.Clone()
	low, interior := make([]int, len(in)), make([]int, len(in))
	for i, a := range d.InputSpatial {
		low[a], interior[a] = lo[i], lhsDilation[i]-1
		size := max(0, (in[a]-1)*lhsDilation[i]+1) + lo[i] + hi[i]
		reach := (kernel[d.KernelSpatial[i]]-1)*rhsDilation[i] + 1
		if n := out[d.OutputSpatial[i]]; n > 0 && (n-1)*strides[i]+reach > size {
			return nil, array.ShapeErrorf("the window leaves the input along spatial axis %d", i)
		}
		c.padded[a] = max(size, 0)
		c.plain = c.plain && lo[i] == 0 && hi[i] == 0 && (lhsDilation[i] == 1 || in[a] <= 1)
	}
	c.pad = spread(in, c.padded, low, interior).simplify()
	pst, kst, ost := c.padded.Strides(), kernel.Strides(), out.Strides()
	patch, row, place := &strided{}, &strided{}, &strided{}
	add := func(s *strided, size, src int) { s.sizes, s.src = append(s.sizes, size), append(s.src, src) }
	add(row, c.features, kst[d.KernelOutputFeature])
	for i, a := range d.OutputSpatial {
		add(patch, out[a], pst[d.InputSpatial[i]]*strides[i])
		place.sizes, place.dst = append(place.sizes, out[a]), append(place.dst, ost[a])
		c.positions *= out[a]
	}
	for i, a := range d.KernelSpatial {
		add(patch, kernel[a], pst[d.InputSpatial[i]]*rhsDilation[i])
		if reversal[i] != 0 {
			row.srcAt += max(0, kernel[a]-1) * kst[a]
			add(row, kernel[a], -kst[a])
		} else {
			add(row, kernel[a], kst[a])
		}
		c.window *= kernel[a]
	}
	add(patch, kernel[d.KernelInputFeature], pst[d.InputFeature])
	add(row, kernel[d.KernelInputFeature], kst[d.KernelInputFeature])
	place.sizes, place.dst = append(place.sizes, c.features), append(place.dst, ost[d.OutputFeature])
	patch.dst, row.dst = array.Shape(patch.sizes).Strides(), array.Shape(row.sizes).Strides()
	place.src = array.Shape(place.sizes).Strides()
	c.patch, c.kernel, c.place = patch.simplify(), row.simplify(), place.simplify()
	c.imageIn, c.imageOut = pst[d.InputBatch], ost[d.OutputBatch]
	c.groupKernel, c.groupOut = c.features*kst[d.KernelOutputFeature], c.features*ost[d.OutputFeature]
	if batches > 1 {
		c.groupIn = c.images * pst[d.InputBatch]
	} else {
		c.groupIn = kernel[d.KernelInputFeature] * pst[d.InputFeature]
	}
	return c, nil
}

// The scratch memory of a convolution, by number.
const (
	convWideInput  = iota // the input in the compute type
	convWideKernel        // the kernel in the compute type
	convPadded            // the padded input
	convKernel            // the kernel rows of a group
	convPatch             // the windows of an image
	convProduct           // windows times kernel
	convWideOutput        // the output in the compute type
)

func convTemps(_ *compiler, n *node) ([]int, error) {
	c, err := convShapeOf(n)
	if err != nil {
		return nil, err
	}
	d := computeType(n.out[0].dtype)
	wide := func(v *value) int {
		if v.dtype == d {
			return 0
		}
		return v.n * d.Size()
	}
	padded := 0
	if !c.plain {
		padded = c.padded.Size() * d.Size()
	}
	return []int{wide(n.in[0]), wide(n.in[1]), padded, c.features * c.window * d.Size(), c.positions * c.window * d.Size(),
		c.positions * c.features * d.Size(), wide(n.out[0])}, nil
}

// emitConvolution emits stablehlo.convolution.
func emitConvolution(c *compiler, n *node) (run, error) {
	s, err := convShapeOf(n)
	if err != nil {
		return nil, err
	}
	switch computeType(n.out[0].dtype) {
	case array.Float32:
		return convOf[float32](c, n, s)
	case array.Float64:
		return convOf[float64](c, n, s)
	case array.Complex64:
		return convOf[complex64](c, n, s)
	case array.Complex128:
		return convOf[complex128](c, n, s)
	case array.Int8:
		return convOf[int8](c, n, s)
	case array.Int16:
		return convOf[int16](c, n, s)
	case array.Int32:
		return convOf[int32](c, n, s)
	case array.Int64:
		return convOf[int64](c, n, s)
	case array.Uint8:
		return convOf[uint8](c, n, s)
	case array.Uint16:
		return convOf[uint16](c, n, s)
	case array.Uint32:
		return convOf[uint32](c, n, s)
	case array.Uint64:
		return convOf[uint64](c, n, s)
	}
	return nil, unsupported(n)
}

func convOf[T arithmetic](c *compiler, n *node, s *convShape) (run, error) {
	d := computeType(n.out[0].dtype)
	widenInput, x, err := packOperand[T](c, n, convWideInput, d, nil)
	if err != nil {
		return nil, err
	}
	widenKernel, w, err := packOperand[T](c, n, convWideKernel, d, nil)
	if err != nil {
		return nil, err
	}
	finish, err := unpackResult(c, n, d, convWideOutput)
	if err != nil {
		return nil, err
	}
	out := n.out[0].ref()
	if n.out[0].dtype != d {
		out.slot = n.temps[convWideOutput].ref().slot
	}
	temp := func(i, size int) ref { return ref{n.temps[i].ref().slot, size} }
	const small = 1 << 15 // multiplications for which tiles do not pay
	padded, tiled := x, c.tiled && s.positions*s.features*s.window >= small
	if !s.plain {
		padded = temp(convPadded, s.padded.Size())
	}
	rows, patch, prod := temp(convKernel, s.features*s.window), temp(convPatch, s.positions*s.window), temp(convProduct, s.positions*s.features)
	return func(f *frame) error {
		if err := widenInput(f); err != nil {
			return err
		}
		if err := widenKernel(f); err != nil {
			return err
		}
		in := elems[T](f, x)
		if !s.plain {
			big := elems[T](f, padded)
			clear(big)
			copyStrided(big, in, s.pad, 0, 0)
			in = big
		}
		k, p, r, dst := elems[T](f, rows), elems[T](f, patch), elems[T](f, prod), elems[T](f, out)
		for g := range s.groups {
			copyStrided(k, elems[T](f, w), s.kernel, 0, g*s.groupKernel)
			for i := range s.images {
				if err := f.cancelled(); err != nil {
					return err
				}
				copyStrided(p, in, s.patch, 0, i*s.imageIn+g*s.groupIn)
				gemm(tiled, r, p, k, s.positions, s.features, s.window)
				copyStrided(dst, r, s.place, i*s.imageOut+g*s.groupOut, 0)
			}
		}
		return finish(f)
	}, nil
}
