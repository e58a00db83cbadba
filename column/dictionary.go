package column

import (
	"errors"
	"io"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// TestDictionary returns which of the values that the chunk's codes stand for pass t, a bit for
// each, and how many there are. passing is nil if the chunk has no dictionary page, or one of
// more than most values. Not every page need use it. The caller owns passing.
func (c *Cursor) TestDictionary(t *pred.Test, most int64) (passing []uint64, n int, err error) {
	if c.err != nil {
		return nil, 0, c.err
	}
	if c.src.Index == nil && c.nextAt == 0 {
		w := c.walker
		if h, err := c.header(); err == nil && h.Header.Type == thrift.DictionaryPage {
			c.noteDictionary(h)
			c.nextAt = h.End()
		} else {
			c.walker = w // listing comes to this page, or this error, again
			return nil, 0, nil
		}
	}
	if err := c.findDictionary(); err != nil || c.dictPage.HeaderSize == 0 {
		return nil, 0, c.fail(err)
	}
	if c.dict, err = c.chunk.dictionary(c); err != nil || int64(c.dict.Len()) > most {
		return nil, 0, c.fail(err)
	}
	passing = make([]uint64, bits.Words(c.dict.Len()))
	return passing, c.dict.Len(), c.fail(c.chunk.inDictionary(c.dict.Test(passing, t)))
}

// needEntries makes the values of the dictionary, unless they are made, for codes to be looked
// up in.
func (c *Cursor) needEntries() error {
	_, err := c.dict.Entries()
	return c.chunk.inDictionary(err)
}

// inDictionary adds to err, of the dictionary's values, where it is.
func (c *Chunk) inDictionary(err error) error { return atPage(-1, c.dictAt, err) }

// dictionary returns the chunk's dictionary, which the first call reads with cursor by.
func (c *Chunk) dictionary(by *Cursor) (*values.Dictionary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dictErr != nil || c.dict != nil && c.decoded {
		return c.dict, c.dictErr
	}
	p, err := by.readDictionary()
	if err == nil && p.Header == nil {
		err = corrupt.At(-1, "codes without a dictionary")
	}
	if err != nil {
		var bad *corrupt.Error
		if errors.As(err, &bad) { // an error of one cursor's feed need not stop the others
			c.dictErr = err
		}
		return nil, err
	}
	if c.dict == nil {
		c.dict = new(values.Dictionary)
	}
	at := &by.dictPage
	c.dictAt = at.Offset
	if err := c.dict.Decode(&p); err != nil {
		c.dict, c.dictErr = nil, c.inDictionary(err)
		return nil, c.dictErr
	}
	c.decoded = true
	if by.opts.HoldsDictionary != nil {
		by.opts.HoldsDictionary(c.dict.Memory())
	}
	by.counters.DictionaryPages++
	by.counters.DictionaryBytes += at.End() - at.Offset
	if by.opts.EachPage != nil {
		by.opts.EachPage(-1, at.Offset, at.End()-at.Offset, Decoded)
	}
	return c.dict, nil
}

// readDictionary returns the dictionary page as it is in the file, without a header if there is
// none.
func (c *Cursor) readDictionary() (p values.DictionaryPage, err error) {
	d := &c.dictPage
	if err := c.findDictionary(); err != nil || d.HeaderSize == 0 {
		return p, err
	}
	p = values.DictionaryPage{Header: &d.Header, Unpacker: &c.src.Unpacker, Bodies: c.bodies, Type: c.src.Leaf.Type, DirtyHighBits: c.src.DirtyHighBits}
	switch from, to := d.BodyOffset(), d.End(); {
	case from >= to:
	case c.readsInPlace(&d.Header) && p.Type.Store() == vector.InViews:
		p.Packed, err = c.readInto(c.bodies.Get(int(to-from)+encoding.Padding), from, int(to-from))
		p.Owned = true
	default:
		p.Packed, err = c.feed.Read(from, to)
	}
	if err == nil {
		p.Packed, err = c.decrypt(&d.Header, -1, p.Packed)
	}
	return p, atPage(-1, d.Offset, err)
}

// noteDictionary keeps the dictionary page's header, without statistics,
// which are views of the feed's memory.
func (c *Cursor) noteDictionary(h *page.Page) {
	c.dictPage = *h
	c.dictPage.Header.Statistics = thrift.Statistics{}
}

// findDictionary looks for the dictionary page in front of the first page of the
// offset index, unless it is known. Without an index, listing comes to it.
func (c *Cursor) findDictionary() error {
	if c.dictPage.HeaderSize > 0 || len(c.src.Index) == 0 || c.src.Index[0].Offset <= c.src.Start {
		return nil
	}
	w := c.walker
	c.walker.Reset(c.src.Pages)
	h, err := c.header()
	if err == nil && h.Header.Type == thrift.DictionaryPage {
		c.noteDictionary(h)
	}
	c.walker = w
	if err == io.EOF {
		err = nil
	}
	return err
}

// dictionaryTest is a test of the column, and its mask once the dictionary was tested.
type dictionaryTest struct {
	test   *pred.Test
	tested int // how many values were tested without the mask
	made   bool
	mask   values.CodeMask
}

// mask returns the mask for a test, or nil while testing values costs less than
// testing the entries of the dictionary: while there are more entries than values
// tested so far, n of them now, and than rows to test in the window.
func (c *Cursor) mask(t *pred.Test, n int) (*values.CodeMask, error) {
	entries, typ := c.dict.Len(), c.src.Leaf.Type
	m := c.dictionaryTest(t)
	if m.made {
		return &m.mask, nil
	}
	if entries == 0 {
		return nil, nil // any code is an error, which decoding reports
	}
	m.tested += n
	price := entries
	if t.Kind == pred.Range && (values.IsNumber(typ) || typ.Store() == vector.InFixed && t.KeepsFixed(typ.Width())) {
		price /= 24 // a kernel tests six entries while one row is looked up, and rows of other windows will be, too
	}
	if c.dict.TestsInPage(t) {
		price /= 8 // to look up one row needs views of all; 0 instead of an eighth was as fast on 15,000 URLs
	}
	if !c.opts.Force.Mask.or(max(m.tested, c.demand.tested) >= price) && t.Kind != pred.Codes {
		return nil, nil
	}
	if err := m.mask.Make(c.dict, t); err != nil {
		return nil, c.chunk.inDictionary(err)
	}
	m.made = true
	return &m.mask, nil
}

// dictionaryTest returns the entry for a test, which it makes if there is none.
func (c *Cursor) dictionaryTest(t *pred.Test) *dictionaryTest {
	for i := range c.tests {
		if c.tests[i].test == t {
			return &c.tests[i]
		}
	}
	if n := len(c.tests); n < cap(c.tests) {
		c.tests = c.tests[:n+1]
	} else {
		c.tests = append(c.tests, dictionaryTest{})
	}
	m := &c.tests[len(c.tests)-1]
	*m = dictionaryTest{test: t, mask: m.mask}
	return m
}
