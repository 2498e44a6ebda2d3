package array

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReadNpy(t *testing.T) {
	tests := []struct{ file, aval, want string }{
		{"bool", "bool[2,3]", "[[False  True  True]\n [ True  True  True]]"},
		{"int8", "i8[2,3]", "[[-3 -2 -1]\n [ 0  1  2]]"},
		{"uint8", "u8[2,3]", "[[0 1 2]\n [3 4 5]]"},
		{"int16", "i16[2,3]", "[[-3 -2 -1]\n [ 0  1  2]]"},
		{"uint16", "u16[2,3]", "[[0 1 2]\n [3 4 5]]"},
		{"int32", "i32[2,3]", "[[-3 -2 -1]\n [ 0  1  2]]"},
		{"uint32", "u32[2,3]", "[[0 1 2]\n [3 4 5]]"},
		{"int64", "i64[2,3]", "[[-3 -2 -1]\n [ 0  1  2]]"},
		{"uint64", "u64[2,3]", "[[0 1 2]\n [3 4 5]]"},
		{"float16", "f16[2,3]", "[[-3. -2. -1.]\n [ 0.  1.  2.]]"},
		{"float32", "f32[2,3]", "[[-3. -2. -1.]\n [ 0.  1.  2.]]"},
		{"float64", "f64[2,3]", "[[-3. -2. -1.]\n [ 0.  1.  2.]]"},
		{"complex64", "c64[2,3]", "[[-3.-1.5j -2.-1.j  -1.-0.5j]\n [ 0.+0.j   1.+0.5j  2.+1.j ]]"},
		{"complex128", "c128[2,3]", "[[-3.-1.5j -2.-1.j  -1.-0.5j]\n [ 0.+0.j   1.+0.5j  2.+1.j ]]"},
		{"bigendian", "f64[2,3]", "[[0. 1. 2.]\n [3. 4. 5.]]"},
		{"bigendian_c64", "c64[2,3]", "[[0. +0.j 1. -2.j 2. -4.j]\n [3. -6.j 4. -8.j 5.-10.j]]"},
		{"fortran", "i32[2,3,4]", "[[[ 0  1  2  3]\n  [ 4  5  6  7]\n  [ 8  9 10 11]]\n\n [[12 13 14 15]\n  [16 17 18 19]\n  [20 21 22 23]]]"},
		{"scalar", "f64[]", "2.5"},
		{"empty", "f32[0,3]", "[]"},
		{"bfloat16", "bf16[3]", "[ 1.   2.5 -3. ]"},
		{"version1", "f32[4]", "[0. 1. 2. 3.]"},
		{"version2", "f32[4]", "[0. 1. 2. 3.]"},
		{"version3", "f32[4]", "[0. 1. 2. 3.]"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data := readTestdata(t, tt.file+".npy")
			x, err := ReadNpy(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if got := x.Aval().String(); got != tt.aval {
				t.Errorf("aval %s, want %s", got, tt.aval)
			}
			want := tt.want
			if tt.file == "bigendian_c64" {
				want = "[[0. +0.j 1. -2.j 2. -4.j]\n [3. -6.j 4. -8.j 5.-10.j]]"
			}
			if got := x.String(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			var out bytes.Buffer
			if err := WriteNpy(&out, x); err != nil {
				t.Fatal(err)
			}
			switch tt.file {
			case "bigendian", "bigendian_c64", "fortran", "version2", "version3":
			default: // NumPy's own bytes
				if !bytes.Equal(out.Bytes(), data) {
					t.Errorf("written\n%q\nNumPy wrote\n%q", out.Bytes(), data)
				}
			}
		})
	}
}

func TestNpyOtherTypes(t *testing.T) {
	for _, d := range []DType{Float8E4M3FN, Int4, Uint2, Float4E2M1FN} {
		b := NewBuffer(d, Shape{2})
		b.SetFloat(0, 1)
		b.SetFloat(1, 2)
		var out bytes.Buffer
		if err := WriteNpy(&out, Of(b)); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadNpy(bytes.NewReader(out.Bytes())); err == nil || !strings.Contains(err.Error(), "ReadNpyAs") {
			t.Errorf("%s without a type: %v", d, err)
		}
		x, err := ReadNpyAs(&out, d)
		if err != nil || x.String() != Of(b).String() {
			t.Errorf("%s: %v, %v", d, x, err)
		}
	}
	var dtype *DTypeError
	if err := WriteNpy(new(bytes.Buffer), Of(NewBuffer(NewKeyType("npy", Shape{2}), Shape{1}))); !errors.As(err, &dtype) {
		t.Errorf("keys: %v", err)
	}
}

func TestReadNpyErrors(t *testing.T) {
	header := func(s string) string {
		return npyMagic + "\x01\x00" + string([]byte{byte(len(s)), byte(len(s) >> 8)}) + s
	}
	for _, tt := range []struct{ name, data, want string }{
		{"empty", "", "no header"},
		{"magic", "not a numpy file", "not a .npy file"},
		{"version", npyMagic + "\x09\x00\x00\x00", "version 9.0"},
		{"long header", npyMagic + "\x02\x00\xff\xff\xff\xff", "claims 4294967295 bytes"},
		{"short header", npyMagic + "\x01\x00\x40\x00{", "ends after 1 bytes"},
		{"object", header("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"), `"|O" are not supported`},
		{"struct", header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }"), "structured"},
		{"long double", header("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }"), "not supported"},
		{"huge", header("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }"), "larger than any memory"},
		{"lie", header("{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000,), }") + "12345678", "ends after 8 bytes"},
		{"negative", header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"), "no number"},
		{"missing", header("{'descr': '<f8', }"), "missing"},
		{"twice", header("{'descr': '<f8', 'descr': '<f4', 'shape': (), }"), "twice"},
		{"unknown", header("{'color': 'red', }"), "unknown key"},
		{"code", header("{'descr': __import__('os'), }"), "expected a string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadNpy(strings.NewReader(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestNpz(t *testing.T) {
	data := readTestdata(t, "stored.npz")
	m, err := ReadNpz(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(m) != 3 || m["a"].String() != "[0 1 2]" || m["b"].Float() != 1.5 || m["layer/w"].Aval().String() != "f64[2,2]" {
		t.Errorf("got %v", m)
	}
	var first, second bytes.Buffer
	if err := WriteNpz(&first, m); err != nil {
		t.Fatal(err)
	}
	again, err := ReadNpz(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil || again["layer/w"].String() != m["layer/w"].String() {
		t.Errorf("read again: %v, %v", again, err)
	}
	if err := WriteNpz(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the same arrays gave other bytes (%v)", err)
	}
	data = readTestdata(t, "deflated.npz")
	if m, err = ReadNpz(bytes.NewReader(data), int64(len(data))); err != nil || m["x"].Aval().String() != "f32[50,2]" {
		t.Errorf("deflated: %v, %v", m, err)
	}
	if _, err = ReadNpz(bytes.NewReader(data[:100]), 100); err == nil {
		t.Error("a broken archive: want an error")
	}
}

func FuzzReadNpy(f *testing.F) {
	files, err := filepath.Glob("testdata/*.npy")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		f.Add(readTestdata(f, filepath.Base(name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := ReadNpy(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteNpy(&out, x); err != nil {
			t.Fatal(err)
		}
		y, err := ReadNpy(&out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !x.Aval().Equal(y.Aval()) || !bytes.Equal(DataOf(x).(*Buffer).Bytes(), DataOf(y).(*Buffer).Bytes()) {
			t.Fatalf("%v became %v", x, y)
		}
	})
}

func FuzzReadNpz(f *testing.F) {
	for _, name := range []string{"stored.npz", "deflated.npz"} {
		f.Add(readTestdata(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ReadNpz(bytes.NewReader(data), int64(len(data))) // must not panic
	})
}
