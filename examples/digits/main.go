// Command digits trains a classifier of handwritten digits on real images, on whatever backend is chosen
// (PANTOGRAPH=backend=pjrt:cpu runs it on XLA). It shows the whole system at work: a model as a struct of arrays, a
// foreign function with a gradient of its own, vmap over images, the gradient of the mean loss, Adam, one compiled
// training step, per-example gradient norms, and weights that are saved and read back.
//
//	go run ./examples/digits            trains, writes pictures, prints the test accuracy
//	go run ./examples/digits -show      prints the training step as jaxpr and StableHLO
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/pantograph-go/pantograph/examples/digits/data"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/opt"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/safetensors"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func main() {
	log.SetFlags(0)
	epochs := flag.Int("epochs", 30, "how often each training image is seen")
	batch := flag.Int("batch", 32, "images in one training step")
	out := flag.String("out", filepath.Join(os.TempDir(), "pantograph-digits"), "folder for pictures and weights")
	quiet := flag.Bool("quiet", false, "no progress bar")
	show := flag.Bool("show", false, "print the training step as jaxpr and StableHLO, and stop")
	flag.Parse()
	if err := run(os.Stdout, *epochs, *batch, *out, *quiet, *show); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, epochs, batch int, out string, quiet, show bool) (err error) {
	defer trace.Recover(&err) // numerical code panics with typed errors
	if err := ffi.Register("example.rms_norm", rmsNormHandler); err != nil {
		return err
	}
	train, test, err := data.Load()
	if err != nil {
		return err
	}

	batchLoss := func(p Params, images, labels *np.Array) *np.Array {
		return vmap.Of(loss, vmap.In(nil, 0, 0)).Call(p, images, labels).Mean()
	}
	// One compiled step for each learning rate: large steps first, small ones to settle.
	stepOf := func(optimizer opt.Optimizer) *jit.Func {
		return jit.Of(func(p Params, s opt.State, images, labels *np.Array) (Params, opt.State, *np.Array) {
			value, grads := valueAndGrad(batchLoss, p, images, labels)
			next, s := optimizer.Update(p, grads, s)
			return next.(Params), s, value
		})
	}
	optimizer := opt.AdamW(3e-3, 0.05)
	step, fine := stepOf(optimizer), stepOf(opt.AdamW(3e-4, 0.05))
	classify := jit.Of(vmap.Of(func(p Params, image *np.Array) *np.Array { return logits(p, image).Argmax() }, vmap.In(nil, 0)))
	gradNorms := jit.Of(vmap.Of(func(p Params, image, label *np.Array) *np.Array {
		g := vjp.Grad(loss).CallTree(p, image, label).(Params)
		sum := np.Zeros(nil, np.Float32)
		for _, a := range []*np.Array{g.W1, g.B1, g.Scale, g.W2, g.B2} {
			sum = sum.Add(a.Mul(a).Sum())
		}
		return np.Sqrt(sum)
	}, vmap.In(nil, 0, 0)))

	key := random.Key(0)
	params := newParams(key)
	state := optimizer.Init(params)
	images := np.FromSlice(train.Images, train.Len(), data.Pixels)
	labels := np.FromSlice(train.Labels, train.Len())
	testImages := np.FromSlice(test.Images, test.Len(), data.Pixels)

	if show {
		l, err := step.Lower(params, state, images.At(np.Slice{Stop: batch}).Get(), labels.At(np.Slice{Stop: batch}).Get())
		if err != nil {
			return err
		}
		t, err := step.Trace(params, state, images.At(np.Slice{Stop: batch}).Get(), labels.At(np.Slice{Stop: batch}).Get())
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n\n%s", t.Jaxpr(), l.Text())
		return nil
	}

	var curve []float64
	steps := train.Len() / batch
	for epoch := range epochs {
		if epoch == epochs*2/3 {
			step = fine
		}
		order := random.Permutation(random.FoldIn(key, epoch), train.Len())
		for k := range steps {
			pick := order.At(np.Slice{Start: k * batch, Stop: (k + 1) * batch}).Get()
			r := step.CallTree(params, state, images.At(pick).Get(), labels.At(pick).Get()).([]any)
			params, state = r[0].(Params), r[1].(opt.State)
			curve = append(curve, r[2].(*np.Array).Float())
			if !quiet {
				progress(os.Stderr, epoch*steps+k+1, epochs*steps, curve[len(curve)-1])
			}
		}
	}

	norms := gradNorms.Call(params, images, labels)
	hardest := norms.Argmax().Int()
	fmt.Fprintf(w, "largest gradient of one training image: %.3g, image %d (a %d)\n", norms.Max().Float(), hardest, train.Labels[hardest])

	weights := filepath.Join(out, "weights.safetensors")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := safetensors.SaveFile(weights, params); err != nil {
		return err
	}
	var loaded Params
	if err := safetensors.LoadFile(weights, &loaded); err != nil {
		return err
	}

	read := classify.Call(loaded, testImages).Ints()
	var wrong []misread
	for i, got := range read {
		if want := int(test.Labels[i]); got != want {
			wrong = append(wrong, misread{i, want, got})
		}
	}
	for _, picture := range []struct {
		name string
		draw func(io.Writer) error
	}{
		{"loss.svg", func(w io.Writer) error { return lossCurve(w, curve) }},
		{"misread.svg", func(w io.Writer) error { return misreadSheet(w, test, wrong) }},
	} {
		path, err := save(out, picture.name, picture.draw)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, "wrote", path)
	}
	fmt.Fprintf(w, "test accuracy %.4f\n", 1-float64(len(wrong))/float64(test.Len()))
	return nil
}

// valueAndGrad returns the loss and its gradient.
func valueAndGrad(f any, p Params, images, labels *np.Array) (*np.Array, Params) {
	r := vjp.ValueAndGrad(f).CallTree(p, images, labels).([]any)
	return r[0].(*np.Array), r[1].(Params)
}

// progress draws a bar on one line of a terminal.
func progress(w io.Writer, done, all int, loss float64) {
	const width = 40
	full := width * done / all
	fmt.Fprintf(w, "\r[%s%s] %3d%%  loss %.4f ", strings.Repeat("=", full), strings.Repeat(" ", width-full), 100*done/all, loss)
	if done == all {
		fmt.Fprintln(w)
	}
}
