package ffi

import "github.com/pantograph-go/pantograph/backend"

// Error is an error with the code of a status. C handlers return such errors, Go handlers may, and registration reports
// what it refuses in them; errors.As finds one inside the error of a run, which also names the user's line.
type Error = backend.ForeignError

// Code is the code of an Error; the numbers are the canonical ones, as in the C headers.
type Code = backend.ForeignCode

// The codes.
const (
	Cancelled          = backend.Cancelled
	Unknown            = backend.Unknown
	InvalidArgument    = backend.InvalidArgument
	DeadlineExceeded   = backend.DeadlineExceeded
	NotFound           = backend.NotFound
	AlreadyExists      = backend.AlreadyExists
	PermissionDenied   = backend.PermissionDenied
	ResourceExhausted  = backend.ResourceExhausted
	FailedPrecondition = backend.FailedPrecondition
	Aborted            = backend.Aborted
	OutOfRange         = backend.OutOfRange
	Unimplemented      = backend.Unimplemented
	Internal           = backend.Internal
	Unavailable        = backend.Unavailable
	DataLoss           = backend.DataLoss
	Unauthenticated    = backend.Unauthenticated
)

// Errorf makes an Error.
func Errorf(c Code, format string, a ...any) error { return backend.ForeignErrorf(c, format, a...) }
