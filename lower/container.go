package lower

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/internal/flatbuf"
)

// The container is a flatbuffer whose tables and fields have these numbers, as jax.export reads and writes them.

// The fields of the table for a function.
const (
	cfVersion = iota
	cfName
	cfInTree
	cfInAvals
	cfOutTree
	cfOutAvals
	cfDevicesShort
	cfInShardings
	cfOutShardings
	cfPlatforms
	cfOrderedEffects
	cfUnorderedEffects
	cfDisabled
	cfArtifact
	cfConvention
	cfKept
	cfGlobalConstants
	cfVJP
	cfDevices
	cfUniqueAvals
	cfUniqueMeshes
	cfUniqueShardings
	cfInAvalIndices
	cfOutAvalIndices
	cfInShardingIndices
	cfOutShardingIndices
)

// The fields of the other tables.
const (
	ctKind, ctChildren, ctNames, ctCustom, ctData = 0, 1, 2, 3, 4 // of a tree
	caKind, caShape, caDType, caSpace             = 0, 1, 2, 3    // of an aval; kind is 0 for an array
	ceName                                        = 0             // of an effect
	cdKind, cdTarget                              = 0, 1          // of a disabled check
)

// containerDTypes are the element types by their numbers; three more are those of random keys.
var containerDTypes = []array.DType{
	array.Bool, array.Int8, array.Int16, array.Int32, array.Int64, array.Uint8, array.Uint16, array.Uint32, array.Uint64,
	array.Float16, array.Float32, array.Float64, array.Complex64, array.Complex128, array.BFloat16, array.Int4, array.Uint4,
	array.Float8E4M3B11FNUZ, array.Float8E4M3FN, array.Float8E4M3FNUZ, array.Float8E5M2, array.Float8E5M2FNUZ, array.Float0,
	array.Float8E4M3, array.Float8E3M4, array.Float8E8M0FNU, array.Float4E2M1FN,
}

var containerKeys = []string{"fry", "rbg", "unsafe_rbg"}

// The kinds of disabled checks.
const (
	checkPlatform = iota
	checkCustomCall
	checkShapes
)

// containerVersion is the version that a container says it has: the oldest readers refuse any but 2 and 3, and the newest
// take it.
const containerVersion = 3

const (
	maxTreeDepth = 200
	maxVJPOrder  = 16
)

// Import reads a container that jax.export or Serialize wrote. What it refers to is not looked up before it is called: the
// foreign functions of the module, its platform. Reports an ArgumentError where the data is no container.
func Import(data []byte) (*Exported, error) {
	t, err := flatbuf.Root(data)
	if err != nil {
		return nil, array.ArgumentErrorf("this is no exported function: %v", err)
	}
	r := containerReader{nodes: len(data)}
	e, err := r.exported(t, 0)
	if err == nil {
		err = t.Err()
	}
	if err != nil {
		return nil, array.ArgumentErrorf("this is no exported function: %v", err)
	}
	return e, nil
}

// containerReader bounds the parts of trees, of which the same may stand in many places.
type containerReader struct{ nodes int }

func (r *containerReader) exported(t flatbuf.Table, order int) (*Exported, error) {
	if order > maxVJPOrder {
		return nil, fmt.Errorf("derivatives of more than %d orders", maxVJPOrder)
	}
	e := &Exported{
		Name:                 t.String(cfName),
		Platforms:            t.Strings(cfPlatforms),
		Devices:              int(t.Uint32(cfDevices)),
		Artifact:             slices.Clone(t.Bytes(cfArtifact)),
		CallingConvention:    int(t.Uint16(cfConvention)),
		UsesGlobalConstants:  t.Uint8(cfGlobalConstants) != 0,
		SerializationVersion: int(t.Uint16(cfVersion)),
	}
	if e.Devices == 0 {
		e.Devices = int(t.Uint16(cfDevicesShort))
	}
	if len(e.Artifact) == 0 || len(e.Platforms) == 0 || e.Devices == 0 {
		return nil, fmt.Errorf("the module, its platforms or the number of devices are missing")
	}
	var err error
	unique, err := r.avals(t, cfUniqueAvals)
	if err != nil {
		return nil, err
	}
	if e.In, err = r.leaves(t, cfInAvalIndices, cfInAvals, unique); err != nil {
		return nil, err
	}
	if e.Out, err = r.leaves(t, cfOutAvalIndices, cfOutAvals, unique); err != nil {
		return nil, err
	}
	if e.InTree, err = r.tree(t.Table(cfInTree), 0); err != nil {
		return nil, err
	}
	if e.OutTree, err = r.tree(t.Table(cfOutTree), 0); err != nil {
		return nil, err
	}
	if in, out := e.InTree.Leaves(), e.OutTree.Leaves(); in != len(e.In) || out != len(e.Out) {
		return nil, fmt.Errorf("the trees have %d and %d leaves for %d arguments and %d results", in, out, len(e.In), len(e.Out))
	}
	for _, k := range t.Uint16s(cfKept) {
		if int(k) >= len(e.In) || len(e.Kept) > 0 && int(k) <= e.Kept[len(e.Kept)-1] {
			return nil, fmt.Errorf("the module takes argument %d of %d out of order", k, len(e.In))
		}
		e.Kept = append(e.Kept, int(k))
	}
	for _, x := range t.Tables(cfOrderedEffects) {
		e.OrderedEffects = append(e.OrderedEffects, x.String(ceName))
	}
	for _, x := range t.Tables(cfUnorderedEffects) {
		e.UnorderedEffects = append(e.UnorderedEffects, x.String(ceName))
	}
	for _, x := range t.Tables(cfDisabled) {
		switch kind := x.Uint8(cdKind); kind {
		case checkPlatform:
			e.Disabled = append(e.Disabled, DisabledPlatform)
		case checkCustomCall:
			e.Disabled = append(e.Disabled, DisabledCustomCall(x.String(cdTarget)))
		case checkShapes:
		default:
			return nil, fmt.Errorf("a disabled check is of the unknown kind %d", kind)
		}
	}
	if v := t.Table(cfVJP); v.Exists() {
		if e.VJP, err = r.exported(v, order+1); err != nil {
			return nil, err
		}
	}
	return e, t.Err()
}

// leaves are the avals of arguments or results: by number among all there are, or, of older writers, each in full.
func (r *containerReader) leaves(t flatbuf.Table, indices, full int, unique []ExportedAval) ([]ExportedAval, error) {
	if t.Len(indices) == 0 {
		return r.avals(t, full)
	}
	var out []ExportedAval
	for _, i := range t.Uint32s(indices) {
		if int(i) >= len(unique) {
			return nil, fmt.Errorf("aval %d of %d", i, len(unique))
		}
		out = append(out, unique[i])
	}
	return out, nil
}

func (r *containerReader) avals(t flatbuf.Table, field int) ([]ExportedAval, error) {
	var out []ExportedAval
	for _, x := range t.Tables(field) {
		if x.Uint8(caKind) != 0 {
			return nil, fmt.Errorf("an argument or result is no array")
		}
		a := ExportedAval{Shape: x.Strings(caShape), Space: MemorySpace(x.Uint8(caSpace))}
		switch d := int(x.Uint8(caDType)); {
		case d < len(containerDTypes):
			a.DType = containerDTypes[d]
		case d < len(containerDTypes)+len(containerKeys):
			a.DType, a.Key = array.Uint32, containerKeys[d-len(containerDTypes)]
		default:
			return nil, fmt.Errorf("the element type %d is not known", d)
		}
		out = append(out, a)
	}
	return out, nil
}

func (r *containerReader) tree(t flatbuf.Table, depth int) (*PyTree, error) {
	if r.nodes--; depth > maxTreeDepth || r.nodes < 0 {
		return nil, fmt.Errorf("the trees are nested too deep or too large")
	}
	out := &PyTree{Kind: PyTreeKind(t.Uint8(ctKind)), Names: t.Strings(ctNames), Custom: t.String(ctCustom), Data: slices.Clone(t.Bytes(ctData))}
	if out.Kind > PyCustom {
		return nil, fmt.Errorf("the tree kind %d is not known", out.Kind)
	}
	for _, x := range t.Tables(ctChildren) {
		c, err := r.tree(x, depth+1)
		if err != nil {
			return nil, err
		}
		out.Children = append(out.Children, c)
	}
	if out.Kind == PyDict && len(out.Names) != len(out.Children) || out.Kind <= PyNone && len(out.Children) > 0 {
		return nil, fmt.Errorf("a tree has %d parts and %d names", len(out.Children), len(out.Names))
	}
	return out, nil
}

// Serialize writes the container that jax.export.deserialize and Import read. Reports an ArgumentError where the format has no
// place for something.
func (e *Exported) Serialize() ([]byte, error) {
	w := containerWriter{b: flatbuf.NewBuilder()}
	root := w.exported(e)
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Finish(root), nil
}

type containerWriter struct {
	b   *flatbuf.Builder
	err error
}

func (w *containerWriter) exported(e *Exported) flatbuf.Offset {
	b := w.b
	var vjp flatbuf.Offset
	if e.VJP != nil {
		vjp = w.exported(e.VJP)
	}
	var unique []ExportedAval
	indices := func(list []ExportedAval) []uint32 {
		out := make([]uint32, len(list))
		for i, a := range list {
			at := slices.IndexFunc(unique, func(u ExportedAval) bool {
				return u.DType == a.DType && u.Key == a.Key && u.Space == a.Space && slices.Equal(u.Shape, a.Shape)
			})
			if at < 0 {
				at = len(unique)
				unique = append(unique, a)
			}
			out[i] = uint32(at)
		}
		return out
	}
	in, out := indices(e.In), indices(e.Out)
	kept := make([]uint16, len(e.Kept))
	for i, k := range e.Kept {
		if k > math.MaxUint16 {
			w.err = array.ArgumentErrorf("a container holds functions of at most %d arguments", math.MaxUint16)
		}
		kept[i] = uint16(k)
	}
	flag := uint8(0)
	if e.UsesGlobalConstants {
		flag = 1
	}
	return b.Table(
		flatbuf.Uint16(cfVersion, containerVersion), flatbuf.Ref(cfName, b.String(e.Name)),
		flatbuf.Ref(cfInTree, w.tree(e.InTree)), flatbuf.Ref(cfInAvals, w.avals(e.In)),
		flatbuf.Ref(cfOutTree, w.tree(e.OutTree)), flatbuf.Ref(cfOutAvals, w.avals(e.Out)),
		flatbuf.Ref(cfInShardings, w.unsharded(len(e.In))), flatbuf.Ref(cfOutShardings, w.unsharded(len(e.Out))),
		flatbuf.Ref(cfPlatforms, w.strings(e.Platforms)),
		flatbuf.Ref(cfOrderedEffects, w.effects(e.OrderedEffects)), flatbuf.Ref(cfUnorderedEffects, w.effects(e.UnorderedEffects)),
		flatbuf.Ref(cfDisabled, w.disabled(e.Disabled)), flatbuf.Ref(cfArtifact, b.Bytes(e.Artifact)),
		flatbuf.Uint16(cfConvention, uint16(e.CallingConvention)), flatbuf.Ref(cfKept, b.Uint16s(kept)),
		flatbuf.Uint8(cfGlobalConstants, flag), flatbuf.Ref(cfVJP, vjp), flatbuf.Uint32(cfDevices, uint32(e.Devices)),
		flatbuf.Ref(cfUniqueAvals, w.avals(unique)), flatbuf.Ref(cfUniqueMeshes, b.Refs(nil)), flatbuf.Ref(cfUniqueShardings, b.Refs(nil)),
		flatbuf.Ref(cfInAvalIndices, b.Uint32s(in)), flatbuf.Ref(cfOutAvalIndices, b.Uint32s(out)),
		flatbuf.Ref(cfInShardingIndices, b.Uint32s(make([]uint32, len(in)))), flatbuf.Ref(cfOutShardingIndices, b.Uint32s(make([]uint32, len(out)))),
	)
}

func (w *containerWriter) strings(list []string) flatbuf.Offset {
	refs := make([]flatbuf.Offset, len(list))
	for i, s := range list {
		refs[i] = w.b.String(s)
	}
	return w.b.Refs(refs)
}

func (w *containerWriter) tree(t *PyTree) flatbuf.Offset {
	fields := []flatbuf.Field{flatbuf.Uint8(ctKind, uint8(t.Kind))}
	if len(t.Children) > 0 {
		refs := make([]flatbuf.Offset, len(t.Children))
		for i, c := range t.Children {
			refs[i] = w.tree(c)
		}
		fields = append(fields, flatbuf.Ref(ctChildren, w.b.Refs(refs)))
	}
	if len(t.Names) > 0 {
		fields = append(fields, flatbuf.Ref(ctNames, w.strings(t.Names)))
	}
	if t.Kind == PyCustom {
		fields = append(fields, flatbuf.Ref(ctCustom, w.b.String(t.Custom)), flatbuf.Ref(ctData, w.b.Bytes(t.Data)))
	}
	return w.b.Table(fields...)
}

func (w *containerWriter) avals(list []ExportedAval) flatbuf.Offset {
	refs := make([]flatbuf.Offset, len(list))
	for i, a := range list {
		d := slices.Index(containerDTypes, a.DType)
		if a.Key != "" {
			d = len(containerDTypes) + slices.Index(containerKeys, a.Key)
		}
		if d < 0 {
			w.err = array.DTypeErrorf("a container has no number for arrays of %s", a.DType)
			d = 0
		}
		space := a.Space
		if space == AnySpace {
			space = DeviceSpace
		}
		refs[i] = w.b.Table(flatbuf.Ref(caShape, w.strings(a.Shape)), flatbuf.Uint8(caDType, uint8(d)), flatbuf.Uint8(caSpace, uint8(space)))
	}
	return w.b.Refs(refs)
}

// unsharded says of each leaf that it may be laid out over devices in any way.
func (w *containerWriter) unsharded(n int) flatbuf.Offset {
	refs := make([]flatbuf.Offset, n)
	for i := range refs {
		refs[i] = w.b.Table()
	}
	return w.b.Refs(refs)
}

func (w *containerWriter) effects(names []string) flatbuf.Offset {
	refs := make([]flatbuf.Offset, len(names))
	for i, s := range names {
		refs[i] = w.b.Table(flatbuf.Ref(ceName, w.b.String(s)))
	}
	return w.b.Refs(refs)
}

func (w *containerWriter) disabled(checks []DisabledCheck) flatbuf.Offset {
	refs := make([]flatbuf.Offset, len(checks))
	for i, c := range checks {
		target, custom := strings.CutPrefix(string(c), string(DisabledCustomCall("")))
		if !custom {
			refs[i] = w.b.Table(flatbuf.Uint8(cdKind, checkPlatform))
			continue
		}
		refs[i] = w.b.Table(flatbuf.Uint8(cdKind, checkCustomCall), flatbuf.Ref(cdTarget, w.b.String(target)))
	}
	return w.b.Refs(refs)
}
