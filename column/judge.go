package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift"
)

// Outcome is what is certain about a test on the slots of a page before it is decompressed.
type Outcome uint8

const (
	SomePass Outcome = iota // or nothing is known
	NonePass
	AllPass // and none is NULL
)

// HeaderJudge decides a test by the statistics of a page's header. slots is the page's number of
// values and NULLs. It is called once for each test and page with statistics. That a v2 header has
// a number of NULLs, too, is no help: some writers get it wrong.
type HeaderJudge func(t *pred.Test, stats *thrift.Statistics, slots int64) Outcome

// judgement is an answer of a HeaderJudge.
type judgement struct {
	test    *pred.Test
	outcome Outcome
}

// outcome decides a test on a page before it is decompressed: by its statistics,
// or, if its header says that it has codes, by the chunk's dictionary. Those of
// the window's rows [from, to) that are in sel are to be tested.
func (c *Cursor) outcome(p *leafPage, t *pred.Test, sel []uint64, from, to int) (Outcome, error) {
	judges := c.opts.HeaderJudge != nil
	if !judges && t.Kind == pred.Null {
		return SomePass, nil
	}
	if p.headerUnread {
		if _, err := c.readIndexedHeader(p); err != nil {
			return SomePass, err
		}
	}
	if judges {
		if v := c.judge(p, t); v == NonePass && !t.All || v == AllPass && !c.src.repeated() {
			if v == NonePass && p.fate < Undecoded {
				p.fate = RejectedByHeader
			}
			return v, nil
		}
	}
	if t.Kind == pred.Null || !p.header.Encoding.IsDictionary() {
		return SomePass, nil
	}
	var err error
	if c.dict, err = c.chunk.dictionary(c); err != nil {
		return SomePass, p.fault(err)
	}
	switch m, err := c.mask(t, bits.Count(sel, from, to)); {
	case m == nil || err != nil:
		return SomePass, err
	case m.None && !t.All:
		if p.fate < Undecoded {
			p.fate = RejectedByDictionary
		}
		return NonePass, nil
	case m.All && c.src.Leaf.MaxDef == 0:
		return AllPass, nil
	}
	return SomePass, nil
}

// judge returns the answer of the HeaderJudge, which the page keeps.
func (c *Cursor) judge(p *leafPage, t *pred.Test) Outcome {
	h := &p.header
	if !h.HasStatistics {
		return SomePass
	}
	for _, j := range p.judged {
		if j.test == t {
			return j.outcome
		}
	}
	v := c.opts.HeaderJudge(t, &h.Statistics, int64(h.NumValues))
	p.judged = append(p.judged, judgement{t, v})
	return v
}
