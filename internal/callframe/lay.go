package callframe

import (
	"fmt"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// Lay lays out a frame for operands and results of the given types, to be used for many calls: the caller points the
// buffers, which Operands and Results list, at memory before each one and fills in API and Context. Tokens have no memory.
// attrs, from EncodeAttrs, may be shared by frames. It reports an error for an element type that the interface has no
// number for.
func Lay(stage Stage, operands, results []array.Aval, attrs *Attrs) (f *Frame, in, out []Buffer, err error) {
	f = &Frame{StructSize: frameSize, Stage: stage, Attrs: *attrs}
	if in, err = f.Args.lay(operands, "operand"); err != nil {
		return nil, nil, nil, err
	}
	if out, err = f.Rets.lay(results, "result"); err != nil {
		return nil, nil, nil, err
	}
	return f, in, out, nil
}

func (l *Buffers) lay(avals []array.Aval, what string) ([]Buffer, error) {
	l.StructSize = unsafe.Sizeof(*l)
	l.Count = uintptr(len(avals))
	types, ptrs, bufs := make([]int32, len(avals)), make([]*Buffer, len(avals)), make([]Buffer, len(avals))
	for i, a := range avals {
		code := codeOf(a.DType)
		if a.DType == array.Token {
			code = tokenType
		}
		if code == 0 {
			return nil, fmt.Errorf("%s %d: a foreign call cannot carry %s", what, i, a.DType)
		}
		dims := make([]int64, len(a.Shape))
		for k, n := range a.Shape {
			dims[k] = int64(n)
		}
		types[i], ptrs[i] = bufferType, &bufs[i]
		bufs[i] = Buffer{StructSize: unsafe.Sizeof(Buffer{}), DType: code, Rank: int64(len(dims)), Dims: unsafe.SliceData(dims)}
	}
	l.Types, l.Pointers = unsafe.SliceData(types), unsafe.SliceData(ptrs)
	return bufs, nil
}

// EncodeAttrs lays out attributes, given in any order.
func EncodeAttrs(d Dict) (*Attrs, error) {
	a := new(Attrs)
	return a, a.fill(d)
}

// Ask lays out a frame that asks a handler for its metadata, as a runtime does when the handler is registered.
func Ask(api *API) (*Frame, *Metadata) {
	m := &Metadata{StructSize: unsafe.Offsetof(Metadata{}.Traits) + unsafe.Sizeof(Metadata{}.Traits)}
	q := &MetadataExtension{Extension{StructSize: unsafe.Sizeof(MetadataExtension{}), Type: metadataType}, m}
	f := &Frame{StructSize: frameSize, Extensions: &q.Extension, API: api, Stage: Execute}
	f.Args.StructSize, f.Rets.StructSize = unsafe.Sizeof(f.Args), unsafe.Sizeof(f.Rets)
	f.Attrs.StructSize = unsafe.Sizeof(f.Attrs)
	return f, m
}
