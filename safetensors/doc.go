// Package safetensors saves and loads trees of arrays in the safetensors format of Hugging Face, which most machine
// learning libraries read: a JSON table of names, dtypes, shapes and offsets, then the raw little-endian data.
//
//	err := safetensors.SaveFile("weights.safetensors", params)
//	var params Params
//	err := safetensors.LoadFile("weights.safetensors", &params)
//
// The names of a tree's arrays are the dotted paths to them: layers.0.W. Write and Read work on plain maps of arrays
// (format.go); Save and Load on Go values (names.go). Nothing in a file is trusted: sizes and offsets are checked before
// memory is taken.
package safetensors
