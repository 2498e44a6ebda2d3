package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/vjp"
)

func TestTrainsToTheAccuracyItClaims(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	if err := run(&out, 30, 32, dir, true, false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var accuracy float64
	if _, err := fmt.Sscanf(lines[len(lines)-1], "test accuracy %g", &accuracy); err != nil || accuracy < 0.97 {
		t.Errorf("the last line is %q, want an accuracy of at least 0.97", lines[len(lines)-1])
	}
	for _, name := range []string{"loss.svg", "misread.svg", "weights.safetensors"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestShowPrintsBothForms(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, 1, 32, t.TempDir(), true, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"{ lambda ;", "target_name=example.rms_norm", "module @jit_", "stablehlo.custom_call @example.rms_norm"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("-show lacks %q", want)
		}
	}
}

// The rule attached to the foreign call against central differences.
func TestRMSNormGradient(t *testing.T) {
	if err := ffi.Register("example.rms_norm", rmsNormHandler); err != nil {
		t.Fatal(err)
	}
	x := random.Normal(random.Key(1), []int{7}, np.Float32)
	weights := random.Normal(random.Key(2), []int{7}, np.Float32)
	f := func(x *np.Array) *np.Array { return rmsNorm.Call(x).Mul(weights).Sum() }
	got := vjp.Grad(f).Call(x).Float32s()
	const h = 1e-2
	for i := range got {
		up, down := f(x.At(i).Add(h)).Float(), f(x.At(i).Add(-h)).Float()
		if want := (up - down) / (2 * h); math.Abs(float64(got[i])-want) > 2e-3*(1+math.Abs(want)) {
			t.Errorf("element %d of the gradient is %v, by differences %v", i, got[i], want)
		}
	}
}

// The same program on XLA reads the same digits.
func TestOnXLA(t *testing.T) {
	b, err := jit.OpenBackend("pjrt:cpu")
	if err != nil {
		t.Skipf("no XLA to compare with: %v", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	own, err := jit.Default()
	if err != nil {
		t.Fatal(err)
	}
	last := func() string {
		var out bytes.Buffer
		if err := run(&out, 3, 32, t.TempDir(), true, false); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		return lines[len(lines)-1]
	}
	want := last()
	jit.SetDefault(b)
	defer jit.SetDefault(own)
	if got := last(); got != want {
		t.Errorf("XLA gives %q, the CPU engine %q", got, want)
	}
}
