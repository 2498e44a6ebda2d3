// Package golden compares Pantograph with recorded results of the reference. A case (case.go) is one call of a function
// with its value, derivatives and batched results; Run (run.go) makes the same call through the public Go API, checks each
// part within the case's tolerance (compare.go), and names the first that differs. Which Go call a function of the
// reference is, the functions_*.go files say, one line each.
package golden
