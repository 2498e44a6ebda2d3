package vmap

import (
	"fmt"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Collective is implemented by primitives that work along a named axis, across the elements of a vmap. BatchAxis is
// their rule for the vmap of that axis, also where no operand is mapped; in and dims are as for Batcher, which is the
// rule for other axes.
type Collective interface {
	AxisName() string
	BatchAxis(axis AxisData, in []*array.Array, dims []int) (out []*array.Array, outDims []int, err error)
}

// uses reports whether p or a jaxpr in it works along the axis called name.
func uses(p primitive.Primitive, name string) bool {
	if name == "" {
		return false
	}
	if c, ok := p.(Collective); ok && c.AxisName() == name {
		return true
	}
	for _, j := range trace.Jaxprs(p) {
		for _, e := range j.Eqns {
			if uses(e.Prim, name) {
				return true
			}
		}
	}
	return false
}

// namedAxes lists the named axes that are open on this goroutine, innermost first.
func namedAxes() []AxisData {
	var axes []AxisData
	for f := primitive.Top(); f != nil; f = f.Parent() {
		if t, ok := f.Trace().(*batchTrace); ok && t.axis.Name != "" {
			axes = append(axes, t.axis)
		}
	}
	return axes
}

// AxesKey is equal exactly where the same named axes are open, and empty where none is: part of the key under which what
// was traced inside them may be kept.
func AxesKey() string {
	var b strings.Builder
	for _, a := range namedAxes() {
		fmt.Fprintf(&b, "%q:%d ", a.Name, a.Size)
	}
	return b.String()
}

// axisNamed finds an open axis.
func axisNamed(name string) (AxisData, error) {
	axes := namedAxes()
	for _, a := range axes {
		if a.Name == name {
			return a, nil
		}
	}
	return AxisData{}, unbound(name, axes)
}

func unbound(name string, open []AxisData) error {
	var names []string
	for _, a := range open {
		names = append(names, a.Name)
	}
	have := "no named axis is open"
	if names != nil {
		have = "open are " + strings.Join(names, ", ")
	}
	return array.ArgumentErrorf("unbound axis name %q: %s; name the axis of a vmap around this with vmap.Axis(%q)", name, have, name)
}

// mustAxis is axisNamed for functions of the user.
func mustAxis(op, name string) AxisData {
	a, err := axisNamed(name)
	if err != nil {
		panic(&array.Error{Pos: primitive.Position(), Op: op, Path: primitive.Path(), Err: err})
	}
	return a
}

// AxisSize is the number of elements along the named axis. It panics with an ArgumentError where no vmap around has it.
func AxisSize(name string) int { return mustAxis("vmap.AxisSize", name).Size }
