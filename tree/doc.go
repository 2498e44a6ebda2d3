// Package tree works on trees: Go structs, slices, maps and pointers that hold arrays, such as the parameters of a model.
//
//	leaves, structure := tree.Flatten(params)
//	doubled := tree.Map(func(x *np.Array) *np.Array { return x.Mul(2) }, params).(Params)
//
// What is a leaf and what belongs to the structure is decided as for arguments of traced functions; package trace, which
// this one only gives a face, says how (trace.Flatten). Trees may hold traced arrays. Mistakes are panics with
// *trace.Error, as in all numerical code; trace.Try returns them.
package tree
