package hlo

import "strconv"

// Groups of devices as axes of a mesh, which replica_groups may be instead of a matrix of ids.

type (
	// MeshGroups is #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = […]>: devices that differ along the axes only
	// are a group.
	MeshGroups struct {
		Mesh Attr // a Symbol or a Mesh
		Axes []AxisRef
	}
	// AxisRef is #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>: an axis, or the part of Size devices of it behind
	// a part of PreSize devices. Size is 0 for the whole axis.
	AxisRef struct {
		Name          string
		PreSize, Size int64
	}
	// Mesh is #stablehlo.mesh<axes=[…], device_ids=…>.
	Mesh struct {
		Axes      []MeshAxis
		DeviceIDs Attr // nil where the devices stand in order
	}
	// MeshAxis is #stablehlo.mesh_axis<name = "x", size = 2>.
	MeshAxis struct {
		Name string
		Size int64
	}
)

func (MeshGroups) isAttr() {}
func (AxisRef) isAttr()    {}
func (Mesh) isAttr()       {}
func (MeshAxis) isAttr()   {}

// appendMesh writes one of the four.
func appendMesh(b []byte, a Attr) []byte {
	switch a := a.(type) {
	case MeshGroups:
		b = appendAttr(append(b, "#stablehlo.replica_group_mesh_axes<mesh = "...), a.Mesh, false)
		b = append(b, ", axes = ["...)
		for i, x := range a.Axes {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendMesh(b, x)
		}
		return append(b, "]>"...)
	case AxisRef:
		b = appendString(append(b, "#stablehlo.axis_ref<name = "...), a.Name)
		if a.Size != 0 {
			b = strconv.AppendInt(append(b, ", sub_axis_info = ("...), a.PreSize, 10)
			b = strconv.AppendInt(append(b, ')'), a.Size, 10)
		}
		return append(b, '>')
	case Mesh:
		b = append(b, "#stablehlo.mesh<axes=["...)
		for i, x := range a.Axes {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendMesh(b, x)
		}
		b = append(b, ']')
		if a.DeviceIDs != nil {
			b = appendAttr(append(b, ", device_ids="...), a.DeviceIDs, false)
		}
		return append(b, '>')
	case MeshAxis:
		b = appendString(append(b, "#stablehlo.mesh_axis<name = "...), a.Name)
		b = strconv.AppendInt(append(b, ", size = "...), a.Size, 10)
		return append(b, '>')
	}
	panic("hlo: an attribute that the package does not know")
}

func (p *parser) meshGroups() Attr {
	var g MeshGroups
	p.allFields(field{"mesh", func() {
		pos := p.tok.start
		g.Mesh = p.attr()
		_, isMesh := g.Mesh.(Mesh)
		if s, isSymbol := g.Mesh.(Symbol); !isMesh && (!isSymbol || len(s.Path) != 1) {
			p.fail(pos, "expected the @name of a mesh, or a mesh")
		}
	}}, field{"axes", func() {
		pos := p.tok.start
		list, ok := p.attr().(Array)
		for _, a := range list {
			axis, isAxis := a.(AxisRef)
			ok = ok && isAxis
			g.Axes = append(g.Axes, axis)
		}
		if !ok {
			p.fail(pos, "expected a list of #stablehlo.axis_ref<…>")
		}
	}})
	return g
}

func (p *parser) axisRef() Attr {
	var a AxisRef
	seen := p.fieldsUntil(field{"name", func() { a.Name = p.quoted() }}, field{"sub_axis_info", func() {
		p.expect('(')
		a.PreSize = p.integer()
		p.expect(')')
		pos := p.tok.start
		if a.Size = p.integer(); a.Size == 0 {
			p.fail(pos, "a part of an axis has devices")
		}
	}})
	if seen&1 == 0 {
		p.fail(p.tok.start, "expected the name of an axis before this")
	}
	return a
}

func (p *parser) mesh() Attr {
	var m Mesh
	seen := p.fieldsUntil(field{"axes", func() {
		pos := p.tok.start
		list, ok := p.attr().(Array)
		for _, a := range list {
			axis, isAxis := a.(MeshAxis)
			ok = ok && isAxis
			m.Axes = append(m.Axes, axis)
		}
		if !ok {
			p.fail(pos, "expected a list of #stablehlo.mesh_axis<…>")
		}
	}}, field{"device_ids", func() { m.DeviceIDs = p.attr() }})
	if seen&1 == 0 {
		p.fail(p.tok.start, "expected the axes of a mesh before this")
	}
	return m
}

func (p *parser) meshAxis() Attr {
	var a MeshAxis
	p.allFields(field{"name", func() { a.Name = p.quoted() }}, field{"size", func() { a.Size = p.integer() }})
	return a
}

// quoted reads a string.
func (p *parser) quoted() string {
	pos := p.tok.start
	return p.unquote(pos, p.take(tString, "a string"))
}

// meshExists checks that a mesh that is named is a symbol of the module.
func (c *checker) meshExists(g MeshGroups) {
	s, named := g.Mesh.(Symbol)
	if !named {
		return
	}
	found := c.funcs[s.Path[0]] != nil
	for _, op := range c.module.Other {
		if name, isString := op.Attr("sym_name").(String); isString && name.Value == s.Path[0] {
			found = true
		}
	}
	c.check(found, "attribute replica_groups", "there is no mesh @%s", s.Path[0])
}
