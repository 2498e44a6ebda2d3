package np_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/internal/golden"
)

// TestGoldens compares every recorded function of jax.numpy: values, both derivatives, their derivative, and batching.
func TestGoldens(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "shared", "goldens", "np.jsonl"))
	if err != nil {
		t.Skipf("shared data is not here: %v", err)
	}
	defer f.Close()
	passed, skipped := 0, map[string]int{}
	err = golden.Read(f, func(c *golden.Case) bool {
		if !strings.HasPrefix(c.Fn, "np.") && c.Fn != "special.logsumexp" {
			return true
		}
		var skip *golden.Skipped
		switch err := golden.Run(c); {
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
	t.Logf("%d cases passed", passed)
	for reason, n := range skipped {
		t.Logf("%d skipped: %s", n, reason)
	}
}
