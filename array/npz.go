package array

import (
	"archive/zip"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// ReadNpz reads NumPy's .npz format, a zip archive of .npy files, stored or compressed. The keys are the file names
// without .npy. size is the length of the archive.
func ReadNpz(r io.ReaderAt, size int64) (map[string]*Array, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: %w", err)
	}
	arrays := map[string]*Array{}
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		x, err := readNpzMember(f)
		if err != nil {
			return nil, fmt.Errorf("npz: %s: %w", f.Name, err)
		}
		arrays[name] = x
	}
	return arrays, nil
}

func readNpzMember(f *zip.File) (*Array, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	x, err := ReadNpy(r)
	if err != nil {
		return nil, err
	}
	// Reading to the end makes the archive's checksum count.
	if n, err := io.Copy(io.Discard, io.LimitReader(r, 1)); err != nil {
		return nil, err
	} else if n > 0 {
		return nil, fmt.Errorf("there is data after the array")
	}
	return x, nil
}

// WriteNpz writes arrays in NumPy's .npz format, uncompressed and in the order of their names, so that the same arrays
// give the same bytes.
func WriteNpz(w io.Writer, arrays map[string]*Array) error {
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err == nil {
			err = WriteNpy(f, arrays[name])
		}
		if err != nil {
			return fmt.Errorf("npz: %s: %w", name, err)
		}
	}
	return z.Close()
}
