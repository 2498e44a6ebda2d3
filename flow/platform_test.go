package flow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func TestPlatformDependent(t *testing.T) {
	f := func(x arr) arr {
		return flow.PlatformDependent(map[string]any{"cpu": np.Sin, "cuda": np.Cos}, np.Exp, x).(arr)
	}
	x := ramp(3)
	near(t, jit.Of(f).Call(x), np.Sin(x))
	near(t, vmap.Of(vjp.Grad(f)).Call(x), np.Cos(x))
	for platform, want := range map[string]string{"cpu": "sine", "cuda": "cosine", "tpu": "exponential"} {
		m, err := lower.Module("f", checked(t, f, x), lower.Options{Platform: platform})
		if err != nil {
			t.Fatal(err)
		}
		if text := m.String(); !strings.Contains(text, "stablehlo."+want) || strings.Contains(text, "stablehlo.case") {
			t.Errorf("%s:\n%s", platform, text)
		}
	}
	only := func(x arr) arr { return flow.PlatformDependent(map[string]any{"cuda": np.Cos}, nil, x).(arr) }
	_, err := lower.Module("f", trace.Of(only, x), lower.Options{Platform: "cpu"})
	if argument := new(array.ArgumentError); !errors.As(err, &argument) || !strings.Contains(err.Error(), "platform cpu") || !strings.Contains(err.Error(), "platform_test.go:") {
		t.Errorf("%v", err)
	}
}
