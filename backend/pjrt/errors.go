package pjrt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/internal/dl"
)

// Code is the canonical code of a plugin's error.
type Code int32

// The canonical codes.
const (
	Cancelled Code = iota + 1
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

var codeNames = [...]string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
	"UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

// String is the code's name as XLA prints it.
func (c Code) String() string {
	if c < 0 || int(c) >= len(codeNames) {
		return "CODE_" + strconv.Itoa(int(c))
	}
	return codeNames[c]
}

// Error is an error of the plugin.
//
//	pjrt:cpu: compile jit_step: INVALID_ARGUMENT: 3:10: use of undeclared SSA value name
type Error struct {
	Backend string // pjrt:cpu
	Op      string // what was being done: create client, compile, execute, read, …
	Module  string // the module's name, empty where there is none
	Code    Code
	Message string // the plugin's own text
	// Line and Column are the place in the module's text that a compile error names, 0 where it names none.
	Line, Column int
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Backend + ": " + e.Op)
	if e.Module != "" {
		b.WriteString(" " + e.Module)
	}
	fmt.Fprintf(&b, ": %s: %s", e.Code, e.Message)
	return b.String()
}

// A plugin writes the place before the message, either bare or behind a quoted or plain file name.
var place = regexp.MustCompile(`(?:^|[\s"':])(\d+):(\d+)\)?: `)

func (e *Error) locate() {
	if m := place.FindStringSubmatch(e.Message); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Column, _ = strconv.Atoi(m[2])
	}
}

// take copies an error out of its handle and destroys the handle; nil for the null handle.
func (p *plugin) take(handle uintptr) *Error {
	if handle == 0 {
		return nil
	}
	e := &Error{Backend: "pjrt", Code: Unknown}
	var msg, code query
	msg.handle, code.handle = handle, handle
	invoke(p, errorMessage, &msg)
	e.Message = dl.String(msg.value, int(msg.count))
	if h := invoke(p, errorGetCode, &code); h != 0 {
		invoke(p, errorDestroy, &oneHandle{handle: h})
	} else {
		e.Code = Code(int32(code.value))
	}
	invoke(p, errorDestroy, &oneHandle{handle: handle})
	return e
}
