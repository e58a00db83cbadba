package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// leafPage is a data page that the window touches, or may touch.
//
//	rows     first                at                 to               first+rows
//	         ├────────────────────┼──────────────────┼────────────────┤
//	slots    0                    slot               slot+len
//	values   0                    value              value+count
//
// What stands between at and to, cut at the page's borders, is its part of the
// window. All that is decoded of it stays until the window moves.
type leafPage struct {
	offset, end int64 // within the chunk; [offset, end) with the header
	ordinal     int
	bodyAt      int64
	first       int64 // row ordinal of the first row that has a slot here
	rows        int   // rows that have
	known       bool  // whether rows includes one that started on a page before is known
	located     bool  // by an offset index; the header is not yet read
	bucket      Bucket

	header    thrift.PageHeader // with statistics, which are views of the feed's memory, for a Judge
	judged    []judgement
	body      []byte
	cut       bool              // body is only the front of it,
	bare      bool              // which need not have values
	own       bool              // body is the cursor's memory,
	borrowed  bool              // body is the feed's, though it holds strings: they must be copied
	lent      bool              // but views that were handed out point into it
	direct    values.DirectRead // reads the values, if they are not in body
	signFixed values.SignFixed  // around the decoder, if its values may have dirty high bits
	parts     page.Parts
	ready     bool // levels and values can be decoded

	seq              int // of the window for which the following holds
	row, slot, value int // where the window's part starts; row of repeated columns only
	partRows         int // rows of the part, of repeated columns
	len, count       int // slots and values of the window's part

	def      rle.Levels // at slot+len, of flat columns
	defAt    rle.Levels // at slot
	valid    []uint64   // which slots from slot on are values; of repeated columns all slots of the page
	rep, all []uint8    // levels of repeated columns, all of the page: repetition, definition
	starts   []uint64   // which slots start a row, or go on with the page before's last

	values   values.Decoder                   // of the page's encoding, once it is needed
	sparse   int                              // of so many values one may be wanted for gather to be better
	started  bool                             // values stands on this page
	began    int                              // the window at whose start values has its mark
	kept     values.Kept                      // what a filter decoded of them
	decoders [values.Encodings]values.Decoder // kept for other pages, of columns of this type
	typ      vector.Type
}

// reuse makes p a new page, with the memory of an old one.
func (p *leafPage) reuse() {
	p.kept.Forget()
	*p = leafPage{
		kept: p.kept, judged: p.judged[:0],
		body: p.body[:0], valid: p.valid[:0], rep: p.rep[:0], all: p.all[:0], starts: p.starts[:0],
		decoders: p.decoders, typ: p.typ, defAt: p.defAt, def: p.def,
		seq: -1, began: -1,
	}
}

func (p *leafPage) fault(err error) error { return at(p.ordinal, p.offset, err) }

// within names the part of the body in which err's bytes are counted.
func (p *leafPage) within(err error, name string, part []byte) error {
	if err == nil {
		return nil
	}
	return p.fault(corrupt.Within(err, name, max(0, cap(p.body)-cap(part))))
}

// levels starts d on a part with levels.
func startLevels(d *rle.Levels, packed bool, part []byte, most, n int) error {
	if packed {
		return d.ResetBitPacked(part, uint8(most), n)
	}
	return d.Reset(part, uint8(most), n)
}

// startFlat makes the levels of a flat column's page ready.
func (p *leafPage) startFlat(maxDef int) error {
	if maxDef == 0 {
		return nil
	}
	err := startLevels(&p.def, p.header.DefinitionEncoding == wire.Encoding_BIT_PACKED, p.parts.Definition, maxDef, int(p.header.NumValues))
	p.defAt = p.def
	return p.within(err, "definition levels", p.parts.Definition)
}

// restartFlat is startFlat for levels that stood at the part: the body has moved.
func (p *leafPage) restartFlat(maxDef int) error {
	if maxDef == 0 {
		return nil
	}
	if err := p.startFlat(maxDef); err != nil {
		return err
	}
	_, err := p.def.Count(p.slot, uint8(maxDef))
	if err == nil {
		p.defAt = p.def
		_, err = p.def.Count(p.len, uint8(maxDef))
	}
	return p.within(err, "definition levels", p.parts.Definition)
}

// enterFlat makes slots [from, to) the window's part, seq its number.
func (p *leafPage) enterFlat(seq, from, to, maxDef int) error {
	n := to - from
	if p.seq != seq {
		if invariants.On {
			invariants.Assert(p.slot <= from, "column: a page goes back")
		}
		if err := p.leaveFlat(from, maxDef); err != nil {
			return p.within(err, "definition levels", p.parts.Definition)
		}
		p.seq = seq
	}
	if n <= p.len {
		if n < p.len && maxDef > 0 {
			// A window that was made smaller: values behind it are not wanted.
			p.def, p.len, p.count = p.defAt, 0, 0
		} else {
			p.len = n
			if maxDef == 0 {
				p.count = n
			}
			return nil
		}
	}
	if maxDef == 0 {
		p.len, p.count = n, n
		return nil
	}
	p.valid = grown(p.valid, bits.Words(n))
	if err := p.def.AtLeast(p.valid, p.len, n-p.len, uint8(maxDef)); err != nil {
		return p.within(err, "definition levels", p.parts.Definition)
	}
	p.count += bits.Count(p.valid, p.len, n)
	p.len = n
	return nil
}

// leaveFlat moves the start of the part to a slot not before it.
func (p *leafPage) leaveFlat(slot, maxDef int) error {
	ahead := slot - p.slot
	p.slot = slot
	if maxDef == 0 {
		p.value, p.len, p.count = slot, 0, 0
		return nil
	}
	switch {
	case ahead < p.len:
		count, err := p.defAt.Count(ahead, uint8(maxDef))
		if err != nil {
			return err
		}
		p.value += count
		p.def = p.defAt
	default:
		count, err := p.def.Count(ahead-p.len, uint8(maxDef))
		if err != nil {
			return err
		}
		p.value += p.count + count
	}
	p.defAt, p.len, p.count = p.def, 0, 0
	return nil
}

// grown returns s with n elements, those behind len(s) being whatever stands there.
func grown[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
