package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

const ffiFile = "../../../shared/spec/ffi_cases.jsonl"

// Every case of foreign calls holds; what is skipped needs sharding, dynamic shapes or the container of exported programs.
func TestFFICases(t *testing.T) {
	if _, err := os.Stat(ffiFile); err != nil {
		t.Skip("the case file ../shared/spec/ffi_cases.jsonl is not here")
	}
	var out, errs bytes.Buffer
	if code := run([]string{"-suite", "ffi", "-v", ffiFile}, &out, &errs); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var passed, failed, left, other int
	if _, err := fmt.Sscanf(lines[len(lines)-1], "%d passed, %d failed, %d skipped", &passed, &failed, &left); err != nil || passed < 347 {
		t.Errorf("%s", lines[len(lines)-1])
	}
	for _, l := range lines[:len(lines)-1] {
		var n int
		var reason string
		if fmt.Sscanf(l, "skipped %d: %s", &n, &reason); reason != "sharding" && reason != "dynamic" && reason != "the" {
			other += n
		}
	}
	if other > 0 {
		t.Errorf("skipped for other reasons:\n%s", &out)
	}
}
