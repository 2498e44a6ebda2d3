package debug

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

var dumps atomic.Int64

// Dump writes a text into the folder that the key dump names, as 0001.step.jaxpr.txt: a number that runs on through the
// process, the program, and what it is. Without the key it does nothing and text is not called.
func Dump(program, what string, text func() string) error {
	dir := Current().Dump
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	program = strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, program)
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.%s.%s", dumps.Add(1), program, what)), []byte(text()), 0o666)
}
