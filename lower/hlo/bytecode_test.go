package hlo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bytecodeFiles lists the bytecode under a folder of the corpora with the text beside each.
func bytecodeFiles(t testing.TB, dir string) [][2]string {
	var out [][2]string
	for _, text := range corpusFiles(t, dir) {
		for _, binary := range []string{text + ".bc", filepath.Join(filepath.Dir(text), "module.bin")} {
			if _, err := os.Stat(binary); err == nil {
				out = append(out, [2]string{binary, text})
			}
		}
	}
	return out
}

// TestReadBytecode reads every portable artifact of the corpora, and verifies it; what stands beside it as text is equal but
// for defaults, where the two are of one module.
func TestReadBytecode(t *testing.T) {
	for _, dir := range []string{"vhlo", "backcompat", "backcompat_containers", "programs"} {
		t.Run(dir, func(t *testing.T) {
			for _, files := range bytecodeFiles(t, dir) {
				name := strings.TrimPrefix(files[0], corpus+"/")
				data, err := os.ReadFile(files[0])
				if err != nil {
					t.Fatal(err)
				}
				m, err := ReadBytecode(data)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if err := Verify(m); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if dir == "programs" { // the artifact was simplified
					continue
				}
				text, err := os.ReadFile(files[1])
				if err != nil {
					t.Fatal(err)
				}
				want, err := Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				DropDefaults(want)
				if err := Equal(m, want); err != nil {
					t.Errorf("%s: against the text: %v", name, err)
				}
			}
		})
	}
}

// TestHostileBytecode flips each byte of a file, cuts it everywhere, and expects an error or a module, in time.
func TestHostileBytecode(t *testing.T) {
	for _, name := range []string{"backcompat/cpu_cholesky_lapack_potrf__data_2024_05_31_f32/module.bin",
		"backcompat_containers/export_with_specified_sharding__v11/module.bin", "vhlo/stablehlo_legalize_to_vhlo.0_10_0.mlir.bc"} {
		data, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Skipf("the corpora of ../shared/conformance are not here: %v", err)
		}
		step := 1 + len(data)/1500*(len(data)/1500) // the longer a file, the fewer of its bytes
		for i := 0; i < len(data); i += step {
			if _, err := ReadBytecode(data[:i]); err == nil {
				t.Errorf("%s: cut at %d it is read", name, i)
			}
			for _, bits := range []byte{1, 2, 0x80, 0xFF} {
				bad := append([]byte(nil), data...)
				bad[i] ^= bits
				if m, err := ReadBytecode(bad); err == nil {
					_ = Verify(m)
				}
			}
		}
	}
}

// TestWriteBytecode writes every module of the corpora and reads it back into an equal one, but for defaults.
func TestWriteBytecode(t *testing.T) {
	refused := map[string]int{}
	for _, dir := range accepted {
		t.Run(dir, func(t *testing.T) {
			for _, file := range corpusFiles(t, dir) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name := strings.TrimPrefix(file, corpus+"/")
				ms, err := ParseAll(src)
				if err != nil {
					t.Fatal(err)
				}
				for i, m := range ms {
					data, err := WriteBytecode(m, CurrentVersion)
					if err != nil {
						refused[err.Error()]++
						continue
					}
					back, err := ReadBytecode(data)
					if err != nil {
						t.Errorf("%s#%d: %v", name, i, err)
						continue
					}
					DropDefaults(m)
					if err := Equal(m, back); err != nil {
						t.Errorf("%s#%d: %v", name, i, err)
					}
				}
			}
		})
	}
	for reason, n := range refused {
		t.Logf("refused %d: %s", n, reason)
	}
}
