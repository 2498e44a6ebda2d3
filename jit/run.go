package jit

import (
	"context"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

// Run is Run of a trace.Func: mistakes are returned as errors. The program runs under the context, which ends it between
// steps, and which the foreign functions in it see.
func (f *Func) Run(ctx context.Context, args ...any) ([]*array.Array, error) {
	return runUnder(ctx, f.Name(), f.cache.callUnder, args)
}

// Run is Run of a Func, for the arguments that the program was compiled for.
func (c *Compiled) Run(ctx context.Context, args ...any) ([]*array.Array, error) {
	return runUnder(ctx, c.Name(), c.callUnder, args)
}

func runUnder(ctx context.Context, name string, call func(context.Context, []any) (any, error), args []any) (out []*array.Array, err error) {
	defer trace.Recover(&err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	result, err := call(ctx, args)
	if err != nil {
		return nil, array.Wrap(name, err)
	}
	if out, _, err = trace.Flatten(result); err != nil {
		return nil, array.Wrap(name, err)
	}
	return out, nil
}
