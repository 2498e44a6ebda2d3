package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/golden"
	"github.com/pantograph-go/pantograph/jit"
)

// goldenCases finds the recorded calls in a file or folder of .jsonl files. They are named file#id.
func goldenCases(path string) (cases []testcase, err error) {
	err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".jsonl" {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		return golden.Read(f, func(c *golden.Case) bool {
			cases = append(cases, testcase{filepath.Base(file) + "#" + c.ID, func(_ context.Context, engine backend.Backend) error {
				jit.SetDefault(engine)
				err := golden.Run(c)
				var skip *golden.Skipped
				if errors.As(err, &skip) {
					return &skipped{skip.Reason}
				}
				return err
			}})
			return true
		})
	})
	return cases, err
}
