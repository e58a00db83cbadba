package hostile

import (
	"context"
	"testing"

	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// parts finds the parts of a sound file. Files that cannot be read whole
// (samples of what is refused) have only a footer.
func parts(t testing.TB, s sample) map[string][]part {
	t.Helper()
	ctx := context.Background()
	all := map[string][]part{}
	n := int64(len(s.bytes))
	f, err := withKeys().OpenSource(ctx, s.name, fetch.FromBytes(s.bytes))
	if err != nil {
		t.Fatal(err)
	}
	add := func(kind string, from, size int64, rowGroup, leaf int) {
		if from >= 0 && size > 0 && from+size <= n {
			all[kind] = append(all[kind], part{kind, from, from + size, rowGroup, leaf})
		}
	}
	footer := f.FooterRange()
	add("footer", footer.Off, n-footer.Off, -1, -1)
	add("footer", footer.Off, footer.Len, -1, -1)
	for g := range f.Footer().RowGroups {
		for l := range f.Schema().Leaves() {
			c, err := f.Chunk(g, l)
			if err != nil {
				continue
			}
			if c.HasColumnIndex {
				add("column index", c.ColumnIndexOffset, int64(c.ColumnIndexLength), g, l)
			}
			if c.HasOffsetIndex {
				add("offset index", c.OffsetIndexOffset, int64(c.OffsetIndexLength), g, l)
			}
			if c.Meta.HasBloomFilter {
				add("bloom", c.Meta.BloomFilterOffset, 24, g, l)
			}
			where, _, err := c.Range()
			if err != nil {
				continue
			}
			// Where a walk ends early, what it passed is still good to mutate.
			_ = eachPage(ctx, f, c, func(p *page.Page, packed []byte) {
				add("page header", where.Off+p.Offset, int64(p.HeaderSize), g, l)
				add("page body", where.Off+p.BodyOffset(), int64(len(packed)), g, l)
			})
		}
	}
	return all
}
