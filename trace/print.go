package trace

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

func (r *recorder) text(p primitive.Primitive, in []*array.Array) string { return p.Name() }
