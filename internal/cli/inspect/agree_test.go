package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// What pages, offset indexes and footers say of each other was written by
// different code of many writers: here it must agree with what is found by
// walking over the pages.
func TestPagesAgreeWithIndexAndFooter(t *testing.T) {
	for _, dir := range []string{"../../../testdata", "../../../../shared/corpus/parquet-testing/data"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			chunks := 0
			for _, name := range dtest.SampleFiles(t, dir) {
				if strings.Contains(filepath.ToSlash(name), "/bad/") {
					continue
				}
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				src := fetch.FromBytes(b)
				file, err := scanner.OpenSource(t.Context(), name, src)
				if err != nil {
					t.Error(err)
					continue
				}
				f := &input.File{File: file}
				for g := range file.Footer().RowGroups {
					for leaf := range file.Schema().Leaves() {
						c, err := file.Chunk(g, leaf)
						if err != nil {
							t.Error(err)
							continue
						}
						chunkAgrees(t, f, c)
						chunks++
					}
				}
			}
			if t.Log(chunks, "chunks"); chunks < 100 {
				t.Error("too few")
			}
		})
	}
}

func chunkAgrees(t *testing.T, f *input.File, c *scanner.Chunk) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, row group %d, column %s: "+format, append([]any{f.Name(), c.RowGroup, c.Leaf}, args...)...)
	}
	x, err := rawmeta.OffsetIndex(t.Context(), f.File, c)
	rows := f.Footer().RowGroups[c.RowGroup].NumRows
	if err != nil || x != nil && !chunks.ValidOffsets(f, c, x) {
		x = nil // broken on purpose
	}
	var packed, unpacked, found int64
	// Arrow's writers count v2 pages as DATA_PAGE.
	type kind struct {
		dictionary bool
		encoding   thrift.Encoding
	}
	counts := map[kind]int32{}
	allRows := true
	counter := chunks.NewRowCounter(t.Context(), f, c)
	for p, err := range chunks.Pages(t.Context(), f, c) {
		if err != nil {
			fail("%v", err)
			return
		}
		packed += p.Header().Len + p.Body().Len
		unpacked += p.Header().Len + int64(p.UncompressedSize)
		switch p.Type {
		case thrift.DataPage, thrift.DataPageV2, thrift.DictionaryPage:
			counts[kind{p.Type == thrift.DictionaryPage, p.Encoding}]++
		}
		if n, known := counter.Of(p); known {
			found += n
		} else if p.Number >= 0 {
			allRows = false
		}
		if x != nil && p.Number >= 0 {
			if p.Number >= len(x.Pages) {
				fail("page %d is not in the offset index", p.Number)
			} else if l := x.Pages[p.Number]; l.Offset != p.Offset ||
				int64(l.CompressedSize) != p.Header().Len+p.Body().Len && filepath.Base(f.Name()) != "index_sizes.parquet" {
				fail("page %d at %d, %d bytes; the offset index has %+v", p.Number, p.Offset, p.Header().Len+p.Body().Len, l)
			}
		}
	}
	if allRows && found != rows {
		fail("pages hold %d rows, the row group %d", found, rows)
	}
	if _, slack, _ := c.Range(); packed != c.Meta.CompressedSize && slack == 0 {
		fail("pages take %d bytes, the footer says %d", packed, c.Meta.CompressedSize)
	}
	if unpacked != c.Meta.UncompressedSize && packed == c.Meta.CompressedSize {
		fail("pages take %d bytes uncompressed, the footer says %d", unpacked, c.Meta.UncompressedSize)
	}
	for _, s := range c.Meta.EncodingStats {
		k := kind{s.PageType == thrift.DictionaryPage, s.Encoding}
		if counts[k] -= s.Count; counts[k] < 0 {
			fail("the footer says %d pages of %v in %v, %d too many", s.Count, s.PageType, s.Encoding, -counts[k])
		}
	}
}
