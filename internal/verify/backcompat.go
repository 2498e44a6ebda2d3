package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// backcompatCases finds the folders of exported modules of earlier years: module.bin, module.mlir, inputs, results and how
// these may be compared.
func backcompatCases(path string) ([]testcase, error) {
	var cases []testcase
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "module.bin" {
			return err
		}
		dir := filepath.Dir(file)
		cases = append(cases, testcase{filepath.ToSlash(dir), func(ctx context.Context, engine backend.Backend) error {
			return checkBackcompat(ctx, engine, dir)
		}})
		return nil
	})
	return cases, err
}

// checkBackcompat reads the artifact, compares it with its text, and runs it where the engine has its platform.
func checkBackcompat(ctx context.Context, engine backend.Backend, dir string) error {
	m, err := readModule(filepath.Join(dir, "module.bin"))
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
	var meta struct {
		Platform string   `json:"platform"`
		Targets  []string `json:"custom_call_targets"`
		Compare  string   `json:"compare"`
	}
	if err := readJSON(filepath.Join(dir, "meta.json"), &meta); err != nil {
		return err
	}
	if platform := engine.Platform(); platform != meta.Platform {
		return &skipped{"parsed and equal to the text; run on " + meta.Platform + " only: " + strings.Join(meta.Targets, " ")}
	}
	inputs, err := readArrays(filepath.Join(dir, "inputs.json"))
	if err != nil {
		return err
	}
	expected, err := readArrays(filepath.Join(dir, "expected.json"))
	if err != nil {
		return err
	}
	got, err := runMain(ctx, engine, m, filepath.Base(dir), inputs)
	if err != nil {
		return err
	}
	if len(got) != len(expected) {
		return fmt.Errorf("%d results, want %d", len(got), len(expected))
	}
	for _, e := range equations {
		if strings.HasPrefix(meta.Compare, e.begins) {
			a, err := factorised(ctx, engine, m, inputs)
			if err != nil {
				return err
			}
			return e.judge(a, got, expected)
		}
	}
	for i := range got {
		compare := relative(closely(got[i].DType()))
		if !got[i].DType().IsInexact() {
			compare = equal
		}
		if err := compare(got[i], expected[i]); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// closely is the difference, relative to the largest number, that results of LAPACK may have.
func closely(d array.DType) float64 {
	if d == array.Float64 || d == array.Complex128 {
		return 1e-12
	}
	return 2e-5
}
