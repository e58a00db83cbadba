package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// pageBody is what there is of a page's body, decompressed.
type pageBody struct {
	bytes  []byte
	parts  page.BodyParts // of bytes
	extent extent
	memory ownership
}

// extent is how much of a page's body is there.
type extent uint8

const (
	whole      extent = iota
	front             // the levels, and values as far as they were wanted
	levelsOnly        // the levels; no value was wanted
)

// ownership is whose memory a page's body is in.
type ownership uint8

const (
	ofFeed   ownership = iota // strings must be copied out of it
	ofCursor                  // views may point into it, and none that was handed out does
	lentOut                   // the cursor's, too: views that were handed out point into it
)

// loadBody decompresses and splits a page's body, once.
func (c *Cursor) loadBody(p *leafPage) error {
	if p.fate >= Undecoded {
		return nil
	}
	err := c.inflate(p, 0)
	if err == nil {
		c.repackLSBFirst(p)
	}
	return err
}

// inflate makes the body of a page and splits it: at least the first least bytes, or as much
// as is wanted if least is 0. There are four ways:
//
//	in place       read into memory that views may point into, or the values into a vector
//	stored         the feed's bytes themselves, or a copy that views may point into
//	  encrypted    decrypted into memory that views may point into
//	compressed     decrypted if need be, and decompressed as far as is wanted
func (c *Cursor) inflate(p *leafPage, least int) error {
	p.values.direct = values.DirectRead{}
	if least == 0 {
		if done, err := c.readInPlace(p); done || err != nil {
			return err
		}
	}
	var packed []byte // the body as it is in the file
	var err error
	switch {
	case p.headerUnread:
		packed, err = c.readIndexedHeader(p)
	case p.bodyAt < p.end:
		packed, err = c.feed.Read(p.bodyAt, p.end)
	}
	switch u := &c.src.Unpacker; {
	case err != nil:
		return err
	case !u.Stored(&p.header):
		return c.decompress(p, packed, least)
	case u.Encrypted():
		return c.decryptStored(p, packed)
	}
	return c.takeStored(p, packed, least == 0 && c.copiesStrings(p))
}

// showsBody reports whether vectors of a page's values point into its body.
func (c *Cursor) showsBody(p *leafPage) bool {
	return c.src.Leaf.Type.Store() == vector.InViews && values.ShowsBody(p.header.Encoding)
}

// copiesStrings reports whether no vector will point into p's body: the call tests its strings,
// or selects so few that they will be copied. Then the body may stay in the feed's memory.
func (c *Cursor) copiesStrings(p *leafPage) bool {
	if _, known := c.sizeOfLevels(&p.header); !known {
		return false // BIT_PACKED levels may be repacked, which is done once
	}
	if c.demand.tested > 0 {
		return true
	}
	if c.src.repeated() || c.demand.asked == nil {
		return false
	}
	from, to := c.rowsOn(p)
	return from < to && c.opts.Force.Copy.or(bits.Count(c.demand.asked.Bits, from, to)*copyBelow < to-from)
}

// decompress is inflate for a compressed body.
func (c *Cursor) decompress(p *leafPage, packed []byte, least int) error {
	packed, err := c.decrypt(&p.header, p.ordinal, packed)
	if err != nil {
		return err
	}
	size, need := int64(p.header.UncompressedSize), least
	if least == 0 {
		need = c.bodyNeeded(p)
	}
	for {
		memory := c.bodyMemory(p, need)
		body, err := c.src.Unpacker.Unpack(memory, &p.header, packed, need)
		if err != nil {
			if p.body.bytes = nil; !values.KeepsMemory(err) {
				c.bodies.Put(memory)
			}
			return err
		}
		c.counters.Inflated += int64(len(body))
		extent := whole
		if int64(len(body)) < size {
			if extent = front; c.opts.NoValues && least == 0 {
				extent = levelsOnly
			}
		}
		lacks, err := c.setBody(p, body, ofCursor, extent)
		if err != nil || !lacks.Some() {
			return err
		}
		more := size // the levels are longer than expected
		if c.steps(p) {
			more = min(max(lacks.To, int64(len(body)))+c.firstStep(size), size)
		}
		need = int(more)
	}
}

// decrypt returns a page's body decrypted. If it is encrypted, that is memory which stays until
// the next call.
func (c *Cursor) decrypt(h *thrift.PageHeader, ordinal int, body []byte) ([]byte, error) {
	if c.src.Unpacker.Encrypted() {
		c.scratch.decrypted = grown(c.scratch.decrypted, len(body)+encoding.Padding)
	}
	return c.src.Unpacker.Open(c.scratch.decrypted, h, ordinal, body)
}

// takeStored is inflate for a body that is neither compressed nor encrypted. copies says that
// strings will be copied out of it.
func (c *Cursor) takeStored(p *leafPage, stored []byte, copies bool) error {
	body, err := c.src.Unpacker.Unpack(nil, &p.header, stored, len(stored)) // stored itself, once it is checked
	if err != nil {
		return err
	}
	memory := ofFeed
	if c.showsBody(p) && !copies {
		body, memory = values.CopyBody(c.bodyMemory(p, len(body)), body), ofCursor
	}
	_, err = c.setBody(p, body, memory, whole)
	return err
}

// decryptStored is inflate for an encrypted body that is not compressed.
func (c *Cursor) decryptStored(p *leafPage, body []byte) error {
	u, memory := &c.src.Unpacker, grown(c.bodyMemory(p, len(body)), len(body)+encoding.Padding)
	p.body.bytes = nil // it is not used again without an error
	plain, err := u.Open(memory, &p.header, p.ordinal, body)
	if err == nil {
		plain, err = u.Unpack(nil, &p.header, plain, len(plain)) // checks the sizes
	}
	if err != nil {
		c.bodies.Put(memory)
		return err
	}
	_, err = c.setBody(p, plain, ofCursor, whole)
	return err
}

// readInPlace is inflate for a page that is not compressed and of which all is wanted: it reads
// strings, or other values, directly into the memory that is handed out. It is not done if the
// page is another.
func (c *Cursor) readInPlace(p *leafPage) (done bool, err error) {
	if c.demand.asked != nil || p.headerUnread || !c.readsInPlace(&p.header) {
		return false, nil
	}
	levels, known := c.sizeOfLevels(&p.header)
	switch {
	case c.showsBody(p):
		return true, c.readBodyInPlace(p)
	case known && !c.src.DirtyHighBits && !c.src.Unpacker.ChecksCRC(&p.header) && values.SameBytes(c.src.Leaf.Type, p.header.Encoding):
		return true, c.readLevelPart(p, levels)
	}
	return false, nil
}

// readsInPlace reports whether the body of a page is so large, and stands in the file so, that it
// is best read into the memory where it is used.
func (c *Cursor) readsInPlace(h *thrift.PageHeader) bool {
	return c.opts.ReadAt != nil && h.UncompressedSize >= c.opts.ReadAtSize && c.src.Unpacker.AsItIs(h)
}

// readBodyInPlace reads the body of a page with strings into memory that views may point into.
func (c *Cursor) readBodyInPlace(p *leafPage) error {
	size := int(p.header.UncompressedSize)
	memory := c.bodyMemory(p, size)
	p.body.bytes = nil // it is not used again if the read fails
	body, err := c.readInto(memory, p.bodyAt, size)
	if err == nil {
		body, err = c.src.Unpacker.Unpack(nil, &p.header, body, size) // body itself, once it is checked
	}
	if err != nil {
		return err
	}
	_, err = c.setBody(p, body, ofCursor, whole)
	return err
}

// readInto reads size bytes of the chunk to memory, or to new memory if they do not fit.
func (c *Cursor) readInto(memory []byte, from int64, size int) ([]byte, error) {
	if cap(memory) < size+encoding.Padding {
		memory = make([]byte, 0, size+size/8+encoding.Padding)
	}
	memory = memory[:size]
	return memory, c.opts.ReadAt(memory, from)
}

// readLevelPart reads only the levels of a page whose values a DirectRead reads: they become
// its body. need is how many bytes they take, about.
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
		lacks, err := c.setBody(p, body, ofFeed, front)
		if err != nil || !lacks.Some() {
			before := cap(body) - cap(p.body.parts.Values) // the values are a slice of the body, to its end
			p.values.direct = values.DirectRead{ReadAt: c.opts.ReadAt, At: p.bodyAt + int64(before), End: p.end}
			return err
		}
		need = lacks.To
	}
}

// bodyMemory returns memory for a body of about size bytes: that of the page, if it has any.
func (c *Cursor) bodyMemory(p *leafPage, size int) []byte {
	if cap(p.body.bytes) > 0 {
		return p.body.bytes
	}
	return c.bodies.Get(size + encoding.Padding)
}

// setBody makes body the page's, and splits it. It returns the bytes that are needed for the
// levels if they are longer.
func (c *Cursor) setBody(p *leafPage, body []byte, m ownership, e extent) (lacks page.Need, err error) {
	p.body.bytes, p.body.memory, p.body.extent, p.fate = body, m, e, max(p.fate, Undecoded)
	p.body.parts, lacks, err = page.Split(&p.header, thrift.Type(c.src.Leaf.Type.Physical), c.src.Leaf.MaxRep, c.src.Leaf.MaxDef, body)
	return lacks, err
}
