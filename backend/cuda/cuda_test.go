package cuda

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/pjrt"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/internal/dl"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// stand is a driver that answers as it is told when it is compiled.
const stand = `
#include <string.h>
int cuInit(unsigned flags) { return INIT; }
int cuDriverGetVersion(int *v) { *v = 12090; return 0; }
int cuDeviceGetCount(int *n) { *n = COUNT; return 0; }
int cuDeviceGet(int *d, int i) { *d = i; return 0; }
int cuDeviceGetName(char *s, int n, int d) { strncpy(s, d ? "NVIDIA B" : "NVIDIA A", n); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 75 ? 9 : a == 76 ? d : -1; return 0; }
int cuDeviceTotalMem_v2(unsigned long *v, int d) { *v = 150ul << 30; return 0; }
int cuGetErrorString(int e, const char **s) { *s = e == 999 ? "unknown error" : 0; return 0; }
`

func driver(t *testing.T, init, count int) func() (*dl.Library, error) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || !dl.Supported {
		t.Skip("no C compiler: the driver that stands in for NVIDIA's cannot be built")
	}
	dir := t.TempDir()
	c, so := filepath.Join(dir, "cuda.c"), filepath.Join(dir, "libcuda.so.1")
	if err := os.WriteFile(c, []byte(stand), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cc, "-shared", "-fPIC", fmt.Sprintf("-DINIT=%d", init), fmt.Sprintf("-DCOUNT=%d", count), "-o", so, c).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func() (*dl.Library, error) { return dl.Open(so) }
}

func TestProbe(t *testing.T) {
	d, err := probe(driver(t, 0, 2))
	if err != nil {
		t.Fatal(err)
	}
	want := Driver{Version{12, 9}, []Device{{"NVIDIA A", Version{9, 0}, 150 << 30}, {"NVIDIA B", Version{9, 1}, 150 << 30}}}
	if d.Version != want.Version || !slices.Equal(d.Devices, want.Devices) {
		t.Errorf("got %+v, want %+v", d, want)
	}
}

func TestNoDriver(t *testing.T) {
	var e *NoDriverError
	_, err := probe(func() (*dl.Library, error) { return dl.Open(filepath.Join(t.TempDir(), "libcuda.so.1")) })
	if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "cuda: no NVIDIA driver: open /") {
		t.Errorf("no library: got %v", err)
	}
	if _, err = probe(driver(t, 999, 0)); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "cuda: no NVIDIA driver: cuInit: unknown error (error 999). ") {
		t.Errorf("a driver that does not start: got %v", err)
	}
	if _, err = probe(driver(t, 35, 0)); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "cuda: no NVIDIA driver: cuInit: error 35. ") {
		t.Errorf("an error without text: got %v", err)
	}
	other, err := exec.LookPath("cc")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	so := filepath.Join(dir, "x.so")
	if out, err := exec.Command(other, "-shared", "-x", "c", "-o", so, "/dev/null").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err = probe(func() (*dl.Library, error) { return dl.Open(so) }); !errors.As(err, &e) || !strings.Contains(err.Error(), "x.so has no symbol cuInit") {
		t.Errorf("a library without the functions: got %v", err)
	}
}

func TestNoDevice(t *testing.T) {
	var e *NoDeviceError
	t.Setenv("CUDA_VISIBLE_DEVICES", "7")
	for _, open := range []func() (*dl.Library, error){driver(t, 100, 0), driver(t, 0, 0)} {
		if _, err := probe(open); !errors.As(err, &e) || !strings.HasSuffix(err.Error(), `sees no GPU; CUDA_VISIBLE_DEVICES is "7"`) {
			t.Errorf("got %v", err)
		}
	}
}

// machine is a driver of a version with one GPU of a capability.
func machine(version, capability Version) Driver {
	return Driver{version, []Device{{"NVIDIA X", capability, 1 << 30}}}
}

// alone makes an environment in which only the given plugins are installed.
func alone(t *testing.T, plugins ...string) (site string) {
	for _, v := range []string{"PJRT_NAMES_AND_LIBRARY_PATHS", "PJRT_PLUGIN_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "PATH"} {
		t.Setenv(v, "")
	}
	t.Setenv("HOME", t.TempDir())
	venv := t.TempDir()
	t.Setenv("VIRTUAL_ENV", venv)
	site = filepath.Join(venv, "lib/python3.11/site-packages")
	for _, p := range plugins {
		touch(t, site, p)
	}
	s, err := debug.Parse("pjrt.python=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(debug.Override(s))
	return site
}

func touch(t *testing.T, parts ...string) string {
	t.Helper()
	file := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	return file
}

const (
	plugin12 = "jax_plugins/xla_cuda12/xla_cuda_plugin.so"
	plugin13 = "jax_plugins/xla_cuda13/xla_cuda_plugin.so"
)

func TestLocate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		driver  Driver
		plugins []string
		want    string // plugin, or part of the error
	}{
		{"newest", machine(Version{13, 0}, Version{9, 0}), []string{plugin12, plugin13}, plugin13},
		{"only 12", machine(Version{13, 0}, Version{9, 0}), []string{plugin12}, plugin12},
		{"driver for 12", machine(Version{12, 4}, Version{9, 0}), []string{plugin12, plugin13}, plugin12},
		{"GPU for 12", machine(Version{13, 0}, Version{7, 0}), []string{plugin12, plugin13}, plugin12},
		{"driver too old", machine(Version{11, 4}, Version{8, 0}), []string{plugin12}, "cuda: the driver runs CUDA up to 11.4; 12.0 is needed: update the driver to version 525 or newer"},
		{"GPU too old", machine(Version{12, 4}, Version{3, 5}), nil, "cuda: NVIDIA X has compute capability 3.5; 5.2 is needed: leave it out with CUDA_VISIBLE_DEVICES"},
		{"driver too old for the plugin", machine(Version{12, 4}, Version{9, 0}), []string{plugin13}, "cuda: the driver runs CUDA up to 12.4; 13.0 is needed: update the driver to version 580 or newer"},
		{"no plugin", machine(Version{12, 4}, Version{9, 0}), nil, "no PJRT plugin for cuda. Looked at:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			site := alone(t, tt.plugins...)
			got, g, err := locate("", tt.driver)
			if strings.HasPrefix(tt.want, "jax_plugins") {
				if err != nil || got != filepath.Join(site, tt.want) || g.plugin != tt.want {
					t.Errorf("got %s, %v; want %s", got, err, tt.want)
				}
				return
			}
			var old *TooOldError
			var none *pjrt.NoPluginError
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.As(err, &old) && !errors.As(err, &none) {
				t.Errorf("got %v, want …%s…", err, tt.want)
			}
		})
	}
}

func TestToolkit(t *testing.T) {
	site := alone(t, plugin12)
	plugin := filepath.Join(site, plugin12)
	if dir, found := toolkit(plugin, []string{site}); found && dir != "/usr/local/cuda" {
		t.Errorf("nothing is installed, found %q", dir)
	}
	elsewhere := t.TempDir()
	touch(t, elsewhere, "bin/ptxas")
	t.Setenv("CUDA_HOME", elsewhere)
	if dir, found := toolkit(plugin, []string{site}); !found || dir != elsewhere {
		t.Errorf("CUDA_HOME: got %q, %v", dir, found)
	}
	other := t.TempDir()
	touch(t, other, "nvidia/cuda_nvcc/bin/ptxas")
	if dir, found := toolkit(plugin, []string{site, other}); !found || dir != filepath.Join(other, "nvidia/cuda_nvcc") {
		t.Errorf("another environment: got %q, %v", dir, found)
	}
	touch(t, site, "nvidia/cuda_nvcc/bin/ptxas")
	if dir, found := toolkit(plugin, []string{site, other}); !found || dir != "" {
		t.Errorf("beside the plugin: got %q, %v", dir, found)
	}
}

// NVIDIA's libraries are opened, in order, only from an environment other than the plugin's own.
func TestPreload(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil || !dl.Supported {
		t.Skip("no C compiler: libraries to open cannot be built")
	}
	other := t.TempDir()
	var want []string
	for _, rel := range []string{"cuda_runtime/lib/libcudart.so.12", "cublas/lib/libcublas.so.12"} {
		so := touch(t, other, "nvidia", rel)
		if out, err := exec.Command(cc, "-shared", "-x", "c", "-o", so, "/dev/null").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want = append(want, so)
	}
	site := alone(t, plugin12)
	g := &generations[1]
	if got := preload(g, filepath.Join(site, plugin12), []string{site, other}); !slices.Equal(got, want) {
		t.Errorf("opened %v, want %v", got, want)
	}
	if got := preload(g, filepath.Join(other, plugin12), []string{site, other}); got != nil {
		t.Errorf("opened %v beside the plugin", got)
	}
}

func TestClientOptions(t *testing.T) {
	o := Options{Devices: []int{1, 2}, MemoryFraction: 0.5, OnDemand: true, Allocator: "cuda_async", Create: map[string]any{"node_id": 3}}
	got := o.client()
	if ids, _ := got["visible_devices"].([]int64); !slices.Equal(ids, []int64{1, 2}) {
		t.Errorf("visible_devices = %v", got["visible_devices"])
	}
	delete(got, "visible_devices")
	want := map[string]any{"memory_fraction": float32(0.5), "preallocate": false, "allocator": "cuda_async", "node_id": 3}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(o.Create) != 1 {
		t.Error("the caller's options were changed")
	}
	if c := (Options{}).client(); c != nil {
		t.Errorf("no options give %v", c)
	}
}

// What Open says on this machine is one of the errors that it promises, or it opens.
func TestOpen(t *testing.T) {
	b, err := Open(Options{OnDemand: true})
	var driver *NoDriverError
	var device *NoDeviceError
	var old *TooOldError
	var plugin *pjrt.NoPluginError
	var unsupported *backend.Unsupported
	switch {
	case err == nil:
		t.Logf("%+v", b.Devices())
		if b.Name() != "cuda" || b.Platform() != "cuda" {
			t.Errorf("name %s, platform %s", b.Name(), b.Platform())
		}
		b.Close()
	case errors.As(err, &driver), errors.As(err, &device), errors.As(err, &old), errors.As(err, &plugin), errors.As(err, &unsupported):
		t.Log(err)
	default:
		t.Errorf("got %T: %v", err, err)
	}
}

// Programs compile for a GPU that is not there.
func TestCompiler(t *testing.T) {
	c, err := OpenCompiler(1, Options{})
	var none *pjrt.NoPluginError
	var unsupported *backend.Unsupported
	if errors.As(err, &none) || errors.As(err, &unsupported) {
		t.Skip("no PJRT plugin for cuda is installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	plugin, _ := pjrt.Locate("cuda", "")
	if _, found := toolkit(plugin, pjrt.SitePackages()); !found {
		t.Skip("ptxas, which compiles for GPUs, is not installed")
	}
	for _, tt := range []struct{ name, text string }{
		{"elementwise", `func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
			%0 = stablehlo.sine %x : tensor<64x64xf32>
			%1 = stablehlo.multiply %0, %x : tensor<64x64xf32>
			return %1 : tensor<64x64xf32> }`},
		{"dot", `func.func @main(%x: tensor<64x32xbf16>, %y: tensor<32x16xbf16>) -> tensor<64x16xf32> {
			%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xf32>
			return %0 : tensor<64x16xf32> }`},
		{"reduce", `func.func @main(%x: tensor<64x64xf64>) -> tensor<64xf64> {
			%c = stablehlo.constant dense<0.0> : tensor<f64>
			%0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf64>, tensor<f64>) -> tensor<64xf64>
			return %0 : tensor<64xf64> }`},
		{"loop", `func.func @main(%x: tensor<i32>) -> tensor<i32> {
			%c = stablehlo.constant dense<9> : tensor<i32>
			%0 = stablehlo.while(%v = %x) : tensor<i32> cond {
				%1 = stablehlo.compare LT, %v, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
				stablehlo.return %1 : tensor<i1>
			} do {
				%1 = stablehlo.add %v, %v : tensor<i32>
				stablehlo.return %1 : tensor<i32>
			}
			return %0 : tensor<i32> }`},
	} {
		m, err := hlo.Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.Compile(t.Context(), m, backend.Options{Name: tt.name})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if e.Memory().Arguments == 0 {
			t.Errorf("%s: memory %+v", tt.name, e.Memory())
		}
		if _, err := e.Execute(t.Context(), nil); !errors.As(err, &unsupported) {
			t.Errorf("%s was executed: %v", tt.name, err)
		}
	}
	m, err := hlo.Parse(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
		%0 = stablehlo.custom_call @nobody(%x) {api_version = 4 : i32, backend_config = {}} : (tensor<2xf32>) -> tensor<2xf32>
		return %0 : tensor<2xf32> }`)
	if err != nil {
		t.Fatal(err)
	}
	var missing *array.TargetError
	if _, err := c.Compile(t.Context(), m, backend.Options{}); !errors.As(err, &missing) {
		t.Errorf("a call that nobody handles: %v", err)
	}
}

// A plugin that is there but sees no GPU, as on a machine without one.
func TestPluginWithoutDevice(t *testing.T) {
	if _, err := Probe(); err == nil {
		t.Skip("this machine has a GPU")
	}
	var none *pjrt.NoPluginError
	_, err := open(Options{}, machine(Version{13, 0}, Version{9, 0}))
	if errors.As(err, &none) {
		t.Skip("no PJRT plugin for cuda is installed")
	}
	var e *NoDeviceError
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "No visible GPU devices") {
		t.Errorf("got %v", err)
	}
}
