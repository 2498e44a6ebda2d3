package primitive_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pantograph-go/pantograph/internal/golden"
)

// TestGoldens compares every recorded function of jax.lax: values, both derivatives, their derivative, and batching.
func TestGoldens(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "shared", "goldens", "lax.jsonl"))
	if err != nil {
		t.Skipf("the recorded values of the reference are not here: %v", err)
	}
	defer f.Close()
	err = golden.Read(f, func(c *golden.Case) bool {
		t.Run(c.ID, func(t *testing.T) {
			var skip *golden.Skipped
			if err := golden.Run(c); errors.As(err, &skip) {
				t.Skip(skip.Reason)
			} else if err != nil {
				t.Error(err)
			}
		})
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}
