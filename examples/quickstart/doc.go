// Package quickstart is the first page of the README as programs: small examples that the tests run and whose output they
// compare. Read example_test.go, or docs/quickstart.md for the same with words.
package quickstart
