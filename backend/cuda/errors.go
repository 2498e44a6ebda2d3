package cuda

import (
	"fmt"
	"os"
)

// NoDriverError: there is no NVIDIA driver, or it does not answer.
//
//	cuda: no NVIDIA driver: open libcuda.so.1: libcuda.so.1: cannot open shared object file: No such file or directory
type NoDriverError struct{ Err error }

func (e *NoDriverError) Error() string {
	return fmt.Sprintf("cuda: no NVIDIA driver: %v. It comes with the system, not with a package: version 525 or newer for CUDA 12, 580 for CUDA 13", e.Err)
}
func (e *NoDriverError) Unwrap() error { return e.Err }

// NoDeviceError: the driver is there but sees no GPU.
//
//	cuda: the driver (CUDA 12.9) sees no GPU
type NoDeviceError struct {
	Driver Version
	Err    error // what the plugin said, where it was the plugin that saw none
}

func (e *NoDeviceError) Error() string {
	s := fmt.Sprintf("cuda: the driver (CUDA %s) sees no GPU", e.Driver)
	if e.Err != nil {
		s = fmt.Sprintf("cuda: the plugin sees no GPU: %v", e.Err)
	}
	if v, ok := os.LookupEnv("CUDA_VISIBLE_DEVICES"); ok {
		s += fmt.Sprintf("; CUDA_VISIBLE_DEVICES is %q", v)
	}
	return s
}
func (e *NoDeviceError) Unwrap() error { return e.Err }

// TooOldError: the driver or a GPU is older than the plugins can use.
//
//	cuda: the driver runs CUDA up to 11.4; 12.0 is needed: update the driver to version 525 or newer
type TooOldError struct {
	What       string // "driver", or the name of a GPU
	Have, Need Version
	Advice     string
}

func (e *TooOldError) Error() string {
	if e.What == "driver" {
		return fmt.Sprintf("cuda: the driver runs CUDA up to %s; %s is needed: %s", e.Have, e.Need, e.Advice)
	}
	return fmt.Sprintf("cuda: %s has compute capability %s; %s is needed: %s", e.What, e.Have, e.Need, e.Advice)
}
