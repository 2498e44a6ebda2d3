package pjrt

import "unsafe"

// function is an entry of the plugin's table: its byte offset and its name in the C header without the prefix PJRT_.
type function struct {
	offset uintptr
	name   string
}

// The functions used here. Every offset below 984 exists from API 0.81 on, the oldest version taken.
var (
	errorDestroy      = function{40, "Error_Destroy"}
	errorMessage      = function{48, "Error_Message"}
	errorGetCode      = function{56, "Error_GetCode"}
	pluginInitialize  = function{64, "Plugin_Initialize"}
	pluginAttributes  = function{72, "Plugin_Attributes"}
	eventDestroy      = function{80, "Event_Destroy"}
	eventIsReady      = function{88, "Event_IsReady"}
	eventAwait        = function{104, "Event_Await"}
	eventOnReady      = function{112, "Event_OnReady"}
	clientCreate      = function{120, "Client_Create"}
	clientDestroy     = function{128, "Client_Destroy"}
	clientPlatform    = function{136, "Client_PlatformName"}
	clientVersion     = function{152, "Client_PlatformVersion"}
	clientDevices     = function{168, "Client_AddressableDevices"}
	clientCompile     = function{200, "Client_Compile"}
	clientPut         = function{216, "Client_BufferFromHostBuffer"}
	descriptionID     = function{224, "DeviceDescription_Id"}
	descriptionKind   = function{248, "DeviceDescription_Kind"}
	deviceDescription = function{272, "Device_GetDescription"}
	deviceMemory      = function{312, "Device_MemoryStats"}
	executableDestroy = function{360, "Executable_Destroy"}
	executableCost    = function{408, "Executable_GetCostAnalysis"}
	executableStore   = function{432, "Executable_Serialize"}
	loadedDestroy     = function{440, "LoadedExecutable_Destroy"}
	loadedExecutable  = function{448, "LoadedExecutable_GetExecutable"}
	loadedExecute     = function{480, "LoadedExecutable_Execute"}
	executableLoad    = function{488, "Executable_DeserializeAndLoad"}
	bufferDestroy     = function{504, "Buffer_Destroy"}
	bufferToHost      = function{600, "Buffer_ToHostBuffer"}
	bufferReady       = function{616, "Buffer_ReadyEvent"}
	bufferPointer     = function{624, "Buffer_UnsafePointer"}
	topologyCreate    = function{696, "TopologyDescription_Create"}
	topologyDestroy   = function{704, "TopologyDescription_Destroy"}
	compileFor        = function{752, "Compile"}
	executableMemory  = function{808, "Executable_GetCompiledMemoryStats"}
	contextCreate     = function{824, "ExecuteContext_Create"}
	contextDestroy    = function{832, "ExecuteContext_Destroy"}
)

// The extension for foreign calls, by its type, and the offsets of its functions.
const (
	extensionFFI = 5

	ffiRegisterType    = 24
	ffiAddUserData     = 32
	ffiRegisterHandler = 40
)

// header begins every argument structure.
type header struct {
	size      uintptr
	extension uintptr
}

// The argument structures mirror the C header field by field. Handles of the plugin and integers are uintptr; memory of
// Go is unsafe.Pointer, which keeps it alive as long as the structure. A plugin accepts a structure larger than it knows.
type (
	// oneHandle is for every function that only takes a handle: all Destroy, Event_Await.
	oneHandle struct {
		header
		handle uintptr
	}

	// query takes a handle and gives one value, or an address and a count.
	query struct {
		header
		handle uintptr
		value  uintptr // out: a pointer, a number, or the address of a string or list
		count  uintptr // out: the length of a string or list
	}

	// attributesArgs are those of Plugin_Attributes.
	attributesArgs struct {
		header
		list  uintptr // out: to namedValues
		count uintptr
	}

	// namedValue is an option or an attribute. value holds an integer, a float32, a bool, or an address.
	namedValue struct {
		header
		name     unsafe.Pointer
		nameSize uintptr
		kind     int32
		value    uint64
		size     uintptr // length of a string or list, else 1
	}

	clientCreateArgs struct {
		header
		options    unsafe.Pointer
		numOptions uintptr
		keyValue   [4]uintptr // get and put callbacks of a multi-process run, each with its argument
		client     uintptr    // out
		tryGet     [2]uintptr
	}

	program struct {
		header
		code       unsafe.Pointer
		codeSize   uintptr
		format     unsafe.Pointer
		formatSize uintptr
	}

	compileArgs struct {
		header
		client      uintptr
		program     unsafe.Pointer
		options     unsafe.Pointer
		optionsSize uintptr
		executable  uintptr // out
	}

	topologyArgs struct {
		header
		name       unsafe.Pointer
		nameSize   uintptr
		options    unsafe.Pointer
		numOptions uintptr
		topology   uintptr // out
	}

	compileForArgs struct {
		header
		topology    uintptr
		program     unsafe.Pointer
		options     unsafe.Pointer
		optionsSize uintptr
		client      uintptr // may be null
		executable  uintptr // out
	}

	serializeArgs struct {
		header
		executable uintptr
		bytes      uintptr // out
		size       uintptr // out
		holder     uintptr // out
		deleter    uintptr // out: call it with the holder
	}

	deserializeArgs struct {
		header
		client      uintptr
		bytes       unsafe.Pointer
		size        uintptr
		loaded      uintptr // out
		options     unsafe.Pointer
		optionsSize uintptr
		loadOptions uintptr
	}

	costArgs struct {
		header
		executable uintptr
		count      uintptr // out
		list       uintptr // out: to namedValues
	}

	putArgs struct {
		header
		client     uintptr
		data       unsafe.Pointer
		kind       int32
		dims       unsafe.Pointer
		rank       uintptr
		strides    unsafe.Pointer
		numStrides uintptr
		semantics  int32
		device     uintptr
		memory     uintptr
		layout     uintptr
		done       uintptr // out: event
		buffer     uintptr // out
	}

	toHostArgs struct {
		header
		buffer uintptr
		layout uintptr
		to     unsafe.Pointer
		size   uintptr
		event  uintptr // out
	}

	executeOptions struct {
		header
		sendCallbacks, recvCallbacks  uintptr
		numSend, numRecv              uintptr
		launchID                      int32
		nonDonatable                  unsafe.Pointer
		numNonDonatable               uintptr
		context                       uintptr
		callLocation                  uintptr
		numTasks                      uintptr
		taskIDs, incarnationIDs       uintptr
		multiSlice                    uintptr
		majorToMinor                  bool
		outputCallbacks, numCallbacks uintptr
	}

	executeArgs struct {
		header
		executable uintptr
		options    unsafe.Pointer
		arguments  unsafe.Pointer // for each device, an array of buffers
		numDevices uintptr
		numArgs    uintptr
		results    unsafe.Pointer // for each device, an array to be filled
		events     unsafe.Pointer // for each device, an event to be filled; may be nil
		device     uintptr
	}

	onReadyArgs struct {
		header
		event    uintptr
		callback uintptr
		argument uintptr
	}

	compiledMemory struct {
		header
		executable                               uintptr
		code, arguments, outputs, alias, temp    int64
		hostCode, hostArgs, hostOut, hostAlias   int64
		hostTemp, peak, total, allocation, indef int64
		peakUnpadded                             int64
	}

	deviceMemoryArgs struct {
		header
		device uintptr
		inUse  int64
		peak, allocations, largest,
		limit, reserved, peakReserved,
		reservable, largestFree, pool,
		peakPool, peakAllocated optional
	}

	optional struct {
		value int64
		known bool
	}

	// registerHandler has no extension word, unlike the rest.
	registerHandler struct {
		size         uintptr
		target       unsafe.Pointer
		targetSize   uintptr
		handler      uintptr
		platform     unsafe.Pointer
		platformSize uintptr
		traits       int32
	}

	registerType struct {
		header
		name     unsafe.Pointer
		nameSize uintptr
		id       int64          // 0: to be assigned
		info     unsafe.Pointer // to functions for values of the type, all of which may be null
	}

	// addUserData: API 0.81 reads a deleter in the last word, later ones end before it.
	addUserData struct {
		header
		context uintptr
		kind    int64
		data    uintptr
		deleter uintptr
	}
)

// Kinds of a namedValue.
const (
	valueString int32 = iota
	valueInt
	valueInts
	valueFloat
	valueBool
)

// What the plugin may assume of host memory that it is given.
const (
	untilReturn int32 = 0 // immutable during the call: the plugin copies
	zeroCopy    int32 = 2 // immutable until the buffer is destroyed: the plugin shares where it can
)
