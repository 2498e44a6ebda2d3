package cpu

import (
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// emitCustomCall emits a call of a foreign function that backend.Options.Handlers finds. The handler gets the operands
// where they lie and fills the results where they belong.
func emitCustomCall(c *compiler, n *node) (run, error) {
	target, version := str(n.op, "call_target_name"), num(n.op, "api_version", 1)
	var h backend.Handler
	ok := false
	if c.opts.Handlers != nil {
		h, ok = c.opts.Handlers.Handler(target, "cpu", version)
	}
	if !ok {
		return nil, &missingTarget{
			&array.TargetError{Msg: "no handler is registered for the custom call target " + target + " on cpu"},
			&backend.Unsupported{Feature: "custom_call " + target},
		}
	}
	attrs, _ := n.op.Attr("backend_config").(hlo.Dict)
	opaque := str(n.op, "backend_config")
	return func(f *frame) error {
		call := &backend.CallFrame{Target: target, Attrs: hlo.Attrs(attrs), Opaque: opaque, Loc: n.op.Loc}
		for _, v := range n.in {
			b, err := f.buffer(v)
			if err != nil {
				return err
			}
			call.Operands = append(call.Operands, b)
		}
		for _, v := range n.out {
			b, err := f.buffer(v)
			if err != nil {
				return err
			}
			clear(b.Bytes())
			call.Results = append(call.Results, b)
		}
		return h.Call(f.ctx, call)
	}, nil
}

// missingTarget is both a TargetError, for users, and an Unsupported, for those who count what an engine lacks.
type missingTarget struct {
	target  *array.TargetError
	feature *backend.Unsupported
}

func (e *missingTarget) Error() string   { return e.target.Error() }
func (e *missingTarget) Unwrap() []error { return []error{e.target, e.feature} }

// buffer is a view of a value's memory.
func (f *frame) buffer(v *value) (*array.Buffer, error) {
	p := (*byte)(f.mem[v.ref().slot])
	return array.WrapBuffer(v.dtype, v.shape, unsafe.Slice(p, v.n*v.dtype.Size()))
}
