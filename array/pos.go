package array

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
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
// library nor in the Go runtime or reflect. It costs about a microsecond: call it while recording and failing only.
func Caller() Pos {
	var pcs [32]uintptr
	skip := 2
	for {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for {
			f, more := frames.Next()
			if f.File != "" && !library(f) {
				return Pos{f.File, f.Line, f.Function}
			}
			if !more {
				break
			}
		}
		if n < len(pcs) {
			return Pos{}
		}
		skip += n
	}
}

func library(f runtime.Frame) bool {
	if rest, ok := strings.CutPrefix(f.Function, module); ok {
		return !strings.HasSuffix(f.File, "_test.go") && !strings.HasPrefix(rest, "/examples/")
	}
	return strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "reflect.") ||
		strings.HasPrefix(f.Function, "slices.") || strings.HasPrefix(f.Function, "maps.") || strings.HasPrefix(f.Function, "sync.")
}
