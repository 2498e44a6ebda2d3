package hlo

import (
	"strconv"

	"github.com/pantograph-go/pantograph/array"
)

// Builder appends operations to the block it stands in. A lowering rule gets one, calls Op and Const, and returns the
// values that stand for its equation's results.
type Builder struct {
	Module   *Module
	Platform string // cpu, cuda, rocm, tpu: the platform the module is made for
	Loc      Loc    // put on every operation made
	block    *Block
}

// NewBuilder returns a builder for a module; it stands nowhere until Func or Region is called.
func NewBuilder(m *Module, platform string) *Builder { return &Builder{Module: m, Platform: platform} }

// Op appends an operation with one result and returns its results, ready to be returned from a rule.
func (b *Builder) Op(name string, out array.Aval, in []*Value, attrs ...NamedAttr) []*Value {
	return b.Append(&Op{Name: name, Operands: in, Attrs: sorted(attrs)}, TensorOf(out)).Results
}

// Op1 is Op for use inside an expression: it takes operands as arguments and returns the one result.
func (b *Builder) Op1(name string, out array.Aval, attrs Attrs, in ...*Value) *Value {
	return b.Append(&Op{Name: name, Operands: in, Attrs: sorted(attrs)}, TensorOf(out)).Results[0]
}

// Append adds an operation and makes its results of the given types.
func (b *Builder) Append(op *Op, results ...Type) *Op {
	for i, t := range results {
		op.Results = append(op.Results, &Value{Type: t, Def: op, Num: i})
	}
	if op.Loc == (Loc{}) {
		op.Loc = b.Loc
	}
	b.block.Ops = append(b.block.Ops, op)
	return op
}

// Const appends a constant. A buffer of one repeated element should be given through Splat.
func (b *Builder) Const(data *array.Buffer) *Value {
	t := Tensor{Shape: data.Shape(), Elem: data.DType()}
	d := &Dense{Type: t, Data: data}
	if data.Len() == 1 {
		d.Splat, d.Data = true, data.Reshaped(nil)
	}
	return b.Append(&Op{Name: "stablehlo.constant", Attrs: Attrs{{"value", d}}}, t).Results[0]
}

// Splat appends a constant whose elements are all v, converted to the aval's dtype (bool: v != 0).
func (b *Builder) Splat(a array.Aval, v float64) *Value {
	t := TensorOf(a)
	s := array.NewBuffer(t.Elem, nil)
	s.SetFloat(0, v)
	return b.SplatOf(t, s)
}

// SplatOf appends a constant of type t whose elements are all the one element of s.
func (b *Builder) SplatOf(t Tensor, s *array.Buffer) *Value {
	return b.Append(&Op{Name: "stablehlo.constant", Attrs: Attrs{{"value", &Dense{Type: t, Data: s, Splat: true}}}}, t).Results[0]
}

// Region makes a one-block region with arguments of the given types; body builds its operations on b and returns the
// values to yield, which Region passes to stablehlo.return.
func (b *Builder) Region(args []Type, body func(args []*Value) ([]*Value, error)) (*Region, error) {
	outer := b.block
	defer func() { b.block = outer }()
	b.block = newBlock(args)
	r := &Region{Blocks: []*Block{b.block}}
	out, err := body(b.block.Args)
	if err != nil {
		return nil, err
	}
	b.Append(&Op{Name: "stablehlo.return", Operands: out})
	return r, nil
}

// Func adds a function to the module under a name made unique and builds its body, which returns the results.
func (b *Builder) Func(name string, private bool, args []Type, body func(args []*Value) ([]*Value, error)) (*Func, error) {
	outer := b.block
	defer func() { b.block = outer }()
	f := &Func{Name: b.unique(name), Private: private, In: args}
	b.Module.Funcs = append(b.Module.Funcs, f)
	b.block = newBlock(args)
	f.Body = &Region{Blocks: []*Block{b.block}}
	out, err := body(b.block.Args)
	if err != nil {
		return nil, err
	}
	for _, v := range out {
		f.Out = append(f.Out, v.Type)
	}
	b.Append(&Op{Name: "func.return", Operands: out})
	return f, nil
}

// Call appends a call of f.
func (b *Builder) Call(f *Func, in ...*Value) []*Value {
	return b.Append(&Op{Name: "func.call", Operands: in, Attrs: Attrs{{"callee", Ref(f.Name)}}}, f.Out...).Results
}

func (b *Builder) unique(name string) string {
	for i, n := 0, name; ; i++ {
		if b.Module.Func(n) == nil {
			return n
		}
		n = name + "_" + strconv.Itoa(i)
	}
}

func newBlock(args []Type) *Block {
	blk := &Block{}
	for i, t := range args {
		blk.Args = append(blk.Args, &Value{Type: t, Num: i})
	}
	return blk
}

func sorted(attrs []NamedAttr) Attrs {
	var a Attrs
	for _, n := range attrs {
		if n.Value != nil {
			a = a.Set(n.Name, n.Value)
		}
	}
	return a
}
