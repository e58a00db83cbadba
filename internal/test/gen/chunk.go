package gen

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// chunk is a column chunk while it is written.
type chunk struct {
	Column
	leaf   Leaf
	out    *[]byte
	sealer *sealer // nil: the chunk is plain

	codeOf     map[string]uint32
	entries    any
	indexWidth int

	written  int // data pages
	spans    []Span
	rawSize  int64
	dataFrom int64 // start of the first data page
	dictFrom int64 // start of the dictionary page; -1: none
	meta     *wire.ColumnMetaData
}

// cut fills c.Pages from the data of the chunk.
func (c *chunk) cut() {
	if c.Pages == nil && c.Data != nil {
		parts := []Data{*c.Data}
		switch {
		case c.PageSlots != nil:
			parts = c.Data.cutSlots(c.leaf, c.PageSlots)
		case c.PageRows != nil:
			parts = c.Data.cutRows(c.leaf, c.PageRows)
		}
		for i, d := range parts {
			p := Page{Data: d}
			if i < len(c.PageShapes) {
				p.Shape = c.PageShapes[i]
			}
			c.Pages = append(c.Pages, p)
		}
	}
	c.Pages = append([]Page(nil), c.Pages...)
	for i := range c.Pages {
		inherit(&c.Pages[i].Shape, c.Shape)
	}
}

// whole returns the data of all pages as one.
func (c *chunk) whole() Data {
	if c.Data != nil {
		return *c.Data
	}
	d := Data{Values: noValues(c.leaf.Type)}
	for i := range c.Pages {
		p := &c.Pages[i]
		d.Rep, d.Def = append(d.Rep, p.Rep...), append(d.Def, p.Def...)
		d.Values = joinValues(d.Values, p.Values)
	}
	return d
}

// makeDictionary gathers the entries and the codes of the values.
func (c *chunk) makeDictionary() bool {
	used := c.Dictionary != nil
	c.codeOf, c.entries = map[string]uint32{}, noValues(c.leaf.Type)
	add := func(values any, always bool) {
		v := reflect.ValueOf(values)
		for i := range countValues(values) {
			key := string(c.leaf.plainOf(v.Index(i).Interface()))
			if _, known := c.codeOf[key]; known && !always {
				continue
			}
			c.codeOf[key] = uint32(countValues(c.entries))
			c.entries = joinValues(c.entries, sliceValues(values, i, i+1))
		}
	}
	add(c.Dictionary, true)
	for _, p := range c.Pages {
		if p.Encoding == Dictionary || p.Encoding == PlainDictionary {
			if c.Dictionary == nil {
				add(p.Values, false)
			}
			used = true
		}
	}
	c.indexWidth = c.IndexWidth
	if n := countValues(c.entries); c.indexWidth == 0 && n > 1 {
		c.indexWidth = bits.Len(uint(n - 1))
	}
	return used
}

func (c *chunk) codes(values any) []uint32 {
	v := reflect.ValueOf(values)
	codes := make([]uint32, countValues(values))
	for i := range codes {
		codes[i] = c.codeOf[string(c.leaf.plainOf(v.Index(i).Interface()))]
	}
	return codes
}

// write appends a page, whose body has so many bytes before compression, to the file.
func (c *chunk) write(header, body []byte, size int) {
	s := Span{Start: int64(len(*c.out)), Size: int64(size)}
	*c.out = append(*c.out, header...)
	s.Body = int64(len(*c.out))
	*c.out = append(*c.out, body...)
	s.End = int64(len(*c.out))
	c.spans = append(c.spans, s)
	c.rawSize += int64(size + len(header))
}

// writePages writes all pages of the chunk and makes its metadata.
func (c *chunk) writePages() error {
	c.cut()
	start := int64(len(*c.out))
	c.dictFrom = -1
	stats := map[wire.PageEncodingStats]int32{}
	var kinds []wire.PageEncodingStats
	count := func(t wire.PageType, e wire.Encoding) {
		k := wire.PageEncodingStats{PageType: t, Encoding: e}
		if stats[k] == 0 {
			kinds = append(kinds, k)
		}
		stats[k]++
	}
	if c.makeDictionary() {
		c.dictFrom = start
		h := &wire.PageHeader{Type: wire.PageType_DICTIONARY_PAGE, DictionaryPageHeader: &wire.DictionaryPageHeader{
			NumValues: int32(countValues(c.entries)), Encoding: wire.Encoding_PLAIN,
		}}
		if c.OldDictionary {
			h.DictionaryPageHeader.Encoding = wire.Encoding_PLAIN_DICTIONARY
		}
		p := Page{Shape: c.Shape, Header: c.DictionaryHeader}
		if err := c.seal(h, nil, plain(c.leaf.Type, c.entries), &p); err != nil {
			return err
		}
		count(h.Type, h.DictionaryPageHeader.Encoding)
	}
	c.dataFrom = int64(len(*c.out))
	levels := map[wire.Encoding]bool{}
	for i := range c.Pages {
		p := &c.Pages[i]
		if err := c.check(p); err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
		levelBytes, values, h, err := c.body(p)
		if err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
		st := c.leaf.statistics(c.leaf.bounds(p.Data), p.PageStats, c.Truncate)
		if h.DataPageHeader != nil {
			h.DataPageHeader.Statistics = st
			levels[h.DataPageHeader.DefinitionLevelEncoding] = true
		} else {
			h.DataPageHeaderV2.Statistics = st
			levels[wire.Encoding_RLE] = true
		}
		count(h.Type, p.Encoding.Wire())
		if err := c.seal(h, levelBytes, values, p); err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
	}

	whole := c.whole()
	m := &wire.ColumnMetaData{
		Type: c.leaf.Type.thrift(), PathInSchema: c.leaf.Path, Codec: c.Codec.thrift(),
		NumValues: c.slots(), TotalUncompressedSize: c.rawSize, TotalCompressedSize: int64(len(*c.out)) - start,
		DataPageOffset: c.dataFrom,
	}
	for _, k := range kinds {
		m.Encodings = appendNew(m.Encodings, k.Encoding)
		if !c.NoEncodingStats {
			k.Count = stats[k]
			m.EncodingStats = append(m.EncodingStats, &k)
		}
	}
	for _, e := range []wire.Encoding{wire.Encoding_RLE, wire.Encoding_BIT_PACKED} {
		if levels[e] {
			m.Encodings = appendNew(m.Encodings, e)
		}
	}
	if c.dictFrom >= 0 && c.HideDictionary {
		m.DataPageOffset = c.dictFrom
	} else if c.dictFrom >= 0 {
		m.DictionaryPageOffset = &c.dictFrom
	}
	if c.Stats == 0 {
		c.Stats = MinMax | NullCount
	}
	m.Statistics = c.leaf.statistics(c.leaf.bounds(whole), c.Stats, c.Truncate)
	if c.SizeStats {
		m.SizeStatistics = &wire.SizeStatistics{
			RepetitionLevelHistogram: histogram(whole.Rep, c.leaf.MaxRep),
			DefinitionLevelHistogram: histogram(whole.Def, c.leaf.MaxDef),
		}
		if c.leaf.Type == ByteArray {
			n := byteCount(whole.Values)
			m.SizeStatistics.UnencodedByteArrayDataBytes = &n
		}
	}
	c.meta = m
	return nil
}

// check compares the levels of a page with its values, so that a test file is
// wrong only where it is meant to be.
func (c *chunk) check(p *Page) error {
	if p.Body != nil || p.ValueBytes != nil || p.RepBytes != nil || p.DefBytes != nil {
		return nil
	}
	if c.leaf.MaxRep > 0 && c.leaf.MaxDef > 0 && len(p.Rep) != len(p.Def) {
		return errors.New("repetition and definition levels differ in number")
	}
	n := countValues(p.Values)
	if p.Codes != nil {
		n = len(p.Codes)
	}
	if c.leaf.MaxDef > 0 && p.present(c.leaf.MaxDef) != n {
		return fmt.Errorf("the levels promise %d values, not %d", p.present(c.leaf.MaxDef), n)
	}
	return nil
}

func (c *chunk) slots() int64 {
	n := 0
	for i := range c.Pages {
		n += c.Pages[i].slots()
	}
	return int64(n)
}

// slots is Data.Slots where codes may stand for values.
func (p *Page) slots() int {
	if p.Rep == nil && p.Def == nil && p.Codes != nil {
		return len(p.Codes)
	}
	return p.Slots()
}

func appendNew[T comparable](list []T, v T) []T {
	for _, x := range list {
		if x == v {
			return list
		}
	}
	return append(list, v)
}

//every:codec writer number but LZO (refused)
func (c Codec) thrift() wire.CompressionCodec {
	switch c {
	case Snappy:
		return wire.CompressionCodec_SNAPPY
	case Gzip, GzipMembers:
		return wire.CompressionCodec_GZIP
	case Zstd, ZstdNoSize:
		return wire.CompressionCodec_ZSTD
	case Brotli:
		return wire.CompressionCodec_BROTLI
	case LZ4Raw:
		return wire.CompressionCodec_LZ4_RAW
	case LZ4Hadoop, LZ4HadoopBlocks, LZ4Bare, LZ4Frame:
		return wire.CompressionCodec_LZ4
	}
	return wire.CompressionCodec_UNCOMPRESSED
}
