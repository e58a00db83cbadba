package scanner

import (
	"slices"

	"github.com/winnow-scan/winnow/scanner/internal/footer"
	"github.com/winnow-scan/winnow/thrift"
)

// nextPart returns the offset of the first part of the file after off: a page, an index, a
// Bloom filter or the footer. It bounds Bloom filters of old writers, whose length the
// footer lacks. The first call parses the footer's entries of all chunks.
func (f *File) nextPart(off int64) int64 {
	f.findParts.Do(func() { f.partStarts = f.partOffsets() })
	if i, _ := slices.BinarySearch(f.partStarts, off+1); i < len(f.partStarts) {
		return f.partStarts[i]
	}
	return f.footerStart
}

// partOffsets returns, in ascending order, the offsets of all parts that the footer names.
func (f *File) partOffsets() []int64 {
	var parts []int64
	var c thrift.ColumnChunk
	for i := range f.footer.RowGroups {
		for leaf := range f.schema.Leaves() {
			if f.footer.Chunk(i, leaf, &c) != nil {
				continue // a scan of that chunk says why
			}
			m := &c.Meta
			for _, off := range [...]int64{m.DictionaryOffset, m.DataPageOffset, m.BloomFilterOffset, c.ColumnIndexOffset, c.OffsetIndexOffset} {
				if off >= footer.MagicSize && off < f.footerStart {
					parts = append(parts, off)
				}
			}
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}
