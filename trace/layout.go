package trace

import "strings"

// doc is text with alternative layouts, after Lindig, "Strictly Pretty": a group is set on one line where it fits, and
// otherwise each break that belongs to it becomes a newline.
type doc interface{}

type (
	text   string              // as it is
	brk    string              // a newline, or this text
	concat []doc               // one after another
	nest   struct{ inner doc } // lines begun inside are indented by two more
	group  struct{ inner doc } // one line or many
)

// join puts sep between docs.
func join(sep doc, docs []doc) doc {
	var c concat
	for i, d := range docs {
		if i > 0 {
			c = append(c, sep)
		}
		c = append(c, d)
	}
	return c
}

// placed is a doc with its indentation and whether its breaks are newlines.
type placed struct {
	indent int
	broken bool
	doc    doc
}

// layout sets d in lines of the given width where it can.
func layout(d doc, width int) string {
	var b strings.Builder
	column := 0
	todo := []placed{{0, true, d}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch d := p.doc.(type) {
		case text:
			b.WriteString(string(d))
			column += len(d)
		case brk:
			if p.broken {
				b.WriteString("\n" + strings.Repeat(" ", p.indent))
				column = p.indent
			} else {
				b.WriteString(string(d))
				column += len(d)
			}
		case concat:
			for i := len(d) - 1; i >= 0; i-- {
				todo = append(todo, placed{p.indent, p.broken, d[i]})
			}
		case nest:
			todo = append(todo, placed{p.indent + 2, p.broken, d.inner})
		case group:
			todo = append(todo, placed{p.indent, flat(d.inner, width-column) < 0, d.inner})
		}
	}
	return b.String()
}

// flat is what remains of width after d on one line, negative where it does not fit.
func flat(d doc, width int) int {
	switch d := d.(type) {
	case text:
		return width - len(d)
	case brk:
		return width - len(d)
	case concat:
		for _, x := range d {
			if width = flat(x, width); width < 0 {
				break
			}
		}
		return width
	case nest:
		return flat(d.inner, width)
	case group:
		return flat(d.inner, width)
	}
	return width
}
