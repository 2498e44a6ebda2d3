package primitive_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// The contract of every primitive, one row each: what its rules say must agree. See check in contract_check_test.go for
// what is compared. A new family adds a file with its rows and names them here.
var contract = slices.Concat(elementwiseRows, shapeRows, sliceRows, reductionRows, productRows, indexRows, otherRows)

// row is a primitive, its operands, and what is not to be expected of it.
type row struct {
	prim   primitive.Primitive
	in     []operand
	line   string  // where the row stands
	linear [][]int // the sets of operands that the primitive is linear in
	bent   bool    // its family has a Transpose method, but it is not linear
	order  int     // to which derivatives are compared with differences; 2
	tol    float64 // factor on the tolerances
	fixed  []int   // operands without a derivative rule
}

// operand is the type of an operand and what its elements are drawn from.
type operand struct {
	aval array.Aval
	draw func(r *rand.Rand) float64
	data []float64 // the elements themselves, where they matter
}

// of makes a row.
func of(p primitive.Primitive, in ...operand) row {
	_, file, line, _ := runtime.Caller(1)
	return row{prim: p, in: in, line: fmt.Sprintf("%s:%d", filepath.Base(file), line), order: 2, tol: 1}
}

// in says that the primitive is linear in these operands together.
func (r row) linearIn(operands ...int) row { r.linear = append(r.linear, operands); return r }

// nonlinear says that the Transpose method of the family refuses this primitive.
func (r row) nonlinear() row { r.bent = true; return r }

// toOrder limits the derivatives that are compared.
func (r row) toOrder(n int) row { r.order = n; return r }

// within multiplies the tolerances.
func (r row) within(factor float64) row { r.tol = factor; return r }

// without says that an operand has no derivative.
func (r row) without(operands ...int) row { r.fixed = operands; return r }

func f64(shape ...int) operand  { return typed(array.Float64, normal, shape) }
func f32(shape ...int) operand  { return typed(array.Float32, normal, shape) }
func c128(shape ...int) operand { return typed(array.Complex128, normal, shape) }
func i32(shape ...int) operand  { return typed(array.Int32, small, shape) }
func u8(shape ...int) operand   { return typed(array.Uint8, small, shape) }
func b1(shape ...int) operand   { return typed(array.Bool, coin, shape) }

func typed(d array.DType, draw func(*rand.Rand) float64, shape []int) operand {
	return operand{aval: array.Aval{Shape: append(array.Shape{}, shape...), DType: d}, draw: draw}
}

// from draws the elements from another domain.
func (o operand) from(draw func(*rand.Rand) float64) operand { o.draw = draw; return o }

// being is the operand with these elements.
func (o operand) being(data ...float64) operand { o.data = data; return o }

// The domains of random data. Those of functions with kinks keep away from them.

func normal(r *rand.Rand) float64   { return r.NormFloat64() }
func small(r *rand.Rand) float64    { return float64(r.IntN(7) + 1) }
func coin(r *rand.Rand) float64     { return float64(r.IntN(2)) }
func positive(r *rand.Rand) float64 { return 0.3 + 2*r.Float64() }
func inside(r *rand.Rand) float64   { return 1.6*r.Float64() - 0.8 }
func above1(r *rand.Rand) float64   { return 1.3 + 2*r.Float64() }

// fraction keeps a quarter away from whole numbers and zero.
func fraction(r *rand.Rand) float64 { return float64(r.IntN(6)-3) + 0.25 + r.Float64()/2 }

func TestContract(t *testing.T) {
	for _, r := range contract {
		t.Run(r.prim.Name()+"/"+r.line, func(t *testing.T) { r.check(t) })
	}
}

// TestEveryPrimitiveHasARow reads the package: whatever has a Name and a Shape is a primitive.
func TestEveryPrimitiveHasARow(t *testing.T) {
	have := map[string]bool{}
	for _, r := range contract {
		have[reflect.TypeOf(r.prim).Name()] = true
	}
	files := token.NewFileSet()
	notTest := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(files, ".", notTest, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Name" {
				return true
			}
			name := types(f.Recv.List[0].Type)
			found++
			if !have[name] {
				t.Errorf("%s: %s has no row in the contract: add one, with its operands and their domain", files.Position(f.Pos()), name)
			}
			return true
		})
	}
	if found < 80 {
		t.Errorf("found %d primitives; does this test still read them?", found)
	}
}

// TestEveryTransposeHasARow: a primitive with a Transpose method says in what it is linear, or that it is not.
func TestEveryTransposeHasARow(t *testing.T) {
	tested, asked := map[string]bool{}, map[string]string{}
	for _, r := range contract {
		if _, ok := r.prim.(vjp.Linear); ok {
			asked[r.prim.Name()] = r.line
			tested[r.prim.Name()] = tested[r.prim.Name()] || len(r.linear) > 0 || r.bent
		}
	}
	for name, line := range asked {
		if !tested[name] {
			t.Errorf("%s: %s has a Transpose method; say with linearIn in which operands it is linear, or nonlinear", line, name)
		}
	}
}

func types(e ast.Expr) string {
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	return e.(*ast.Ident).Name
}
