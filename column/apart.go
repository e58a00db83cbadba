package column

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Values that lie in the file as they do in memory, and are all wanted, are read
// right to where they are wanted:
//
//	page     │ header │ levels │ values                     │
//	           Feed.Read         Options.ReadAt ──▶ vector, of numbers
//	           Feed.Read  Options.ReadAt ──▶ body that strings point into
//
// Values of a page that are not in its body lie apart. Whoever wants others than
// all of a window's has the page made whole first.

// asItIs reports whether parts of a page's body may be read where they are wanted.
func (c *Cursor) asItIs(p *leafPage) bool {
	return c.opts.ReadAt != nil && c.asked == nil && !c.opts.NoValues && !p.located &&
		c.src.Pages.Crypto == nil && p.header.Encoding == wire.Encoding_PLAIN && c.src.Unpacker.AsItIs(&p.header)
}

// take makes of a page that is as it is what inflate would, and reports whether it did.
func (c *Cursor) take(p *leafPage) (done bool, err error) {
	switch t := c.src.Leaf.Type; {
	case t.Store() == vector.InViews:
		return true, c.takeStrings(p)
	case memoryOf(&c.scratch, t, 0, 0) != nil:
		return c.takeLevels(p)
	}
	return false, nil
}

// takeStrings reads all of a page's body to memory that strings can point into.
func (c *Cursor) takeStrings(p *leafPage) error {
	size := int(p.header.UncompressedSize)
	body := p.body
	if cap(body) == 0 {
		body = c.bodies.take(size + encoding.Padding)
	}
	if cap(body) < size+encoding.Padding {
		body = make([]byte, 0, size+size/8+encoding.Padding)
	}
	p.body = nil // whatever happens to it
	body = body[:size]
	if err := c.opts.ReadAt(body, p.bodyAt); err != nil {
		return err
	}
	p.own, p.borrowed, p.cut, p.bare = true, false, false, false
	return c.split(p, body)
}

// takeLevels reads a page's levels, and leaves its values apart.
func (c *Cursor) takeLevels(p *leafPage) (done bool, err error) {
	need, known := c.sizeOfLevels(&p.header)
	if !known {
		return false, nil
	}
	for {
		var body []byte
		if need = min(need, int64(p.header.UncompressedSize)); need > 0 {
			if body, err = c.feed.Read(p.bodyAt, p.bodyAt+need); err != nil {
				return true, err
			}
		}
		p.own, p.borrowed, p.cut, p.bare, p.apart = false, false, true, false, true
		err = c.split(p, body)
		short, ok := err.(*page.Need)
		if !ok {
			p.valuesAt = p.bodyAt + int64(cap(body)-cap(p.parts.Values))
			return true, err
		}
		need = short.To
	}
}

// split makes a body, or what there is of it, the page's.
func (c *Cursor) split(p *leafPage, body []byte) (err error) {
	p.body, p.bucket = body, max(p.bucket, Undecoded)
	p.parts, err = page.Split(&p.header, wire.Type(c.src.Leaf.Type.Physical), c.src.Leaf.MaxRep, c.src.Leaf.MaxDef, body)
	return err
}

// readApart reads the part's first n values, which lie apart, to the slots from
// at on.
func (c *Cursor) readApart(p *leafPage, dst *vector.Vector, at, n int) (done bool, err error) {
	width := int64(dst.Type.Width())
	from := p.valuesAt + int64(p.value)*width
	if int64(n)*width > p.end-from {
		return false, nil // the decoder knows what to say
	}
	p.bucket = Decoded
	return true, c.opts.ReadAt(memoryOf(dst, dst.Type, at, n), from)
}
