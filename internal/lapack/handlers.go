package lapack

import (
	"context"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Handlers finds the routines by their names.
var Handlers backend.Handlers = handlers{}

type handlers struct{}

// Handler implements backend.Handlers. The targets are those of processors, of the typed interface.
func (handlers) Handler(target, platform string, apiVersion int) (backend.Handler, bool) {
	name, ok := strings.CutPrefix(target, "lapack_")
	if !ok || !strings.HasSuffix(name, "_ffi") || len(name) < len("s_ffi") || platform != "cpu" || apiVersion != 4 {
		return nil, false
	}
	routineName := name[1 : len(name)-len("_ffi")]
	r, ok := routines[routineName]
	if c, differs := complexRoutines[routineName]; differs && (name[0] == 'c' || name[0] == 'z') {
		r = c
	}
	if !ok {
		return nil, false
	}
	h := &handler{target: target, routine: r}
	switch name[0] {
	case 's':
		h.elem, h.kernel = array.Float32, r.real
	case 'd':
		h.elem, h.kernel = array.Float64, r.real
	case 'c':
		h.elem, h.kernel = array.Complex64, r.complex
	case 'z':
		h.elem, h.kernel = array.Complex128, r.complex
	}
	return h, h.kernel != nil
}

// kernel computes the results for one element of the batch.
type kernel func(b *batch) error

// routine is a function of LAPACK. in and out say what each operand and result is for one element of the batch: its
// element type, T that of the matrix, R the real and C the complex type beside it, I int32; and its dimensions by name, where
// k is the smaller one of m and n. Names that stand for several numbers, as of the factors of gesdd, the kernel checks.
type routine struct {
	in, out       string
	real, complex kernel
}

var routines = map[string]routine{
	"potrf": {"Tnn", "Tnn I", potrf[float64], potrf[complex128]},
	"trsm":  {"Taa Tmn", "Tmn", trsm[float64], trsm[complex128]},
	"gtsv":  {"Tn Tn Tn Tnr", "Tn Tn Tn Tnr I", gtsv[float64], gtsv[complex128]},
	"getrf": {"Tmn", "Tmn Ik I", getrf, zgetrf},
	"geqrf": {"Tmn", "Tmn Tk", geqrf, zgeqrf},
	"geqp3": {"Tmn In", "Tmn In Tk", geqp3, zgeqp3},
	"orgqr": {"Tmn Tp", "Tmn", orgqr, nil},
	"ungqr": {"Tmn Tp", "Tmn", nil, zungqr},
	"gehrd": {"Tnn", "Tnn Tt I", gehrd, zgehrd},
	"sytrd": {"Tnn", "Tnn Rn Rt Tt I", sytrd, nil},
	"hetrd": {"Tnn", "Tnn Rn Rt Tt I", nil, zhetrd},
	"syevd": {"Tnn", "Tnn Rn I", syevd, nil},
	"heevd": {"Tnn", "Tnn Rn I", nil, zheevd},
	"gesdd": {"Tmn", "Tmn Rk Tmu Tvn I", gesdd, zgesdd},
	"gesvd": {"Tmn", "Tmn Rk Tmu Tvn I", gesdd, zgesdd},
	"gees":  {"Tnn", "Tnn Tnn Tn Tn I I", gees, nil},
	"geev":  {"Tnn", "Tn Tn Cnn Cnn I", geev, nil},
}

// Two routines have one result less for complex matrices.
var complexRoutines = map[string]routine{
	"gees": {"Tnn", "Tnn Tnn Tn I I", nil, zgees},
	"geev": {"Tnn", "Tn Cnn Cnn I", nil, zgeev},
}

// handler is a routine for one element type.
type handler struct {
	target string
	routine
	elem   array.DType
	kernel kernel
}

// Overwrites implements backend.Overwriter.
func (*handler) Overwrites() bool { return true }

// Instantiate implements backend.Instantiator: it refuses a call whose operands and results do not fit.
func (h *handler) Instantiate(_ context.Context, s *backend.CallSite) (backend.Instance, error) {
	size := map[byte]int{}
	if err := h.fit("operand", h.in, s.Operands, size); err != nil {
		return nil, err
	}
	if err := h.fit("result", h.out, s.Results, size); err != nil {
		return nil, err
	}
	if t, n := size['t'], size['n']; t != max(n-1, 0) && strings.Contains(h.out, "t") {
		return nil, array.ShapeErrorf("%s: %d elements beside the diagonal of a matrix of %d rows", h.target, t, n)
	}
	if m, n, p := size['m'], size['n'], size['p']; strings.Contains(h.in, "p") && (n > m || p > n) {
		return nil, array.ShapeErrorf("%s: %d reflectors in a matrix of %d rows and %d columns", h.target, p, m, n)
	}
	return &instance{h, size}, nil
}

// fit compares avals with what the routine takes or gives; size keeps the dimensions met. The name b stands for all batch
// axes together.
func (h *handler) fit(what, want string, avals []array.Aval, size map[byte]int) error {
	args := strings.Fields(want)
	if len(args) != len(avals) {
		return array.ArgumentErrorf("%s has %d %ss, the call has %d", h.target, len(args), what, len(avals))
	}
	for i, arg := range args {
		a := avals[i]
		var d array.DType
		switch arg[0] {
		case 'T':
			d = h.elem
		case 'R':
			d = h.elem.Real()
		case 'C':
			if d = h.elem; !d.IsComplex() {
				d = d.Complex()
			}
		case 'I':
			d = array.Int32
		}
		if a.DType != d {
			return array.DTypeErrorf("%s %d of %s is %s; it takes %s", what, i, h.target, a, d)
		}
		batch := a.Shape.Rank() - len(arg[1:])
		if batch < 0 {
			return array.ShapeErrorf("%s %d of %s is %s; it needs %d axes", what, i, h.target, a, len(arg[1:]))
		}
		for j, n := range append(array.Shape{a.Shape[:batch].Size()}, a.Shape[batch:]...) {
			name := ("b" + arg[1:])[j]
			known, ok := size[name]
			if name == 'k' {
				known, ok = min(size['m'], size['n']), true
			}
			if ok && known != n {
				return array.ShapeErrorf("%s %d of %s is %s; %d elements were expected along an axis with %d", what, i, h.target, a, known, n)
			}
			size[name] = n
		}
	}
	return nil
}

// instance is a handler for one call.
type instance struct {
	*handler
	size map[byte]int
}

// Close implements backend.Instance.
func (*instance) Close() error { return nil }

// Call implements backend.Handler: the kernel runs for one element of the batch after the other.
func (h *instance) Call(ctx context.Context, c *backend.CallFrame) error {
	b := &batch{CallFrame: c, size: h.size}
	for b.at = range h.size['b'] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := h.kernel(b); err != nil {
			return err
		}
	}
	return nil
}

// Call implements backend.Handler for engines that do not instantiate.
func (h *handler) Call(ctx context.Context, c *backend.CallFrame) error {
	i, err := h.Instantiate(ctx, c.CallSite)
	if err != nil {
		return err
	}
	return i.Call(ctx, c)
}

// number is an attribute that is a number: most are characters.
func (b *batch) number(name string) int {
	if v, ok := b.Attrs.Get(name).(hlo.Int); ok {
		return int(v.Value)
	}
	return 0
}
