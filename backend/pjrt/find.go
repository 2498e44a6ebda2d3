package pjrt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pantograph-go/pantograph/internal/debug"
)

// NoPluginError: there is no plugin for a platform anywhere it was looked for.
//
//	no PJRT plugin for cpu. Looked at:
//	    /home/me/venv/lib/python3.11/site-packages/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so
//	Install one with: pip install --no-deps lammps-jax-pjrt-cpu==0.11.2
type NoPluginError struct {
	Platform string
	Tried    []string // files and folders, in order
	Advice   string   // how to get one, empty where nothing is known
}

func (e *NoPluginError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no PJRT plugin for %s", e.Platform)
	if len(e.Tried) > 0 {
		b.WriteString(". Looked at:\n    " + strings.Join(e.Tried, "\n    "))
	}
	if e.Advice != "" {
		b.WriteString("\n" + e.Advice)
	}
	return b.String()
}

// packaged are the plugins in Python packages, relative to a site-packages folder, newest first.
var packaged = map[string][]string{
	"cpu": {
		"lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
		"fastatomstruct_xla_cpu/libpjrt_cpu.so",
		"xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
	},
	"cuda": {
		"jax_plugins/xla_cuda13/xla_cuda_plugin.so",
		"jax_plugins/xla_cuda12/xla_cuda_plugin.so",
	},
}

var advice = map[string]string{
	"cpu":  "Install one with: pip install --no-deps lammps-jax-pjrt-cpu==0.11.2",
	"cuda": "Install one with: pip install \"jax[cuda12]\"",
}

// Locate finds the file of a platform's plugin. The first of these that exists counts: file, where it is not empty; the
// keys pjrt.cpu and pjrt.cuda of PANTOGRAPH; a name:path pair in PJRT_NAMES_AND_LIBRARY_PATHS; a file with a usual name
// in the folders of PJRT_PLUGIN_LIBRARY_PATH; the Python packages that carry one, in the environment VIRTUAL_ENV, then
// where python3 looks. packages replaces the list of files in such packages. A file that was named outright but
// is not there is an error, as is finding nothing: a *NoPluginError with all that was tried. Nothing is ever downloaded.
func Locate(platform, file string, packages ...string) (string, error) {
	s := search{platform: platform, packages: packages}
	if packages == nil {
		s.packages = packaged[platform]
	}
	for _, named := range []string{file, debug.Current().PluginFile(platform)} {
		if named == "" {
			continue
		}
		if s.try(named) {
			return s.found, nil
		}
		return "", s.failed()
	}
	if s.environment() || s.python() {
		return s.found, nil
	}
	return "", s.failed()
}

// search remembers what was tried.
type search struct {
	platform string
	packages []string
	tried    []string
	found    string
}

func (s *search) failed() error { return &NoPluginError{s.platform, s.tried, advice[s.platform]} }

// try takes a file if it exists. Its path is made absolute: the dynamic loader searches for a bare name by itself.
func (s *search) try(file string) bool {
	abs, err := filepath.Abs(file)
	if err != nil || slices.Contains(s.tried, abs) {
		return false
	}
	s.tried = append(s.tried, abs)
	if info, err := os.Stat(abs); err != nil || !info.Mode().IsRegular() {
		return false
	}
	s.found = abs
	return true
}

// environment looks where JAX's and XLA's own variables say.
func (s *search) environment() bool {
	for pair := range strings.SplitSeq(os.Getenv("PJRT_NAMES_AND_LIBRARY_PATHS"), ",") {
		if name, path, ok := strings.Cut(strings.TrimSpace(pair), ":"); ok && name == s.platform && s.try(path) {
			return true
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PJRT_PLUGIN_LIBRARY_PATH")) {
		for _, name := range []string{"pjrt_c_api_%s_plugin.so", "libpjrt_%s.so", "pjrt-plugin-%s.so"} {
			if dir != "" && s.try(filepath.Join(dir, fmt.Sprintf(name, s.platform))) {
				return true
			}
		}
	}
	return false
}

// python looks into the packages of Python environments.
func (s *search) python() bool {
	if len(s.packages) == 0 {
		return false
	}
	if venv := os.Getenv("VIRTUAL_ENV"); venv != "" {
		dirs, _ := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages"))
		if len(dirs) == 0 {
			s.tried = append(s.tried, filepath.Join(venv, "lib", "python3*", "site-packages"))
		}
		slices.Reverse(dirs)
		if s.sites(dirs) {
			return true
		}
	}
	if debug.Current().PJRTPython && s.sites(SitePackages()) {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	dirs, _ := filepath.Glob(filepath.Join(home, ".local", "lib", "python3*", "site-packages"))
	slices.Reverse(dirs)
	return s.sites(dirs)
}

func (s *search) sites(dirs []string) bool {
	for _, dir := range dirs {
		for _, rel := range s.packages {
			if s.try(filepath.Join(dir, rel)) {
				return true
			}
		}
	}
	return false
}

// SitePackages asks python3, once in a process, for its folders of packages and the user's; none where there is no
// python3.
func SitePackages() []string { return sitePackages() }

var sitePackages = sync.OnceValue(func() []string {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	const program = `import site; print("\n".join(site.getsitepackages() + [site.getusersitepackages()]))`
	out, err := exec.CommandContext(ctx, python, "-c", program).Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
})
