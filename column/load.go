package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// loadPage decompresses a page, once, and starts its levels.
func (c *Cursor) loadPage(p *leafPage) error {
	if p.loaded {
		return nil
	}
	if err := c.loadBody(p); err != nil {
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

// loadBody decompresses and splits a page's body, once.
func (c *Cursor) loadBody(p *leafPage) error {
	if p.bucket >= Undecoded {
		return nil
	}
	err := c.inflate(p, 0)
	if err == nil {
		c.repackLSBFirst(p)
	}
	return err
}

// compressedBody returns a page's body as it is in the file.
func (c *Cursor) compressedBody(p *leafPage) ([]byte, error) {
	switch {
	case p.headerUnread:
		return c.readIndexedHeader(p)
	case p.bodyAt < p.end:
		return c.feed.Read(p.bodyAt, p.end)
	}
	return nil, nil
}

// decrypt returns a page's body decrypted. If it is encrypted, that is memory which stays until
// the next call.
func (c *Cursor) decrypt(h *thrift.PageHeader, ordinal int, body []byte) ([]byte, error) {
	if c.src.Unpacker.Encrypted() {
		c.scratch.decrypted = grown(c.scratch.decrypted, len(body)+encoding.Padding)
	}
	return c.src.Unpacker.Open(c.scratch.decrypted, h, ordinal, body)
}

// decryptStored is inflate for an encrypted body that is not compressed.
func (c *Cursor) decryptStored(p *leafPage, body []byte) error {
	u, memory := &c.src.Unpacker, p.body.bytes
	if cap(memory) == 0 {
		memory = c.bodies.Get(len(body) + encoding.Padding)
	}
	memory = grown(memory, len(body)+encoding.Padding)
	p.body.bytes = nil // it is not used again without an error
	plain, err := u.Open(memory, &p.header, p.ordinal, body)
	if err == nil {
		plain, err = u.Unpack(nil, &p.header, plain, len(plain)) // checks the sizes
	}
	if err != nil {
		c.bodies.Put(memory)
		return err
	}
	p.body.owned, p.body.borrowed, p.body.partial, p.body.levelsOnly = true, false, false, false
	return c.split(p, plain)
}

// inflate decompresses a page's body and splits it: at least the first least bytes, or as
// much as is wanted if least is 0.
func (c *Cursor) inflate(p *leafPage, least int) error {
	p.values.direct = values.DirectRead{}
	if least == 0 && c.readsInPlace(p) {
		levels, known := c.sizeOfLevels(&p.header)
		switch {
		case c.src.Leaf.Type.Store() == vector.InViews && values.ShowsBody(p.header.Encoding):
			return c.readBodyInPlace(p)
		case known && !c.src.DirtyHighBits && values.SameBytes(c.src.Leaf.Type, p.header.Encoding):
			return c.readLevelPart(p, levels)
		}
	}
	packed, err := c.compressedBody(p)
	if err != nil {
		return err
	}
	u := &c.src.Unpacker
	stored, views := u.Stored(&p.header), c.src.Leaf.Type.Store() == vector.InViews && values.ShowsBody(p.header.Encoding)
	if u.Encrypted() && stored {
		return c.decryptStored(p, packed)
	}
	if packed, err = c.decrypt(&p.header, p.ordinal, packed); err != nil {
		return err
	}
	p.body.borrowed = stored && views && least == 0 && c.copiesStrings(p)
	p.body.owned = !stored || views && !p.body.borrowed
	need := least
	switch {
	case stored:
		need = int(p.header.UncompressedSize)
	case least == 0:
		need = c.bodyNeeded(p)
	}
	for {
		memory := p.body.bytes
		if p.body.owned && cap(memory) == 0 {
			memory = c.bodies.Get(need + encoding.Padding)
		}
		body, err := u.Unpack(memory, &p.header, packed, need)
		switch {
		case err != nil:
			if p.body.bytes = nil; !values.KeepsMemory(err) {
				c.bodies.Put(memory)
			}
			return err
		case !stored:
			c.counters.Inflated += int64(len(body))
		case views && !p.body.borrowed:
			body = values.CopyBody(memory, body)
		}
		p.body.partial = len(body) < int(p.header.UncompressedSize)
		p.body.levelsOnly = p.body.partial && c.opts.NoValues && least == 0
		err = c.split(p, body)
		short, lacks := err.(*page.Need)
		if !lacks || !p.body.partial {
			return err
		}
		more := int64(p.header.UncompressedSize) // the levels are longer than expected
		if c.steps(p) {
			more = min(max(short.To, int64(len(body)))+c.firstStep(more), more)
		}
		need = int(more)
	}
}

// split makes body, which may be only the front of it, the page's.
func (c *Cursor) split(p *leafPage, body []byte) (err error) {
	p.body.bytes, p.bucket = body, max(p.bucket, Undecoded)
	p.body.parts, err = page.Split(&p.header, thrift.Type(c.src.Leaf.Type.Physical), c.src.Leaf.MaxRep, c.src.Leaf.MaxDef, body)
	return err
}

// readsInPlace reports whether parts of a page's body may be read directly into the
// memory that is handed out: they are not compressed, and all are wanted.
func (c *Cursor) readsInPlace(p *leafPage) bool {
	return c.opts.ReadAt != nil && p.header.UncompressedSize >= c.opts.ReadAtSize && c.demand.asked == nil && !p.headerUnread && c.src.Unpacker.AsItIs(&p.header)
}

// readBodyInPlace is inflate for strings that are not compressed: it reads the body
// into memory that views may point into.
func (c *Cursor) readBodyInPlace(p *leafPage) error {
	size := int(p.header.UncompressedSize)
	body := p.body.bytes
	if cap(body) == 0 {
		body = c.bodies.Get(size + encoding.Padding)
	}
	if cap(body) < size+encoding.Padding {
		body = make([]byte, 0, size+size/8+encoding.Padding)
	}
	p.body.bytes = nil // it is not used again if the read fails
	body = body[:size]
	if err := c.opts.ReadAt(body, p.bodyAt); err != nil {
		return err
	}
	p.body.owned, p.body.borrowed, p.body.partial, p.body.levelsOnly = true, false, false, false
	return c.split(p, body)
}

// readLevelPart is inflate for a page whose values a DirectRead reads: only the levels
// become its body. need is how many bytes they take, about.
func (c *Cursor) readLevelPart(p *leafPage, need int64) error {
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

// copiesStrings reports whether the call selects so few strings of p that they will be
// copied: then the body may stay in the feed's memory.
func (c *Cursor) copiesStrings(p *leafPage) bool {
	if c.src.repeated() || c.demand.asked == nil {
		return false
	}
	from, to := c.rowsOn(p)
	return from < to && c.opts.Force.Copy.or(bits.Count(c.demand.asked.Bits, from, to)*copyBelow < to-from)
}

// enterPage loads a page that has rows of the window, and makes them its part.
func (c *Cursor) enterPage(p *leafPage) error {
	if err := c.loadPage(p); err != nil {
		return err
	}
	from := max(c.at-p.first, 0)
	to := min(c.to-p.first, int64(p.rows))
	if c.src.repeated() {
		return c.enterRepeated(p, int(from), int(to))
	}
	if err := p.enterFlat(c.seq, int(from), int(to), c.src.Leaf.MaxDef); err != nil || c.opts.EmptyLevels == nil {
		return err
	}
	return c.checkNulls(p)
}

// startValues sets the decoder of the page's values to the start of the page's part, of
// which the first n values are wanted.
func (c *Cursor) startValues(p *leafPage, n int) error {
	if p.body.levelsOnly {
		// The option NoValues left them out, but a filter needs them.
		if err := c.extendBody(p); err != nil {
			return err
		}
	}
	if !p.values.ready {
		p.values.ready = true
		err := c.chooseDecoder(p)
		if err != nil && p.body.partial {
			err = c.extendBody(p)
		}
		if err != nil {
			p.values.ready = false
			return p.fault(err)
		}
		p.bucket = Decoded
	}
	if p.values.markedFor == c.seq || p.keptNumbers(n) {
		return nil
	}
	p.values.markedFor = c.seq
	err := p.values.decoder.Begin(p.value, n)
	if err != nil && p.body.partial {
		return c.extendBody(p)
	}
	return p.inValues(err)
}

// chooseDecoder starts the decoder of the page's values at the first of them.
func (c *Cursor) chooseDecoder(p *leafPage) error {
	if p.values.direct.ReadAt != nil {
		p.values.decoder, p.values.spacing = &p.values.direct, 1
		return nil
	}
	e := p.header.Encoding
	c.scratch.in = values.Input{Body: p.body.parts.Values, N: int(p.header.NumValues), Cold: p.body.borrowed && c.opts.Cold, Type: c.src.Leaf.Type, Bodies: c.bodies}
	in := &c.scratch.in
	if e.IsDictionary() {
		e = thrift.EncodingRLEDictionary
		var err error
		if c.dict, err = c.chunk.dictionary(c); err != nil {
			return err
		}
		in.Dict = c.dict
	}
	if e < 0 || e >= values.Encodings {
		return corrupt.NotSupported("values in encoding ", e)
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
	return p.inValues(p.values.decoder.Reset(in))
}

// inValues adds to err, of the page's decoder, where it is.
func (p *leafPage) inValues(err error) error { return p.inPart(err, "values", p.body.parts.Values) }
