package wirename

import (
	"strconv"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// Encoding names an encoding.
func Encoding(e wire.Encoding) string { return orNumber(e.String(), "encoding ", int(e)) }

// Codec names a compression codec.
func Codec(c wire.CompressionCodec) string { return orNumber(c.String(), "codec ", int(c)) }

// BoundaryOrder names the order of a column index.
func BoundaryOrder(o wire.BoundaryOrder) string { return orNumber(o.String(), "order ", int(o)) }

// PageType names a type of pages, in fewer words than the format.
func PageType(t wire.PageType) string {
	switch t {
	case wire.PageType_DATA_PAGE:
		return "data"
	case wire.PageType_DATA_PAGE_V2:
		return "data v2"
	case wire.PageType_DICTIONARY_PAGE:
		return "dictionary"
	case wire.PageType_INDEX_PAGE:
		return "index"
	}
	return "type " + strconv.Itoa(int(t))
}

// orNumber is Or with a number, which becomes a text only where it is shown.
func orNumber(name, what string, n int) string {
	if Or(name, "") == "" {
		return what + strconv.Itoa(n)
	}
	return name
}

// Or returns name, which generated code gave a number, or other where the
// format does not know the number.
func Or(name, other string) string {
	if name == "" || name == "<UNSET>" {
		return other
	}
	return name
}
