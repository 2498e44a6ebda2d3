package lower

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// KeyAware is implemented by primitives whose lowering takes the words of random keys itself: those of package random,
// and those that hold jaxprs. Every other primitive on keys only moves them about.
type KeyAware interface{ KeyAware() }

// needsWords reports an equation on keys whose primitive knows nothing of the words behind them.
func needsWords(e *trace.Eqn, out []array.Aval) bool {
	if _, ok := e.Prim.(KeyAware); ok {
		return false
	}
	if _, ok := e.Prim.(trace.JaxprLowerable); ok {
		return false
	}
	for _, a := range out {
		if a.DType.IsKey() {
			return true
		}
	}
	return false
}

// overWords lowers an operation that moves keys about (reshape, slice, concatenate, gather, select …). A key array of
// shape s is a uint32 array of shape s+words, and moving keys is moving each word alike: the operation mapped over the
// trailing axes. So the equation's own batch rule says what it becomes.
func (l *lowering) overWords(e *trace.Eqn, in []*hlo.Value) ([]*hlo.Value, error) {
	var words array.Shape
	avals := make([]array.Aval, len(e.In))
	keys := make([]bool, len(e.In))
	for i, a := range e.In {
		avals[i] = a.AvalOf()
		if keys[i] = avals[i].DType.IsKey(); keys[i] {
			words = avals[i].DType.KeyShape()
			avals[i].DType = array.Uint32
		}
	}
	if words == nil { // keys out of nothing, as broadcasting a literal cannot be
		return nil, array.DTypeErrorf("makes keys of operands that are none")
	}
	c, err := trace.Record(e.Prim.Name(), avals, func(in []*array.Array) ([]*array.Array, error) {
		return primitive.BindAll(e.Prim, in...), nil
	})
	if err != nil {
		return nil, err
	}
	j := c.Jaxpr
	for _, n := range words {
		dims := make([]int, len(e.In))
		for i := range dims {
			dims[i] = vmap.NotMapped
			if keys[i] {
				dims[i] = len(j.In[i].Aval.Shape)
			}
		}
		if j, err = vmap.JaxprAt(j, n, dims, vmap.Last); err != nil {
			return nil, err
		}
	}
	return l.Inline(j, in)
}
