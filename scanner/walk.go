package scanner

import (
	"context"
	"errors"
	"iter"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Page is a page of a chunk: its header, and where it lies.
type Page struct {
	thrift.PageHeader       // bounds of the statistics are views
	Number            int   // among the data pages, as an offset index counts; -1 if it is none
	Offset            int64 // of the header within the file
	HeaderSize        int
}

// Body returns where the page's body lies.
func (p *Page) Body() fetch.Range {
	return fetch.Range{Off: p.Offset + int64(p.HeaderSize), Len: int64(p.CompressedSize)}
}

const (
	// headerWindow is how much is read at once to find page headers: several
	// of small pages, not much too much of large ones.
	headerWindow = 16 << 10
	// maxHeader bounds a page header: its statistics hold two values.
	maxHeader = 16 << 20
)

// Pages walks over the headers of the chunk's pages, without reading the
// bodies in between. It ends with an error if the pages do not hold as many
// values as the chunk's metadata says. Each Page stays right after the next.
func (c *Chunk) Pages(ctx context.Context) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		r, slack, err := c.Range()
		if err != nil {
			yield(nil, err)
			return
		}
		w := &walk{c: c, at: r.Off, end: r.End(), limit: r.End() + slack}
		for w.at < w.end {
			p, err := w.next(ctx)
			if err != nil && !w.isPadding(err) {
				yield(nil, err)
			}
			if err != nil || !yield(p, nil) {
				return
			}
		}
		if w.values != c.Meta.NumValues {
			yield(nil, c.wrap(r.Off, corrupt.At(-1, "column chunk: its pages hold ", w.values, " values, its metadata says ", c.Meta.NumValues)))
		}
	}
}

// walk is a position among the pages of a chunk: at <= end <= limit.
type walk struct {
	c              *Chunk
	at, end, limit int64
	window         fetch.Range
	bytes          []byte // of the window

	first  bool // a page was seen
	pages  int
	values int64
}

func (w *walk) next(ctx context.Context) (*Page, error) {
	p := &Page{Number: -1, Offset: w.at}
	for want := int64(headerWindow); ; want *= 4 {
		header, err := w.look(ctx, want)
		if err == nil {
			p.HeaderSize, err = thrift.ReadPageHeader(header, &p.PageHeader)
		}
		if err == nil {
			break
		}
		if errors.Is(err, thrift.ErrShort) && int64(len(header)) < w.limit-w.at && want < maxHeader {
			continue
		}
		return nil, w.fault(corrupt.Within(err, "page header", 0))
	}
	body := p.Body()
	if body.End() > w.limit {
		return nil, w.fault(corrupt.At(-1, "page of ", body.Len, " bytes, the chunk ends after ", max(0, w.limit-body.Off)))
	}
	switch p.Type {
	case wire.PageType_DICTIONARY_PAGE:
		if w.first {
			return nil, w.fault(corrupt.At(-1, "dictionary page that is not the first page"))
		}
	case wire.PageType_DATA_PAGE, wire.PageType_DATA_PAGE_V2:
		p.Number = w.pages
		w.pages++
		w.values += int64(p.NumValues)
	}
	w.first = true
	w.at = body.End()
	return p, nil
}

// look returns at least n bytes from where the walk is, less only at the end.
func (w *walk) look(ctx context.Context, n int64) ([]byte, error) {
	n = min(n, w.limit-w.at)
	// Most headers are far smaller than n: what is left of the window may do.
	enough := min(n, 256)
	if n > headerWindow {
		enough = n
	}
	if from := w.at - w.window.Off; w.bytes == nil || w.window.End()-w.at < enough {
		w.window = fetch.Range{Off: w.at, Len: n}
		var err error
		if w.bytes, err = fetch.ReadRange(ctx, w.c.file.src, w.window, nil); err != nil {
			w.bytes = nil
			return nil, err
		}
	} else {
		return w.bytes[from:], nil
	}
	return w.bytes, nil
}

// isPadding reports whether a header that cannot be read may be no header:
// some writers leave bytes behind the last page.
func (w *walk) isPadding(err error) bool {
	return w.first && w.values == w.c.Meta.NumValues && errors.Is(err, ErrCorrupt)
}

func (w *walk) fault(err error) error {
	return &Error{File: w.c.file.name, RowGroup: w.c.RowGroup, Column: w.c.Leaf.String(), Page: w.pages, Offset: w.at, Err: err}
}
