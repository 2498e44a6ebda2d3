package pjrt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// A program that was compiled once is loaded by the next client, foreign calls and donation included.
func TestCache(t *testing.T) {
	cpu(t)
	dir := filepath.Join(t.TempDir(), "kept")
	v := typed(array.Float32, 2)
	m := module(t, avals(v, v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{b.Op1("stablehlo.add", v, nil, x[0], customCall(b, "scale", by(2), v, x[1]))}
	})
	files := func() []string {
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	use := func(o Options, opts backend.Options) {
		t.Helper()
		o.Cache = dir
		b, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		opts.Handlers = handlers{"scale": scale}
		e, err := b.Compile(t.Context(), m, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		x, err := b.Put(f32(1, 2), b.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Execute(t.Context(), []array.Data{x, f32(10, 20)})
		if err != nil {
			t.Fatal(err)
		}
		same(t, values[float32](t, out[0]), []float32{21, 42})
		var gone *array.DonatedError
		if _, err := x.Host(); (opts.Donate != nil) != errors.As(err, &gone) {
			t.Errorf("donate %v, Host of the argument: %v", opts.Donate, err)
		}
		if e.Memory().Arguments != 16 {
			t.Errorf("memory %+v", e.Memory())
		}
	}
	use(Options{}, backend.Options{})
	first := files()
	if len(first) != 1 {
		t.Fatalf("kept %v, want one file", first)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(first[0], old, old); err != nil {
		t.Fatal(err)
	}
	use(Options{}, backend.Options{Name: "another name"})
	info, err := os.Stat(first[0])
	if err != nil || len(files()) != 1 || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("the kept program was not used: %v, %v, %v", files(), info, err)
	}
	use(Options{}, backend.Options{Donate: []int{0}})
	use(Options{}, backend.Options{Donate: []int{0}})
	if len(files()) != 2 {
		t.Errorf("another module: kept %v", files())
	}
	use(Options{Overrides: map[string]any{"xla_backend_optimization_level": 0}}, backend.Options{})
	if len(files()) != 3 {
		t.Errorf("other compile options: kept %v", files())
	}
	// Damaged in any way, it is compiled again.
	whole, err := os.ReadFile(first[0])
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)/2] ^= 1
	for _, damaged := range [][]byte{nil, whole[:10], whole[:len(whole)-1], flipped} {
		if err := os.WriteFile(first[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		use(Options{}, backend.Options{})
		if now, err := os.ReadFile(first[0]); err != nil || len(now) < len(whole)/2 {
			t.Errorf("not mended: %d bytes, %v", len(now), err)
		}
	}
	// Where nothing can be kept, programs are compiled all the same.
	dir = filepath.Join(first[0], "below a file")
	use(Options{}, backend.Options{})
}

func TestCacheSweep(t *testing.T) {
	c := &cache{dir: t.TempDir(), limit: 3000}
	var names []string
	for i := range 5 {
		name := c.file(string(rune('a'+i)), nil)
		if err := c.store(name, make([]byte, 900)); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-10) * time.Minute)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if _, ok := c.load(names[0]); !ok { // now the newest
		t.Error("the first file is gone")
	}
	other := filepath.Join(c.dir, "notes.txt")
	if err := os.WriteFile(other, make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	c.sweep()
	for i, want := range []bool{true, false, false, true, true} {
		if _, ok := c.load(names[i]); ok != want {
			t.Errorf("file %d: there %v, want %v", i, ok, want)
		}
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file that is none of the cache's was removed")
	}
}

// Many goroutines keep and load the same programs.
func TestCacheConcurrent(t *testing.T) {
	c := &cache{dir: t.TempDir(), limit: cacheLimit}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				name := c.file(string(rune('a'+i%4)), nil)
				if data, ok := c.load(name); ok && (len(data) != 4096 || data[7] != byte(i%4)) {
					t.Errorf("goroutine %d: read %d bytes, %d", g, len(data), data[7])
				}
				program := make([]byte, 4096)
				program[7] = byte(i % 4)
				if err := c.store(name, program); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestCost(t *testing.T) {
	e := addProgram(t)
	cost, err := e.Cost()
	var unknown *Error
	if errors.As(err, &unknown) && unknown.Code == Unimplemented {
		t.Skip("this plugin does not estimate costs")
	}
	if err != nil || cost["flops"] != 4 || cost["bytes accessed"] != 48 {
		t.Errorf("got %v, %v", cost, err)
	}
	e.Close()
	if _, err := e.Cost(); !errors.As(err, &unknown) || unknown.Code != FailedPrecondition {
		t.Errorf("closed: %v", err)
	}
}

func BenchmarkCompile(b *testing.B) {
	cpu(b)
	for _, kept := range []bool{false, true} {
		name, o := "compiled", Options{}
		if kept {
			name, o = "kept", Options{Cache: b.TempDir()}
		}
		b.Run(name, func(b *testing.B) {
			be, err := Open(o)
			if err != nil {
				b.Fatal(err)
			}
			defer be.Close()
			v := typed(array.Float32, 4)
			m := module(b, avals(v, v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
				return []*hlo.Value{b.Op1("stablehlo.add", v, nil, x...)}
			})
			for b.Loop() {
				e, err := be.Compile(context.Background(), m, backend.Options{})
				if err != nil {
					b.Fatal(err)
				}
				e.Close()
			}
		})
	}
}
