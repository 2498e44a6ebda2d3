package golden

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	every = flag.Int("golden.every", 1, "run one case of so many")
	only  = flag.String("golden.only", "", "run the cases whose id contains this, all of them")
)

// TestGoldens runs the recorded cases; with -short one in seven.
func TestGoldens(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/goldens/*.jsonl")
	if len(files) == 0 {
		t.Skip("../shared/goldens is not beside the project; the recorded results of the reference are compared where it is")
	}
	if testing.Short() {
		*every = 7
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".jsonl"), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			passed, skipped, n := 0, map[string]int{}, 0
			err = Read(f, func(c *Case) bool {
				n++
				if *only == "" && n%*every != 0 || !strings.Contains(c.ID, *only) {
					return true
				}
				var skip *Skipped
				switch err := Run(c); {
				case err == nil:
					passed++
				case errors.As(err, &skip):
					skipped[skip.Reason]++
				default:
					t.Errorf("%s: %v", c.ID, err)
				}
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d passed; skipped: %v", passed, skipped)
		})
	}
}
