package ffi

// VmapMethod says how vmap turns a call on one element into a call on many. The names are the reference's.
type VmapMethod uint8

const (
	// NoVmap refuses: vmap of the call is an error that lists the methods.
	NoVmap VmapMethod = iota
	// Sequential calls the handler once for each element, in a loop.
	Sequential
	// SequentialUnrolled is Sequential with the loop written out.
	SequentialUnrolled
	// ExpandDims calls the handler once; every operand gets a leading axis, of size 1 where it is not mapped.
	ExpandDims
	// BroadcastAll calls the handler once; every operand gets the leading axis, repeated where it is not mapped.
	BroadcastAll
	// LegacyVectorized calls the handler once; only mapped operands get the leading axis.
	LegacyVectorized
)

const methodList = "Sequential, SequentialUnrolled, ExpandDims, BroadcastAll, LegacyVectorized"

var methodNames = [...]string{"None", "sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized"}

// String is the reference's name.
func (m VmapMethod) String() string {
	if int(m) < len(methodNames) {
		return methodNames[m]
	}
	return "unknown"
}

// Vectorized is the older flag: true means LegacyVectorized, false Sequential.
func Vectorized(v bool) VmapMethod {
	if v {
		return LegacyVectorized
	}
	return Sequential
}
