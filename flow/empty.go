package flow

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// EmptyP makes an array whose elements are overwritten before anyone reads them: room for the stacked outputs of a scan
// that are random keys, of which there is no number to fill them with.
//
//	→ Shape, of DType
type EmptyP struct {
	Size  array.Ints
	DType array.DType
}

// Name implements primitive.Primitive.
func (EmptyP) Name() string { return "empty" }

// Shape implements primitive.Primitive.
func (p EmptyP) Shape([]array.Aval) ([]array.Aval, error) {
	return []array.Aval{{Shape: p.Size.Shape(), DType: p.DType}}, nil
}

// KeyAware implements lower.KeyAware: the words behind the keys are zeros.
func (EmptyP) KeyAware() {}

// Lower implements primitive.Lowerable.
func (EmptyP) Lower(b *hlo.Builder, _ []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return []*hlo.Value{b.Splat(out[0], 0)}, nil
}

// zeros is an array of zeros of type a, or of any keys.
func zeros(a array.Aval) *array.Array {
	if a.DType.IsKey() {
		return primitive.Bind(EmptyP{array.MakeInts(a.Shape...), a.DType})
	}
	return primitive.Full(a, 0)
}
