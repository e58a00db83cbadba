package page

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/thrift"
)

const (
	v1 = thrift.DataPage
	v2 = thrift.DataPageV2
)

// levelsOf and codesOf show a part as a decoder reads it that shares nothing
// with this package.
func levelsOf(part []byte, most, n int, bitPacked bool) string {
	v, err := naive.Levels(part, most, n, bitPacked)
	return show(v, err)
}

func codesOf(part []byte, width, n int) string {
	v, err := naive.Hybrid(part, width, n)
	return show(v, err)
}

func show(v any, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

// The table of the format, each of its eight lines on the bytes of real pages.
// A part read with the other answer to "is there a length?" gives other values.
func TestLengthPrefixes(t *testing.T) {
	for _, tc := range []struct {
		page     thrift.PageType
		data     string
		prefixed bool

		file, column string
		part         func(p *page) []byte
		decode       func(c *column, p *page, part []byte) string
		want         string
	}{
		{v1, "definition levels", true, "nulls.snappy.parquet", "b_struct.b_c_int", definition, defLevels, "[1 1 1 1 1 1 1 1]"},
		{v1, "repetition levels", true, "nested_lists.snappy.parquet", "a.list.element.list.element.list.element", repetition, repLevels,
			"[0 3 2 1 2 0 3 2 3 1 2 0 3 2 3 2 1 2]"},
		{v1, "dictionary indices", false, "alltypes_dictionary.parquet", "int_col", values, indices, "[0 1]"},
		{v1, "booleans", true, "", "b", values, booleans, "[1 1 1 0 1]"},
		{v2, "definition levels", false, "datapage_v2.snappy.parquet", "a", definition, defLevels, "[1 1 1 0 1]"},
		{v2, "repetition levels", false, "datapage_v2.snappy.parquet", "e.list.element", repetition, repLevels, "[0 1 1 0 0 0 1 1 0 1]"},
		{v2, "dictionary indices", false, "datapage_v2.snappy.parquet", "c", values, indices, "[0 1 2 3 0]"},
		{v2, "booleans", true, "datapage_v2.snappy.parquet", "d", values, booleans, "[1 1 1 0 1]"},
	} {
		name := fmt.Sprintf("%v/%s", tc.page, tc.data)
		c := pyarrowBooleans(t)
		if tc.file != "" {
			c = realColumn(t, tc.file, tc.column)
		}
		pages, err := c.pages(options())
		if err != nil {
			t.Fatal(err)
		}
		p := &pages[len(pages)-1]
		if p.Header.Type != tc.page {
			t.Fatalf("%s: %s has a page of type %v", name, tc.file, p.Header.Type)
		}
		part := tc.part(p)
		if got := tc.decode(&c, p, part); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
		at := cap(p.body) - cap(part) // where the part starts in the body
		if tc.prefixed {
			if n := binary.LittleEndian.Uint32(p.body[at-4:]); int(n) != len(part) {
				t.Errorf("%s: %d bytes behind a length of %d", name, len(part), n)
			}
			continue
		}
		// This part follows the one before without a gap.
		front := 0
		switch tc.data {
		case "definition levels":
			front = len(p.parts.Repetition)
		case "dictionary indices":
			front = len(p.body) - len(part)
			if tc.page == v2 {
				front = len(p.parts.Repetition) + len(p.parts.Definition)
			}
		}
		if at != front {
			t.Errorf("%s: starts at %d, want %d", name, at, front)
		}
	}
}

// pyarrowBooleans is a chunk that pyarrow 26 wrote, since no file of the corpus
// has RLE booleans in a v1 page: true, null, true, true, false, null, true, with
// write_table(…, use_dictionary=False, column_encoding={"b": "RLE"}, data_page_version="1.0").
func pyarrowBooleans(t *testing.T) column {
	t.Helper()
	b, err := hex.DecodeString("1500151815182c150e1506150615061c000000" + "02000000035d" + "020000000317")
	if err != nil {
		t.Fatal(err)
	}
	return column{name: "b", typ: thrift.TypeBoolean, maxDef: 1, bytes: b, chunk: Chunk{Length: int64(len(b))}}
}

func definition(p *page) []byte { return p.parts.Definition }
func repetition(p *page) []byte { return p.parts.Repetition }
func values(p *page) []byte     { return p.parts.Values }

func defLevels(c *column, p *page, part []byte) string {
	return levelsOf(part, c.maxDef, int(p.Header.NumValues), false)
}

func repLevels(c *column, p *page, part []byte) string {
	return levelsOf(part, c.maxRep, int(p.Header.NumValues), false)
}

func present(c *column, p *page) (n int) {
	n = int(p.Header.NumValues)
	if c.maxDef > 0 {
		levels, _ := naive.Levels(p.parts.Definition, c.maxDef, n, false)
		n = 0
		for _, d := range levels {
			if d == c.maxDef {
				n++
			}
		}
	}
	return n
}

func indices(c *column, p *page, part []byte) string {
	return codesOf(part[1:], int(part[0]), present(c, p))
}

func booleans(c *column, p *page, part []byte) string { return codesOf(part, 1, present(c, p)) }

// The example of doc.go, and bodies that no writer of the corpus makes.
func TestSplit(t *testing.T) {
	const rle, packed, plain = thrift.EncodingRLE, thrift.EncodingBitPacked, thrift.EncodingPlain
	head := func(typ thrift.PageType, n int32, e, rep, def thrift.Encoding) thrift.PageHeader {
		return thrift.PageHeader{Type: typ, NumValues: n, Encoding: e, RepetitionEncoding: rep, DefinitionEncoding: def, IsCompressed: true}
	}
	withLevels := func(rep, def int32, n int32, e thrift.Encoding) thrift.PageHeader {
		h := head(v2, n, e, 0, 0)
		h.RepetitionLength, h.DefinitionLength = rep, def
		return h
	}
	for _, tc := range []struct {
		name           string
		h              thrift.PageHeader
		typ            thrift.Type
		maxRep, maxDef int
		body           string // hex
		want           string // repetition, definition and values in hex, or the error
	}{
		{"example v1", head(v1, 4, rle, rle, rle), thrift.TypeBoolean, 0, 1, "02000000 030d 02000000 0601", ",030d,0601"},
		{"example v2", withLevels(0, 2, 4, rle), thrift.TypeBoolean, 0, 1, "030d 02000000 0601", ",030d,0601"},
		{"no levels", head(v1, 1, plain, packed, packed), thrift.TypeInt32, 0, 0, "01020304", ",,01020304"},
		{"both levels", head(v1, 2, plain, rle, rle), thrift.TypeInt32, 1, 1, "02000000 0400 02000000 0401 0102", "0400,0401,0102"},
		{"RLE of another type has no length", head(v1, 2, rle, 0, 0), thrift.TypeInt32, 0, 0, "01020304", ",,01020304"},
		// 30 levels of up to 3 take two bits each, 60 bits: the format's own example.
		{"BIT_PACKED", head(v1, 30, plain, packed, packed), thrift.TypeInt32, 3, 3,
			"0102030405060708 1112131415161718 ff", "0102030405060708,1112131415161718,ff"},
		{"BIT_PACKED of one bit", head(v1, 9, plain, rle, packed), thrift.TypeInt32, 0, 1, "aa80 77", ",aa80,77"},
		{"BIT_PACKED and RLE", head(v1, 9, plain, rle, packed), thrift.TypeInt32, 1, 1, "02000000 1200 aa80 77", "1200,aa80,77"},
		{"BIT_PACKED cut short", head(v1, 9, plain, 0, packed), thrift.TypeInt32, 0, 3, "0102", "page body, byte 0: definition levels of 3 bytes, 2 are left of the page"},
		{"levels in PLAIN", head(v1, 1, plain, rle, plain), thrift.TypeInt32, 0, 1, "01", "page body: definition levels in encoding 0"},
		{"empty page", head(v1, 0, plain, rle, rle), thrift.TypeInt32, 1, 1, "", ",,"},
		{"empty page with lengths", head(v1, 0, plain, rle, rle), thrift.TypeInt32, 1, 1, "00000000 00000000", ",,"},
		{"booleans, all null", head(v1, 3, rle, rle, rle), thrift.TypeBoolean, 0, 1, "02000000 0600", ",0600,"},
		{"booleans behind their length", head(v1, 3, rle, 0, 0), thrift.TypeBoolean, 0, 0, "02000000 0601 ffff", ",,0601"},
		{"dictionary page", thrift.PageHeader{Type: thrift.DictionaryPage, NumValues: 1}, thrift.TypeInt32, 2, 2, "01020304", ",,01020304"},
		{"v2 with all parts", withLevels(2, 3, 5, plain), thrift.TypeInt32, 1, 1, "0102 030405 06", "0102,030405,06"},
		{"v2 without values", withLevels(0, 2, 5, plain), thrift.TypeInt32, 0, 1, "0a00", ",0a00,"},
		{"v2 levels beyond the page", withLevels(2, 3, 5, plain), thrift.TypeInt32, 1, 1, "01020304", "page body: levels of 2+3 bytes in a page of 4 bytes, 4 decompressed"},
		{"v2 levels overflow", withLevels(1<<31-1, 1<<31-1, 5, plain), thrift.TypeInt32, 1, 1, "01020304", "page body: levels of 2147483647+2147483647 bytes in a page of 4 bytes, 4 decompressed"},
		{"v2 negative levels", withLevels(-1, 3, 5, plain), thrift.TypeInt32, 1, 1, "01020304", "page body: levels of -1+3 bytes in a page of 4 bytes, 4 decompressed"},
		{"length beyond the page", head(v1, 4, plain, rle, rle), thrift.TypeInt32, 0, 1, "03000000 0601", "page body, byte 4: definition levels of 3 bytes, 2 are left of the page"},
		{"length of 4 GiB", head(v1, 4, plain, rle, rle), thrift.TypeInt32, 0, 1, "ffffffff 0601", "page body, byte 4: definition levels of 4294967295 bytes, 2 are left of the page"},
		{"second length beyond the page", head(v1, 4, plain, rle, rle), thrift.TypeInt32, 1, 1, "02000000 0800 05000000 0601", "page body, byte 10: definition levels of 5 bytes, 2 are left of the page"},
		{"length cut short", head(v1, 4, plain, rle, rle), thrift.TypeInt32, 0, 1, "030000", "page body, byte 0: length of definition levels, 3 bytes are left of the page"},
		{"booleans' length cut short", head(v1, 4, rle, 0, 0), thrift.TypeBoolean, 0, 0, "0300", "page body, byte 0: length of booleans, 2 bytes are left of the page"},
		{"booleans beyond the page", head(v1, 4, rle, 0, 0), thrift.TypeBoolean, 0, 0, "03000000 0601", "page body, byte 4: values of 3 bytes, 2 are left of the page"},
		{"index page", head(thrift.IndexPage, 4, 0, 0, 0), thrift.TypeBoolean, 0, 0, "01", "page body: values of a page of type 1"},
	} {
		var body []byte
		fmt.Sscanf(strings.ReplaceAll(tc.body, " ", ""), "%x", &body)
		h := tc.h
		h.UncompressedSize, h.CompressedSize = int32(len(body)), int32(len(body))
		p, _, err := Split(&h, tc.typ, tc.maxRep, tc.maxDef, body)
		got := fmt.Sprintf("%x,%x,%x", p.Repetition, p.Definition, p.Values)
		if err != nil {
			got = err.Error()
			if !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
				t.Errorf("%s: an error without a kind: %v", tc.name, err)
			}
		}
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		if err != nil {
			continue
		}
		// Of any first part of the body: the same levels, and the values so far, or a Need.
		for n := range body {
			q, need, err := Split(&h, tc.typ, tc.maxRep, tc.maxDef, body[:n])
			if need.Some() {
				if need.From != 0 || need.To <= int64(n) || need.To > int64(len(body)) {
					t.Errorf("%s, first %d bytes: %v", tc.name, n, need)
				}
				if _, need, _ = Split(&h, tc.typ, tc.maxRep, tc.maxDef, body[:need.To]); need.Some() && need.To <= int64(n) {
					t.Errorf("%s, first %d bytes: asks in circles", tc.name, n)
				}
				continue
			}
			if err != nil || !bytes.Equal(q.Repetition, p.Repetition) || !bytes.Equal(q.Definition, p.Definition) || !bytes.HasPrefix(p.Values, q.Values) {
				t.Errorf("%s, first %d bytes: %x,%x,%x, %v", tc.name, n, q.Repetition, q.Definition, q.Values, err)
			}
		}
	}
}

func TestSplitWantsNoMoreThanDeclared(t *testing.T) {
	h := thrift.PageHeader{Type: v1, NumValues: 1, UncompressedSize: 3, CompressedSize: 3}
	if _, _, err := Split(&h, thrift.TypeInt32, 0, 0, make([]byte, 4)); !errors.Is(err, corrupt.Bad) {
		t.Errorf("a body longer than declared: %v", err)
	}
}
