package scanner

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// failing is a source whose first reads fail.
type failing struct {
	fetch.Source
	failures int
}

func (s *failing) ReadRanges(ctx context.Context, r []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if s.failures--; s.failures >= 0 {
		return nil, errors.New("not yet")
	}
	return s.Source.ReadRanges(ctx, r, alloc)
}

// Small chunks that follow each other are read at once. If that fails, or if a budget has no room
// for it, or if a chunk is not small, each is read by itself. Batches keep what they show.
func TestJointReads(t *testing.T) {
	var rows []any
	for i := range 300 {
		letter := string(rune('a' + i%26))
		rows = append(rows, gen.Record{"a": strings.Repeat("a", i%7), "b": int64(i), "large": strings.Repeat(letter, 400), "c": strings.Repeat("c", i%5), "d": int64(-i)})
	}
	b := scannertest.Write(t, gen.File{
		Schema: []*gen.Node{gen.Required("a", gen.ByteArray), gen.Required("b", gen.Int64), gen.Required("large", gen.ByteArray), gen.Required("c", gen.ByteArray), gen.Required("d", gen.Int64)},
		// 400 bytes a row are a small chunk in the first row group, and none in the second
		RowGroups: []gen.RowGroup{{Rows: rows[:100]}, {Rows: rows[100:]}},
	})
	rec := record.Of(fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
	src := &failing{Source: rec}
	f, err := OpenSource(t.Context(), "f", src)
	if err != nil {
		t.Fatal(err)
	}
	chunk := func(group, leaf int) fetch.Range {
		c, err := f.Chunk(group, leaf)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := c.Range()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	join := func(group, from, to int) fetch.Range {
		first := chunk(group, from)
		return fetch.Range{Off: first.Off, Len: chunk(group, to).End() - first.Off}
	}
	second := []fetch.Range{join(1, 0, 1), join(1, 3, 4), chunk(1, 2)}
	for _, tc := range []struct {
		name     string
		o        Options
		failures int
		want     []fetch.Range
	}{
		{"all", Options{}, 0, append([]fetch.Range{join(0, 0, 4)}, second...)},
		{"at the second try", Options{}, 1, append([]fetch.Range{chunk(0, 0), chunk(0, 1), chunk(0, 2), chunk(0, 3), chunk(0, 4)}, second...)},
		{"some", Options{Select: []string{"b", "large", "d"}}, 0, []fetch.Range{join(0, 1, 2), chunk(0, 4), chunk(1, 1), chunk(1, 2), chunk(1, 4)}},
		{"twice", Options{Select: []string{"a", "b", "a", "b"}}, 0, []fetch.Range{join(0, 0, 1), join(1, 0, 1)}},
		{"survivors", Options{Filter: scannertest.Parsed(t, "b = 50")}, 0, []fetch.Range{chunk(0, 1), join(0, 2, 4), chunk(0, 0)}},
		{"without room", Options{Resources: &Resources{Bytes: 128 << 10}}, 0, nil},
	} {
		rec.Take()
		src.failures = tc.failures
		var batches []*vector.Batch
		for x, err := range f.Scan(t.Context(), tc.o) {
			if err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			batches = append(batches, x)
		}
		read := slices.Concat(rec.Take()...)
		if tc.want != nil && !slices.Equal(read, tc.want) {
			t.Errorf("%s: read %v, want %v", tc.name, read, tc.want)
		}
		if tc.want == nil && slices.Contains(read, join(0, 0, 4)) {
			t.Errorf("%s: read %v", tc.name, read)
		}
		for _, x := range batches {
			ids := x.Columns[slices.IndexFunc(x.Fields, func(f vector.Field) bool { return f.Name == "b" })].Int64s
			for k, v := range x.Columns {
				for i, id := range ids {
					switch want := rows[id].(gen.Record)[x.Fields[k].Name].(type) {
					case int64:
						if v.Int64s[i] != want {
							t.Fatalf("%s: row %d: %s has %d, want %d", tc.name, id, x.Fields[k].Name, v.Int64s[i], want)
						}
					case string:
						if got := string(v.Bytes(i)); got != want {
							t.Fatalf("%s: row %d: %s has %q, want %q", tc.name, id, x.Fields[k].Name, got, want)
						}
					}
				}
			}
		}
	}
}
