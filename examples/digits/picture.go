package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/pantograph-go/pantograph/examples/digits/data"
)

// lossCurve draws the training loss over the steps, on a linear scale from zero.
func lossCurve(w io.Writer, loss []float64) error {
	const width, height, left, bottom = 640.0, 320.0, 56.0, 40.0
	top := slices.Max(loss) * 1.05
	x := func(i int) float64 { return left + (width-left-16)*float64(i)/float64(max(len(loss)-1, 1)) }
	y := func(v float64) float64 { return 16 + (height-16-bottom)*(1-v/top) }

	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(b, `<rect width="%g" height="%g" fill="#fff"/>`+"\n", width, height)
	for k := range 6 {
		v := top * float64(k) / 5
		fmt.Fprintf(b, `<path d="M%g %.1fH%g" stroke="#ddd"/><text x="%g" y="%.1f" text-anchor="end" fill="#555">%.2f</text>`+"\n",
			left, y(v), width-16, left-6, y(v)+4, v)
		step := (len(loss) - 1) * k / 5
		fmt.Fprintf(b, `<text x="%.1f" y="%g" text-anchor="middle" fill="#555">%d</text>`+"\n", x(step), height-bottom+18, step)
	}
	fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle">step</text><text x="14" y="%g" text-anchor="middle" transform="rotate(-90 14 %g)">loss</text>`+"\n",
		(left+width-16)/2, height-6, (16+height-bottom)/2, (16+height-bottom)/2)
	b.WriteString(`<polyline fill="none" stroke="#1f6fb2" stroke-width="1.5" points="`)
	for i, v := range loss {
		fmt.Fprintf(b, "%.1f,%.1f ", x(i), y(v))
	}
	b.WriteString("\"/>\n</svg>\n")
	return b.Flush()
}

// misread is a test image that the classifier took for another digit.
type misread struct{ index, want, got int }

// misreadSheet draws the misread digits with what they are and what they were taken for.
func misreadSheet(w io.Writer, d *data.Digits, wrong []misread) error {
	const cell, columns = 84, 8
	rows := max(1, (len(wrong)+columns-1)/columns)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", cell*columns, (cell+18)*rows)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", cell*columns, (cell+18)*rows)
	for k, m := range wrong {
		left, top := k%columns*cell+6, k/columns*(cell+18)+6
		for p, ink := range d.Images[m.index*data.Pixels : (m.index+1)*data.Pixels] {
			grey := 255 - int(ink*255)
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="9" height="9" fill="#%02x%02x%02x"/>`, left+p%8*9, top+p/8*9, grey, grey, grey)
		}
		fmt.Fprintf(b, "\n"+`<text x="%d" y="%d" text-anchor="middle">%d, read as <tspan fill="#c0392b">%d</tspan></text>`+"\n", left+36, top+72+14, m.want, m.got)
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// save writes one picture into a folder and returns its path.
func save(folder, name string, draw func(io.Writer) error) (path string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(folder, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := draw(f); err != nil {
		f.Close()
		return "", err
	}
	return path, f.Close()
}
