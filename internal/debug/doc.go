// Package debug reads the one environment variable of Pantograph, PANTOGRAPH=key=value,key=value, as GODEBUG does it
// for Go: parsed once, here and nowhere else.
//
//	PANTOGRAPH=backend=pjrt:cpu,check,dump=/tmp/d,off=cse+fold go run .
//
// Current returns the settings as a struct with a typed field for each key; packages read the field that concerns them
// when they start something, not in inner loops. A key that is unknown or a value that cannot be meant does not stop the
// program: the first Current logs one warning that names it and what is known, and Err returns the same text. Keys lists
// what there is, for a doctor command and for docs/reference/env-and-flags.md, which a test compares with it.
package debug
