package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pantograph-go/pantograph/internal/dl"
)

const want = `normalised:
[[1.0392 1.3856 0.    ]
 [0.7071 0.7071 1.4142]]
row by row:
[[1.0392 1.3856 0.    ]
 [0.7071 0.7071 1.4142]]
gradient of the sum of cubes:
[[-0.2394  0.1796  0.    ]
 [-0.7071 -0.7071  0.7071]]
rows without elements: rms_norm needs at least one axis, and the last must not be empty
`

func TestRun(t *testing.T) {
	if !dl.Supported {
		t.Skip("shared libraries cannot be opened on this platform")
	}
	include := os.Getenv("FFI_INCLUDE")
	if venv := os.Getenv("VIRTUAL_ENV"); include == "" && venv != "" {
		found, _ := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", "jaxlib", "include"))
		include = append(found, "")[0]
	}
	var out bytes.Buffer
	err := run(&out, "", include)
	var lacking *missing
	if errors.As(err, &lacking) {
		t.Skip(err)
	}
	if err != nil || out.String() != want {
		t.Errorf("%v\n got %s\nwant %s", err, &out, want)
	}
}
