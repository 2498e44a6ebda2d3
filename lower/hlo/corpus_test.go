package hlo

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The corpora of ../shared/conformance.
const corpus = "../../../shared/conformance"

// corpusFiles lists the .mlir files under a folder of the corpora, and skips the test where there are none.
func corpusFiles(t testing.TB, dir string) []string {
	var files []string
	err := filepath.WalkDir(filepath.Join(corpus, dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".mlir") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Skipf("the corpora of ../shared/conformance are not here: %v", err)
	}
	return files
}

// TestCorpusRoundTrip parses every text of the corpora, prints it, and parses that again into an equal module.
func TestCorpusRoundTrip(t *testing.T) {
	for _, dir := range []string{"testdata", "interpret", "math", "programs", "valid", "vhlo", "backcompat", "backcompat_containers"} {
		t.Run(dir, func(t *testing.T) {
			for _, file := range corpusFiles(t, dir) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name := strings.TrimPrefix(file, corpus+"/")
				ms, err := ParseAll(src)
				if err != nil {
					t.Errorf("%s:%v", name, err)
					continue
				}
				for i, m := range ms {
					for _, o := range []Options{{}, {Generic: true}, {Locations: true}} {
						text := o.Format(m)
						back, err := Parse(text)
						if err != nil {
							t.Errorf("%s#%d, printed with %+v:%v", name, i, o, err)
						} else if err := Equal(m, back); err != nil {
							t.Errorf("%s#%d, printed with %+v: %v", name, i, o, err)
						}
					}
				}
			}
		})
	}
}

func TestCorpusVerify(t *testing.T) {
	for _, dir := range []string{"testdata", "interpret", "math", "programs", "valid", "vhlo", "backcompat", "backcompat_containers"} {
		t.Run(dir, func(t *testing.T) {
			n := 0
			for _, file := range corpusFiles(t, dir) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name := strings.TrimPrefix(file, corpus+"/")
				ms, err := ParseAll(src)
				if err != nil {
					t.Errorf("%s:%v", name, err)
				}
				for i, m := range ms {
					n++
					if err := Verify(m); err != nil {
						t.Errorf("%s#%d: %v", name, i, err)
					}
				}
			}
			t.Logf("%d modules", n)
		})
	}
}

func TestCorpusInvalid(t *testing.T) {
	n, bad := 0, 0
	for _, file := range corpusFiles(t, "invalid") {
		src, _ := os.ReadFile(file)
		n++
		ms, err := ParseAll(src)
		for _, m := range ms {
			if err == nil {
				err = Verify(m)
			}
		}
		if os.Getenv("HLO_INVALID") != "" {
			t.Logf("%s %v", filepath.Base(file), err)
		}
		if err == nil {
			bad++
			t.Errorf("%s is accepted", filepath.Base(file))
		}
	}
	t.Logf("%d of %d accepted", bad, n)
}
