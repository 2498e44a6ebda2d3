package hlo

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// WriteBytecode writes a module as a portable artifact of a version of StableHLO, which every reader of that version or a
// later one takes. What the version does not have is an error that names the operation, type or attribute and the version
// that has it. Operations of other dialects are written beside those of VHLO where the version allows it, from 1.11 on, and
// the package knows their attributes; readers that lack the dialect refuse them.
func WriteBytecode(m *Module, target Version) (data []byte, err error) {
	if target.Less(MinimumVersion) || CurrentVersion.Less(target) {
		return nil, fmt.Errorf("bytecode: version %s is not between %s and %s", target, MinimumVersion, CurrentVersion)
	}
	w := &bytecodeWriter{target: target, version: encodingOf(target), resources: map[string][]byte{}, values: map[*Value]int{},
		attrs: newEntries(), types: newEntries(), strings: map[string]int{}, typeIDs: map[string]int{}, denseIDs: map[*Dense]int{},
		ops: map[string]int{}, propIDs: map[string]int{}, locs: map[Loc]atom{}}
	for _, r := range m.Resources {
		w.resources[r.Key] = r.Data
	}
	defer func() {
		if e := recover(); e != nil {
			we, ok := e.(writeError)
			if !ok {
				panic(e)
			}
			data, err = nil, error(we)
		}
	}()
	return w.file(m), nil
}

// writeError says what a version or the format cannot hold.
type writeError string

func (e writeError) Error() string { return "bytecode: " + string(e) }

func refuse(format string, args ...any) { panic(writeError(fmt.Sprintf(format, args...))) }

// encodingOf is the version of the encoding that goes with a version of StableHLO.
func encodingOf(v Version) uint64 {
	switch {
	case v.Less(Version{0, 10, 0}):
		return 0
	case v.Less(Version{0, 12, 0}):
		return 1
	case v.Less(Version{0, 14, 0}):
		return 3
	case v.Less(Version{0, 15, 0}):
		return 4
	}
	return 6
}

// The numbers of strings, attributes, types and operations are known when all are, so that those used most get the
// shortest. Until then what is to be written is a list of atoms.
type atom struct {
	kind  atomKind
	value uint64 // a number, or one by which the thing was noted
}

type atomKind byte

const (
	numberAtom   atomKind = iota // as it is
	byteAtom                     // one byte
	blobAtom                     // bytes
	stringAtom                   // the number of a string
	attrAtom                     // the number of an attribute
	flaggedAttr                  // the same, twice and one more: an attribute that may be absent
	typeAtom                     // the number of a type
	flaggedType                  // twice that, of a block argument without a place
	opAtom                       // the number of an operation's name
	sectionStart                 // a section of the IR, up to
	sectionEnd
)

// entries are the attributes or types of a file.
type entries struct {
	list []item
	ids  map[string]int // by their parts
}

type item struct {
	dialect string
	custom  bool
	atoms   []atom
	uses    int
	number  int // in the file
}

func newEntries() *entries { return &entries{ids: map[string]int{}} }

// add notes an entry once and returns by which number it was noted.
func (w *bytecodeWriter) add(e *entries, dialect string, custom bool, atoms ...atom) int {
	w.key = append(w.key[:0], dialect...)
	for _, a := range atoms {
		w.key = append(w.key, byte(a.kind))
		if a.kind == blobAtom {
			if blob := w.blobs[a.value]; len(blob) <= maxShared {
				w.key = append(binary.AppendUvarint(w.key, uint64(len(blob))), blob...)
				continue
			}
		}
		w.key = binary.AppendUvarint(w.key, a.value)
	}
	id, ok := e.ids[string(w.key)]
	if !ok {
		id = len(e.list)
		e.ids[string(w.key)] = id
		e.list = append(e.list, item{dialect: dialect, custom: custom, atoms: slices.Clone(atoms)})
	}
	return id
}

// maxShared bounds the constants that are written once where they are equal; a larger one is written for each that there is.
const maxShared = 1 << 10

// blob is a run of bytes.
func (w *bytecodeWriter) blob(data []byte) atom {
	w.blobs = append(w.blobs, data)
	return atom{blobAtom, uint64(len(w.blobs) - 1)}
}

// number sorts the entries by dialect, in the order of the dialects, and by how often they are used.
func (e *entries) number(dialects []string) (order []int) {
	order = make([]int, len(e.list))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := &e.list[order[i]], &e.list[order[j]]
		if a.dialect != b.dialect {
			return slices.Index(dialects, a.dialect) < slices.Index(dialects, b.dialect)
		}
		return a.uses > b.uses
	})
	for n, id := range order {
		e.list[id].number = n
	}
	return order
}

// bytecodeWriter gathers what a file holds.
type bytecodeWriter struct {
	target    Version
	version   uint64
	resources map[string][]byte
	attrs     *entries
	types     *entries
	typeIDs   map[string]int
	denseIDs  map[*Dense]int
	strings   map[string]int
	texts     []string
	ops       map[string]int // operation names with their dialects
	opNames   []string
	props     [][]atom
	propIDs   map[string]int
	ir        []atom
	values    map[*Value]int // numbers of the values in scope
	next      int            // the next number
	inFunc    bool
	op        *Op // being written, for errors

	blobs     [][]byte
	locs      map[Loc]atom
	key       []byte // of an entry being noted
	opNumbers []int  // known when all is gathered
}

func (w *bytecodeWriter) str(s string) atom {
	id, ok := w.strings[s]
	if !ok {
		id = len(w.texts)
		w.strings[s] = id
		w.texts = append(w.texts, s)
	}
	return atom{kind: stringAtom, value: uint64(id)}
}

func number(v int) atom { return atom{kind: numberAtom, value: uint64(v)} }

// signedAtom is a number that may be negative.
func signedAtom(v int64) atom { return atom{kind: numberAtom, value: uint64(v<<1) ^ uint64(v>>63)} }

// ref notes a use of an attribute or type.
func (e *entries) ref(kind atomKind, id int) atom {
	e.list[id].uses++
	return atom{kind: kind, value: uint64(id)}
}

// file writes the module when all its parts are known.
func (w *bytecodeWriter) file(m *Module) []byte {
	w.ir = append(w.ir, number(1<<1)) // a block of one operation
	w.module(m)
	dialects := []string{"builtin", "vhlo"}
	note := func(name string) {
		if !slices.Contains(dialects, name) {
			dialects = append(dialects, name)
		}
	}
	for _, name := range w.opNames {
		d, _, _ := strings.Cut(name, ".")
		note(d)
	}
	for _, list := range [][]item{w.attrs.list, w.types.list} {
		for _, it := range list {
			note(it.dialect)
		}
	}
	attrOrder, typeOrder := w.attrs.number(dialects), w.types.number(dialects)

	var entryData, offsets []byte
	offsets = appendVarint(appendVarint(offsets, uint64(len(attrOrder))), uint64(len(typeOrder)))
	for _, group := range []struct {
		*entries
		order []int
	}{{w.attrs, attrOrder}, {w.types, typeOrder}} {
		for i := 0; i < len(group.order); {
			dialect := group.list[group.order[i]].dialect
			n := i
			for n < len(group.order) && group.list[group.order[n]].dialect == dialect {
				n++
			}
			offsets = appendVarint(offsets, uint64(slices.Index(dialects, dialect)))
			offsets = appendVarint(offsets, uint64(n-i))
			for ; i < n; i++ {
				it := &group.list[group.order[i]]
				start := len(entryData)
				entryData = w.append(entryData, it.atoms)
				size := uint64(len(entryData)-start) << 1
				if it.custom {
					size |= 1
				}
				offsets = appendVarint(offsets, size)
			}
		}
	}
	dialectData := w.dialectTable(dialects)
	irData := w.append(nil, w.ir)
	var propData []byte
	if w.version >= encodesProperties {
		propData = appendVarint(propData, uint64(len(w.props)))
		for _, p := range w.props {
			body := w.append(nil, p)
			propData = append(appendVarint(propData, uint64(len(body))), body...)
		}
	}

	out := append([]byte(bytecodeMagic), appendVarint(nil, w.version)...)
	out = append(append(out, "StableHLO_v"+w.target.String()...), 0)
	out = appendSection(out, dialectSection, dialectData)
	out = appendSection(out, entrySection, entryData)
	out = appendSection(out, entryOffsetSection, offsets)
	out = appendSection(out, irSection, irData)
	out = appendSection(out, stringSection, w.stringTable())
	if propData != nil {
		out = appendSection(out, propertySection, propData)
	}
	return out
}

// dialectTable lists dialects and operation names, and gives the latter their numbers.
func (w *bytecodeWriter) dialectTable(dialects []string) []byte {
	data := appendVarint(nil, uint64(len(dialects)))
	for _, d := range dialects {
		name := w.str(d).value
		if w.version >= encodesDialectVersions {
			name <<= 1
		}
		data = appendVarint(data, name)
	}
	if w.version >= elidesArgLocations {
		data = appendVarint(data, uint64(len(w.opNames)))
	}
	w.opNumbers = make([]int, len(w.opNames))
	next := 0
	for i, d := range dialects {
		var names []int
		for id, name := range w.opNames {
			if strings.HasPrefix(name, d+".") {
				names = append(names, id)
			}
		}
		if len(names) == 0 {
			continue
		}
		data = appendVarint(appendVarint(data, uint64(i)), uint64(len(names)))
		for _, id := range names {
			name := w.str(w.opNames[id][len(d)+1:]).value
			if w.version >= encodesProperties {
				name = name<<1 | 1
			}
			data = appendVarint(data, name)
			w.opNumbers[id] = next
			next++
		}
	}
	return data
}

func (w *bytecodeWriter) stringTable() []byte {
	data := appendVarint(nil, uint64(len(w.texts)))
	for i := len(w.texts) - 1; i >= 0; i-- {
		data = appendVarint(data, uint64(len(w.texts[i]))+1)
	}
	for _, s := range w.texts {
		data = append(append(data, s...), 0)
	}
	return data
}

// append writes parts with the numbers that things have now.
func (w *bytecodeWriter) append(b []byte, parts []atom) []byte {
	var open []int // where sections begin
	for _, p := range parts {
		switch p.kind {
		case numberAtom, stringAtom:
			b = appendVarint(b, p.value)
		case byteAtom:
			b = append(b, byte(p.value))
		case blobAtom:
			b = append(b, w.blobs[p.value]...)
		case attrAtom:
			b = appendVarint(b, uint64(w.attrs.list[p.value].number))
		case flaggedAttr:
			b = appendVarint(b, uint64(w.attrs.list[p.value].number)<<1|1)
		case typeAtom:
			b = appendVarint(b, uint64(w.types.list[p.value].number))
		case flaggedType:
			b = appendVarint(b, uint64(w.types.list[p.value].number)<<1)
		case opAtom:
			b = appendVarint(b, uint64(w.opNumbers[p.value]))
		case sectionStart:
			open = append(open, len(b))
		case sectionEnd:
			at := open[len(open)-1]
			open = open[:len(open)-1]
			body := slices.Clone(b[at:])
			b = appendSection(b[:at], irSection, body)
		}
	}
	return b
}

func appendSection(b []byte, id byte, body []byte) []byte {
	return append(appendVarint(append(b, id), uint64(len(body))), body...)
}

// appendVarint writes a number so that the zeros at the end of its first byte say how many bytes follow.
func appendVarint(b []byte, v uint64) []byte {
	n := (bits.Len64(v|1) + 6) / 7 // bytes
	if n > 8 {
		return binary.LittleEndian.AppendUint64(append(b, 0), v)
	}
	v = v<<n | 1<<(n-1)
	for range n {
		b = append(b, byte(v))
		v >>= 8
	}
	return b
}
