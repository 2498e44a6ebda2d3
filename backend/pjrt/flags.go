package pjrt

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// FlagError: XLA_FLAGS holds a flag that the plugin does not know. XLA would end the process when it reads it, so the
// plugin is not loaded.
//
//	XLA_FLAGS has --xla_cpu_fast, which this plugin does not know
type FlagError struct{ Flag string }

func (e *FlagError) Error() string {
	return fmt.Sprintf("XLA_FLAGS has %s, which this plugin does not know; XLA ends the process for it", e.Flag)
}

// checkFlags looks for each flag's name among the strings of the plugin's file: there is no function to ask. A value that
// cannot be parsed is not noticed. XLA_FLAGS that names a file is left alone.
func checkFlags(file, flags string) error {
	names := strings.Fields(flags)
	if len(names) == 0 || !strings.HasPrefix(names[0], "-") {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, f := range names {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if !bytes.Contains(text, append([]byte(name), 0)) {
			return &FlagError{f}
		}
	}
	return nil
}
