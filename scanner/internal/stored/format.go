package stored

import (
	"cmp"
	"fmt"
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

// simple are the types whose number in the union Type says all, in the words of Arrow's C data interface.
var simple = map[int32]string{
	1: "n", 4: "z", 5: "u", 6: "b", 12: "+l", 13: "+s", 14: "+u", 17: "+m", 19: "Z", 20: "U", 21: "+L", 22: "+r", 23: "vz", 24: "vu",
	25: "+vl", 26: "+vL",
}

// formatOf returns the type with a number in the union, whose table is t.
func formatOf(kind int32, t table) string {
	const units = "smun"
	switch kind {
	case 2:
		return integer(t.number(0, 4, 0), t.number(1, 1, 0) != 0)
	case 3:
		return one("efg", t.number(0, 2, 0))
	case 7:
		s := fmt.Sprintf("d:%d,%d,%d", t.number(0, 4, 0), t.number(1, 4, 0), t.number(2, 4, 128))
		return strings.TrimSuffix(s, ",128")
	case 8:
		return "td" + one("Dm", t.number(0, 2, 1))
	case 9:
		return "tt" + one(units, t.number(0, 2, 1))
	case 10:
		return "ts" + one(units, t.number(0, 2, 0)) + ":" + t.text(1)
	case 11:
		return "ti" + one("MDn", t.number(0, 2, 0))
	case 15:
		return fmt.Sprint("w:", t.number(0, 4, 0))
	case 16:
		return fmt.Sprint("+w:", t.number(0, 4, 0))
	case 18:
		return "tD" + one(units, t.number(0, 2, 1))
	}
	return cmp.Or(simple[kind], "?")
}

// one returns one of the letters, "?" for a number that has none.
func one(letters string, i int32) string {
	if i < 0 || int(i) >= len(letters) {
		return "?"
	}
	return letters[i : i+1]
}

func integer(bits int32, signed bool) string {
	letter := map[int32]string{8: "c", 16: "s", 32: "i", 64: "l"}[bits]
	if !signed {
		letter = strings.ToUpper(letter)
	}
	return cmp.Or(letter, "?")
}

// describe returns what field f says of itself.
func describe(f table) vector.Stored {
	t := f.table(fieldType)
	s := vector.Stored{Name: f.text(fieldName), Format: formatOf(f.number(fieldTypeKind, 1, 0), t)}
	s.MetadataKeys, s.MetadataValues = f.metadata(fieldMetadata)
	s.Ordered = s.Format == "+m" && t.number(0, 1, 0) != 0
	if d := f.table(fieldDictionary); d.at != 0 {
		s.Indices, s.Ordered = "i", d.number(dictionaryOrdered, 1, 0) != 0
		if index := d.table(dictionaryIndex); index.at != 0 {
			s.Indices = integer(index.number(0, 4, 0), index.number(1, 1, 0) != 0)
		}
	}
	return s
}
