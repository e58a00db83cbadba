package scanner

import (
	"slices"

	"github.com/winnow-scan/winnow/thrift"
)

// nextPart returns where the first part of the file behind an offset starts: the
// footer, if there is no other. The first call reads the footer's entries of all
// chunks. Only Bloom filters of old writers, that do not tell their length, need it.
func (f *File) nextPart(off int64) int64 {
	f.findParts.Do(func() { f.parts = f.offsets() })
	if i, _ := slices.BinarySearch(f.parts, off+1); i < len(f.parts) {
		return f.parts[i]
	}
	return f.footerStart
}

// offsets returns, in ascending order, where the footer says that something starts.
func (f *File) offsets() []int64 {
	var parts []int64
	var c thrift.ColumnChunk
	for i := range f.footer.RowGroups {
		for leaf := range f.schema.Leaves() {
			if f.footer.Chunk(i, leaf, &c) != nil {
				continue // a scan of that chunk says why
			}
			m := &c.Meta
			for _, off := range [...]int64{m.DictionaryOffset, m.DataPageOffset, m.BloomFilterOffset, c.ColumnIndexOffset, c.OffsetIndexOffset} {
				if off >= magicSize && off < f.footerStart {
					parts = append(parts, off)
				}
			}
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}
