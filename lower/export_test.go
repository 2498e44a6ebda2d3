package lower_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

type params struct{ W, B *array.Array }

func affine(p params, x *array.Array) map[string]*array.Array {
	return map[string]*array.Array{"y": x.MatMul(p.W).Add(p.B), "loss": x.MatMul(p.W).Add(p.B).Sum()}
}

func TestContainer(t *testing.T) {
	w, b, x := trace.Spec(array.Float32, 3, 2), trace.Spec(array.Float32, 2), trace.Spec(array.Float32, 4, 3)
	e, err := lower.Export(affine, []any{params{w, b}, x}, lower.ExportOptions{VJPOrder: 1, Platforms: []string{"cpu", "cuda"}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Serialize()
	if err != nil {
		t.Fatal(err)
	}
	back, err := lower.Import(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := back.InTree.String(), "(({'B': *, 'W': *}, *), {})"; got != want {
		t.Errorf("arguments %s, want %s", got, want)
	}
	if got, want := back.OutTree.String(), "{'loss': *, 'y': *}"; got != want {
		t.Errorf("results %s, want %s", got, want)
	}
	m, err := back.Module()
	if err != nil {
		t.Fatal(err)
	}
	if a := m.Func("main").ArgAttrs[0].Get("jax.global_constant"); a != hlo.Str("_platform_index") || len(m.Func("main").In) != 4 {
		t.Errorf("main of two platforms is to take the number of one first:\n%s", m)
	}
	if back.VJP == nil || len(back.VJP.In) != 5 || len(back.VJP.Out) != 3 {
		t.Errorf("pull-back %v", back.VJP)
	}
}

func TestImportedTrees(t *testing.T) {
	w, b, x := np.Ones([]int{3, 2}).AsType(array.Float32), np.Arange(2).AsType(array.Float32), np.Ones([]int{4, 3}).AsType(array.Float32)
	e, err := lower.Export(affine, []any{params{w, b}, x}, lower.ExportOptions{VJPOrder: 1})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Serialize()
	if err != nil {
		t.Fatal(err)
	}
	if e, err = lower.Import(data); err != nil {
		t.Fatal(err)
	}
	f := e.Func()
	for _, p := range []any{params{w, b}, &params{w, b}, map[string]any{"W": w, "B": b}, map[string]*array.Array{"W": w, "B": b},
		struct{ B, W *array.Array }{b, w}, struct{ B, W any }{[]float32{0, 1}, w}} {
		out := f.CallTree(p, x).(map[string]any)
		if got := out["loss"].(*array.Array).Float(); got != 28 {
			t.Errorf("%T: loss %v, want 28", p, got)
		}
	}
	loss := func(p params) *array.Array { return f.CallTree(p, x).(map[string]any)["loss"].(*array.Array) }
	g := vjp.Grad(loss).CallTree(params{w, b}).(params)
	if got := g.B.Float64s(); got[0] != 4 || got[1] != 4 {
		t.Errorf("gradient of B %v, want [4 4]", got)
	}
	if got := jit.Of(loss).Call(params{w, b}).Float(); got != 28 {
		t.Errorf("compiled: loss %v, want 28", got)
	}
	for _, bad := range []struct {
		args []any
		want string
	}{
		{[]any{params{w, b}}, "1 arguments are given, the function takes 2"},
		{[]any{map[string]any{"W": w}, x}, "args[0] is a map[string]interface {}; the function was exported with {'B': *, 'W': *} there"},
		{[]any{params{w, nil}, x}, "args[0].B is a nil; the function was exported with an array there"},
		{[]any{params{w, b}, w}, "argument 2 is f32[3,2]"},
		{[]any{params{w, b}, np.Ones([]int{4, 3})}, "argument 2 is f64[4,3]"},
	} {
		_, err := f.Run(context.Background(), bad.args...)
		if err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want %q", err, bad.want)
		}
	}
}

func TestExportTargets(t *testing.T) {
	f := func(x *array.Array) *array.Array {
		return ffi.Call(ffi.Spec{Target: "my_kernel", Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x)
	}
	x := trace.Spec(array.Float32, 3)
	_, err := lower.Export(f, []any{x}, lower.ExportOptions{})
	var target *array.TargetError
	if !errors.As(err, &target) || !strings.Contains(err.Error(), "my_kernel") {
		t.Errorf("%v, want a TargetError for my_kernel", err)
	}
	e, err := lower.Export(f, []any{x}, lower.ExportOptions{Disabled: []lower.DisabledCheck{lower.DisabledCustomCall("my_kernel")}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Serialize()
	if err != nil {
		t.Fatal(err)
	}
	if e, err = lower.Import(data); err != nil || len(e.Disabled) != 1 || e.Disabled[0] != "custom_call:my_kernel" {
		t.Errorf("%v, %v", e.Disabled, err)
	}
}

// FuzzImport reads arbitrary bytes as a container.
func FuzzImport(f *testing.F) {
	for _, pattern := range []string{"*/container.bin"} {
		files, _ := filepath.Glob(filepath.Join("../../shared/conformance/backcompat_containers", pattern))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := lower.Import(data)
		if err != nil {
			return
		}
		_ = e.InTree.String()
		if _, err := e.Serialize(); err != nil {
			return
		}
		_, _ = e.Module()
	})
}
