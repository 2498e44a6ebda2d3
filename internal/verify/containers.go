package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower"
)

// containerCases finds the folders of whole containers of jax.export: container.bin, the module.bin and module.mlir in it, and
// what its header says in meta.json.
func containerCases(path string) ([]testcase, error) {
	var cases []testcase
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "container.bin" {
			return err
		}
		dir := filepath.Dir(file)
		cases = append(cases, testcase{filepath.ToSlash(dir), func(context.Context, backend.Backend) error { return checkContainer(dir) }})
		return nil
	})
	return cases, err
}

func checkContainer(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "container.bin"))
	if err != nil {
		return err
	}
	e, err := lower.Import(data)
	if err != nil {
		return err
	}
	if err := checkHeader(e, filepath.Join(dir, "meta.json")); err != nil {
		return err
	}
	artifact, err := os.ReadFile(filepath.Join(dir, "module.bin"))
	if err != nil {
		return err
	}
	if !bytes.Equal(e.Artifact, artifact) {
		return fmt.Errorf("the module has %d bytes, want the %d of module.bin", len(e.Artifact), len(artifact))
	}
	m, err := e.Module()
	if err != nil {
		return err
	}
	text, err := readModule(filepath.Join(dir, "module.mlir"))
	if err != nil {
		return err
	}
	if err := sameModule(m, text); err != nil {
		return err
	}
	if data, err = e.Serialize(); err != nil {
		return err
	}
	again, err := lower.Import(data)
	if err != nil {
		return fmt.Errorf("written and read again: %w", err)
	}
	return checkHeader(again, filepath.Join(dir, "meta.json"))
}

// checkHeader compares what the container says of the function with what the reference read.
func checkHeader(e *lower.Exported, file string) error {
	var meta struct {
		Name       string   `json:"fun_name"`
		Platforms  []string `json:"platforms"`
		Devices    int      `json:"nr_devices"`
		Convention int      `json:"calling_convention_version"`
		In         []string `json:"in_avals"`
		Out        []string `json:"out_avals"`
	}
	if err := readJSON(file, &meta); err != nil {
		return err
	}
	in, out := avalNames(e.In), avalNames(e.Out)
	if e.Name != meta.Name || !slices.Equal(e.Platforms, meta.Platforms) || e.Devices != meta.Devices || e.CallingConvention != meta.Convention ||
		!slices.Equal(in, meta.In) || !slices.Equal(out, meta.Out) {
		return fmt.Errorf("the header says %s%v -> %v for %v on %d devices, convention %d; want %+v", e.Name, in, out, e.Platforms, e.Devices,
			e.CallingConvention, meta)
	}
	return nil
}

// avalNames spells avals as the reference does, without where they are.
func avalNames(list []lower.ExportedAval) []string {
	out := make([]string, len(list))
	for i, a := range list {
		if out[i] = a.String(); a.Space == lower.HostSpace {
			open := strings.IndexByte(out[i], '[')
			out[i] = out[i][:open] + "<host>" + out[i][open:]
		}
	}
	return out
}
