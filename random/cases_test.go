package random_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
)

// caseOf are the programs of the case file, as a user would write them. The cases have 64-bit types off.
var caseOf = map[string]func() []any{
	"random-001": func() []any {
		k := random.Key(42)
		return []any{random.KeyData(k), random.Bits(k, np.Uint32, 4), random.KeyData(random.Split(k, 2)), random.KeyData(random.FoldIn(k, 7))}
	},
	"random-002": func() []any {
		k := random.Key(0)
		return []any{random.Uniform(k, []int{3}, np.Float32), random.Normal(k, []int{3}, np.Float32), random.UniformRange(k, nil, -2, 3, np.Float32),
			random.Randint(k, []int{5}, 0, 10, np.Int32), random.Bernoulli(k, []int{6}, float32(0.3))}
	},
	"random-003": func() []any {
		k := random.Key(1)
		keys := random.Keys(k, 3)
		normal := func(k *np.Array) *np.Array { return random.Normal(k, []int{4}) }
		return []any{
			normal(k).Equal(normal(k)).All(),
			random.Bits(keys[0], np.Uint32, 4).Equal(random.Bits(keys[1], np.Uint32, 4)).Any(),
			jit.Of(normal).Call(k).Equal(normal(k)).All(),
			random.KeyData(random.Split(k, 5)).At(":3").Get().Equal(random.KeyData(random.Split(k, 3))).All(),
		}
	},
	"random-004": func() []any {
		logits := np.Log(np.Of([]float64{0, 1, 0, 2.7}))
		s := random.Categorical(random.Key(0), []int{500}, logits)
		one := random.Categorical(random.Key(5), nil, np.Log(np.Of([]float64{0, 20})))
		return []any{s.Equal(0).Or(s.Equal(2)).Any(), s.Shape(), one.AsType(np.Int32)}
	},
	"random-005": func() []any {
		u := random.Uniform(random.Key(3), []int{20000}, np.BFloat16)
		i := random.Randint(random.Key(3), []int{20000}, -128, 128, np.Int8)
		n := random.Normal(random.Key(4), []int{20000}, np.Float16)
		return []any{u.Max().Less(1).Bool(), u.Min().GreaterEqual(0).Bool(), i.Min().Int(), i.Max().Int(), np.All(np.IsFinite(n)).Bool()}
	},
	"random-006": func() []any {
		p := random.Permutation(random.Key(0), np.Arange(10).AsType(np.Int32))
		q := random.Permutation(random.Key(0), np.Arange(12).AsType(np.Int32).Reshape(4, 3), random.Axis(1))
		c := random.Choice(random.Key(1), []int{5}, 5, random.WithoutReplacement())
		w := random.Choice(random.Key(1), []int{2}, 4, random.WithoutReplacement(), random.Weights([]float32{0, 0.5, 0.5, 0}))
		return []any{np.Sort(p), np.Sort(q, np.Axis(1)), np.Sort(c).AsType(np.Int32), np.Sort(w).AsType(np.Int32)}
	},
	"random-007": func() []any { return []any{random.Key(0).Add(1)} },
}

// TestCases runs the programs that people were bitten by.
func TestCases(t *testing.T) {
	f, err := os.Open("../../shared/cases/cases.jsonl")
	if err != nil {
		t.Skip("../shared/cases is not beside the project")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c struct {
			ID, Category, Title string
			Expect              json.RawMessage
			Tolerance           struct{ RTol, ATol float64 }
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		if c.Category != "random" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			run, ok := caseOf[c.ID]
			require.True(t, ok, "no program for %s: %s", c.ID, c.Title)
			var fails struct{ Mentions []string }
			if json.Unmarshal(c.Expect, &fails) == nil && fails.Mentions != nil {
				err := trace.Try(func() { run() })
				require.Error(t, err)
				for _, m := range fails.Mentions {
					require.Contains(t, strings.ToLower(err.Error()), strings.ToLower(m))
				}
				return
			}
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal(c.Expect, &want))
			got := run()
			require.Len(t, got, len(want))
			for i, g := range got {
				x, ok := g.(*np.Array)
				if !ok {
					text, err := json.Marshal(g)
					require.NoError(t, err)
					require.JSONEq(t, string(want[i]), string(text), "result %d", i)
					continue
				}
				var w struct {
					DType string
					Shape array.Shape
					Data  any
				}
				require.NoError(t, json.Unmarshal(want[i], &w))
				require.Equal(t, w.DType, x.DType().String(), "result %d", i)
				require.True(t, w.Shape.Equal(x.Shape()), "result %d has the shape %s, want %s", i, x.Shape(), w.Shape)
				require.InDeltaSlice(t, numbers(w.Data), x.AsType(np.Float64).Ravel().Float64s(), c.Tolerance.ATol+c.Tolerance.RTol+1e-300, "result %d", i)
			}
		})
	}
}

// numbers are the leaves of nested lists.
func numbers(v any) []float64 {
	switch v := v.(type) {
	case float64:
		return []float64{v}
	case bool:
		if v {
			return []float64{1}
		}
		return []float64{0}
	case []any:
		var out []float64
		for _, e := range v {
			out = append(out, numbers(e)...)
		}
		return out
	}
	return nil
}
