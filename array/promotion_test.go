package array

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared opens a file of the shared data beside the module and skips the test where it is absent.
func shared(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", name))
	if err != nil {
		t.Skipf("shared data is not here: %v", err)
	}
	return data
}

func starred(t *testing.T, name string) Aval {
	t.Helper()
	weak := strings.HasSuffix(name, "*")
	switch name {
	case "int*":
		return Aval{DType: Int64, Weak: true}
	case "float*":
		return Aval{DType: Float64, Weak: true}
	case "complex*":
		return Aval{DType: Complex128, Weak: true}
	}
	d, err := ParseDType(strings.TrimSuffix(name, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return Aval{DType: d, Weak: weak}
}

func TestPromotionTable(t *testing.T) {
	var golden struct {
		Tables  map[string]map[string]map[string]*string
		Triples map[string][][2]json.RawMessage
	}
	if err := json.Unmarshal(shared(t, "goldens/promotion.json"), &golden); err != nil {
		t.Fatal(err)
	}
	check := func(want *string, names ...string) {
		t.Helper()
		avals := make([]Aval, len(names))
		for i, n := range names {
			avals[i] = starred(t, n)
		}
		d, weak, err := Promote(avals...)
		if want == nil {
			if err == nil {
				t.Errorf("%v: got %s, want an error", names, d)
			}
			return
		}
		got := d.String()
		if weak {
			got += "*"
		}
		if err != nil || got != *want {
			t.Errorf("%v: got %s, %v, want %s", names, got, err, *want)
		}
	}
	pairs := 0
	for a, row := range golden.Tables["x64"] {
		for b, want := range row {
			check(want, a, b)
			pairs++
		}
	}
	for _, tr := range golden.Triples["x64"] {
		var names []string
		var want *string
		if err := json.Unmarshal(tr[0], &names); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(tr[1], &want); err != nil {
			t.Fatal(err)
		}
		check(want, names...)
	}
	if pairs != 22*22 || len(golden.Triples["x64"]) == 0 {
		t.Errorf("%d pairs and %d triples read", pairs, len(golden.Triples["x64"]))
	}
}

func TestPromoteKeys(t *testing.T) {
	k := NewKeyType("promotion", Shape{2})
	if d, _, err := Promote(Aval{DType: k}, Aval{DType: k}); d != k || err != nil {
		t.Errorf("key with itself: %s, %v", d, err)
	}
	if _, err := PromoteDTypes(k, Float32); err == nil {
		t.Error("key with float32: want an error")
	}
}
