package hlo

import "github.com/pantograph-go/pantograph/array"

// Module is a StableHLO program: functions by name, one of them usually main.
type Module struct {
	Name      string // without @, may be empty
	Attrs     Attrs
	Other     []*Op // operations beside functions, such as sdy.mesh, kept as they are
	Funcs     []*Func
	Nested    []*Module  // modules inside, kept as they are
	Resources []Resource // the blobs that dense_resource attributes name, of the outermost module
}

// Resource is the data of the dense_resource attributes with its key, in the layout of a dense constant.
type Resource struct {
	Key   string
	Align int // alignment in bytes that the blob asks for
	Data  []byte
}

// Func finds a function by name, nil where there is none.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Func is func.func. Its body is one region with one block whose arguments are the parameters; a declaration has none.
type Func struct {
	Name        string
	Private     bool
	In, Out     []Type
	ArgAttrs    []Attrs // one per argument, or nil
	ResultAttrs []Attrs // one per result, or nil
	Attrs       Attrs
	Body        *Region // nil for a declaration
	Loc         Loc
}

// Args are the parameters of a function that has a body.
func (f *Func) Args() []*Value { return f.Body.Block().Args }

// Op is one operation. Name is spelt with its dialect: stablehlo.add, chlo.erf, func.call, func.return.
// Everything but operands and regions is in Attrs, under the names of the generic form.
type Op struct {
	Name     string
	Operands []*Value
	Results  []*Value
	Attrs    Attrs
	Regions  []*Region
	Loc      Loc
}

// Attr returns an attribute by name, nil where absent.
func (o *Op) Attr(name string) Attr { return o.Attrs.Get(name) }

// Value is the result of an op or the argument of a block.
type Value struct {
	Type Type
	Def  *Op // nil for a block argument
	Num  int // which result or argument
}

// Tensor is the value's type, which must be a tensor; the zero Tensor otherwise.
func (v *Value) Tensor() Tensor { t, _ := v.Type.(Tensor); return t }

// Aval is the abstract value of a tensor-typed value.
func (v *Value) Aval() array.Aval { return v.Tensor().Aval() }

// Region is a list of blocks; StableHLO's regions have one.
type Region struct{ Blocks []*Block }

// Block returns the only block.
func (r *Region) Block() *Block { return r.Blocks[0] }

// Block is a list of operations; the last is the terminator (stablehlo.return, func.return).
type Block struct {
	Args []*Value
	Ops  []*Op
}

// Terminator is the last operation.
func (b *Block) Terminator() *Op { return b.Ops[len(b.Ops)-1] }

// Loc is where an operation came from: a name, a file position, or both. The zero Loc is unknown.
type Loc struct {
	Name string // the path of transformations and the primitive, may be empty
	File string
	Line int
	Col  int
}
