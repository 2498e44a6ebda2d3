package hlo

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Gather and scatter.

func gatherOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.gather", in: "operand:fpicq start_indices:i", out: "result:fpicq",
			attrs: "dimension_numbers:gather slice_sizes:i64s indices_are_sorted:bool?", check: (*checker).gather},
		{name: "stablehlo.dynamic_gather", in: "operand:fpicq start_indices:i slice_sizes:i/1s", out: "result:fpicq",
			attrs: "dimension_numbers:gather indices_are_sorted:bool?", check: (*checker).dynamicGather},
		{name: "stablehlo.scatter", in: "inputs*:fpicq scatter_indices:ix updates*:fpicq", out: "results*:fpicq",
			attrs:   "scatter_dimension_numbers:scatter indices_are_sorted:bool? unique_indices:bool?",
			regions: "1", check: (*checker).scatter},
		{name: "stablehlo.torch_index_select", in: "operand:fpicq index:fpicq", out: "result:fpicq", attrs: "dim:i64 batch_dims:i64"},
	}
}

func (c *checker) gather(*Op) {
	c.gathered(c.ints("slice_sizes"), true)
}

func (c *checker) dynamicGather(o *Op) {
	sizes, known := constInts(o.Operands[2])
	if !known {
		sizes = make([]int, c.in(2).Shape[0])
		for i := range sizes {
			sizes[i] = Dynamic
		}
	}
	c.gathered(sizes, known)
}

// gathered checks a gather of slices of the given sizes.
func (c *checker) gathered(sizes []int, known bool) {
	x, indices := c.in(0), c.in(1)
	d := c.op.Attr("dimension_numbers").(GatherDims)
	c.check(sameElem(x, c.out(0)), "C23", "the element types of %s and %s differ", x, c.out(0))
	rank, indexRank := len(x.Shape), len(indices.Shape)
	c.check(rank == len(d.Offset)+len(d.CollapsedSlice)+len(d.OperandBatching), "C1",
		"%d offset, %d collapsed and %d batching dimensions for an operand of rank %d", len(d.Offset), len(d.CollapsedSlice),
		len(d.OperandBatching), rank)
	c.check(d.IndexVectorDim >= 0 && d.IndexVectorDim <= indexRank, "C2", "index_vector_dim %d of indices of rank %d", d.IndexVectorDim, indexRank)
	if n := indexCount(indices, d.IndexVectorDim); n >= 0 {
		c.check(n == len(d.StartIndexMap), "C3", "%d numbers make an index, start_index_map names %d", n, len(d.StartIndexMap))
	}
	c.ascending("C4", "offset_dims", d.Offset)
	c.unique("C4", "offset_dims", d.Offset)
	c.unique("C6", "collapsed_slice_dims and operand_batching_dims", d.CollapsedSlice, d.OperandBatching)
	c.ascending("C7", "collapsed_slice_dims", d.CollapsedSlice)
	c.inRange("C8", "collapsed_slice_dims", d.CollapsedSlice, rank)
	c.ascending("C10", "operand_batching_dims", d.OperandBatching)
	c.inRange("C11", "operand_batching_dims", d.OperandBatching, rank)
	c.unique("C13", "start_indices_batching_dims", d.StartIndicesBatching)
	c.inRange("C14", "start_indices_batching_dims", d.StartIndicesBatching, indexRank)
	c.check(!slices.Contains(d.StartIndicesBatching, d.IndexVectorDim), "C15", "index_vector_dim %d is a batching dimension", d.IndexVectorDim)
	c.check(len(d.OperandBatching) == len(d.StartIndicesBatching), "C16", "%d batching dimensions of the operand, %d of the indices",
		len(d.OperandBatching), len(d.StartIndicesBatching))
	for i, o := range d.OperandBatching {
		c.check(compatibleSize(x.Shape[o], indices.Shape[d.StartIndicesBatching[i]]), "C17", "batching dimension %d has sizes %s and %s", i,
			sizeText(x.Shape[o]), sizeText(indices.Shape[d.StartIndicesBatching[i]]))
	}
	c.unique("C18", "start_index_map and operand_batching_dims", d.StartIndexMap, d.OperandBatching)
	c.inRange("C19", "start_index_map", d.StartIndexMap, rank)
	c.check(len(sizes) == rank, "C20", "%d slice sizes for rank %d", len(sizes), rank)
	if known {
		for i, n := range sizes {
			collapsed := slices.Contains(d.CollapsedSlice, i)
			c.check(!collapsed || n <= 1, "C9", "collapsed dimension %d has slice size %d", i, n)
			c.check(!slices.Contains(d.OperandBatching, i) || n <= 1, "C12", "batching dimension %d has slice size %d", i, n)
			c.check(n >= 0 && (x.Shape[i] < 0 || n <= x.Shape[i]), "C21", "the slice size %d is not within dimension %d of %s", n, i, x)
		}
	}
	resultRank := len(d.Offset) + len(batchSizes(indices, d.IndexVectorDim))
	c.inRange("C5", "offset_dims", d.Offset, resultRank)
	c.result(0, "C22", x.withSizes(gatherSizes(indices, d, sizes, resultRank)))
}

// indexCount is how many numbers make one index: the size of index_vector_dim, 1 where that is the rank.
func indexCount(indices Tensor, vectorDim int) int {
	if vectorDim == len(indices.Shape) {
		return 1
	}
	return indices.Shape[vectorDim]
}

// batchSizes are the sizes of the indices without the dimension of the index vector.
func batchSizes(indices Tensor, vectorDim int) []size {
	var out []size
	for i := range indices.Shape {
		if i != vectorDim {
			out = append(out, indices.size(i))
		}
	}
	return out
}

// gatherSizes puts slice sizes at the offset dimensions and the indices' sizes elsewhere.
func gatherSizes(indices Tensor, d GatherDims, sizes []int, rank int) []size {
	batch := batchSizes(indices, d.IndexVectorDim)
	var slice []int
	for i, n := range sizes {
		if !slices.Contains(d.CollapsedSlice, i) && !slices.Contains(d.OperandBatching, i) {
			slice = append(slice, n)
		}
	}
	out := make([]size, 0, rank)
	for i := range rank {
		if k := slices.Index(d.Offset, i); k >= 0 {
			out = append(out, size{slice[k], Dynamic})
		} else {
			out = append(out, batch[0])
			batch = batch[1:]
		}
	}
	return out
}

func (c *checker) scatter(o *Op) {
	inputs, updates := tensorsOf(c.group("inputs")), tensorsOf(c.group("updates"))
	indices := c.group("scatter_indices")[0].Tensor()
	d := o.Attr("scatter_dimension_numbers").(ScatterDims)
	c.check(len(inputs) > 0, "C5", "at least one input is needed")
	c.oneShape("C1", inputs)
	c.oneShape("C3", updates)
	indexRank := len(indices.Shape)
	c.check(d.IndexVectorDim >= 0 && d.IndexVectorDim <= indexRank, "C22", "index_vector_dim %d of indices of rank %d", d.IndexVectorDim, indexRank)
	inits := make([]Tensor, len(updates))
	for i, u := range updates {
		inits[i] = scalarOf(u)
	}
	c.reducer("C23", o.Regions[0], inputs, inits, nil)
	batch := batchSizes(indices, d.IndexVectorDim)
	x, u := inputs[0], updates[0]
	c.check(len(u.Shape) == len(batch)+len(d.UpdateWindow), "C4", "updates %s: %d dimensions of the indices and %d of windows", u, len(batch), len(d.UpdateWindow))
	c.scatterDims(x, u, indices, d)
	c.scatterSizes(x, u, batch, d)
	c.check(len(o.Results) == len(inputs), "C24", "%d results of %d inputs", len(o.Results), len(inputs))
	for i, t := range inputs {
		c.result(i, "C24", t.withElem(accumulator(o.Regions[0], i)))
	}
}

func (c *checker) scatterDims(x, u, indices Tensor, d ScatterDims) {
	rank, indexRank := len(x.Shape), len(indices.Shape)
	c.check(rank == len(d.UpdateWindow)+len(d.InsertedWindow)+len(d.InputBatching), "C2",
		"%d window, %d inserted and %d batching dimensions for rank %d", len(d.UpdateWindow), len(d.InsertedWindow), len(d.InputBatching), rank)
	c.ascending("C7", "update_window_dims", d.UpdateWindow)
	c.unique("C7", "update_window_dims", d.UpdateWindow)
	c.inRange("C8", "update_window_dims", d.UpdateWindow, len(u.Shape))
	c.unique("C9", "inserted_window_dims and input_batching_dims", d.InsertedWindow, d.InputBatching)
	c.ascending("C10", "inserted_window_dims", d.InsertedWindow)
	c.inRange("C11", "inserted_window_dims", d.InsertedWindow, rank)
	c.ascending("C12", "input_batching_dims", d.InputBatching)
	c.inRange("C13", "input_batching_dims", d.InputBatching, rank)
	c.unique("C14", "scatter_indices_batching_dims", d.ScatterIndicesBatching)
	c.inRange("C15", "scatter_indices_batching_dims", d.ScatterIndicesBatching, indexRank)
	c.check(!slices.Contains(d.ScatterIndicesBatching, d.IndexVectorDim), "C16", "index_vector_dim %d is a batching dimension", d.IndexVectorDim)
	c.check(len(d.InputBatching) == len(d.ScatterIndicesBatching), "C17", "%d batching dimensions of the input, %d of the indices",
		len(d.InputBatching), len(d.ScatterIndicesBatching))
	for i, o := range d.InputBatching {
		c.check(compatibleSize(x.Shape[o], indices.Shape[d.ScatterIndicesBatching[i]]), "C18", "batching dimension %d has sizes %s and %s", i,
			sizeText(x.Shape[o]), sizeText(indices.Shape[d.ScatterIndicesBatching[i]]))
	}
	if n := indexCount(indices, d.IndexVectorDim); n >= 0 {
		c.check(n == len(d.ScatterToOperand), "C19", "%d numbers make an index, scatter_dims_to_operand_dims names %d", n, len(d.ScatterToOperand))
	}
	c.unique("C20", "scatter_dims_to_operand_dims and input_batching_dims", d.ScatterToOperand, d.InputBatching)
	c.inRange("C21", "scatter_dims_to_operand_dims", d.ScatterToOperand, rank)
}

// scatterSizes: windows of the updates fit into the input, the other dimensions are those of the indices.
func (c *checker) scatterSizes(x, u Tensor, batch []size, d ScatterDims) {
	var room array.Shape
	for i, n := range x.Shape {
		if !slices.Contains(d.InsertedWindow, i) && !slices.Contains(d.InputBatching, i) {
			room = append(room, n)
		}
	}
	for i, n := range u.Shape {
		if k := slices.Index(d.UpdateWindow, i); k >= 0 {
			c.check(n < 0 || room[k] < 0 || n <= room[k], "C4", "dimension %d of the updates %s is larger than the input %s allows", i, u, x)
		} else {
			c.check(compatibleSize(n, batch[0].n), "C4", "dimension %d of the updates %s is to have the indices' size %s", i, u, sizeText(batch[0].n))
			batch = batch[1:]
		}
	}
}
