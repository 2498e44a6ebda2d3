package debug

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
)

// Key describes one key of the variable.
type Key struct {
	Name    string // as it is written
	Values  string // what may follow the equals sign; empty for a switch, which is written alone
	Default string // what holds without the key
	Doc     string // what it does, one sentence
	set     func(s *Settings, value string) error
}

// Keys lists the keys in the order of the documentation.
func Keys() []Key { return slices.Clone(keys) }

var keys = []Key{
	{"backend", "cpu, cuda, pjrt:PLATFORM, help", "cpu", "Runs programs on this backend; help lists what is there.",
		func(s *Settings, v string) error {
			if p, ok := strings.CutPrefix(v, "pjrt:"); v != "cpu" && v != "cuda" && v != "help" && (!ok || p == "") {
				return fmt.Errorf("want cpu, cuda, pjrt:PLATFORM or help")
			}
			s.Backend = v
			return nil
		}},
	{"pjrt.cpu", "FILE", "found in the environment", "Loads this PJRT plugin for pjrt:cpu.",
		func(s *Settings, v string) error { return path(&s.PJRTCPU, v) }},
	{"pjrt.cuda", "FILE", "found in the environment", "Loads this PJRT plugin for cuda.",
		func(s *Settings, v string) error { return path(&s.PJRTCUDA, v) }},
	{"pjrt.python", "on, off", "on", "off: looks for plugins without asking python3 for its site-packages folders.",
		func(s *Settings, v string) error { return onOff(&s.PJRTPython, v) }},
	{"pjrt.cache", "DIR", "nothing is kept", "Keeps what PJRT plugins compile in this folder and loads it in the next process.",
		func(s *Settings, v string) error { return path(&s.PJRTCache, v) }},
	{"cpu", "interp, static, avx2, avx512", "the best there is", "Restricts the CPU engine: interp runs one operation after the other in plain Go. The others are not told apart yet.",
		func(s *Settings, v string) error { return oneOf(&s.CPU, v, "interp", "static", "avx2", "avx512") }},
	{"opt", "0, 1, 2", "2", "How much the CPU engine optimises. Not built yet.",
		func(s *Settings, v string) error { return number(&s.Opt, v, 0, 2) }},
	{"threads", "N", "one for each processor", "Workers of the CPU engine.",
		func(s *Settings, v string) error { return number(&s.Threads, v, 1, 1<<16) }},
	{"log", "LEVEL, PART:LEVEL, joined by +", "warn", "Logs to stderr from this level on (debug, info, warn, error), everywhere or in one part.",
		func(s *Settings, v string) error { return s.setLog(v) }},
	{"dump", "DIR", "nothing is written", "Writes what every compilation makes into this folder: the plan of the CPU engine, the module that a PJRT plugin gets.",
		func(s *Settings, v string) error { return path(&s.Dump, v) }},
	{"off", "PASS, joined by +", "every pass runs", "Leaves out passes by name.",
		func(s *Settings, v string) error { s.off = strings.Split(v, "+"); return nil }},
	{"time", "", "off", "Reports the time of each pass.",
		func(s *Settings, v string) error { return onOff(&s.Time, v) }},
	{"check", "", "off", "Verifies jaxprs and modules after every step.",
		func(s *Settings, v string) error { return onOff(&s.Check, v) }},
	{"nojit", "", "off", "Runs jitted functions eagerly, one operation after the other.",
		func(s *Settings, v string) error { return onOff(&s.NoJIT, v) }},
	{"nans", "", "off", "Stops with an error at the first operation that makes a NaN. Not built yet.",
		func(s *Settings, v string) error { return onOff(&s.NaNs, v) }},
	{"trace", "FILE", "nothing is written", "Writes a profile of the run that Perfetto shows. Not built yet.",
		func(s *Settings, v string) error { return path(&s.Trace, v) }},
	{"traceback", "full", "the user's line only", "full: errors show the library's own frames too. Not built yet.",
		func(s *Settings, v string) error {
			var mode string
			err := oneOf(&mode, v, "full")
			s.FullTraceback = err == nil
			return err
		}},
}

func path(to *string, v string) error {
	if v == "" {
		return fmt.Errorf("want a path")
	}
	*to = v
	return nil
}

func onOff(to *bool, v string) error {
	switch v {
	case "", "on", "1", "true":
		*to = true
	case "off", "0", "false":
		*to = false
	default:
		return fmt.Errorf("want on or off")
	}
	return nil
}

func oneOf(to *string, v string, choices ...string) error {
	if !slices.Contains(choices, v) {
		return fmt.Errorf("want %s", strings.Join(choices, " or "))
	}
	*to = v
	return nil
}

func number(to *int, v string, low, high int) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		return fmt.Errorf("want a number from %d to %d", low, high)
	}
	*to = n
	return nil
}

// setLog reads info, or cpu:debug+jit:info, or both kinds.
func (s *Settings) setLog(v string) error {
	for _, part := range strings.Split(v, "+") {
		name, level := "", part
		if i := strings.LastIndexByte(part, ':'); i >= 0 {
			name, level = part[:i], part[i+1:]
		}
		var l slog.Level
		if err := l.UnmarshalText([]byte(level)); err != nil {
			return fmt.Errorf("want debug, info, warn or error, alone or after PART:")
		}
		if name == "" {
			s.level = l
		} else {
			s.levels = append(s.levels, partLevel{name, l})
		}
	}
	return nil
}
