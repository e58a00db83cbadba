package cli

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// pageAt is a page and its place in the file.
type pageAt struct {
	thrift.PageHeader
	Number     int // among the chunk's data pages; -1: not a data page
	Offset     int64
	HeaderSize int
}

// body returns where the page's body lies in the file.
func (p *pageAt) body() fetch.Range {
	return fetch.Range{Off: p.Offset + int64(p.HeaderSize), Len: int64(p.CompressedSize)}
}

// header returns where its header lies.
func (p *pageAt) header() fetch.Range { return fetch.Range{Off: p.Offset, Len: int64(p.HeaderSize)} }

// read returns the body of the page, which is of chunk c, as it is compressed, and decompressed.
func (p *pageAt) read(ctx context.Context, f *input, c *scanner.Chunk, u page.Unpacker) (packed, body []byte, err error) {
	packed, err = fetch.ReadRange(ctx, f.Source(), p.body(), nil)
	if err == nil {
		packed, err = u.Open(nil, &p.PageHeader, p.Number, packed)
	}
	if err == nil {
		body, err = u.Unpack(nil, &p.PageHeader, packed, int(p.UncompressedSize))
	}
	return packed, body, inPage(f.Name(), c, p.Number, p.Offset, err)
}

// headerWindow is how much is read at once to find headers: the headers of several
// small pages, without much of the body of a large one.
const headerWindow = 16 << 10

// pages walks over the pages of a chunk by their headers, without reading bodies.
// It ends with an error if the pages do not hold as many values as the footer
// says. A page stays valid after the next one.
func pages(ctx context.Context, f *input, c *scanner.Chunk) iter.Seq2[*pageAt, error] {
	return func(yield func(*pageAt, error) bool) {
		r, slack, err := c.Range()
		if err != nil {
			yield(nil, err)
			return
		}
		var w page.Walker
		w.Reset(page.Chunk{
			RowGroup: c.RowGroup, Column: c.Leaf.FirstLeaf, Length: r.Len, Cipher: rawmeta.Cipher(f.File, c),
			Slack: slack, Values: c.Meta.NumValues,
		})
		values, number, at := int64(0), 0, r.Off
		for {
			p, need, err := w.NextAny()
			switch {
			case need.Some():
				err = readForWalker(ctx, f, &w, r, slack, need)
				if err == nil {
					continue
				}
			case err == io.EOF && values != c.Meta.NumValues:
				err = corrupt.At(-1, "column chunk: its pages hold ", values, " values, its metadata says ", c.Meta.NumValues)
				yield(nil, inPage(f.Name(), c, -1, r.Off, err))
				return
			case err == io.EOF:
				return
			}
			if err != nil {
				// Some writers leave bytes after the last page: what is wrong with these is no fault.
				if at == r.Off || values != c.Meta.NumValues || !errors.Is(err, scanner.ErrCorrupt) {
					yield(nil, inPage(f.Name(), c, number, at, err))
				}
				return
			}
			if p.Ordinal >= 0 {
				values += int64(p.Header.NumValues)
				number = p.Ordinal + 1
			}
			at = r.Off + p.End()
			if !yield(&pageAt{p.Header, p.Ordinal, r.Off + p.Offset, p.HeaderSize}, nil) {
				return
			}
		}
	}
}

// readForWalker reads the bytes that the walker needs, and some after them.
func readForWalker(ctx context.Context, f *input, w *page.Walker, chunk fetch.Range, slack int64, need page.Need) error {
	length := max(need.To-need.From, min(headerWindow, chunk.Len+slack-need.From))
	b, err := fetch.ReadRange(ctx, f.Source(), fetch.Range{Off: chunk.Off + need.From, Len: length}, nil)
	w.Supply(need.From, b)
	return err
}

// inPage adds the place of a page to an error that has none.
func inPage(file string, c *scanner.Chunk, number int, offset int64, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: file, RowGroup: c.RowGroup, Column: c.Leaf.String(), Page: number, Offset: offset, Err: err}
}
