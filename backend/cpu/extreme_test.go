package cpu

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/internal/debug"
)

// The largest and smallest elements with their places are those that the computation picks, NaN and ties included.
func TestExtreme(t *testing.T) {
	interp, err := debug.Parse("cpu=interp")
	if err != nil {
		t.Fatal(err)
	}
	const text = `func.func @main(%x: tensor<7x40xTYPE>) -> (tensor<OUTxTYPE>, tensor<OUTxi32>) {
  %i = stablehlo.iota dim = DIM : tensor<7x40xi32>
  %z = stablehlo.constant dense<INIT> : tensor<TYPE>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %z), (%i init: %c) across dimensions = [DIM] : (tensor<7x40xTYPE>, tensor<7x40xi32>, tensor<TYPE>, tensor<i32>) -> (tensor<OUTxTYPE>, tensor<OUTxi32>)
   reducer(%a: tensor<TYPE>, %b: tensor<TYPE>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %2 = stablehlo.compare DIR, %a, %b, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %4 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %5 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %6 = stablehlo.not %5 : tensor<i1>
    %7 = stablehlo.and %4, %6 : tensor<i1>
    %8 = stablehlo.or %2, %7 : tensor<i1>
    %9 = stablehlo.and %4, %5 : tensor<i1>
    %10 = stablehlo.or %3, %9 : tensor<i1>
    %11 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %12 = stablehlo.and %10, %11 : tensor<i1>
    %13 = stablehlo.or %8, %12 : tensor<i1>
    %14 = stablehlo.select %13, %a, %b : tensor<i1>, tensor<TYPE>
    %15 = stablehlo.select %13, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %14, %15 : tensor<TYPE>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<OUTxTYPE>, tensor<OUTxi32>
}`
	r := rand.New(rand.NewPCG(9, 9))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 1}
	for _, d := range []array.DType{array.Float32, array.Float64} {
		for k := range 60 {
			x := array.NewBuffer(d, array.Shape{7, 40})
			for i := range x.Len() {
				x.SetFloat(i, float64(r.IntN(5)))
				if r.IntN(1+k%20) == 0 {
					x.SetFloat(i, special[r.IntN(len(special))])
				}
			}
			dim := k % 2
			dir, init := "GT", "0xFF800000"
			if d == array.Float64 {
				init = "0xFFF0000000000000"
			}
			if k%4 > 1 {
				dir, init = "LT", strings.Replace(init, "0xFF", "0x7F", 1)
			}
			prog := strings.NewReplacer("TYPE", d.Short(), "DIR", dir, "INIT", init, "DIM", fmt.Sprint(dim), "OUT", []string{"40", "7"}[dim]).Replace(text)
			got := runText(t, prog, x)
			restore := debug.Override(interp)
			want := runText(t, prog, x)
			restore()
			for i := range got {
				if !bytes.Equal(got[i].Bytes(), want[i].Bytes()) {
					t.Fatalf("%s %s along %d of %v: result %d is %v, want %v", d, dir, dim, x, i, got[i], want[i])
				}
			}
		}
	}
}
