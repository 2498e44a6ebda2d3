package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pantograph-go/pantograph/backend"
)

// A testcase passes, fails or is skipped.
type testcase struct {
	name string // the file, and #piece where a file has several
	run  func(ctx context.Context, engine backend.Backend) error
}

// A suite finds the cases in a file or folder.
type suite func(path string) ([]testcase, error)

// suites are the suites by name. A new one takes its place here.
var suites = map[string]suite{
	"backcompat": backcompatCases,
	"containers": containerCases,
	"ffi":        ffiCases,
	"goldens":    goldenCases,
	"mlir":       mlirCases,
	"programs":   programCases,
	"vhlo":       vhloCases,
}

// skipped is the error of a case that cannot be judged.
type skipped struct{ reason string }

func (s *skipped) Error() string { return "skipped: " + s.reason }

// limit is the time one case may take.
const limit = 2 * time.Minute

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(errs)
	name := flags.String("suite", "", "which `suite` to run: "+strings.Join(slices.Sorted(maps.Keys(suites)), ", "))
	engineName := flags.String("engine", "cpu", "which `engine` to run: "+strings.Join(engineNames(), ", "))
	listFile := flags.String("list", "", "a `file` of the cases to run: file or file#piece lines")
	verbose := flags.Bool("v", false, "count the skipped cases by reason")
	flags.Usage = func() {
		fmt.Fprintln(errs, "usage: verify -suite NAME [-engine E] [-list FILE] [-v] PATH...")
		flags.PrintDefaults()
	}
	if flags.Parse(args) != nil {
		return 2
	}
	misuse := func(err error) int {
		fmt.Fprintln(errs, "verify:", err)
		return 2
	}
	find, ok := suites[*name]
	if !ok || flags.NArg() == 0 {
		flags.Usage()
		return 2
	}
	engine, err := openEngine(*engineName)
	if err != nil {
		return misuse(err)
	}
	defer engine.Close()
	var cases []testcase
	for _, path := range flags.Args() {
		more, err := find(path)
		if err != nil {
			return misuse(err)
		}
		cases = append(cases, more...)
	}
	if *listFile != "" {
		list, err := readList(*listFile)
		if err != nil {
			return misuse(err)
		}
		cases = slices.DeleteFunc(cases, func(c testcase) bool { return !list.holds(c.name) })
		for _, line := range list.missing() {
			return misuse(fmt.Errorf("%s lists %s, which was not found", *listFile, line))
		}
	}
	r := report{reasons: map[string]int{}}
	for _, c := range cases {
		r.add(out, c.name, judge(c, engine))
	}
	r.print(out, *verbose)
	if r.failed > 0 {
		return 1
	}
	return 0
}

// judge runs one case; a panic of the engine is a failure.
func judge(c testcase, engine backend.Backend) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return c.run(ctx, engine)
}

// report counts the outcomes.
type report struct {
	passed, failed, skipped int
	reasons                 map[string]int
}

func (r *report) add(out io.Writer, name string, err error) {
	var missing *backend.Unsupported
	var skip *skipped
	switch {
	case err == nil:
		r.passed++
	case errors.As(err, &missing):
		r.skipped++
		r.reasons[missing.Feature]++
	case errors.As(err, &skip):
		r.skipped++
		r.reasons[skip.reason]++
	default:
		r.failed++
		line, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintf(out, "FAIL %s: %s\n", name, line)
	}
}

func (r *report) print(out io.Writer, verbose bool) {
	if verbose {
		order := slices.SortedFunc(maps.Keys(r.reasons), func(a, b string) int {
			return cmp.Or(cmp.Compare(r.reasons[b], r.reasons[a]), cmp.Compare(a, b))
		})
		for _, reason := range order {
			fmt.Fprintf(out, "skipped %d: %s\n", r.reasons[reason], reason)
		}
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
}

// caseList is a list of cases by the end of their names, with a mark for those that were found.
type caseList map[string]bool

func readList(file string) (caseList, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list := caseList{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" {
			list[line] = false
		}
	}
	return list, nil
}

// holds reports that the list names a case: by its file or its piece, and by as many folders as it likes.
func (l caseList) holds(name string) bool {
	name = filepath.ToSlash(name)
	file, _, _ := strings.Cut(name, "#")
	for _, full := range []string{name, file} {
		for tail := full; ; {
			if _, ok := l[tail]; ok {
				l[tail] = true
				return true
			}
			_, rest, ok := strings.Cut(tail, "/")
			if !ok {
				break
			}
			tail = rest
		}
	}
	return false
}

// missing lists the lines that named no case.
func (l caseList) missing() []string {
	var out []string
	for line, found := range l {
		if !found {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}
