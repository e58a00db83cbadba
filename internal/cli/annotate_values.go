package cli

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// pageShape is what one must know of a page to read its body.
type pageShape struct {
	kind           wire.PageType
	slots          int // values and nulls
	nulls          int // of v1 pages, set by the definition levels
	encoding       wire.Encoding
	repEncoding    wire.Encoding
	defEncoding    wire.Encoding
	repLen, defLen int64 // v2 only
	maxRep, maxDef int
	lsb            bool // BIT_PACKED levels start at the lowest bit

	physical wire.Type
	width    int                 // of a FIXED_LEN_BYTE_ARRAY
	show     func([]byte) string // a value from its plain bytes
}

func (s *pageShape) fixedWidth() int {
	switch s.physical {
	case wire.Type_INT32, wire.Type_FLOAT:
		return 4
	case wire.Type_INT64, wire.Type_DOUBLE:
		return 8
	case wire.Type_INT96:
		return 12
	case wire.Type_FIXED_LEN_BYTE_ARRAY:
		return s.width
	}
	return 0
}

// levelsV2 accounts for the levels before a v2 body, which are never compressed.
// They tell the nulls, for the header's count of them may be wrong.
func (a *annotator) levelsV2(s *pageShape) {
	one := func(what string, length int64, maxLevel int) (full int64) {
		if length != 0 || maxLevel != 0 { // some writers write levels that can only be 0
			a.part(length, what, func(in *annotator) { full = in.levels(what, maxLevel, s.slots) })
		}
		return full
	}
	one("repetition levels", s.repLen, s.maxRep)
	if full := one("definition levels", s.defLen, s.maxDef); s.maxDef > 0 {
		s.nulls = s.slots - int(full)
	}
}

// body accounts for a body that is not compressed (of v2: what follows the levels).
func (a *annotator) body(s *pageShape) {
	start := *a
	start.spans = slices.Clip(a.spans)
	left := a.bodyParts(s)
	if left > 0 && s.kind == wire.PageType_DATA_PAGE && (s.repEncoding == wire.Encoding_BIT_PACKED || s.defEncoding == wire.Encoding_BIT_PACKED) {
		// The writer's order does not make sense of every byte: the other one may.
		s.lsb = !s.lsb
		if again := start; again.bodyParts(s) == 0 {
			*a = again
		}
	}
}

// bodyParts returns the number of bytes it could not make sense of.
func (a *annotator) bodyParts(s *pageShape) (unknown int) {
	switch s.kind {
	case wire.PageType_DATA_PAGE:
		if s.maxRep > 0 {
			a.levelsV1("repetition levels", s.repEncoding, s.maxRep, s.slots, s.lsb)
		}
		if s.maxDef > 0 {
			s.nulls = s.slots - int(a.levelsV1("definition levels", s.defEncoding, s.maxDef, s.slots, s.lsb))
		}
		a.values(s)
	case wire.PageType_DATA_PAGE_V2:
		a.values(s)
	case wire.PageType_DICTIONARY_PAGE:
		if s.encoding == wire.Encoding_PLAIN_DICTIONARY {
			s.encoding = wire.Encoding_PLAIN // what it means on a dictionary page
		}
		a.values(s)
	default:
		a.finish("body of a page of type " + pageKind(s.kind) + ", which no reader needs")
	}
	unknown = a.left()
	a.finish("unknown: left over")
	return unknown
}

// levelsV1 accounts for levels as they stand in a v1 body: RLE behind a
// length, BIT_PACKED without one.
func (a *annotator) levelsV1(what string, encoding wire.Encoding, maxLevel, n int, lsb bool) (full int64) {
	switch encoding {
	case wire.Encoding_RLE:
		a.prefixed(what, func(in *annotator) { full = in.levels(what, maxLevel, n) })
	case wire.Encoding_BIT_PACKED:
		full = a.bitPacked(what, maxLevel, n, lsb)
	default:
		a.fail(what + " in " + encodingName(encoding))
	}
	return full
}

// prefixed accounts for a 4-byte length and as many bytes.
func (a *annotator) prefixed(what string, f func(in *annotator)) {
	head, ok := a.take(4, what+": length")
	if !ok {
		return
	}
	n := int64(littleEndian(head))
	a.spans[len(a.spans)-1].what = what + ": " + table.Plural(n, "byte")
	a.part(n, what, f)
}

// values accounts for the value part.
//
//every:encoding dump but BIT_PACKED ALP (levels only; not taken apart yet)
func (a *annotator) values(s *pageShape) {
	if a.fault != "" || a.left() == 0 {
		return
	}
	n := max(0, s.slots-s.nulls)
	switch s.encoding {
	case wire.Encoding_PLAIN:
		a.plainValues(s, n)
	case wire.Encoding_PLAIN_DICTIONARY, wire.Encoding_RLE_DICTIONARY:
		head, ok := a.take(1, "bit width of the indices:")
		if !ok {
			return
		}
		a.spans[len(a.spans)-1].what += " " + strconv.Itoa(int(head[0]))
		if head[0] > 32 {
			a.fail("an index of " + strconv.Itoa(int(head[0])) + " bits")
			return
		}
		a.someRuns("indices", int(head[0]), n)
	case wire.Encoding_RLE:
		a.prefixed("booleans", func(in *annotator) { in.someRuns("booleans", 1, n) })
	case wire.Encoding_DELTA_BINARY_PACKED:
		a.delta("values", n, s.showInt)
	case wire.Encoding_DELTA_LENGTH_BYTE_ARRAY:
		if lengths, ok := a.delta("lengths", n, decimal); ok {
			a.strings(lengths, nil, s)
		}
	case wire.Encoding_DELTA_BYTE_ARRAY:
		prefixes, ok := a.delta("prefix lengths", n, decimal)
		if !ok {
			return
		}
		if suffixes, ok := a.delta("suffix lengths", n, decimal); ok {
			a.strings(suffixes, prefixes, s)
		}
	case wire.Encoding_BYTE_STREAM_SPLIT:
		width := s.fixedWidth()
		if width == 0 || a.left()%width != 0 {
			a.fail(strconv.Itoa(a.left()) + " bytes in streams of " + strconv.Itoa(width))
			return
		}
		stream := int64(a.left() / width)
		for k := range width {
			a.take(stream, "byte "+strconv.Itoa(k)+" of "+table.Plural(stream, "value"))
		}
	default:
		a.finish("values in " + encodingName(s.encoding) + ", not taken apart")
	}
}

// someRuns accounts for runs of at most n numbers: a page with nulls has
// fewer, so running out of bytes between two runs is no fault.
func (a *annotator) someRuns(what string, width, n int) {
	if width == 0 && a.left() == 0 {
		return
	}
	for done := 0; done < n && a.left() > 0 && a.fault == ""; {
		head, _ := readUvarint(a.data[a.at:])
		count := head >> 1
		if head&1 == 1 {
			count *= 8
			// A last group that was cut short holds only what its bytes hold.
			if _, length := readUvarint(a.data[a.at:]); length > 0 && width > 0 {
				count = min(count, uint64((a.left()-length)*8/width))
			}
		}
		if count == 0 {
			count = 1 // let runs say what is wrong
		}
		count = min(count, uint64(n-done))
		a.runs(what, width, int(count), 0)
		done += int(count)
	}
}

func (a *annotator) plainValues(s *pageShape, n int) {
	name := func(i int) string { return "value " + strconv.Itoa(i) }
	if s.kind == wire.PageType_DICTIONARY_PAGE {
		name = func(i int) string { return "entry " + strconv.Itoa(i) }
	}
	switch width := s.fixedWidth(); {
	case s.physical == wire.Type_BOOLEAN:
		for at := 0; at < n && a.left() > 0; at += 64 {
			from := a.at
			body, _ := a.take(int64(min(a.left(), 8, (n-at+7)/8)), "")
			last := min(n, at+64, at+8*len(body)) - 1
			a.spans[len(a.spans)-1] = span{from, a.at, a.depth, "values " + strconv.Itoa(at) + " to " + strconv.Itoa(last) + ": " +
				few(last-at+1, func(i int) string { return strconv.FormatUint(packed(body, i, 1), 10) })}
		}
	case width > 0:
		for i := 0; i < n && a.left() > 0; i++ {
			body, ok := a.take(int64(width), name(i))
			if !ok {
				return
			}
			a.spans[len(a.spans)-1].what += " = " + s.show(body)
		}
	case s.physical == wire.Type_BYTE_ARRAY:
		for i := 0; i < n && a.left() > 0; i++ {
			head, ok := a.take(4, name(i)+": length")
			if !ok {
				return
			}
			size := int64(littleEndian(head))
			a.spans[len(a.spans)-1].what = name(i) + ": " + table.Plural(size, "byte")
			body, ok := a.take(size, name(i))
			if !ok {
				return
			}
			if size > 0 {
				a.spans[len(a.spans)-1].what += " = " + s.show(body)
			}
		}
	}
}

// strings accounts for the bytes of strings (or, with prefixes, of what is
// behind the part that each shares with the one before).
func (a *annotator) strings(lengths, prefixes []int64, s *pageShape) {
	if prefixes != nil && len(prefixes) != len(lengths) {
		a.fail(strconv.Itoa(len(prefixes)) + " prefixes, " + strconv.Itoa(len(lengths)) + " suffixes")
		return
	}
	var last []byte
	for i, n := range lengths {
		name := "value " + strconv.Itoa(i)
		shared := int64(0)
		if prefixes != nil {
			shared = prefixes[i]
		}
		if shared < 0 || shared > int64(len(last)) {
			a.fail(name + ": a prefix of " + strconv.FormatInt(shared, 10) + " of " + strconv.Itoa(len(last)))
			return
		}
		body, ok := a.take(n, name)
		if !ok {
			return
		}
		if prefixes == nil {
			last = body
		} else {
			last = append(last[:shared], body...)
		}
		if n > 0 {
			a.spans[len(a.spans)-1].what += " = " + s.show(last)
		}
	}
}

func (s *pageShape) showInt(v int64) string {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	return s.show(b[:max(4, min(8, s.fixedWidth()))])
}

func decimal(v int64) string { return strconv.FormatInt(v, 10) }
