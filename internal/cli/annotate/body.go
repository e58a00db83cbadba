package annotate

import (
	"slices"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/thrift"
)

// Page is what one must know of a page to read its body.
type Page struct {
	Type     thrift.PageType
	Slots    int // values and nulls
	Encoding thrift.Encoding

	MaxRep, MaxDef           int
	RepEncoding, DefEncoding thrift.Encoding // of the levels of v1
	RepBytes, DefBytes       int64           // the sizes of the levels of v2
	LSBFirst                 bool            // BIT_PACKED levels start at the lowest bit, as some writers have it

	Physical  thrift.Type
	Width     int                       // bytes of a value in PLAIN; 0: they differ
	ShowValue func(plain []byte) string // a value from its bytes in PLAIN, without length prefix

	nulls int // as the definition levels tell
}

// levelsV2 labels the levels in front of a v2 body, which are never compressed,
// and counts the nulls in them, for the header's count may be wrong. Other pages
// have their levels within the body.
func (a *annotator) levelsV2(p *Page) {
	if p.Type != thrift.DataPageV2 {
		return
	}
	one := func(what string, length int64, maxLevel int) (full int64) {
		if length != 0 || maxLevel != 0 { // some writers write levels that can only be 0
			a.part(length, what, func(in *annotator) { full = in.levels(what, maxLevel, p.Slots) })
		}
		return full
	}
	one("repetition levels", p.RepBytes, p.MaxRep)
	if full := one("definition levels", p.DefBytes, p.MaxDef); p.MaxDef > 0 {
		p.nulls = p.Slots - int(full)
	}
}

// body labels a body that is not compressed; of v2, what follows the levels.
func (a *annotator) body(p *Page) {
	start := *a
	start.spans = slices.Clip(a.spans)
	unknown := a.bodyParts(p)
	if unknown > 0 && p.Type == thrift.DataPage && (p.RepEncoding == thrift.EncodingBitPacked || p.DefEncoding == thrift.EncodingBitPacked) {
		// Not every byte makes sense in the bit order of this writer. In the other one it may.
		p.LSBFirst = !p.LSBFirst
		if again := start; again.bodyParts(p) == 0 {
			*a = again
		}
	}
}

// bodyParts labels the levels and values of a body, and returns how many bytes
// made no sense.
func (a *annotator) bodyParts(p *Page) (unknown int) {
	switch p.Type {
	case thrift.DataPage:
		if p.MaxRep > 0 {
			a.levelsV1("repetition levels", p.RepEncoding, p.MaxRep, p.Slots, p.LSBFirst)
		}
		if p.MaxDef > 0 {
			p.nulls = p.Slots - int(a.levelsV1("definition levels", p.DefEncoding, p.MaxDef, p.Slots, p.LSBFirst))
		}
		a.values(p)
	case thrift.DataPageV2:
		a.values(p)
	case thrift.DictionaryPage:
		if p.Encoding == thrift.EncodingPlainDictionary {
			p.Encoding = thrift.EncodingPlain // what it means on a dictionary page
		}
		a.values(p)
	default:
		a.finish("body of a page of type " + wirename.PageType(p.Type) + ", which no reader needs")
	}
	unknown = a.remaining()
	a.finish("unknown: left over")
	return unknown
}

// levelsV1 labels levels as they stand in a v1 body: RLE after a length,
// BIT_PACKED without one.
func (a *annotator) levelsV1(what string, encoding thrift.Encoding, maxLevel, n int, lsbFirst bool) (full int64) {
	switch encoding {
	case thrift.EncodingRLE:
		a.prefixed(what, func(in *annotator) { full = in.levels(what, maxLevel, n) })
	case thrift.EncodingBitPacked:
		full = a.bitPacked(what, maxLevel, n, lsbFirst)
	default:
		a.fail(what + " in " + wirename.Encoding(encoding))
	}
	return full
}

// prefixed labels a length of 4 bytes, and lets f label as many bytes after it.
func (a *annotator) prefixed(what string, f func(in *annotator)) {
	head, ok := a.consume(4, what+": length")
	if !ok {
		return
	}
	n := int64(littleEndian(head))
	a.relabel(what + ": " + table.Plural(n, "byte"))
	a.part(n, what, f)
}
