// Command bench runs the workloads of ../shared/bench through the public Go API and prints one JSON line each, in the
// form that the comparison there reads. A workload that cannot run prints a line with the error.
//
//	go run ./internal/bench -spec ../shared/bench/workloads.json -threads 2 -only 'matmul/*,reductions/*'
//
// spec.go makes inputs and checksums and measure.go takes the times, both by the rules at the head of the specification. The
// computations are in the other files, by group; stages.go has those that time tracing and compiling, memory.go
// those that measure a fresh process.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path"
	"runtime"
	"strings"

	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
)

// computations maps the name of a workload to a Go function of its inputs.
var computations = map[string]any{}

// list is a computation with many inputs.
type list = func(in []*np.Array) []*np.Array

// eager is an operation that is timed uncompiled.
type eager func(x, y *np.Array) *np.Array

func main() {
	log.SetFlags(0)
	spec := flag.String("spec", "../shared/bench/workloads.json", "the file of workloads")
	threads := flag.Int("threads", 2, "processors to use")
	only := flag.String("only", "*", "names to run: patterns separated by commas, in which * stands for any text")
	child := flag.String("memory", "", "run this memory workload in the process and print its peak")
	flag.Parse()
	runtime.GOMAXPROCS(*threads)
	all, err := readSpec(*spec)
	if err != nil {
		log.Fatal(err)
	}
	if *child != "" {
		if err := memoryChild(*child, all); err != nil {
			log.Fatal(err)
		}
		return
	}
	out := json.NewEncoder(os.Stdout)
	for _, w := range all {
		if !matches(w.Name, *only) {
			continue
		}
		l := line{Workload: w.Name, Peer: "pantograph", Threads: *threads}
		if err := w.run(&l, all, *spec); err != nil {
			l = line{Workload: l.Workload, Peer: l.Peer, Threads: l.Threads, Error: strings.SplitN(err.Error(), "\n", 2)[0]}
		}
		if err := out.Encode(l); err != nil {
			log.Fatal(err)
		}
	}
}

// matches reports that a name fits one of the patterns; * also stands for slashes.
func matches(name, patterns string) bool {
	flat := strings.NewReplacer("/", "\x00")
	for p := range strings.SplitSeq(patterns, ",") {
		if ok, err := path.Match(flat.Replace(p), flat.Replace(name)); ok && err == nil {
			return true
		}
	}
	return false
}

// run measures one workload into l.
func (w *workload) run(l *line, all []*workload, spec string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	switch w.Timed {
	case "compile":
		return w.runCompile(l, all)
	case "trace":
		return w.runTrace(l)
	case "peak memory":
		return w.runMemory(l, spec)
	}
	f := computations[w.Name]
	if f == nil {
		return fmt.Errorf("not written yet")
	}
	in, err := w.inputs()
	if err != nil {
		return err
	}
	call := caller(f, in)
	res := call()
	if l.Checksum, l.ChecksumAbs, err = w.checksum(res); err != nil {
		return err
	}
	l.measure(func() { call() }, w.minReps())
	return nil
}

// caller compiles f, unless it is timed uncompiled, and returns the call on the inputs.
func caller(f any, in []*np.Array) func() []*np.Array {
	switch f := f.(type) {
	case eager:
		return func() []*np.Array { return []*np.Array{f(in[0], in[1])} }
	case list:
		g := jit.Of(f)
		return func() []*np.Array { return g.CallAll(in) }
	}
	args := make([]any, len(in))
	for i, x := range in {
		args[i] = x
	}
	g := jit.Of(f)
	return func() []*np.Array { return g.CallAll(args...) }
}

// inputs makes the arrays of a workload.
func (w *workload) inputs() ([]*np.Array, error) {
	if w.Group == "random" {
		return []*np.Array{random.Key(w.Seed)}, nil
	}
	var in []*np.Array
	for _, i := range w.Inputs {
		x, err := i.array()
		if err != nil {
			return nil, err
		}
		in = append(in, x)
	}
	if w.Name == "fft/c2c_1024x1024" {
		in = []*np.Array{in[0].Add(in[1].Mul(complex64(1i)))}
	}
	return in, nil
}
