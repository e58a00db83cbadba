package inspect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/thrift"
)

func encodingNames(list []thrift.Encoding) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = wirename.Encoding(e)
	}
	return names
}

// shortEncodings names the encodings of a chunk for tables: once each, and but
// for booleans without RLE and BIT_PACKED, which most lists have for the levels.
func shortEncodings(list []thrift.Encoding, t vector.Physical) string {
	var names []string
	for _, e := range list {
		name := wirename.Encoding(e)
		switch e {
		case thrift.EncodingPlainDictionary, thrift.EncodingRLEDictionary:
			name = "DICT"
		case thrift.EncodingRLE, thrift.EncodingBitPacked:
			if t != vector.Boolean {
				continue
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// offsetIf writes an offset behind a name, without the commas of table.Number: offsets are
// pasted into other tools.
func offsetIf(name string, known bool, n int64) string {
	if !known {
		return ""
	}
	return name + strconv.FormatInt(n, 10)
}

// ratioOf is table.Ratio, or nothing for an uncompressed chunk.
func ratioOf(c thrift.Codec, uncompressed, compressed int64) string {
	if c == thrift.CodecUncompressed {
		return ""
	}
	return table.Ratio(uncompressed, compressed)
}

// total is a sum of numbers that a file claims.
type total struct {
	n       int64
	unknown bool // one of them is not known, negative, or too large
}

func (t *total) add(n int64, known bool) {
	if t.unknown = t.unknown || !known || n < 0 || n > input.MaxRows-t.n; !t.unknown {
		t.n += n
	}
}

func (t *total) number() string { return table.NumberIf(!t.unknown, t.n) }

func (t *total) size() string {
	if t.unknown {
		return ""
	}
	return table.Size(t.n)
}
