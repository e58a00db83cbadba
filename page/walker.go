package page

import (
	"errors"
	"io"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Chunk describes a column chunk for a Walker. Offsets count from its first page,
// the dictionary page if there is one.
type Chunk struct {
	Length int64  // bytes, by the metadata
	Cipher Cipher // nil if the chunk is plain

	// Slack is for files of parquet-mr before 1.2.9, whose Length lacks the
	// dictionary page's header. The Walker then reads pages up to Slack bytes
	// beyond Length, until they have as many values as Values. 100 is enough; it
	// must not reach beyond the file.
	Slack  int64
	Values int64 // values of the chunk with nulls; used with Slack only
}

// Page is a page and its place in the chunk.
type Page struct {
	Header     thrift.PageHeader // statistics are views of the window, or of memory of its own if it was encrypted
	Offset     int64             // of the header, within the chunk
	HeaderSize int
	Ordinal    int // among the data pages of the chunk; -1 for other pages
}

// BodyOffset returns where the body starts within the chunk.
func (p *Page) BodyOffset() int64 { return p.Offset + int64(p.HeaderSize) }

// End returns where the page ends within the chunk.
func (p *Page) End() int64 { return p.BodyOffset() + int64(p.Header.CompressedSize) }

// Need is the bytes [From, To) that a step lacks: of the chunk, or, from Split, of the body.
// The caller may supply more than these. The zero Need stands for none.
type Need struct{ From, To int64 }

// Some reports whether bytes are needed.
func (n Need) Some() bool { return n.To > n.From }

// HeaderGuess is how many bytes a Walker needs at first for a header: most headers are
// shorter.
const HeaderGuess = 256

const maxHeader = 16 << 20 // no header is longer: its statistics would be larger than pages

// Walker steps over the pages of a column chunk, in order, given a window of its
// bytes. It needs the bytes of all headers, but only of those bodies that Packed
// returns. Call Reset first. A Walker allocates nothing but errors, and the plain bytes of
// what is encrypted. Not safe for concurrent use.
type Walker struct {
	chunk   Chunk
	window  []byte // from byte base of the chunk on
	base    int64
	next    int64 // offset of the next header
	values  int64 // of the data pages so far
	ordinal int   // of the next data page
	begun   bool  // a page was read or jumped to: a dictionary page may not follow
	page    Page
}

// Reset starts at the front of a chunk, with an empty window.
func (w *Walker) Reset(c Chunk) { *w = Walker{chunk: c} }

// Supply replaces the window: it starts at byte from of the chunk. The Walker
// keeps it: it must not change while its pages are in use.
func (w *Walker) Supply(from int64, window []byte) { w.base, w.window = from, window }

// JumpTo makes the page at offset, with this ordinal among the data pages, the next one.
func (w *Walker) JumpTo(offset int64, ordinal int) {
	w.next, w.ordinal, w.begun = offset, ordinal, w.begun || offset > 0
	w.chunk.Slack = 0 // chunks with an offset index do not need it
}

// Next returns the next dictionary or data page, or what it needs to find it. The error is
// io.EOF after the last page, or a *corrupt.Error. The Page belongs to the Walker and is
// valid until the next call.
func (w *Walker) Next() (*Page, Need, error) {
	for {
		p, need, err := w.NextAny()
		if p == nil {
			return nil, need, err
		}
		if t := p.Header.Type; t.IsData() || t == thrift.DictionaryPage {
			return p, Need{}, nil
		}
	}
}

// NextAny is Next, but also returns index pages and pages of unknown types.
func (w *Walker) NextAny() (*Page, Need, error) {
	limit := w.chunk.Length
	if w.chunk.Slack > 0 && w.values < w.chunk.Values {
		limit += w.chunk.Slack
	}
	if w.next >= limit {
		return nil, Need{}, io.EOF
	}
	if w.next < 0 {
		return nil, Need{}, w.fault(w.next, "page in front of its chunk")
	}
	h := w.available(w.next, limit)
	if guess := min(w.next+HeaderGuess, limit); len(h) == 0 || w.next > w.base && w.next+int64(len(h)) < guess {
		return nil, Need{w.next, guess}, nil // what the window has of it came along with another page
	}
	size := 0 // of the header's module, if it is encrypted
	if w.chunk.Cipher != nil {
		var need Need
		var err error
		if h, size, need, err = w.openHeader(h, limit); need.Some() || err != nil {
			return nil, need, err
		}
	}
	p := &w.page
	n, err := thrift.ReadPageHeader(h[:min(len(h), maxHeader)], &p.Header)
	if err != nil {
		if have := int64(len(h)); size == 0 && errors.Is(err, thrift.ErrShort) && w.next+have < limit && have < maxHeader {
			return nil, Need{w.next, min(w.next+max(2*have, HeaderGuess), limit)}, nil
		}
		return nil, Need{}, corrupt.Within(err, "page header", 0)
	}
	if size > 0 {
		n = size
		if _, missing := overheadOf(w.chunk.Cipher); p.Header.CompressedSize <= math.MaxInt32-missing {
			p.Header.CompressedSize += missing
		}
	}
	p.Offset, p.HeaderSize, p.Ordinal = w.next, n, -1
	if p.End() > w.chunk.Length+w.chunk.Slack {
		return nil, Need{}, w.fault(w.next, "page of ", n, "+", p.Header.CompressedSize, " bytes in a chunk of ", w.chunk.Length)
	}
	switch p.Header.Type {
	case thrift.DictionaryPage:
		if w.begun {
			return nil, Need{}, w.fault(w.next, "dictionary page that is not the first page")
		}
		w.begun = true
	case thrift.DataPage, thrift.DataPageV2:
		p.Ordinal = w.ordinal
		w.ordinal++
		w.values += int64(p.Header.NumValues)
		w.begun = true
	}
	w.next = p.End()
	return p, Need{}, nil
}

// Packed returns the body of the last page, as it is in the file, which Unpacker.Open
// decrypts, or the bytes that are needed for that. The body is a view of the window, with the
// window's capacity after it.
func (w *Walker) Packed() ([]byte, Need) {
	p := &w.page
	from, to := p.BodyOffset(), p.End()
	if from >= to {
		return nil, Need{}
	}
	body := w.available(from, to)
	if int64(len(body)) < to-from {
		return nil, Need{from, to}
	}
	return body, Need{}
}

// RawHeader returns the bytes of the last page's header, as they are in the file. They are a view
// of the window.
func (w *Walker) RawHeader() []byte { return w.available(w.page.Offset, w.page.BodyOffset()) }

// openHeader returns the plain bytes of the next header, which is encrypted, and the size of
// its module, or what is needed of it. h is what the window has.
func (w *Walker) openHeader(h []byte, limit int64) (plain []byte, size int, need Need, err error) {
	if len(h) < lengthSize && w.next+int64(len(h)) < limit {
		return nil, 0, Need{w.next, min(w.next+HeaderGuess, limit)}, nil
	}
	n, err := moduleSize(h)
	switch {
	case err != nil:
		return nil, 0, Need{}, corrupt.Within(err, "page header", 0)
	case n > min(limit-w.next, maxHeader):
		return nil, 0, Need{}, w.fault(w.next, "encrypted page header of ", n, " bytes")
	case n > int64(len(h)):
		return nil, 0, Need{w.next, w.next + n}, nil
	}
	if w.next == 0 && !w.begun {
		// A first page is encrypted as what it is, which metadata of old writers do not tell.
		if plain, err = Open(w.chunk.Cipher, DictionaryPageHeader, -1, nil, h[:n]); err == nil {
			return plain, int(n), Need{}, nil
		}
	}
	plain, err = Open(w.chunk.Cipher, DataPageHeader, w.ordinal, nil, h[:n])
	return plain, int(n), Need{}, err
}

// available returns the front of the bytes [from, to) that the window has.
func (w *Walker) available(from, to int64) []byte {
	start := from - w.base
	if start < 0 || start >= int64(len(w.window)) {
		return nil
	}
	return w.window[start:min(to-w.base, int64(len(w.window)))]
}

// fault returns an error at an offset of the chunk.
func (w *Walker) fault(offset int64, parts ...any) error {
	e := corrupt.At(-1, parts...)
	e.In, e.Offset = "column chunk", offset
	return e
}
