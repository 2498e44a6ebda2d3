package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// PlatformDependent applies the function that belongs to the platform the program is compiled for: branches maps names
// of platforms (cpu, cuda, rocm, tpu) to functions, otherwise is for all others, nil for none. All are traced and must
// return the same types, see Cond; only the one that is chosen is compiled.
func PlatformDependent(branches map[string]any, otherwise any, args ...any) (result any) {
	try("flow.PlatformDependent", func() (err error) {
		if len(branches) == 0 {
			return array.ArgumentErrorf("there are no platforms")
		}
		names := slices.Sorted(maps.Keys(branches))
		fs := make([]any, 0, len(names)+1)
		for _, n := range names {
			fs = append(fs, branches[n])
		}
		if otherwise != nil {
			fs = append(fs, otherwise)
		}
		index := primitive.Bind(PlatformIndexP{strings.Join(names, ","), otherwise != nil})
		result, err = branch(index, fs, 0, args)
		return err
	})
	return result
}

// PlatformIndexP is the place of the platform that the program is compiled for in a list of names, the place behind
// the last where there is a default and the platform is not in the list.
//
//	→ int32[]
type PlatformIndexP struct {
	Platforms  string // names separated by commas
	HasDefault bool
}

// Name implements primitive.Primitive.
func (PlatformIndexP) Name() string { return "platform_index" }

// Shape implements primitive.Primitive.
func (PlatformIndexP) Shape([]array.Aval) ([]array.Aval, error) {
	return []array.Aval{{Shape: array.Shape{}, DType: array.Int32}}, nil
}

// Lower implements primitive.Lowerable.
func (p PlatformIndexP) Lower(b *hlo.Builder, _ []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	names := strings.Split(p.Platforms, ",")
	i := slices.Index(names, b.Platform)
	if i < 0 && !p.HasDefault {
		return nil, array.ArgumentErrorf("there is no branch for the platform %s, only for %s; add one, or a function for all others", b.Platform, p.Platforms)
	}
	if i < 0 {
		i = len(names)
	}
	return []*hlo.Value{b.Splat(out[0], float64(i))}, nil
}

// constantIndex is the number that a lowered scalar is known to be.
func constantIndex(v *hlo.Value) (int, bool) {
	if v.Def == nil || v.Def.Name != "stablehlo.constant" {
		return 0, false
	}
	d, ok := v.Def.Attr("value").(*hlo.Dense)
	if !ok || d.Data.Len() != 1 {
		return 0, false
	}
	return int(d.Data.Int(0)), true
}
