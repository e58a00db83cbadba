package column

import (
	"errors"
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Values of pages that are not compressed are read where they are to stand, each
// once: of the feed nothing is asked but what is in front of them.
func TestValuesAreReadInPlace(t *testing.T) {
	if !plain.InPlace {
		t.Skip("values in memory are other bytes")
	}
	const rows, perPage = 40_000, 16_000
	for _, nulls := range []bool{false, true} {
		for version := 1; version <= 2; version++ {
			t.Run(fmt.Sprintf("v%d/nulls=%v", version, nulls), func(t *testing.T) {
				src, raw := storedFile(t, rows, perPage, nulls, version)
				var chunk Chunk
				var cur Cursor
				if err := chunk.Reset(src); err != nil {
					t.Fatal(err)
				}
				feed := &memory{chunk: raw, spoil: true}
				direct := 0
				cur.Open(&chunk, feed, Options{ReadAt: func(dst []byte, from int64) error {
					direct += len(dst)
					return feed.readAt(dst, from)
				}})
				var dst vector.Vector
				for cur.At() < rows {
					from := int(cur.At())
					cur.Window(min(cur.At()+7000, rows))
					build.Reset(&dst, src.Leaf.Type)
					if err := cur.Read(nil, &dst); err != nil {
						t.Fatal(err)
					}
					checkInts(t, &dst, from, nulls)
					cur.Advance(int64(from + dst.Len))
				}
				values := rows
				if nulls {
					values -= (rows + 2) / 3
				}
				asked := int64(0)
				for _, r := range feed.reads {
					asked += r.to - r.from
				}
				if direct != 8*values || asked > 30_000 {
					t.Errorf("%d bytes were read in place, %d were asked for", direct, asked)
				}
			})
		}
	}
}

// Rows that are filtered or read selectively after all were read in place are right.
func TestPagesAreCompletedAfterDirectReads(t *testing.T) {
	for _, nulls := range []bool{false, true} {
		src, raw := storedFile(t, 3000, 1000, nulls, 1)
		var chunk Chunk
		var cur Cursor
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		feed := &memory{chunk: raw, spoil: true}
		cur.Open(&chunk, feed, Options{ReadAt: feed.readAt})
		cur.Advance(500)
		cur.Window(2500)
		read := func(sel *Selection) *vector.Vector {
			var dst vector.Vector
			build.Reset(&dst, src.Leaf.Type)
			if err := cur.Read(sel, &dst); err != nil {
				t.Fatal(err)
			}
			return &dst
		}
		checkInts(t, read(nil), 500, nulls)
		var sel Selection
		sel.Fill(2000)
		if err := cur.Filter(&sel, pred.Ints(1400, 1499)); err != nil {
			t.Fatal(err)
		}
		checkInts(t, read(nil), 500, nulls)
		got := read(&sel)
		for i, row := 0, 1400; row < 1500; row++ {
			if nulls && row%3 == 0 {
				continue
			}
			if i >= got.Len || got.Int64s[i] != int64(row) {
				t.Fatalf("value %d of %d: want %d", i, got.Len, row)
			}
			i++
		}
		cur.Close()
		if n := cur.Counters(); n.Redecompressed != 0 || n.Pages[Decoded] != 3 {
			t.Errorf("%+v", n)
		}
	}
}

// What fails to be read in place fails.
func TestReadsInPlaceFail(t *testing.T) {
	src, raw := storedFile(t, 3000, 1000, false, 1)
	var chunk Chunk
	var cur Cursor
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	failing := errors.New("no disk")
	readAt := func([]byte, int64) error { return failing }
	cur.Open(&chunk, broken{&memory{chunk: raw}, failing}, Options{ReadAt: readAt})
	cur.Window(3000)
	var dst vector.Vector
	build.Reset(&dst, src.Leaf.Type)
	if err := cur.Read(nil, &dst); !errors.Is(err, failing) || dst.Len != 0 {
		t.Error(err, dst.Len)
	}
}

// broken is a feed of which nothing can be read that is larger than a header.
type broken struct {
	*memory
	err error
}

func (b broken) Read(from, to int64) ([]byte, error) {
	if to-from > 1000 {
		return nil, b.err
	}
	return b.memory.Read(from, to)
}

// storedFile has numbers that are their rows', or NULL in each third row.
func storedFile(t *testing.T, n, perPage int, nulls bool, version int) (Source, []byte) {
	t.Helper()
	rows := make([]any, n)
	node := gen.Required("a", gen.Int64)
	if nulls {
		node = gen.Optional("a", gen.Int64)
	}
	for i := range rows {
		if rows[i] = (gen.Record{"a": i}); nulls && i%3 == 0 {
			rows[i] = gen.Record{}
		}
	}
	col := gen.Column{Shape: gen.Shape{Version: version, CRC: gen.NoCRC}, PageRows: []int{perPage}}
	f := gen.File{Schema: []*gen.Node{node}, RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{col}}}}
	src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	return src, raw
}

// checkInts wants rows of storedFile.
func checkInts(t *testing.T, v *vector.Vector, from int, nulls bool) {
	t.Helper()
	for i := range v.Len {
		null := nulls && (from+i)%3 == 0
		if v.IsNull(i) != null || !null && v.Int64s[i] != int64(from+i) {
			t.Fatalf("row %d: NULL %v, %d", from+i, v.IsNull(i), v.Int64s[i])
		}
	}
}
