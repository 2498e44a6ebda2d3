// Package house holds the tests of the house's order: which package may import which, that each says what it is for, and
// that the module stays small. The list of layers is in layers_test.go and, for readers, in docs/architecture.md; the
// tests keep the two equal and hold the real imports against them.
package house
