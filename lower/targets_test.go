package lower

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

func TestTargetsOfAModule(t *testing.T) {
	m, err := hlo.Parse(`func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) : (tensor<f32>) -> tensor<f32> loc("a.go":3:0)
    stablehlo.return %1 : tensor<f32>
  }, {
    %2 = stablehlo.custom_call @my_cuda(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %3 = func.call @f(%0) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @lapack_sgeqrf(%x) : (tensor<f32>) -> tensor<f32> loc("b.go":7:0)
  return %0 : tensor<f32>
}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Targets(m), []string{"lapack_sgeqrf_ffi", "my_cuda", "lapack_sgeqrf"}; !slices.Equal(got, want) {
		t.Errorf("targets %v, want %v", got, want)
	}
	var target *array.TargetError
	for _, tt := range []struct {
		disabled []DisabledCheck
		names    []string // that the error has; none: it passes
	}{
		{nil, []string{"my_cuda", `"lapack_sgeqrf" at b.go:7`}},
		{[]DisabledCheck{DisabledCustomCall("my_cuda")}, []string{"lapack_sgeqrf"}},
		{[]DisabledCheck{DisabledCustomCall("my_"), DisabledPlatform}, []string{"my_cuda", "lapack_sgeqrf"}},
		{[]DisabledCheck{DisabledCustomCall("my_cuda"), DisabledCustomCall("lapack_sgeqrf")}, nil},
		{[]DisabledCheck{DisabledCustomCall("ALL")}, nil},
	} {
		err := CheckTargets(m, tt.disabled...)
		if (err != nil) != (tt.names != nil) {
			t.Errorf("%v: %v", tt.disabled, err)
			continue
		}
		for _, name := range tt.names {
			if !errors.As(err, &target) || !strings.Contains(err.Error(), name) {
				t.Errorf("%v: %v does not name %s", tt.disabled, err, name)
			}
		}
	}
}

func TestStableTargets(t *testing.T) {
	list := StableTargets()
	if len(list) != 4*12+2*8+24 || !slices.Contains(list, "lapack_zheevd_ffi") || slices.Contains(list, "lapack_zsyevd_ffi") || slices.Contains(list, "lapack_dungqr_ffi") {
		t.Errorf("%d targets: %v", len(list), list)
	}
}
