package jit

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

func init() { primitive.SetEager(eager) }

// eagerLimit bounds the number of compiled operations that are kept. Past it the older half goes.
const eagerLimit = 4096

type eagerKey struct {
	prim    primitive.Primitive
	avals   string
	backend backend.Backend
}

type eagerOp struct {
	exe  backend.Executable
	out  []array.Aval
	used atomic.Int64 // the clock of its last use

	foreign    bool  // it calls a foreign function,
	generation int64 // of these registrations
}

// ops keeps the compiled operations of eager evaluation; mu guards table.
var ops struct {
	mu    sync.RWMutex
	table map[eagerKey]*eagerOp
	clock atomic.Int64
}

// eager runs one primitive on data: it is lowered and compiled on first use.
func eager(p primitive.Primitive, in []*array.Array) (out []*array.Array, err error) {
	b, err := Default()
	if err != nil {
		return nil, err
	}
	var buf [64]byte
	key := buf[:0]
	for _, x := range in {
		key = x.Aval().AppendKey(key)
	}
	op, err := compiledOp(eagerKey{p, string(key), b}, in)
	if err != nil {
		return nil, err
	}
	data := make([]array.Data, len(in))
	for i, x := range in {
		data[i] = array.DataOf(x)
	}
	res, err := op.exe.Execute(context.Background(), data)
	if err != nil {
		return nil, err
	}
	return wrap(res, op.out), nil
}

func wrap(bufs []backend.Buffer, avals []array.Aval) []*array.Array {
	out := make([]*array.Array, len(bufs))
	for i, b := range bufs {
		out[i] = array.OfAval(b, avals[i])
	}
	return out
}

func compiledOp(k eagerKey, in []*array.Array) (op *eagerOp, err error) {
	if !reflect.ValueOf(k.prim).Comparable() {
		return nil, array.ArgumentErrorf("the primitive %s is not comparable; keep lists in array.Ints and functions behind a pointer", k.prim.Name())
	}
	now := ops.clock.Add(1)
	ops.mu.RLock()
	op = ops.table[k]
	ops.mu.RUnlock()
	if op == nil || op.foreign && op.generation != ffi.Generation() {
		if op, err = compileOp(k.prim, k.backend, in); err != nil {
			return nil, err
		}
		ops.mu.Lock()
		if ops.table == nil {
			ops.table = map[eagerKey]*eagerOp{}
		}
		if len(ops.table) >= eagerLimit {
			evict(now)
		}
		ops.table[k] = op
		ops.mu.Unlock()
	}
	op.used.Store(now)
	return op, nil
}

// evict drops the operations that were not among the last eagerLimit/2 uses. The caller holds ops.mu.
func evict(now int64) {
	for k, op := range ops.table {
		if op.used.Load() < now-eagerLimit/2 {
			delete(ops.table, k) // the executable is freed when its last run ends: runs hold it
		}
	}
}

func compileOp(p primitive.Primitive, b backend.Backend, in []*array.Array) (*eagerOp, error) {
	j := &trace.Jaxpr{}
	e := &trace.Eqn{Prim: p, Pos: array.Caller()}
	avals := make([]array.Aval, len(in))
	for i, x := range in {
		v := &trace.Var{Aval: x.Aval()}
		avals[i] = v.Aval
		j.In = append(j.In, v)
		e.In = append(e.In, v)
	}
	out, err := p.Shape(avals)
	if err != nil {
		return nil, err
	}
	for _, a := range out {
		v := &trace.Var{Aval: a}
		e.Out = append(e.Out, v)
		j.Out = append(j.Out, v)
	}
	j.Eqns = []*trace.Eqn{e}
	op := &eagerOp{out: out, generation: ffi.Generation()}
	op.exe, op.foreign, err = compile(context.Background(), p.Name(), b, &trace.Closed{Jaxpr: j}, nil)
	if err != nil {
		return nil, err
	}
	return op, nil
}

// compile lowers a jaxpr for a backend and compiles it, and tells whether it calls foreign functions. The constants become
// leading parameters.
func compile(ctx context.Context, name string, b backend.Backend, c *trace.Closed, donate []bool) (exe backend.Executable, foreign bool, err error) {
	m, err := lower.Module(name, c, lower.Options{Platform: b.Platform(), Donate: donate})
	if err != nil {
		return nil, false, err
	}
	opts := backend.Options{Name: name, Handlers: handlers}
	for i, d := range donate {
		if d {
			opts.Donate = append(opts.Donate, len(c.Consts)+i)
		}
	}
	if exe, err = b.Compile(ctx, m, opts); err != nil {
		return nil, false, fmt.Errorf("compiling %s for %s: %w", name, b.Name(), err)
	}
	return exe, len(lower.Targets(m)) > 0, nil
}
