// Package cuda runs programs on NVIDIA GPUs: package pjrt on XLA's CUDA plugin, and around it what CUDA needs.
//
//	b, err := cuda.Open(cuda.Options{})
//
// Open asks the driver first, without the plugin: is it there, how new is it, which GPUs does it see. Then it looks for a
// plugin that fits (Python packages carry them), opens NVIDIA's libraries where the plugin would not find them itself,
// and makes a client. What is missing is a typed error that says how to get it: NoDriverError, NoDeviceError,
// TooOldError, pjrt.NoPluginError. Nothing is ever downloaded.
//
// Foreign functions in Go are not called on a GPU: their operands would be in its memory. docs/cuda.md says what has been
// run on a GPU and what has not.
package cuda
