package array

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// SimpleRender gives what a notebook shows of x, by MIME type: the text of String, and HTML with type, values and, for
// arrays that look like a picture ([h, w] or [h, w, 3] of real numbers, 8 to 64 a side), an SVG. It takes nil and traced
// arrays, forces nothing, and never panics.
func (x *Array) SimpleRender() map[string]any {
	text := x.String()
	var b strings.Builder
	b.WriteString(`<div class="pantograph-array">`)
	if x != nil && x.data != nil {
		fmt.Fprintf(&b, "<div><code>%s%s</code></div>", html.EscapeString(x.DType().String()), html.EscapeString(x.Shape().String()))
		b.WriteString(x.picture())
	}
	fmt.Fprintf(&b, "<pre>%s</pre></div>", html.EscapeString(text))
	return map[string]any{"text/plain": text, "text/html": b.String()}
}

const (
	minPicture = 8
	maxPicture = 64
	pixel      = 4 // the size of an element on the screen
)

// picture draws x, the smallest element black and the largest white; it is empty where x is no picture.
func (x *Array) picture() (svg string) {
	defer func() {
		if recover() != nil {
			svg = ""
		}
	}()
	s := x.Shape()
	if realKinds>>x.DType().Kind()&1 == 0 || !(len(s) == 2 || len(s) == 3 && s[2] == 3) ||
		min(s[0], s[1]) < minPicture || max(s[0], s[1]) > maxPicture {
		return ""
	}
	v := x.Float64s()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, f := range v {
		if isFinite(f) {
			lo, hi = min(lo, f), max(hi, f)
		}
	}
	shade := func(f float64) int {
		if !isFinite(f) || !(hi > lo) {
			return 0
		}
		return int(math.Round(255 * (f/2 - lo/2) / (hi/2 - lo/2)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" shape-rendering="crispEdges">`, s[1]*pixel, s[0]*pixel)
	channels := len(v) / (s[0] * s[1])
	for i := range s[0] {
		for j := range s[1] {
			at := (i*s[1] + j) * channels
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#%02x%02x%02x"/>`, j*pixel, i*pixel, pixel, pixel,
				shade(v[at]), shade(v[at+channels/2]), shade(v[at+channels-1]))
		}
	}
	b.WriteString("</svg>")
	return b.String()
}
