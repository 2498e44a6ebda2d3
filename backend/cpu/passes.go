package cpu

import (
	"time"

	"github.com/pantograph-go/pantograph/internal/debug"
)

// pass is one step from what build made to what emit needs.
type pass struct {
	name string
	run  func(c *compiler)
	off  func(c *compiler) // what is left of it when PANTOGRAPH=off=NAME switches it off; nil where it must run
}

// passes run in this order: liveness needs to know what is left, share when a storage dies, deliver whose memory a result has
// in the end, and the arena is laid out
// before fuse compares places in it.
var passes = [...]pass{
	{"prune", (*compiler).prune, func(*compiler) {}},
	{"liveness", func(c *compiler) { number(c.main, 0); liveness(c.main) }, nil},
	{"share", func(c *compiler) { share(c.main) }, (*compiler).shareNothing},
	{"deliver", (*compiler).deliver, nil},
	{"reuse", func(*compiler) {}, (*compiler).reuseNothing},
	{"fuse", func(c *compiler) { c.fusing = debug.Current().CPU != "interp" }, func(*compiler) {}},
}

// runPasses runs the passes, leaving out what the settings switch off.
func (c *compiler) runPasses(s *debug.Settings) {
	for _, p := range passes {
		start := time.Now()
		run := p.run
		if p.off != nil && s.Off(p.name) {
			run = p.off
		}
		run(c)
		if s.Time {
			debug.Logger("cpu").Info("pass", "program", c.opts.Name, "name", p.name, "time", time.Since(start))
		}
	}
}

// shareNothing leaves every operand as it is; loops and branches still hand their values on.
func (c *compiler) shareNothing() {
	for _, s := range c.storages {
		s.readOnly = true
	}
	share(c.main)
}

// reuseNothing gives every storage memory of its own for the whole run.
func (c *compiler) reuseNothing() {
	for _, s := range c.storages {
		s.hold = c.main.end
	}
}
