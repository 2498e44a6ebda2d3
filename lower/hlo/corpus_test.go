package hlo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// accepted are the folders of modules that are right.
var accepted = []string{"testdata", "interpret", "math", "programs", "valid", "vhlo", "backcompat", "backcompat_containers"}

// TestCorpusRoundTrip parses every text of the corpora, prints it, and parses that again into an equal module.
func TestCorpusRoundTrip(t *testing.T) {
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

// TestCorpusVerify accepts every module of the corpora that is not there to be refused.
func TestCorpusVerify(t *testing.T) {
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
					t.Errorf("%s:%v", name, err)
				}
				for i, m := range ms {
					if err := Verify(m); err != nil {
						t.Errorf("%s#%d: %v", name, i, err)
					}
				}
			}
		})
	}
}

// numbered finds the constraints that the name of a file of invalid/ hints at, as in ops_stablehlo__0241_slice_c3.mlir.
var numbered = regexp.MustCompile(`_c([0-9]+)`)

// otherwise are the files whose name hints at another constraint than the one that is reported.
var otherwise = map[string]string{
	"ops_stablehlo_quantized__0129_uniform_quantized_c1.mlir":     "the expressed types differ, which is C2",
	"ops_stablehlo_quantized__0130_uniform_quantized_c1.mlir":     "the expressed types differ, which is C2",
	"verify_select_and_scatter__0022_select_and_scatter_c10.mlir": "the return of the region has no tensor and is reported itself",
}

// TestCorpusInvalid refuses every module of invalid/, by an operation that it holds and by the constraint that its name
// hints at.
func TestCorpusInvalid(t *testing.T) {
	for _, file := range corpusFiles(t, "invalid") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		ms, err := ParseAll(src)
		for _, m := range ms {
			if err == nil {
				err = Verify(m)
			}
		}
		if err == nil {
			t.Errorf("%s is accepted", name)
			continue
		}
		var e *VerifyError
		if !errors.As(err, &e) {
			continue // refused by the parser
		}
		if e.Op != "func" && !strings.Contains(string(src), e.Op) {
			t.Errorf("%s: %s is not in the module", name, e.Op)
		}
		hints := numbered.FindAllStringSubmatch(name, -1)
		if e.Constraint[0] != 'C' || len(hints) == 0 || otherwise[name] != "" {
			continue
		}
		if !slices.ContainsFunc(hints, func(h []string) bool { return "C"+h[1] == e.Constraint }) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
