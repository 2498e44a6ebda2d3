package hlo

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python is an interpreter that has JAX: PANTOGRAPH_PYTHON, that of the virtual environment, or python3. The test is
// skipped where there is none.
func python(t *testing.T) string {
	candidates := []string{os.Getenv("PANTOGRAPH_PYTHON"), "python3"}
	if venv := os.Getenv("VIRTUAL_ENV"); venv != "" {
		candidates = append([]string{filepath.Join(venv, "bin", "python")}, candidates...)
	}
	for _, p := range candidates {
		if p != "" && exec.Command(p, "-c", "import jax").Run() == nil {
			return p
		}
	}
	t.Skip("JAX is not installed: PANTOGRAPH_PYTHON names an interpreter that has it")
	return ""
}

// reference reads pairs of files NAME.bc and NAME.mlir: the first is deserialized, the second parsed, serialized for the
// same version and deserialized, and both are printed.
const reference = `
import os, sys
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir
from jax._src.lib.mlir.dialects import hlo as stablehlo
print("version", stablehlo.get_current_version(), flush=True)
for line in sys.stdin:
    name, target = line.split()
    try:
        with mlir.make_ir_context() as ctx, ir.Location.unknown():
            if not os.path.exists(name + ".bc"):
                want = ir.Module.parse(open(name + ".mlir").read())
                try:
                    stablehlo.serialize_portable_artifact(want, target, allow_other_dialects=True)
                    print("writes", name, flush=True)
                except Exception as e:
                    print("refused", name, flush=True)
                continue
            # first, for it loads the dialect of quantized types
            got = stablehlo.deserialize_portable_artifact(ctx, open(name + ".bc", "rb").read())
            want = ir.Module.parse(open(name + ".mlir").read())
            try:
                data = stablehlo.serialize_portable_artifact(want, target, allow_other_dialects=True)
            except Exception as e:
                print("refused", name, str(e).split("\n")[0][:200], flush=True)
                continue
            want = stablehlo.deserialize_portable_artifact(ctx, data)
            if not got.operation.verify():
                print("invalid", name, flush=True)
            elif str(got) != str(want):
                a, b = str(got).split("\n"), str(want).split("\n")
                i = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), -1)
                print("differs", name, a[i][:300], "|", b[i][:300], flush=True)
            else:
                print("same", name, len(data), os.path.getsize(name + ".bc"), flush=True)
    except Exception as e:
        print("error", name, str(e).replace("\n", " ")[:400], flush=True)
`

// TestReferenceReadsBytecode has the reference read what is written here for several versions, and compares it with the same
// module as the reference itself stores it.
func TestReferenceReadsBytecode(t *testing.T) {
	interpreter := python(t)
	dir := t.TempDir()
	cmd := exec.Command(interpreter, "-c", reference)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	newest, err := ParseVersion(strings.TrimPrefix(lines.Text(), "version "))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	check := func(name string, m *Module, target Version) {
		data, refusal := WriteBytecode(m, target)
		file := filepath.Join(dir, fmt.Sprint(counts["sent"]))
		counts["sent"]++
		if refusal == nil {
			if err := os.WriteFile(file+".bc", data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file+".mlir", []byte(m.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(in, file, target)
		if !lines.Scan() {
			t.Fatalf("%s: the reference came down", name)
		}
		verdict, detail, _ := strings.Cut(lines.Text(), " ")
		counts[verdict]++
		switch {
		case refusal != nil && verdict == "writes":
			t.Logf("%s for %s: the reference writes it, here: %v", name, target, refusal)
		case verdict != "same" && refusal == nil:
			t.Errorf("%s for %s: %s %s", name, target, verdict, detail)
		}
		_ = os.Remove(file + ".bc")
		_ = os.Remove(file + ".mlir")
	}
	for _, folder := range []string{"vhlo", "programs", "backcompat", "backcompat_containers", "valid", "testdata"} {
		for i, file := range corpusFiles(t, folder) {
			if folder == "testdata" && i%20 != 0 {
				continue
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			ms, err := ParseAll(src)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range ms {
				targets := []Version{newest}
				if folder == "vhlo" || i%10 == 0 {
					targets = append(targets, Version{0, 9, 0}, Version{0, 13, 0}, Version{1, 0, 0}, Version{1, 8, 0}, Version{1, 11, 0})
				}
				for _, target := range targets {
					check(strings.TrimPrefix(file, corpus+"/"), m, target)
				}
			}
		}
	}
	in.Close()
	_ = cmd.Wait()
	t.Log(counts)
}
