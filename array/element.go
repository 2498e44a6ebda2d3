package array

// Element access by number: slow and general, for tests, printing, parsing and the reference paths. Kernels use View.

// SetFloat stores v, rounded once to the buffer's type; bool becomes v != 0, complex gets a zero imaginary part,
// integers saturate and take NaN as 0.
func (b *Buffer) SetFloat(i int, v float64) { panic("element.go is being written") }
