package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Verdict is what is certain of a test and the slots of a page, unread.
type Verdict uint8

const (
	SomePass Verdict = iota // or it is not known
	NonePass
	AllPass // none of them is NULL, either
)

// Judge says what the statistics of a page's header, nil if there are none,
// tell of a test. slots is the page's number of values with NULLs, nulls that
// of a v2 header, or -1. It is asked once for a page and test.
type Judge func(t *pred.Test, stats *thrift.Statistics, slots, nulls int64) Verdict

// judgement is an answer of a Judge.
type judgement struct {
	test    *pred.Test
	verdict Verdict
}

// verdict reports what is certain about a page before it is decompressed: by
// its statistics, or by the chunk's dictionary if its header says that it has
// codes. The rows [from, to) of the window, those in sel, are to be tested.
func (c *Cursor) verdict(p *leafPage, t *pred.Test, sel []uint64, from, to int) (Verdict, error) {
	asks := c.opts.Judge != nil
	if !asks && t.Kind == pred.Null {
		return SomePass, nil
	}
	if p.headerUnread {
		if _, err := c.readIndexedHeader(p); err != nil {
			return SomePass, err
		}
	}
	if asks {
		if v := c.judge(p, t); v == NonePass && !t.All || v == AllPass && !c.src.repeated() {
			if v == NonePass && p.bucket < Undecoded {
				p.bucket = ByStatistics
			}
			return v, nil
		}
	}
	if t.Kind == pred.Null || !values.IsDictionary(p.header.Encoding) {
		return SomePass, nil
	}
	var err error
	if c.dict, err = c.chunk.dictionary(c); err != nil {
		return SomePass, p.fault(err)
	}
	switch m := c.mask(t, bits.Count(sel, from, to)); {
	case m == nil:
	case m.None && !t.All:
		if p.bucket < Undecoded {
			p.bucket = ByDictionary
		}
		return NonePass, nil
	case m.All && c.src.Leaf.MaxDef == 0:
		return AllPass, nil
	}
	return SomePass, nil
}

// judge asks the Judge, once.
func (c *Cursor) judge(p *leafPage, t *pred.Test) Verdict {
	for _, j := range p.judged {
		if j.test == t {
			return j.verdict
		}
	}
	h := &p.header
	nulls := int64(-1)
	if h.Type == wire.PageType_DATA_PAGE_V2 {
		nulls = int64(h.NumNulls)
	}
	var stats *thrift.Statistics
	if h.HasStatistics {
		stats = &h.Statistics
	}
	v := c.opts.Judge(t, stats, int64(h.NumValues), nulls)
	p.judged = append(p.judged, judgement{t, v})
	return v
}

// applyVerdict is settled for the rows [from, to) of the window, those in sel. It
// drops them if none passes, and reports whether nothing is left to test.
func (c *Cursor) applyVerdict(p *leafPage, sel []uint64, from, to int, t *pred.Test) (bool, error) {
	v, err := c.verdict(p, t, sel, from, to)
	if v == NonePass && !c.src.repeated() {
		bits.ClearRange(sel, from, to)
	}
	return v != SomePass, err
}
