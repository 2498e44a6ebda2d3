package cpu

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// sortKey says that a sort's comparator compares one number of each side; the numbers are the node's last operand.
type sortKey struct {
	descending bool
	total      bool // floats in the total order
}

// keyedSort adds a sort whose comparator is compare(f(lhs), f(rhs)) for an elementwise f: f is computed once for
// all elements and the sort compares its values. Other comparators it leaves alone.
func (b *builder) keyedSort(op *hlo.Op) (bool, error) {
	blk := op.Regions[0].Block()
	ret := blk.Terminator()
	if b.region.lanes > 1 || len(ret.Operands) != 1 || !b.elementwise(blk) || op.Operands[0].Tensor().Shape.Size() == 0 {
		return false, nil
	}
	test := ret.Operands[0].Def
	if test == nil || test.Name != "stablehlo.compare" {
		return false, nil
	}
	dir := enum(test, "comparison_direction")
	x, y := test.Operands[0], test.Operands[1]
	switch {
	case dir != "LT" && dir != "GT", x.Tensor().Elem.IsComplex():
		return false, nil
	case mirrored(y, x, blk): // compare(f(rhs), f(lhs))
		x, y = y, x
		dir = map[string]string{"LT": "GT", "GT": "LT"}[dir]
	}
	if !mirrored(x, y, blk) {
		return false, nil
	}
	in, err := b.operands(op)
	if err != nil {
		return false, err
	}
	for i, v := range in {
		b.env[blk.Args[2*i]] = []*value{v}
	}
	var key *value
	needed := map[*hlo.Op]bool{}
	cone(x, needed)
	err = b.onLanes(in[0].n, func() error {
		for _, o := range blk.Ops {
			if needed[o] {
				if err := b.op(o); err != nil {
					return err
				}
			}
		}
		key = b.env[x][0]
		return nil
	})
	if err != nil {
		return false, err
	}
	n := &node{op: op, rule: ruleOf(op.Name), within: b.region, key: &sortKey{dir == "GT", enum(test, "compare_type") == "TOTALORDER"}}
	bare := *op
	bare.Regions = nil
	n.op = &bare
	if err := b.ordinaryNode(n, append(in, key)); err != nil {
		return false, err
	}
	b.region.nodes = append(b.region.nodes, n)
	return true, b.bind(op, n.out)
}

// mirrored reports that y is computed from the right-hand elements as x is from the left-hand ones.
func mirrored(x, y *hlo.Value, blk *hlo.Block) bool {
	if x.Def == nil || y.Def == nil {
		i, j := slices.Index(blk.Args, x), slices.Index(blk.Args, y)
		return i >= 0 && i%2 == 0 && j == i+1
	}
	a, b := x.Def, y.Def
	if a.Name != b.Name || x.Num != y.Num || len(a.Operands) != len(b.Operands) || !reflect.DeepEqual(a.Attrs, b.Attrs) {
		return false
	}
	for i := range a.Operands {
		if !mirrored(a.Operands[i], b.Operands[i], blk) {
			return false
		}
	}
	return true
}

// cone collects the operations that v is computed by.
func cone(v *hlo.Value, needed map[*hlo.Op]bool) {
	if v.Def == nil || needed[v.Def] {
		return
	}
	needed[v.Def] = true
	for _, o := range v.Def.Operands {
		cone(o, needed)
	}
}

// ranked is an element of a row being sorted: its key, as a number that sorts unsigned, and its place.
type ranked struct {
	key   uint64
	place int32
}

func byRank(a, b ranked) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.place, b.place)
}

// rankOf finds the function that maps element i of the memory at p to a number that sorts as the elements do.
func rankOf(d array.DType, total bool) func(p unsafe.Pointer, i int) uint64 {
	const sign = 1 << 63
	float := func(v float64, bits int64) uint64 {
		switch {
		case total:
		case v == 0:
			return sign
		case v != v:
			return math.MaxUint64
		}
		return uint64(bits) ^ sign
	}
	if c, ok := is16(d); ok {
		return func(p unsafe.Pointer, i int) uint64 {
			v := c.get(*(*uint16)(unsafe.Add(p, 2*i)))
			return float(float64(v), orderFloat32(v))
		}
	}
	if c, ok := is8(d); ok {
		return func(p unsafe.Pointer, i int) uint64 {
			v := c.get(*(*uint8)(unsafe.Add(p, i)))
			return float(float64(v), orderFloat32(v))
		}
	}
	switch d {
	case array.Float32:
		return func(p unsafe.Pointer, i int) uint64 {
			v := *(*float32)(unsafe.Add(p, 4*i))
			return float(float64(v), orderFloat32(v))
		}
	case array.Float64:
		return func(p unsafe.Pointer, i int) uint64 {
			v := *(*float64)(unsafe.Add(p, 8*i))
			return float(v, orderFloat64(v))
		}
	case array.Uint64:
		return func(p unsafe.Pointer, i int) uint64 { return *(*uint64)(unsafe.Add(p, 8*i)) }
	case array.Int64:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(*(*int64)(unsafe.Add(p, 8*i))) ^ sign }
	case array.Uint32:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(*(*uint32)(unsafe.Add(p, 4*i))) }
	case array.Int32:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(int64(*(*int32)(unsafe.Add(p, 4*i)))) ^ sign }
	case array.Uint16:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(*(*uint16)(unsafe.Add(p, 2*i))) }
	case array.Int16:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(int64(*(*int16)(unsafe.Add(p, 2*i)))) ^ sign }
	case array.Bool, array.Uint2, array.Uint4, array.Uint8:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(*(*uint8)(unsafe.Add(p, i))) }
	case array.Int2, array.Int4, array.Int8:
		return func(p unsafe.Pointer, i int) uint64 { return uint64(int64(*(*int8)(unsafe.Add(p, i)))) ^ sign }
	}
	return nil
}

// emitSort emits stablehlo.sort. It is always stable.
func emitSort(_ *compiler, n *node) (run, error) {
	k := len(n.out)
	shape := n.out[0].shape
	axis := num(n.op, "dimension", -1)
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis >= len(shape) {
		return nil, array.AxisErrorf("dimension %d of operands of rank %d", num(n.op, "dimension", -1), len(shape))
	}
	count, step := shape[axis], product(shape[axis+1:])
	if count > math.MaxInt32 {
		return nil, array.ShapeErrorf("rows of %d elements", count)
	}
	var rank func(f *frame, row []ranked, at int) error
	if n.key != nil {
		load := rankOf(n.in[k].dtype, n.key.total)
		if load == nil {
			return nil, unsupported(n)
		}
		rank = rankByKey(n.in[k].ref(), load, n.key.descending, step)
	} else {
		c := computationOf(n, 0)
		if len(c.args) != 2*k || len(c.results) != 1 {
			return nil, array.ArgumentErrorf("the comparator must take %d values and yield a bool", 2*k)
		}
		rank = rankByComparator(n, c, step)
	}
	rows := offsets([]int{product(shape[:axis]), step}, []int{count * step, 1})
	gathers := make([]rawCopy, k)
	for i := range gathers {
		gathers[i] = rawCopyOf(n.out[i].dtype)
	}
	return func(f *frame) error {
		if count == 0 {
			return nil
		}
		order := make([]ranked, 2*count)[:count] // the rest is room to sort in
		for _, at := range rows {
			if err := f.cancelled(); err != nil {
				return err
			}
			if err := rank(f, order, at); err != nil {
				return err
			}
			for i, v := range n.out {
				permuteRow(f.mem[v.ref().slot], f.mem[n.in[i].ref().slot], v.dtype.Size(), order, at, step)
			}
		}
		return nil
	}, nil
}

// rankByKey sorts by numbers that are compared as they are.
func rankByKey(key ref, load func(unsafe.Pointer, int) uint64, descending bool, step int) func(*frame, []ranked, int) error {
	return func(f *frame, row []ranked, at int) error {
		p := f.mem[key.slot]
		for i := range row {
			k := load(p, at+i*step)
			if descending {
				k = ^k
			}
			row[i] = ranked{k, int32(i)}
		}
		sortRanked(row, row[len(row):cap(row)])
		return nil
	}
}

// rankByComparator sorts by running the comparator on pairs of elements.
func rankByComparator(n *node, c *computation, step int) func(*frame, []ranked, int) error {
	k := len(n.out)
	in := make([]ref, k)
	for i := range in {
		in[i] = n.in[i].ref()
	}
	return func(f *frame, row []ranked, at int) (err error) {
		for i := range row {
			row[i] = ranked{place: int32(i)}
		}
		answer := elems[uint8](f, c.results[0])
		slices.SortStableFunc(row, func(a, b ranked) int {
			if err != nil {
				return 0
			}
			for i, x := range in {
				size := c.sizes[2*i]
				copyMem(f.mem[c.args[2*i].slot], unsafe.Add(f.mem[x.slot], (at+int(a.place)*step)*size), size)
				copyMem(f.mem[c.args[2*i+1].slot], unsafe.Add(f.mem[x.slot], (at+int(b.place)*step)*size), size)
			}
			if err = f.run(c.block); err == nil && answer[0] != 0 {
				return -1
			}
			return 1
		})
		return err
	}
}

// permuteRow writes the elements of one row in the given order.
func permuteRow(dst, src unsafe.Pointer, size int, order []ranked, at, step int) {
	switch size {
	case 1:
		permute[uint8](dst, src, order, at, step)
	case 2:
		permute[uint16](dst, src, order, at, step)
	case 4:
		permute[uint32](dst, src, order, at, step)
	case 8:
		permute[uint64](dst, src, order, at, step)
	default:
		permute[[2]uint64](dst, src, order, at, step)
	}
}

func permute[T any](dst, src unsafe.Pointer, order []ranked, at, step int) {
	n := at + (len(order)-1)*step + 1
	d, s := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(src), n)
	for i, r := range order {
		d[at+i*step] = s[at+int(r.place)*step]
	}
}
