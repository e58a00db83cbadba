package column

import (
	"errors"
	"io"

	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Dictionary returns the values that the chunk's codes stand for, or nil if it has
// no dictionary page. Not every page need use it. The vector stays valid after Close.
func (c *Cursor) Dictionary() (*vector.Vector, error) {
	if c.err != nil {
		return nil, c.err
	}
	if c.src.Index == nil && c.nextAt == 0 {
		w := c.walker
		if h, err := c.header(); err == nil && h.Header.Type == thrift.DictionaryPage {
			c.noteDictionary(h)
			c.nextAt = h.End()
		} else {
			c.walker = w // listing comes to this page, or this error, again
			return nil, nil
		}
	}
	if err := c.findDictionary(); err != nil || c.dictPage.HeaderSize == 0 {
		return nil, c.fail(err)
	}
	d, err := c.chunk.dictionary(c)
	if err != nil {
		return nil, c.fail(err)
	}
	c.dict = d
	return d.Lend(), nil
}

// dictionary returns the chunk's dictionary, which the first call reads with cursor by.
func (c *Chunk) dictionary(by *Cursor) (*values.Dictionary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dictErr != nil || c.dict != nil && c.decoded {
		return c.dict, c.dictErr
	}
	p, packed, err := by.readDictionary()
	if err == nil && p == nil {
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
	s := &c.source
	err = c.dict.Decode(&values.DictionaryPage{
		Header: &p.Header, Packed: packed, Unpacker: &s.Unpacker,
		Type: s.Leaf.Type, DirtyHighBits: s.DirtyHighBits,
	})
	if err != nil {
		c.dict, c.dictErr = nil, atPage(-1, p.Offset, err)
		return nil, c.dictErr
	}
	c.decoded = true
	by.counters.DictionaryPages++
	by.counters.DictionaryBytes += p.End() - p.Offset
	if by.opts.EachPage != nil {
		by.opts.EachPage(-1, p.Offset, p.End()-p.Offset, Decoded)
	}
	return c.dict, nil
}

// readDictionary returns the dictionary page and its compressed body, or nil if there is none.
func (c *Cursor) readDictionary() (*page.Page, []byte, error) {
	d := &c.dictPage
	if err := c.findDictionary(); err != nil || d.HeaderSize == 0 {
		return nil, nil, err
	}
	var packed []byte
	var err error
	if d.BodyOffset() < d.End() {
		packed, err = c.feed.Read(d.BodyOffset(), d.End())
	}
	if err == nil {
		packed, err = c.decrypt(&d.Header, -1, packed)
	}
	return d, packed, atPage(-1, d.Offset, err)
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
