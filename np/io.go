package np

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pantograph-go/pantograph/array"
)

// Load reads an array from a .npy file. array.ReadNpy reads from an io.Reader.
func Load(name string) (*Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return array.ReadNpy(f)
}

// LoadFS is Load from a file system, such as an embedded one.
func LoadFS(fsys fs.FS, name string) (*Array, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return array.ReadNpy(f)
}

// Save writes x to a .npy file, which it replaces only when all is written.
func Save(name string, x any) error {
	a, err := array.FromValue(x)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := array.WriteNpy(&b, a); err != nil {
		return err
	}
	return replaceFile(name, b.Bytes())
}

// LoadNpz reads the arrays of an .npz file by their names.
func LoadNpz(name string) (map[string]*Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return array.ReadNpz(f, info.Size())
}

// LoadNpzFS is LoadNpz from a file system.
func LoadNpzFS(fsys fs.FS, name string) (map[string]*Array, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return array.ReadNpz(bytes.NewReader(data), int64(len(data)))
}

// Savez writes arrays to an .npz file, which it replaces only when all is written.
func Savez(name string, arrays map[string]*Array) error {
	var b bytes.Buffer
	if err := array.WriteNpz(&b, arrays); err != nil {
		return err
	}
	return replaceFile(name, b.Bytes())
}

func replaceFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".np-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
