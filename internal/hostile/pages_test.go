package hostile

import (
	"errors"
	"io"

	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// pages reads the chunk's pages twice: as the scanner walks over them, which
// knows their checksums, and as package page does, which here does not want to
// know them, so that mutated bodies get to the codecs and behind.
func (r *reader) pages(src fetch.Source, c *scanner.Chunk) {
	codecs := codec.NewSet(codec.Options{})
	checked, err := page.Options{Codecs: codecs}.Unpacker(codec.ID(c.Meta.Codec))
	if err != nil {
		r.note(err)
		return
	}
	for p, err := range c.Pages(r.ctx) {
		if err != nil {
			r.note(err)
			break
		}
		if p.HasStatistics {
			r.bounds(c.Leaf.Type, p.Statistics)
		}
		packed, err := fetch.ReadRange(r.ctx, src, p.Body(), nil)
		if err == nil && isKnown(&p.PageHeader) {
			_, err = checked.Unpack(nil, &p.PageHeader, packed, int(p.UncompressedSize))
		}
		r.note(err)
	}

	unchecked, err := page.Options{Codecs: codecs, IgnoreCRC: true}.Unpacker(codec.ID(c.Meta.Codec))
	r.note(err)
	where, slack, err := c.Range()
	if err != nil {
		r.note(err)
		return
	}
	bytes, err := fetch.ReadRange(r.ctx, src, fetch.Range{Off: where.Off, Len: where.Len + slack}, nil)
	if err != nil {
		r.note(err)
		return
	}
	var w page.Walker
	w.Reset(page.Chunk{
		RowGroup: c.RowGroup, Column: c.Leaf.FirstLeaf, Length: where.Len, Crypto: &c.Crypto,
		Slack: slack, Values: c.Meta.NumValues,
	})
	var memory []byte
	for {
		p, err := w.Next()
		if need := (*page.Need)(nil); errors.As(err, &need) {
			if need.From < 0 || need.From >= need.To || need.To > int64(len(bytes)) {
				panic(need.Error() + ", which the chunk has not")
			}
			w.Supply(need.From, bytes[need.From:need.To])
			continue
		}
		if err != nil {
			if err != io.EOF {
				r.note(err)
			}
			return
		}
		memory = r.body(c, &unchecked, &p.Header, bytes[p.BodyOffset():p.End()], memory)
	}
}

// body unpacks a body, all and a third of it, and cuts it.
func (r *reader) body(c *scanner.Chunk, u *page.Unpacker, h *thrift.PageHeader, packed, memory []byte) []byte {
	t, maxRep, maxDef := wire.Type(c.Meta.Type), c.Leaf.MaxRep, c.Leaf.MaxDef
	for _, need := range []int{int(h.UncompressedSize) / 3, int(h.UncompressedSize)} {
		body, err := u.Unpack(memory, h, packed, need)
		if err != nil {
			r.note(err)
			continue
		}
		if !u.Stored(h) {
			memory = body
		}
		parts, err := page.Split(h, t, maxRep, maxDef, body)
		if more := (*page.Need)(nil); errors.As(err, &more) {
			if more.To <= int64(len(body)) || more.To > int64(h.UncompressedSize) {
				panic("Split wants bytes that it has, or that the page has not")
			}
			continue
		}
		if r.note(err); err == nil {
			r.values += int(h.NumValues)
			r.decode(c, h, parts)
		}
	}
	return memory
}

func isKnown(h *thrift.PageHeader) bool {
	switch h.Type {
	case wire.PageType_DATA_PAGE, wire.PageType_DATA_PAGE_V2, wire.PageType_DICTIONARY_PAGE:
		return true
	}
	return false
}

// decode is where decoders of levels and values will be reached.
func (r *reader) decode(*scanner.Chunk, *thrift.PageHeader, page.Parts) {}
