package scanner

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func ptr[T any](v T) *T { return &v }

// chunkOf opens a file with one column and returns its only chunk.
func chunkOf(t *testing.T, f gen.File) *Chunk {
	t.Helper()
	if f.Schema == nil {
		f.Schema = []*gen.Node{gen.Required("a", gen.Int32)}
		f.RowGroups = []gen.RowGroup{{Rows: []any{gen.Record{"a": 7}, gen.Record{"a": 7}, gen.Record{"a": 8}}}}
	}
	b := scannertest.Write(t, f)
	file, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	c, err := file.Chunk(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// offsetIndex reads the offset index of a chunk that has one.
func offsetIndex(t *testing.T, c *Chunk) *thrift.OffsetIndex {
	t.Helper()
	b, err := fetch.ReadRange(t.Context(), c.file.src, fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := new(thrift.OffsetIndex)
	if _, err := thrift.ReadOffsetIndex(b, x); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestChunkRange(t *testing.T) {
	const anywhere = -1
	for _, tc := range []struct {
		name  string
		meta  func(*wire.ColumnChunk)
		start int64 // of the range; anywhere if there is an error
		want  string
	}{
		{"as written", func(*wire.ColumnChunk) {}, 4, ""},
		{"no mention of the dictionary", func(c *wire.ColumnChunk) {
			c.MetaData.DataPageOffset, c.MetaData.DictionaryPageOffset = 4, nil
		}, 4, ""},
		{"dictionary offset 0", func(c *wire.ColumnChunk) {
			c.MetaData.DataPageOffset, c.MetaData.DictionaryPageOffset = 4, ptr(int64(0))
		}, 4, ""},
		{"data page offset 0", func(c *wire.ColumnChunk) { c.MetaData.DataPageOffset = 0 }, 4, ""},
		{"dictionary behind the data", func(c *wire.ColumnChunk) {
			c.MetaData.DataPageOffset, c.MetaData.DictionaryPageOffset = 4, ptr(int64(40))
		}, 4, ""},
		{"no values", func(c *wire.ColumnChunk) {
			c.MetaData.DataPageOffset, c.MetaData.NumValues, c.MetaData.TotalCompressedSize = -7, 0, 0
		}, 0, ""},
		{"offset negative", func(c *wire.ColumnChunk) { c.MetaData.DataPageOffset, c.MetaData.DictionaryPageOffset = -4, nil }, anywhere, "offset -4"},
		{"in the magic", func(c *wire.ColumnChunk) { c.MetaData.DataPageOffset = 3 }, anywhere, "magic"},
		{"behind the file", func(c *wire.ColumnChunk) {
			c.MetaData.DataPageOffset, c.MetaData.DictionaryPageOffset = 1<<40, nil
		}, anywhere, "footer's start"},
		{"into the footer", func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize += 1000 }, anywhere, "footer's start"},
		{"size overflows", func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize = math.MaxInt64 }, anywhere, "footer's start"},
		{"size negative", func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize = -1 }, anywhere, "length -1"},
		{"values negative", func(c *wire.ColumnChunk) { c.MetaData.NumValues = -1 }, anywhere, "-1 values"},
		{"other type", func(c *wire.ColumnChunk) { c.MetaData.Type = wire.Type_DOUBLE }, anywhere, "DOUBLE, the schema says INT32"},
		{"other file", func(c *wire.ColumnChunk) { c.FilePath = ptr("other.parquet") }, anywhere, "other.parquet"},
		{"empty file path", func(c *wire.ColumnChunk) { c.FilePath = ptr("") }, 4, ""},
		{"no metadata", func(c *wire.ColumnChunk) { c.MetaData = nil }, anywhere, "without metadata"},
	} {
		c := chunkOf(t, gen.File{All: gen.Column{Meta: tc.meta, Index: gen.NoIndex, Shape: gen.Shape{Encoding: gen.Dictionary}}})
		r, slack, err := c.Range()
		if tc.start == anywhere {
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), `f.parquet: row group 0, column "a": `) {
				t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
			}
			continue
		}
		if err != nil || r.Off != tc.start || r.Len != c.Meta.CompressedSize || slack != 0 {
			t.Errorf("%s: %v, slack %d, %v", tc.name, r, slack, err)
		}
	}
}

func TestEncryptedColumnIsRefused(t *testing.T) {
	c := chunkOf(t, gen.File{All: gen.Column{Encrypted: true}})
	if _, _, err := c.Range(); !errors.Is(err, ErrEncrypted) || !strings.Contains(err.Error(), "encrypted") {
		t.Errorf("pages: %v", err)
	}
}

func TestRowGroupWithTheWrongNumberOfChunks(t *testing.T) {
	f := gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32), gen.Required("b", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1, "b": 2}}}},
		Footer:    func(m *wire.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:1] },
	}
	file, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(scannertest.Write(t, f)))
	if err != nil {
		t.Fatal(err)
	}
	for leaf := range 2 {
		if _, err := file.Chunk(0, leaf); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "row group 0: footer: 1 column chunk, the schema has 2 columns") {
			t.Errorf("leaf %d: %v", leaf, err)
		}
	}
}

// TestEmptyRowGroupWithoutChunks scans a file with a row group that has no rows,
// and for that matter no chunks.
func TestEmptyRowGroupWithoutChunks(t *testing.T) {
	for _, chunks := range []int{0, 1} {
		f := gen.File{
			Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
			RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1}}}, {Rows: []any{}}},
			Footer:    func(m *wire.FileMetaData) { m.RowGroups[1].Columns = m.RowGroups[1].Columns[:chunks] },
		}
		file, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(scannertest.Write(t, f)))
		if err != nil {
			t.Fatal(err)
		}
		for _, err = range file.Scan(t.Context(), Options{}) {
		}
		if chunks == 1 && err != nil || chunks == 0 && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "row group 1: footer: 0 column chunks, the schema has 1 column")) {
			t.Errorf("%d chunks: %v", chunks, err)
		}
	}
}

func TestRowGroupWithNegativeRows(t *testing.T) {
	f := gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1}}}},
		Footer:    func(m *wire.FileMetaData) { m.RowGroups[0].NumRows = -2 },
	}
	file, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(scannertest.Write(t, f)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Chunk(0, 0); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "row group of -2 rows") {
		t.Error(err)
	}
}

func TestWritersThatUnderstate(t *testing.T) {
	c := chunkOf(t, gen.File{CreatedBy: "parquet-mr version 1.2.8"})
	if _, slack, err := c.Range(); err != nil || slack < 1 || slack > maxUnderstated {
		t.Errorf("slack %d, %v", slack, err)
	}
	c = chunkOf(t, gen.File{CreatedBy: "parquet-mr version 1.2.9"})
	if _, slack, err := c.Range(); err != nil || slack != 0 {
		t.Errorf("slack %d of a writer that counts right, %v", slack, err)
	}
}
