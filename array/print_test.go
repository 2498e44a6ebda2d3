package array

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

func TestPrintAsNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/print.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		DType, Data, Str, Repr string
		Shape                  Shape
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		d, err := ParseDType(r.DType)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := hex.DecodeString(r.Data)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBuffer(d, r.Shape)
		copy(b.Bytes(), raw)
		x := Of(b)
		if got := x.String(); got != r.Str {
			t.Errorf("%s:\n%s\nwant\n%s", x.Aval(), got, r.Str)
		}
		if r.Repr == "" {
			continue
		}
		if got := x.Text(PrintOptions{Separator: ", ", continuedLine: len("Array(")}); got != r.Repr {
			t.Errorf("repr %s:\n%s\nwant\n%s", x.Aval(), got, r.Repr)
		}
	}
}
