package hlo

import (
	"errors"
	"strings"
	"testing"
)

// syntaxErrors are texts with the place and a part of the message of the error they give.
var syntaxErrors = []struct {
	name, text string
	line, col  int
	want       string
}{
	{"unclosed module", "module {\n", 2, 1, "'}' to close the module, found the end of the text"},
	{"no operation", "func.func @f() {\n  7\n}", 2, 3, "expected an operation, found '7'"},
	{"unknown operation", "func.func @f() {\n  stablehlo.ad\n}", 2, 3, "stablehlo.ad is no operation of StableHLO"},
	{"unknown dialect", "func.func @f() {\n  foo.bar\n}", 2, 3, "write it in the generic form"},
	{"missing type", "func.func @f(%x: tensor<2xf32>) {\n  %0 = stablehlo.add %x, %x }\n}", 2, 29, "expected ':', found '}'"},
	{"undefined value", "func.func @f() {\n  return %x : tensor<f32>\n}", 2, 10, "%x is not defined here"},
	{"value twice", "func.func @f(%x: tensor<f32>) {\n  %x = stablehlo.negate %x : tensor<f32>\n}", 2, 3, "%x is defined twice"},
	{"out of scope", `func.func @f(%p: tensor<i1>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
}`, 6, 22, "%1 is not defined here"},
	{"wrong operand type", "func.func @f(%x: tensor<f32>) {\n  %0 = stablehlo.negate %x : tensor<f64>\n}", 2, 25, "%x is tensor<f32>, but stablehlo.negate takes it as tensor<f64>"},
	{"too few types", "func.func @f(%x: tensor<f32>) {\n  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<f32>) -> tensor<f32>\n}", 2, 8, "2 operands, but types for 1"},
	{"result count", "func.func @f(%x: tensor<f32>) {\n  %0:2 = stablehlo.negate %x : tensor<f32>\n}", 2, 3, "has 1 results, more are named"},
	{"group without number", `func.func @f(%x: tensor<f32>) {
  %0:2 = stablehlo.optimization_barrier %x, %x : tensor<f32>, tensor<f32>
  return %0 : tensor<f32>
}`, 3, 10, "say which, as in %0#0"},
	{"group number", `func.func @f(%x: tensor<f32>) {
  %0:2 = stablehlo.optimization_barrier %x, %x : tensor<f32>, tensor<f32>
  return %0#2 : tensor<f32>
}`, 3, 10, "there is no #2"},
	{"unclosed string", "module @\"a\n", 1, 9, "the string is not closed on its line"},
	{"bad escape", `module attributes {a = "\q"} {}`, 1, 25, `unknown escape \q`},
	{"attribute twice", "module attributes {a, a} {}", 1, 26, "the attribute a is given twice"},
	{"list too short", "func.func @f() {\n  %0 = stablehlo.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>\n}", 2, 42, "the list has 1 elements, tensor<2x2xi32> wants 2"},
	{"list too long", "func.func @f() {\n  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>\n}", 2, 40, "to have 2 elements by its type"},
	{"more elements than text", "func.func @f() {\n  %0 = stablehlo.constant dense<[1]> : tensor<1000000000xi32>\n}", 2, 33, "1000000000 elements, more than are given"},
	{"element out of range", "func.func @f() {\n  %0 = stablehlo.constant dense<300> : tensor<i8>\n}", 2, 33, "300 is no element of type i8"},
	{"integer for float", "func.func @f() {\n  %0 = stablehlo.constant dense<3> : tensor<f32>\n}", 2, 33, "3 is no element of type f32"},
	{"blob too short", "func.func @f() {\n  %0 = stablehlo.constant dense<\"0x0000\"> : tensor<3xf32>\n}", 2, 33, "the blob has 2 bytes, tensor<3xf32> wants 12"},
	{"dynamic constant", "func.func @f() {\n  %0 = stablehlo.constant dense<3> : tensor<?xi32>\n}", 2, 33, "a static shape"},
	{"huge size", "func.func @f(%x: tensor<99999999999999999999xf32>)", 1, 25, "the size 99999999999999999999 is too large"},
	{"huge product", "func.func @f(%x: tensor<9999999999x9999999999xf32>)", 1, 36, "more than 2^56 elements"},
	{"alias of itself", "#a = [#a]\nmodule attributes {x = #a} {}", 1, 7, "#a is defined by itself"},
	{"unknown alias", "module attributes {x = #a} {}", 1, 24, "#a is not defined"},
	{"deep types", "func.func @f(%x: " + strings.Repeat("tuple<", 1000) + ")", 1, 1554, "nested more than 256 deep"},
	{"deep attributes", "module attributes {x = " + strings.Repeat("[", 1000) + "} {}", 1, 279, "nested more than 256 deep"},
	{"number of results", "func.func @f() {\n  %0:0 = stablehlo.iota dim = 0 : tensor<3xi32>\n}", 2, 6, "at least 1"},
	{"branch", "func.func @f() {\n  \"cf.br\"()[^bb1] : () -> ()\n}", 2, 12, "branches to other blocks"},
	{"mixed parameters", "func.func @f(%x: tensor<f32>, tensor<f32>)", 1, 31, "either all parameters have a name or none"},
	{"reduce with another operation", "func.func @f(%x: tensor<2xf32>, %i: tensor<f32>) {\n  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.subtract across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>\n}", 2, 46, "not stablehlo.subtract"},
	{"convolution dimensions", `module attributes {x = #stablehlo.conv<[b, 0, q]x[0, i, o]->[b, 0, f]>} {}`, 1, 47, "expected a spatial dimension, b or f, found 'q'"},
	{"unknown field", `module attributes {x = #stablehlo.gather<offsets = [0]>} {}`, 1, 42, "expected one of offset_dims"},
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range syntaxErrors {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.text)
			var e *SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a *SyntaxError", err)
			}
			if e.Line != tt.line || e.Col != tt.col || !strings.Contains(e.Msg, tt.want) {
				t.Errorf("got %d:%d: %s\nwant %d:%d: …%s…", e.Line, e.Col, e.Msg, tt.line, tt.col, tt.want)
			}
			if lines := strings.Split(e.Error(), "\n"); len(lines) != 3 || !strings.HasSuffix(lines[2], "^") {
				t.Errorf("the error has no line with a caret:\n%v", e)
			}
		})
	}
}

// TestSyntaxErrorCaret shows the whole error once.
func TestSyntaxErrorCaret(t *testing.T) {
	_, err := Parse("func.func @f(%x: tensor<f32>) {\n\t%0 = stablehlo.negate %y : tensor<f32>\n}")
	want := "2:24: %y is not defined here\n\t%0 = stablehlo.negate %y : tensor<f32>\n\t                      ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// violations are modules, one a family and rule of scope, that parse and are refused.
var violations = []struct{ name, text, op, constraint, want string }{
	{"elementwise type", "func.func @f(%x: tensor<2xi32>) {\n  %0 = stablehlo.sine %x : tensor<2xi32>\n  return\n}",
		"stablehlo.sine", "operand 0 (operand)", "float, complex, quantized, not tensor<2xi32>"},
	{"elementwise shape", "func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) {\n  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n  return\n}",
		"stablehlo.add", "C1", "tensor<2xf32> and tensor<3xf32>"},
	{"transpose", "func.func @f(%x: tensor<2x3xf32>) {\n  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n  return\n}",
		"stablehlo.transpose", "C2", "dimension 1 twice"},
	{"slice", "func.func @f(%x: tensor<4xf32>) {\n  %0 = stablehlo.slice %x [3:2] : (tensor<4xf32>) -> tensor<0xf32>\n  return\n}",
		"stablehlo.slice", "C3", "the start 3 is behind the limit 2 in dimension 0"},
	{"reduce", "func.func @f(%x: tensor<2xf32>, %i: tensor<f32>) {\n  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>\n  return\n}",
		"stablehlo.reduce", "C4", "1 is out of the range [0, 1)"},
	{"gather", `func.func @f(%x: tensor<3x4xf32>, %i: tensor<5x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}`, "stablehlo.gather", "C9", "collapsed dimension 0 has slice size 2"},
	{"dot", "func.func @f(%x: tensor<32x128xf32>, %y: tensor<64x10xf32>) {\n  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<64x10xf32>) -> tensor<32x10xf32>\n  return\n}",
		"stablehlo.dot_general", "C10", "contracted sizes differ: lhs axis 1 has 128, rhs axis 0 has 64"},
	{"linalg", "func.func @f(%x: tensor<3x2xf32>) {\n  %0 = stablehlo.cholesky %x : tensor<3x2xf32>\n  return\n}", "stablehlo.cholesky", "C3", "not square"},
	{"if", `func.func @f(%p: tensor<i1>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<f32>
  return
}`, "stablehlo.if", "C2", "branch 0 returns (tensor<f32>), branch 1 (tensor<i1>)"},
	{"while", `func.func @f(%x: tensor<f32>, %p: tensor<2xi1>) {
  %0 = stablehlo.while(%i = %x) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<2xi1>
  } do {
    stablehlo.return %i : tensor<f32>
  }
  return
}`, "stablehlo.while", "C1", "tensor<i1>"},
	{"call", "func.func @f(%x: tensor<f32>) {\n  call @g(%x) : (tensor<f32>) -> ()\n  return\n}\nfunc.func @g(%x: tensor<f64>) {\n  return\n}",
		"func.call", "operand", "@g takes (tensor<f64>), not (tensor<f32>)"},
	{"call of nothing", "func.func @f() {\n  call @g() : () -> ()\n  return\n}", "func.call", "symbol", "there is no function @g"},
	{"call in a circle", "func.func @f() {\n  call @g() : () -> ()\n  return\n}\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}",
		"func", "symbol", "@f calls itself through @g"},
	{"two functions", "func.func @f() {\n  return\n}\nfunc.func @f() {\n  return\n}", "func", "symbol", "two functions @f"},
	{"custom call", `func.func @f(%x: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @g(%x) {operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}`, "stablehlo.custom_call", "attribute operand_layouts", "2 is out of the range [0, 2)"},
	{"collective", `func.func @f(%x: tensor<2xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}`, "stablehlo.collective_permute", "C2", "the id 0 is a source twice"},
	{"groups of nothing", `func.func @f(%x: tensor<4x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<> : tensor<0x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}`, "stablehlo.all_to_all", "C8", "of 2 are needed"},
	{"recv", `func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}`, "stablehlo.recv", "C1", "type 3"},
	{"dynamic reshape", `func.func @f(%x: tensor<4xf32>) {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %1 = stablehlo.dynamic_reshape %x, %0 : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}`, "stablehlo.dynamic_reshape", "C2", "4 elements"},
	{"bounds", "func.func @f(%x: tensor<?x2xf32, #stablehlo.bounds<4>>) {\n  return\n}", "func", "type", "1 bounds for rank 2"},
	{"random", `func.func @f(%a: tensor<i32>, %s: tensor<1xi64>) {
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return
}`, "stablehlo.rng", "C2", "of floats"},
	{"quantized", "func.func @f(%x: tensor<2x!quant.uniform<i8:f32, 1.0:300>>) {\n  %0 = stablehlo.negate %x : tensor<2x!quant.uniform<i8:f32, 1.0:300>>\n  return\n}",
		"stablehlo.negate", "C8", "the zero point 300"},
	{"chlo", "func.func @f(%x: tensor<f32>) {\n  %0:2 = chlo.top_k(%x, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)\n  return\n}",
		"chlo.top_k", "operand 0 (operand)", "a scalar"},
	{"check", "func.func @f(%x: tensor<f32>, %y: tensor<2xf32>) {\n  \"check.expect_eq\"(%x, %y) : (tensor<f32>, tensor<2xf32>) -> ()\n  return\n}",
		"check.expect_eq", "operand", "tensor<f32> and tensor<2xf32>"},
	{"no return", "func.func @f(%x: tensor<f32>) {\n  %0 = stablehlo.negate %x : tensor<f32>\n}", "stablehlo.negate", "regions", "ends in func.return"},
	{"wrong return", "func.func @f(%x: tensor<f32>) -> tensor<f64> {\n  return %x : tensor<f32>\n}", "func.return", "operand", "result 0 is tensor<f32>, the function says tensor<f64>"},
	{"missing attribute", "func.func @f(%x: tensor<2x3xf32>) {\n  %0 = \"stablehlo.transpose\"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>\n  return\n}",
		"stablehlo.transpose", "attribute permutation", "it is missing"},
	{"regions", "func.func @f(%x: tensor<2xf32>) {\n  %0 = \"stablehlo.sort\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return\n}", "stablehlo.sort", "regions", "0 regions, not 1"},
	{"infeed", "func.func @f(%t: !stablehlo.token) {\n  %0 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> tensor<f32>\n  return\n}", "stablehlo.infeed", "C3", "to be a token"},
}

func TestViolations(t *testing.T) {
	for _, tt := range violations {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var e *VerifyError
			if err := Verify(m); !errors.As(err, &e) {
				t.Fatalf("got %v, want a *VerifyError", err)
			}
			if e.Op != tt.op || e.Constraint != tt.constraint || !strings.Contains(e.Msg, tt.want) {
				t.Errorf("got %s: %s: %s\nwant %s: %s: …%s…", e.Op, e.Constraint, e.Msg, tt.op, tt.constraint, tt.want)
			}
		})
	}
}

// TestVerifyBuilt refuses what only a builder can get wrong: values of another function, results that point elsewhere.
func TestVerifyBuilt(t *testing.T) {
	parse := func() *Module {
		m, err := Parse("func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.negate %x : tensor<f32>\n  return %0 : tensor<f32>\n}")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, tt := range []struct {
		name string
		harm func(f *Func)
	}{
		{"use before definition", func(f *Func) {
			ops := f.Body.Block().Ops
			ops[0], ops[1] = ops[1], ops[0]
		}},
		{"value of another module", func(f *Func) { f.Body.Block().Ops[0].Operands[0] = parse().Funcs[0].Args()[0] }},
		{"result without its operation", func(f *Func) { f.Body.Block().Ops[0].Results[0].Def = nil }},
		{"operand missing", func(f *Func) { f.Body.Block().Ops[0].Operands[0] = nil }},
		{"parameter type", func(f *Func) { f.In[0] = Token{} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := parse()
			tt.harm(m.Funcs[0])
			var e *VerifyError
			if err := Verify(m); !errors.As(err, &e) {
				t.Errorf("got %v, want a *VerifyError", err)
			}
		})
	}
}
