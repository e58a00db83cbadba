package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// written returns the bytes of the first chunk of a file of one column, and
// where its pages start in them. What gen says of that is the oracle.
func written(tb testing.TB, c gen.Column, rows int) (chunk []byte, spans []gen.Span) {
	tb.Helper()
	f := gen.File{Schema: []*gen.Node{gen.Optional("a", gen.Int64)}, All: c}
	var rg gen.RowGroup
	for i := range rows {
		r := gen.Record{}
		if i%7 != 3 {
			r["a"] = int64(i % 50)
		}
		rg.Rows = append(rg.Rows, r)
	}
	f.RowGroups = []gen.RowGroup{rg}
	w, err := f.Build()
	if err != nil {
		tb.Fatal(err)
	}
	spans = w.Pages[0][0]
	first, last := spans[0].Start, spans[len(spans)-1].End
	for i := range spans {
		spans[i].Start, spans[i].Body, spans[i].End = spans[i].Start-first, spans[i].Body-first, spans[i].End-first
	}
	return w.Bytes[first:last], spans
}

// thriftPage returns a page with a header of that type.
func thriftPage(tb testing.TB, typ thrift.PageType, body string) []byte {
	tb.Helper()
	h := &wire.PageHeader{Type: wire.PageType(typ), UncompressedPageSize: int32(len(body)), CompressedPageSize: int32(len(body))}
	switch typ {
	case thrift.DataPage:
		h.DataPageHeader = &wire.DataPageHeader{NumValues: 2}
	case thrift.DataPageV2:
		h.DataPageHeaderV2 = &wire.DataPageHeaderV2{NumValues: 3}
	case thrift.DictionaryPage:
		h.DictionaryPageHeader = &wire.DictionaryPageHeader{NumValues: 1}
	}
	b, err := gen.Thrift(h)
	if err != nil {
		tb.Fatal(err)
	}
	return append(b, body...)
}

func TestWalkerWithWindowsOfAnySize(t *testing.T) {
	for _, version := range []int{1, 2} {
		chunk, spans := written(t, gen.Column{
			Codec: gen.Snappy, PageRows: []int{100, 1, 30}, Shape: gen.Shape{Version: version, Encoding: gen.Dictionary, PageStats: gen.MinMax},
		}, 1000)
		for _, size := range []int{0, 1, 20, 100, 1000, len(chunk)} {
			var w Walker
			w.Reset(Chunk{Length: int64(len(chunk))})
			pages, bytesRead := 0, 0
			for {
				p, need, err := w.Next()
				if need.Some() {
					// More than needed, by up to size bytes.
					to := min(need.To+int64(size), int64(len(chunk)))
					w.Supply(need.From, chunk[need.From:to:to])
					bytesRead += int(to - need.From)
					continue
				}
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				s := spans[pages]
				if p.Offset != s.Start || p.BodyOffset() != s.Body || p.End() != s.End || p.Ordinal != pages-1 {
					t.Errorf("page %d: %d, %d, %d, ordinal %d, want %v", pages, p.Offset, p.BodyOffset(), p.End(), p.Ordinal, s)
				}
				pages++
			}
			if pages != len(spans) {
				t.Errorf("windows of %d more: %d pages, want %d", size, pages, len(spans))
			}
		}
	}
}

// Passing over large pages takes their headers.
func TestWalkerPassesOverBodies(t *testing.T) {
	body := strings.Repeat("x", 100_000)
	var chunk []byte
	for range 10 {
		chunk = append(chunk, thriftPage(t, v1, body)...)
	}
	var w Walker
	w.Reset(Chunk{Length: int64(len(chunk))})
	read := int64(0)
	for {
		_, need, err := w.Next()
		if need.Some() {
			read += need.To - need.From
			w.Supply(need.From, chunk[need.From:need.To])
			continue
		}
		if err != nil {
			break
		}
	}
	if read != 10*HeaderGuess {
		t.Errorf("%d bytes read of a chunk of %d", read, len(chunk))
	}
}

func TestWalkerJumps(t *testing.T) {
	chunk, spans := written(t, gen.Column{Codec: gen.Zstd, PageRows: []int{10}, Shape: gen.Shape{Encoding: gen.Dictionary}}, 200)
	var w Walker
	w.Reset(Chunk{Length: int64(len(chunk))})
	for _, i := range []int{5, 6, 2, 20, 1} {
		w.JumpTo(spans[i].Start, i-1)
		_, need, err := w.Next()
		if !need.Some() || need.From != spans[i].Start {
			t.Fatalf("page %d: %v", i, err)
		}
		w.Supply(spans[i].Start, chunk[spans[i].Start:spans[i].End])
		p, _, err := w.Next()
		if p == nil || p.Ordinal != i-1 || p.End() != spans[i].End {
			t.Fatalf("page %d: %v, %v", i, p, err)
		}
		if b, need := w.Packed(); need.Some() || !bytes.Equal(b, chunk[spans[i].Body:spans[i].End]) {
			t.Errorf("page %d: body of %d bytes, %v", i, len(b), err)
		}
	}
	for _, offset := range []int64{-1, -1 << 62} {
		w.JumpTo(offset, 0)
		if _, _, err := w.Next(); !errors.Is(err, corrupt.Bad) {
			t.Errorf("a page at %d: %v", offset, err)
		}
	}
	w.JumpTo(1<<62, 0)
	if _, _, err := w.Next(); err != io.EOF {
		t.Errorf("a page behind the end: %v", err)
	}
}

func TestWalkerKinds(t *testing.T) {
	dict := thriftPage(t, thrift.DictionaryPage, "d")
	index := thriftPage(t, thrift.IndexPage, "index")
	unknown := thriftPage(t, thrift.PageType(77), "unknown")
	one := thriftPage(t, v1, "one")
	two := thriftPage(t, v2, "two")
	empty := thriftPage(t, v2, "")
	for _, tc := range []struct {
		name  string
		pages [][]byte
		want  string // bodies, then the error
	}{
		{"all", [][]byte{dict, one, two}, "d one two EOF"},
		{"index and unknown pages", [][]byte{index, dict, unknown, one, index, two, unknown}, "d one two EOF"},
		{"empty", [][]byte{empty, one, empty}, " one  EOF"},
		{"no pages", nil, "EOF"},
		{"two dictionaries", [][]byte{dict, dict, one}, "d column chunk, byte 14: dictionary page that is not the first page"},
		{"late dictionary", [][]byte{one, dict}, "one column chunk, byte 20: dictionary page that is not the first page"},
		{"cut in the body", [][]byte{one, two[:len(two)-1]}, fmt.Sprintf("one column chunk, byte 20: page of %d+3 bytes in a chunk of %d", len(two)-3, len(one)+len(two)-1)},
		{"cut in the header", [][]byte{one, two[:5]}, "one page header, byte 5: the bytes end inside a value"},
		{"rubbish", [][]byte{one, {0xff, 0xff, 0xff}}, "one page header, byte 0: unknown type"},
	} {
		chunk := bytes.Join(tc.pages, nil)
		c := column{bytes: chunk}
		var w Walker
		w.Reset(Chunk{Length: int64(len(chunk))})
		var got []string
		for {
			_, err := c.next(&w)
			if err != nil {
				got = append(got, err.Error())
				if err != io.EOF && !errors.Is(err, corrupt.Bad) {
					t.Errorf("%s: %v", tc.name, err)
				}
				if _, again := c.next(&w); again.Error() != err.Error() {
					t.Errorf("%s: first %v, then %v", tc.name, err, again)
				}
				break
			}
			got = append(got, string(c.packed(&w)))
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, s, tc.want)
		}
	}
	// Inspectors see all.
	var w Walker
	chunk := bytes.Join([][]byte{index, dict, unknown, one}, nil)
	w.Reset(Chunk{Length: int64(len(chunk))})
	w.Supply(0, chunk)
	var types []thrift.PageType
	for {
		p, _, _ := w.NextAny()
		if p == nil {
			break
		}
		types = append(types, p.Header.Type)
	}
	if got := fmt.Sprint(types); got != "[INDEX_PAGE DICTIONARY_PAGE 77 DATA_PAGE]" {
		t.Errorf("NextAny: %v", got)
	}
}

// parquet-mr before 1.2.9 left the dictionary page's header out of the length.
func TestWalkerSlack(t *testing.T) {
	pages := [][]byte{thriftPage(t, thrift.DictionaryPage, "dictionary"), thriftPage(t, v1, "one"), thriftPage(t, v1, "2")}
	chunk := append(bytes.Join(pages, nil), "the next chunk, which is none of our business"...)
	whole := int64(len(bytes.Join(pages, nil)))
	for short := range int64(len(pages[2]) + 5) {
		var w Walker
		w.Reset(Chunk{Length: whole - short, Slack: 40, Values: 4})
		w.Supply(0, chunk)
		n := 0
		var err error
		for ; err == nil; n++ {
			_, _, err = w.Next()
		}
		if err != io.EOF || n != 4 {
			t.Errorf("%d bytes short: %d pages, %v", short, n-1, err)
		}
	}
}

func TestPlainModules(t *testing.T) {
	one := thriftPage(t, v1, "one")
	for m := Footer; m <= BloomFilterBitset; m++ {
		b, err := Open(nil, m, 3, nil, one)
		if err != nil || &b[0] != &one[0] || m.String() == "unknown module" {
			t.Errorf("module %v of a plain file: %v", m, err)
		}
	}
}

func TestWalkingAllocatesNothing(t *testing.T) {
	for _, shape := range []gen.Shape{{Version: 1, Encoding: gen.Dictionary, PageStats: gen.MinMax}, {Version: 2, Encoding: gen.Dictionary}} {
		chunk, spans := written(t, gen.Column{PageRows: []int{10}, Shape: shape}, 500)
		var w Walker
		u, err := options().Unpacker(0)
		if err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(10, func() {
			w.Reset(Chunk{Length: int64(len(chunk))})
			w.Supply(0, chunk)
			pages := 0
			for {
				p, _, err := w.Next()
				if err == io.EOF {
					break
				}
				if p == nil {
					t.Fatal(err)
				}
				packed, need := w.Packed()
				if need.Some() {
					t.Fatal(need)
				}
				body, err := u.Unpack(nil, &p.Header, packed, len(packed))
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := Split(&p.Header, thrift.TypeInt64, 0, 1, body); err != nil {
					t.Fatal(err)
				}
				pages++
			}
			if pages != len(spans) {
				t.Fatalf("%d pages of %d", pages, len(spans))
			}
		})
		if n > 0 {
			t.Errorf("version %d: %v allocations", shape.Version, n)
		}
	}
}

// A page of a chunk of 64 pages, from header to parts, nothing compressed.
func BenchmarkWalk(b *testing.B) {
	for _, split := range []bool{false, true} {
		for _, version := range []int{1, 2} {
			b.Run(fmt.Sprintf("split=%v/version=%d", split, version), func(b *testing.B) {
				chunk, spans := written(b, gen.Column{PageRows: []int{100, 99, 101}, Shape: gen.Shape{Version: version, PageStats: gen.MinMax}}, 6400)
				o := options()
				o.IgnoreCRC = true
				u, _ := o.Unpacker(0)
				var w Walker
				b.ReportAllocs()
				for b.Loop() {
					w.Reset(Chunk{Length: int64(len(chunk))})
					w.Supply(0, chunk)
					n := 0
					for {
						p, _, _ := w.Next()
						if p == nil {
							break
						}
						n++
						if !split {
							continue
						}
						packed, _ := w.Packed()
						body, _ := u.Unpack(nil, &p.Header, packed, len(packed))
						if _, _, err := Split(&p.Header, thrift.TypeInt64, 0, 1, body); err != nil {
							b.Fatal(err)
						}
					}
					if n != len(spans) {
						b.Fatal(n)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(spans)), "ns/page")
			})
		}
	}
}
