package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// EigP is a V = V diag(w) for any square matrix, and Uᴴ a = diag(w) Uᴴ.
//
//	a [..., n, n]   →   w [..., n] complex; with Left U [..., n, n] and with Right V [..., n, n] complex
//
// Vectors have length 1 and a real largest element; the order of the eigenvalues is free. What is not finite gives NaN.
//
// JVP: dw = diag(V⁻¹ da V), dV = V (F ∘ V⁻¹ da V) as for EighP, and what keeps length and phase.
type EigP struct{ Left, Right bool }

// Name implements primitive.Primitive.
func (EigP) Name() string { return "eig" }

// Params implements primitive.Parametric.
func (p EigP) Params() []primitive.Param {
	return []primitive.Param{{Name: "compute_left_eigenvectors", Value: p.Left}, {Name: "compute_right_eigenvectors", Value: p.Right}}
}

// Shape implements primitive.Primitive.
func (p EigP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := squareOperand(in)
	if err != nil {
		return nil, err
	}
	n, _ := sizes(a.Shape)
	a = withType(a, complexOf(a.DType))
	out := []array.Aval{like(a, n)}
	for _, vectors := range []bool{p.Left, p.Right} {
		if vectors {
			out = append(out, a)
		}
	}
	return out, nil
}

func complexOf(d array.DType) array.DType {
	if d.IsComplex() {
		return d
	}
	return d.Complex()
}

// JVP implements vjp.Differentiable.
func (p EigP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	all := primitive.BindAll(EigP{p.Left, true}, x...)
	w, v := all[0], all[len(all)-1]
	da := dx[0].AsType(w.DType())
	if !p.Left && !p.Right {
		return all[:1], []*array.Array{Solve(v, da).Mul(np.MatrixTranspose(v)).Sum(-1)}, nil
	}
	dw, dv := eigTangents(w, v, da)
	y, dy = []*array.Array{w}, []*array.Array{dw}
	if p.Left {
		_, du := eigTangents(w.Conj(), all[1], adjoint(da))
		y, dy = append(y, all[1]), append(dy, du)
	}
	if p.Right {
		y, dy = append(y, v), append(dy, dv)
	}
	return y, dy, nil
}

// eigTangents are those of the eigenvalues w and the right eigenvectors v.
func eigTangents(w, v, da *array.Array) (dw, dv *array.Array) {
	inner := mul(Solve(v, da), v)
	u := mul(v, gaps(w, v.DType()).Mul(inner))
	largest := np.Argmax(v.Abs(), np.Axis(-2), np.KeepDims())
	pick := func(x *array.Array) *array.Array { return np.TakeAlongAxis(x, largest, np.Axis(-2)) }
	along := np.Sum(v.Conj().Mul(u), np.Axis(-2), np.KeepDims()).Real()
	turn := pick(u).Imag().Div(pick(v).Real())
	return diagonal(inner), u.Sub(v.Mul(primitive.Complex(along, turn)))
}

// Batch implements vmap.Batcher.
func (p EigP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p EigP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		a := x[0].Aval()
		n, _ := sizes(a.Shape)
		vectors := withType(a, out[0].DType)
		avals := []array.Aval{like(a, n), vectors, vectors, statusOf(a)}
		if !a.DType.IsComplex() {
			avals = append([]array.Aval{avals[0]}, avals...)
		}
		call := lapackP{Routine: "geev", Attrs: [3]attr{flagChar("compute_left", p.Left, 'V', 'N'), flagChar("compute_right", p.Right, 'V', 'N')}}
		y := call.call(avals, x...)
		w, rest := y[0], y[1:]
		if !a.DType.IsComplex() {
			w, rest = primitive.Complex(y[0], y[1]), y[2:]
		}
		ok := rest[2].Equal(0)
		results := []*array.Array{whereOK(ok, w)}
		if p.Left {
			results = append(results, whereOK(ok, rest[0]))
		}
		if p.Right {
			results = append(results, whereOK(ok, rest[1]))
		}
		return results
	})
}

// Eig returns the eigenvalues of a, in no order, and the eigenvectors, the columns of v, of length 1. Both are complex, also
// where a is real. See EigP.
//
//	a [..., n, n]   →   w [..., n], v [..., n, n] complex
func Eig(a any) (w, v *array.Array) {
	y := primitive.BindAll(EigP{Right: true}, squares("Eig", a))
	return y[0], y[1]
}

// Eigvals returns the eigenvalues of a. See Eig.
//
//	a [..., n, n]   →   [..., n] complex
func Eigvals(a any) *array.Array { return primitive.Bind(EigP{}, squares("Eigvals", a)) }
