package hlo

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// cursor reads a part of a bytecode file from front to back. A defect is a panic with a *BytecodeError.
type cursor struct {
	data []byte
	at   int
	base int // where data begins in the file
}

func (c *cursor) fail(format string, args ...any) {
	panic(&BytecodeError{c.base + c.at, fmt.Sprintf(format, args...)})
}

func (c *cursor) empty() bool { return c.at >= len(c.data) }
func (c *cursor) left() int   { return len(c.data) - c.at }

func (c *cursor) byte() byte {
	if c.empty() {
		c.fail("the data ends too early")
	}
	c.at++
	return c.data[c.at-1]
}

func (c *cursor) bytes(n uint64) []byte {
	if n > uint64(c.left()) {
		c.fail("%d bytes are asked for, %d are left", n, c.left())
	}
	c.at += int(n)
	return c.data[c.at-int(n) : c.at]
}

// sub is a cursor over the next n bytes.
func (c *cursor) sub(n uint64) cursor {
	base := c.base + c.at
	return cursor{data: c.bytes(n), base: base}
}

// varint reads a number whose first byte says by its trailing zeros how many bytes follow.
func (c *cursor) varint() uint64 {
	first := c.byte()
	if first&1 != 0 {
		return uint64(first >> 1)
	}
	if first == 0 {
		return binary.LittleEndian.Uint64(c.bytes(8))
	}
	n := bits.TrailingZeros8(first)
	v := uint64(first)
	for i, b := range c.bytes(uint64(n)) {
		v |= uint64(b) << (8 * (i + 1))
	}
	return v >> (n + 1)
}

// signed reads a number whose lowest bit is its sign.
func (c *cursor) signed() int64 {
	v := c.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads how many entries follow; each takes a byte at least.
func (c *cursor) count(what string) int {
	n := c.varint()
	if n > uint64(c.left()) {
		c.fail("%d %s cannot stand in the %d bytes that are left", n, what, c.left())
	}
	return int(n)
}

// fixed reads an integer of a known width: a byte, or a signed number of which the lowest bits count.
func (c *cursor) fixed(width int) uint64 {
	v := uint64(0)
	if width <= 8 {
		v = uint64(c.byte())
	} else {
		v = uint64(c.signed())
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}

// align passes over padding up to the next multiple of n in the file.
func (c *cursor) align(n uint64) {
	if bits.OnesCount64(n) != 1 || n > 1<<30 {
		c.fail("the alignment %d is no power of two", n)
	}
	for uint64(c.base+c.at)&(n-1) != 0 {
		if b := c.byte(); b != padding {
			c.fail("the byte %#x stands in padding", b)
		}
	}
}

// padding fills what alignment leaves open.
const padding = 0xCB

// section reads the head of a section and returns its body.
func (c *cursor) section() (id int, body cursor) {
	kind := c.byte()
	size := c.varint()
	if kind&0x80 != 0 {
		c.align(c.varint())
	}
	if id = int(kind &^ 0x80); id >= numSections {
		c.fail("section %d is of no known kind", id)
	}
	return id, c.sub(size)
}
