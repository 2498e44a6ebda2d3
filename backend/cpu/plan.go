package cpu

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// The plan of an executable is made in steps that each fill in a part of the structures of this file:
//
//	build     reads the module: calls inlined, every tensor a value, every operation that computes a node   (build.go)
//	passes    drop what nothing reads, find where each storage is read last, let results take over the      (passes.go,
//	          memory of operands that die                                                       liveness.go, share.go)
//	place     gives every storage its place in the arena                                                    (arena.go)
//	emit      turns each node into a function of a frame                                                    (emit.go and the families)

// value is one tensor of the program.
type value struct {
	shape array.Shape
	dtype array.DType
	n     int // number of elements
	// uniform marks a value all of whose elements are equal: its storage holds one element, whatever n is.
	uniform bool
	store   *storage
}

// scalar reports that the storage holds one element.
func (v *value) scalar() bool { return v.uniform || v.n == 1 }

// size is the number of bytes of the value's storage.
func (v *value) size() int {
	if v.uniform {
		return v.dtype.Size()
	}
	return v.n * v.dtype.Size()
}

// storageKind tells whose memory a storage is.
type storageKind uint8

const (
	temporary storageKind = iota // lies in the arena of a frame
	argument                     // the caller's
	constant                     // the executable's, never written
	result                       // made for each run and given to the caller
)

// storage is the memory of one value, or of several that are the same bytes (a reshape), or that follow each other (a
// result that takes over the memory of an operand).
type storage struct {
	kind     storageKind
	size     int      // bytes
	region   *region  // whose execution defines it
	def      int      // position in execution order of the first write
	last     int      // position of the last read
	hold     int      // position up to which the memory is reserved although no operation reads it
	readOnly bool     // an operation must not write its result here
	in       *storage // lives in the memory of this one, nil for memory of its own
	slot     int      // index in frame.mem
	offset   int      // of a temporary, in the arena
	data     []byte   // of a constant
}

// root is the storage whose memory s is.
func (s *storage) root() *storage {
	for s.in != nil {
		s = s.in
	}
	return s
}

// node is one operation that does something when the program runs.
type node struct {
	op      *hlo.Op
	rule    rule
	in, out []*value
	regions []*region
	temps   []*value // scratch memory, as bytes
	key     *sortKey // of a sort by one key
	within  *region  // the region it is part of
	pos     int      // position in execution order
	end     int      // the last position inside its regions, pos where it has none
	blocks  []block  // of its regions, once they are emitted
	ranged  ranged   // of an elementwise node, set when it is emitted: computes a part of the elements
}

// region is a list of nodes with parameters: the program itself, the body of a loop, the computation of a reduction.
type region struct {
	owner   *node // nil for the program itself
	args    []*value
	nodes   []*node
	results []*value
	// lanes is how many elements stand for one scalar of the region: a computation on scalars that is elementwise is
	// run on several at once.
	lanes int
	start int // position before its first node
	end   int // position after its last node, where its results are read
}

// run executes one operation on a frame.
type run func(f *frame) error

// step is a run with the operation it came from, for errors.
type step struct {
	run run
	op  *hlo.Op
}

// block is a list of steps, executed in order.
type block []step

// plan is what Compile makes of a module. It is not changed afterwards and is shared by all executions.
type plan struct {
	steps   block
	args    []param
	results []param
	slots   int       // length of frame.mem
	temps   []slotMem // temporaries: where in the arena they lie
	consts  []slotConst
	arena   int // bytes

	sites     int // custom calls
	instances []backend.Instance
}

// param is an argument or a result of main.
type param struct {
	shape   array.Shape
	dtype   array.DType
	size    int // bytes
	slot    int
	donated bool // an argument that is given away
	written bool // a donated argument whose memory the program writes
	from    int  // a result that lies in the memory of this donated argument, else -1
}

type slotMem struct{ slot, offset, size int }

type slotConst struct {
	slot int
	data []byte
}

// ref is how a step finds the elements of a value.
type ref struct {
	slot int
	n    int // elements in the storage: 1 for a uniform value
}
