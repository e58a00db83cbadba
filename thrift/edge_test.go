package thrift

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// unhex reads bytes that are written in groups, with comments in parentheses.
func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	for strings.Contains(s, "(") {
		s = s[:strings.Index(s, "(")] + s[strings.Index(s, ")")+1:]
	}
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// The required fields around what a case is about.
const (
	pageHead = "15 00 (data page) 15 02 (1 byte) 15 02 (1 byte) "
	pagePart = "2c (5: data page header) 15 04 15 00 15 06 15 06 00 00"
)

func TestPageHeaderEdges(t *testing.T) {
	deep := strings.Repeat("1c ", 70) + strings.Repeat("00 ", 70)
	shallow := strings.Repeat("1c ", 60) + strings.Repeat("00 ", 60)
	for _, c := range []struct {
		name, bytes string
		err         string // "" if the header is good, with 2 values and 1 byte
	}{
		{"usual", pageHead + pagePart, ""},
		{"fields out of order", "5c (5) 15 04 15 00 15 06 15 06 00 05 06 (3) 02 05 02 (1) 00 05 04 (2) 02 00", ""},
		{"field twice, the last one counts", "15 00 15 08 05 04 (2) 02 15 02 " + pagePart, ""},
		{"header twice, the last one counts", pageHead + "2c 15 10 15 00 15 06 15 06 00 0c 0a (5) 15 04 15 00 15 06 15 06 00 00", ""},
		{"unknown field of each type", pageHead + "11 (4: not a CRC but a bool) 1" + pagePart[1:len(pagePart)-2] +
			"(9) 41 12 13 7f 14 01 16 01 17 0102030405060708 18 02 6161 19 25 02 04 1a 18 01 61 1b 01 85 01 61 00 1d 000102030405060708090a0b0c0d0e0f 1c 15 02 00 00", ""},
		{"unknown struct", pageHead + pagePart[:len(pagePart)-2] + "7c " + shallow + "00 00", ""},
		{"unknown struct without end of nesting", pageHead + pagePart[:len(pagePart)-2] + "7c " + deep + "00 00", "nest deeper"},
		{"field id in full beyond 16 bits", pageHead + "05 80808080 10 02 00", "more than 16 bits"},
		{"negative field id", pageHead + "2c 15 04 15 00 15 06 15 06 00 05 01 (-1) 02 00", ""},
		{"field id overflow by delta", pageHead + "05 feff03 (32767) 02 15 02 00", "field id above"},
		{"unknown type 14", pageHead + "2e 00", "unknown type"},
		{"type 0 with a delta", pageHead + "20 00", "unknown type"},
		{"field of another type is absent", "16 (i64) 00 15 02 15 02 " + pagePart, "page header without type"},
		{"no type", "25 02 15 02 " + pagePart, "page header without type"},
		{"no compressed size", "15 00 15 02 3c 15 04 15 00 15 06 15 06 00 00", "without compressed_page_size"},
		{"no encoding", pageHead + "2c 15 04 25 06 15 06 00 00", "data page header without encoding"},
		{"part of another type", pageHead + "4c (7) 15 04 15 00 00 00", "without the header of its type"},
		{"negative size", "15 00 15 02 15 01 " + pagePart, "compressed_page_size is -1"},
		{"negative values", pageHead + "2c 15 03 15 00 15 06 15 06 00 00", "num_values is -2"},
		{"i32 of 33 bits", "15 00 15 02 15 8080808010 " + pagePart, "more than 32 bits"},
		{"CRC of 33 bits", pageHead + "15 8080808010 1" + pagePart[1:], "more than 32 bits"},
		{"statistics with an id beyond a byte's 4 bits", pageHead + "2c 15 04 15 00 15 06 15 06 1c 81 98 02 6161 00 00 00", ""},
		{"varint of 65 bits", "15 80808080808080808002 15 02 15 02 " + pagePart, "more than 64 bits"},
		{"varint of 11 bytes", "15 00 15 02 15 8080808080808080808000 " + pagePart, "more than 64 bits"},
		{"varint with idle bytes", "15 00 15 8280808000 15 02 " + pagePart, ""},
		{"list of 2^31 entries", pageHead + "59 (8) f5 ffffffff0f 02", "more than 31 bits"},
		{"list that is longer than the bytes", pageHead + "59 f5 ffffffff07 02", "bytes end"},
		{"binary longer than the bytes", pageHead + "58 ffffffff07 61", "bytes end"},
		{"binary of 2^32 bytes", pageHead + "58 8080808010 61", "more than 31 bits"},
		{"no end", pageHead + pagePart[:len(pagePart)-2], "bytes end"},
		{"nothing", "", "bytes end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.bytes)
			var h PageHeader
			_, err := ReadPageHeader(b, &h)
			if err == nil && (h.NumValues != 2 || h.CompressedSize != 1 || h.UncompressedSize != 1) {
				t.Errorf("misread: %+v", h)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("got error %v, want %q", err, c.err)
			}
			if short := errors.Is(err, ErrShort); short != (c.err == "bytes end") {
				t.Errorf("more bytes help: %v (%v)", short, err)
			}
			if c.err != "bytes end" { // nor do they here
				var followed PageHeader
				_, again := ReadPageHeader(append(b[:len(b):len(b)], make([]byte, 200)...), &followed)
				same(t, "header before a page", followed, h)
				if (again == nil) != (err == nil) || err != nil && again.Error() != err.Error() {
					t.Errorf("got %v before a page, want %v", again, err)
				}
			}
			comparePageHeader(t, b)
		})
	}
}

// Each prefix of a header asks for more, and what lies after it is not read.
func TestHeaderEndsWhereItEnds(t *testing.T) {
	for _, w := range pageHeaders() {
		b := encode(t, w)
		for n := range b {
			var h PageHeader
			if _, err := ReadPageHeader(b[:n], &h); !errors.Is(err, ErrShort) {
				t.Fatalf("%d of %d bytes: %v", n, len(b), err)
			}
		}
		for _, more := range []int{0, 1, 9, 100, 1000} {
			var h PageHeader
			page := append(b[:len(b):len(b)], strings.Repeat("\xff", more)...)
			if n, err := ReadPageHeader(page, &h); err != nil || n != len(b) {
				t.Fatalf("with %d bytes behind it: %d, want %d; %v", more, n, len(b), err)
			}
		}
	}
}

func TestListEdges(t *testing.T) {
	for _, c := range []struct {
		name, bytes, err string
		nulls            []bool
	}{
		{"bools 1 2 0", "19 31 01 02 00 19 38 00 00 00 19 38 00 00 00 15 00 00", "", []bool{true, false, false}},
		{"bools of type 2", "19 32 01 02 00 19 38 00 00 00 19 38 00 00 00 15 00 00", "", []bool{true, false, false}},
		{"bool 3", "19 31 01 03 00 19 38 00 00 00 19 38 00 00 00 15 00 00", "bool of value 3", nil},
		{"bools that are bytes", "19 33 01 02 00 19 38 00 00 00 19 38 00 00 00 15 00 00", "list of type 3, want 1", nil},
		{"binaries that are integers", "19 11 01 19 15 02 19 18 00 15 00 00", "list of type 5, want 8", nil},
		{"empty lists of any type", "19 00 19 05 19 0c 15 00 00", "", []bool{}},
		{"set instead of list", "1a 11 01 19 18 00 19 18 00 15 00 00", "without null_pages", nil},
		{"counts that are i32", "19 11 01 19 18 00 19 18 00 15 00 19 15 02 18 01 61 00", "list of type 5, want 6", nil},
		{"list twice, the last one counts", "19 11 01 09 02 21 02 01 19 28 00 00 19 28 00 00 15 00 00", "", []bool{false, true}},
		{"more elements than bytes", "19 f1 ffffff7f 01", "bytes end", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.bytes)
			var x ColumnIndex
			_, err := ReadColumnIndex(b, &x)
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("got error %v, want %q", err, c.err)
			}
			if err == nil {
				same(t, "null pages", x.NullPages, c.nulls)
			}
			compareColumnIndex(t, b)
		})
	}
}

// A field that is skipped has a varint of 10 bytes at most, as one that is read.
func TestSkipVarintEdges(t *testing.T) {
	const nine = "808080808080808080"
	for _, c := range []struct {
		bytes string
		want  fault
	}{
		{"16" + nine + "01 00", noFault},
		{"16" + nine + "80 01 00", faultVarint},
		{"16" + nine + "80 80 01 00", faultVarint},
		{"16" + nine, faultShort},
		{"16", faultShort},
		{"19 16" + nine + "01 00", noFault},
		{"19 16" + nine + "8001 00", faultVarint},
		{"19 26" + nine + "01", faultShort},
		{"06" + nine + "01 02 00", noFault},
		{"18" + nine + "01 00", faultSize},
		{"18 03 6161", faultShort},
		{"18 81", faultShort},
		{"1d 00", faultShort},
	} {
		b := unhex(t, c.bytes)
		n, f := skipStruct(b, 0, 0, nil)
		if f != c.want || n > len(b) || f == noFault && n != len(b) {
			t.Errorf("%s: fault %d at %d, want %d", c.bytes, f, n, c.want)
		}
	}
}

// A logical type that stands there twice leaves nothing of the first.
func TestLogicalTypeTwice(t *testing.T) {
	b := unhex(t, "15 02 19 1c 48 01 61 6c 5c 15 06 15 12 00 00 (DECIMAL) 0c 14 (10) 1c 00 00 (STRING) 00 16 00 19 0c 00")
	f, err := ParseFooter(b)
	must(t, err)
	same(t, "logical type", f.Schema[0].Logical, LogicalType{Kind: LogicalString})
	compareFooter(t, b)
}

// A union with an arm, an enum value or a field that nobody knows yet is read.
func TestUnknownThingsAreTolerated(t *testing.T) {
	logical := func(arms string) string {
		return "15 02 (version) 19 1c (schema) 48 01 61 (name) 6c " + arms + " 00 16 00 19 0c 00"
	}
	for _, c := range []struct {
		name, bytes string
		want        Arm
	}{
		{"known", logical("1c 00 00"), LogicalString},
		{"from the future", logical("0c 54 (42) 15 02 18 01 61 00 00"), 42},
		{"the gap at 9", logical("9c 00 00"), 9},
		{"known beside unknown", logical("1c 00 0c 54 00 00"), LogicalString},
		{"two known", logical("1c 00 1c 00 00"), Ambiguous},
		{"same twice", logical("1c 00 0c 02 00 00"), LogicalString},
		{"none", logical("00"), Ambiguous},
		{"arm that is no struct", logical("15 02 00"), Ambiguous},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.bytes)
			f, err := ParseFooter(b)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Schema[0].Logical.Kind; got != c.want {
				t.Errorf("got arm %d, want %d", got, c.want)
			}
			compareFooter(t, b)
		})
	}
}

func TestFooterEdges(t *testing.T) {
	const start = "15 02 (version) 19 1c 48 01 61 00 (schema) 16 02 (rows) "
	for _, c := range []struct{ name, bytes, parse, chunk string }{
		{"no row groups", start + "19 0c 00", "", "-"},
		{"row group without columns", start + "19 1c 19 0c 16 02 16 02 00 00", "", "has 0 columns, none at 0"},
		{"chunk without file_offset", start + "19 1c 19 1c 18 01 61 00 16 02 16 02 00 00", "", "without file_offset"},
		{"chunk without metadata", start + "19 1c 19 1c 26 08 00 16 02 16 02 00 00", "", ""},
		{"metadata without codec", start + "19 1c 19 1c 26 08 1c 15 02 19 05 19 08 00 00 16 02 16 02 00 00", "", "column metadata without codec"},
		{"chunk that ends nowhere", start + "19 1c 19 1c 26 08 18 7f", "bytes end", ""},
		{"columns that are integers", start + "19 1c 19 16 02 16 02 16 02 00 00", "list of type 6, want 12", ""},
		{"row group without num_rows", start + "19 1c 19 0c 16 02 00 00 (behind) 00 00", "row group without num_rows", ""},
		{"schema without name", "15 02 19 1c 15 02 00 16 02 19 0c 00", "schema element without name", ""},
		{"no schema", "15 02 26 02 19 0c 00", "file metadata without schema", ""},
		{"no version", "29 1c 48 01 61 00 16 02 19 0c 00", "file metadata without version", ""},
		{"row groups twice, the last ones count", start + "19 1c 19 2c 26 08 00 26 08 00 16 02 16 02 00 09 08 1c 19 1c 26 0a 00 16 02 16 02 00 00", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.bytes)
			compareFooter(t, b)
			f, err := ParseFooter(b)
			if (err == nil) != (c.parse == "") || err != nil && !strings.Contains(err.Error(), c.parse) {
				t.Fatalf("got error %v, want %q", err, c.parse)
			}
			if err != nil || len(f.RowGroups) == 0 {
				return
			}
			var chunk ColumnChunk
			err = f.Chunk(0, 0, &chunk)
			if (err == nil) != (c.chunk == "") || err != nil && !strings.Contains(err.Error(), c.chunk) {
				t.Fatalf("chunk: got error %v, want %q", err, c.chunk)
			}
		})
	}
}

// A chunk that was read before must not show in the next one.
func TestChunkIsReused(t *testing.T) {
	f, err := ParseFooter(encode(t, fullFooter()))
	must(t, err)
	var reused ColumnChunk
	for _, at := range [][2]int{{0, 3}, {0, 3}, {0, 0}, {0, 3}, {0, 4}, {1, 2}, {0, 3}} {
		var fresh ColumnChunk
		must(t, f.Chunk(at[0], at[1], &fresh))
		must(t, f.Chunk(at[0], at[1], &reused))
		same(t, "reused chunk", reused, fresh)
		a, err := fresh.Meta.KeyValues.Append(nil)
		must(t, err)
		b, err := reused.Meta.KeyValues.Append(nil)
		must(t, err)
		same(t, "key values", b, a)
	}
	if n := testing.AllocsPerRun(10, func() { f.Chunk(0, 3, &reused) }); n != 0 {
		t.Errorf("%v allocations for a chunk", n)
	}
}

// Offsets in errors are those of the bytes that were given.
func TestErrorsNameTheByte(t *testing.T) {
	_, err := ReadPageHeader(unhex(t, "15 00 15 02 15 01 "+pagePart), &PageHeader{})
	if want := "byte 5: compressed_page_size is -1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %v", err, want)
	}
	b := unhex(t, "15 02 19 1c 48 01 61 00 16 02 19 1c 19 1c 26 08 58 02 (key) 00")
	if _, err := ParseFooter(b); err == nil || err.Error() != "byte 19: the bytes end inside a value" {
		t.Errorf("got %v", err)
	}
}

// Enum values and versions beyond those we know come through as they are.
func TestExtremeValues(t *testing.T) {
	w := wideFooter(1, 1)
	w.NumRows, w.Version = math.MinInt64, math.MinInt32
	w.RowGroups[0].Columns[0].MetaData.Codec = wire.CompressionCodec(math.MaxInt32)
	w.RowGroups[0].Columns[0].MetaData.NumValues = math.MaxInt64
	compareFooter(t, encode(t, w))
	f, err := ParseFooter(encode(t, w))
	must(t, err)
	var c ColumnChunk
	must(t, f.Chunk(0, 0, &c))
	if f.NumRows != math.MinInt64 || f.Version != math.MinInt32 || c.Meta.Codec != math.MaxInt32 || c.Meta.NumValues != math.MaxInt64 {
		t.Errorf("%d %d %d %d", f.NumRows, f.Version, c.Meta.Codec, c.Meta.NumValues)
	}
}
