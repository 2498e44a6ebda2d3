package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers lists the packages, lowest first; a package imports packages of earlier lines only. A package below a listed
// one (examples/digits) has its place. A new package takes its place here and in docs/architecture.md first.
const layers = `
array internal/debug internal/goroutine
lower/hlo internal/dl internal/callframe internal/elementary internal/flatbuf
primitive backend
internal/lapack
trace backend/cpu backend/pjrt internal/ffihost
vmap backend/cuda
vjp
flow
lower
ffi_call
jit
np
linalg fft
random special
nn opt debug tree safetensors
stats
internal/golden internal/pages
cmd examples internal/verify internal/bench
`

const (
	module = "github.com/pantograph-go/pantograph"
	root   = "../.."
)

// place finds the listed package that a package belongs to, and its line.
func place(pkg string) (listed string, layer int) {
	for i, line := range strings.Split(strings.TrimSpace(layers), "\n") {
		for _, name := range strings.Fields(line) {
			if (pkg == name || strings.HasPrefix(pkg, name+"/")) && len(name) > len(listed) {
				listed, layer = name, i+1
			}
		}
	}
	return listed, layer
}

// sources maps each package's folder to its Go files, tests apart, for all platforms.
func sources(t *testing.T) map[string][]string {
	files := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
				return filepath.SkipDir // a nested module
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			dir, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			dir = filepath.ToSlash(dir)
			files[dir] = append(files[dir], path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestImportsPointDown(t *testing.T) {
	fset := token.NewFileSet()
	for pkg, files := range sources(t) {
		if pkg == "internal/house" {
			continue
		}
		from, layer := place(pkg)
		if from == "" && pkg != "." {
			t.Errorf("%s has no place in the layers", pkg)
			continue
		}
		for _, file := range files {
			f, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly)
			if err != nil {
				t.Error(err)
				continue
			}
			for _, spec := range f.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if path == "C" {
					t.Errorf("%s: cgo is not used", fset.Position(spec.Pos()))
				}
				imported, ok := strings.CutPrefix(path, module+"/")
				if !ok {
					continue
				}
				to, below := place(imported)
				if to != from && below >= layer || pkg == "." {
					t.Errorf("%s: %s (layer %d) imports %s (layer %d)", fset.Position(spec.Pos()), pkg, layer, imported, below)
				}
			}
		}
	}
}

func TestDiagramShowsTheLayers(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "<!-- layers -->\n```\n")
	diagram, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("docs/architecture.md has no fenced block after <!-- layers -->")
	}
	if diagram != strings.TrimPrefix(layers, "\n") {
		t.Errorf("docs/architecture.md shows other layers than layers_test.go:\n%s", diagram)
	}
}
