package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// The primitives that give their operands unchanged and mean something to a transformation or a compiler.

// StopGradientP is its operand without derivatives.
//
//	x [...]   →   [...] same dtype
//
// JVP: zero.
type StopGradientP struct{ elementwise }

// Name implements Primitive.
func (StopGradientP) Name() string { return "stop_gradient" }

// Shape implements Primitive.
func (StopGradientP) Shape(in []array.Aval) ([]array.Aval, error) { return one(oneOperand(in)) }

// JVP implements vjp.Differentiable. The operand is stopped for derivatives around this one too.
func (p StopGradientP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable.
func (StopGradientP) Lower(_ *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return in, nil
}

// StopGradient returns x without derivatives; integers have none anyway. See StopGradientP.
func StopGradient(x *array.Array) *array.Array {
	if !x.DType().IsInexact() {
		return x
	}
	return Bind(StopGradientP{}, x)
}

// CopyP is a copy of its operand.
//
//	x [...]   →   [...] same dtype
//
// JVP: linear.
type CopyP struct{ elementwise }

// Name implements Primitive.
func (CopyP) Name() string { return "copy" }

// Shape implements Primitive.
func (CopyP) Shape(in []array.Aval) ([]array.Aval, error) { return one(oneOperand(in)) }

// JVP implements vjp.Differentiable.
func (p CopyP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p CopyP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return BindAll(p, ct...), nil
}

// Lower implements Lowerable. Values of a program never change, so a copy is the value.
func (CopyP) Lower(_ *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return in, nil
}

// Copy returns a copy of x. See CopyP.
func Copy(x *array.Array) *array.Array { return Bind(CopyP{}, x) }

// OptimizationBarrierP gives its operands unchanged; a compiler moves no operation from one side of it to the other.
//
//	xs [...] of any shapes and dtypes   →   the same
//
// JVP: linear; tangents have a barrier of their own.
type OptimizationBarrierP struct{}

// Name implements Primitive.
func (OptimizationBarrierP) Name() string { return "optimization_barrier" }

// Shape implements Primitive.
func (OptimizationBarrierP) Shape(in []array.Aval) ([]array.Aval, error) { return in, nil }

// JVP implements vjp.Differentiable.
func (p OptimizationBarrierP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return BindAll(p, x...), p.present(dx), nil
}

// Transpose implements vjp.Linear.
func (p OptimizationBarrierP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return p.present(ct), nil
}

// present puts a barrier behind those of xs that are no zeros.
func (p OptimizationBarrierP) present(xs []*array.Array) []*array.Array {
	var some []*array.Array
	for _, x := range xs {
		if x != nil {
			some = append(some, x)
		}
	}
	some = OptimizationBarrier(some...)
	out := make([]*array.Array, len(xs))
	for i, x := range xs {
		if x != nil {
			out[i], some = some[0], some[1:]
		}
	}
	return out
}

// Batch implements vmap.Batcher.
func (p OptimizationBarrierP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return BindAll(p, in...), dims, nil
}

// Lower implements Lowerable.
func (OptimizationBarrierP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	types := make([]hlo.Type, len(in))
	for i, v := range in {
		types[i] = v.Type
	}
	return b.Append(&hlo.Op{Name: "stablehlo.optimization_barrier", Operands: in}, types...).Results, nil
}

// OptimizationBarrier returns xs behind a barrier. See OptimizationBarrierP.
func OptimizationBarrier(xs ...*array.Array) []*array.Array {
	if len(xs) == 0 {
		return nil
	}
	return BindAll(OptimizationBarrierP{}, xs...)
}
