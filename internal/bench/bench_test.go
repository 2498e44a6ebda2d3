package main

import (
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/np"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		name, patterns string
		want           bool
	}{
		{"matmul/f32_8", "*", true},
		{"compile/mlp_step/total", "compile/*", true},
		{"matmul/f32_8", "conv/*,matmul/f32_*", true},
		{"matmul/f32_8", "conv/*", false},
	} {
		if got := matches(c.name, c.patterns); got != c.want {
			t.Errorf("%s against %s: %v", c.name, c.patterns, got)
		}
	}
}

// The numbers are those of the recipe written out in Python.
func TestInputs(t *testing.T) {
	x, err := (&input{Shape: []int{3}, DType: "f64", Seed: 1, Lo: -1, Hi: 1}).array()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.9114075899124146, 0.49736571311950684, 0.6573774814605713} {
		if got := x.Float64s()[i]; got != want {
			t.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
}

func TestChecksum(t *testing.T) {
	w := &workload{}
	sum, abs, err := w.checksum([]*np.Array{np.Of([]float64{1, -2}), np.Of([]int{3})})
	if err != nil {
		t.Fatal(err)
	}
	if want := (1*1 - 2*38 + 3*75) / 97.0; math.Abs(*sum-want) > 1e-15 {
		t.Errorf("checksum %v, want %v", *sum, want)
	}
	if want := (1*1 + 2*38 + 3*75) / 97.0; math.Abs(*abs-want) > 1e-15 {
		t.Errorf("checksum of magnitudes %v, want %v", *abs, want)
	}
}

// Every workload of the specification that runs once agrees with its reference; the large ones are left to the command.
func TestSmallWorkloads(t *testing.T) {
	all, err := readSpec("../../../shared/bench/workloads.json")
	if err != nil {
		t.Skip("no ../shared: ", err)
	}
	quick = true
	for _, w := range all {
		if !matches(w.Name, "dispatch/*,*_1e3,matmul/f32_64,control/scan_10k_scalar,programs/hessian_*,compile/chain_100/*,trace/jaxpr_per_eq") {
			continue
		}
		var l line
		if err := w.run(&l, all, ""); err != nil {
			t.Errorf("%s: %v", w.Name, err)
			continue
		}
		if c := w.Check; c.What != "none" && math.Abs(*l.Checksum-c.Reference) > c.RTol*c.ReferenceAbs+1e-30 {
			t.Errorf("%s: checksum %v, want %v", w.Name, *l.Checksum, c.Reference)
		}
	}
}
