package chunks

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"iter"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Page is a page and its place in the file.
type Page struct {
	thrift.PageHeader
	Number     int // among the chunk's data pages; -1: not a data page
	Offset     int64
	HeaderSize int
	Raw        []byte // the header as it is in the file
}

// Body returns where the page's body lies in the file.
func (p *Page) Body() fetch.Range {
	return fetch.Range{Off: p.Offset + int64(p.HeaderSize), Len: int64(p.CompressedSize)}
}

// Header returns where its header lies.
func (p *Page) Header() fetch.Range { return fetch.Range{Off: p.Offset, Len: int64(p.HeaderSize)} }

// Read returns the body of the page, which is of chunk c, as it is compressed, and decompressed.
func (p *Page) Read(ctx context.Context, f *input.File, c *scanner.Chunk, u page.Unpacker) (packed, body []byte, err error) {
	packed, err = fetch.ReadRange(ctx, f.Source(), p.Body(), nil)
	if err == nil {
		packed, err = u.Open(nil, &p.PageHeader, p.Number, packed)
	}
	if err == nil {
		body, err = u.Unpack(nil, &p.PageHeader, packed, int(p.UncompressedSize))
	}
	return packed, body, fault.InPage(f.Name(), c, p.Number, p.Offset, err)
}

// headerWindow is how much is read at once to find headers: the headers of several
// small pages, without much of the body of a large one.
const headerWindow = 16 << 10

// Pages walks over the pages of a chunk by their headers, without reading bodies.
// It ends with an error if the pages do not hold as many values as the footer
// says. A page stays valid after the next one.
func Pages(ctx context.Context, f *input.File, c *scanner.Chunk) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		r, slack, err := c.Range()
		if err != nil {
			yield(nil, err)
			return
		}
		var w page.Walker
		w.Reset(page.Chunk{
			Length: r.Len, Cipher: rawmeta.Cipher(f.File, c),
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
				yield(nil, fault.InPage(f.Name(), c, -1, r.Off, err))
				return
			case err == io.EOF:
				return
			}
			if err != nil {
				// Some writers leave bytes after the last page: what is wrong with these is no fault.
				if at == r.Off || values != c.Meta.NumValues || !errors.Is(err, scanner.ErrCorrupt) {
					yield(nil, fault.InPage(f.Name(), c, number, at, err))
				}
				return
			}
			if p.Ordinal >= 0 {
				values += int64(p.Header.NumValues)
				number = p.Ordinal + 1
			}
			at = r.Off + p.End()
			if !yield(&Page{p.Header, p.Ordinal, r.Off + p.Offset, p.HeaderSize, w.RawHeader()}, nil) {
				return
			}
		}
	}
}

// readForWalker reads the bytes that the walker needs, and some after them.
func readForWalker(ctx context.Context, f *input.File, w *page.Walker, chunk fetch.Range, slack int64, need page.Need) error {
	length := max(need.To-need.From, min(headerWindow, chunk.Len+slack-need.From))
	b, err := fetch.ReadRange(ctx, f.Source(), fetch.Range{Off: chunk.Off + need.From, Len: length}, nil)
	w.Supply(need.From, b)
	return err
}

// Checksum reads a page's body, if it has a checksum, and compares.
func Checksum(ctx context.Context, f *input.File, p *Page) (string, error) {
	if !p.HasCRC || p.CRC == 0 && p.CompressedSize > 0 { // scans take 0 for no checksum, too
		return "absent", nil
	}
	const step = 1 << 20
	sum := crc32.NewIEEE()
	buffer := make([]byte, min(step, p.Body().Len))
	for r, end := (fetch.Range{Off: p.Body().Off}), p.Body().End(); r.Off < end; r.Off = r.End() {
		r.Len = min(step, end-r.Off)
		b, err := fetch.ReadRange(ctx, f.Source(), r, func(n int) []byte { return buffer[:n] })
		if err != nil {
			return "", err
		}
		sum.Write(b)
	}
	if sum.Sum32() != p.CRC {
		return "bad", nil
	}
	return "ok", nil
}

// RowCounter tells how many rows start on a page: by its header or, where that does
// not say, by the offset index.
type RowCounter struct {
	c     *scanner.Chunk
	index *thrift.OffsetIndex // nil if it is not needed, not there, or invalid
	total int64               // rows of the row group
}

// NewRowCounter returns what counts the rows of the pages of a chunk.
func NewRowCounter(ctx context.Context, f *input.File, c *scanner.Chunk) RowCounter {
	r := RowCounter{c: c, total: f.Footer().RowGroups[c.RowGroup].NumRows}
	if c.Leaf.MaxRep > 0 {
		x, err := rawmeta.OffsetIndex(ctx, f.File, c)
		if err == nil && ValidOffsets(f, c, x) {
			r.index = x
		}
	}
	return r
}

// Of returns how many rows start on a page, if that is known.
func (r RowCounter) Of(p *Page) (rows int64, known bool) {
	switch {
	case p.Type == thrift.DataPageV2 && (r.c.Leaf.MaxRep == 0 || p.NumRows < p.NumValues || p.NumValues == 0):
		return int64(p.NumRows), true // some writers put the values there, in a repeated column
	case !p.Type.IsData():
	case r.c.Leaf.MaxRep == 0:
		return int64(p.NumValues), true
	case r.index != nil && p.Number < len(r.index.Pages) && r.index.Pages[p.Number].Offset == p.Offset:
		start, end := pageindex.PageRows(r.index.Pages, p.Number, r.total)
		return end - start, true
	}
	return 0, false
}

// NullsOf returns the number of nulls on a page, if its header says it. In a nested
// column the count of a v2 header includes empty lists.
func NullsOf(c *scanner.Chunk, p *Page) (int64, bool) {
	switch {
	case p.Type == thrift.DataPageV2:
		return int64(p.NumNulls), true
	case p.Statistics.HasNullCount:
		return p.Statistics.NullCount, true
	case p.Type == thrift.DataPage && c.Leaf.MaxDef == 0:
		return 0, true
	}
	return 0, false
}
