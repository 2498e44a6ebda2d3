//go:build !((linux || darwin) && !android && !ios && (amd64 || arm64))

package dl

import "unsafe"

// Supported tells that libraries can be opened on this platform.
const Supported = false

func open(string) (uintptr, string) { return 0, unsupported }

func symbol(uintptr, string) (uintptr, string) { return 0, unsupported }

// Call panics: without Open there is no function to call.
func Call(uintptr, unsafe.Pointer) uintptr { panic("dl: " + unsupported) }

// CallN panics: without Open there is no function to call.
func CallN(uintptr, ...uintptr) uintptr { panic("dl: " + unsupported) }

// Callback panics: without Open there is nothing that could call back.
func Callback(any) uintptr { panic("dl: " + unsupported) }
