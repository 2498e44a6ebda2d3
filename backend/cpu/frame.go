package cpu

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// frame is the memory of one execution. An executable keeps idle frames, so that a run allocates nothing but its
// results. A frame belongs to one goroutine at a time; parallel loops of a kernel share it for reading.
type frame struct {
	mem    []unsafe.Pointer // by slot
	arena  []byte
	ctx    context.Context
	done   <-chan struct{} // of ctx, nil where it cannot be cancelled
	taken  []taken         // kept between executions to save its allocation
	chunks *chunks         // scratch memory of kernels on narrow floats

	calls   []*backend.CallFrame // of the custom calls, by number; made where one is first reached
	current backend.Run          // what foreign functions see of the execution
}

func newFrame(p *plan) *frame {
	f := &frame{mem: make([]unsafe.Pointer, p.slots), calls: make([]*backend.CallFrame, p.sites)}
	if p.arena > 0 {
		f.arena = array.NewBuffer(array.Uint8, array.Shape{p.arena}).Bytes()
		for _, t := range p.temps {
			if t.size > 0 {
				f.mem[t.slot] = unsafe.Pointer(&f.arena[t.offset])
			}
		}
	}
	for _, c := range p.consts {
		f.mem[c.slot] = unsafe.Pointer(unsafe.SliceData(c.data))
	}
	return f
}

// elems is the storage behind r as a slice. T must have the size of the value's elements.
func elems[T any](f *frame, r ref) []T {
	return unsafe.Slice((*T)(f.mem[r.slot]), r.n)
}

// bytes is the first n bytes of the storage behind r.
func (f *frame) bytes(r ref, n int) []byte {
	return unsafe.Slice((*byte)(f.mem[r.slot]), n)
}

// cancelled returns the error of a context that has ended. Loops ask it once a round.
func (f *frame) cancelled() error {
	if f.done == nil {
		return nil
	}
	select {
	case <-f.done:
		return context.Cause(f.ctx)
	default:
		return nil
	}
}

// run executes the steps of b.
func (f *frame) run(b block) error {
	for i := range b {
		if err := b[i].run(f); err != nil {
			return located(b[i].op, err)
		}
	}
	return nil
}

// located makes err an *array.Error that names the operation and the line of the user's program, unless an inner step
// did so already.
func located(op *hlo.Op, err error) error {
	var e *array.Error
	if op == nil || errors.As(err, &e) {
		return err
	}
	return &array.Error{Pos: array.Pos{File: op.Loc.File, Line: op.Loc.Line}, Op: op.Name, Path: op.Loc.Name, Err: err}
}

// internalError is a panic that was caught at a door of the engine: a bug, reported with its stack.
func internalError(p any, stack []byte) error {
	return fmt.Errorf("cpu: internal error: %v\n%s", p, stack)
}

// parallel calls body on disjoint ranges that cover [0, n), on several processors where each gets at least grain of them. The
// ranges do not depend on anything but n, grain and the number of processors, and no result may depend on the ranges.
func parallel(n, grain int, body func(lo, hi int)) {
	if n < 2*grain {
		body(0, n)
		return
	}
	workers := min(runtime.GOMAXPROCS(0), n/max(grain, 1))
	if t := debug.Current().Threads; t > 0 {
		workers = min(workers, t)
	}
	if workers == 1 {
		body(0, n)
		return
	}
	var wg sync.WaitGroup
	failed := make([]any, workers)
	for w := range workers {
		wg.Go(func() {
			defer func() { failed[w] = recover() }()
			body(n*w/workers, n*(w+1)/workers)
		})
	}
	wg.Wait()
	for _, p := range failed {
		if p != nil {
			panic(p)
		}
	}
}
