package cli

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// The names of the format, and for numbers it does not know the number.

func encodingName(e wire.Encoding) string {
	return nameOr(e.String(), "encoding "+strconv.Itoa(int(e)))
}
func codecName(c wire.CompressionCodec) string {
	return nameOr(c.String(), "codec "+strconv.Itoa(int(c)))
}

func pageKind(t wire.PageType) string {
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

func nameOr(name, other string) string {
	if name == "" || name == "<UNSET>" {
		return other
	}
	return name
}

func encodingNames(list []wire.Encoding) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = encodingName(e)
	}
	return names
}

// shortEncodings is encodingNames for tables: without RLE and BIT_PACKED, which
// stand for the levels in every list, if there are others, and without doubles.
func shortEncodings(list []wire.Encoding, t vector.Physical) string {
	var names []string
	for _, e := range list {
		name := encodingName(e)
		switch e {
		case wire.Encoding_PLAIN_DICTIONARY, wire.Encoding_RLE_DICTIONARY:
			name = "DICT"
		case wire.Encoding_RLE, wire.Encoding_BIT_PACKED:
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

// valuer writes the values of one type. Its plain bytes come from a file: what
// is no value of the type is shown in hex.
type valuer struct{ text, json vector.Formatter }

func newValuer(t vector.Type) *valuer { return &valuer{t.Text(), t.JSON()} }

func (v *valuer) appendText(dst, plain []byte) []byte {
	text, err := v.text.Append(dst, plain)
	if err != nil {
		return append(dst, "not a value: "+rawHex(plain, 16)...)
	}
	return text
}

func (v *valuer) appendJSON(plain []byte) json.RawMessage {
	js, err := v.json.Append(nil, plain)
	if err != nil {
		return json.RawMessage(strconv.Quote(rawHex(plain, math.MaxInt)))
	}
	return js
}

// rawHex writes bytes as 0x…, at most most of them.
func rawHex(b []byte, most int) string {
	more := ""
	if len(b) > most {
		b, more = b[:most], "…"
	}
	var s strings.Builder
	s.WriteString("0x")
	for _, c := range b {
		s.WriteString(hexByte(c))
	}
	return s.String() + more
}

// optional returns a pointer for a JSON field that is left out if not known.
func optional[T any](known bool, v T) *T {
	if !known {
		return nil
	}
	return &v
}

// number writes n with a gap between thousands, which tables need and no
// other reader wants.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes a number of bytes for people: 4 digits at most.
func size(n int64) string {
	if n < 0 || n < 10000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	v, unit := float64(n), 0
	for v >= 1000 && unit < 5 {
		v /= 1024
		unit++
	}
	digits := 2
	if v >= 100 {
		digits = 0
	} else if v >= 10 {
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}[unit]
}

// ratio says how many times smaller compression made something.
func ratio(uncompressed, compressed int64) string {
	if compressed <= 0 || uncompressed < 0 {
		return ""
	}
	return strconv.FormatFloat(float64(uncompressed)/float64(compressed), 'f', 2, 64) + "×"
}

func numberIf(known bool, n int64) string {
	if !known {
		return ""
	}
	return number(n)
}

// offsetIf writes an offset as other tools want to have it pasted.
func offsetIf(known bool, n int64) string {
	if !known {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// ratioOf is ratio where there was a codec to judge.
func ratioOf(c wire.CompressionCodec, uncompressed, compressed int64) string {
	if c == wire.CompressionCodec_UNCOMPRESSED {
		return ""
	}
	return ratio(uncompressed, compressed)
}
