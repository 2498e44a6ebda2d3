package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	settings "github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

func setupVersion(*flag.FlagSet) func(*env, []string) error {
	return func(e *env, _ []string) error {
		version := "(devel)"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
			version = info.Main.Version
		}
		fmt.Fprintf(e.out, "pantograph %s, %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		fmt.Fprintf(e.out, "StableHLO %s to %s\n", hlo.MinimumVersion, hlo.CurrentVersion)
		return nil
	}
}

func setupDoctor(*flag.FlagSet) func(*env, []string) error {
	return func(e *env, _ []string) error {
		fmt.Fprintf(e.out, "%s %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		for _, name := range []string{"cpu", "pjrt:cpu", "cuda"} {
			b, err := jit.OpenBackend(name)
			if err != nil {
				fmt.Fprintf(e.out, "engine %s: %v\n", name, err)
				continue
			}
			fmt.Fprintf(e.out, "engine %s: %d devices, the first %s\n", name, len(b.Devices()), b.Devices()[0].Kind)
		}
		fmt.Fprintln(e.out, "settings in PANTOGRAPH, as key=value,…:")
		for _, k := range settings.Keys() {
			value, given := settings.Current().Given(k.Name)
			if given {
				value = " = " + value
			}
			fmt.Fprintf(e.out, "  %-12s %s%s\n", k.Name, k.Doc, value)
		}
		return settings.Err()
	}
}
