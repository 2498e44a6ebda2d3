package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
)

func f32(shape array.Shape, v ...float64) *array.Array {
	b := array.NewBuffer(array.Float32, shape)
	for i, x := range v {
		b.SetFloat(i, x)
	}
	return array.Of(b)
}

type layer struct{ W, B *array.Array }

type model struct {
	Layers []layer
	Extra  map[string]*array.Array
	Head   *layer
	Name   string // not an array: not saved
}

func TestTreeComesBack(t *testing.T) {
	m := model{
		Layers: []layer{{f32(array.Shape{2, 2}, 1, 2, 3, 4), f32(array.Shape{2}, -1, 0.5)}, {f32(array.Shape{0, 3}), f32(nil, 7)}},
		Extra:  map[string]*array.Array{"a": f32(array.Shape{1}, 9)},
		Head:   &layer{W: f32(array.Shape{1}, 1), B: f32(array.Shape{1}, 2)},
		Name:   "m",
	}
	path := filepath.Join(t.TempDir(), "m.safetensors")
	if err := SaveFile(path, m); err != nil {
		t.Fatal(err)
	}
	var got model
	if err := LoadFile(path, &got); err != nil {
		t.Fatal(err)
	}
	want, back := map[string]*array.Array{}, map[string]*array.Array{}
	for to, v := range map[*map[string]*array.Array]model{&want: m, &back: got} {
		var b bytes.Buffer
		if err := Save(&b, v); err != nil {
			t.Fatal(err)
		}
		var err error
		if *to, _, err = Read(&b); err != nil {
			t.Fatal(err)
		}
	}
	if len(want) != 7 || len(back) != 7 {
		t.Fatalf("%d and %d arrays, want 7", len(want), len(back))
	}
	for name, x := range want {
		y := back[name]
		if y == nil || !x.Aval().Equal(y.Aval()) {
			t.Fatalf("%s: %v came back as %v", name, x, y)
		}
		a, _ := x.Host()
		b, _ := y.Host()
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: %v came back as %v", name, x, y)
		}
	}
	if want["Layers.1.B"] == nil {
		t.Error("no array is called Layers.1.B")
	}
}

func TestErrorsNameTheArray(t *testing.T) {
	var b bytes.Buffer
	if err := Save(&b, layer{W: f32(nil, 1), B: f32(nil, 2)}); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	var tree *array.TreeError
	if err := Load(bytes.NewReader(file), &struct{ W *array.Array }{}); !errors.As(err, &tree) || !strings.Contains(err.Error(), "B") {
		t.Errorf("an array without a place: %v", err)
	}
	if err := Load(bytes.NewReader(file), &struct{ W, B, C *array.Array }{}); !errors.As(err, &tree) || !strings.Contains(err.Error(), "no array C") {
		t.Errorf("a missing array: %v", err)
	}
	var shape *array.ShapeError
	if err := Load(bytes.NewReader(file), &layer{W: f32(array.Shape{2}, 1, 2)}); !errors.As(err, &shape) {
		t.Errorf("another shape: %v", err)
	}
	for n := range len(file) {
		if err := Load(bytes.NewReader(file[:n]), &layer{}); err == nil {
			t.Fatalf("a file cut to %d of %d bytes was read", n, len(file))
		}
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := Save(&b, layer{W: f32(array.Shape{2}, 1, 2), B: f32(nil, 2)}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	huge := `{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`
	f.Add(append(binary.LittleEndian.AppendUint64(nil, uint64(len(huge))), huge...))
	f.Fuzz(func(t *testing.T, file []byte) {
		arrays, meta, err := Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := Write(&again, arrays, meta); err != nil {
			t.Fatal(err)
		}
	})
}
