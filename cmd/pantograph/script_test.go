package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestScripts runs the scripts of testdata. A script is lines, then files behind lines `-- NAME --`. A line `> ARGS` runs the
// command in a folder with the files; what follows is its standard output, `! TEXT` a part of standard error, and `= N` the
// exit code where it is not 0. A line `< FILE` before a command makes the file its standard input.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			script(t, string(text))
		})
	}
}

func script(t *testing.T, text string) {
	var lines []string
	var name string
	content := map[string]*strings.Builder{}
	for line := range strings.Lines(text) {
		if n, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(n, " --\n") {
			name = strings.TrimSuffix(n, " --\n")
			content[name] = &strings.Builder{}
		} else if name != "" {
			content[name].WriteString(line)
		} else {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	for name, b := range content {
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	input := ""
	for i := 0; i < len(lines); i++ {
		if in, ok := strings.CutPrefix(lines[i], "< "); ok {
			input = in
			continue
		}
		args, ok := strings.CutPrefix(lines[i], "> ")
		if !ok {
			continue
		}
		number := i + 1
		var want, diagnostics []string
		code := 0
		for i+1 < len(lines) && !strings.HasPrefix(lines[i+1], "> ") && !strings.HasPrefix(lines[i+1], "< ") && !strings.HasPrefix(lines[i+1], "#") {
			i++
			switch line := lines[i]; {
			case strings.HasPrefix(line, "! "):
				diagnostics = append(diagnostics, line[2:])
			case strings.HasPrefix(line, "= "):
				code, _ = strconv.Atoi(line[2:])
			case line != "" || len(want) > 0:
				want = append(want, strings.TrimPrefix(line, "\\"))
			}
		}
		var in []byte
		if input != "" {
			var err error
			if in, err = os.ReadFile(input); err != nil {
				t.Fatal(err)
			}
			input = ""
		}
		var out, errs bytes.Buffer
		got := run(strings.Fields(args), &env{bytes.NewReader(in), &out, &errs})
		if got != code {
			t.Errorf("line %d: %s: exit code %d, want %d; it says\n%s", number, args, got, code, errs.String())
		}
		if g, w := strings.TrimSpace(out.String()), strings.TrimSpace(strings.Join(want, "\n")); g != w {
			t.Errorf("line %d: %s: prints\n%s\nwant\n%s", number, args, g, w)
		}
		for _, d := range diagnostics {
			if !strings.Contains(errs.String(), d) {
				t.Errorf("line %d: %s: says\n%s\nwant %q in it", number, args, errs.String(), d)
			}
		}
	}
}
