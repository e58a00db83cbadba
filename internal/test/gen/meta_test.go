package gen

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// chunkOf builds a file of one column and returns its metadata, read back.
func chunkOf(t *testing.T, n *Node, values []any, c Column) (*wire.ColumnChunk, []byte, Written) {
	t.Helper()
	var rows []any
	for _, v := range values {
		rows = append(rows, Record{n.Name: v})
	}
	f := &File{Schema: []*Node{n}, RowGroups: []RowGroup{{Rows: rows}}, All: c}
	w, err := f.Build()
	if err != nil {
		t.Fatal(err)
	}
	return readFooter(t, w.Bytes).RowGroups[0].Columns[0], w.Bytes, w
}

func TestBoundsFollowTheOrderOfTheType(t *testing.T) {
	half := func(s string) *Node { return Optional("a", FixedLenByteArray).Len(2).As(Float16Type()) }
	for _, c := range []struct {
		name     string
		node     *Node
		values   []any
		min, max string
	}{
		{"signed", Optional("a", Int32), []any{-1, nil, 5}, "\xff\xff\xff\xff", "\x05\x00\x00\x00"},
		{"unsigned", Optional("a", Int32).As(IntType(32, false)), []any{uint32(1 << 31), 5}, "\x05\x00\x00\x00", "\x00\x00\x00\x80"},
		{"bool", Optional("a", Boolean), []any{true, false}, "\x00", "\x01"},
		{"bytes are unsigned", Optional("a", ByteArray), []any{"\xff", "a", "ab"}, "a", "\xff"},
		{"decimals of two lengths", Optional("a", ByteArray).As(DecimalType(9, 0)), []any{"\x01\x00", "\xff", "\x02"}, "\xff", "\x01\x00"},
		{"half floats", half(""), []any{"\x00\xc0", "\x00\x3c", "\x00\x7e"}, "\x00\xc0", "\x00\x3c"},
		{"zeros cover both signs", Optional("a", Float), []any{float32(0)}, "\x00\x00\x00\x80", "\x00\x00\x00\x00"},
		{"NaN has no place", Optional("a", Double), []any{math.NaN(), 1.0}, "\x00\x00\x00\x00\x00\x00\xf0\x3f", "\x00\x00\x00\x00\x00\x00\xf0\x3f"},
		{"intervals have none", Optional("a", FixedLenByteArray).Len(12).As(IntervalType()), []any{"abcdefghijkl"}, "", ""},
		{"INT96 has none", Optional("a", Int96), []any{[12]byte{1}}, "", ""},
		{"all null", Optional("a", Int32), []any{nil}, "", ""},
	} {
		m, _, _ := chunkOf(t, c.node, c.values, Column{})
		s := m.MetaData.Statistics
		if string(s.MinValue) != c.min || string(s.MaxValue) != c.max {
			t.Errorf("%s: %x to %x, want %x to %x", c.name, s.MinValue, s.MaxValue, c.min, c.max)
		}
		if want := m.ColumnIndexOffset != nil; want != (c.min != "" || c.name == "all null") {
			t.Errorf("%s: column index: %v", c.name, want)
		}
	}
}

func TestTruncatedBoundsStayBounds(t *testing.T) {
	all := MinMax | NullCount | Exactness | NaNCount | Distinct
	m, _, _ := chunkOf(t, Optional("a", ByteArray), []any{"abcdef", "zz\xff\xffz", nil}, Column{Truncate: 4, Stats: all})
	s := m.MetaData.Statistics
	if string(s.MinValue) != "abcd" || string(s.MaxValue) != "z{" || *s.IsMinValueExact || *s.IsMaxValueExact {
		t.Errorf("%q to %q, exact %v %v", s.MinValue, s.MaxValue, *s.IsMinValueExact, *s.IsMaxValueExact)
	}
	if *s.NullCount != 1 || *s.DistinctCount != 2 || s.NanCount != nil || s.Min != nil {
		t.Errorf("%+v", s)
	}
	m, _, _ = chunkOf(t, Optional("a", ByteArray), []any{"\xff\xff\xff"}, Column{Truncate: 2})
	if s := m.MetaData.Statistics; string(s.MinValue) != "\xff\xff" || s.MaxValue != nil {
		t.Errorf("%q to %q", s.MinValue, s.MaxValue)
	}
}

func TestIndexesTellWhatPagesHold(t *testing.T) {
	m, b, w := chunkOf(t, Optional("a", Int64), []any{5, 6, nil, nil, 9, nil, 12}, Column{PageRows: []int{2}, SizeStats: true, Codec: Zstd})
	ci, oi := wire.NewColumnIndex(), wire.NewOffsetIndex()
	if n := readThrift(t, b[*m.ColumnIndexOffset:], ci); n != int(*m.ColumnIndexLength) {
		t.Errorf("column index has %d bytes, not %d", n, *m.ColumnIndexLength)
	}
	if n := readThrift(t, b[*m.OffsetIndexOffset:], oi); n != int(*m.OffsetIndexLength) {
		t.Errorf("offset index has %d bytes, not %d", n, *m.OffsetIndexLength)
	}
	if !slices.Equal(ci.NullPages, []bool{false, true, false, false}) || !slices.Equal(ci.NullCounts, []int64{0, 2, 1, 0}) {
		t.Errorf("null pages %v, null counts %v", ci.NullPages, ci.NullCounts)
	}
	want := []string{"[5 0 0 0 0 0 0 0]", "[]", "[9 0 0 0 0 0 0 0]", "[12 0 0 0 0 0 0 0]"}
	if fmt.Sprint(ci.MinValues) != fmt.Sprint(want) || ci.BoundaryOrder != wire.BoundaryOrder_ASCENDING {
		t.Errorf("minima %v in order %v", ci.MinValues, ci.BoundaryOrder)
	}
	if !slices.Equal(ci.DefinitionLevelHistograms, []int64{0, 2, 2, 0, 1, 1, 0, 1}) {
		t.Errorf("histograms %v", ci.DefinitionLevelHistograms)
	}
	for i, p := range oi.PageLocations {
		s := w.Pages[0][0][i]
		if p.Offset != s.Start || int64(p.CompressedPageSize) != s.End-s.Start || p.FirstRowIndex != int64(2*i) {
			t.Errorf("page %d: %+v, lies at %+v", i, p, s)
		}
	}
}

func TestPagesTakeWhatTheyLeaveOpen(t *testing.T) {
	file, column := Column{Codec: Snappy, Shape: Shape{Version: 2, CRC: NoCRC}}, Column{Shape: Shape{Encoding: Dictionary}}
	inherit(&column, file)
	page := Page{Shape: Shape{Encoding: Plain}}
	inherit(&page.Shape, column.Shape)
	if column.Codec != Snappy || page.Version != 2 || page.Encoding != Plain || page.CRC != NoCRC {
		t.Errorf("column %+v, page %+v", column.Shape, page.Shape)
	}
}

func TestWideFooterIsWhole(t *testing.T) {
	b, err := Wide(40, 3)
	if err != nil {
		t.Fatal(err)
	}
	m := readFooter(t, b)
	if len(m.Schema) != 41 || len(m.RowGroups) != 3 || len(m.RowGroups[2].Columns) != 40 || len(m.ColumnOrders) != 40 {
		t.Fatalf("%d elements, %d row groups", len(m.Schema), len(m.RowGroups))
	}
	end := int64(4)
	for _, g := range m.RowGroups {
		for i, c := range g.Columns {
			md := c.MetaData
			if *md.DictionaryPageOffset != end || md.DataPageOffset <= end || md.PathInSchema[0] != m.Schema[i+1].Name ||
				md.Type != *m.Schema[i+1].Type {
				t.Fatalf("column %d: %+v", i, md)
			}
			end += md.TotalCompressedSize
		}
	}
}

func TestCodecsDifferInTheirFraming(t *testing.T) {
	src := bytes.Repeat([]byte("some text "), 50)
	packed := func(c Codec) []byte {
		b, err := c.compress(src)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for c, want := range map[Codec]bool{Zstd: true, ZstdNoSize: false} {
		var h zstd.Header
		if err := h.Decode(packed(c)); err != nil || h.HasFCS != want {
			t.Errorf("codec %d: content size %v, %v", c, h.HasFCS, err)
		}
	}
	for c, want := range map[Codec]int{Gzip: 1, GzipMembers: 2} {
		if got := bytes.Count(packed(c), []byte("\x1f\x8b\x08")); got != want {
			t.Errorf("codec %d: %d members, want %d", c, got, want)
		}
	}
	for c, want := range map[Codec]string{LZ4Hadoop: "\x00\x00\x01\xf4", LZ4HadoopBlocks: "\x00\x00\x00\xfa", LZ4Frame: "\x04\x22\x4d\x18"} {
		if !bytes.HasPrefix(packed(c), []byte(want)) {
			t.Errorf("codec %d starts with % x", c, packed(c)[:4])
		}
	}
	if !bytes.Equal(packed(LZ4Hadoop)[8:], packed(LZ4Raw)) || !bytes.Equal(packed(LZ4Bare), packed(LZ4Raw)) {
		t.Error("the LZ4 blocks differ")
	}
}
