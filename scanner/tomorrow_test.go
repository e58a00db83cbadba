package scanner

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// newest returns a file of types, orders and annotations that are new in the format: two row groups of two rows.
func newest(t *testing.T) (b []byte, lines []string) {
	stamp := func(day int32, nanos uint64) [12]byte {
		return [12]byte(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, nanos), uint32(2_440_588+day)))
	}
	// The first byte falls from row to row, while the moments rise.
	moments := [][12]byte{stamp(-588, 0xff), stamp(0, 0xe8), stamp(0, 86_399_999_999_999&^0xff), stamp(1, 0)}
	long := []string{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", strings.Repeat("\x00", 12), "\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x00\x00"}
	ts := gen.Required("i96", gen.Int96)
	ts.Order = gen.Int96Order
	stamps := gen.Required("long", gen.FixedLenByteArray).Len(12).As(gen.TimestampType(gen.Nanos, true))
	stamps.Note = gen.LogicalOnly
	file := gen.File{Schema: []*gen.Node{
		ts, stamps,
		gen.Optional("doc", gen.ByteArray).As(gen.JSONType()), gen.Optional("bson", gen.ByteArray).As(gen.BSONType()),
		gen.Optional("place", gen.ByteArray).As(gen.Logical{Kind: gen.KindGeography}),
		gen.Optional("file", gen.Group, gen.Optional("uri", gen.ByteArray).As(gen.StringType()), gen.Optional("offset", gen.Int64),
			gen.Optional("size", gen.Int64), gen.Optional("inline", gen.ByteArray)).As(gen.Logical{Kind: gen.KindFile}),
	}}
	for i := range moments {
		row := gen.Record{"i96": moments[i], "long": long[i], "doc": fmt.Sprintf(`{"n":%d}`, i), "bson": "\x05\x00\x00\x00\x00", "place": "\x01"}
		if row["file"] = (gen.Record{"uri": "s3://b/f", "size": int64(i)}); i == 1 {
			row["file"] = gen.Record{"inline": "\x00"}
		}
		if i%2 == 0 {
			file.RowGroups = append(file.RowGroups, gen.RowGroup{})
		}
		group := &file.RowGroups[len(file.RowGroups)-1]
		group.Rows = append(group.Rows, row)
	}
	text, err := file.JSONLines()
	if err != nil {
		t.Fatal(err)
	}
	return scannertest.Write(t, file), strings.Split(strings.TrimSpace(string(text)), "\n")
}

// replaced returns b with a part that it has n times replaced by one of the same length.
func replaced(t *testing.T, b []byte, n int, part, by string) []byte {
	if got := bytes.Count(b, []byte(part)); got != n || len(part) != len(by) {
		t.Fatalf("% x is in the file %d times, want %d", part, got, n)
	}
	return bytes.ReplaceAll(b, []byte(part), []byte(by))
}

// TestFormatOfTomorrow reads what is new in the format, and what it does not have yet: annotations and orders that are
// not known leave values as they are stored, and bounds alone.
func TestFormatOfTomorrow(t *testing.T) {
	const int96Order, otherOrder, typeOrder = "\x3c\x00\x00\x1c", "\xdc\x00\x00\x1c", "\x1c\x00\x00\x1c" // an empty struct in field 3, 13 or 1 of a union, and the next union
	const late = "i96 >= '1970-01-01 12:00:00'"
	for _, tc := range []struct {
		name, where string
		edit        func(b []byte) []byte
		rows        int // that pass
		groups      int // that may have some
		err         string
	}{
		{name: "INT96 by its order", where: late, rows: 2, groups: 1},
		{name: "INT96 by an order", where: "i96 < '1969-01-01'", rows: 1, groups: 1},
		{name: "INT96 by no order", where: "i96 > '1971-01-01'"},
		{name: "12 bytes below", where: "long < '1970-01-01'", rows: 1, groups: 1},
		{name: "12 bytes above", where: "long > '2500-01-01'", rows: 2, groups: 1},
		{name: "12 bytes in front of all", where: "long < '0001-01-01'"},
		{name: "JSON by its bytes", where: `doc = '{"n":3}'`, rows: 1, groups: 1},
		{name: "BSON", where: "bson IS NOT NULL", rows: 4, groups: 2},
		{name: "a part of a FILE", where: "file.size >= 3", rows: 1, groups: 1},
		{name: "no FILE", where: "file IS NULL", groups: 1},
		{name: "an unknown order", where: late, rows: 2, groups: 2, edit: func(b []byte) []byte { return replaced(t, b, 1, int96Order, otherOrder) }},
		{name: "the order of a type for INT96", where: late, rows: 2, groups: 2, edit: func(b []byte) []byte { return replaced(t, b, 1, int96Order, typeOrder) }},
		{name: "an annotation of groups that is unknown", where: "file.size >= 3", rows: 1, groups: 1,
			edit: func(b []byte) []byte { return replaced(t, b, 1, "\x0c\x26\x00\x00", "\x0c\x78\x00\x00") }},
		{name: "more in the footer", where: late, rows: 2, groups: 1, edit: func(b []byte) []byte {
			size := binary.LittleEndian.Uint32(b[len(b)-8:])
			b = append(b[:len(b)-9], 0x08, 0xff, 0xff, 0x01, 5) // of 5 bytes in field 32767, as FlatBuffers are tried
			b = append(b, "FLAT!\x00"...)
			return append(binary.LittleEndian.AppendUint32(b, size+10), "PAR1"...)
		}},
		{name: "PARX", err: "PARX", edit: func(b []byte) []byte { return append(b[:len(b)-4], "PARX"...) }},
		{name: "PAR3", err: "PAR3", edit: func(b []byte) []byte { return append(b[:len(b)-4], "PAR3"...) }},
	} {
		b, lines := newest(t)
		if tc.edit != nil {
			b = tc.edit(b)
		}
		f, err := OpenSource(t.Context(), "new.parquet", fetch.FromBytes(b))
		if tc.err != "" {
			if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		for _, o := range []Options{{}, {Filter: scannertest.Parsed(t, tc.where)}} {
			var got []string
			for batch, err := range f.Scan(t.Context(), o) {
				if err != nil {
					t.Fatalf("%s: %v", tc.name, err)
				}
				got = append(got, scannertest.Lines(t, batch)...)
			}
			if o.Filter == nil && !slices.Equal(got, lines) || o.Filter != nil && len(got) != tc.rows {
				t.Errorf("%s: %d rows, want %d of\n%s\n%s", tc.name, len(got), tc.rows, strings.Join(lines, "\n"), strings.Join(got, "\n"))
			}
		}
		p, err := f.Plan(t.Context(), Options{Filter: scannertest.Parsed(t, tc.where)})
		if err != nil {
			t.Fatal(err)
		}
		if open := slices.DeleteFunc(p.Groups, func(g GroupPlan) bool { return len(g.Rows) == 0 }); len(open) != tc.groups {
			t.Errorf("%s: %d row groups, want %d", tc.name, len(open), tc.groups)
		}
	}
}
