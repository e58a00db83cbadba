package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// layout is what the pages of a chunk are like.
type layout struct {
	packed, unpacked int64 // bytes, with headers
	used             map[pageKind]int32
	dictionary       int64 // where that page is; -1: there is none
	data             int64 // where the first data page is; -1: there is none
	index            []int64
}

// pageKind is what encoding_stats count. Arrow's writers count v2 pages as DATA_PAGE. Pages of
// other types have no encoding.
type pageKind struct {
	data, dictionary bool
	encoding         thrift.Encoding
}

func kindOf(t thrift.PageType, e thrift.Encoding) pageKind {
	k := pageKind{data: t.IsData(), dictionary: t == thrift.DictionaryPage}
	if k.data || k.dictionary {
		k.encoding = e
	}
	return k
}

func (k pageKind) String() string {
	switch {
	case k.data:
		return "data pages in " + wirename.Encoding(k.encoding)
	case k.dictionary:
		return "dictionary pages in " + wirename.Encoding(k.encoding)
	}
	return "other pages"
}

// layout walks over the pages of a chunk, and holds them against footer and offset index. It
// returns what the chunk's values are to be held against.
func (v *verification) layout(ctx context.Context, c *scanner.Chunk) (*leafValues, error) {
	x := &leafValues{chunk: c, bounds: chunks.BoundsOf(v.f, c), now: newSpan(c.Leaf), all: newSpan(c.Leaf), ancestors: ancestorsOf(c.Leaf)}
	x.hashed = make([]uint64, len(x.ancestors))
	x.positions = positionsOf(c)
	if c.Meta.HasStatistics && c.Meta.Statistics.HasDistinctCount {
		x.distinct = distinct{column: &x.bounds.Column, seen: map[uint64]struct{}{}}
	}
	v.fetch(ctx, c)
	if err := v.indexes(ctx, x); err != nil {
		return nil, err
	}
	at := layout{used: map[pageKind]int32{}, dictionary: -1, data: -1}
	for p, err := range chunks.Pages(ctx, v.f, c) {
		if err != nil {
			return nil, err
		}
		v.pages++
		if err := v.page(ctx, x, &at, p); err != nil {
			return nil, err
		}
	}
	if n := len(x.pages); x.offsets != nil && n != len(x.offsets.Pages) {
		v.fault(c, -1, c.OffsetIndexOffset, "offset index: ", len(x.offsets.Pages), " pages, there are ", n)
	}
	v.sizes(c, &at)
	v.places(c, &at)
	v.encodingStats(c, &at)
	return x, nil
}

// page looks at one page, but not at its values.
func (v *verification) page(ctx context.Context, x *leafValues, at *layout, p *chunks.Page) error {
	c := x.chunk
	if !c.Encrypted() { // what is encrypted is read by the same code, and authenticated
		if err := thrift.Confirm(&p.PageHeader, p.Raw); err != nil {
			return fault.InPage(v.f.Name(), c, p.Number, p.Offset, corrupt.Within(err, "page header", 0))
		}
	}
	at.packed += p.Header().Len + p.Body().Len
	at.unpacked += p.Header().Len + int64(p.UncompressedSize)
	crc, err := chunks.Checksum(ctx, v.f, p)
	if err != nil {
		return fault.InPage(v.f.Name(), c, p.Number, p.Offset, err)
	}
	if crc == "bad" {
		v.fault(c, p.Number, p.Offset, "page body: CRC does not match")
	}
	k := kindOf(p.Type, p.Encoding)
	at.used[k]++
	switch {
	case p.Type == thrift.IndexPage:
		at.index = append(at.index, p.Offset)
	case k.dictionary:
		at.dictionary, x.entries = p.Offset, int64(p.NumValues)
		return v.dictionaryPage(ctx, x, p)
	}
	if p.Number < 0 {
		return nil
	}
	if at.data < 0 {
		at.data = p.Offset
	}
	if !slices.Contains(c.Meta.Encodings, p.Encoding) && !p.Encoding.IsDictionary() { // whose two names some writers mix
		// Some readers take a dictionary for all values of the chunk, if the footer has no other encoding.
		flaw := !slices.ContainsFunc(c.Meta.Encodings, thrift.Encoding.IsDictionary)
		v.defect(flaw, c, p.Number, p.Offset, "page in encoding ", p.Encoding, ", which is not among the footer's")
	}
	x.pages = append(x.pages, p)
	v.values += int64(p.NumValues)
	v.inOffsetIndex(x, p)
	return nil
}

// sizes holds sizes of the footer against those of the pages.
func (v *verification) sizes(c *scanner.Chunk, at *layout) {
	m := &c.Meta
	if _, slack, _ := c.Range(); at.packed != m.CompressedSize && slack == 0 {
		v.flaw(c, -1, -1, "pages take ", at.packed, " bytes, the footer says ", m.CompressedSize)
	} else if at.unpacked != m.UncompressedSize && at.packed == m.CompressedSize {
		v.flaw(c, -1, -1, "pages take ", at.unpacked, " bytes decompressed, the footer says ", m.UncompressedSize)
	}
}

// places holds the offsets of the footer against the places of pages. Some writers let the
// offset of the first data page be that of the dictionary, which readers know.
func (v *verification) places(c *scanner.Chunk, at *layout) {
	m := &c.Meta
	switch {
	case at.data < 0 || m.DataPageOffset == at.data:
	case m.DataPageOffset == at.dictionary:
		v.flaw(c, -1, -1, "the footer says that the first data page is at ", m.DataPageOffset, ", there is the dictionary")
	default:
		v.fault(c, -1, -1, "the footer says that the first data page is at ", m.DataPageOffset, ", it is at ", at.data)
	}
	if m.HasDictionaryOffset && m.DictionaryOffset != 0 && (at.dictionary < 0 || m.DictionaryOffset != at.dictionary) && at.data >= 0 {
		v.fault(c, -1, -1, "the footer says that the dictionary is at ", m.DictionaryOffset, ", there is none")
	}
	if m.HasIndexPageOffset && m.IndexPageOffset != 0 && !slices.Contains(at.index, m.IndexPageOffset) {
		v.flaw(c, -1, -1, "the footer says that an index page is at ", m.IndexPageOffset, ", there is none")
	}
}

// encodingStats holds the footer's numbers of pages against those there are. Some readers take
// a chunk without other pages than those of a dictionary for one whose dictionary has all values.
func (v *verification) encodingStats(c *scanner.Chunk, at *layout) {
	if len(c.Meta.EncodingStats) == 0 {
		return
	}
	counted := map[pageKind]int32{}
	for _, s := range c.Meta.EncodingStats {
		counted[kindOf(s.PageType, s.Encoding)] += s.Count
	}
	for k := range at.used {
		counted[k] += 0
	}
	byName := func(a, b pageKind) int { return cmp.Compare(a.String(), b.String()) }
	for _, k := range slices.SortedFunc(maps.Keys(counted), byName) {
		n := counted[k]
		flaw := n > 0 || !k.data || k.encoding.IsDictionary()
		v.hold(c, -1, -1, claim{true, "encoding_stats", k.String(), int64(n), int64(at.used[k]), flaw})
	}
}

// inOffsetIndex holds a data page against its entry in the offset index.
func (v *verification) inOffsetIndex(x *leafValues, p *chunks.Page) {
	l, ok := x.entry(p)
	if !ok {
		return
	}
	switch size := p.Header().Len + p.Body().Len; {
	case l.Offset != p.Offset:
		v.fault(x.chunk, p.Number, p.Offset, "offset index: the page is at ", l.Offset)
	case int64(l.CompressedSize) != size:
		v.fault(x.chunk, p.Number, p.Offset, "offset index: a page of ", l.CompressedSize, " bytes, it has ", size)
	}
}

// dictionaryPage looks at the entries of a dictionary page: whether they fill it, and are
// sorted if its header says so. A page that does not decode is left to those who need it.
func (v *verification) dictionaryPage(ctx context.Context, x *leafValues, p *chunks.Page) error {
	c, order := x.chunk, &x.bounds.Column
	if p.Encoding != thrift.EncodingPlain && p.Encoding != thrift.EncodingPlainDictionary {
		return nil
	}
	unpacker, err := v.unpacker(c)
	if err != nil {
		return err
	}
	_, body, err := p.Read(ctx, v.f, c, unpacker)
	if err != nil {
		return err
	}
	var last []byte
	for i := range int(p.NumValues) {
		entry, rest, ok := cutPlain(c.Leaf.Type, body)
		if !ok {
			return nil // whoever needs the dictionary says what is wrong
		}
		if p.IsSorted == thrift.True && order.Ordered() && !order.IsNaN(entry) {
			if last != nil && order.Compare(last, entry) > 0 {
				v.fault(c, -1, p.Offset, "dictionary: it is said to be sorted, but entry ", i, ", ", x.text(entry), ", is less than ", x.text(last))
				return nil
			}
			last = bytes.Clone(entry)
		}
		body = rest
	}
	if len(body) > 0 {
		v.flaw(c, -1, p.Offset, "dictionary: ", len(body), " bytes after its ", p.NumValues, " entries")
	}
	return nil
}

// cutPlain cuts the first value off values in PLAIN encoding, which are no booleans.
func cutPlain(t vector.Type, b []byte) (value, rest []byte, ok bool) {
	n := t.Width()
	if t.Physical == vector.ByteArray {
		if len(b) < 4 {
			return nil, nil, false
		}
		size := int64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; size > int64(len(b)) {
			return nil, nil, false
		}
		n = int(size)
	}
	if n < 0 || n > len(b) || t.Physical == vector.Boolean {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
