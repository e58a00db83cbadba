package column

import (
	"io"

	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// load makes a page's levels ready, and its values to be decoded.
func (c *Cursor) load(p *leafPage) error {
	if p.loaded {
		return nil
	}
	if err := c.unpack(p); err != nil {
		return p.fault(err)
	}
	if !c.src.repeated() {
		if err := p.startFlat(c.src.Leaf.MaxDef); err != nil {
			return err
		}
	} else if err := c.startRepeated(p); err != nil {
		return err
	}
	p.loaded = true
	return nil
}

// unpack has a page's body decompressed and split, once.
func (c *Cursor) unpack(p *leafPage) error {
	if p.bucket >= Undecoded {
		return nil
	}
	err := c.inflate(p, false)
	if err == nil {
		c.repack(p)
	}
	return err
}

// packed returns a page's body as it is in the file.
func (c *Cursor) packed(p *leafPage) (packed []byte, err error) {
	if p.headerUnread {
		packed, err = c.locate(p)
	} else if p.bodyAt < p.end {
		packed, err = c.feed.Read(p.bodyAt, p.end)
	}
	if err != nil {
		return nil, err
	}
	where := &c.src.Pages
	return page.Open(where.Crypto, page.DataPage, where.RowGroup, where.Column, p.ordinal, packed)
}

// inflate makes a page's body of its packed one, the whole of it or as much as
// is wanted, and splits it.
func (c *Cursor) inflate(p *leafPage, whole bool) error {
	p.values.direct = values.DirectRead{}
	if !whole && c.asItIs(p) {
		levels, known := c.sizeOfLevels(&p.header)
		switch {
		case c.src.Leaf.Type.Store() == vector.InViews && values.ShowsBody(p.header.Encoding):
			return c.readStrings(p)
		case known && !c.src.DirtyHighBits && values.SameBytes(c.src.Leaf.Type, p.header.Encoding):
			return c.readFront(p, levels)
		}
	}
	packed, err := c.packed(p)
	if err != nil {
		return err
	}
	u := &c.src.Unpacker
	stored, views := u.Stored(&p.header), c.src.Leaf.Type.Store() == vector.InViews && values.ShowsBody(p.header.Encoding)
	p.body.borrowed = stored && views && !whole && c.wantsFew(p)
	p.body.owned = !stored || views && !p.body.borrowed
	need := int(p.header.UncompressedSize)
	if !stored && !whole {
		need = c.prefix(p)
	}
	for {
		memory := p.body.bytes
		if p.body.owned && cap(memory) == 0 {
			memory = c.bodies.Take(need + encoding.Padding)
		}
		body, err := u.Unpack(memory, &p.header, packed, need)
		switch {
		case err != nil:
			if p.body.bytes = nil; !values.KeepsMemory(err) {
				c.bodies.Give(memory)
			}
			return err
		case !stored:
			c.counters.Inflated += int64(len(body))
		case views && !p.body.borrowed:
			body = values.CopyBody(memory, body)
		}
		p.body.partial = len(body) < int(p.header.UncompressedSize)
		p.body.levelsOnly = p.body.partial && c.opts.NoValues
		err = c.split(p, body)
		if _, short := err.(*page.Need); !short || !p.body.partial {
			return err
		}
		need = int(p.header.UncompressedSize) // not even the levels are there
	}
}

// split makes a body, or what there is of it, the page's.
func (c *Cursor) split(p *leafPage, body []byte) (err error) {
	p.body.bytes, p.bucket = body, max(p.bucket, Undecoded)
	p.body.parts, err = page.Split(&p.header, wire.Type(c.src.Leaf.Type.Physical), c.src.Leaf.MaxRep, c.src.Leaf.MaxDef, body)
	return err
}

// asItIs reports whether parts of a page's body may be read right to where they
// are wanted: they lie in the file as they do in memory, and are all wanted.
func (c *Cursor) asItIs(p *leafPage) bool {
	return c.opts.ReadAt != nil && p.header.UncompressedSize >= c.opts.ReadAtSize && c.demand.asked == nil && !p.headerUnread && page.Plain(c.src.Pages.Crypto) && c.src.Unpacker.AsItIs(&p.header)
}

// readStrings is inflate for a page of strings that is as it is.
func (c *Cursor) readStrings(p *leafPage) error {
	size := int(p.header.UncompressedSize)
	body := p.body.bytes
	if cap(body) == 0 {
		body = c.bodies.Take(size + encoding.Padding)
	}
	if cap(body) < size+encoding.Padding {
		body = make([]byte, 0, size+size/8+encoding.Padding)
	}
	p.body.bytes = nil // whatever happens to it
	body = body[:size]
	if err := c.opts.ReadAt(body, p.bodyAt); err != nil {
		return err
	}
	p.body.owned, p.body.borrowed, p.body.partial, p.body.levelsOnly = true, false, false, false
	return c.split(p, body)
}

// readFront is inflate for a page whose values a DirectRead reads: only the levels
// become its body. need is how many bytes they take, about.
func (c *Cursor) readFront(p *leafPage, need int64) error {
	size := int64(p.header.UncompressedSize)
	for {
		var body []byte
		var err error
		if need = min(need, size); need > 0 {
			if body, err = c.feed.Read(p.bodyAt, p.bodyAt+need); err != nil {
				return err
			}
		}
		p.body.owned, p.body.borrowed, p.body.partial, p.body.levelsOnly = false, false, true, false
		err = c.split(p, body)
		short, lacks := err.(*page.Need)
		if !lacks {
			before := cap(body) - cap(p.body.parts.Values) // the values are a slice of the body, to its end
			p.values.direct = values.DirectRead{ReadAt: c.opts.ReadAt, At: p.bodyAt + int64(before), End: p.end}
			return err
		}
		need = short.To
	}
}

// wantsFew reports whether no strings of p will be handed out but copies, as
// far as this call tells: then its body need not be the cursor's.
func (c *Cursor) wantsFew(p *leafPage) bool {
	if c.src.repeated() || c.demand.asked == nil {
		return false
	}
	from, to := c.part(p)
	return from < to && c.opts.Force.Copy.or(bits.Count(c.demand.asked.Bits, from, to)*toCopy < to-from)
}

// enterLevels prepares a page that has rows of the window: its levels can be
// read from the start of its part on.
func (c *Cursor) enterLevels(p *leafPage) error {
	if err := c.load(p); err != nil {
		return err
	}
	from := max(c.at-p.first, 0)
	to := min(c.to-p.first, int64(p.rows))
	if c.src.repeated() {
		return c.enterRepeated(p, int(from), int(to))
	}
	return p.enterFlat(c.seq, int(from), int(to), c.src.Leaf.MaxDef)
}

// startValues has the decoder of the page's values stand at the start of the
// page's part, of which the first n values are of interest.
func (c *Cursor) startValues(p *leafPage, n int) error {
	if p.body.levelsOnly {
		// Values are wanted for once, by a filter.
		if err := c.makeWhole(p); err != nil {
			return err
		}
	}
	if !p.values.ready {
		if err := c.chooseDecoder(p); err != nil {
			return p.fault(err)
		}
		p.values.ready = true
		p.bucket = Decoded
	}
	if p.values.markedFor == c.seq || p.keptNumbers(n) {
		return nil
	}
	p.values.markedFor = c.seq
	err := p.values.decoder.Begin(p.value, n)
	if err != nil && p.body.partial {
		return c.makeWhole(p)
	}
	return p.ofValues(err)
}

func (c *Cursor) chooseDecoder(p *leafPage) error {
	if p.values.direct.ReadAt != nil {
		p.values.decoder, p.values.spacing = &p.values.direct, 1
		return nil
	}
	e := p.header.Encoding
	c.scratch.in = values.Input{Body: p.body.parts.Values, N: int(p.header.NumValues), Cold: p.body.borrowed && c.opts.Cold, Type: c.src.Leaf.Type, Bodies: c.bodies}
	in := &c.scratch.in
	if values.IsDictionary(e) {
		e = wire.Encoding_RLE_DICTIONARY
		var err error
		if c.dict, err = c.chunk.dictionary(c); err != nil {
			return err
		}
		in.Dict = c.dict
	}
	if e < 0 || e >= values.Encodings {
		return corrupt.NotSupported("values in encoding ", values.EncodingName(e))
	}
	if p.values.decoders[e] == nil || p.values.typ != in.Type {
		d, err := values.NewDecoder(in.Type, e)
		if err != nil {
			return err
		}
		if p.values.typ != in.Type {
			p.values.decoders = [values.Encodings]values.Decoder{}
		}
		p.values.decoders[e], p.values.typ = d, in.Type
	}
	p.values.decoder, p.values.spacing = p.values.decoders[e], values.GatherSpacing(in.Type, e)
	if c.src.DirtyHighBits && in.Dict == nil {
		p.values.signFixed.Decoder = p.values.decoder
		p.values.decoder = &p.values.signFixed
	}
	return p.ofValues(p.values.decoder.Reset(in))
}

// ofValues names the place of an error of a page's decoder.
func (p *leafPage) ofValues(err error) error { return p.within(err, "values", p.body.parts.Values) }

// readDictionary reads the page in front of the data pages.
func (c *Cursor) readDictionary() (*page.Page, []byte, error) {
	where := c.src.Pages
	d := &c.dictPage
	if d.HeaderSize == 0 {
		if c.src.Index == nil {
			return nil, nil, nil // all pages so far were walked over
		}
		if err := c.findDictionary(); err != nil || d.HeaderSize == 0 {
			return nil, nil, err
		}
	}
	var packed []byte
	var err error
	if d.BodyOffset() < d.End() {
		packed, err = c.feed.Read(d.BodyOffset(), d.End())
	}
	if err == nil {
		packed, err = page.Open(where.Crypto, page.DictionaryPage, where.RowGroup, where.Column, -1, packed)
	}
	return d, packed, at(-1, d.Offset, err)
}

// Dictionary returns the values that the chunk's codes stand for, nil if it has
// no dictionary page. That pages use it is not said. It may be kept.
func (c *Cursor) Dictionary() (*vector.Vector, error) {
	if c.err != nil {
		return nil, c.err
	}
	if c.src.Index == nil && c.nextAt == 0 {
		w := c.walker
		if h, err := c.header(); err == nil && h.Header.Type == wire.PageType_DICTIONARY_PAGE {
			c.foundDictionary(h)
			c.nextAt = h.End()
		} else {
			c.walker = w // whatever it is, it comes up again
			return nil, nil
		}
	}
	if c.dictPage.HeaderSize == 0 && c.src.Index != nil {
		if err := c.findDictionary(); err != nil {
			return nil, c.fail(err)
		}
	}
	if c.dictPage.HeaderSize == 0 {
		return nil, nil
	}
	d, err := c.chunk.dictionary(c)
	if err != nil {
		return nil, c.fail(err)
	}
	c.dict = d
	return d.Lend(), nil
}

// foundDictionary keeps the dictionary page's header, without statistics,
// which are views of the feed's memory.
func (c *Cursor) foundDictionary(h *page.Page) {
	c.dictPage = *h
	c.dictPage.Header.Statistics = thrift.Statistics{}
}

// findDictionary looks for the dictionary page where the first page is not
// the first of the index.
func (c *Cursor) findDictionary() error {
	front := c.src.Index[0].Offset - c.src.Start
	if front <= 0 {
		return nil
	}
	w := c.walker
	c.walker.Reset(c.src.Pages)
	h, err := c.header()
	if err == nil && h.Header.Type == wire.PageType_DICTIONARY_PAGE {
		c.foundDictionary(h)
	}
	c.walker = w
	if err == io.EOF {
		err = nil
	}
	return err
}
