package golden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/random"
)

// Case is one recorded call, as the README of the goldens describes it.
type Case struct {
	ID       string                     `json:"id"`
	Fn       string                     `json:"fn"`
	Args     []json.RawMessage          `json:"args"`
	Kwargs   map[string]json.RawMessage `json:"kwargs"`
	X64      bool                       `json:"x64"`
	DiffArgs []int                      `json:"diff_args"`
	Out      []json.RawMessage          `json:"out"`
	JVP      *struct {
		Tangents []json.RawMessage `json:"tangents"`
		Out      []json.RawMessage `json:"out"`
	} `json:"jvp"`
	VJP *struct {
		Cotangents []json.RawMessage `json:"cotangents"`
		Out        []json.RawMessage `json:"out"`
	} `json:"vjp"`
	HVP *struct {
		Out []json.RawMessage `json:"out"`
	} `json:"hvp"`
	Vmap []Variant `json:"vmap"`
	Tol  Tolerance `json:"tol"`

	Exact *struct {
		Data json.RawMessage `json:"data"`
		Lo   json.RawMessage `json:"lo"`
	} `json:"exact"`
	Invariant   string                     `json:"invariant"`
	Post        string                     `json:"post"`
	Config      map[string]json.RawMessage `json:"config"`
	Note        string                     `json:"note"`
	Out64       []json.RawMessage          `json:"out64"`
	Unsupported json.RawMessage            `json:"unsupported"`
	Suspect     json.RawMessage            `json:"derivative_suspect"`
	Error       string                     `json:"error"`
	Message     string                     `json:"message"`
}

// Variant is the call under vmap.
type Variant struct {
	InAxes []*int            `json:"in_axes"`
	Args   []json.RawMessage `json:"args"`
	Out    []json.RawMessage `json:"out"`
	VJP    *struct {
		Cotangents []json.RawMessage `json:"cotangents"`
		Out        []json.RawMessage `json:"out"`
	} `json:"vjp"`
}

// Tolerance is that of one case.
type Tolerance struct {
	RTol float64 `json:"rtol"`
	ATol float64 `json:"atol"`
}

// Read reads cases, one JSON object a line, and calls visit for each until it returns false.
func Read(r io.Reader, visit func(*Case) bool) error {
	b := bufio.NewReaderSize(r, 1<<20)
	for line := 1; ; line++ {
		text, err := b.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			c := &Case{}
			if err := json.Unmarshal(text, c); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			if !visit(c) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Value decodes a JSON value of a case: an array becomes an *array.Array, a list a []any, an object a map, a bare number
// an int or a float64 by how it is spelt, a string, bool or nil itself.
func Value(raw json.RawMessage) (any, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0, bytes.Equal(raw, []byte("null")):
		return nil, nil
	case raw[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
		out := make([]any, len(list))
		for i, e := range list {
			var err error
			if out[i], err = Value(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	case raw[0] == '{':
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			return nil, err
		}
		if fields["dtype"] != nil && fields["data"] != nil {
			return Array(raw)
		}
		out := map[string]any{}
		for k, e := range fields {
			var err error
			if out[k], err = Value(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	case raw[0] == '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case raw[0] == 't' || raw[0] == 'f':
		return raw[0] == 't', nil
	}
	if !bytes.ContainsAny(raw, ".eE") {
		n, err := strconv.Atoi(string(raw))
		return n, err
	}
	return strconv.ParseFloat(string(raw), 64)
}

// Array decodes a recorded array.
func Array(raw json.RawMessage) (*array.Array, error) {
	var a struct {
		DType string          `json:"dtype"`
		Shape array.Shape     `json:"shape"`
		Data  json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, err
	}
	if strings.HasPrefix(a.DType, "key<") {
		words, err := buffer(array.Uint32, append(a.Shape.Clone(), 2), a.Data)
		if err != nil {
			return nil, err
		}
		return random.WrapKeyData(array.Of(words)), nil
	}
	d, err := array.ParseDType(a.DType)
	if err != nil {
		return nil, err
	}
	b, err := buffer(d, a.Shape, a.Data)
	if err != nil {
		return nil, err
	}
	return array.Of(b), nil
}

func buffer(d array.DType, shape array.Shape, data json.RawMessage) (*array.Buffer, error) {
	if d == array.Float0 {
		return array.NewBuffer(d, shape), nil
	}
	var elems []json.RawMessage
	if err := json.Unmarshal(data, &elems); err != nil {
		return nil, err
	}
	b := array.NewBuffer(d, shape)
	if len(elems) != b.Len() {
		return nil, fmt.Errorf("%d elements for %s%s", len(elems), d, shape)
	}
	for i, e := range elems {
		if err := setElement(b, i, e); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return b, nil
}

func setElement(b *array.Buffer, i int, raw json.RawMessage) error {
	text := strings.Trim(string(raw), `"`)
	switch k := b.DType().Kind(); k {
	case array.KindBool:
		if text == "true" {
			b.SetInt(i, 1)
		}
	case array.KindInt:
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		b.SetInt(i, v)
	case array.KindUint:
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return err
		}
		b.SetInt(i, int64(v))
	case array.KindComplex:
		var parts [2]json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return err
		}
		re, err := parseFloat(parts[0])
		if err != nil {
			return err
		}
		im, err := parseFloat(parts[1])
		if err != nil {
			return err
		}
		b.SetComplex(i, complex(re, im))
	default:
		v, err := parseFloat(raw)
		if err != nil {
			return err
		}
		b.SetFloat(i, v)
	}
	return nil
}

func parseFloat(raw json.RawMessage) (float64, error) {
	switch text := strings.Trim(strings.TrimSpace(string(raw)), `"`); text {
	case "nan":
		return math.NaN(), nil
	case "inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	default:
		return strconv.ParseFloat(text, 64)
	}
}
