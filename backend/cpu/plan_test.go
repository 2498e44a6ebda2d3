package cpu

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// wasteful makes a plan without any optional pass: no two values share memory but those that must.
func wasteful(m *hlo.Module) (backend.Executable, error) {
	s, err := debug.Parse("off=prune+share+reuse")
	if err != nil {
		return nil, err
	}
	defer debug.Override(s)()
	return New().Compile(context.Background(), m, backend.Options{})
}

// programs makes random programs over vectors of four integers, numbers and bools.
type programs struct {
	*rand.Rand
	b    *hlo.Builder
	vecs []*hlo.Value
	nums []*hlo.Value
}

var (
	vec  = array.Aval{Shape: array.Shape{4}, DType: array.Int32}
	num1 = array.Aval{Shape: array.Shape{}, DType: array.Int32}
	cond = array.Aval{Shape: array.Shape{}, DType: array.Bool}
)

func (p *programs) v() *hlo.Value { return p.vecs[p.IntN(len(p.vecs))] }
func (p *programs) n() *hlo.Value { return p.nums[p.IntN(len(p.nums))] }

// step adds one operation.
func (p *programs) step(depth int) {
	push := func(v *hlo.Value) { p.vecs = append(p.vecs, v) }
	pushn := func(v *hlo.Value) { p.nums = append(p.nums, v) }
	bin := []string{"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.xor"}[p.IntN(5)]
	switch k := p.IntN(13); {
	case k < 3:
		push(p.b.Op1(bin, vec, nil, p.v(), p.v()))
	case k == 3:
		pushn(p.b.Op1(bin, num1, nil, p.n(), p.n()))
	case k == 4:
		push(p.b.Op1("stablehlo.broadcast_in_dim", vec, hlo.Attrs{{Name: "broadcast_dimensions", Value: hlo.I64s()}}, p.n()))
	case k == 5:
		push(p.b.Op1("stablehlo.reverse", vec, hlo.Attrs{{Name: "dimensions", Value: hlo.I64s(0)}}, p.v()))
	case k == 6:
		square := array.Aval{Shape: array.Shape{2, 2}, DType: array.Int32}
		s := p.b.Op1("stablehlo.reshape", square, nil, p.v())
		s = p.b.Op1("stablehlo.transpose", square, hlo.Attrs{{Name: "permutation", Value: hlo.I64s(1, 0)}}, s)
		push(p.b.Op1("stablehlo.reshape", vec, nil, s))
	case k == 7:
		one := p.b.Op1("stablehlo.reshape", array.Aval{Shape: array.Shape{1}, DType: array.Int32}, nil, p.n())
		push(p.b.Op1("stablehlo.dynamic_update_slice", vec, nil, p.v(), one, p.n()))
	case k == 8:
		pushn(p.b.Op1("stablehlo.reshape", num1, nil, p.b.Op1("stablehlo.dynamic_slice", array.Aval{Shape: array.Shape{1}, DType: array.Int32},
			hlo.Attrs{{Name: "slice_sizes", Value: hlo.I64s(1)}}, p.v(), p.n())))
	case k == 9:
		r, _ := p.b.Region([]hlo.Type{hlo.TensorOf(num1), hlo.TensorOf(num1)}, func(a []*hlo.Value) ([]*hlo.Value, error) {
			return []*hlo.Value{p.b.Op1("stablehlo.subtract", num1, nil, a[0], p.b.Op1("stablehlo.xor", num1, nil, a[1], p.n()))}, nil
		})
		op := &hlo.Op{Name: "stablehlo.reduce", Operands: []*hlo.Value{p.v(), p.n()}, Attrs: hlo.Attrs{{Name: "dimensions", Value: hlo.I64s(0)}}, Regions: []*hlo.Region{r}}
		pushn(p.b.Append(op, hlo.TensorOf(num1)).Results[0])
	case k == 10 && depth < 2:
		p.loop(depth)
	case k == 11 && depth < 2:
		p.branch(depth)
	default:
		t := p.b.Op1("stablehlo.compare", cond, hlo.Attrs{{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", "LT")}}, p.n(), p.n())
		push(p.b.Op1("stablehlo.select", vec, nil, t, p.v(), p.v()))
	}
}

// nested builds the body of a region with what is visible now and returns some of its values.
func (p *programs) nested(depth int, args []*hlo.Value, vecs, nums int) (vs, ns []*hlo.Value) {
	v, n := p.vecs, p.nums
	p.vecs, p.nums = slices.Clip(v), slices.Clip(n)
	for _, a := range args {
		if a.Type.String() == hlo.TensorOf(vec).String() {
			p.vecs = append(p.vecs, a)
		} else {
			p.nums = append(p.nums, a)
		}
	}
	for range 1 + p.IntN(5) {
		p.step(depth + 1)
	}
	for range vecs {
		vs = append(vs, p.v())
	}
	for range nums {
		ns = append(ns, p.n())
	}
	p.vecs, p.nums = v, n
	return vs, ns
}

// loop adds a while that counts to three and carries two vectors and a number.
func (p *programs) loop(depth int) {
	zero, one, three := p.b.Splat(num1, 0), p.b.Splat(num1, 1), p.b.Splat(num1, 3)
	init := []*hlo.Value{zero, p.v(), p.v(), p.n()}
	var types []hlo.Type
	for _, v := range init {
		types = append(types, v.Type)
	}
	test, _ := p.b.Region(types, func(a []*hlo.Value) ([]*hlo.Value, error) {
		return []*hlo.Value{p.b.Op1("stablehlo.compare", cond, hlo.Attrs{{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", "LT")}}, a[0], three)}, nil
	})
	body, _ := p.b.Region(types, func(a []*hlo.Value) ([]*hlo.Value, error) {
		vs, ns := p.nested(depth, a[1:], 2, 1)
		return []*hlo.Value{p.b.Op1("stablehlo.add", num1, nil, a[0], one), vs[0], vs[1], ns[0]}, nil
	})
	op := p.b.Append(&hlo.Op{Name: "stablehlo.while", Operands: init, Regions: []*hlo.Region{test, body}}, types...)
	p.vecs = append(p.vecs, op.Results[1], op.Results[2])
	p.nums = append(p.nums, op.Results[3])
}

// branch adds a case of two branches.
func (p *programs) branch(depth int) {
	var regions []*hlo.Region
	for range 2 {
		r, _ := p.b.Region(nil, func([]*hlo.Value) ([]*hlo.Value, error) {
			vs, ns := p.nested(depth, nil, 2, 1)
			return append(vs, ns...), nil
		})
		regions = append(regions, r)
	}
	op := p.b.Append(&hlo.Op{Name: "stablehlo.case", Operands: []*hlo.Value{p.n()}, Regions: regions}, hlo.TensorOf(vec), hlo.TensorOf(vec), hlo.TensorOf(num1))
	p.vecs = append(p.vecs, op.Results[0], op.Results[1])
	p.nums = append(p.nums, op.Results[2])
}

func randomModule(seed uint64) *hlo.Module {
	m := &hlo.Module{}
	p := &programs{Rand: rand.New(rand.NewPCG(seed, 1)), b: hlo.NewBuilder(m, "cpu")}
	p.b.Func("main", false, []hlo.Type{hlo.TensorOf(vec), hlo.TensorOf(vec), hlo.TensorOf(num1)}, func(a []*hlo.Value) ([]*hlo.Value, error) {
		p.vecs, p.nums = []*hlo.Value{a[0], a[1]}, []*hlo.Value{a[2], p.b.Splat(num1, 2)}
		for range 5 + p.IntN(15) {
			p.step(0)
		}
		return []*hlo.Value{p.v(), p.n(), p.vecs[len(p.vecs)-1], p.v()}, nil
	})
	return m
}

// A plan that shares memory computes what one that does not computes, also when its frame was used before and when its
// arguments are given away.
func TestSharedMemory(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(1000) {
		m := randomModule(seed)
		x := array.NewBuffer(array.Int32, array.Shape{4})
		y, n := array.NewBuffer(array.Int32, array.Shape{4}), array.NewBuffer(array.Int32, nil)
		for i := range 4 {
			x.SetInt(i, int64(3*i-4))
			y.SetInt(i, int64(7-i*i))
		}
		n.SetInt(0, int64(seed%5))
		args := []array.Data{x, y, n}
		plain, err := wasteful(m)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, err := plain.Execute(ctx, args)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, donate := range [][]int{nil, {0, 1, 2}} {
			exe, err := New().Compile(ctx, m, backend.Options{Donate: donate})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for range 2 {
				got, err := exe.Execute(ctx, args)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for i := range got {
					g, _ := got[i].Host()
					w, _ := want[i].Host()
					if !bytes.Equal(g.Bytes(), w.Bytes()) {
						t.Fatalf("seed %d, donated %v: result %d is %v, want %v\n%s", seed, donate, i, g, w, m)
					}
				}
			}
		}
	}
}

// No two temporaries that are needed at once overlap, and the arena is no larger than without reuse.
func TestArena(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		c := &compiler{}
		total := 0
		for range 1 + r.IntN(60) {
			def := 1 + r.IntN(100)
			s := &storage{size: 1 + r.IntN(500), def: def, last: def + r.IntN(30)}
			total += aligned(s.size)
			c.storages = append(c.storages, s)
		}
		p := &plan{}
		if err := c.place(p); err != nil {
			t.Fatal(err)
		}
		if p.arena > total {
			t.Errorf("arena of %d bytes, %d without reuse", p.arena, total)
		}
		for i, a := range c.storages {
			if a.offset+a.size > p.arena || a.offset%array.Alignment != 0 {
				t.Fatalf("storage at %d of %d bytes in an arena of %d", a.offset, a.size, p.arena)
			}
			for _, b := range c.storages[:i] {
				if a.def <= b.last && b.def <= a.last && a.offset < b.offset+b.size && b.offset < a.offset+a.size {
					t.Fatalf("[%d,%d] at %d+%d and [%d,%d] at %d+%d overlap", a.def, a.last, a.offset, a.size, b.def, b.last, b.offset, b.size)
				}
			}
		}
	}
}

// A chain of operations on a large array needs the memory of one result and allocates nothing else.
func TestChainInPlace(t *testing.T) {
	m := &hlo.Module{}
	b := hlo.NewBuilder(m, "cpu")
	a := array.Aval{Shape: array.Shape{1000}, DType: array.Float32}
	b.Func("main", false, []hlo.Type{hlo.TensorOf(a)}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		v := args[0]
		for range 10 {
			v = b.Op1("stablehlo.negate", a, nil, b.Op1("stablehlo.add", a, nil, v, v))
		}
		return []*hlo.Value{v}, nil
	})
	exe, err := New().Compile(context.Background(), m, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := exe.Memory(); got != (backend.MemoryStats{Arguments: 4000, Results: 4000}) {
		t.Errorf("memory %+v", got)
	}
}

func TestMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		slots, k := 6, 1+r.IntN(6)
		f := newFrame(&plan{slots: slots, arena: 64 * slots, temps: func() (l []slotMem) {
			for i := range slots {
				l = append(l, slotMem{i, 64 * i, 1})
			}
			return l
		}()})
		to, from := r.Perm(slots)[:k], make([]int, k)
		var dst, src []ref
		sizes := slices.Repeat([]int{1}, k)
		for i := range from {
			from[i] = r.IntN(slots)
			dst, src = append(dst, ref{to[i], 1}), append(src, ref{from[i], 1})
		}
		want := make([]byte, slots)
		for i := range want {
			want[i] = byte(10 + i)
			f.bytes(ref{i, 1}, 1)[0] = byte(10 + i)
		}
		for i := range to {
			want[to[i]] = byte(10 + from[i])
		}
		movesOf(dst, src, sizes).run(f)
		for i := range want {
			if got := f.bytes(ref{i, 1}, 1)[0]; got != want[i] {
				t.Fatalf("moves %v to %v: slot %d is %d, want %d", from, to, i, got, want[i])
			}
		}
	}
}

// A module that is wrong or that the engine does not know is an error that names the operation and the user's line.
func TestErrorsNameTheLine(t *testing.T) {
	m, err := hlo.Parse(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @nowhere(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("step"("model.go":41:7))
  return %0 : tensor<2xf32>
}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New().Compile(context.Background(), m, backend.Options{})
	if err == nil || fmt.Sprint(err)[:len("model.go:41: ")] != "model.go:41: " {
		t.Errorf("got %v, want an error at model.go:41", err)
	}
}

// The dump shows where values lie: the chain below is computed in the memory of its result.
func TestDump(t *testing.T) {
	dir := t.TempDir()
	s, err := debug.Parse("dump=" + dir)
	if err != nil {
		t.Fatal(err)
	}
	defer debug.Override(s)()
	m, err := hlo.Parse(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  %1 = stablehlo.negate %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New().Compile(context.Background(), m, backend.Options{Name: "chain"}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "chain.*.cpu.plan"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	const want = "chain: 0 bytes of temporary memory\nr1:f32[3] = stablehlo.add a0 a0\nr1:f32[3] = stablehlo.negate r1\nyield r1\n"
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// A loop that writes one element of a large array each round holds that array once, and the array it begins with when that is
// the caller's.
func TestLoopUpdatesInPlace(t *testing.T) {
	m, err := hlo.Parse(`func.func @main(%n: tensor<i32>) -> tensor<10000xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.iota dim = 0 : tensor<10000xi32>
  %0:2 = stablehlo.while(%i = %zero, %x = %start) : tensor<i32>, tensor<10000xi32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_update_slice %x, %2, %i : (tensor<10000xi32>, tensor<1xi32>, tensor<i32>) -> tensor<10000xi32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<10000xi32>
  }
  return %0#1 : tensor<10000xi32>
}`)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := New().Compile(context.Background(), m, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := exe.Memory(); got.Temporaries >= 1000 || got.Results != 40000 {
		t.Errorf("memory %+v", got)
	}
	n := array.NewBuffer(array.Int32, nil)
	n.SetInt(0, 3)
	out, err := exe.Execute(context.Background(), []array.Data{n})
	if err != nil {
		t.Fatal(err)
	}
	h, _ := out[0].Host()
	for i := range 5 {
		if want := int64(max(i, 3)); i < 3 && h.Int(i) != 3 || i >= 3 && h.Int(i) != want {
			t.Errorf("element %d is %d", i, h.Int(i))
		}
	}
}
