package scanner_test

import (
	"context"
	"errors"
	"io"
	"math/bits"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// pageEdges returns, of each page of a chunk, the row that its first value
// belongs to, and the last row that begins in it: by walking over the chunk's
// pages and counting what stands in them, not by an index.
func pageEdges(t *testing.T, f *scanner.File, c *scanner.Chunk) (edges []int64) {
	t.Helper()
	r, slack, err := c.Range()
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := fetch.ReadRange(context.Background(), f.Source(), fetch.Range{Off: r.Off, Len: r.Len + slack}, nil)
	if err != nil {
		t.Fatal(err)
	}
	unpacker, err := page.Options{Codecs: codec.NewSet(codec.Options{}), IgnoreCRC: true}.Unpacker(c.Meta.Codec)
	if err != nil {
		t.Fatal(err)
	}
	var w page.Walker
	w.Reset(page.Chunk{Length: r.Len, Slack: slack, Values: c.Meta.NumValues})
	w.Supply(0, chunk)
	row, values := int64(0), int64(0)
	for values < c.Meta.NumValues {
		p, _, err := w.Next()
		if err == io.EOF {
			break
		}
		if p == nil {
			t.Fatal(err)
		}
		if p.Ordinal < 0 {
			continue
		}
		values += int64(p.Header.NumValues)
		begun, first := int64(p.Header.NumValues), row
		if c.Leaf.MaxRep > 0 {
			packed, need := w.Packed()
			if need.Some() {
				t.Fatal(need)
			}
			body, err := unpacker.Unpack(nil, &p.Header, packed, 1<<31-1)
			if err != nil {
				t.Fatal(err)
			}
			levels, err := repetition(c, p, body)
			if err != nil {
				t.Fatal(err)
			}
			begun = 0
			for _, l := range levels {
				if l == 0 {
					begun++
				}
			}
			if len(levels) > 0 && levels[0] > 0 {
				first--
			}
		}
		row += begun
		edges = append(edges, first, row-1)
	}
	return edges
}

// repetition decodes the repetition levels of a page, naively.
func repetition(c *scanner.Chunk, p *page.Page, body []byte) ([]uint32, error) {
	parts, _, err := page.Split(&p.Header, c.Meta.Type, c.Leaf.MaxRep, c.Leaf.MaxDef, body)
	if err != nil {
		return nil, err
	}
	width, n := bits.Len(uint(c.Leaf.MaxRep)), int(p.Header.NumValues)
	if p.Header.Type == thrift.DataPage && p.Header.RepetitionEncoding == thrift.EncodingBitPacked {
		return nil, errors.New("BIT_PACKED repetition levels are in no file of the corpus")
	}
	return naive.Hybrid(parts.Repetition, width, n)
}
