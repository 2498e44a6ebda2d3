package house

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
)

// drawers are names of packages that would collect what has no subject.
var drawers = map[string]bool{"util": true, "utils": true, "common": true, "helper": true, "helpers": true, "misc": true, "base": true}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	fset := token.NewFileSet()
	for pkg, files := range sources(t) {
		if drawers[path.Base(pkg)] {
			t.Errorf("%s: name a package for its subject", pkg)
		}
		commented := false
		for _, file := range files {
			f, err := parser.ParseFile(fset, file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Error(err)
				continue
			}
			commented = commented || f.Doc != nil && len(f.Doc.Text()) > 40
		}
		if !commented {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

func TestModuleIsSmall(t *testing.T) {
	out := run(t, nil, "mod", "graph")
	if n := strings.Count(out, "\n"); n >= 60 {
		t.Errorf("go mod graph has %d lines, want fewer than 60", n)
	}
}

// TestNoCgo looks for import "C"; .ci/run builds everything with cgo off besides.
func TestNoCgo(t *testing.T) {
	if out := run(t, []string{"CGO_ENABLED=1"}, "list", "-f", "{{range .CgoFiles}}{{$.ImportPath}}/{{.}} {{end}}", "./..."); strings.TrimSpace(out) != "" {
		t.Errorf("files with import \"C\": %s", out)
	}
}

func run(t *testing.T, env []string, args ...string) string {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		detail := ""
		if e, ok := err.(*exec.ExitError); ok {
			detail = string(e.Stderr)
		}
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, detail)
	}
	return string(out)
}
