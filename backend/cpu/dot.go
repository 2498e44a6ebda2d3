package cpu

import (
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// dotShape is dot_general brought into the form result[b, i, j] = Σ_k lhs[b, i, k] rhs[b, j, k].
type dotShape struct {
	batch, m, n, k int
	lhs, rhs       *strided // packs an operand; nil where it has the form already
	// lhsAxes and rhsAxes are the strides of an operand's batch, free and contracted axes, where each group of axes can be walked with one.
	lhsAxes, rhsAxes *[3]int
}

func dotShapeOf(n *node) (*dotShape, error) {
	d, ok := n.op.Attr("dot_dimension_numbers").(hlo.DotDims)
	if !ok && n.op.Name == "stablehlo.dot_general" {
		return nil, &backend.Unsupported{Feature: "dot_general without dot_dimension_numbers"}
	}
	lhs, rhs := n.in[0].shape, n.in[1].shape
	if n.op.Name == "stablehlo.dot" {
		d = hlo.DotDims{LHSContracting: []int{len(lhs) - 1}, RHSContracting: []int{0}}
	}
	if len(d.LHSContracting) != len(d.RHSContracting) || len(d.LHSBatch) != len(d.RHSBatch) {
		return nil, array.ShapeErrorf("lhs has %d contracting and %d batch axes, rhs %d and %d",
			len(d.LHSContracting), len(d.LHSBatch), len(d.RHSContracting), len(d.RHSBatch))
	}
	for _, axes := range [][2][]int{{d.LHSContracting, d.RHSContracting}, {d.LHSBatch, d.RHSBatch}} {
		for i, a := range axes[0] {
			b := axes[1][i]
			if a < 0 || b < 0 || a >= len(lhs) || b >= len(rhs) {
				return nil, array.AxisErrorf("axes %d and %d of operands of rank %d and %d", a, b, len(lhs), len(rhs))
			}
			if lhs[a] != rhs[b] {
				return nil, array.ShapeErrorf("sizes differ: lhs axis %d has %d, rhs axis %d has %d", a, lhs[a], b, rhs[b])
			}
		}
	}
	s := &dotShape{batch: 1, m: 1, n: 1, k: 1}
	for i := range d.LHSBatch {
		s.batch *= lhs[d.LHSBatch[i]]
	}
	for i := range d.LHSContracting {
		s.k *= lhs[d.LHSContracting[i]]
	}
	var freeL, freeR []int
	for a, size := range lhs {
		if !slices.Contains(d.LHSBatch, a) && !slices.Contains(d.LHSContracting, a) {
			freeL = append(freeL, a)
			s.m *= size
		}
	}
	for a, size := range rhs {
		if !slices.Contains(d.RHSBatch, a) && !slices.Contains(d.RHSContracting, a) {
			freeR = append(freeR, a)
			s.n *= size
		}
	}
	if s.batch*s.m*s.n != n.out[0].n {
		return nil, array.ShapeErrorf("result of %d elements for %d×%d×%d", n.out[0].n, s.batch, s.m, s.n)
	}
	s.lhs = packing(lhs, d.LHSBatch, freeL, d.LHSContracting)
	s.rhs = packing(rhs, d.RHSBatch, freeR, d.RHSContracting)
	s.lhsAxes = walked(lhs, d.LHSBatch, freeL, d.LHSContracting)
	s.rhsAxes = walked(rhs, d.RHSBatch, freeR, d.RHSContracting)
	return s, nil
}

// walked finds one stride for each group of axes, nil where a group has no such stride.
func walked(shape array.Shape, groups ...[]int) *[3]int {
	var out [3]int
	st := shape.Strides()
	for g, axes := range groups {
		size := 1 // of the axes of the group that are done
		for _, a := range slices.Backward(axes) {
			switch {
			case shape[a] == 1:
			case size == 1:
				out[g] = st[a]
			case st[a] != out[g]*size:
				return nil
			}
			size *= shape[a]
		}
		if out[g] == 0 {
			out[g] = 1
		}
	}
	return &out
}

// packing is the copy that puts the axes in the given order, nil where they are.
func packing(shape array.Shape, groups ...[]int) *strided {
	st := shape.Strides()
	s := &strided{}
	for _, a := range slices.Concat(groups...) {
		s.sizes, s.src = append(s.sizes, shape[a]), append(s.src, st[a])
	}
	s.dst = array.Shape(s.sizes).Strides()
	s = s.simplify()
	if len(s.sizes) == 0 || len(s.sizes) == 1 && s.src[0] == 1 {
		return nil
	}
	return s
}

// computeType is the type a product is computed in: that of the result, float32 for narrower floats.
func computeType(d array.DType) array.DType {
	if d.IsFloat() && d != array.Float64 {
		return array.Float32
	}
	return d
}

// dotTemps asks for room for both operands packed and converted, and for the result where it is a narrow float.
func dotTemps(c *compiler, n *node) ([]int, error) {
	s, err := dotShapeOf(n)
	if err != nil {
		return nil, err
	}
	d := computeType(n.out[0].dtype)
	if s.direct(c, n) {
		return []int{0, 0, 0}, nil
	}
	need := func(v *value, pack *strided) int {
		if pack == nil && v.dtype == d {
			return 0
		}
		return v.n * d.Size()
	}
	sizes := []int{need(n.in[0], s.lhs), need(n.in[1], s.rhs), 0}
	if n.out[0].dtype != d {
		sizes[2] = n.out[0].n * d.Size()
	}
	return sizes, nil
}

// emitDot emits stablehlo.dot_general. Sums of floats narrower than float32 are kept in float32 and rounded once.
func emitDot(c *compiler, n *node) (run, error) {
	s, err := dotShapeOf(n)
	if err != nil {
		return nil, err
	}
	switch computeType(n.out[0].dtype) {
	case array.Float32:
		return dotOf[float32](c, n, s)
	case array.Float64:
		return dotOf[float64](c, n, s)
	case array.Complex64:
		return dotOf[complex64](c, n, s)
	case array.Complex128:
		return dotOf[complex128](c, n, s)
	case array.Int8:
		return dotOf[int8](c, n, s)
	case array.Int16:
		return dotOf[int16](c, n, s)
	case array.Int32:
		return dotOf[int32](c, n, s)
	case array.Int64:
		return dotOf[int64](c, n, s)
	case array.Uint8:
		return dotOf[uint8](c, n, s)
	case array.Uint16:
		return dotOf[uint16](c, n, s)
	case array.Uint32:
		return dotOf[uint32](c, n, s)
	case array.Uint64:
		return dotOf[uint64](c, n, s)
	case array.Bool:
		return dotBool(n, s)
	}
	return nil, unsupported(n)
}

// direct reports that the product can read the operands where they are.
func (s *dotShape) direct(c *compiler, n *node) bool {
	d := n.out[0].dtype
	return c.tiled && (d == array.Float32 || d == array.Float64) && n.in[0].dtype == d && n.in[1].dtype == d && s.lhsAxes != nil && s.rhsAxes != nil
}

// directDot makes the step of a product that reads the operands where they are.
func directDot[T floating](n *node, s *dotShape) run {
	x, y, out := n.in[0].ref(), n.in[1].ref(), n.out[0].ref()
	size := n.out[0].dtype.Size()
	l, r := s.lhsAxes, s.rhsAxes
	one := func(f *frame, i int) {
		multiply[T](unsafe.Add(f.mem[out.slot], i*s.m*s.n*size), s.n, matrix{unsafe.Add(f.mem[x.slot], i*l[0]*size), l[1], l[2]},
			matrix{unsafe.Add(f.mem[y.slot], i*r[0]*size), r[2], r[1]}, s.m, s.n, s.k)
	}
	if s.batch == 1 {
		return func(f *frame) error {
			one(f, 0)
			return nil
		}
	}
	return func(f *frame) error {
		parallel(s.batch, 1+(1<<20)/(s.m*s.n*s.k+1), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				one(f, i)
			}
		})
		return nil
	}
}

func dotOf[T arithmetic](c *compiler, n *node, s *dotShape) (run, error) {
	d := computeType(n.out[0].dtype)
	if s.direct(c, n) {
		if d == array.Float32 {
			return directDot[float32](n, s), nil
		}
		return directDot[float64](n, s), nil
	}
	tiled := c.tiled
	lhs, x, err := packOperand[T](c, n, 0, d, s.lhs)
	if err != nil {
		return nil, err
	}
	rhs, y, err := packOperand[T](c, n, 1, d, s.rhs)
	if err != nil {
		return nil, err
	}
	out := n.out[0].ref()
	if n.out[0].dtype != d {
		out.slot = n.temps[2].ref().slot
	}
	finish, err := unpackResult(c, n, d, 2)
	if err != nil {
		return nil, err
	}
	return func(f *frame) error {
		if err := lhs(f); err != nil {
			return err
		}
		if err := rhs(f); err != nil {
			return err
		}
		a, b, r := elems[T](f, x), elems[T](f, y), elems[T](f, out)
		for i := range s.batch {
			gemm(tiled, r[i*s.m*s.n:(i+1)*s.m*s.n], a[i*s.m*s.k:(i+1)*s.m*s.k], b[i*s.n*s.k:(i+1)*s.n*s.k], s.m, s.n, s.k)
		}
		return finish(f)
	}, nil
}

// packOperand makes the step that converts operand i to the compute type and packs it, and says where it is afterwards.
func packOperand[T any](c *compiler, n *node, i int, d array.DType, pack *strided) (run, ref, error) {
	v := n.in[i]
	if pack == nil && v.dtype == d {
		return func(*frame) error { return nil }, v.ref(), nil
	}
	x, to := v.ref(), ref{n.temps[i].ref().slot, v.n}
	if v.dtype == d {
		return func(f *frame) error {
			copyStrided(elems[T](f, to), elems[T](f, x), pack, 0, 0)
			return nil
		}, to, nil
	}
	wide := &value{shape: v.shape, dtype: d, n: v.n, store: n.temps[i].store}
	convert, err := emitConvert(c, &node{op: n.op, in: []*value{v}, out: []*value{wide}})
	if err != nil || pack == nil {
		return convert, to, err
	}
	return func(f *frame) error {
		if err := convert(f); err != nil {
			return err
		}
		plain := slices.Clone(elems[T](f, to))
		copyStrided(elems[T](f, to), plain, pack, 0, 0)
		return nil
	}, to, nil
}

// unpackResult makes the step that rounds a result in scratch memory number t to the result's own type.
func unpackResult(c *compiler, n *node, d array.DType, t int) (run, error) {
	if n.out[0].dtype == d {
		return func(*frame) error { return nil }, nil
	}
	wide := &value{shape: n.out[0].shape, dtype: d, n: n.out[0].n, store: n.temps[t].store}
	return emitConvert(c, &node{op: n.op, in: []*value{wide}, out: n.out})
}

// dotBool is a product of bools: or of ands.
func dotBool(n *node, s *dotShape) (run, error) {
	lhs, x, _ := packOperand[uint8](nil, n, 0, array.Bool, s.lhs)
	rhs, y, _ := packOperand[uint8](nil, n, 1, array.Bool, s.rhs)
	out := n.out[0].ref()
	return func(f *frame) error {
		if err := lhs(f); err != nil {
			return err
		}
		if err := rhs(f); err != nil {
			return err
		}
		r := elems[uint8](f, out)
		for i := range r {
			b, row, col := i/(s.m*s.n), i/s.n%s.m, i%s.n
			p, q := unsafe.Add(f.mem[x.slot], (b*s.m+row)*s.k), unsafe.Add(f.mem[y.slot], (b*s.n+col)*s.k)
			r[i] = 0
			for k := range s.k {
				r[i] |= *(*uint8)(unsafe.Add(p, k)) & *(*uint8)(unsafe.Add(q, k))
			}
		}
		return nil
	}, nil
}
