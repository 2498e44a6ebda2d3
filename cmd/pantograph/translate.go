package main

import (
	"flag"

	"github.com/pantograph-go/pantograph/lower/hlo"
)

func setupTranslate(f *flag.FlagSet) func(*env, []string) error {
	to := f.String("to", "text", "the `form` to write: text, generic or bytecode")
	target := f.String("target", hlo.CurrentVersion.String(), "the `version` of StableHLO that bytecode is for")
	locations := f.Bool("locations", false, "write into text where operations came from")
	output := f.String("o", "", "write to a `file`")
	return func(e *env, args []string) error {
		version, err := hlo.ParseVersion(*target)
		if err != nil {
			return misuse{err}
		}
		if *to != "text" && *to != "generic" && *to != "bytecode" {
			return misusef("-to is text, generic or bytecode, not %s", *to)
		}
		m, err := verified(e, args[0])
		if err != nil {
			return err
		}
		if *to == "bytecode" {
			data, err := hlo.WriteBytecode(m.Module, version)
			if err != nil {
				return err
			}
			return write(e, *output, data)
		}
		return write(e, *output, []byte(hlo.Options{Generic: *to == "generic", Locations: *locations}.Format(m.Module)))
	}
}
