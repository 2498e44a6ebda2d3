package array

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Pos is a line of the user's program.
type Pos struct {
	File string
	Line int
	Func string
}

// String is the base name and line: model.go:41.
func (p Pos) String() string {
	if p.File == "" {
		return "unknown position"
	}
	return filepath.Base(p.File) + ":" + strconv.Itoa(p.Line)
}

const module = "github.com/pantograph-go/pantograph"

// Caller is the user's line: the first frame of the calling goroutine that is neither in a non-test file of the
// library nor in the Go runtime or reflect. It costs about half a microsecond: call it while recording and failing only.
func Caller() Pos {
	var pcs [64]uintptr
	for skip, n := 2, 12; ; skip, n = skip+n, len(pcs) { // mostly, the user is near
		found := runtime.Callers(skip, pcs[:n])
		for _, pc := range pcs[:found] {
			if p := user(pc); p != nil {
				return *p
			}
		}
		if found < n {
			return Pos{}
		}
	}
}

// users remembers what user found for a program counter, a fact of the program's text.
var users sync.Map // uintptr → *Pos

// user is the line at a program counter, nil in the library.
func user(pc uintptr) *Pos {
	if p, ok := users.Load(pc); ok {
		return p.(*Pos)
	}
	var p *Pos
	frames := runtime.CallersFrames([]uintptr{pc})
	for more := true; more && p == nil; {
		var f runtime.Frame
		if f, more = frames.Next(); f.File != "" && !library(f) {
			p = &Pos{f.File, f.Line, f.Function}
		}
	}
	users.Store(pc, p)
	return p
}

func library(f runtime.Frame) bool {
	if rest, ok := strings.CutPrefix(f.Function, module); ok {
		return !strings.HasSuffix(f.File, "_test.go") && !strings.HasPrefix(rest, "/examples/")
	}
	return strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "reflect.") ||
		strings.HasPrefix(f.Function, "slices.") || strings.HasPrefix(f.Function, "maps.") || strings.HasPrefix(f.Function, "sync.")
}
