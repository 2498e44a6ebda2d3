package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

// runMemory runs the workload in a fresh process of this program, which prints its peak.
func (w *workload) runMemory(l *line, spec string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out, err := exec.Command(self, "-spec", spec, "-threads", strconv.Itoa(l.Threads), "-memory", w.Name).Output()
	if err != nil {
		return err
	}
	if l.Value, err = strconv.Atoi(strings.TrimSpace(string(out))); err != nil {
		return err
	}
	l.Reps = 1
	return nil
}

// memoryChild runs a memory workload and prints the peak of the process in bytes.
func memoryChild(name string, all []*workload) error {
	switch name {
	case "memory/idle":
		jit.Of(func(x, y *np.Array) *np.Array { return x.Add(y) }).Call(float32(1), float32(2))
	case "memory/mlp_step":
		for _, w := range all {
			if w.Name != "programs/mlp_step" {
				continue
			}
			in, err := w.inputs()
			if err != nil {
				return err
			}
			step := jit.Of(list(mlpStep))
			for range 20 {
				copy(in, step.CallAll(in)[1:])
			}
		}
	case "memory/scan_grad_1000x1e5":
		for _, w := range all {
			if w.Name != name {
				continue
			}
			in, err := w.inputs()
			if err != nil {
				return err
			}
			jit.Of(vjp.Grad(func(x *np.Array) *np.Array {
				s, _ := flow.Scan(func(s, _ *np.Array) (*np.Array, *np.Array) { return np.Sin(s).Mul(0.9).Add(x), nil }, x, nil, flow.Length(1000))
				return s.(*np.Array).Sum()
			})).Call(in[0])
		}
	default:
		return fmt.Errorf("unknown workload %s", name)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for row := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(row, "VmHWM:"); ok {
			kib, err := strconv.Atoi(strings.Fields(rest)[0])
			fmt.Println(kib * 1024)
			return err
		}
	}
	return fmt.Errorf("the system does not tell the peak of a process")
}
