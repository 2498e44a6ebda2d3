package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// maxHeader is the largest header a file may have, as in the reference implementation.
const maxHeader = 100 << 20

// dtypes by their names in the format.
var dtypes = map[string]array.DType{
	"BOOL": array.Bool, "U8": array.Uint8, "I8": array.Int8, "U16": array.Uint16, "I16": array.Int16, "U32": array.Uint32,
	"I32": array.Int32, "U64": array.Uint64, "I64": array.Int64, "F16": array.Float16, "BF16": array.BFloat16,
	"F32": array.Float32, "F64": array.Float64, "F8_E4M3": array.Float8E4M3FN, "F8_E5M2": array.Float8E5M2, "C64": array.Complex64,
}

type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes arrays by name, sorted, with optional metadata. Reports a DTypeError for a dtype that the format lacks.
func Write(w io.Writer, arrays map[string]*array.Array, metadata map[string]string) error {
	header := map[string]any{}
	if len(metadata) > 0 {
		header["__metadata__"] = metadata
	}
	names := slices.Sorted(maps.Keys(arrays))
	data := make([][]byte, len(names))
	var at int64
	for i, name := range names {
		if name == "__metadata__" {
			return array.ArgumentErrorf("the name __metadata__ is taken by the format")
		}
		h, err := arrays[name].Host()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		format, ok := nameOf(arrays[name].DType())
		if !ok {
			return array.DTypeErrorf("%s: safetensors has no dtype for %s", name, arrays[name].Aval())
		}
		data[i] = h.Bytes()
		header[name] = entry{format, append([]int{}, arrays[name].Shape()...), [2]int64{at, at + int64(len(data[i]))}}
		at += int64(len(data[i]))
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	text = append(text, bytes.Repeat([]byte(" "), (8-len(text)%8)%8)...) // the data starts aligned to 8 bytes
	if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)); err != nil {
		return err
	}
	for _, d := range data {
		if _, err := w.Write(d); err != nil {
			return err
		}
	}
	return nil
}

func nameOf(d array.DType) (string, bool) {
	for name, e := range dtypes {
		if e == d {
			return name, true
		}
	}
	return "", false
}

// Read reads what Write wrote. Reports an error that names the array where the file is damaged.
func Read(r io.Reader) (arrays map[string]*array.Array, metadata map[string]string, err error) {
	var size [8]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, nil, fmt.Errorf("safetensors: no header: %w", err)
	}
	n := binary.LittleEndian.Uint64(size[:])
	if n > maxHeader {
		return nil, nil, fmt.Errorf("safetensors: the header claims %d bytes; at most %d are allowed", n, maxHeader)
	}
	text, err := readExactly(r, int64(n))
	if err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}
	if m, ok := raw["__metadata__"]; ok {
		if err := json.Unmarshal(m, &metadata); err != nil {
			return nil, nil, fmt.Errorf("safetensors: __metadata__: %w", err)
		}
		delete(raw, "__metadata__")
	}
	entries := map[string]entry{}
	for name, m := range raw {
		var e entry
		if err := json.Unmarshal(m, &e); err != nil {
			return nil, nil, fmt.Errorf("safetensors: %s: %w", name, err)
		}
		entries[name] = e
	}
	arrays = map[string]*array.Array{}
	// In the order of the data: the format leaves no holes and no overlaps.
	order := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		x, y := entries[a].Offsets, entries[b].Offsets
		if x != y {
			return int(min(max(x[0]-y[0], -1), 1))*2 + int(min(max(x[1]-y[1], -1), 1))
		}
		return bytes.Compare([]byte(a), []byte(b))
	})
	var at int64
	for _, name := range order {
		e := entries[name]
		buf, err := readEntry(r, e, at)
		if err != nil {
			return nil, nil, fmt.Errorf("safetensors: %s: %w", name, err)
		}
		arrays[name] = array.Of(buf)
		at = e.Offsets[1]
	}
	return arrays, metadata, nil
}

func readEntry(r io.Reader, e entry, at int64) (*array.Buffer, error) {
	d, ok := dtypes[e.DType]
	if !ok {
		return nil, array.DTypeErrorf("unknown dtype %q", e.DType)
	}
	want := int64(d.Size())
	for _, n := range e.Shape {
		if n < 0 || (n > 0 && want > (1<<62)/int64(n)) {
			return nil, array.ShapeErrorf("impossible shape %v", e.Shape)
		}
		want *= int64(n)
	}
	if e.Offsets[0] != at || e.Offsets[1]-e.Offsets[0] != want {
		return nil, fmt.Errorf("%s%v takes %d bytes from %d on, the table says %d to %d", e.DType, e.Shape, want, at, e.Offsets[0], e.Offsets[1])
	}
	data, err := readExactly(r, want)
	if err != nil {
		return nil, err
	}
	if d == array.Bool && slices.ContainsFunc(data, func(b byte) bool { return b > 1 }) {
		return nil, fmt.Errorf("a bool that is neither 0 nor 1")
	}
	buf := array.NewBuffer(d, e.Shape)
	copy(buf.Bytes(), data)
	return buf, nil
}

// readExactly reads n bytes, taking memory only as they arrive.
func readExactly(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	if k, err := io.CopyN(&b, r, n); err != nil {
		return nil, fmt.Errorf("%d bytes are there of %d: %w", k, n, io.ErrUnexpectedEOF)
	}
	return b.Bytes(), nil
}
