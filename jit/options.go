package jit

import (
	"slices"

	"github.com/pantograph-go/pantograph/backend"
)

// Option changes what Of does.
type Option func(*options)

type options struct {
	static  []int
	donate  []int
	backend backend.Backend
}

// Static makes the arguments at these positions part of the program: they are not traced, whatever their type, and a
// new value compiles anew. Their values must be comparable.
func Static(args ...int) Option {
	return func(o *options) { o.static = append(o.static, args...) }
}

// Donate gives the memory of the arguments at these positions to the program, which may write results into it. The
// arrays must not be used afterwards: a later use is an error that names both lines.
func Donate(args ...int) Option {
	return func(o *options) { o.donate = append(o.donate, args...) }
}

// On runs the function on a backend other than the default one.
func On(b backend.Backend) Option {
	return func(o *options) { o.backend = b }
}

func (o *options) isStatic(i int) bool { return slices.Contains(o.static, i) }
