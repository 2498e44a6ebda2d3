package debug

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	s, err := Parse("backend=pjrt:cpu, pjrt.cpu=/p/x.so,pjrt.python=off,cpu=avx2,opt=0,threads=3,log=info+cpu:debug," +
		"dump=/d,off=cse+fold,time,check=on,nojit,nans=off,trace=t.json,traceback=full,pjrt.cuda=c.so")
	if err != nil {
		t.Fatal(err)
	}
	if s.Backend != "pjrt:cpu" || s.PluginFile("cpu") != "/p/x.so" || s.PluginFile("cuda") != "c.so" || s.PluginFile("tpu") != "" ||
		s.PJRTPython || s.CPU != "avx2" || s.Opt != 0 || s.Threads != 3 || s.Dump != "/d" || !s.Time || !s.Check || !s.NoJIT ||
		s.NaNs || s.Trace != "t.json" || !s.FullTraceback {
		t.Errorf("got %+v", s)
	}
	if !s.Off("cse") || !s.Off("fold") || s.Off("dce") || !slices.Equal(s.OffPasses(), []string{"cse", "fold"}) {
		t.Errorf("off: got %v", s.OffPasses())
	}
	if s.Level("jit") != slog.LevelInfo || s.Level("cpu") != slog.LevelDebug {
		t.Errorf("levels: jit %v, cpu %v", s.Level("jit"), s.Level("cpu"))
	}
	if v, ok := s.Given("threads"); !ok || v != "3" {
		t.Errorf("Given(threads) = %q, %v", v, ok)
	}
}

func TestDefaults(t *testing.T) {
	s, err := Parse("")
	if err != nil {
		t.Fatal(err)
	}
	if s.Backend != "" || !s.PJRTPython || s.Opt != 2 || s.Threads != 0 || s.Check || s.Level("jit") != slog.LevelWarn {
		t.Errorf("got %+v", s)
	}
	if _, ok := s.Given("opt"); ok {
		t.Error("opt counts as given")
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"unknown", "bakend=cpu", `unknown key "bakend" (known: backend, pjrt.cpu,`},
		{"two unknown", "a,b=1", `unknown key "a"; unknown key "b" (known:`},
		{"number", "opt=3", "opt=3: want a number from 0 to 2"},
		{"not a number", "threads=x", "threads=x: want a number from 1 to"},
		{"choice", "cpu=sse", "cpu=sse: want interp or static or avx2 or avx512"},
		{"backend", "backend=pjrt:", "backend=pjrt:: want cpu, cuda, pjrt:PLATFORM or help"},
		{"path", "dump", "dump: want a path"},
		{"no value", "off", "off: want off=PASS"},
		{"switch", "check=maybe", "check=maybe: want on or off"},
		{"level", "log=loud", "log=loud: want debug, info, warn or error"},
		{"mode", "traceback=long", "traceback=long: want full"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.in + ",nans")
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "PANTOGRAPH: ") {
				t.Errorf("got %v, want …%s…", err, tt.want)
			}
			if !s.NaNs {
				t.Error("the good key was lost")
			}
		})
	}
}

func TestOverrideAndLogger(t *testing.T) {
	log := Logger("jit")
	s, _ := Parse("log=jit:info,check")
	restore := Override(s)
	if !Current().Check || !log.Enabled(t.Context(), slog.LevelInfo) || log.Enabled(t.Context(), slog.LevelDebug) {
		t.Error("the override is not in force")
	}
	restore()
	if _, given := Current().Given("check"); given && os.Getenv(Variable) == "" {
		t.Error("the override outlives restore")
	}
}

func TestDump(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	restore := Override(&Settings{Dump: dir})
	defer restore()
	for _, program := range []string{"step", "jit(a/b)"} {
		if err := Dump(program, "jaxpr.txt", func() string { return program }); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 2 || !strings.HasSuffix(files[0], ".step.jaxpr.txt") || !strings.HasSuffix(files[1], ".jit(a_b).jaxpr.txt") {
		t.Errorf("got %v, %v", files, err)
	}
	if text, _ := os.ReadFile(files[1]); string(text) != "jit(a/b)" {
		t.Errorf("got %q", text)
	}
	Override(&Settings{})
	if err := Dump("step", "jaxpr.txt", func() string { t.Error("the text was made without the key"); return "" }); err != nil {
		t.Error(err)
	}
}

var update = flag.Bool("update", false, "rewrite the table in the documentation")

// The table of docs/reference/env-and-flags.md is made from the list of keys.
func TestDocumentation(t *testing.T) {
	const file, begin, end = "../../docs/reference/env-and-flags.md", "<!-- keys -->\n", "<!-- end of keys -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s lacks the marks %q and %q", file, begin, end)
	}
	var table strings.Builder
	table.WriteString("\n| key | values | without it | what it does |\n| --- | --- | --- | --- |\n")
	for _, k := range Keys() {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", k.Name, k.Values, k.Default, k.Doc)
	}
	table.WriteString("\n")
	if old == table.String() {
		return
	}
	if !*update {
		t.Fatalf("%s does not list the keys as they are; run go test ./internal/debug -update", file)
	}
	if err := os.WriteFile(file, []byte(head+begin+table.String()+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}
