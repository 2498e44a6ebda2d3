package jit

import "log/slog"

// SetLogger sends what f says about its compilations elsewhere.
func SetLogger(f *Func, l *slog.Logger) { f.cache.log = l }
