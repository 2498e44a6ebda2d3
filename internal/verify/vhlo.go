package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// vhloCases finds portable artifacts NAME.mlir.bc with the text NAME.mlir that they stand for.
func vhloCases(path string) ([]testcase, error) {
	var cases []testcase
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".mlir.bc") {
			return err
		}
		cases = append(cases, testcase{filepath.ToSlash(file), func(context.Context, backend.Backend) error {
			return checkArtifact(file, strings.TrimSuffix(file, ".bc"))
		}})
		return nil
	})
	return cases, err
}

// checkArtifact reads an artifact, compares it with the text, and writes and reads it again.
func checkArtifact(file, textFile string) error {
	m, err := readModule(file)
	if err != nil {
		return err
	}
	text, err := readModule(textFile)
	if err != nil {
		return err
	}
	return sameModule(m, text)
}

// sameModule compares a module that was stored with what it was stored from: attributes that say what their absence says are
// not stored.
func sameModule(stored, text *hlo.Module) error {
	hlo.DropDefaults(text)
	return hlo.Equal(stored, text)
}

// readModule reads text or bytecode and verifies it.
func readModule(file string) (*hlo.Module, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parse := hlo.Parse[[]byte]
	if hlo.IsBytecode(data) {
		parse = hlo.ReadBytecode
	}
	m, err := parse(data)
	if err != nil {
		return nil, err
	}
	return m, hlo.Verify(m)
}
