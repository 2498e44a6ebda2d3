package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// TestPages runs the Go code of every page and notebook and compares what it prints with what the page shows.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: each page is compiled and run as a program")
	}
	var files []string
	for _, dir := range []string{"README.md", "docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".ipynb")) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		find := Markdown
		if strings.HasSuffix(file, ".ipynb") {
			find = Notebook
		}
		blocks, err := find(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			if err := Run(root, blocks); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		})
	}
}

func TestDifferencesAreFound(t *testing.T) {
	blocks, err := Markdown([]byte("```go\nfmt.Println(1 + 1)\n```\n```output\n3\n```\n"))
	if err != nil || len(blocks) != 1 {
		t.Fatal(blocks, err)
	}
	if err := Run(root, blocks); err == nil || !strings.Contains(err.Error(), "block 1") {
		t.Errorf("a wrong output: %v", err)
	}
	if _, err := Markdown([]byte("```go\nfmt.Println(1)\n")); err == nil {
		t.Error("an open fence is accepted")
	}
}
