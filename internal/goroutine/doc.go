// Package goroutine tells which goroutine is running. The stack of open traces belongs to a goroutine, and Go has no
// goroutine-local storage; ID is its key. On amd64 and arm64 the identity is the address of the runtime's g structure,
// read in a nanosecond; elsewhere it is the number parsed from the stack's first line. An identity is unique among
// live goroutines and may be reused after one ends.
package goroutine
