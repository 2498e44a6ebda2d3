package pjrt

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
)

// alone clears what on this machine could name a plugin.
func alone(t *testing.T, settings string) {
	for _, v := range []string{"PJRT_NAMES_AND_LIBRARY_PATHS", "PJRT_PLUGIN_LIBRARY_PATH", "VIRTUAL_ENV"} {
		t.Setenv(v, "")
	}
	t.Setenv("HOME", t.TempDir())
	s, err := debug.Parse(settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(debug.Override(s))
}

func touch(t *testing.T, parts ...string) string {
	t.Helper()
	file := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// The first place that has a plugin wins, in the order of the list here from the last to the first.
func TestLocateOrder(t *testing.T) {
	dir := t.TempDir()
	alone(t, "pjrt.python=off")
	user := touch(t, os.Getenv("HOME"), ".local/lib/python3.12/site-packages/fastatomstruct_xla_cpu/libpjrt_cpu.so")
	locate := func(file, want string) {
		t.Helper()
		if got, err := Locate("cpu", file); err != nil || got != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
	locate("", user)
	newer := touch(t, os.Getenv("HOME"), ".local/lib/python3.12/site-packages/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so")
	locate("", newer)

	venv := touch(t, dir, "venv/lib/python3.11/site-packages/xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so")
	t.Setenv("VIRTUAL_ENV", filepath.Join(dir, "venv"))
	locate("", venv)

	folder := touch(t, dir, "folder/pjrt-plugin-cpu.so")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", strings.Join([]string{filepath.Join(dir, "none"), filepath.Join(dir, "folder")}, string(os.PathListSeparator)))
	locate("", folder)
	usual := touch(t, dir, "folder/libpjrt_cpu.so")
	locate("", usual)

	named := touch(t, dir, "named.so")
	t.Setenv("PJRT_NAMES_AND_LIBRARY_PATHS", "cuda:"+filepath.Join(dir, "cuda.so")+", cpu:"+named)
	locate("", named)

	setting := touch(t, dir, "setting.so")
	s, err := debug.Parse("pjrt.cpu=" + setting)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(debug.Override(s))
	locate("", setting)

	option := touch(t, dir, "option.so")
	locate(option, option)
	t.Chdir(dir)
	locate("option.so", option)
}

// A file that was named outright but is not there is an error, even where another plugin could be found.
func TestLocateMissing(t *testing.T) {
	dir := t.TempDir()
	alone(t, "pjrt.python=off")
	touch(t, os.Getenv("HOME"), ".local/lib/python3.12/site-packages/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so")
	var e *NoPluginError
	if _, err := Locate("cpu", filepath.Join(dir, "no.so")); !errors.As(err, &e) || !slices.Equal(e.Tried, []string{filepath.Join(dir, "no.so")}) {
		t.Errorf("got %v", err)
	}
	_, err := Locate("tpu", "")
	if !errors.As(err, &e) || e.Platform != "tpu" || err.Error() != "no PJRT plugin for tpu" {
		t.Errorf("unknown platform: got %v", err)
	}
	t.Setenv("VIRTUAL_ENV", dir)
	_, err = Locate("cuda", "")
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "no PJRT plugin for cuda. Looked at:\n    "+dir) || !strings.Contains(err.Error(), "pip install") {
		t.Errorf("cuda: got %v", err)
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := Open(Options{Plugin: "/no/such.so"}); err == nil {
		t.Error("a plugin that is not there was opened")
	} else if unsupported := (*backend.Unsupported)(nil); errors.As(err, &unsupported) {
		t.Skip(err)
	}
	dir := t.TempDir()
	var e *LoadError
	if _, err := Open(Options{Plugin: touch(t, dir, "empty.so")}); !errors.As(err, &e) || !strings.Contains(err.Error(), "load PJRT plugin "+dir+"/empty.so: ") {
		t.Errorf("an empty file: got %v", err)
	}
	b := cpu(t)
	if _, err := Open(Options{Platform: "cuda", Plugin: b.plugin.file}); !errors.As(err, &e) || !strings.Contains(err.Error(), "the plugin is for platform cpu; cuda was asked for") {
		t.Errorf("another platform's plugin: got %v", err)
	}
	for _, tt := range []struct {
		name  string
		value any
		want  string
	}{
		{"cpu_device_count", "two", "client option cpu_device_count takes a int, got a string"},
		{"asynchronous", 1, "client option asynchronous takes a bool, got a int"},
		{"something", 1.5, "client option something is a float64; want string, int, []int64, float32 or bool"},
	} {
		if _, err := Open(Options{Create: map[string]any{tt.name: tt.value}}); err == nil || err.Error() != tt.want {
			t.Errorf("%s=%v: got %v", tt.name, tt.value, err)
		}
	}
	two, err := Open(Options{Create: map[string]any{"cpu_device_count": 3}})
	if err != nil || len(two.Devices()) != 3 {
		t.Errorf("three devices: %v", err)
	}
}
