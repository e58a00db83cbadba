package cli

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// layout walks over the pages of a chunk, and holds them against footer and offset index. It
// returns what the chunk's values are to be held against.
func (v *verification) layout(ctx context.Context, c *scanner.Chunk) (*leafValues, error) {
	x := &leafValues{chunk: c, bounds: v.f.bounds(c), all: span{rows: v.f.Footer().RowGroups[v.group].NumRows}}
	if err := v.indexes(ctx, x); err != nil {
		return nil, err
	}
	counter := rowCounter{c: c, index: x.offsets, total: x.all.rows}
	packed, unpacked, rows, known := int64(0), int64(0), int64(0), true
	used := map[pageKind]int32{}
	for p, err := range pages(ctx, v.f, c) {
		if err != nil {
			return nil, err
		}
		v.pages++
		packed += p.header().Len + p.body().Len
		unpacked += p.header().Len + int64(p.UncompressedSize)
		crc, err := checksum(ctx, v.f, p)
		if err != nil {
			return nil, inPage(v.f, c, p.Number, p.Offset, err)
		}
		if crc == "bad" {
			v.fault(c, p.Number, p.Offset, "page body: CRC does not match")
		}
		if k := kindOf(p); k.data || k.dictionary {
			used[k]++
			if k.data && !slices.Contains(c.Meta.Encodings, p.Encoding) && !isDictionary(p.Encoding) { // whose two names some writers mix
				v.flaw(c, p.Number, p.Offset, "page in encoding ", wirename.Encoding(p.Encoding), ", which is not among the footer's")
			}
		}
		if p.Number < 0 {
			continue
		}
		n, ok := counter.of(p)
		if known = known && ok; known {
			x.pages = append(x.pages, span{page: p, slots: int64(p.NumValues), first: rows, rows: n})
			rows += n
		}
		x.all.slots += int64(p.NumValues)
		v.inOffsetIndex(x, p)
	}
	v.values += x.all.slots
	if known && rows != x.all.rows {
		v.fault(c, -1, -1, "pages hold ", rows, " rows, the row group has ", x.all.rows)
		known = false
	}
	if !known {
		x.pages = nil
	}
	if n := int64(len(x.pages)); known && x.offsets != nil && n != int64(len(x.offsets.Pages)) {
		v.fault(c, -1, c.OffsetIndexOffset, "offset index: ", len(x.offsets.Pages), " pages, there are ", n)
	}
	v.sizes(c, packed, unpacked, used)
	return x, nil
}

// pageKind is what encoding_stats count. Arrow's writers count v2 pages as DATA_PAGE.
type pageKind struct {
	data, dictionary bool
	encoding         wire.Encoding
}

func kindOf(p *pageAt) pageKind {
	return pageKind{p.Type == wire.PageType_DATA_PAGE || p.Type == wire.PageType_DATA_PAGE_V2, p.Type == wire.PageType_DICTIONARY_PAGE, p.Encoding}
}

// sizes holds sizes and counts of the footer against those of the pages.
func (v *verification) sizes(c *scanner.Chunk, packed, unpacked int64, used map[pageKind]int32) {
	m := &c.Meta
	if _, slack, _ := c.Range(); packed != m.CompressedSize && slack == 0 {
		v.flaw(c, -1, -1, "pages take ", packed, " bytes, the footer says ", m.CompressedSize)
	} else if unpacked != m.UncompressedSize && packed == m.CompressedSize {
		v.flaw(c, -1, -1, "pages take ", unpacked, " bytes decompressed, the footer says ", m.UncompressedSize)
	}
	for _, s := range m.EncodingStats {
		dictionary := s.PageType == wire.PageType_DICTIONARY_PAGE
		k := pageKind{!dictionary, dictionary, s.Encoding}
		if used[k] -= s.Count; used[k] < 0 {
			v.flaw(c, -1, -1, "the footer counts ", s.Count, " pages of ", wirename.PageType(s.PageType), " in ", wirename.Encoding(s.Encoding), ", ", -used[k], " too many")
		}
	}
}

// indexes reads the indexes and the Bloom filter of a chunk. Those that are broken are faults.
func (v *verification) indexes(ctx context.Context, x *leafValues) error {
	c := x.chunk
	if _, _, err := c.Range(); err != nil {
		return err
	}
	broken := func(err error) error {
		if err == nil || ctx.Err() != nil || isOutsideFile(err) {
			return err
		}
		v.all = append(v.all, defect{err: err})
		return nil
	}
	offsets, err := rawmeta.OffsetIndex(ctx, v.f.File, c)
	if err == nil && offsets != nil && x.all.rows > 0 {
		err = inPage(v.f, c, -1, c.OffsetIndexOffset, (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(offsets, x.all.rows, v.f.FooterRange().Off))
	}
	if err == nil {
		x.offsets = offsets
	}
	if err := broken(err); err != nil {
		return err
	}
	columns, err := rawmeta.ColumnIndex(ctx, v.f.File, c)
	if err == nil && columns != nil && x.offsets != nil && x.all.rows > 0 {
		err = inPage(v.f, c, -1, c.ColumnIndexOffset, x.bounds.column.CheckIndex(columns, x.offsets, x.all.rows))
		if err == nil {
			v.order(x, columns)
		}
	}
	if err == nil && x.offsets != nil && x.all.rows > 0 {
		x.columns = columns
	}
	if err := broken(err); err != nil {
		return err
	}
	filter, err := rawmeta.BloomFilter(ctx, v.f.File, c)
	if err == nil && filter != nil && filter.Header.Algorithm == 1 && filter.Header.Hash == 1 && filter.Header.Compression == 1 {
		x.bloom, err = bloom.FromBytes(filter.Bits)
		err = inPage(v.f, c, -1, c.Meta.BloomFilterOffset, err)
	}
	return broken(err)
}

// order holds the order of the pages' bounds against what their index claims.
func (v *verification) order(x *leafValues, columns *thrift.ColumnIndex) {
	claim, column := columns.BoundaryOrder, &x.bounds.column
	var last pageindex.Bounds
	for i := range columns.NullPages {
		b := column.Page(columns, i)
		if !b.HasMin || !b.HasMax {
			continue // pages of NULLs and NaNs stand anywhere
		}
		if last.HasMin {
			least, most := column.Compare(last.Min, b.Min), column.Compare(last.Max, b.Max)
			if claim == wire.BoundaryOrder_ASCENDING && max(least, most) > 0 || claim == wire.BoundaryOrder_DESCENDING && min(least, most) < 0 {
				v.fault(x.chunk, i, x.chunk.ColumnIndexOffset, "column index: bounds are ", wirename.BoundaryOrder(claim), ", it says, but not those of this page and the one before")
				return
			}
		}
		last = b
	}
}

// inOffsetIndex holds a data page against its entry in the offset index.
func (v *verification) inOffsetIndex(x *leafValues, p *pageAt) {
	if x.offsets == nil || p.Number >= len(x.offsets.Pages) {
		return
	}
	size := p.header().Len + p.body().Len
	switch l := &x.offsets.Pages[p.Number]; {
	case l.Offset != p.Offset:
		v.fault(x.chunk, p.Number, p.Offset, "offset index: the page is at ", l.Offset)
	case int64(l.CompressedSize) != size:
		v.fault(x.chunk, p.Number, p.Offset, "offset index: a page of ", l.CompressedSize, " bytes, it has ", size)
	}
}
