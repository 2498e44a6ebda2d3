package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// command is a subcommand. setup adds its flags and returns what runs it with the arguments that are no flags.
type command struct {
	name, args, does string
	setup            func(f *flag.FlagSet) func(e *env, args []string) error
}

// env is what a command may use of the world.
type env struct {
	in        io.Reader
	out, errs io.Writer
}

func commands() []command {
	return []command{
		{"run", "MODULE", "run a module on inputs", setupRun},
		{"show", "MODULE", "print a module, or counts, shapes and costs", setupShow},
		{"opt", "MODULE", "run passes over a module and print it", setupOpt},
		{"translate", "MODULE", "convert between text, bytecode and versions", setupTranslate},
		{"version", "", "print the versions of this program and of StableHLO", setupVersion},
		{"doctor", "", "say which engines and settings there are", setupDoctor},
	}
}

// misuse is an error of how the command was called.
type misuse struct{ error }

func misusef(format string, a ...any) error { return misuse{fmt.Errorf(format, a...)} }

func main() { os.Exit(run(os.Args[1:], &env{os.Stdin, os.Stdout, os.Stderr})) }

func run(args []string, e *env) int {
	if len(args) == 0 {
		usage(e.errs)
		return 2
	}
	name := args[0]
	if name == "-h" || name == "-help" || name == "--help" || name == "help" {
		usage(e.out)
		return 0
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(args[1:], e)
		}
	}
	fmt.Fprintf(e.errs, "pantograph: there is no command %s\n", name)
	usage(e.errs)
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: pantograph COMMAND [flags] [file]")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.does)
	}
}

func (c command) run(args []string, e *env) int {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	do := c.setup(f)
	help := func(w io.Writer) {
		fmt.Fprintln(w, strings.TrimRight("usage: pantograph "+c.name+" [flags] "+c.args, " "))
		f.SetOutput(w)
		f.PrintDefaults()
		f.SetOutput(io.Discard)
	}
	rest, err := parseFlags(f, args)
	if errors.Is(err, flag.ErrHelp) {
		help(e.out)
		return 0
	}
	if err == nil {
		if want := len(strings.Fields(c.args)); len(rest) != want {
			err = fmt.Errorf("%d files are given, %d wanted", len(rest), want)
		}
		if err == nil {
			if err = do(e, rest); err == nil {
				return 0
			}
			if !errors.As(err, &misuse{}) {
				fmt.Fprintf(e.errs, "pantograph %s: %v\n", c.name, err)
				return 1
			}
		}
	}
	fmt.Fprintf(e.errs, "pantograph %s: %v\n", c.name, err)
	help(e.errs)
	return 2
}

// parseFlags reads flags before and behind the other arguments.
func parseFlags(f *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if args = f.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }
