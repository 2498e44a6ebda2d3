package callframe

import "unsafe"

// Stage is the moment in an executable's life at which a handler is called.
type Stage int32

// The stages in their order.
const (
	Instantiate Stage = iota // once for a call site, when the program is compiled; no operands or results
	Prepare
	Initialize
	Execute
)

// The structures below are read and written in place; their fields are those of the C header in its order. Sizes are
// uintptr as C's size_t. StructSize and Extensions are the header's struct_size and extension_start.
type (
	// Frame is one call of a handler. In versions up to 0.5 the size that a handler expects to be declared is frameSize:
	// Future lies behind it.
	Frame struct {
		StructSize uintptr
		Extensions *Extension
		API        *API
		Context    uintptr
		Stage      Stage
		Args       Buffers
		Rets       Buffers
		Attrs      Attrs
		Future     uintptr
	}

	// Extension is an entry of the list that a structure may carry.
	Extension struct {
		StructSize uintptr
		Type       int32
		Next       *Extension
	}

	// Buffers is the list of operands, or of results.
	Buffers struct {
		StructSize uintptr
		Extensions *Extension
		Count      uintptr
		Types      *int32
		Pointers   **Buffer
	}

	// Buffer is an array. Dims are logical; the order in memory is what the call's layouts say.
	Buffer struct {
		StructSize uintptr
		Extensions *Extension
		DType      int32
		Data       unsafe.Pointer
		Rank       int64
		Dims       *int64
	}

	// Attrs is a dictionary of attributes, sorted by name. Pointers lead to a Scalar, Array, Span or Attrs, as Types say.
	Attrs struct {
		StructSize uintptr
		Extensions *Extension
		Count      uintptr
		Types      *int32
		Names      **Span
		Pointers   *unsafe.Pointer
	}

	// Span is a string or a list of bytes, not zero-terminated.
	Span struct {
		Data   *byte
		Length uintptr
	}

	// Scalar is an attribute of one number.
	Scalar struct {
		DType int32
		Value unsafe.Pointer
	}

	// Array is an attribute of many numbers; its rank is not known.
	Array struct {
		DType int32
		Count uintptr
		Data  unsafe.Pointer
	}

	// Version is the version of the interface.
	Version struct {
		StructSize   uintptr
		Extensions   *Extension
		Major, Minor int32
	}

	// API is the runtime's table of functions. Each takes a pointer to its own argument structure and returns an error
	// handle or null; CreateError returns the error that it makes.
	API struct {
		StructSize      uintptr
		Extensions      *Extension
		Version         Version
		internal        uintptr
		CreateError     uintptr
		ErrorMessage    uintptr
		DestroyError    uintptr
		Register        uintptr
		Stream          uintptr
		RegisterType    uintptr
		UserData        uintptr
		SetState        uintptr
		State           uintptr
		Allocate        uintptr
		Free            uintptr
		Schedule        uintptr
		Threads         uintptr
		CreateFuture    uintptr
		FutureAvailable uintptr
		FutureError     uintptr
		RunID           uintptr
		DeviceOrdinal   uintptr
	}

	// Metadata is what a handler says of itself when asked.
	Metadata struct {
		StructSize uintptr
		Version    Version
		Traits     int32
		StateType  int64
	}

	// MetadataExtension as the first extension of a frame turns the call into a question for Metadata.
	MetadataExtension struct {
		Extension
		Metadata *Metadata
	}

	// CreateErrorArgs are the arguments of API.CreateError. Message ends with a zero byte and is copied.
	CreateErrorArgs struct {
		StructSize uintptr
		Extensions *Extension
		Message    *byte
		Code       int32 // canonical: 1 cancelled, 2 unknown, 3 invalid argument, … 13 internal
	}

	// UserDataArgs are the arguments of API.UserData: what the caller of the program put into the execution's context
	// under a type.
	UserDataArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Type       *int64
		Data       uintptr // out
	}
)

const (
	metadataType = 1 // Extension.Type of a MetadataExtension
	bufferType   = 1 // entry of Buffers.Types

	// frameSize is what StructSize of a Frame must say: handlers built with the official headers compare it exactly.
	frameSize = 168
)

// Kinds of attributes in Attrs.Types.
const (
	arrayAttr int32 = iota + 1
	dictAttr
	scalarAttr
	stringAttr
)
