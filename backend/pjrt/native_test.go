package pjrt

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/dl"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// doubler is a handler that doubles float32 elements, written against the interface's layout alone. VERSION is set when
// it is compiled.
const doubler = `
#include <stddef.h>
#include <stdint.h>
struct version { size_t size; void *ext; int major, minor; };
struct metadata { size_t size; struct version version; uint32_t traits; int64_t state; };
struct extension { size_t size; int type; void *next; struct metadata *metadata; };
struct buffer { size_t size; void *ext; int dtype; float *data; int64_t rank; int64_t *dims; };
struct buffers { size_t size; void *ext; int64_t count; int *types; struct buffer **list; };
struct frame { size_t size; struct extension *ext; void *api, *ctx; int stage; struct buffers args, rets; };
void *Doubler(struct frame *f) {
	if (f->ext && f->ext->type == 1) {
		f->ext->metadata->version = (struct version){sizeof(struct version), 0, 0, VERSION};
		return 0;
	}
	struct buffer *x = f->args.list[0], *y = f->rets.list[0];
	int64_t n = 1;
	for (int64_t i = 0; i < x->rank; i++) n *= x->dims[i];
	for (int64_t i = 0; i < n; i++) y->data[i] = 2 * x->data[i];
	return 0;
}
`

type native struct {
	handler
	execute uintptr
	stages  bool
}

func (n native) Native() (uintptr, int32, bool) { return n.execute, 0, n.stages }

// A C function can be given to the plugin, which calls it without this process's part.
func TestNativeHandler(t *testing.T) {
	b := cpu(t)
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler: the handler cannot be built")
	}
	if err := b.plugin.register(); err != nil { // asks for the plugin's version
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.c"), []byte(doubler), 0o666); err != nil {
		t.Fatal(err)
	}
	so := filepath.Join(dir, "x.so")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-DVERSION="+string(rune('0'+b.plugin.foreign.minor.Load())), "-o", so, filepath.Join(dir, "x.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lib, err := dl.Open(so)
	if err != nil {
		t.Fatal(err)
	}
	fn, err := lib.Symbol("Doubler")
	if err != nil {
		t.Fatal(err)
	}
	h := native{execute: fn}
	for range 2 {
		if err := b.plugin.registerNative("doubler", "cpu", h); err != nil {
			t.Fatal(err)
		}
	}
	var target *array.TargetError
	if err := b.plugin.registerNative("doubler", "cpu", native{execute: fn + 1}); !errors.As(err, &target) {
		t.Errorf("another function under the same name: %v", err)
	}
	var missing *backend.Unsupported
	if err := b.plugin.registerNative("stages", "cpu", native{execute: fn, stages: true}); !errors.As(err, &missing) {
		t.Errorf("a handler with stages: %v", err)
	}
	v := typed(array.Float32, 3)
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{customCall(b, "doubler", nil, v, x[0])}
	})
	same(t, values[float32](t, execute(t, compile(t, m, backend.Options{}), f32(1, 2, 3))[0]), []float32{2, 4, 6})
}
