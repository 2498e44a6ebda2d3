// Package pages runs the Go code of the documentation and the notebooks, so that neither can go stale. A page's Go blocks
// (a notebook's code cells) are run in order: blocks that are whole programs each on their own, the others together as
// the body of one main function whose imports are found by the package names they use. What a block prints is compared
// with the output block behind it.
package pages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Block is one piece of Go code with what it should print.
type Block struct {
	Line   int    // of the page, for messages
	Code   string // without the fence
	Output string // as the page shows it
	Shown  bool   // the page shows an output, which may be empty
}

// Markdown finds the Go blocks of a page: fences of kind go, and behind each an optional fence of kind output. A block
// whose fence says "go ignore" is shown but not run.
func Markdown(page []byte) (blocks []Block, err error) {
	var kind string
	var text strings.Builder
	s := bufio.NewScanner(bytes.NewReader(page))
	start := 0
	for n := 1; s.Scan(); n++ {
		line := s.Text()
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && kind == "":
			kind, start = strings.TrimSpace(fence), n
			if kind == "" {
				kind = "text"
			}
			text.Reset()
		case isFence:
			switch kind {
			case "go":
				blocks = append(blocks, Block{Line: start, Code: text.String()})
			case "output":
				if len(blocks) == 0 {
					return nil, fmt.Errorf("line %d: an output without a block before it", start)
				}
				b := &blocks[len(blocks)-1]
				b.Output, b.Shown = text.String(), true
			}
			kind = ""
		case kind != "":
			text.WriteString(line + "\n")
		}
	}
	if kind != "" {
		return nil, fmt.Errorf("line %d: the fence is not closed", start)
	}
	return blocks, s.Err()
}

// Notebook finds the code cells of a Jupyter notebook. A cell's output is what it prints followed by the text of its
// result.
func Notebook(file []byte) (blocks []Block, err error) {
	var nb struct {
		Cells []struct {
			Type    string   `json:"cell_type"`
			Source  []string `json:"source"`
			Outputs []struct {
				Text []string            `json:"text"`
				Data map[string][]string `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(file, &nb); err != nil {
		return nil, err
	}
	for i, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		b := Block{Line: i + 1, Code: strings.Join(c.Source, "") + "\n"}
		for _, o := range c.Outputs {
			b.Output += strings.Join(o.Text, "") + strings.Join(o.Data["text/plain"], "")
			b.Shown = true
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

const mark = "\x01block"

const module = "github.com/pantograph-go/pantograph/"

// paths are the imports of packages by the name they are used under.
var paths = map[string]string{
	"array": module + "array", "np": module + "np", "nn": module + "nn", "jit": module + "jit", "vmap": module + "vmap",
	"vjp": module + "vjp", "flow": module + "flow", "ffi": module + "ffi_call", "random": module + "random", "opt": module + "opt",
	"trace": module + "trace", "primitive": module + "primitive", "lower": module + "lower", "hlo": module + "lower/hlo",
	"debug": module + "debug", "tree": module + "tree", "safetensors": module + "safetensors", "backend": module + "backend",
	"cuda": module + "backend/cuda", "pjrt": module + "backend/pjrt", "fft": module + "fft", "linalg": module + "linalg",
	"special": module + "special", "stats": module + "stats",
	"fmt": "fmt", "math": "math", "os": "os", "errors": "errors", "strings": "strings", "bytes": "bytes", "context": "context", "sort": "sort",
}

var qualifier = regexp.MustCompile(`\b([a-z]+)\.[A-Z]`)

var importDecl = regexp.MustCompile(`(?ms)^import (\(.*?^\)|[^\n]*)\n`)

// Program joins blocks that are no whole programs into one.
func Program(blocks []Block) string {
	var body, decls strings.Builder
	used := map[string]bool{"fmt": true}
	for _, b := range blocks {
		code := importDecl.ReplaceAllString(b.Code, "") // found below instead
		for _, m := range qualifier.FindAllStringSubmatch(code, -1) {
			if paths[m[1]] != "" {
				used[m[1]] = true
			}
		}
		top, rest := declarations(code)
		decls.WriteString(top)
		fmt.Fprintf(&body, "%s\nfmt.Println(%q)\n", rest, mark)
	}
	names := make([]string, 0, len(used))
	for n := range used {
		names = append(names, n)
	}
	slices.Sort(names)
	var p strings.Builder
	p.WriteString("package main\n\nimport (\n")
	for _, n := range names {
		fmt.Fprintf(&p, "\t%s %q\n", n, paths[n])
	}
	fmt.Fprintf(&p, ")\n\n%s\nfunc main() {\n%s}\n", decls.String(), body.String())
	return p.String()
}

// declarations separates top-level functions and types, which start a line with func NAME or type, from statements.
func declarations(code string) (top, rest string) {
	var t, r strings.Builder
	inside := false
	for _, line := range strings.SplitAfter(code, "\n") {
		starts := regexp.MustCompile(`^(func \(|func [A-Za-z]|type )`).MatchString(line)
		if inside || starts {
			t.WriteString(line)
			inside = !strings.HasPrefix(line, "}") && !(starts && !strings.HasSuffix(strings.TrimSpace(line), "{"))
			continue
		}
		r.WriteString(line)
	}
	return t.String(), r.String()
}

// Run runs the blocks of a page and returns what differs from what it shows. root is the folder of the module.
func Run(root string, blocks []Block) error {
	var parts []Block
	for _, b := range blocks {
		if strings.HasPrefix(strings.TrimSpace(b.Code), "package main") {
			out, err := execute(root, b.Code)
			if err == nil {
				err = differs(b, out)
			}
			if err != nil {
				return fmt.Errorf("block %d: %w", b.Line, err)
			}
			continue
		}
		parts = append(parts, b)
	}
	if len(parts) == 0 {
		return nil
	}
	out, err := execute(root, Program(parts))
	pieces := strings.Split(out, mark+"\n")
	for i, b := range parts {
		if i >= len(pieces)-1 {
			return fmt.Errorf("block %d: %v\n%s", b.Line, err, out)
		}
		if err := differs(b, pieces[i]); err != nil {
			return fmt.Errorf("block %d: %w", b.Line, err)
		}
	}
	return err
}

func differs(b Block, got string) error {
	if !b.Shown && got == "" {
		return nil
	}
	if clean(got) != clean(b.Output) {
		return fmt.Errorf("it prints\n%s\nthe page shows\n%s", got, b.Output)
	}
	return nil
}

// clean drops white space at the ends of lines, which editors do too.
func clean(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func execute(root, program string) (string, error) {
	dir, err := os.MkdirTemp("", "page")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		return "", err
	}
	var out, errs bytes.Buffer
	cmd := exec.Command("go", "run", file)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w\n%s", err, errs.String())
	}
	return out.String(), nil
}
