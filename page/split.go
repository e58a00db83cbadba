package page

import (
	"encoding/binary"
	"math/bits"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// BodyParts are views of a page's body, without length prefixes. Each view's capacity
// extends to the end of the body's: it starts at byte cap(body)-cap(part), and the
// bytes after it, spare ones included, may be read. Levels are nil if their
// maximum is 0.
type BodyParts struct {
	Repetition []byte
	Definition []byte
	Values     []byte
}

// Split cuts a page's plain body. t is the column's physical type, maxRep and
// maxDef are its maximum levels.
//
// The body may be only the front of the page, as Unpack returns it for a smaller
// need: Values is then as much as there is. If the body does not hold the levels, Split
// returns the bytes of the body that it needs. An error is a *corrupt.Error.
// Safe for concurrent use.
func Split(h *thrift.PageHeader, t thrift.Type, maxRep, maxDef int, body []byte) (BodyParts, Need, error) {
	s := splitter{h: h, body: body}
	p := s.split(t, maxRep, maxDef)
	if s.need > 0 {
		return BodyParts{}, Need{0, s.need}, nil
	}
	if s.err != nil {
		return BodyParts{}, Need{}, corrupt.Within(s.err, "page body", 0)
	}
	return p, Need{}, nil
}

// splitter cuts parts off the front of a body. After the first error or need, it
// cuts nothing any more.
type splitter struct {
	h    *thrift.PageHeader
	body []byte
	at   int64 // the next byte: at most UncompressedSize, and beyond len(body) only if need is set
	need int64 // length of the front of the body that is needed; 0 if it is long enough
	err  error
}

func (s *splitter) split(t thrift.Type, maxRep, maxDef int) (p BodyParts) {
	h := s.h
	if int64(len(s.body)) > int64(h.UncompressedSize) {
		s.fail("body of ", len(s.body), " bytes, the header says ", h.UncompressedSize)
		return BodyParts{}
	}
	switch h.Type {
	case thrift.DictionaryPage:
		return BodyParts{Values: s.body}
	case thrift.DataPage:
		if h.NumValues == 0 && h.UncompressedSize == 0 {
			return BodyParts{} // writers differ in whether they write empty levels
		}
		p.Repetition = s.levels("repetition levels", h.RepetitionEncoding, maxRep)
		p.Definition = s.levels("definition levels", h.DefinitionEncoding, maxDef)
	case thrift.DataPageV2:
		if s.err = checkLevelLengths(h, 0); s.err == nil {
			p.Repetition = s.cut("repetition levels", int64(h.RepetitionLength), true)
			p.Definition = s.cut("definition levels", int64(h.DefinitionLength), true)
		}
	default:
		s.err = corrupt.NotSupported("values of a page of type ", int64(h.Type))
	}
	p.Values = s.values(t)
	return p
}

// levels cuts off the levels of a v1 page.
func (s *splitter) levels(name string, e thrift.Encoding, maxLevel int) []byte {
	if maxLevel <= 0 || s.stopped() {
		return nil
	}
	switch e {
	case thrift.EncodingRLE:
		return s.cut(name, s.length(name), true)
	case thrift.EncodingBitPacked:
		width := int64(bits.Len64(uint64(maxLevel)))
		return s.cut(name, (int64(s.h.NumValues)*width+7)/8, true)
	}
	s.err = corrupt.NotSupported(name, " in encoding ", int64(e))
	return nil
}

// values cuts off the values, which are the rest of the body.
func (s *splitter) values(t thrift.Type) []byte {
	if s.stopped() {
		return nil
	}
	n := s.left()
	// Where all slots are null, writers differ in whether there is a length.
	if s.h.Encoding == thrift.EncodingRLE && t == thrift.TypeBoolean && n > 0 {
		n = s.length("booleans")
	}
	return s.cut("values", n, false)
}

// length cuts off a length prefix and returns the length. The package comment has the table of
// the parts that begin with one.
func (s *splitter) length(of string) int64 {
	if left := s.left(); left < 4 {
		s.fail("length of ", of, ", ", left, " bytes are left of the page")
	}
	b := s.cut(of, 4, true)
	if len(b) < 4 {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(b))
}

// cut returns the next n bytes of the page. If the body ends before them: with
// complete, cut sets need; without, it returns those that are there.
func (s *splitter) cut(part string, n int64, complete bool) []byte {
	if s.stopped() {
		return nil
	}
	if left := s.left(); n > left {
		s.fail(part, " of ", n, " bytes, ", left, " are left of the page")
		return nil
	}
	from, to := s.at, s.at+n
	s.at = to
	if have := int64(len(s.body)); to > have {
		if complete || from > have {
			s.need = to
			return nil
		}
		to = have
	}
	return s.body[from:to]
}

// left returns how many bytes of the page are not yet cut off.
func (s *splitter) left() int64 { return int64(s.h.UncompressedSize) - s.at }

func (s *splitter) stopped() bool { return s.err != nil || s.need > 0 }

func (s *splitter) fail(parts ...any) {
	s.err = corrupt.At(int(s.at), parts...)
}
