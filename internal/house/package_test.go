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
