package column

import (
	"encoding/binary"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/thrift"
)

// repackLSBFirst turns BIT_PACKED levels that are packed from the lowest bit on into a
// packed run of the RLE hybrid, which has this order:
//
//	header 2*groups+1 | the same bytes
//
// Nothing in a page tells the order. It is the one that the file's writer is known for,
// unless a page is only plausible in the other one.
func (c *Cursor) repackLSBFirst(p *leafPage) {
	h := &p.header
	rep := c.src.repeated() && h.RepetitionEncoding == thrift.EncodingBitPacked
	def := c.src.Leaf.MaxDef > 0 && h.DefinitionEncoding == thrift.EncodingBitPacked
	if h.Type != thrift.DataPage || h.NumValues == 0 || !rep && !def {
		return
	}
	msbFirst := !c.src.LSBFirst
	if !c.plausible(p, rep, def, msbFirst) && c.plausible(p, rep, def, !msbFirst) {
		msbFirst = !msbFirst
	}
	if msbFirst {
		return
	}
	if rep {
		p.body.parts.Repetition = asRun(p.body.parts.Repetition, int(h.NumValues))
		h.RepetitionEncoding = thrift.EncodingRLE
	}
	if def {
		p.body.parts.Definition = asRun(p.body.parts.Definition, int(h.NumValues))
		h.DefinitionEncoding = thrift.EncodingRLE
	}
}

// asRun returns n packed levels as a run of the RLE hybrid.
func asRun(packed []byte, n int) []byte {
	groups := (n + 7) / 8
	return append(binary.AppendUvarint(nil, uint64(groups)<<1|1), packed...)
}

// plausible reports whether the packed levels of a page, read in one of the bit orders,
// agree with the number of its values.
func (c *Cursor) plausible(p *leafPage, rep, def, msbFirst bool) bool {
	n := int(p.header.NumValues)
	if rep {
		levels, ok := unpackLevels(p.body.parts.Repetition, c.src.Leaf.MaxRep, n, msbFirst)
		if !ok || p.first == 0 && levels[0] != 0 {
			return false
		}
	}
	if !def {
		return true
	}
	levels, ok := unpackLevels(p.body.parts.Definition, c.src.Leaf.MaxDef, n, msbFirst)
	if !ok {
		return false
	}
	count := 0
	for _, x := range levels {
		if int(x) == c.src.Leaf.MaxDef {
			count++
		}
	}
	least, most := c.possibleValues(p)
	return least <= count && count <= most
}

// unpackLevels returns n packed levels, and whether there are as many, none above most.
func unpackLevels(part []byte, most, n int, msbFirst bool) (levels []uint8, ok bool) {
	width := uint(mathbits.Len(uint(most)))
	if bitpack.Size(n, width) > len(part) {
		return nil, false
	}
	if msbFirst {
		part = bitpack.FromMSB(nil, part, n, width)
	}
	levels = make([]uint8, n)
	bitpack.Unpack8(levels, part, width)
	for _, x := range levels {
		if int(x) > most {
			return levels, false
		}
	}
	return levels, true
}

// possibleValues returns bounds of how many values the value part has, without looking
// at levels.
func (c *Cursor) possibleValues(p *leafPage) (least, most int) {
	n, body, t := int(p.header.NumValues), p.body.parts.Values, c.src.Leaf.Type
	switch e := p.header.Encoding; {
	case e.IsDictionary():
		var d rle.Codes
		if d.ResetIndices(body, 0, n) != nil {
			return 0, 0
		}
		total := 0
		for total < n {
			r, err := d.NextRun(n - total)
			if err != nil {
				break
			}
			total += r.N
		}
		return max(0, total-7), total // the last group may be filled up
	case e != thrift.EncodingPlain:
		return 0, n
	case t.Physical == vector.Boolean:
		return max(0, 8*len(body)-7), 8 * len(body)
	case t.Physical == vector.ByteArray:
		count := 0
		for ; len(body) >= 4; count++ {
			size := uint64(binary.LittleEndian.Uint32(body)) + 4
			if size > uint64(len(body)) {
				break
			}
			body = body[size:]
		}
		return count, count
	case t.Width() > 0:
		return len(body) / t.Width(), len(body) / t.Width()
	}
	return 0, n
}
