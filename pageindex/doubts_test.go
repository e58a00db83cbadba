package pageindex

import (
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/thrift"
)

// What is said of a chunk, of a page by its header and of a page by its index is
// each believed, or not, by what the writer gets wrong.
func TestWrittenBy(t *testing.T) {
	root := &schema.Node{Kind: schema.Struct}
	leafOf := func(typ vector.Type, parent *schema.Node) *schema.Node {
		return &schema.Node{Type: typ, MaxDef: 1, Parent: parent}
	}
	text, inStruct := leafOf(texts, root), leafOf(texts, &schema.Node{Kind: schema.Struct, Parent: root})
	var plain, coded, old, hidden thrift.ColumnChunk
	for _, c := range []*thrift.ColumnChunk{&plain, &coded, &old, &hidden} {
		c.HasMeta = true
	}
	plain.Meta.Encodings = []thrift.Encoding{thrift.EncodingPlain, thrift.EncodingRLE}
	coded.Meta.Encodings = []thrift.Encoding{thrift.EncodingRLEDictionary}
	old.Meta.HasDictionaryOffset = true
	hidden.HasMeta = false
	const all, noBounds, noNulls, nothing = 0, writer.Bounds, writer.NullCounts, writer.Bounds | writer.NullCounts

	for _, test := range []struct {
		createdBy     string
		leaf          *schema.Node
		in            *thrift.ColumnChunk
		chunk, ofPage writer.Facts // that are not believed
	}{
		{"parquet-cpp-arrow version 10.0.0", text, &coded, nothing, nothing},
		{"parquet-cpp-arrow version 10.0.0", text, &old, nothing, nothing},
		{"parquet-cpp-arrow version 10.0.0", text, &hidden, nothing, nothing},
		{"parquet-cpp-arrow version 10.0.0", text, nil, nothing, nothing},
		{"parquet-cpp-arrow version 10.0.0", text, &plain, all, all},
		{"parquet-cpp-arrow version 10.0.0", leafOf(uuids, root), &coded, all, all},
		{"parquet-cpp-arrow version 10.0.0", leafOf(int32s, root), &coded, all, all},
		{"parquet-cpp-arrow version 11.0.0", text, &coded, all, nothing},
		{"parquet-cpp-arrow version 12.0.0", text, &coded, all, all},
		{"parquet-cpp-arrow version 5.0.0", text, &coded, noNulls, noNulls},
		{"Polars", text, &coded, noNulls, noNulls},
		{"Polars", text, &plain, all, all},
		{"Polars", inStruct, &plain, noNulls, noNulls},
		{"parquet-rs version 5.0.0", text, &plain, noBounds, noBounds},
		{"parquet-rs version 5.0.0", leafOf(int32s, root), &plain, all, all},
		{"parquet-rs version 50.0.0", leafOf(decimals, root), &plain, noBounds, noBounds},
		{"parquet-rs version 50.0.0", text, &plain, all, all},
		{"winnow", inStruct, &coded, all, all},
	} {
		c := ColumnOf(test.leaf, thrift.OrderOfType).WrittenBy(writer.From(test.createdBy))
		if test.in != nil {
			c = c.In(&plain).In(test.in)
		}
		value := map[vector.Type][]byte{int32s: i32(1), uuids: make([]byte, 16)}[test.leaf.Type]
		if value == nil {
			value = []byte("a")
		}
		s := &thrift.Statistics{HasNullCount: true, NullCount: 3, MinValue: value, MaxValue: value}
		x := &thrift.ColumnIndex{NullPages: []bool{false, true}, NullCounts: []int64{3, 3}, MinValues: [][]byte{value, nil}, MaxValues: [][]byte{value, nil}}
		for what, b := range map[string]Bounds{"chunk": c.Statistics(s, 10), "header": c.PageStatistics(s, 10), "index": c.Page(x, 0)} {
			doubts := test.ofPage
			if what == "chunk" {
				doubts = test.chunk
			}
			wrong := doubts&writer.Bounds != 0
			if b.HasMin == wrong || b.HasMax == wrong || (b.Why == WrongWriter) != wrong || (b.Nulls == Unknown) != (doubts&writer.NullCounts != 0) {
				t.Errorf("%s, %v: %s: %+v, want doubts %b", test.createdBy, test.leaf.Type, what, b, doubts)
			}
		}
		page := c.Page(x, 1)
		if got := page.Why == AllNulls; got != (test.ofPage&writer.NullCounts == 0) {
			t.Errorf("%s, %v: a page of nulls: %v", test.createdBy, test.leaf.Type, got)
		}
	}
}
