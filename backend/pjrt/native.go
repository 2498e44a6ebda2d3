package pjrt

import (
	"fmt"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// nativeKey is the name under which a plugin knows a C function.
type nativeKey struct{ target, platform string }

// registerNative gives a C function to the plugin, which then calls it itself, with memory and streams of its device. A
// plugin forgets nothing, so that another function under the same name is an error.
func (p *plugin) registerNative(target, platform string, h backend.Native) error {
	execute, traits, stages := h.Native()
	if stages {
		return &backend.Unsupported{Feature: fmt.Sprintf("%s: the stages of the handler of %q beside execute", p.file, target)}
	}
	f := &p.foreign
	f.mu.Lock()
	defer f.mu.Unlock()
	k := nativeKey{target, platform}
	if known, ok := f.natives[k]; ok {
		if known != execute {
			return array.TargetErrorf("the plugin knows another C function as %q on %s, and cannot forget it; register this one under a name of its own", target, platform)
		}
		return nil
	}
	name := strings.ToUpper(platform) // XLA spells CUDA and ROCM so
	if platform == "cpu" {
		name = "Host"
	}
	ok, err := callExtension(p, extensionFFI, ffiRegisterHandler, &registerHandler{
		target: text(target), targetSize: uintptr(len(target)), handler: execute,
		platform: text(name), platformSize: uintptr(len(name)), traits: traits,
	})
	switch {
	case !ok:
		return &backend.Unsupported{Feature: fmt.Sprintf("foreign calls in %s, API %s, which lacks the extension for them", p.file, p.version())}
	case err != nil:
		return fmt.Errorf("registering the C function of %q: %w", target, err)
	}
	if f.natives == nil {
		f.natives = map[nativeKey]uintptr{}
	}
	f.natives[k] = execute
	return nil
}
