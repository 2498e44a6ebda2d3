package hlo

import (
	"bytes"
	"fmt"
	"strings"
)

// bytecodeMagic begins every file of MLIR bytecode.
const bytecodeMagic = "ML\xefR"

// IsBytecode reports that data begins as MLIR bytecode does.
func IsBytecode(data []byte) bool { return bytes.HasPrefix(data, []byte(bytecodeMagic)) }

// BytecodeError is a defect of a bytecode file.
//
//	bytecode: at byte 211: the index 40 is behind the 12 strings
type BytecodeError struct {
	Offset int // where in the file
	Msg    string
}

func (e *BytecodeError) Error() string {
	return fmt.Sprintf("bytecode: at byte %d: %s", e.Offset, e.Msg)
}

// ReadBytecode reads MLIR bytecode: a portable artifact of any StableHLO version from 0.9 on, that is, operations,
// types and attributes of the VHLO dialect, which are upgraded to StableHLO as the reference does. Operations of other
// dialects are read where the package knows their attributes. The error is a *BytecodeError. Time and memory are linear
// in the file, whose data is not kept.
func ReadBytecode(data []byte) (m *Module, err error) {
	defer func() {
		if e := recover(); e != nil {
			be, ok := e.(*BytecodeError)
			if !ok {
				panic(e)
			}
			m, err = nil, be
		}
	}()
	r := &bytecodeReader{size: len(data), forms: forms(), names: map[string]string{}}
	return r.read(cursor{data: data}), nil
}

// The versions of the encoding at which something changed.
const (
	encodesDialectVersions = 1
	encodesRegionSections  = 2 // regions that see nothing of what surrounds them stand in a section of their own
	encodesUseOrders       = 3
	elidesArgLocations     = 4 // and the number of operation names is given
	encodesProperties      = 5
	encodesSegments        = 6
)

// The sections of a file.
const (
	stringSection = iota
	dialectSection
	entrySection // attributes and types
	entryOffsetSection
	irSection
	resourceSection
	resourceOffsetSection
	dialectVersionSection
	propertySection
	numSections
)

// bytecodeReader holds the tables of one file.
type bytecodeReader struct {
	size     int    // of the file
	version  uint64 // of the encoding
	producer string
	forms    map[string]*opForm
	names    map[string]string // strings once, so that the file need not be kept
	strings  []string
	dialects []string
	ops      []string // names with dialect
	attrs    []entry
	types    []entry
	handles  []string // the keys of the resources of dialects
	blobs    []Resource
	props    []cursor
	depth    int
	nodes    int // attributes and types inside others, counted anew wherever they stand
	work     int // bytes of text and attributes that were put together from such parts
}

func (r *bytecodeReader) read(c cursor) *Module {
	if !IsBytecode(c.data) {
		c.fail("this is no MLIR bytecode, which begins with ML\\xefR")
	}
	c.at = len(bytecodeMagic)
	if r.version = c.varint(); r.version > encodesSegments {
		c.fail("the encoding has version %d, the newest known is %d", r.version, encodesSegments)
	}
	end := bytes.IndexByte(c.data[c.at:], 0)
	if end < 0 {
		c.fail("the producer's name does not end")
	}
	r.producer = string(c.data[c.at : c.at+end])
	c.at += end + 1
	var sections [numSections]*cursor
	for !c.empty() {
		at := c
		id, body := c.section()
		if sections[id] != nil {
			at.fail("section %d is there twice", id)
		}
		sections[id] = &body
	}
	for _, id := range []int{stringSection, dialectSection, entrySection, entryOffsetSection, irSection} {
		if sections[id] == nil {
			c.fail("section %d is missing", id)
		}
	}
	r.readStrings(*sections[stringSection])
	if s := sections[propertySection]; s != nil {
		r.readProperties(*s)
	}
	r.readDialects(*sections[dialectSection])
	if (sections[resourceSection] == nil) != (sections[resourceOffsetSection] == nil) {
		c.fail("resources and their sizes come together")
	}
	if s := sections[resourceSection]; s != nil {
		r.readResources(*sections[resourceOffsetSection], *s)
	}
	r.readEntries(*sections[entryOffsetSection], *sections[entrySection])
	return r.readIR(*sections[irSection])
}

// readStrings reads the table of strings, whose lengths stand in reverse order before the text.
func (r *bytecodeReader) readStrings(c cursor) {
	n := c.count("strings")
	r.strings = make([]string, n)
	lengths := make([]int, n)
	total := 0
	for i := n - 1; i >= 0; i-- {
		v := c.varint()
		if v == 0 || v > uint64(len(c.data)) {
			c.fail("string %d has length %d", i, v)
		}
		lengths[i] = int(v)
		total += int(v)
		if total > len(c.data) {
			c.fail("the strings are longer than their section")
		}
	}
	if total != c.left() {
		c.fail("the strings have %d bytes, %d are there", total, c.left())
	}
	for i, n := range lengths {
		s := c.bytes(uint64(n))
		r.strings[i] = string(s[:n-1]) // the last byte is a zero
	}
}

func (r *bytecodeReader) string(c *cursor) string { return r.stringAt(c, c.varint()) }

func (r *bytecodeReader) stringAt(c *cursor, i uint64) string {
	if i >= uint64(len(r.strings)) {
		c.fail("the index %d is behind the %d strings", i, len(r.strings))
	}
	return r.strings[i]
}

// readDialects reads the names of dialects and operations.
func (r *bytecodeReader) readDialects(c cursor) {
	n := c.count("dialects")
	r.dialects = make([]string, n)
	for i := range r.dialects {
		name, versioned := c.varint(), false
		if r.version >= encodesDialectVersions {
			versioned = name&1 != 0
			name >>= 1
		}
		r.dialects[i] = r.stringAt(&c, name)
		if versioned {
			if id, _ := c.section(); id != dialectVersionSection {
				c.fail("section %d stands where the version of dialect %s is to be", id, r.dialects[i])
			}
		}
	}
	if r.version >= elidesArgLocations {
		c.varint()
	}
	for !c.empty() {
		dialect := r.dialect(&c)
		for range c.count("operation names") {
			name := c.varint()
			if r.version >= encodesProperties {
				name >>= 1 // whether the writer knew the operation
			}
			s := r.stringAt(&c, name)
			if s = dialect + "." + s; strings.HasSuffix(s, ".") {
				s = dialect
			}
			r.ops = append(r.ops, s)
		}
	}
}

func (r *bytecodeReader) dialect(c *cursor) string {
	i := c.varint()
	if i >= uint64(len(r.dialects)) {
		c.fail("the index %d is behind the %d dialects", i, len(r.dialects))
	}
	return r.dialects[i]
}

// readProperties finds the properties of operations, which are read when the operation is known.
func (r *bytecodeReader) readProperties(c cursor) {
	if c.empty() {
		return
	}
	r.props = make([]cursor, c.count("properties"))
	for i := range r.props {
		r.props[i] = c.sub(c.varint())
	}
}

// The kinds of resources.
const blobResource = 0

// readResources reads the blobs of dialects; those of tools are passed over.
func (r *bytecodeReader) readResources(sizes, c cursor) {
	for range sizes.count("groups of resources") {
		r.string(&sizes)
		r.resourceGroup(&sizes, &c, "")
	}
	for !sizes.empty() {
		r.resourceGroup(&sizes, &c, r.dialect(&sizes))
	}
}

func (r *bytecodeReader) resourceGroup(sizes, c *cursor, dialect string) {
	for range sizes.count("resources") {
		key := r.string(sizes)
		body := c.sub(sizes.varint())
		kind := sizes.byte()
		if dialect == "" {
			continue
		}
		r.handles = append(r.handles, key)
		if body.empty() || kind != blobResource || dialect != "builtin" {
			continue
		}
		align := body.varint()
		size := body.varint()
		body.align(align)
		r.blobs = append(r.blobs, Resource{Key: key, Align: int(align), Data: bytes.Clone(body.bytes(size))})
	}
}
