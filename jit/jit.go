package jit

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// Func is a compiled function: a trace.Func with the stages of compilation. Its programs are kept in it and go with
// it. Safe for concurrent use where the function it was made from is.
type Func struct {
	*trace.Func
	cache *cache
}

// Of returns f compiled: traced once for each combination of the arguments' shapes, dtypes, tree and static values. f
// is a Go function or a trace.Callable. It panics with an *array.Error where f is neither or an option does not fit.
//
//	step := jit.Of(func(p Params, x *np.Array) Params { … }, jit.Donate(0))
func Of(f any, opts ...Option) *Func {
	c, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap("jit.Of", err))
	}
	k := &cache{callable: c, sig: trace.SignatureOf(c), programs: map[string][]*program{}, log: debug.Logger("jit")}
	for _, o := range opts {
		o(&k.options)
	}
	if k.sig != nil && !k.sig.Variadic {
		for _, i := range append(append([]int{}, k.static...), k.donate...) {
			if i < 0 || i >= len(k.sig.In) {
				panic(array.Wrap("jit.Of", array.ArgumentErrorf("argument %d is named as static or donated; %s takes %d arguments %s", i, c.Name(), len(k.sig.In), k.sig)))
			}
		}
	}
	for _, i := range k.donate {
		if k.isStatic(i) {
			panic(array.Wrap("jit.Of", array.ArgumentErrorf("argument %d is both static and donated; a static value has no memory to give", i)))
		}
	}
	return &Func{trace.NewFunc("jit("+c.Name()+")", k.sig, k.call), k}
}

// cache holds the programs of one jitted function.
type cache struct {
	options
	callable trace.Callable
	sig      *trace.Signature
	log      logger

	mu       sync.Mutex
	programs map[string][]*program // by tree and avals; guarded by mu. Several differ in their static values
	traced   int                   // how many programs were traced, guarded by mu
}

// program is the function traced for one kind of arguments. It never changes but for its executables.
type program struct {
	args     arguments // what it was traced for; the leaves are gone
	closed   *trace.Closed
	out      *trace.Tree
	outAvals []array.Aval
	donate   []bool // by input, nil where nothing is donated

	mu  sync.Mutex
	exe map[backend.Backend]backend.Executable // guarded by mu
}

// arguments are the arguments of one call, taken apart.
type arguments struct {
	leaves  []*array.Array
	avals   []array.Aval
	tree    *trace.Tree
	statics []any // the values of the static arguments, in the order of their positions
	count   int   // all arguments
}

func (k *cache) call(args []any) (any, error) { return k.callUnder(context.Background(), args) }

func (k *cache) callUnder(ctx context.Context, args []any) (any, error) {
	if debug.Current().NoJIT {
		return k.callable.Apply(args)
	}
	a, err := k.apart(args)
	if err != nil {
		return nil, err
	}
	p, err := k.program(a)
	if err != nil {
		return nil, err
	}
	var out []*array.Array
	if traced(a.leaves) || traced(p.closed.ConstVals) || primitive.Top() != nil {
		call, captured := newCall(k.callable.Name(), p.closed)
		out = primitive.BindAll(call, append(captured[:len(captured):len(captured)], a.leaves...)...)
	} else if out, err = k.run(ctx, p, a.leaves); err != nil {
		return nil, err
	}
	return p.out.Unflatten(out)
}

func traced(x []*array.Array) bool {
	for _, v := range x {
		if array.TracerOf(v) != nil {
			return true
		}
	}
	return false
}

// apart separates static arguments from traced ones and flattens these.
func (k *cache) apart(args []any) (a arguments, err error) {
	sig, dynamic := k.sig, args
	if len(k.static) > 0 {
		dynamic = nil
		sig = &trace.Signature{}
		for i, v := range args {
			if !k.isStatic(i) {
				dynamic = append(dynamic, v)
				sig.In = append(sig.In, k.paramType(i))
				continue
			}
			if !reflect.ValueOf(v).IsValid() || !reflect.ValueOf(v).Comparable() {
				return a, array.ArgumentErrorf("static argument %d is a %T, which cannot be compared; give a number, string, bool or a struct of them", i, v)
			}
			a.statics = append(a.statics, v)
		}
	}
	a.count = len(args)
	if a.leaves, a.tree, err = trace.FlattenArgs(sig, dynamic); err != nil {
		return a, err
	}
	a.avals = make([]array.Aval, len(a.leaves))
	for i, x := range a.leaves {
		a.avals[i] = x.Aval()
	}
	return a, nil
}

func (k *cache) paramType(i int) reflect.Type {
	if k.sig == nil || (k.sig.Variadic && i >= len(k.sig.In)-1) {
		return reflect.TypeFor[any]()
	}
	return k.sig.In[i]
}

func (a *arguments) key() string {
	b := append(make([]byte, 0, 128), a.tree.Key()...)
	for _, v := range a.avals {
		b = v.AppendKey(b)
	}
	if primitive.Top() != nil { // collectives know the sizes of the axes they work along
		b = append(b, vmap.AxesKey()...)
	}
	return string(b)
}

// program finds the program for the arguments or traces it.
func (k *cache) program(a arguments) (*program, error) {
	key := a.key()
	k.mu.Lock()
	for _, p := range k.programs[key] {
		if equalStatics(p.args.statics, a.statics) && p.args.count == a.count {
			k.mu.Unlock()
			return p, nil
		}
	}
	k.mu.Unlock()

	p, err := k.trace(a)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.explain(a)
	k.traced++
	if !traced(p.closed.ConstVals) { // values of an outer trace are those of this call only
		k.programs[key] = append(k.programs[key], p)
	}
	return p, nil
}

func equalStatics(a, b []any) bool {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func (k *cache) trace(a arguments) (*program, error) {
	p := &program{args: a, exe: map[backend.Backend]backend.Executable{}}
	p.args.leaves = nil
	f := trace.Callable(whole{k.callable, k.static, a.statics, a.count})
	var err error
	if p.closed, p.out, err = trace.RecordTree("jit("+k.callable.Name()+")", f, a.avals, a.tree); err != nil {
		return nil, err
	}
	p.outAvals = trace.Avals(p.closed.Out)
	p.donate = k.donated(a)
	if debug.Current().Check {
		if err := trace.Check(p.closed.Jaxpr); err != nil {
			return nil, fmt.Errorf("check of the jaxpr: %w", err)
		}
	}
	return p, nil
}

// whole is the user's function of the traced arguments alone: the static ones are put back in their places.
type whole struct {
	trace.Callable
	static []int
	values []any
	count  int
}

func (w whole) Apply(args []any) (any, error) {
	if len(w.values) == 0 {
		return w.Callable.Apply(args)
	}
	o := options{static: w.static}
	all, values := make([]any, 0, w.count), w.values
	for i := range w.count {
		if o.isStatic(i) {
			all, values = append(all, values[0]), values[1:]
		} else {
			all, args = append(all, args[0]), args[1:]
		}
	}
	return w.Callable.Apply(all)
}

// donated marks the inputs that belong to donated arguments.
func (k *cache) donated(a arguments) []bool {
	if len(k.donate) == 0 {
		return nil
	}
	marks := make([]bool, 0, len(a.leaves))
	o, arg := options{static: k.donate}, 0
	for _, t := range a.tree.Children() {
		for k.isStatic(arg) {
			arg++
		}
		for range t.Leaves() {
			marks = append(marks, o.isStatic(arg))
		}
		arg++
	}
	return marks
}

// engine is the backend the function runs on.
func (k *cache) engine() (backend.Backend, error) {
	if k.backend != nil {
		return k.backend, nil
	}
	return Default()
}

// run executes p on data.
func (k *cache) run(ctx context.Context, p *program, leaves []*array.Array) ([]*array.Array, error) {
	b, err := k.engine()
	if err != nil {
		return nil, err
	}
	exe, err := p.executable(ctx, k.callable.Name(), b)
	if err != nil {
		return nil, err
	}
	data := make([]array.Data, 0, len(p.closed.ConstVals)+len(leaves))
	for _, x := range p.closed.ConstVals {
		data = append(data, array.DataOf(x))
	}
	for _, x := range leaves {
		data = append(data, array.DataOf(x))
	}
	if err := twice(p.donate, leaves); err != nil {
		return nil, err
	}
	bufs, err := exe.Execute(ctx, data)
	if err != nil {
		return nil, err
	}
	if p.donate != nil {
		here := primitive.Position()
		for i, d := range p.donate {
			if d {
				array.Donate(leaves[i], here)
			}
		}
	}
	return wrap(bufs, p.outAvals), nil
}

// twice refuses an array that is donated and given again in another place.
func twice(donate []bool, leaves []*array.Array) error {
	for i, d := range donate {
		for k := range leaves {
			if d && k != i && array.DataOf(leaves[i]) == array.DataOf(leaves[k]) {
				return &array.DonatedError{Msg: fmt.Sprintf("array %d of the arguments (%s) is donated and also given as array %d; copy one of them", i, leaves[i].Aval(), k)}
			}
		}
	}
	return nil
}

func (p *program) executable(ctx context.Context, name string, b backend.Backend) (backend.Executable, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if exe := p.exe[b]; exe != nil {
		return exe, nil
	}
	exe, _, err := compile(ctx, name, b, p.closed, p.donate)
	if err != nil {
		return nil, err
	}
	p.exe[b] = exe
	return exe, nil
}
