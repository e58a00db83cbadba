package annotate

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/thrift"
)

// fieldSet names the fields of a struct in the compact protocol.
type fieldSet map[int16]field

type field struct {
	name   string
	show   func(int64) string // a number, in words; nil: as a number
	bound  bool               // its bytes are a value of the column
	fields fieldSet           // of a struct
}

var (
	statisticsFields = fieldSet{
		1: {name: "max", bound: true}, 2: {name: "min", bound: true}, 3: {name: "null_count"}, 4: {name: "distinct_count"},
		5: {name: "max_value", bound: true}, 6: {name: "min_value", bound: true}, 7: {name: "is_max_value_exact"},
		8: {name: "is_min_value_exact"}, 9: {name: "nan_count"},
	}
	pageHeaderFields = fieldSet{
		1: {name: "type", show: nameOf[thrift.PageType]},
		2: {name: "uncompressed_page_size"}, 3: {name: "compressed_page_size"}, 4: {name: "crc", show: func(v int64) string { return "0x" + strconv.FormatUint(uint64(uint32(v)), 16) }},
		5: {name: "data_page_header", fields: fieldSet{
			1: {name: "num_values"}, 2: {name: "encoding", show: nameOf[thrift.Encoding]},
			3: {name: "definition_level_encoding", show: nameOf[thrift.Encoding]},
			4: {name: "repetition_level_encoding", show: nameOf[thrift.Encoding]},
			5: {name: "statistics", fields: statisticsFields},
		}},
		6: {name: "index_page_header", fields: fieldSet{}},
		7: {name: "dictionary_page_header", fields: fieldSet{
			1: {name: "num_values"}, 2: {name: "encoding", show: nameOf[thrift.Encoding]}, 3: {name: "is_sorted"},
		}},
		8: {name: "data_page_header_v2", fields: fieldSet{
			1: {name: "num_values"}, 2: {name: "num_nulls"}, 3: {name: "num_rows"},
			4: {name: "encoding", show: nameOf[thrift.Encoding]}, 5: {name: "definition_levels_byte_length"},
			6: {name: "repetition_levels_byte_length"}, 7: {name: "is_compressed"},
			8: {name: "statistics", fields: statisticsFields},
		}},
	}
)

// nameOf names a number of an enumeration.
func nameOf[E interface {
	~int32
	String() string
}](v int64) string {
	if e := E(v); int64(e) == v && wirename.Known(e.String()) {
		return e.String()
	}
	return "unknown"
}

// Types of the compact protocol, the low half of a field's first byte.
const (
	compactStop = iota
	compactTrue
	compactFalse
	compactI8
	compactI16
	compactI32
	compactI64
	compactDouble
	compactBinary
	compactList
	compactSet
	compactMap
	compactStruct
	compactUUID
)

// maxThriftDepth ends the walk of a header that nests without end.
const maxThriftDepth = 16

// thriftStruct labels one struct in the compact protocol, field by field:
//
//	15        id delta 1, type 5: field 1 is an i32
//	04        zigzag(4) = 2
//	...
//	00        stop
func (a *annotator) thriftStruct(fields fieldSet, name string) bool {
	if a.depth > maxThriftDepth {
		return a.fail(name + ": nested too deep")
	}
	id := int16(0)
	for a.fault == "" {
		from := a.pos
		if a.remaining() == 0 {
			return a.fail(name + ": not ended")
		}
		head := a.data[a.pos]
		a.pos++
		if head == compactStop {
			a.label(from, "end of "+name)
			return true
		}
		if delta := int16(head >> 4); delta != 0 {
			id += delta
		} else {
			v, n := binary.Uvarint(a.data[a.pos:])
			if n <= 0 {
				a.pos = from
				return a.fail(name + ": a field id that does not end")
			}
			a.pos += n
			id = int16(unzigzag(v))
		}
		f, ok := fields[id]
		if !ok {
			f.name = "unknown field " + strconv.Itoa(int(id))
		}
		if !a.thriftValue(from, head&15, f) {
			return false
		}
	}
	return false
}

// thriftValue labels a field: the bytes since from, which announce its type, and
// its value.
func (a *annotator) thriftValue(from int, kind byte, f field) bool {
	fail := func(why string) bool { return a.failAt(from, f.name+": "+why) }
	number := func() (int64, bool) {
		v, n := binary.Uvarint(a.data[a.pos:])
		a.pos += n
		return unzigzag(v), n > 0
	}
	switch kind {
	case compactTrue, compactFalse:
		a.label(from, f.name+" = "+strconv.FormatBool(kind == compactTrue))
	case compactI8:
		if a.remaining() == 0 {
			return fail("cut short")
		}
		a.pos++
		a.label(from, f.name+" = "+strconv.Itoa(int(int8(a.data[a.pos-1]))))
	case compactI16, compactI32, compactI64:
		v, ok := number()
		if !ok {
			return fail("a number that does not end")
		}
		text := strconv.FormatInt(v, 10)
		if f.show != nil {
			text = f.show(v) + " (" + text + ")"
		}
		a.label(from, f.name+" = "+text)
	case compactDouble:
		if a.remaining() < 8 {
			return fail("cut short")
		}
		a.pos += 8
		a.label(from, f.name+" = "+strconv.FormatFloat(math.Float64frombits(littleEndian(a.data[a.pos-8:a.pos])), 'g', -1, 64))
	case compactBinary:
		n, size := binary.Uvarint(a.data[a.pos:])
		if size <= 0 || n > uint64(a.remaining()-size) {
			return fail("longer than what is left")
		}
		a.pos += size
		a.label(from, f.name+": "+table.Plural(int64(n), "byte"))
		from = a.pos
		a.pos += int(n)
		text := quoteBytes
		if f.bound && a.showBound != nil {
			text = a.showBound
		}
		a.label(from, f.name+" = "+text(a.data[from:a.pos]))
	case compactUUID:
		if a.remaining() < 16 {
			return fail("cut short")
		}
		a.pos += 16
		a.label(from, f.name)
	case compactList, compactSet:
		return a.thriftList(from, f)
	case compactStruct:
		a.label(from, f.name)
		a.depth++
		ok := a.thriftStruct(f.fields, f.name)
		a.depth--
		return ok
	default: // maps do not occur in the format
		return fail("type " + strconv.Itoa(int(kind)) + " of the compact protocol")
	}
	return true
}

// thriftList labels a list, whose field the bytes since from announce.
func (a *annotator) thriftList(from int, f field) bool {
	if a.remaining() == 0 {
		return a.failAt(from, f.name+": cut short")
	}
	head := a.data[a.pos]
	a.pos++
	n := uint64(head >> 4)
	if n == 15 {
		var size int
		if n, size = binary.Uvarint(a.data[a.pos:]); size <= 0 {
			return a.failAt(from, f.name+": a length that does not end")
		}
		a.pos += size
	}
	a.label(from, f.name+": list of "+strconv.FormatUint(n, 10))
	return a.thriftItems(n, head&15, f)
}

// failAt stops the walk at an earlier position.
func (a *annotator) failAt(from int, why string) bool {
	a.pos = from
	return a.fail(why)
}

func (a *annotator) thriftItems(n uint64, kind byte, f field) bool {
	a.depth++
	defer func() { a.depth-- }()
	if a.depth > maxThriftDepth {
		return a.fail(f.name + ": nested too deep")
	}
	for i := range n {
		item := field{name: f.name + "[" + strconv.FormatUint(i, 10) + "]", show: f.show, bound: f.bound, fields: f.fields}
		from := a.pos
		if a.remaining() == 0 {
			return a.fail(f.name + ": cut short")
		}
		if kind == compactTrue || kind == compactFalse { // in a list a boolean is a byte
			a.pos++
			a.label(from, item.name+" = "+strconv.FormatBool(a.data[from] == compactTrue))
		} else if !a.thriftValue(from, kind, item) {
			return false
		}
	}
	return true
}

// quoteBytes shows bytes as text where they are text, else in hex.
func quoteBytes(b []byte) string {
	const most = 40
	more := ""
	if len(b) > most {
		b, more = b[:most], "…"
	}
	for _, c := range b {
		if c < ' ' || c > '~' {
			return table.Hex0x(b, len(b)) + more
		}
	}
	return strconv.Quote(string(b)) + more
}
