package page

import (
	"encoding/binary"
	"math/bits"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Parts are views of a page's body, without any length prefix. Each has the
// body's capacity: it starts at byte cap(body)-cap(part), and what stands
// behind it, spare bytes included, may be read. A column has levels of a kind
// only if their maximum is above 0.
type Parts struct {
	Repetition []byte
	Definition []byte
	Values     []byte
}

// rleData is a kind of data to which the RLE encoding is put.
type rleData uint8

const (
	definitionLevels rleData = iota
	repetitionLevels
	dictionaryIndices
	booleanValues
)

// prefixed is the format's table of what RLE data begin with their length.
func prefixed(v2 bool, d rleData) bool {
	const Y, N = true, false
	v1Table := [...]bool{
		definitionLevels:  Y,
		repetitionLevels:  Y,
		dictionaryIndices: N,
		booleanValues:     Y,
	}
	v2Table := [...]bool{
		definitionLevels:  N,
		repetitionLevels:  N,
		dictionaryIndices: N,
		booleanValues:     Y,
	}
	if v2 {
		return v2Table[d]
	}
	return v1Table[d]
}

// Split cuts a page's plain body. t is the column's physical type, maxRep and
// maxDef are its maximum levels.
//
// The body may be cut short, as Unpack returns it when fewer bytes are wanted:
// Values then is as much as there is. Where that does not even hold the levels,
// the error is a *Need for bytes of the body.
func Split(h *thrift.PageHeader, t wire.Type, maxRep, maxDef int, body []byte) (Parts, error) {
	s := splitter{h: h, body: body}
	p := s.split(t, maxRep, maxDef)
	if s.need > 0 {
		return Parts{}, &Need{0, s.need}
	}
	if s.err != nil {
		return Parts{}, corrupt.Within(s.err, "page body", 0)
	}
	return p, nil
}

// splitter cuts a body from the front. The first fault stays.
type splitter struct {
	h    *thrift.PageHeader
	body []byte
	at   int64 // <= size of the body, and beyond len(body) only if need is set
	need int64 // bytes of the body that have to be there
	err  error
}

func (s *splitter) split(t wire.Type, maxRep, maxDef int) (p Parts) {
	h := s.h
	if int64(len(s.body)) > int64(h.UncompressedSize) {
		s.fail("body of ", len(s.body), " bytes, the header says ", h.UncompressedSize)
		return Parts{}
	}
	switch h.Type {
	case wire.PageType_DICTIONARY_PAGE:
		return Parts{Values: s.body}
	case wire.PageType_DATA_PAGE:
		if h.NumValues == 0 && h.UncompressedSize == 0 {
			return Parts{} // writers differ in whether they write empty levels
		}
		p.Repetition = s.levels("repetition levels", repetitionLevels, h.RepetitionEncoding, maxRep)
		p.Definition = s.levels("definition levels", definitionLevels, h.DefinitionEncoding, maxDef)
	case wire.PageType_DATA_PAGE_V2:
		if s.err = checkLevelLengths(h); s.err == nil {
			p.Repetition = s.take("repetition levels", int64(h.RepetitionLength), true)
			p.Definition = s.take("definition levels", int64(h.DefinitionLength), true)
		}
	default:
		s.err = corrupt.NotSupported("values of a page of type ", int64(h.Type))
	}
	p.Values = s.values(h.Type == wire.PageType_DATA_PAGE_V2, t)
	return p
}

// levels takes the levels of a v1 page.
func (s *splitter) levels(name string, d rleData, e wire.Encoding, most int) []byte {
	if most <= 0 || s.stopped() {
		return nil
	}
	switch e {
	case wire.Encoding_RLE:
		n := s.left()
		if prefixed(false, d) {
			n = s.length(name)
		}
		return s.take(name, n, true)
	case wire.Encoding_BIT_PACKED:
		width := int64(bits.Len64(uint64(most)))
		return s.take(name, (int64(s.h.NumValues)*width+7)/8, true)
	}
	s.err = corrupt.NotSupported(name, " in encoding ", int64(e))
	return nil
}

// values takes the rest.
func (s *splitter) values(v2 bool, t wire.Type) []byte {
	if s.stopped() {
		return nil
	}
	n := s.left()
	switch s.h.Encoding {
	case wire.Encoding_RLE:
		// Where all slots are null, writers differ in whether there is a length.
		if t == wire.Type_BOOLEAN && prefixed(v2, booleanValues) && n > 0 {
			n = s.length("booleans")
		}
	case wire.Encoding_RLE_DICTIONARY, wire.Encoding_PLAIN_DICTIONARY:
		if prefixed(v2, dictionaryIndices) && n > 0 {
			n = s.length("dictionary indices")
		}
	}
	return s.take("values", n, false)
}

// length takes a length prefix.
func (s *splitter) length(of string) int64 {
	if left := s.left(); left < 4 {
		s.fail("length of ", of, ", ", left, " bytes are left of the page")
	}
	b := s.take(of, 4, true)
	if len(b) < 4 {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(b))
}

// take takes n bytes. If whole, they must all be there; else the body's end,
// where it was cut short, may cut them short too.
func (s *splitter) take(part string, n int64, whole bool) []byte {
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
		if whole || from > have {
			s.need = to
			return nil
		}
		to = have
	}
	return s.body[from:to]
}

// left returns how many bytes of the page are not yet taken.
func (s *splitter) left() int64 { return int64(s.h.UncompressedSize) - s.at }

func (s *splitter) stopped() bool { return s.err != nil || s.need > 0 }

func (s *splitter) fail(parts ...any) {
	s.err = corrupt.At(int(s.at), parts...)
}
