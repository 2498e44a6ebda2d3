package vjp

import (
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// Policy decides which values inside a checkpointed function are kept for reverse mode: the results of the primitives
// that it calls saveable. What is not kept is computed again. A Policy must be comparable.
type Policy interface {
	Saveable(p primitive.Primitive) bool
}

// The policies. NothingSaveable is the default of Checkpoint.
var (
	NothingSaveable    Policy = namedPolicy("nothing_saveable")
	EverythingSaveable Policy = namedPolicy("everything_saveable")
	// DotsSaveable keeps the results of matrix products and convolutions.
	DotsSaveable Policy = namedPolicy("dots_saveable")
	// DotsWithNoBatchDimsSaveable keeps the results of matrix products that have no batch dimensions, as those of
	// activations with weights.
	DotsWithNoBatchDimsSaveable Policy = namedPolicy("dots_with_no_batch_dims_saveable")
)

type namedPolicy string

// Saveable implements Policy.
func (n namedPolicy) Saveable(p primitive.Primitive) bool {
	switch n {
	case "everything_saveable":
		return true
	case "dots_saveable":
		return p.Name() == "dot_general" || p.Name() == "conv_general_dilated"
	case "dots_with_no_batch_dims_saveable":
		d, ok := p.(primitive.DotGeneralP)
		return ok && d.Dims.Batch[0].Len() == 0
	}
	return false
}

// SaveNames is the policy that keeps the values marked with CheckpointName by one of the names.
func SaveNames(names ...string) Policy {
	return savedNames("\x00" + strings.Join(names, "\x00") + "\x00")
}

type savedNames string

// Saveable implements Policy.
func (n savedNames) Saveable(p primitive.Primitive) bool {
	name, ok := p.(NameP)
	return ok && strings.Contains(string(n), "\x00"+name.Label+"\x00")
}

// String lists the names.
func (n savedNames) String() string {
	return "save_only_these_names(" + strings.ReplaceAll(strings.Trim(string(n), "\x00"), "\x00", ", ") + ")"
}

// CheckpointName marks x for the policies of checkpoints around it. It is x otherwise.
func CheckpointName(x *array.Array, name string) *array.Array { return primitive.Bind(NameP{name}, x) }

// NameP is its operand under a name that policies know.
//
//	x [...]   →   [...] same dtype
type NameP struct{ Label string }

// Name implements primitive.Primitive.
func (NameP) Name() string { return "name" }

// Params implements primitive.Parametric.
func (p NameP) Params() []primitive.Param {
	return []primitive.Param{{Name: "name", Value: p.Label}}
}

// Shape implements primitive.Primitive.
func (NameP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 1 {
		return nil, array.ArgumentErrorf("takes one operand, got %d", len(in))
	}
	return in, nil
}

// Elementwise implements vmap.Elementwise.
func (NameP) Elementwise() {}

// JVP implements Differentiable.
func (p NameP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return primitive.BindAll(p, x...), dx, nil
}

// Lower implements primitive.Lowerable.
func (NameP) Lower(_ *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return in, nil
}

// CheckpointOption is a setting of Checkpoint.
type CheckpointOption func(*CheckpointP)

// Save sets the policy.
func Save(policy Policy) CheckpointOption { return func(p *CheckpointP) { p.Policy = policy } }

// Checkpoint returns f, computed again where reverse mode needs what is inside it, instead of kept from the forward
// pass: less memory for more time. Only its arguments are kept, and what the policy says.
func Checkpoint(f any, opts ...CheckpointOption) *trace.Func {
	c, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap("vjp.Checkpoint", err))
	}
	p := CheckpointP{Policy: NothingSaveable}
	for _, o := range opts {
		o(&p)
	}
	sig := trace.SignatureOf(c)
	return trace.NewFunc(c.Name(), sig, func(args []any) (any, error) {
		if primitive.Top() == nil {
			return c.Apply(args)
		}
		leaves, in, err := trace.FlattenArgs(sig, args)
		if err != nil {
			return nil, err
		}
		body, out, err := trace.RecordTree("checkpoint("+c.Name()+")", c, avalsOf(leaves), in)
		if err != nil {
			return nil, err
		}
		return out.Unflatten(p.bind(body, leaves...))
	})
}

// CheckpointP calls a jaxpr of which reverse mode keeps the operands only, and what Policy says.
type CheckpointP struct {
	Body   *trace.Jaxpr
	Policy Policy
	// Differentiated marks an equation that computes again: lowering keeps the compiler from merging it with the first
	// time.
	Differentiated bool
}

// Name implements primitive.Primitive.
func (CheckpointP) Name() string { return "checkpoint" }

// Params implements primitive.Parametric.
func (p CheckpointP) Params() []primitive.Param {
	return []primitive.Param{{Name: "differentiated", Value: p.Differentiated}, {Name: "jaxpr", Value: p.Body}, {Name: "policy", Value: p.Policy}}
}

// Jaxprs implements trace.HasJaxprs.
func (p CheckpointP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

// Shape implements primitive.Primitive.
func (p CheckpointP) Shape(in []array.Aval) ([]array.Aval, error) { return callShape(p.Body, in) }

func (p CheckpointP) bind(c *trace.Closed, in ...*array.Array) []*array.Array {
	j, captured := c.Hoist()
	p.Body = trace.Intern(j)
	return primitive.BindAll(p, slices.Concat(captured, in)...)
}

// JVP implements Differentiable.
func (p CheckpointP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nonzero, given := Present(dx)
	c, outNZ, err := JVPJaxpr(p.Body, nonzero, nil)
	if err != nil {
		return nil, nil, err
	}
	out := p.bind(c, slices.Concat(x, given)...)
	n := len(outNZ)
	return out[:n:n], Spread(out[n:], outNZ), nil
}

// Linearize implements Linearizer: the forward equation returns what the policy saves, the linear one computes the
// residuals again from that and the operands.
func (p CheckpointP) Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nonzero, given := Present(dx)
	parts, err := LinearizeJaxpr(p.Body, nonzero, nil)
	if err != nil {
		return nil, nil, err
	}
	fwd, captured := parts.Forward.Hoist()
	numOut := len(p.Body.Out)
	again := *fwd
	again.Out = nil
	for _, r := range parts.Residuals {
		if r.Result >= 0 {
			again.Out = append(again.Out, fwd.Out[r.Result])
		}
	}
	saved := p.saved(live(&again))
	keep := *fwd
	keep.Out = slices.Concat(fwd.Out[:numOut], atomsOf(saved))
	in := slices.Concat(captured, x)
	out := p.bind(&trace.Closed{Jaxpr: live(&keep)}, in...)

	types := slices.Concat(trace.Avals(fwd.In), trace.Avals(saved), avalsOf(given))
	c, err := trace.Record("", types, func(args []*array.Array) ([]*array.Array, error) {
		n, m := len(fwd.In), len(fwd.In)+len(saved)
		res, err := evalFrom(&again, args[:n], saved, args[n:m])
		if err != nil {
			return nil, err
		}
		operands := make([]*array.Array, 0, len(parts.Residuals)+len(given))
		for _, r := range parts.Residuals {
			if r.Result >= 0 {
				operands, res = append(operands, res[0]), res[1:]
			} else {
				operands = append(operands, r.Of(args[len(captured):n], nil))
			}
		}
		return trace.Eval(parts.Linear, nil, append(operands, args[m:]...))
	})
	if err != nil {
		return nil, nil, err
	}
	p.Differentiated = true
	dy = p.bind(c, slices.Concat(in, out[numOut:], given)...)
	return out[:numOut:numOut], Spread(dy, parts.IsLinear), nil
}

// saved lists what the policy keeps of the values in j. Of a marked value it is the value before the mark, from which
// derivatives may have been taken.
func (p CheckpointP) saved(j *trace.Jaxpr) []*trace.Var {
	var vars []*trace.Var
	add := func(v *trace.Var) {
		if v != nil && !slices.Contains(vars, v) && !slices.Contains(j.In, v) {
			vars = append(vars, v)
		}
	}
	for _, e := range j.Eqns {
		if !p.Policy.Saveable(e.Prim) {
			continue
		}
		if _, ok := e.Prim.(NameP); ok {
			if v, ok := e.In[0].(*trace.Var); ok {
				add(v)
			}
			continue
		}
		for _, v := range e.Out {
			add(v)
		}
	}
	return vars
}

func atomsOf(vars []*trace.Var) []trace.Atom {
	atoms := make([]trace.Atom, len(vars))
	for i, v := range vars {
		atoms[i] = v
	}
	return atoms
}

// evalFrom computes the results of j where the variables known have values already: they become inputs.
func evalFrom(j *trace.Jaxpr, in []*array.Array, known []*trace.Var, values []*array.Array) ([]*array.Array, error) {
	k := *j
	k.In = slices.Concat(j.In, known)
	k.Eqns = make([]*trace.Eqn, len(j.Eqns))
	for i, e := range j.Eqns {
		again := *e
		again.Out = slices.Clone(e.Out)
		for i, v := range e.Out {
			if slices.Contains(known, v) {
				again.Out[i] = nil
			}
		}
		k.Eqns[i] = &again
	}
	live, used := trace.DCE(&k, allTrue(len(k.Out)))
	return trace.Eval(live, nil, only(slices.Concat(in, values), used))
}

// Transpose implements Linear.
func (p CheckpointP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	linear := make([]bool, len(in))
	var args []*array.Array
	for i, o := range in {
		if linear[i] = o.Value == nil; !linear[i] {
			args = append(args, o.Value)
		}
	}
	nonzero, given := Present(ct)
	c, sent, err := TransposeJaxpr(p.Body, linear, nonzero, nil)
	if err != nil {
		return nil, err
	}
	p.Differentiated = true
	return Spread(Spread(p.bind(c, slices.Concat(args, given)...), sent), linear), nil
}

// Split implements Splitter: where values come out beside tangents, the body stands in place.
func (p CheckpointP) Split(in []*array.Array, linear []bool) ([]*array.Array, error) {
	if !slices.Contains(Reached(p.Body, linear), false) {
		return nil, nil
	}
	return trace.Eval(p.Body, nil, in)
}

// BatchBody implements vmap.BodyBatcher.
func (p CheckpointP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	c, outDims, err := vmap.Jaxpr(p.Body, axis, dims, nil)
	if err != nil {
		return nil, nil, err
	}
	return p.bind(c, in...), outDims, nil
}

// Prune implements trace.Pruner.
func (p CheckpointP) Prune(used []bool) (primitive.Primitive, []bool, []bool) {
	j, in := trace.DCE(p.Body, used)
	p.Body = trace.Intern(j)
	return p, in, used
}

// LowerJaxpr implements trace.JaxprLowerable: the body in place, behind a barrier where it computes again.
func (p CheckpointP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	if p.Differentiated && len(in) > 0 {
		types := make([]hlo.Type, len(in))
		for i, v := range in {
			types[i] = v.Type
		}
		in = c.Builder().Append(&hlo.Op{Name: "stablehlo.optimization_barrier", Operands: in}, types...).Results
	}
	return c.Inline(p.Body, in)
}

// only lists the elements that are marked.
func only[T any](x []T, marked []bool) []T {
	var out []T
	for i, v := range x {
		if marked[i] {
			out = append(out, v)
		}
	}
	return out
}
