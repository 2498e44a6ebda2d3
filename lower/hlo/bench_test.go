package hlo

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
)

// largeText is a module of about n bytes made of one program's functions, repeated under other names.
func largeText(tb testing.TB, n int) string {
	file := corpus + "/programs/activations_all/module.mlir"
	src, err := os.ReadFile(file)
	if err != nil {
		tb.Skipf("the corpora of ../shared/conformance are not here: %v", err)
	}
	m, err := Parse(src)
	if err != nil {
		tb.Fatal(err)
	}
	big := &Module{Name: "large"}
	unit := len(m.String())
	for i := 0; i*unit < n; i++ {
		for _, f := range m.Funcs {
			g := *f
			if i > 0 {
				g.Name = fmt.Sprintf("%s.copy%d", f.Name, i)
			}
			big.Funcs = append(big.Funcs, &g)
		}
	}
	return big.String()
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1 << 16, 1 << 20, 10 << 20} {
		b.Run(fmt.Sprintf("program/%d", n), func(b *testing.B) {
			text := largeText(b, n)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, lit := range []struct{ name, elem, typ string }{{"floats", "1.234567e+00", "f32"}, {"ints", "12345678", "i32"}} {
		b.Run("constant/"+lit.name, func(b *testing.B) {
			const n = 1 << 18
			text := fmt.Sprintf("func.func @f() -> tensor<%dx%s> {\n  %%0 = stablehlo.constant dense<[%s%s]> : tensor<%dx%s>\n  return %%0 : tensor<%dx%s>\n}\n",
				n+1, lit.typ, strings.Repeat(lit.elem+", ", n), strings.Replace(lit.elem, "7", "8", 1), n+1, lit.typ, n+1, lit.typ)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	for _, n := range []int{1 << 16, 1 << 20} {
		b.Run(fmt.Sprintf("program/%d", n), func(b *testing.B) {
			m, err := Parse(largeText(b, n))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(m.String())))
			b.ReportAllocs()
			for b.Loop() {
				_ = Options{}.Append(nil, m)
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	m, err := Parse(largeText(b, 1<<20))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(m.String())))
	b.ReportAllocs()
	for b.Loop() {
		if err := Verify(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBytecode(b *testing.B) {
	m, err := Parse(largeText(b, 10<<20))
	if err != nil {
		b.Fatal(err)
	}
	constant := &Module{}
	build := NewBuilder(constant, "cpu")
	data := array.NewBuffer(array.Float32, array.Shape{1 << 22})
	for i := range data.Len() {
		data.SetFloat(i, float64(i))
	}
	if _, err := build.Func("main", false, nil, func([]*Value) ([]*Value, error) { return []*Value{build.Const(data)}, nil }); err != nil {
		b.Fatal(err)
	}
	for _, t := range []struct {
		name string
		m    *Module
	}{{"program", m}, {"constant", constant}} {
		stored, err := WriteBytecode(t.m, CurrentVersion)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("write/"+t.name, func(b *testing.B) {
			b.SetBytes(int64(len(stored)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := WriteBytecode(t.m, CurrentVersion); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("read/"+t.name, func(b *testing.B) {
			b.SetBytes(int64(len(stored)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadBytecode(stored); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
