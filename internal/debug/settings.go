package debug

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Variable is the name of the environment variable.
const Variable = "PANTOGRAPH"

// Settings are the values of all keys. They never change after Parse.
type Settings struct {
	Backend    string // empty where the key is absent
	PJRTCPU    string // plugin file, empty to look for one
	PJRTCUDA   string
	PJRTPython bool   // ask python3 where plugins are
	PJRTCache  string // folder of compiled programs, empty for none
	CPU        string // executor of the CPU engine, empty for the best
	Opt        int
	Threads    int    // 0 for one per processor
	Dump       string // folder, empty for none
	Time       bool
	Check      bool
	NoJIT      bool
	NaNs       bool
	Trace      string // file, empty for none

	FullTraceback bool

	off    []string
	level  slog.Level
	levels []partLevel
	given  map[string]string // the text of the keys that were set
}

type partLevel struct {
	part  string
	level slog.Level
}

// Off reports that the pass of this name is to be left out.
func (s *Settings) Off(pass string) bool { return slices.Contains(s.off, pass) }

// OffPasses are all passes that are to be left out, for a check that each exists.
func (s *Settings) OffPasses() []string { return slices.Clone(s.off) }

// Level is the level from which a part of the library (cpu, jit, pjrt, …) logs.
func (s *Settings) Level(part string) slog.Level {
	for _, p := range s.levels {
		if p.part == part {
			return p.level
		}
	}
	return s.level
}

// Given returns the text that was given for a key.
func (s *Settings) Given(key string) (value string, ok bool) {
	value, ok = s.given[key]
	return value, ok
}

// PluginFile is the PJRT plugin that was named for a platform, empty where none was.
func (s *Settings) PluginFile(platform string) string {
	switch platform {
	case "cpu":
		return s.PJRTCPU
	case "cuda":
		return s.PJRTCUDA
	}
	return ""
}

// Parse reads the text of the variable. The settings are usable even where err, an *Error, lists what could not be
// understood: those keys keep their defaults.
func Parse(text string) (*Settings, error) {
	s := &Settings{PJRTPython: true, Opt: 2, level: slog.LevelWarn, given: map[string]string{}}
	var bad Error
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, value, hasValue := strings.Cut(item, "=")
		i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
		if i < 0 {
			bad.Unknown = append(bad.Unknown, name)
			continue
		}
		err := keys[i].set(s, value)
		if err == nil && !hasValue && keys[i].Values != "" {
			err = fmt.Errorf("want %s=%s", name, keys[i].Values)
		}
		if err != nil {
			bad.Values = append(bad.Values, fmt.Sprintf("%s: %v", item, err))
			continue
		}
		s.given[name] = value
	}
	if bad.Unknown != nil || bad.Values != nil {
		return s, &bad
	}
	return s, nil
}

// Error lists what in the variable could not be understood.
//
//	PANTOGRAPH: unknown key "bakend" (known: backend, pjrt.cpu, …)
type Error struct {
	Unknown []string // keys that do not exist
	Values  []string // "item: what was wanted"
}

func (e *Error) Error() string {
	var parts []string
	for _, name := range e.Unknown {
		parts = append(parts, fmt.Sprintf("unknown key %q", name))
	}
	if e.Unknown != nil {
		names := make([]string, len(keys))
		for i, k := range keys {
			names[i] = k.Name
		}
		parts[len(parts)-1] += " (known: " + strings.Join(names, ", ") + ")"
	}
	return Variable + ": " + strings.Join(append(parts, e.Values...), "; ")
}

// current is the state of the process: what the variable says, or an override by a test or tool.
var current atomic.Pointer[Settings]

var fromEnv = sync.OnceValues(func() (*Settings, error) {
	s, err := Parse(os.Getenv(Variable))
	if err != nil {
		slog.Warn(err.Error())
	}
	return s, err
})

// Current returns the settings in force. Safe for concurrent use.
func Current() *Settings {
	if s := current.Load(); s != nil {
		return s
	}
	s, _ := fromEnv()
	return s
}

// Err is what was wrong with the environment variable, nil where nothing was.
func Err() error {
	_, err := fromEnv()
	return err
}

// Override puts settings in force in place of the environment's until restore is called. For tools and tests: what has
// already read the old settings keeps them.
func Override(s *Settings) (restore func()) {
	old := current.Swap(s)
	return func() { current.Store(old) }
}

// Logger is the log of one part of the library: to stderr, from the level on that the key log gives.
func Logger(part string) *slog.Logger {
	return slog.New(handler{slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}), part}).With("part", part)
}

// handler asks for the level at each record, so that a logger kept in a variable follows an override.
type handler struct {
	slog.Handler
	part string
}

func (h handler) Enabled(_ context.Context, l slog.Level) bool { return l >= Current().Level(h.part) }

func (h handler) WithAttrs(a []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(a), h.part}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(name), h.part}
}
