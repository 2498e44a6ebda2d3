package pjrt

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pantograph-go/pantograph/internal/debug"
)

// cache keeps compiled programs in a folder, so that the next process loads them in a fiftieth of the time. Its files
// are native code for one build of one plugin on one kind of processor: all of that is part of a file's name. Several
// processes may use one folder. Whatever goes wrong with it, programs are compiled as if it were not there. Safe for
// concurrent use.
type cache struct {
	dir      string
	identity string
	limit    int64        // bytes, beyond which the files that were not used for the longest time go
	stores   atomic.Int64 // since the process began
}

const (
	cacheLimit = 1 << 30
	cacheMagic = "pantograph pjrt 1\n"
	cacheSweep = 64 // stores between two looks at the folder's size
)

// openCache returns the cache in a folder, nil where there is to be none.
func openCache(dir string, b *Backend) *cache {
	if dir == "" {
		return nil
	}
	var id strings.Builder
	fmt.Fprintln(&id, b.plugin.file, b.plugin.version(), b.version, b.devices[0].Kind, len(b.devices), os.Getenv("XLA_FLAGS"))
	if info, err := os.Stat(b.plugin.file); err == nil {
		fmt.Fprintln(&id, info.Size(), info.ModTime().UnixNano())
	}
	fmt.Fprintln(&id, runtime.GOARCH, processor())
	return &cache{dir: dir, identity: id.String(), limit: cacheLimit}
}

// processor names the features for which code is compiled.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "flags") || strings.HasPrefix(line, "Features") {
			return line
		}
	}
	return ""
}

// file is where the program of a module's text and compile options is kept.
func (c *cache) file(source string, options []byte) string {
	h := sha256.New()
	for _, part := range []string{c.identity, string(options), source} {
		fmt.Fprintf(h, "%d\n%s", len(part), part)
	}
	return filepath.Join(c.dir, hex.EncodeToString(h.Sum(nil))+".xla")
}

// load reads a program. A file that does not have the sum it was written with is removed.
func (c *cache) load(file string) ([]byte, bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	rest, ok := bytes.CutPrefix(data, []byte(cacheMagic))
	if !ok || len(rest) < sha256.Size || sha256.Sum256(rest[sha256.Size:]) != [sha256.Size]byte(rest[:sha256.Size]) {
		c.remove(file)
		return nil, false
	}
	now := time.Now()
	os.Chtimes(file, now, now) // used: the last to be removed
	return rest[sha256.Size:], true
}

func (c *cache) remove(file string) {
	debug.Logger("pjrt").Debug("cache: damaged", "file", file)
	os.Remove(file)
}

// store writes a program under another name first, so that no process ever reads half of it.
func (c *cache) store(file string, program []byte) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(program)
	_, err = f.Write(slices.Concat([]byte(cacheMagic), sum[:], program))
	err = cmp.Or(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	if c.stores.Add(1)%cacheSweep == 1 {
		c.sweep()
	}
	return nil
}

// sweep removes the files that were not used for the longest time until the rest takes less than the limit.
func (c *cache) sweep() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var files []os.FileInfo
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasSuffix(e.Name(), ".xla") {
			continue
		}
		files = append(files, info)
		total += info.Size()
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if total <= c.limit {
			return
		}
		if os.Remove(filepath.Join(c.dir, info.Name())) == nil {
			total -= info.Size()
		}
	}
}
