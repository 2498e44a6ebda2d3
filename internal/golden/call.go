package golden

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Func makes one call of a function of the reference through the Go API. It returns a tree of arrays and Go numbers.
type Func func(c *Call) any

// Call is one call's arguments, arrays traced or not.
type Call struct {
	Args   []any // *array.Array, []any and map[string]any of them, int, float64, string, nil
	X64    bool  // whether 64-bit types were on
	config map[string]json.RawMessage
	kwargs map[string]json.RawMessage
	read   map[string]bool
}

// missing is panicked by an accessor whose keyword cannot be read; Run reports it.
type missing struct{ error }

// X is positional argument i as an array; a bare number is a weak scalar.
func (c *Call) X(i int) *array.Array {
	if i >= len(c.Args) {
		panic(missing{fmt.Errorf("no argument %d", i)})
	}
	x, err := array.FromValue(c.Args[i])
	if err != nil {
		panic(missing{fmt.Errorf("argument %d: %w", i, err)})
	}
	return x
}

// Xs is positional argument i as a list of arrays.
func (c *Call) Xs(i int) []*array.Array {
	list, ok := c.Args[i].([]any)
	if !ok {
		panic(missing{fmt.Errorf("argument %d is no list", i)})
	}
	out := make([]*array.Array, len(list))
	for k, v := range list {
		x, err := array.FromValue(v)
		if err != nil {
			panic(missing{fmt.Errorf("argument %d[%d]: %w", i, k, err)})
		}
		out[k] = x
	}
	return out
}

// All are all positional arguments as arrays.
func (c *Call) All() []*array.Array {
	out := make([]*array.Array, len(c.Args))
	for i := range out {
		out[i] = c.X(i)
	}
	return out
}

// Has reports a keyword that is not null.
func (c *Call) Has(name string) bool { return c.value(name) != nil }

func (c *Call) value(name string) any {
	c.read[name] = true
	v, err := Value(c.kwargs[name])
	if err != nil {
		panic(missing{fmt.Errorf("keyword %s: %w", name, err)})
	}
	return v
}

// Int is an integer keyword, or the default where it is absent.
func (c *Call) Int(name string, or int) int {
	switch v := c.value(name).(type) {
	case int:
		return v
	case nil:
		return or
	case float64:
		if v == math.Trunc(v) {
			return int(v)
		}
	}
	panic(missing{fmt.Errorf("keyword %s is no integer", name)})
}

// Float is a number keyword, or the default where it is absent.
func (c *Call) Float(name string, or float64) float64 {
	switch v := c.value(name).(type) {
	case int:
		return float64(v)
	case float64:
		return v
	case string:
		if f, err := parseFloat(json.RawMessage(v)); err == nil {
			return f
		}
	case nil:
		return or
	}
	panic(missing{fmt.Errorf("keyword %s is no number", name)})
}

// Bool is a bool keyword, or the default where it is absent.
func (c *Call) Bool(name string, or bool) bool {
	switch v := c.value(name).(type) {
	case bool:
		return v
	case nil:
		return or
	}
	panic(missing{fmt.Errorf("keyword %s is no bool", name)})
}

// Str is a string keyword, or the default where it is absent.
func (c *Call) Str(name, or string) string {
	switch v := c.value(name).(type) {
	case string:
		return v
	case nil:
		return or
	}
	panic(missing{fmt.Errorf("keyword %s is no string", name)})
}

// Ints is a keyword that is an integer or a list of integers; nil where it is absent.
func (c *Call) Ints(name string) []int {
	switch v := c.value(name).(type) {
	case nil:
		return nil
	case int:
		return []int{v}
	case []any:
		return ints(v)
	}
	panic(missing{fmt.Errorf("keyword %s is no list of integers", name)})
}

func ints(list []any) []int {
	out := make([]int, len(list))
	for i, e := range list {
		n, ok := e.(int)
		if !ok {
			panic(missing{fmt.Errorf("%v is no integer", e)})
		}
		out[i] = n
	}
	return out
}

// Pairs is a keyword that is a list of pairs of integers; nil where it is absent.
func (c *Call) Pairs(name string) [][2]int {
	list, _ := c.value(name).([]any)
	var out [][2]int
	for _, e := range list {
		p, _ := e.([]any)
		if len(p) != 2 {
			panic(missing{fmt.Errorf("keyword %s is no list of pairs", name)})
		}
		v := ints(p)
		out = append(out, [2]int{v[0], v[1]})
	}
	return out
}

// DType is a dtype keyword, or the default where it is absent.
func (c *Call) DType(name string, or array.DType) array.DType {
	s := c.Str(name, "")
	if s == "" {
		return or
	}
	d, err := array.ParseDType(s)
	if err != nil {
		panic(missing{fmt.Errorf("keyword %s: %w", name, err)})
	}
	return d
}

// Any is a keyword of any kind, decoded by Value; nil where it is absent.
func (c *Call) Any(name string) any { return c.value(name) }

// Map is a keyword that is an object; nil where it is absent.
func (c *Call) Map(name string) map[string]any {
	m, _ := c.value(name).(map[string]any)
	return m
}

// unread lists the keywords that the function did not look at: it would give the wrong result without notice.
func (c *Call) unread() []string {
	var names []string
	for k := range c.kwargs {
		if !c.read[k] {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	return names
}
