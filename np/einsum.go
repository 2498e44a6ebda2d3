package np

import (
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Einsum is the sum of products that subscripts in Einstein's notation describe: "ij,jk->ik" is a matrix product,
// "ii->i" a diagonal, "...i,...i->..." a dot product over the last axes with the others broadcast. Without an arrow the
// labels that occur once remain, in alphabetical order. It panics with an ArgumentError for subscripts that do not parse,
// and with a ShapeError where sizes of one label differ.
//
// Of more than two operands, the pair with the smallest product is multiplied first.
func Einsum(subscripts string, operands ...any) *Array {
	xs := promote("einsum", operands...)
	inputs, output := parseEinsum(subscripts, xs)
	sizes := map[rune]int{}
	terms := make([]einsumTerm, len(xs))
	for i, labels := range inputs {
		for k, l := range labels {
			n := xs[i].Shape()[k]
			if old, ok := sizes[l]; ok && old != n && old != 1 && n != 1 {
				fail("einsum", array.ShapeErrorf("label %s has sizes %d and %d", labelName(l), old, n))
			}
			sizes[l] = max(sizes[l], n)
			if n == 0 {
				sizes[l] = 0
			}
		}
		terms[i] = einsumTerm{xs[i], labels}
	}
	for i, t := range terms { // sizes of 1 where the label is larger broadcast
		shape := make(Shape, len(t.labels))
		for k, l := range t.labels {
			shape[k] = sizes[l]
		}
		if !shape.Equal(t.x.Shape()) {
			t.x = t.x.BroadcastTo(shape...)
		}
		terms[i] = t.diagonals()
	}
	for len(terms) > 1 {
		i, j := cheapestPair(terms, output, sizes)
		keep := slices.Clone(output)
		for k, t := range terms {
			if k != i && k != j {
				keep = append(keep, t.labels...)
			}
		}
		r := contract(terms[i], terms[j], keep)
		terms = slices.Delete(terms, j, j+1)
		terms = slices.Delete(terms, i, i+1)
		terms = append(terms, r)
	}
	t := terms[0].sumOthers(output)
	perm := make([]int, len(output))
	for i, l := range output {
		perm[i] = slices.Index(t.labels, l)
	}
	return convert(permute(t.x, perm), xs[0].DType(), xs[0].Aval().Weak)
}

func labelName(l rune) string {
	if l >= firstEllipsisLabel {
		return "..."
	}
	return string(l)
}

// firstEllipsisLabel begins the labels that stand for the axes of an ellipsis; the last axis has the highest.
const firstEllipsisLabel = 0x10000

func parseEinsum(subscripts string, xs []*Array) (inputs [][]rune, output []rune) {
	bad := func(format string, args ...any) {
		fail("einsum", array.ArgumentErrorf("subscripts %q: "+format, append([]any{subscripts}, args...)...))
	}
	s := strings.ReplaceAll(subscripts, " ", "")
	left, right, arrow := strings.Cut(s, "->")
	parts := strings.Split(left, ",")
	if len(parts) != len(xs) {
		bad("%d terms for %d operands", len(parts), len(xs))
	}
	widest := 0 // axes that an ellipsis stands for
	for i, p := range parts {
		if strings.Contains(p, "...") {
			widest = max(widest, xs[i].Rank()-len(p)+3)
		}
	}
	expand := func(p string, axes int) []rune {
		before, after, dots := strings.Cut(p, "...")
		labels := []rune(before)
		if dots {
			for k := range axes {
				labels = append(labels, rune(firstEllipsisLabel+widest-axes+k))
			}
		}
		labels = append(labels, []rune(after)...)
		for _, l := range labels {
			if l < firstEllipsisLabel && !(l >= 'a' && l <= 'z' || l >= 'A' && l <= 'Z') {
				bad("%q is no label", l)
			}
		}
		return labels
	}
	count := map[rune]int{}
	for i, p := range parts {
		axes := 0
		if strings.Contains(p, "...") {
			axes = xs[i].Rank() - len(p) + 3
		}
		if axes < 0 {
			bad("term %q has more labels than the %d axes of operand %d", p, xs[i].Rank(), i)
		}
		labels := expand(p, axes)
		if len(labels) != xs[i].Rank() {
			bad("term %q does not name the %d axes of operand %d", p, xs[i].Rank(), i)
		}
		for _, l := range labels {
			count[l]++
		}
		inputs = append(inputs, labels)
	}
	if arrow {
		output = expand(right, widest)
		for i, l := range output {
			if count[l] == 0 {
				bad("label %s of the result is in no operand", labelName(l))
			}
			if slices.Contains(output[:i], l) {
				bad("label %s is twice in the result", labelName(l))
			}
		}
		return inputs, output
	}
	var ellipsis []rune
	for l, n := range count {
		switch {
		case l >= firstEllipsisLabel:
			ellipsis = append(ellipsis, l)
		case n == 1:
			output = append(output, l)
		}
	}
	slices.Sort(ellipsis)
	slices.Sort(output)
	return inputs, append(ellipsis, output...)
}

// cheapestPair finds the two terms whose product, summed over what nobody else needs, is smallest against what it replaces.
func cheapestPair(terms []einsumTerm, output []rune, sizes map[rune]int) (bestI, bestJ int) {
	volume := func(labels []rune) float64 {
		v := 1.0
		for _, l := range labels {
			v *= float64(sizes[l])
		}
		return v
	}
	best := 0.0
	for i := range terms {
		for j := i + 1; j < len(terms); j++ {
			var union []rune
			for _, l := range append(slices.Clone(terms[i].labels), terms[j].labels...) {
				if !slices.Contains(union, l) {
					union = append(union, l)
				}
			}
			var left []rune
			for _, l := range union {
				needed := slices.Contains(output, l)
				for k, t := range terms {
					needed = needed || k != i && k != j && slices.Contains(t.labels, l)
				}
				if needed {
					left = append(left, l)
				}
			}
			cost := volume(left) - volume(terms[i].labels) - volume(terms[j].labels)
			if bestJ == 0 || cost < best {
				best, bestI, bestJ = cost, i, j
			}
		}
	}
	return bestI, bestJ
}

// einsumTerm is an operand with the labels of its axes.
type einsumTerm struct {
	x      *Array
	labels []rune
}

// contract multiplies two terms and sums over the labels that are not in keep.
func contract(p, q einsumTerm, keep []rune) einsumTerm {
	p, q = p.sumOthers(append(slices.Clone(keep), q.labels...)), q.sumOthers(append(slices.Clone(keep), p.labels...))
	var contractP, contractQ, batchP, batchQ []int
	var batch, freeP, freeQ []rune
	for i, l := range p.labels {
		j := slices.Index(q.labels, l)
		switch {
		case j < 0:
			freeP = append(freeP, l)
		case slices.Contains(keep, l):
			batch, batchP, batchQ = append(batch, l), append(batchP, i), append(batchQ, j)
		default:
			contractP, contractQ = append(contractP, i), append(contractQ, j)
		}
	}
	for _, l := range q.labels {
		if !slices.Contains(p.labels, l) {
			freeQ = append(freeQ, l)
		}
	}
	dims := primitive.Contract(contractP, contractQ).WithBatch(batchP, batchQ)
	return einsumTerm{primitive.DotGeneral(p.x, q.x, dims, array.Invalid), slices.Concat(batch, freeP, freeQ)}
}

// sumOthers sums over the labels that are not in keep.
func (t einsumTerm) sumOthers(keep []rune) einsumTerm {
	var axes []int
	var left []rune
	for i, l := range t.labels {
		if slices.Contains(keep, l) {
			left = append(left, l)
		} else {
			axes = append(axes, i)
		}
	}
	if len(axes) == 0 {
		return t
	}
	return einsumTerm{primitive.ReduceSum(t.x, axes...), left}
}

// diagonals takes the diagonal over each label that occurs more than once.
func (t einsumTerm) diagonals() einsumTerm {
	for i := 0; i < len(t.labels); i++ {
		for j := i + 1; j < len(t.labels); j++ {
			if t.labels[i] == t.labels[j] {
				l := t.labels[i]
				left := slices.Delete(slices.Clone(t.labels), j, j+1)
				left = append(slices.Delete(left, i, i+1), l)
				return einsumTerm{Diagonal(t.x, 0, Axis(i, j)), left}.diagonals()
			}
		}
	}
	return t
}
