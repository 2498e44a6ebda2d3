package ffi

import (
	"context"
	"runtime"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// Context is what a handler may know of the run it is part of. As a context.Context it is cancelled when the run is.
type Context interface {
	context.Context
	// RunID is a positive number, another one for each execution of a program in the process.
	RunID() int64
	// DeviceOrdinal is the number of the device, 0 for the first.
	DeviceOrdinal() int
	// ParallelFor calls body on disjoint ranges that cover [0, n), on several processors where each gets at least grain of
	// them, and returns when all are done.
	ParallelFor(n, grain int, body func(lo, hi int))
}

// handlerContext implements Context for one call after the other.
type handlerContext struct {
	context.Context
	run *backend.Run
}

func (c *handlerContext) RunID() int64 {
	if c.run == nil {
		return 0
	}
	return c.run.ID
}

func (c *handlerContext) DeviceOrdinal() int {
	if c.run == nil {
		return 0
	}
	return c.run.Device.ID
}

func (c *handlerContext) ParallelFor(n, grain int, body func(lo, hi int)) {
	workers := min(runtime.GOMAXPROCS(0), n/max(grain, 1))
	if workers <= 1 {
		if n > 0 {
			body(0, n)
		}
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

// Buffer is an operand or a result as a Go handler sees it: dense, in the order of the call's layout (row-major unless it
// says otherwise), typed at run time. A handler reads operands and fills in results, which begin as zeros or as the operand
// they are aliased with, and keeps neither after it returns.
type Buffer struct{ *array.Buffer }

// Float32s is the memory of a float32 buffer, not a copy. It panics for another dtype, which the call reports as an
// error; the same holds for the other accessors.
func (b Buffer) Float32s() []float32 { return view[float32](b, array.Float32) }

// Float64s is the memory of a float64 buffer.
func (b Buffer) Float64s() []float64 { return view[float64](b, array.Float64) }

// Int32s is the memory of an int32 buffer.
func (b Buffer) Int32s() []int32 { return view[int32](b, array.Int32) }

// Int64s is the memory of an int64 buffer.
func (b Buffer) Int64s() []int64 { return view[int64](b, array.Int64) }

func view[T any](b Buffer, want array.DType) []T {
	if b.DType() != want {
		panic(array.DTypeErrorf("the handler reads a buffer of %s%s as %s", b.DType(), b.Shape(), want))
	}
	return array.View[T](b.Buffer)
}

// Element are the Go types of elements that typed buffers have.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128
}

// BufferOf is an operand or result of one dtype and any rank. Data is the memory itself.
type BufferOf[T Element] struct {
	Data  []T
	Shape array.Shape
}

// BufferR0 is a scalar, in Data[0]. A call with a buffer of another rank or dtype is refused when it is compiled, here and
// for the other ranks.
type BufferR0[T Element] struct{ BufferOf[T] }

// BufferR1 is a vector.
type BufferR1[T Element] struct{ BufferOf[T] }

// BufferR2 is a matrix.
type BufferR2[T Element] struct{ BufferOf[T] }

// BufferR3 has three dimensions.
type BufferR3[T Element] struct{ BufferOf[T] }

// BufferR4 has four dimensions.
type BufferR4[T Element] struct{ BufferOf[T] }

// Row is the memory of row i of a matrix.
func (b BufferR2[T]) Row(i int) []T { return b.Data[i*b.Shape[1] : (i+1)*b.Shape[1]] }

// anyRank is the rank of a parameter that takes every rank.
const anyRank = -1

// typedBuffer is implemented by pointers to the typed buffers, for the binder.
type typedBuffer interface {
	set(b *array.Buffer)
	wants() (d array.DType, rank int)
}

func (t *BufferOf[T]) set(b *array.Buffer) { t.Data, t.Shape = array.View[T](b), b.Shape() }

func (t *BufferOf[T]) wants() (array.DType, int) { return elementType[T](), anyRank }
func (t *BufferR0[T]) wants() (array.DType, int) { return elementType[T](), 0 }
func (t *BufferR1[T]) wants() (array.DType, int) { return elementType[T](), 1 }
func (t *BufferR2[T]) wants() (array.DType, int) { return elementType[T](), 2 }
func (t *BufferR3[T]) wants() (array.DType, int) { return elementType[T](), 3 }
func (t *BufferR4[T]) wants() (array.DType, int) { return elementType[T](), 4 }

func elementType[T Element]() array.DType {
	var zero T
	switch any(zero).(type) {
	case bool:
		return array.Bool
	case int8:
		return array.Int8
	case int16:
		return array.Int16
	case int32:
		return array.Int32
	case int64:
		return array.Int64
	case uint8:
		return array.Uint8
	case uint16:
		return array.Uint16
	case uint32:
		return array.Uint32
	case uint64:
		return array.Uint64
	case float32:
		return array.Float32
	case float64:
		return array.Float64
	case complex64:
		return array.Complex64
	}
	return array.Complex128
}
