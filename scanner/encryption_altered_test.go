package scanner

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// TestEncryptedFileIsAltered: no change of a byte gives other rows. With AES_GCM_CTR_V1,
// pages have no tags: there they may.
func TestEncryptedFileIsAltered(t *testing.T) {
	for _, e := range []*gen.Encryption{{}, {PlainFooter: true}, {CTR: true}, {AsDuckDB: true}} {
		shape := secrets(e, gen.Column{Shape: gen.Shape{CRC: gen.NoCRC}})
		for g := range shape.RowGroups {
			shape.RowGroups[g].Rows = shape.RowGroups[g].Rows[:60]
		}
		shape.All.Bloom = 32
		data := scannertest.Write(t, shape)
		o := OpenOptions{Keys: keysOf(testKeys)}
		read := func(b []byte) (rows []string, err error) {
			f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(b))
			if err != nil {
				return nil, err
			}
			for _, q := range []string{"k >= 5", "a = 7 OR s = 'secret 003' OR ANY(l) = 9"} {
				for b, err := range f.Scan(t.Context(), Options{Select: []string{"k", "a", "s", "l"}, Filter: scannertest.Parsed(t, q)}) {
					if err != nil {
						return nil, err
					}
					rows = append(rows, scannertest.Lines(t, b)...)
				}
			}
			return rows, nil
		}
		want, err := read(data)
		if err != nil {
			t.Fatal(err)
		}
		// An index that was altered is not ignored, as a plain one is that makes no sense.
		f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(data))
		if err != nil {
			t.Fatal(err)
		}
		for leaf := range 3 {
			c, err := f.Chunk(0, leaf)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []int64{c.OffsetIndexOffset, c.ColumnIndexOffset} {
				b := bytes.Clone(data)
				b[at+20] ^= 1
				for _, q := range []string{"k = 7", "k = 40 AND a = 10", "s = 'secret 003'"} {
					f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(b))
					if err != nil {
						t.Fatal(err)
					}
					rows, err := tryLines(t, f, Options{Select: []string{"s", "k", "a"}, Filter: scannertest.Parsed(t, q)})
					if at == c.OffsetIndexOffset && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "offset index does not decrypt")) {
						t.Errorf("%s: the offset index of column %d is altered: %d rows, %v", q, leaf, len(rows), err)
					}
				}
			}
		}
		tried, refused := 0, 0
		for i := 4; i < len(data)-8; i += 7 {
			tried++
			b := bytes.Clone(data)
			b[i] ^= 1 << (i % 8)
			rows, err := read(b)
			var at *Error
			switch {
			case err == nil && e.CTR:
			case err == nil && !slices.Equal(rows, want):
				t.Fatalf("byte %d is altered: other rows, and no error", i)
			case err != nil:
				if refused++; !errors.As(err, &at) || strings.Contains(err.Error(), "\n") {
					t.Errorf("byte %d: %v", i, err)
				}
			}
		}
		if 3*refused < tried || 2*refused < tried && !e.CTR { // nobody reads the plain column
			t.Errorf("of %d altered bytes %d are noticed", tried, refused)
		}
	}
}

// TestExchangedModules: pages, chunks and row groups that change places are noticed, though
// each of them has a right tag. In the plain twin, rows change with them.
func TestExchangedModules(t *testing.T) {
	var rows [2][]any
	for g := range rows {
		for i := range 40 {
			rows[g] = append(rows[g], gen.Record{"a": int64(1000*g + i), "b": int64(5000 + 1000*g + i)})
		}
	}
	build := func(e *gen.Encryption) gen.Written {
		f := gen.File{
			Schema:     []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64)},
			RowGroups:  []gen.RowGroup{{Rows: rows[0]}, {Rows: rows[1]}},
			All:        gen.Column{PageRows: []int{10}, Stats: gen.NoStats, Index: gen.NoIndex},
			Encryption: e,
		}
		w, err := f.Build()
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	read := func(b []byte) ([]string, error) {
		f, err := OpenOptions{Keys: keysOf(testKeys)}.OpenSource(t.Context(), "f", fetch.FromBytes(b))
		if err != nil {
			return nil, err
		}
		return tryLines(t, f, Options{})
	}
	type place struct{ group, column, page int }
	for _, e := range []*gen.Encryption{nil, {Footer: gen.Key{Metadata: "kf", Bytes: testKeys["kf"]}}} {
		w := build(e)
		want, err := read(w.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		for _, swap := range [][2]place{
			{{0, 0, 1}, {0, 0, 2}}, // pages
			{{0, 0, 1}, {0, 1, 1}}, // pages of two columns
			{{0, 0, 1}, {1, 0, 1}}, // pages of two row groups
		} {
			b := bytes.Clone(w.Bytes)
			x, y := w.Pages[swap[0].group][swap[0].column][swap[0].page], w.Pages[swap[1].group][swap[1].column][swap[1].page]
			if x.End-x.Start != y.End-y.Start {
				t.Fatal("the pages have different sizes")
			}
			copy(b[x.Start:x.End], w.Bytes[y.Start:y.End])
			copy(b[y.Start:y.End], w.Bytes[x.Start:x.End])
			got, err := read(b)
			var at *Error
			switch {
			case e == nil:
				if err != nil || slices.Equal(got, want) {
					t.Errorf("%v, plain: %v", swap, err)
				}
			case !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "wrong key, or altered"):
				t.Errorf("%v: %v", swap, err)
			case errors.As(err, &at) && (at.RowGroup != 0 || at.Column != "a" || at.Page != 1 || at.Offset != x.Start):
				t.Errorf("%v: %v", swap, err)
			}
		}
	}
}
