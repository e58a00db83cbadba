package page

import (
	"errors"
	"io"
	"strconv"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Chunk is what a Walker must know of a column chunk. Offsets count from its
// first page, the dictionary page if there is one.
type Chunk struct {
	RowGroup, Column int
	Length           int64          // bytes, as the metadata has it
	Crypto           *thrift.Crypto // of the chunk's metadata; nil if plain

	// Slack is for files of parquet-mr before 1.2.9, which left the dictionary
	// page's header out of Length. With a Slack (100 will do, inside the file),
	// pages go on behind Length, as long as they hold fewer than Values.
	Slack  int64
	Values int64 // values of the chunk with nulls; only Slack needs it
}

// Page is a page as it lies in its chunk.
type Page struct {
	Header     thrift.PageHeader // statistics are views of the window
	Offset     int64             // of the header, within the chunk
	HeaderSize int
	Ordinal    int // among the data pages of the chunk; -1 if it is none
}

// BodyOffset returns where the body starts within the chunk.
func (p *Page) BodyOffset() int64 { return p.Offset + int64(p.HeaderSize) }

// End returns where the page ends within the chunk.
func (p *Page) End() int64 { return p.BodyOffset() + int64(p.Header.CompressedSize) }

// Need is the error of a step that lacks bytes: [From, To) of the chunk, or of
// the body where Split returns it. More than these may be supplied.
type Need struct{ From, To int64 }

// Error says which bytes are needed.
func (n *Need) Error() string {
	return "page: bytes " + strconv.FormatInt(n.From, 10) + " to " + strconv.FormatInt(n.To, 10) + " are needed"
}

const (
	headerGuess = 256      // bytes that hold most headers
	maxHeader   = 16 << 20 // no header is longer: its statistics would be larger than pages
)

// Walker steps over the pages of a column chunk, in order, given whatever
// bytes of it are at hand: of the pages that are passed over, only headers.
// Reset starts one; it allocates nothing but errors.
type Walker struct {
	chunk  Chunk
	window []byte // from byte base of the chunk on
	base   int64
	next   int64 // where the next header starts
	values int64 // of the data pages so far
	data   int   // ordinal of the next data page
	later  bool  // a dictionary page may not come any more
	page   Page
	need   Need
}

// Reset starts at the front of a chunk, with no bytes at hand.
func (w *Walker) Reset(c Chunk) { *w = Walker{chunk: c} }

// Supply replaces the bytes at hand: window starts at byte from of the chunk.
// It must not change while pages of it are in use.
func (w *Walker) Supply(from int64, window []byte) { w.base, w.window = from, window }

// JumpTo makes the data page at offset the next, and ordinal its ordinal.
func (w *Walker) JumpTo(offset int64, ordinal int) {
	w.next, w.data, w.later = offset, ordinal, w.later || offset > 0
	w.chunk.Slack = 0 // chunks with an offset index do not need it
}

// Next returns the next dictionary or data page; io.EOF behind the last one, or
// a *Need, which is the Walker's own and valid until the next call. So is the Page.
func (w *Walker) Next() (*Page, error) {
	for {
		p, err := w.NextAny()
		if err != nil {
			return nil, err
		}
		switch p.Header.Type {
		case wire.PageType_DATA_PAGE, wire.PageType_DATA_PAGE_V2, wire.PageType_DICTIONARY_PAGE:
			return p, nil
		}
	}
}

// NextAny is Next that also returns index pages and those of unknown types.
func (w *Walker) NextAny() (*Page, error) {
	limit := w.chunk.Length
	if w.chunk.Slack > 0 && w.values < w.chunk.Values {
		limit += w.chunk.Slack
	}
	if w.next >= limit {
		return nil, io.EOF
	}
	if w.next < 0 {
		return nil, w.fault(w.next, "page in front of its chunk")
	}
	h := w.at(w.next, limit)
	if len(h) == 0 {
		return nil, w.needs(w.next, min(w.next+headerGuess, limit))
	}
	module := DataPageHeader
	if w.next == 0 {
		module = DictionaryPageHeader
	}
	h, err := Open(w.chunk.Crypto, module, w.chunk.RowGroup, w.chunk.Column, w.data, h)
	if err != nil {
		return nil, err
	}
	p := &w.page
	n, err := thrift.ReadPageHeader(h[:min(len(h), maxHeader)], &p.Header)
	if err != nil {
		if have := int64(len(h)); errors.Is(err, thrift.ErrShort) && w.next+have < limit && have < maxHeader {
			return nil, w.needs(w.next, min(w.next+max(2*have, headerGuess), limit))
		}
		return nil, corrupt.Within(err, "page header", 0)
	}
	p.Offset, p.HeaderSize, p.Ordinal = w.next, n, -1
	if p.End() > w.chunk.Length+w.chunk.Slack {
		return nil, w.fault(w.next, "page of ", n, "+", p.Header.CompressedSize, " bytes in a chunk of ", w.chunk.Length)
	}
	switch p.Header.Type {
	case wire.PageType_DICTIONARY_PAGE:
		if w.later {
			return nil, w.fault(w.next, "dictionary page that is not the first page")
		}
		w.later = true
	case wire.PageType_DATA_PAGE, wire.PageType_DATA_PAGE_V2:
		p.Ordinal = w.data
		w.data++
		w.values += int64(p.Header.NumValues)
		w.later = true
	}
	w.next = p.End()
	return p, nil
}

// Packed returns the body of the page that the last step found, as it is in
// the file: a view of the window, whose capacity goes on behind the body, or a
// *Need.
func (w *Walker) Packed() ([]byte, error) {
	p := &w.page
	from, to := p.BodyOffset(), p.End()
	var body []byte
	if from < to {
		b := w.at(from, to)
		if int64(len(b)) < to-from {
			return nil, w.needs(from, to)
		}
		body = b
	}
	module := DataPage
	if p.Header.Type == wire.PageType_DICTIONARY_PAGE {
		module = DictionaryPage
	}
	return Open(w.chunk.Crypto, module, w.chunk.RowGroup, w.chunk.Column, p.Ordinal, body)
}

// at returns what is at hand of the bytes [from, to).
func (w *Walker) at(from, to int64) []byte {
	start := from - w.base
	if start < 0 || start >= int64(len(w.window)) {
		return nil
	}
	return w.window[start:min(to-w.base, int64(len(w.window)))]
}

func (w *Walker) needs(from, to int64) error {
	w.need = Need{from, to}
	return &w.need
}

func (w *Walker) fault(offset int64, parts ...any) error {
	e := corrupt.At(-1, parts...)
	e.In, e.Offset = "column chunk", offset
	return e
}
