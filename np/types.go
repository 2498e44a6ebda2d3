package np

import "github.com/pantograph-go/pantograph/array"

// Array is the one array type; its methods are described in package array.
type Array = array.Array

// DType is an element type.
type DType = array.DType

// Shape is the list of an array's sizes.
type Shape = array.Shape

// The element types.
const (
	Bool         = array.Bool
	Int4         = array.Int4
	Int8         = array.Int8
	Int16        = array.Int16
	Int32        = array.Int32
	Int64        = array.Int64
	Uint4        = array.Uint4
	Uint8        = array.Uint8
	Uint16       = array.Uint16
	Uint32       = array.Uint32
	Uint64       = array.Uint64
	Float8E4M3FN = array.Float8E4M3FN
	Float8E5M2   = array.Float8E5M2
	BFloat16     = array.BFloat16
	Float16      = array.Float16
	Float32      = array.Float32
	Float64      = array.Float64
	Complex64    = array.Complex64
	Complex128   = array.Complex128
)

// Slice is start:stop:step in an index expression; see Array.At.
type Slice = array.Slice

// Parts of index expressions; see Array.At.
const (
	Begin    = array.Begin
	End      = array.End
	Ellipsis = array.Ellipsis
	NewAxis  = array.NewAxis
)
