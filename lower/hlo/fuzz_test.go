package hlo

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse reads arbitrary text: it must be refused with an error or read into a module that the printer writes back
// and the verifier judges without a panic.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.mlir")
	for _, dir := range []string{"valid", "invalid"} { // where the corpora are here
		more, _ := filepath.Glob(filepath.Join(corpus, dir, "*.mlir"))
		files = append(files, more...)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	for _, s := range syntaxErrors {
		f.Add(s.text)
	}
	for _, s := range violations {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, src string) {
		ms, err := ParseAll(src)
		if err != nil {
			_ = err.Error()
			return
		}
		for _, m := range ms {
			_ = Verify(m)
			for _, o := range []Options{{}, {Generic: true}, {Locations: true}} {
				text := o.Format(m)
				back, err := Parse(text)
				if err != nil {
					t.Fatalf("printed with %+v:\n%s\n%v", o, text, err)
				}
				if err := Equal(m, back); err != nil {
					t.Fatalf("printed with %+v:\n%s\n%v", o, text, err)
				}
			}
		}
	})
}

// FuzzReadBytecode reads arbitrary bytes: they must be refused with an error or read into a module that the printer writes, and
// that is stored and read again where it is right.
func FuzzReadBytecode(f *testing.F) {
	for _, dir := range []string{"vhlo", "backcompat", "backcompat_containers"} {
		for _, pattern := range []string{"*/module.bin", "*.bc"} {
			files, _ := filepath.Glob(filepath.Join(corpus, dir, pattern))
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					f.Fatal(err)
				}
				if len(data) < 1<<13 {
					f.Add(data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadBytecode(data)
		if err != nil {
			_ = err.Error()
			return
		}
		_ = m.String()
		if Verify(m) != nil {
			return
		}
		stored, err := WriteBytecode(m, CurrentVersion)
		if err != nil {
			return
		}
		back, err := ReadBytecode(stored)
		if err != nil {
			t.Fatalf("%s\nwhat was written is not read: %v", m, err)
		}
		DropDefaults(m)
		if err := Equal(m, back); err != nil {
			t.Fatalf("%s\nis read back as another module: %v", m, err)
		}
	})
}
