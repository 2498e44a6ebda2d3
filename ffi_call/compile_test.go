package ffi_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pantograph-go/pantograph/backend/pjrt"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
)

// handlers is where the handlers of the specification are.
const handlers = "../../shared/spec/handlers"

// headers is the folder of the XLA FFI headers: that of the Python package jaxlib, in the environment VIRTUAL_ENV or where
// python3 looks, or what FFI_INCLUDE names.
var headers = sync.OnceValue(func() string {
	candidates := []string{os.Getenv("FFI_INCLUDE")}
	if venv := os.Getenv("VIRTUAL_ENV"); venv != "" {
		found, _ := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", "jaxlib", "include"))
		candidates = append(candidates, found...)
	}
	for _, dir := range pjrt.SitePackages() {
		candidates = append(candidates, filepath.Join(dir, "jaxlib", "include"))
	}
	for _, dir := range candidates {
		if _, err := os.Stat(filepath.Join(dir, "xla", "ffi", "api", "ffi.h")); dir != "" && err == nil {
			return dir
		}
	}
	return ""
})

// library compiles a handler of the specification and opens it. It skips the test where that cannot be.
func library(t testing.TB, name string) *ffi.Library {
	t.Helper()
	return compile(t, filepath.Join(handlers, name+".cc"))
}

func compile(t testing.TB, source string) *ffi.Library {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Skipf("%s is not here", source)
	}
	cxx := os.Getenv("CXX")
	for _, name := range []string{"g++", "c++", "clang++"} {
		if path, err := exec.LookPath(name); cxx == "" && err == nil {
			cxx = path
		}
	}
	if cxx == "" {
		t.Skip("no C++ compiler: handlers cannot be built")
	}
	if headers() == "" {
		t.Skip("the XLA FFI headers are not here: pip install jaxlib, or set FFI_INCLUDE to its folder include")
	}
	sum := sha256.Sum256([]byte(cxx + headers() + string(text)))
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "pantograph", "handlers")
	so := filepath.Join(dir, fmt.Sprintf("%x.so", sum[:12]))
	if _, err := os.Stat(so); err == nil {
		return ffi.Open(so)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "handler.so")
	if out, err := exec.Command(cxx, "-std=c++17", "-O2", "-fPIC", "-shared", "-pthread", "-I", headers(), "-o", made, source).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", source, err, out)
	}
	data, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	temporary := so + fmt.Sprint(os.Getpid())
	if err := os.WriteFile(temporary, data, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temporary, so); err != nil {
		t.Fatal(err)
	}
	return ffi.Open(so)
}

// recorded reads what is expected of a handler of the specification.
func recorded(t testing.TB, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(handlers, name+".json"))
	if err != nil {
		t.Skipf("%s/%s.json is not here", handlers, name)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

// register registers a handler for the time of a test.
func register(t testing.TB, target string, handler any, opts ...ffi.Option) {
	t.Helper()
	if err := ffi.Register(target, handler, opts...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ffi.Unregister(target, opts...) })
}
