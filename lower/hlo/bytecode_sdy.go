package hlo

import (
	"strconv"
	"strings"
)

// The shardings of the sdy dialect in bytecode. The package keeps them as text, so they are spelt here as sdy does.

// The codes of sdy attributes.
const (
	saManualAxes = iota
	saMeshAxis
	saMesh
	saSubAxis
	saAxisRef
	saDimSharding
	saSharding
	saShardings
	saDimMapping
	saTensorMapping
	saRule
	saAxisList
	saAxisLists
	saAllToAll
	saAllToAlls
	saShardingUnreduced
	saShardingsUnreduced
	saShardingReduced
)

// sdyNames are the names under which the attributes stand alone; inside others they have none.
var sdyNames = [...]string{"manual_axes", "mesh_axis", "mesh", "sub_axis_info", "axis_ref", "dimension_sharding", "sharding",
	"sharding_per_value", "dim_mapping", "tensor_mapping", "op_sharding_rule", "axis_ref_list", "list_of_axis_ref_lists",
	"all_to_all_param", "all_to_all_param_list", "sharding", "sharding_per_value", "sharding"}

func (r *bytecodeReader) sdyAttr(c *cursor) Attr {
	code := c.varint()
	if code >= uint64(len(sdyNames)) {
		c.fail("the sdy attribute %d is not known", code)
	}
	text := r.sdyText(c, code)
	r.spend(c, len(text))
	return Raw{"#sdy." + sdyNames[code] + text}
}

// spend counts what is put together from parts that may stand in many places.
func (r *bytecodeReader) spend(c *cursor, n int) {
	if r.work += n; r.work > 1<<20+16*r.size {
		c.fail("the attributes are too large when written out")
	}
}

func (r *bytecodeReader) sdyText(c *cursor, code uint64) string {
	switch code {
	case saManualAxes:
		return "{" + r.joined(c, "axes", func() string { return quote(r.stringAttr(c)) }) + "}"
	case saMeshAxis:
		return quote(r.string(c)) + "=" + r.decimal(c)
	case saMesh:
		text := "<[" + r.sdyList(c, saMeshAxis) + "]"
		if ids := r.joined(c, "devices", func() string { return r.decimal(c) }); ids != "" {
			text += ", device_ids=[" + ids + "]"
		}
		return text + ">"
	case saSubAxis:
		return "(" + r.decimal(c) + ")" + r.decimal(c)
	case saAxisRef:
		text := quote(r.string(c))
		if part := r.optionalAttr(c); part != nil {
			text += ":" + r.sdyPart(c, part, saSubAxis)
		}
		return text
	case saDimSharding:
		text := r.sdyList(c, saAxisRef)
		if closed := c.byte() != 0; !closed {
			if text != "" {
				text += ", "
			}
			text += "?"
		}
		text = "{" + text + "}"
		if v := c.varint(); v&1 != 0 {
			text += "p" + strconv.FormatUint(v>>1, 10)
		}
		return text
	case saSharding, saShardingUnreduced, saShardingReduced:
		return r.sdySharding(c, code)
	case saShardings, saShardingsUnreduced:
		return "<[" + r.sdyList(c, saSharding) + "]>"
	case saDimMapping:
		return strings.ReplaceAll(r.joined(c, "factors", func() string { return r.factor(c) }), ", ", "")
	case saTensorMapping:
		return "[" + r.sdyList(c, saDimMapping) + "]"
	case saRule:
		return r.sdyRule(c)
	case saAxisList:
		return "{" + r.sdyList(c, saAxisRef) + "}"
	case saAxisLists:
		return "[" + r.sdyList(c, saAxisList) + "]"
	case saAllToAll:
		text := "{" + r.sdyList(c, saAxisRef) + "}"
		return text + ": " + r.decimal(c) + "->" + r.decimal(c)
	}
	return "[" + r.sdyList(c, saAllToAll) + "]"
}

func (r *bytecodeReader) sdySharding(c *cursor, code uint64) string {
	text := "<"
	switch mesh := r.attr(c).(type) {
	case Symbol:
		text += AttrString(mesh)
	case Raw:
		text += "mesh" + r.sdyPart(c, mesh, saMesh)
	default:
		c.fail("a mesh is to stand here")
	}
	text += ", [" + r.sdyList(c, saDimSharding) + "]"
	if axes := r.sdyList(c, saAxisRef); axes != "" {
		text += ", replicated={" + axes + "}"
	}
	if code == saSharding {
		return text + ">"
	}
	axes, reduction := r.sdyList(c, saAxisRef), ""
	if code == saShardingReduced {
		switch v := c.signed(); v {
		case 0:
		case 1:
			reduction = "max"
		case 2:
			reduction = "min"
		default:
			c.fail("the reduction %d is not known", v)
		}
	}
	if axes != "" {
		text += ", unreduced=" + reduction + "{" + axes + "}"
	}
	return text + ">"
}

// sdyRule spells <([i, j])->([i]) {i=2, j=3} reduction={j}, custom>.
func (r *bytecodeReader) sdyRule(c *cursor) string {
	var sizes []string
	for i := range c.count("factors") {
		sizes = append(sizes, factorName(int64(i))+"="+r.decimal(c))
	}
	text := "<(" + r.sdyList(c, saTensorMapping) + ")->(" + r.sdyList(c, saTensorMapping) + ")"
	if len(sizes) > 0 {
		text += " {" + strings.Join(sizes, ", ") + "}"
	}
	for _, kind := range []string{"reduction", "need_replication", "permutation", "blocked_propagation"} {
		if factors := r.joined(c, "factors", func() string { return r.factor(c) }); factors != "" {
			text += " " + kind + "={" + factors + "}"
		}
	}
	if c.byte() != 0 {
		text += ", custom"
	}
	return text + ">"
}

// joined reads a list of what one reads.
func (r *bytecodeReader) joined(c *cursor, what string, one func() string) string {
	list := make([]string, c.count(what))
	for i := range list {
		list[i] = one()
	}
	return strings.Join(list, ", ")
}

// sdyList reads a list of attributes of a kind.
func (r *bytecodeReader) sdyList(c *cursor, code int) string {
	return r.joined(c, "attributes", func() string {
		text := r.sdyPart(c, r.attr(c), code)
		r.spend(c, len(text))
		return text
	})
}

// sdyPart is the text of an attribute inside another.
func (r *bytecodeReader) sdyPart(c *cursor, a Attr, code int) string {
	raw, _ := a.(Raw)
	text, ok := strings.CutPrefix(raw.Text, "#sdy."+sdyNames[code])
	if !ok {
		c.fail("%s is to stand here", sdyNames[code])
	}
	return text
}

func (r *bytecodeReader) decimal(c *cursor) string { return strconv.FormatInt(c.signed(), 10) }

func (r *bytecodeReader) factor(c *cursor) string {
	v := c.signed()
	if v < 0 || v > maxElements {
		c.fail("the factor %d is out of range", v)
	}
	return factorName(v)
}

// factorName is i, j, … z, z_1, z_2, ….
func factorName(i int64) string {
	if i <= 'z'-'i' {
		return string(rune('i' + i))
	}
	return "z_" + strconv.FormatInt(i-('z'-'i'), 10)
}

func quote(s string) string { return string(appendString(nil, s)) }
