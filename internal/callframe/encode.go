package callframe

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// Call is what goes into a frame. The buffers are shared with it, so their memory must stay until the handler is done.
type Call struct {
	Stage    Stage
	Operands []*array.Buffer
	Results  []*array.Buffer
	Attrs    Dict // in any order
}

// New lays out a frame. All of it is Go memory that the frame keeps alive. The caller fills in API and Context. It
// reports an error for an element type that the interface has no number for and for types narrower than a byte, which a
// frame would have to pack.
func New(c Call) (*Frame, error) {
	f := &Frame{StructSize: frameSize, Stage: c.Stage}
	if err := f.Args.fill(c.Operands, "operand"); err != nil {
		return nil, err
	}
	if err := f.Rets.fill(c.Results, "result"); err != nil {
		return nil, err
	}
	if err := f.Attrs.fill(c.Attrs); err != nil {
		return nil, err
	}
	return f, nil
}

func (l *Buffers) fill(bs []*array.Buffer, what string) error {
	l.StructSize = unsafe.Sizeof(*l)
	l.Count = uintptr(len(bs))
	types := make([]int32, len(bs))
	ptrs := make([]*Buffer, len(bs))
	for i, b := range bs {
		code := codeOf(b.DType())
		if code == 0 || packed(b.DType()) > 1 {
			return fmt.Errorf("%s %d: a foreign call cannot carry %s", what, i, b.DType())
		}
		dims := make([]int64, len(b.Shape()))
		for k, n := range b.Shape() {
			dims[k] = int64(n)
		}
		types[i] = bufferType
		ptrs[i] = &Buffer{
			StructSize: unsafe.Sizeof(Buffer{}), DType: code, Data: unsafe.Pointer(unsafe.SliceData(b.Bytes())),
			Rank: int64(len(dims)), Dims: unsafe.SliceData(dims),
		}
	}
	l.Types, l.Pointers = unsafe.SliceData(types), unsafe.SliceData(ptrs)
	return nil
}

// fill sorts by name, bytewise: handlers find attributes by their place in that order.
func (a *Attrs) fill(d Dict) error {
	d = slices.Clone(d)
	slices.SortFunc(d, func(x, y Named) int { return strings.Compare(x.Name, y.Name) })
	types, names, ptrs := make([]int32, len(d)), make([]*Span, len(d)), make([]unsafe.Pointer, len(d))
	for i, n := range d {
		names[i] = span(n.Name)
		var err error
		if types[i], ptrs[i], err = encodeAttr(n.Value); err != nil {
			return fmt.Errorf("attribute %s: %w", n.Name, err)
		}
	}
	a.StructSize = unsafe.Sizeof(*a)
	a.Count = uintptr(len(d))
	a.Types, a.Names, a.Pointers = unsafe.SliceData(types), unsafe.SliceData(names), unsafe.SliceData(ptrs)
	return nil
}

func encodeAttr(v any) (kind int32, p unsafe.Pointer, err error) {
	switch v := v.(type) {
	case string:
		return stringAttr, unsafe.Pointer(span(v)), nil
	case Dict:
		a := new(Attrs)
		return dictAttr, unsafe.Pointer(a), a.fill(v)
	case *array.Buffer:
		code := codeOf(v.DType())
		if code == 0 || packed(v.DType()) > 1 {
			return 0, nil, fmt.Errorf("a foreign call cannot carry %s", v.DType())
		}
		data := unsafe.Pointer(unsafe.SliceData(v.Bytes()))
		if len(v.Shape()) == 0 {
			return scalarAttr, unsafe.Pointer(&Scalar{code, data}), nil
		}
		return arrayAttr, unsafe.Pointer(&Array{code, uintptr(v.Len()), data}), nil
	}
	return 0, nil, fmt.Errorf("a foreign call cannot carry a Go %T", v)
}

func span(s string) *Span { return &Span{unsafe.StringData(s), uintptr(len(s))} }
