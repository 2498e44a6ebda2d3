package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// module is what a file holds.
type module struct {
	*hlo.Module
	file     string
	kind     string          // text, bytecode or container
	exported *lower.Exported // of a container
}

func readFile(e *env, file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(e.in)
	}
	return os.ReadFile(file)
}

// read reads a module of any form; what it is is told by its content, not by its name.
func read(e *env, file string) (*module, error) {
	data, err := readFile(e, file)
	if err != nil {
		return nil, err
	}
	m := &module{file: file, kind: "text"}
	switch {
	case hlo.IsBytecode(data):
		m.kind = "bytecode"
		m.Module, err = hlo.ReadBytecode(data)
	case bytes.IndexByte(data, 0) >= 0:
		m.kind = "container"
		if m.exported, err = lower.Import(data); err == nil {
			m.Module, err = m.exported.Module()
		}
	default:
		m.Module, err = hlo.Parse(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// verified is read with the checks of the specification.
func verified(e *env, file string) (*module, error) {
	m, err := read(e, file)
	if err == nil {
		if err = hlo.Verify(m.Module); err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}
	return m, err
}

// write puts data into a file, or to standard output for - and an empty name.
func write(e *env, file string, data []byte) error {
	if file == "" || file == "-" {
		_, err := e.out.Write(data)
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
