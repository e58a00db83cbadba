package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/internal/corrupt"
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
	if err := p.enterFlat(c.windowNumber, int(from), int(to), c.src.Leaf.MaxDef); err != nil || c.opts.EmptyLevels == nil {
		return err
	}
	return c.checkNulls(p)
}

// startValues sets the decoder of the page's values to the start of the page's part, of
// which the first n values are wanted.
func (c *Cursor) startValues(p *leafPage, n int) error {
	if p.body.extent == levelsOnly { // the option NoValues left values out, but a filter needs them
		if err := c.extendBody(p); err != nil {
			return err
		}
	}
	if !p.values.ready {
		p.values.ready = true
		err := c.chooseDecoder(p)
		if err != nil && p.body.extent != whole {
			err = c.extendBody(p)
		}
		if err != nil {
			p.values.ready = false
			return p.fault(err)
		}
		p.fate = Decoded
	}
	if p.values.markedFor == c.windowNumber || p.keptNumbers(n) {
		return nil
	}
	p.values.markedFor = c.windowNumber
	err := p.values.decoder.Begin(p.value, n)
	if err != nil && p.body.extent != whole {
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
	c.scratch.in = values.Input{Body: p.body.parts.Values, N: int(p.header.NumValues), Cold: c.opts.Cold && p.body.memory == ofFeed && c.showsBody(p), Type: c.src.Leaf.Type, Bodies: c.bodies}
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
		return corrupt.NotSupported("values in encoding ", e, ", which no version of the format has yet; FSST and PFOR are proposed")
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
