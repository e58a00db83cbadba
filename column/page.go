package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/thrift"
)

// leafPage is a data page that the window touches, or may touch. All that is
// decoded of it stays until the window moves.
type leafPage struct {
	place
	fate   Fate              // what became of it so far
	header thrift.PageHeader // with statistics, which are views of the feed's memory, for a HeaderJudge
	judged []judgement
	body   pageBody
	loaded bool // levels and values can be decoded
	pagePart
	levels pageLevels
	values pageValues
}

// place is where a page is in its chunk.
type place struct {
	offset, end  int64 // within the chunk; [offset, end) with the header
	bodyAt       int64 // where the header ends, within the chunk
	ordinal      int
	first        int64 // row ordinal of the first row that has a slot here
	rows         int   // how many rows have a slot here
	frontKnown   bool  // whether the first slot goes on with the row of the page before is known, and counted in first and rows
	headerUnread bool  // the page is listed by an offset index
}

// endRow returns the first row after those that have slots on the page.
func (p *place) endRow() int64 { return p.first + int64(p.rows) }

// pagePart is what of a page lies in the window: between at and to, cut at the
// page's borders.
//
//	rows     first                at                 to               first+rows
//	         ├────────────────────┼──────────────────┼────────────────┤
//	slots    0                    slot               slot+len
//	values   0                    value              value+count
type pagePart struct {
	window     int // the number of the window that the rest is of
	row        int // where the part starts; of repeated columns only
	slot       int
	value      int
	partRows   int // of repeated columns only
	len, count int // slots and values
}

// pageLevels are the levels of a page. Those of flat columns are decoded for
// the window's part, those of repeated columns from the front of the page on.
type pageLevels struct {
	repDecoder     rle.Levels // of repeated columns, at the end of rep
	defDecoder     rle.Levels // of flat columns, at slot+len; of repeated ones, at the end of def
	partDefDecoder rle.Levels // of flat columns, at slot
	rep, def       []uint8    // repetition and definition levels
	valid          []uint64   // which slots are values: of flat columns from slot on
	begun          int        // rows that start, or go on, in rep
	starts         []uint64   // which slots start a row, or go on with the page before's last
}

// pageValues is what decodes a page's values, once they are needed.
type pageValues struct {
	decoder   values.Decoder // of the page's encoding
	spacing   int            // Gather is faster if at most one in spacing values is wanted
	ready     bool           // decoder stands on this page
	markedFor int            // the window at whose start decoder has its mark
	kept      values.Kept    // what a filter decoded
	direct    values.DirectRead
	signFixed values.SignFixed                 // around the decoder, if there may be dirty high bits
	decoders  [values.Encodings]values.Decoder // kept for other pages, of columns of type typ
	typ       vector.Type
}

// reuse makes p a new page, with the memory of an old one: its lists, and its decoders, which
// start anew when the page's levels and values do.
func (p *leafPage) reuse() {
	l, v := &p.levels, &p.values
	p.place, p.fate, p.header, p.loaded = place{}, 0, thrift.PageHeader{}, false
	p.judged = p.judged[:0]
	p.body = pageBody{bytes: p.body.bytes[:0]}
	p.pagePart = pagePart{window: -1}
	l.rep, l.def, l.valid, l.begun, l.starts = l.rep[:0], l.def[:0], l.valid[:0], 0, l.starts[:0]
	v.decoder, v.spacing, v.ready, v.markedFor = nil, 0, false, -1
	v.kept.Forget()
	v.direct, v.signFixed = values.DirectRead{}, values.SignFixed{}
}

// fault adds the place of the page to err.
func (p *leafPage) fault(err error) error { return atPage(p.ordinal, p.offset, err) }

// inPart adds to err where in the page it is: its offset counts from the start of a
// part of the body.
func (p *leafPage) inPart(err error, name string, part []byte) error {
	if err == nil {
		return nil
	}
	return p.fault(corrupt.Within(err, name, max(0, cap(p.body.bytes)-cap(part))))
}

// startLevels starts d on the n levels of a part, of which most is the highest.
func startLevels(d *rle.Levels, e thrift.Encoding, part []byte, most, n int) error {
	if e == thrift.EncodingBitPacked {
		return d.ResetBitPacked(part, uint8(most), n)
	}
	return d.Reset(part, uint8(most), n)
}

// startDefinition starts p.levels.defDecoder on the page's definition levels, and skips some of them.
func (p *leafPage) startDefinition(maxDef, skip int) error {
	h := &p.header
	err := startLevels(&p.levels.defDecoder, h.DefinitionEncoding, p.body.parts.Definition, maxDef, int(h.NumValues))
	if err == nil {
		_, err = p.levels.defDecoder.Count(skip, uint8(maxDef))
	}
	return p.inDefinition(err)
}

// inDefinition adds to err, of a definition level, where it is.
func (p *leafPage) inDefinition(err error) error {
	return p.inPart(err, "definition levels", p.body.parts.Definition)
}

// startFlat starts the levels of a flat column's page at the part. After the body was
// replaced, that is where they stood before.
func (p *leafPage) startFlat(maxDef int) error {
	if maxDef == 0 {
		return nil
	}
	if err := p.startDefinition(maxDef, p.slot); err != nil {
		return err
	}
	p.levels.partDefDecoder = p.levels.defDecoder
	_, err := p.levels.defDecoder.Count(p.len, uint8(maxDef))
	return p.inDefinition(err)
}

// enterFlat makes slots [from, to) the part in a window, of a flat column.
func (p *leafPage) enterFlat(window, from, to, maxDef int) error {
	n := to - from
	if maxDef == 0 {
		p.window, p.slot, p.value, p.len, p.count = window, from, from, n, n
		return nil
	}
	if p.window != window {
		invariants.Assert(p.slot <= from, "column: a page goes back")
		if err := p.leaveFlat(from, maxDef); err != nil {
			return p.inDefinition(err)
		}
		p.window = window
	}
	switch {
	case n == p.len:
		return nil
	case n < p.len: // the window was made smaller: its levels are decoded anew
		p.levels.defDecoder, p.len, p.count = p.levels.partDefDecoder, 0, 0
	}
	p.levels.valid = grown(p.levels.valid, bits.Words(n))
	if err := p.levels.defDecoder.AtLeast(p.levels.valid, p.len, n-p.len, uint8(maxDef)); err != nil {
		return p.inDefinition(err)
	}
	p.count += bits.Count(p.levels.valid, p.len, n)
	p.len = n
	return nil
}

// leaveFlat moves the start of the part forward to a slot, and makes the part empty.
func (p *leafPage) leaveFlat(slot, maxDef int) error {
	ahead := slot - p.slot
	if ahead < p.len {
		p.levels.defDecoder = p.levels.partDefDecoder
	} else {
		ahead -= p.len
		p.value += p.count
	}
	count, err := p.levels.defDecoder.Count(ahead, uint8(maxDef))
	if err != nil {
		return err
	}
	p.slot, p.value, p.len, p.count = slot, p.value+count, 0, 0
	p.levels.partDefDecoder = p.levels.defDecoder
	return nil
}

// grown returns s with n elements; those after len(s) have any value.
func grown[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
