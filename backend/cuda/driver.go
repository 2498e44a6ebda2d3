package cuda

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/pantograph-go/pantograph/internal/dl"
)

// Driver is what the NVIDIA driver says of itself and of the GPUs it sees.
type Driver struct {
	Version Version // the newest CUDA it can run
	Devices []Device
}

// Device is a GPU.
type Device struct {
	Name       string
	Capability Version // compute capability, as 9.0
	Memory     int64   // bytes
}

// Version is a version of CUDA or a compute capability.
type Version struct{ Major, Minor int }

// String is the usual form, 12.9.
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Less compares versions.
func (v Version) Less(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

// library is the driver's own library, which its installation puts where the loader looks.
const library = "libcuda.so.1"

// Numbers from cuda.h.
const (
	resultNoDevice = 100
	attributeMajor = 75
	attributeMinor = 76
)

// Probe asks the driver. The error is a *NoDriverError or, where it sees no GPU, a *NoDeviceError.
func Probe() (Driver, error) {
	return probe(func() (*dl.Library, error) { return dl.OpenSystem(library) })
}

func probe(open func() (*dl.Library, error)) (Driver, error) {
	lib, err := open()
	if err != nil {
		return Driver{}, &NoDriverError{err}
	}
	c := caller{lib: lib}
	var version, count int32
	c.call("cuInit", 0)
	c.call("cuDriverGetVersion", uintptr(unsafe.Pointer(&version)))
	c.call("cuDeviceGetCount", uintptr(unsafe.Pointer(&count)))
	d := Driver{Version: Version{int(version) / 1000, int(version) % 1000 / 10}}
	if c.code == resultNoDevice || c.err == nil && count == 0 {
		return d, &NoDeviceError{Driver: d.Version}
	}
	for i := range uintptr(count) {
		var device, major, minor int32
		var memory int64
		name := make([]byte, 256)
		c.call("cuDeviceGet", uintptr(unsafe.Pointer(&device)), i)
		c.call("cuDeviceGetName", uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(device))
		c.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&major)), attributeMajor, uintptr(device))
		c.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&minor)), attributeMinor, uintptr(device))
		c.call("cuDeviceTotalMem_v2", uintptr(unsafe.Pointer(&memory)), uintptr(device))
		text, _, _ := strings.Cut(string(name), "\x00")
		d.Devices = append(d.Devices, Device{text, Version{int(major), int(minor)}, memory})
	}
	if c.err != nil {
		return d, &NoDriverError{c.err}
	}
	return d, nil
}

// caller calls functions of the driver until one fails.
type caller struct {
	lib  *dl.Library
	code int32
	err  error
}

//go:uintptrescapes
func (c *caller) call(name string, args ...uintptr) {
	if c.err != nil {
		return
	}
	fn, err := c.lib.Symbol(name)
	if err != nil {
		c.err = err
		return
	}
	if c.code = int32(dl.CallN(fn, args...)); c.code != 0 {
		c.err = fmt.Errorf("%s: %s", name, c.describe())
	}
}

func (c *caller) describe() string {
	fallback := fmt.Sprintf("error %d", c.code)
	fn, err := c.lib.Symbol("cuGetErrorString")
	if err != nil {
		return fallback
	}
	var text uintptr
	if dl.CallN(fn, uintptr(c.code), uintptr(unsafe.Pointer(&text))) != 0 || text == 0 {
		return fallback
	}
	n := 0
	for n < 1<<10 && *(*byte)(unsafe.Add(dl.Pointer(text), n)) != 0 {
		n++
	}
	return fmt.Sprintf("%s (error %d)", dl.String(text, n), c.code)
}
