package stored

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// Slots of the tables that are read.
const (
	messageHeaderType = 1
	messageHeader     = 2
	schemaHeader      = 1 // the type of header that is a Schema

	schemaFields   = 1
	schemaMetadata = 2

	fieldName       = 0
	fieldTypeKind   = 2
	fieldType       = 3
	fieldDictionary = 4
	fieldChildren   = 5
	fieldMetadata   = 6

	dictionaryIndex   = 1
	dictionaryOrdered = 2
)

// formats are the types by their number in the union Type, in the words of Arrow's C data interface. The functions
// add what the table of a type says.
var formats = [...]struct {
	format string
	more   func(t table) string
}{
	1:  {"n", nil},
	2:  {"", func(t table) string { return integer(t.number(0, 4, 0), t.number(1, 1, 0) != 0) }},
	3:  {"", func(t table) string { return one("efg", t.number(0, 2, 0)) }},
	4:  {"z", nil},
	5:  {"u", nil},
	6:  {"b", nil},
	7:  {"d:", decimal},
	8:  {"td", func(t table) string { return one("Dm", t.number(0, 2, 1)) }},
	9:  {"tt", func(t table) string { return one("smun", t.number(0, 2, 1)) }},
	10: {"ts", func(t table) string { return one("smun", t.number(0, 2, 0)) + ":" + t.text(1) }},
	11: {"ti", func(t table) string { return one("MDn", t.number(0, 2, 0)) }},
	12: {"+l", nil},
	13: {"+s", nil},
	14: {"+u", nil},
	15: {"w:", func(t table) string { return strconv.Itoa(int(t.number(0, 4, 0))) }},
	16: {"+w:", func(t table) string { return strconv.Itoa(int(t.number(0, 4, 0))) }},
	17: {"+m", nil},
	18: {"tD", func(t table) string { return one("smun", t.number(0, 2, 1)) }},
	19: {"Z", nil},
	20: {"U", nil},
	21: {"+L", nil},
	22: {"+r", nil},
	23: {"vz", nil},
	24: {"vu", nil},
	25: {"+vl", nil},
	26: {"+vL", nil},
}

// one returns one of the letters, "?" for a number that has none.
func one(letters string, i int32) string {
	if i < 0 || int(i) >= len(letters) {
		return "?"
	}
	return letters[i : i+1]
}

func integer(bits int32, signed bool) string {
	letters := "CSIL"
	if signed {
		letters = "csil"
	}
	i := strings.Index("8   16  32  64  ", strconv.Itoa(int(bits))+" ")
	return one(letters, int32(max(i, -1)+3)/4)
}

func decimal(t table) string {
	s := strconv.Itoa(int(t.number(0, 4, 0))) + "," + strconv.Itoa(int(t.number(1, 4, 0)))
	if bits := t.number(2, 4, 128); bits != 128 {
		s += "," + strconv.Itoa(int(bits))
	}
	return s
}

// describe returns what field f says of itself.
func describe(f table) vector.Stored {
	s := vector.Stored{Name: f.text(fieldName), Format: "?"}
	s.MetadataKeys, s.MetadataValues = f.metadata(fieldMetadata)
	t := f.table(fieldType)
	if kind := f.number(fieldTypeKind, 1, 0); kind > 0 && int(kind) < len(formats) {
		s.Format = formats[kind].format
		if more := formats[kind].more; more != nil {
			s.Format += more(t)
		}
		s.Ordered = s.Format == "+m" && t.number(0, 1, 0) != 0
	}
	if d := f.table(fieldDictionary); d.at != 0 {
		s.Indices, s.Ordered = "i", d.number(dictionaryOrdered, 1, 0) != 0
		if index := d.table(dictionaryIndex); index.at != 0 {
			s.Indices = integer(index.number(0, 4, 0), index.number(1, 1, 0) != 0)
		}
	}
	return s
}
