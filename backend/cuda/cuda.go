package cuda

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"strings"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/pjrt"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Options say which plugin and which GPUs to use. The zero value is the newest plugin that fits the driver, on all GPUs,
// with the plugin's own management of memory: it takes three quarters of each GPU's memory at once.
type Options struct {
	Plugin         string  // the plugin's file; empty to look for it
	Devices        []int   // the GPUs to use, by the driver's numbers; empty for all
	MemoryFraction float32 // of each GPU's memory that may be used; 0 for the plugin's own, 0.75
	OnDemand       bool    // take memory as it is needed and not at once
	Allocator      string  // default, platform, bfc or cuda_async
	// Create and Overrides are further options of the client and of each compilation; see pjrt.Options.
	Create    map[string]any
	Overrides map[string]any
}

// Open makes a client of the CUDA plugin. The errors about the machine are *NoDriverError, *NoDeviceError, *TooOldError
// and *pjrt.NoPluginError; others are those of pjrt.Open.
func Open(o Options) (*pjrt.Backend, error) {
	if runtime.GOOS != "linux" || !dl.Supported {
		return nil, &backend.Unsupported{Feature: fmt.Sprintf("cuda on %s/%s; it runs on linux/amd64 and linux/arm64", runtime.GOOS, runtime.GOARCH)}
	}
	driver, err := Probe()
	if err != nil {
		return nil, err
	}
	return open(o, driver)
}

func open(o Options, driver Driver) (*pjrt.Backend, error) {
	plugin, g, err := locate(o.Plugin, driver)
	if err != nil {
		return nil, err
	}
	opened := preload(g, plugin, pjrt.SitePackages())
	overrides, dir := o.compiling(plugin)
	debug.Logger("cuda").Info("machine", "driver", driver.Version, "gpus", driver.Devices, "plugin", plugin, "opened", opened, "toolkit", dir)
	b, err := pjrt.Open(pjrt.Options{Platform: "cuda", Name: "cuda", Plugin: plugin, Create: o.client(), Overrides: overrides})
	var refused *pjrt.Error
	if errors.As(err, &refused) && strings.Contains(refused.Message, "No visible GPU devices") {
		return nil, &NoDeviceError{Driver: driver.Version, Err: err}
	}
	return b, err
}

// compiling are the options of compilations, with the toolkit's folder where the plugin would not find it.
func (o Options) compiling(plugin string) (overrides map[string]any, dir string) {
	dir, found := toolkit(plugin, pjrt.SitePackages())
	if !found {
		debug.Logger("cuda").Warn("no ptxas found: programs will not compile; it is in the Python package nvidia-cuda-nvcc-cu12")
	}
	if dir == "" || o.Overrides["xla_gpu_cuda_data_dir"] != nil {
		return o.Overrides, dir
	}
	return with(o.Overrides, "xla_gpu_cuda_data_dir", dir), dir
}

// client are the options of the client.
func (o Options) client() map[string]any {
	c := maps.Clone(o.Create)
	if len(o.Devices) > 0 {
		ids := make([]int64, len(o.Devices))
		for i, d := range o.Devices {
			ids[i] = int64(d)
		}
		c = with(c, "visible_devices", ids)
	}
	if o.MemoryFraction != 0 {
		c = with(c, "memory_fraction", o.MemoryFraction)
	}
	if o.OnDemand {
		c = with(c, "preallocate", false)
	}
	if o.Allocator != "" {
		c = with(c, "allocator", o.Allocator)
	}
	return c
}

// with returns a copy of m with one more entry.
func with(m map[string]any, key string, v any) map[string]any {
	c := maps.Clone(m)
	if c == nil {
		c = map[string]any{}
	}
	c[key] = v
	return c
}
