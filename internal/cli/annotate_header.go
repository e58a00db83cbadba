package cli

import (
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// thriftStruct names the fields of a struct of the metadata.
type thriftStruct map[int16]thriftField

type thriftField struct {
	name   string
	note   func(int64) string // what a number means
	bound  bool               // a value of the column
	fields thriftStruct
}

var (
	statisticsFields = thriftStruct{
		1: {name: "max", bound: true}, 2: {name: "min", bound: true}, 3: {name: "null_count"}, 4: {name: "distinct_count"},
		5: {name: "max_value", bound: true}, 6: {name: "min_value", bound: true}, 7: {name: "is_max_value_exact"},
		8: {name: "is_min_value_exact"}, 9: {name: "nan_count"},
	}
	pageHeaderFields = thriftStruct{
		1: {name: "type", note: func(v int64) string { return nameOr(wire.PageType(v).String(), "unknown") }},
		2: {name: "uncompressed_page_size"}, 3: {name: "compressed_page_size"}, 4: {name: "crc", note: func(v int64) string { return "0x" + strconv.FormatUint(uint64(uint32(v)), 16) }},
		5: {name: "data_page_header", fields: thriftStruct{
			1: {name: "num_values"}, 2: {name: "encoding", note: encodingOf},
			3: {name: "definition_level_encoding", note: encodingOf},
			4: {name: "repetition_level_encoding", note: encodingOf},
			5: {name: "statistics", fields: statisticsFields},
		}},
		6: {name: "index_page_header", fields: thriftStruct{}},
		7: {name: "dictionary_page_header", fields: thriftStruct{
			1: {name: "num_values"}, 2: {name: "encoding", note: encodingOf}, 3: {name: "is_sorted"},
		}},
		8: {name: "data_page_header_v2", fields: thriftStruct{
			1: {name: "num_values"}, 2: {name: "num_nulls"}, 3: {name: "num_rows"},
			4: {name: "encoding", note: encodingOf}, 5: {name: "definition_levels_byte_length"},
			6: {name: "repetition_levels_byte_length"}, 7: {name: "is_compressed"},
			8: {name: "statistics", fields: statisticsFields},
		}},
	}
)

func encodingOf(v int64) string { return nameOr(wire.Encoding(v).String(), "unknown") }

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

// thrift accounts for one struct in the compact protocol, field by field:
//
//	15        id delta 1, type 5: field 1 is an i32
//	04        zigzag(4) = 2
//	...
//	00        stop
func (a *annotator) thrift(fields thriftStruct, name string) bool {
	if a.depth > maxThriftDepth {
		return a.fail(name + ": nested too deep")
	}
	id := int16(0)
	for a.fault == "" {
		from := a.at
		if a.left() == 0 {
			return a.fail(name + ": not ended")
		}
		head := a.data[a.at]
		a.at++
		if head == compactStop {
			a.note(from, "end of "+name)
			return true
		}
		if delta := int16(head >> 4); delta != 0 {
			id += delta
		} else {
			v, n := readUvarint(a.data[a.at:])
			if n == 0 {
				a.at = from
				return a.fail(name + ": a field id that does not end")
			}
			a.at += n
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

// thriftValue accounts for a value of which the bytes since from announce the type.
func (a *annotator) thriftValue(from int, kind byte, f thriftField) bool {
	undo := func(why string) bool { a.at = from; return a.fail(f.name + ": " + why) }
	number := func() (int64, bool) {
		v, n := readUvarint(a.data[a.at:])
		a.at += n
		return unzigzag(v), n > 0
	}
	switch kind {
	case compactTrue, compactFalse:
		a.note(from, f.name+" = "+strconv.FormatBool(kind == compactTrue))
	case compactI8:
		if a.left() == 0 {
			return undo("cut short")
		}
		a.at++
		a.note(from, f.name+" = "+strconv.Itoa(int(int8(a.data[a.at-1]))))
	case compactI16, compactI32, compactI64:
		v, ok := number()
		if !ok {
			return undo("a number that does not end")
		}
		text := strconv.FormatInt(v, 10)
		if f.note != nil {
			text = f.note(v) + " (" + text + ")"
		}
		a.note(from, f.name+" = "+text)
	case compactDouble:
		if a.left() < 8 {
			return undo("cut short")
		}
		a.at += 8
		a.note(from, f.name+" = "+strconv.FormatFloat(math.Float64frombits(littleEndian(a.data[a.at-8:a.at])), 'g', -1, 64))
	case compactBinary:
		n, size := readUvarint(a.data[a.at:])
		if size == 0 || n > uint64(a.left()-size) {
			return undo("longer than what is left")
		}
		a.at += size
		a.note(from, f.name+": "+table.Plural(int64(n), "byte"))
		from = a.at
		a.at += int(n)
		text := quoteBytes
		if f.bound && a.show != nil {
			text = a.show
		}
		a.note(from, f.name+" = "+text(a.data[from:a.at]))
	case compactUUID:
		if a.left() < 16 {
			return undo("cut short")
		}
		a.at += 16
		a.note(from, f.name)
	case compactList, compactSet:
		if a.left() == 0 {
			return undo("cut short")
		}
		head := a.data[a.at]
		a.at++
		n := uint64(head >> 4)
		if n == 15 {
			var size int
			if n, size = readUvarint(a.data[a.at:]); size == 0 {
				return undo("a length that does not end")
			}
			a.at += size
		}
		a.note(from, f.name+": list of "+strconv.FormatUint(n, 10))
		return a.thriftItems(n, head&15, f)
	case compactStruct:
		a.note(from, f.name)
		a.depth++
		ok := a.thrift(f.fields, f.name)
		a.depth--
		return ok
	default: // maps do not occur in the format
		return undo("type " + strconv.Itoa(int(kind)) + " of the compact protocol")
	}
	return true
}

func (a *annotator) thriftItems(n uint64, kind byte, f thriftField) bool {
	a.depth++
	defer func() { a.depth-- }()
	if a.depth > maxThriftDepth {
		return a.fail(f.name + ": nested too deep")
	}
	for i := range n {
		item := thriftField{name: f.name + "[" + strconv.FormatUint(i, 10) + "]", note: f.note, bound: f.bound, fields: f.fields}
		from := a.at
		if a.left() == 0 {
			return a.fail(f.name + ": cut short")
		}
		if kind == compactTrue || kind == compactFalse { // in a list a boolean is a byte
			a.at++
			a.note(from, item.name+" = "+strconv.FormatBool(a.data[from] == compactTrue))
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

func littleEndian(b []byte) uint64 {
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}
