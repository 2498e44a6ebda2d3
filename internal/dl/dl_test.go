//go:build (linux || darwin) && (amd64 || arm64)

package dl

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

const source = `
#include <pthread.h>
#include <stdint.h>
struct pair { int64_t a, b; int64_t *out; };
int64_t answer = 42;
const char *text = "from C";
void *sum(struct pair *p) { *p->out = p->a + p->b; return p; }
int64_t third(int64_t a, int64_t b, int64_t c) { return c; }
typedef int64_t (*callback)(int64_t);
int64_t apply(callback f, int64_t x) { return f(x) + 1; }
struct job { callback f; int64_t x, result; };
static void *run(void *p) { struct job *j = p; j->result = j->f(j->x); return 0; }
int64_t apply_on_thread(callback f, int64_t x) {
	pthread_t t; struct job j = {f, x, 0};
	if (pthread_create(&t, 0, run, &j)) return -1;
	pthread_join(t, 0);
	return j.result;
}
`

var library = sync.OnceValues(func() (*Library, error) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "dl")
	if err != nil {
		return nil, err
	}
	c, so := filepath.Join(dir, "x.c"), filepath.Join(dir, "x.so")
	if err := os.WriteFile(c, []byte(source), 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-pthread", "-o", so, c).CombinedOutput(); err != nil {
		return nil, errors.New(string(out))
	}
	return Open(so)
})

func fn(t *testing.T, name string) uintptr {
	t.Helper()
	lib, err := library()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no C compiler: the functions to call cannot be built")
	}
	if err != nil {
		t.Fatal(err)
	}
	addr, err := lib.Symbol(name)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func TestCall(t *testing.T) {
	var out int64
	args := &struct {
		a, b int64
		out  unsafe.Pointer
	}{40, 2, unsafe.Pointer(&out)}
	if p := Call(fn(t, "sum"), unsafe.Pointer(args)); p != uintptr(unsafe.Pointer(args)) || out != 42 {
		t.Errorf("got %#x and %d", p, out)
	}
	if got := CallN(fn(t, "third"), 1, 2, 3); got != 3 {
		t.Errorf("CallN: got %d, want 3", got)
	}
}

func TestMemory(t *testing.T) {
	if got := *(*int64)(Pointer(fn(t, "answer"))); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	text := *(*uintptr)(Pointer(fn(t, "text")))
	if got := String(text, 6); got != "from C" {
		t.Errorf("got %q", got)
	}
	if Bytes(0, 0) != nil {
		t.Error("no bytes are not nil")
	}
}

// grow uses more stack than a goroutine starts with, so that its stack moves while C code is waiting below it.
func grow(n int) int {
	var pad [256]byte
	if n == 0 {
		return int(pad[0])
	}
	return grow(n-1) + int(pad[n%256])
}

func TestCallback(t *testing.T) {
	cb := Callback(func(x int64) int64 {
		grow(2000)
		runtime.GC()
		return 2 * x
	})
	apply, thread := fn(t, "apply"), fn(t, "apply_on_thread")
	var wg sync.WaitGroup
	for i := range uintptr(8) {
		wg.Go(func() {
			for range 20 {
				if got := CallN(apply, cb, i); got != 2*i+1 {
					t.Errorf("got %d, want %d", got, 2*i+1)
				}
				if got := CallN(thread, cb, i); got != 2*i {
					t.Errorf("on a thread of C: got %d, want %d", got, 2*i)
				}
			}
		})
	}
	wg.Wait()
}

func TestErrors(t *testing.T) {
	var e *Error
	_, err := Open("no/such/library.so")
	if !errors.As(err, &e) || !filepath.IsAbs(e.Path) || !strings.HasPrefix(err.Error(), "open /") {
		t.Errorf("Open: got %v", err)
	}
	if _, err = OpenSystem("libno-such.so.9"); !errors.As(err, &e) || !strings.Contains(err.Error(), "libno-such.so.9") {
		t.Errorf("OpenSystem: got %v", err)
	}
	fn(t, "sum")
	lib, _ := library()
	if _, err = lib.Symbol("product"); !errors.As(err, &e) || e.Symbol != "product" || !strings.Contains(err.Error(), "x.so has no symbol product") {
		t.Errorf("Symbol: got %v", err)
	}
}

func BenchmarkCall(b *testing.B) {
	lib, err := library()
	if err != nil {
		b.Skip(err)
	}
	f, _ := lib.Symbol("sum")
	args := &struct {
		a, b int64
		out  unsafe.Pointer
	}{40, 2, unsafe.Pointer(new(int64))}
	for b.Loop() {
		Call(f, unsafe.Pointer(args))
	}
}
