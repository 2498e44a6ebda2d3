package lower

import (
	"strconv"
	"strings"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/trace"
)

// Exported is a function lowered for other programs: its module as a portable artifact, and how it is called. Export makes
// one of a Go function, Import of a container that JAX or this package wrote; Serialize writes the container. It never
// changes and is safe for concurrent use.
type Exported struct {
	Name    string         // of the function, for error messages
	InTree  *PyTree        // the arguments: a tuple of positional and a dict of named ones
	In      []ExportedAval // the leaves of the arguments
	OutTree *PyTree
	Out     []ExportedAval

	Platforms []string // for which the module is; with several it takes the number of one as its first parameter
	Devices   int      // for how many the module is
	Disabled  []DisabledCheck
	// OrderedEffects and UnorderedEffects name Python's types of effects. A module takes and gives a token for each
	// ordered one, before its other parameters and results.
	OrderedEffects, UnorderedEffects []string

	Artifact             []byte // the module, see hlo.ReadBytecode
	CallingConvention    int    // the version of the rules about parameters, 9 or 10
	Kept                 []int  // which leaves of the arguments are parameters of the module
	UsesGlobalConstants  bool   // the module has shapes that are known when it is called
	SerializationVersion int    // of the container

	// VJP is the pull-back: it takes the leaves of the arguments and the cotangents of those of the result, and returns
	// the cotangents of those of the arguments. Nil where it was not exported.
	VJP *Exported

	once   sync.Once
	module *hlo.Module
	err    error

	ruleOnce sync.Once
	call     *trace.Func // with the rule of reverse mode
}

// ExportedAval is the shape and element type of a leaf. A size is a number or an expression in dimension variables.
type ExportedAval struct {
	Shape []string
	DType array.DType // float0 for the cotangent of an integer
	Key   string      // fry, rbg or unsafe_rbg for an array of random keys, whose words are in the module
	Space MemorySpace
}

// MemorySpace is where an array is to be.
type MemorySpace uint8

// The memory spaces.
const (
	AnySpace MemorySpace = iota // unsaid
	DeviceSpace
	HostSpace
	EitherSpace
)

// keyWords is how many words an element of an array of random keys has.
var keyWords = map[string]int{"fry": 2, "rbg": 4, "unsafe_rbg": 4}

// Aval is the abstract value of what the module takes for the leaf: the words of random keys, bools for float0. Reports a
// ShapeError where a size is not a number.
func (a ExportedAval) Aval() (array.Aval, error) {
	out := array.Aval{DType: a.DType, Shape: array.Shape{}}
	for _, s := range a.Shape {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return out, array.ShapeErrorf("%s has a size that is no number, and functions of unknown shapes cannot be called yet", a)
		}
		out.Shape = append(out.Shape, n)
	}
	switch {
	case a.Key != "":
		out.DType = array.Uint32
		out.Shape = append(out.Shape, keyWords[a.Key])
	case a.DType == array.Float0:
		out.DType = array.Bool
	}
	return out, nil
}

func (a ExportedAval) String() string {
	name := a.DType.String()
	if a.Key != "" {
		name = "key<" + a.Key + ">"
	}
	return name + "[" + strings.Join(a.Shape, ",") + "]"
}

// exportedAval is the leaf for an aval.
func exportedAval(a array.Aval) ExportedAval {
	out := ExportedAval{DType: a.DType, Space: DeviceSpace}
	for _, n := range a.Shape {
		out.Shape = append(out.Shape, strconv.Itoa(n))
	}
	return out
}

// Module is the module of the artifact. It must not be changed.
func (e *Exported) Module() (*hlo.Module, error) {
	e.once.Do(func() {
		if e.module, e.err = hlo.ReadBytecode(e.Artifact); e.err == nil {
			e.err = hlo.Verify(e.module)
		}
	})
	return e.module, e.err
}
