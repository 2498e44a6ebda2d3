package ffi

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// CreateToken makes a token, the beginning of a chain of calls: a call that gives a Token result and takes the token of
// the call before runs after it.
//
//	t := ffi.CreateToken()
//	t = ffi.Call(ffi.Spec{Target: "first", HasSideEffect: true, Results: []ffi.Result{ffi.Token}}, t)
//	t = ffi.Call(ffi.Spec{Target: "second", HasSideEffect: true, Results: []ffi.Result{ffi.Token}}, t)
func CreateToken() *array.Array { return primitive.BindAll(CreateTokenP{})[0] }

// CreateTokenP is the equation of CreateToken.
type CreateTokenP struct{}

// Name implements primitive.Primitive.
func (CreateTokenP) Name() string { return "create_token" }

// Shape of no operands is a token.
func (CreateTokenP) Shape([]array.Aval) ([]array.Aval, error) {
	return []array.Aval{{DType: array.Token}}, nil
}

// Lower writes stablehlo.create_token.
func (CreateTokenP) Lower(b *hlo.Builder, _ []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return b.Append(&hlo.Op{Name: "stablehlo.create_token"}, hlo.Token{}).Results, nil
}
