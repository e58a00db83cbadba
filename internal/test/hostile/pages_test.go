package hostile

import (
	"context"
	"fmt"
	"io"

	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// eachPage walks over the chunk's pages, given exactly the bytes that the
// Walker asks for.
func eachPage(ctx context.Context, f *scanner.File, c *scanner.Chunk, see func(p *page.Page, packed []byte)) error {
	where, slack, err := c.Range()
	if err != nil {
		return err
	}
	bytes, err := fetch.ReadRange(ctx, f.Source(), fetch.Range{Off: where.Off, Len: where.Len + slack}, nil)
	if err != nil {
		return err
	}
	var w page.Walker
	w.Reset(page.Chunk{
		Length: where.Len, Cipher: rawmeta.Cipher(f, c),
		Slack: slack, Values: c.Meta.NumValues,
	})
	for {
		p, need, err := w.NextAny()
		if need.Some() {
			if need.From < 0 || need.To > int64(len(bytes)) {
				panic(fmt.Sprint("bytes ", need, " are needed, which the chunk has not"))
			}
			w.Supply(need.From, bytes[need.From:need.To])
			continue
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		see(p, bytes[p.BodyOffset():p.End()])
	}
}

// pages unpacks each page twice: by its checksum, and without, so that mutated
// bodies get to the codecs and what stands behind them.
func (r *reader) pages(f *scanner.File, c *scanner.Chunk) {
	codecs, id := codec.NewSet(codec.Options{}), c.Meta.Codec
	checked, err := page.Options{Codecs: codecs, Cipher: rawmeta.Cipher(f, c)}.Unpacker(id)
	if err != nil {
		r.note(err)
		return
	}
	unchecked, err := page.Options{Codecs: codecs, IgnoreCRC: true, Cipher: rawmeta.Cipher(f, c)}.Unpacker(id)
	r.note(err)
	var memory []byte
	r.note(eachPage(r.ctx, f, c, func(p *page.Page, packed []byte) {
		h := &p.Header
		if h.HasStatistics {
			r.bounds(c.Leaf.Type, h.Statistics)
		}
		if !isKnown(h) {
			return
		}
		plain, err := checked.Open(nil, h, p.Ordinal, packed)
		if err == nil {
			_, err = checked.Unpack(nil, h, plain, int(h.UncompressedSize))
		}
		r.note(err)
		if packed, err = unchecked.Open(nil, h, p.Ordinal, packed); err != nil {
			r.note(err)
			return
		}
		memory = r.body(c, &unchecked, h, packed, memory)
	}))
}

// body unpacks a body, all and a third of it, and cuts it.
func (r *reader) body(c *scanner.Chunk, u *page.Unpacker, h *thrift.PageHeader, packed, memory []byte) []byte {
	t, maxRep, maxDef := thrift.Type(c.Meta.Type), c.Leaf.MaxRep, c.Leaf.MaxDef
	for _, need := range []int{int(h.UncompressedSize) / 3, int(h.UncompressedSize)} {
		body, err := u.Unpack(memory, h, packed, need)
		if err != nil {
			r.note(err)
			continue
		}
		if !u.Stored(h) {
			memory = body
		}
		parts, more, err := page.Split(h, t, maxRep, maxDef, body)
		if more.Some() {
			if more.To <= int64(len(body)) || more.To > int64(h.UncompressedSize) {
				panic("Split wants bytes that it has, or that the page has not")
			}
			continue
		}
		if r.note(err); err == nil {
			r.values += int(h.NumValues)
			r.decode(c, h, parts, need == int(h.UncompressedSize))
		}
	}
	return memory
}

func isKnown(h *thrift.PageHeader) bool {
	switch h.Type {
	case thrift.DataPage, thrift.DataPageV2, thrift.DictionaryPage:
		return true
	}
	return false
}
