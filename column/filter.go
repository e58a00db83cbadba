package column

import (
	"cmp"
	"errors"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/thrift"
)

// Filter drops the rows from sel that do not pass t. sel has a bit for each
// row of the window; pages without selected rows are skipped. Of a repeated
// column a row passes if any of its items pass, or all with t.All.
func (c *Cursor) Filter(sel *Selection, t *pred.Test) error {
	if c.err != nil {
		return c.err
	}
	invariants.Assert(int64(sel.N) == c.to-c.at, "column: a selection for another window")
	if sel.None() {
		return nil
	}
	defer sel.Changed()
	c.demand.asked, c.demand.tested = sel, sel.Count()
	if c.src.repeated() {
		return c.fail(c.filterRepeated(sel, t))
	}
	return c.fail(c.filterFlat(sel, t))
}

func (c *Cursor) filterFlat(sel *Selection, t *pred.Test) error {
	if t.Kind == pred.Null && c.src.Leaf.MaxDef == 0 {
		if !t.Negate {
			bits.ClearRange(sel.Bits, 0, sel.N)
		}
		return nil // no page has NULLs
	}
	if err := c.listSelected(sel); err != nil {
		return err
	}
	for _, p := range c.pages {
		if open, err := c.enterOpen(p, sel, t); err != nil {
			return err
		} else if !open {
			continue
		}
		from, to := c.rowsOn(p)
		wanted := c.segment(sel.Bits, from, to-from)
		if err := c.filterPage(p, wanted, t); err != nil {
			return err
		}
		if from%64 != 0 {
			bits.Copy(sel.Bits, from, wanted, 0, to-from)
		}
	}
	return nil
}

// enterOpen enters the page if its values must be tested: it has selected rows, and its outcome
// for all of them is not known. It drops the page's rows if none passes.
func (c *Cursor) enterOpen(p *leafPage, sel *Selection, t *pred.Test) (open bool, err error) {
	if !c.hasSelected(p, sel) {
		return false, nil
	}
	from, to := c.rowsOn(p)
	known, err := c.outcome(p, t, sel.Bits, from, to)
	if known == NonePass && !c.src.repeated() {
		bits.ClearRange(sel.Bits, from, to)
	}
	if known != SomePass || err != nil {
		return false, err
	}
	return true, c.enterPage(p)
}

// filterPage clears those bits of wanted, one for each slot of the page's part, that do
// not pass.
func (c *Cursor) filterPage(p *leafPage, wanted []uint64, t *pred.Test) error {
	switch {
	case t.Kind == pred.Null:
		return c.filterNulls(p, wanted, t)
	case p.count == 0:
		bits.ClearRange(wanted, 0, p.len)
		return nil
	}
	sel, valid := c.valuesOf(p, wanted)
	if err := c.filter(p, sel, t); err != nil || valid == nil {
		return err
	}
	bits.Deposit(wanted, sel, 0, valid, p.len)
	return nil
}

// filterNulls is filterPage for IS NULL and IS NOT NULL.
func (c *Cursor) filterNulls(p *leafPage, wanted []uint64, t *pred.Test) error {
	level := cmp.Or(t.Level, c.src.Leaf.MaxDef)
	if level == c.src.Leaf.MaxDef && !c.src.repeated() {
		for i := range bits.Words(p.len) {
			w := p.levels.valid[i]
			if !t.Negate {
				w = ^w
			}
			bits.AndWord(wanted, i*64, w, min(64, p.len-i*64))
		}
		return nil
	}
	least := 0
	if t.Level == 0 && !t.Negate {
		least = statesOf(c.src.Leaf).item // a list that is NULL or empty has no item that is
	}
	def, err := c.definitions(p)
	if err != nil {
		return err
	}
	for i := bits.Next(wanted, 0, p.len); i < p.len; i = bits.Next(wanted, i+1, p.len) {
		if d := int(def[i]); d < least || (d < level) == t.Negate {
			bits.Clear(wanted, i)
		}
	}
	return nil
}

var errNoElse = errors.New("column: a mask of codes says nothing about pages without codes")

// filter clears those bits of sel, one for each value of the page's part, that do not
// pass. If only the front of the body is there and ends too early, it decompresses more.
func (c *Cursor) filter(p *leafPage, sel []uint64, t *pred.Test) error {
	n := bits.Last(sel, p.count) + 1
	if n == 0 {
		return nil
	}
	if err := c.startValues(p, n); err != nil {
		return err
	}
	if p.body.extent != whole {
		c.scratch.before = append(c.scratch.before[:0], sel[:bits.Words(n)]...)
	}
	err := c.filterFirst(p, sel, n, t)
	for err != nil && p.body.extent != whole {
		copy(sel, c.scratch.before)
		if err = c.extendBody(p); err != nil {
			return err
		}
		err = c.filterFirst(p, sel, n, t)
	}
	return p.inValues(err)
}

// filterFirst is filter for the first n values, after which none is selected.
func (c *Cursor) filterFirst(p *leafPage, sel []uint64, n int, t *pred.Test) error {
	if !p.keptNumbers(n) {
		if err := p.values.decoder.Seek(p.value); err != nil {
			return err
		}
	}
	if p.values.decoder.Codes() != nil {
		mask, err := c.mask(t, 0)
		if err == nil && mask != nil {
			return mask.Filter(p.values.decoder, sel, n)
		}
		if err == nil {
			err = c.needEntries()
		}
		if err != nil {
			return err
		}
	} else if t.Kind == pred.Codes {
		if t = t.Else; t == nil {
			return errNoElse
		}
	}
	if p.values.decoder.Codes() == nil && (p.values.kept.Has(p.value, p.value+n) || c.keepsDecoded(p, sel, n)) {
		return c.keepAndFilter(p, sel, n, t)
	}
	if first := t.Needed(); first != nil {
		known, err := p.values.decoder.Filter(sel, n, first)
		if err != nil {
			return err
		}
		if known {
			return c.evaluate(p, sel, n, t)
		}
	}
	known, err := c.filterEncoded(p, sel, n, t)
	if err == nil && !known {
		err = c.evaluate(p, sel, n, t)
	}
	return err
}

// filterEncoded tests encoded values if the decoder has a kernel for t, and reports
// whether it has.
func (c *Cursor) filterEncoded(p *leafPage, sel []uint64, n int, t *pred.Test) (known bool, err error) {
	if !t.Negate {
		return p.values.decoder.Filter(sel, n, t)
	}
	c.scratch.passed = append(c.scratch.passed[:0], sel[:bits.Words(n)]...)
	known, err = p.values.decoder.Filter(c.scratch.passed, n, t)
	if known {
		bits.Drop(sel, c.scratch.passed, n)
	}
	return known, err
}

// evaluate decodes the first count values and tests those in sel, block by block.
func (c *Cursor) evaluate(p *leafPage, sel []uint64, count int, t *pred.Test) error {
	const block = 1024
	const sparse = 8 // gathering is faster if at most one in sparse values is left; its neighbours were not measured
	if c.opts.Returned && p.values.decoder.Codes() == nil && bits.Count(sel, 0, count)*sparse > count && c.opts.Force.Keep != Never {
		return c.keepAndFilter(p, sel, count, t)
	}
	v := &c.scratch.vec
	for i := 0; i < count; i += block {
		n := min(block, count-i)
		some := sel[i/64:]
		left := bits.Count(some, 0, n)
		if left == 0 {
			continue
		}
		if err := p.values.decoder.Seek(p.value + i); err != nil {
			return err
		}
		build.Reset(v, c.src.Leaf.Type)
		if left*sparse > n {
			build.Extend(v, n)
			if err := p.values.decoder.Next(v, 0, n); err != nil {
				return err
			}
			t.Filter(some, v)
			p.dropBuffers(v)
			continue
		}
		build.Extend(v, left)
		if err := p.values.decoder.Gather(v, 0, some, n); err != nil {
			return err
		}
		var passed, mask [block / 64]uint64
		bits.SetRange(passed[:], 0, left)
		t.Filter(passed[:], v)
		p.dropBuffers(v)
		copy(mask[:], some)
		bits.Deposit(some, passed[:], 0, mask[:], n)
	}
	return nil
}

// dropBuffers gives back what p's decoder made for v alone, which is not looked at any more.
func (p *leafPage) dropBuffers(v *vector.Vector) {
	if d, ok := p.values.decoder.(values.Dropper); ok {
		d.Drop(v.Buffers)
	}
}

// keepsDecoded reports whether decoding and keeping the part's first n values is the
// best way to test those in sel: if the test must decode most of them anyway.
func (c *Cursor) keepsDecoded(p *leafPage, sel []uint64, n int) bool {
	force := c.opts.Force.Keep
	if !c.opts.Returned || force != ByCost {
		return c.opts.Returned && force == Always && p.values.decoder.Codes() == nil
	}
	//every:encoding kept but PLAIN RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_LENGTH_BYTE_ARRAY DELTA_BYTE_ARRAY BYTE_STREAM_SPLIT (tested without storing values, or decoded at no cost)
	switch p.header.Encoding {
	case thrift.EncodingDeltaBinaryPacked, thrift.EncodingALP:
		return c.demand.tested == c.demand.asked.N || 4*bits.Count(sel, 0, n) >= n
	}
	return false
}

// keepAndFilter tests the part's first n values and keeps them: it decodes them unless
// they are kept already.
func (c *Cursor) keepAndFilter(p *leafPage, sel []uint64, n int, t *pred.Test) error {
	return p.values.kept.DecodeAndFilter(p.values.decoder, c.src.Leaf.Type, p.value, sel, n, t)
}

// keptNumbers reports whether the part's first n values are numbers and kept: then
// their decoder is not needed.
func (p *leafPage) keptNumbers(n int) bool {
	return p.values.kept.HasNumbers(p.value, p.value+n)
}
