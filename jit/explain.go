package jit

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/pantograph-go/pantograph/primitive"
)

type logger = *slog.Logger

// manyTraces is the number of programs of one function past which a warning says that it is traced over and over.
const manyTraces = 8

// explain logs why the function is traced again: what differs from the program nearest to the arguments. The caller
// holds k.mu.
func (k *cache) explain(a arguments) {
	if k.traced == 0 {
		return
	}
	level := slog.LevelInfo
	again := ""
	if k.traced == manyTraces {
		level, again = slog.LevelWarn, fmt.Sprintf(" (program %d of this function: values that change often should be arrays, not static)", k.traced+1)
	}
	if !k.log.Enabled(context.Background(), level) {
		return
	}
	best := []string{"nothing that was kept is like it"}
	for _, list := range k.programs {
		for _, p := range list {
			if d := differences(p.args, a); best == nil || len(d) < len(best) || strings.HasPrefix(best[0], "nothing") {
				best = d
			}
		}
	}
	k.log.Log(context.Background(), level, fmt.Sprintf("jit(%s) at %s is compiled again: %s%s", k.callable.Name(), primitive.Position(), strings.Join(best, "; "), again))
}

// differences says in words what of the arguments differs from an earlier call.
func differences(old, now arguments) []string {
	var d []string
	for i, v := range now.statics {
		if i < len(old.statics) && old.statics[i] != v {
			d = append(d, fmt.Sprintf("static argument %d was %v and is %v", i, old.statics[i], v))
		}
	}
	if !old.tree.Equal(now.tree) {
		return append(d, fmt.Sprintf("the tree of the arguments was %s and is %s", old.tree, now.tree))
	}
	for i, path := range now.tree.Paths() {
		if o, n := old.avals[i], now.avals[i]; !o.Equal(n) {
			what := "type"
			switch {
			case o.DType == n.DType && o.Weak == n.Weak:
				what = "shape"
			case o.Shape.Equal(n.Shape):
				what = "dtype"
			}
			d = append(d, fmt.Sprintf("the %s of argument %s was %s and is %s", what, path, o, n))
		}
	}
	return d
}
