package callframe

// The structures of a host: the arguments of the API's functions, in the order of the header. A handler may declare more
// bytes than are mirrored here, never fewer. They lie in memory of C, so what is written to them is never a Go pointer: the
// collector would look at what was there before.
type (
	// ErrorMessageArgs are the arguments of API.ErrorMessage.
	ErrorMessageArgs struct {
		StructSize uintptr
		Extensions *Extension
		Error      uintptr
		Message    uintptr // out, ends with a zero byte
	}

	// DestroyErrorArgs are the arguments of API.DestroyError.
	DestroyErrorArgs struct {
		StructSize uintptr
		Extensions *Extension
		Error      uintptr
	}

	// Bundle are the functions of a handler by stage, 0 where there is none.
	Bundle struct{ Instantiate, Prepare, Initialize, Execute uintptr }

	// RegisterArgs are the arguments of API.Register, which libraries call when they are loaded.
	RegisterArgs struct {
		StructSize uintptr
		Extensions *Extension
		Name       Span
		Platform   Span
		Bundle     Bundle
		Traits     uint32
	}

	// TypeInfo says how values of a type are destroyed.
	TypeInfo struct {
		StructSize uintptr
		Extensions *Extension
		Deleter    uintptr // takes the value, 0 where nothing is to be done
	}

	// RegisterTypeArgs are the arguments of API.RegisterType.
	RegisterTypeArgs struct {
		StructSize uintptr
		Extensions *Extension
		Name       Span
		Type       *int64 // in and out: 0 asks for a number
		Info       *TypeInfo
	}

	// StateArgs are the arguments of API.SetState and API.State since version 0.3.
	StateArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Stage      Stage // at which the state was made
		Type       *int64
		State      uintptr // in or out
	}

	// OldStateArgs are StateArgs before version 0.3, where only the first stage made states.
	OldStateArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Type       *int64
		State      uintptr
		Deleter    uintptr // of SetState in version 0.1
	}

	// StreamArgs are the arguments of API.Stream.
	StreamArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Stream     uintptr // out
	}

	// AllocateArgs are the arguments of API.Allocate.
	AllocateArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Size       uintptr
		Alignment  uintptr
		Data       uintptr // out
	}

	// FreeArgs are the arguments of API.Free.
	FreeArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Size       uintptr
		Data       uintptr
	}

	// ScheduleArgs are the arguments of API.Schedule: Task is to be called with Data.
	ScheduleArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Task       uintptr
		Data       uintptr
	}

	// ThreadsArgs are the arguments of API.Threads.
	ThreadsArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		Threads    *int64 // out
	}

	// CreateFutureArgs are the arguments of API.CreateFuture.
	CreateFutureArgs struct {
		StructSize uintptr
		Extensions *Extension
		Future     uintptr // out
	}

	// FutureArgs are the arguments of API.FutureAvailable.
	FutureArgs struct {
		StructSize uintptr
		Extensions *Extension
		Future     uintptr
	}

	// FutureErrorArgs are the arguments of API.FutureError, which takes the error over.
	FutureErrorArgs struct {
		StructSize uintptr
		Extensions *Extension
		Future     uintptr
		Error      uintptr
	}

	// RunIDArgs are the arguments of API.RunID.
	RunIDArgs struct {
		StructSize uintptr
		Extensions *Extension
		Context    uintptr
		RunID      int64 // out
	}

	// DeviceOrdinalArgs are the arguments of API.DeviceOrdinal.
	DeviceOrdinalArgs struct {
		StructSize    uintptr
		Extensions    *Extension
		Context       uintptr
		DeviceOrdinal int32 // out
	}
)
