//go:build amd64 || arm64

package goroutine

// ID identifies the running goroutine.
func ID() uintptr
