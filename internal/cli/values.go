package cli

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
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

// valuer shows values of one type, from their bytes in PLAIN without length prefix.
// Bytes that are no value of the type, which a file may have, are shown in hex.
type valuer struct {
	t          vector.Type
	text, json vector.Formatter
}

func newValuer(t vector.Type) *valuer { return &valuer{t, t.Text(), t.JSON()} }

// appendText writes a value for people, as a table of rows does.
func (v *valuer) appendText(dst, plain []byte) []byte {
	if shown, ok := table.AppendPlain(dst, v.t, plain, true); ok {
		return shown
	}
	text, err := v.text.Append(dst, plain)
	if err != nil {
		return append(dst, "not a value: "+table.Hex0x(plain, 16)...)
	}
	return text
}

func (v *valuer) appendJSON(dst, plain []byte) json.RawMessage {
	js, err := v.json.Append(dst, plain)
	if err != nil {
		return strconv.AppendQuote(dst, table.Hex0x(plain, math.MaxInt))
	}
	return js
}

// optional returns a pointer for a JSON field that is left out if not known.
func optional[T any](known bool, v T) *T {
	if !known {
		return nil
	}
	return &v
}

// offsetIf writes an offset, without the commas of table.Number: offsets are
// pasted into other tools.
func offsetIf(known bool, n int64) string {
	if !known {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// ratioOf is table.Ratio, or nothing for an uncompressed chunk.
func ratioOf(c thrift.Codec, uncompressed, compressed int64) string {
	if c == thrift.CodecUncompressed {
		return ""
	}
	return table.Ratio(uncompressed, compressed)
}
