package wirename

import (
	"cmp"
	"strconv"

	"github.com/winnow-scan/winnow/thrift"
)

// Encoding names an encoding.
func Encoding(e thrift.Encoding) string { return orNumber(e.String(), "encoding ") }

// Codec names a compression codec.
func Codec(c thrift.Codec) string { return orNumber(c.String(), "codec ") }

// BoundaryOrder names the order of a column index.
func BoundaryOrder(o thrift.BoundaryOrder) string { return orNumber(o.String(), "order ") }

var pageTypes = map[thrift.PageType]string{
	thrift.DataPage: "data", thrift.DataPageV2: "data v2", thrift.DictionaryPage: "dictionary", thrift.IndexPage: "index",
}

// PageType names a type of pages, in fewer words than the format.
func PageType(t thrift.PageType) string {
	return cmp.Or(pageTypes[t], "type "+strconv.Itoa(int(t)))
}

// orNumber returns name, with what in front of it where it is only a number.
func orNumber(name, what string) string {
	if Known(name) {
		return name
	}
	return what + name
}

// Known reports whether the text of an enumeration of package thrift is a name. Of a number
// that the format does not know it is the number.
func Known(text string) bool { return text[0] > '9' } // neither a digit nor a minus
