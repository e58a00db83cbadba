package main

import (
	"fmt"
	"math"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// numbers are sorted keys with text beside them, in two row groups.
func numbers(all gen.Column) gen.File {
	f := gen.File{Schema: []*gen.Node{gen.Required("k", gen.Int64), str("s")}, All: all}
	for g := range 2 {
		var rows []any
		for i := range 80 {
			r := gen.Record{"k": g*100 + i}
			if i%3 > 0 {
				r["s"] = fmt.Sprintf("text %03d and more of it", i)
			}
			rows = append(rows, r)
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows})
	}
	return f
}

func indexShapes() []sample {
	pages := func(c gen.Column) gen.Column { c.PageRows = []int{20}; return c }
	lie := func(name, what string, c gen.Column) sample {
		return sample{name: "index_" + name, what: what + ": to be read as if there were none", file: numbers(pages(c))}
	}
	missing := numbers(pages(gen.Column{}))
	for g := range missing.RowGroups {
		missing.RowGroups[g].Columns = []gen.Column{{}, {Index: gen.NoIndex}}
	}
	return []sample{
		{name: "index_full", what: "column and offset index, with size statistics", file: numbers(pages(gen.Column{SizeStats: true}))},
		{name: "index_none", what: "no page index", file: numbers(pages(gen.Column{Index: gen.NoIndex}))},
		{name: "index_offset_only", what: "offset index alone", file: numbers(pages(gen.Column{Index: gen.OffsetIndex}))},
		{name: "index_column_only", what: "column index alone", file: numbers(pages(gen.Column{Index: gen.ColumnIndex}))},
		{name: "index_one_column", what: "a page index for one of the two columns", file: missing},
		{name: "index_truncated", what: "bounds of strings cut to 7 bytes", file: numbers(pages(gen.Column{Truncate: 7, Stats: gen.MinMax | gen.NullCount | gen.Exactness}))},
		lie("short_lists", "lists of the column index are of unequal lengths", gen.Column{ColumnIndex: func(x *wire.ColumnIndex) { x.MinValues = x.MinValues[1:] }}),
		lie("short_offsets", "the offset index has a page less than the column index", gen.Column{OffsetIndex: func(x *wire.OffsetIndex) { x.PageLocations = x.PageLocations[1:] }}),
		lie("rows_descend", "first rows of the offset index do not ascend", gen.Column{OffsetIndex: func(x *wire.OffsetIndex) { x.PageLocations[2].FirstRowIndex = 0 }}),
		{name: "index_sizes", what: "sizes in the offset index leave page headers out, as parquet-go of xitongsys has them: what they tell is used", file: numbers(pages(gen.Column{OffsetIndex: func(x *wire.OffsetIndex) {
			for _, p := range x.PageLocations {
				p.CompressedPageSize -= 21
			}
		}}))},
		lie("outside", "an offset that lies outside the file", gen.Column{OffsetIndex: func(x *wire.OffsetIndex) { x.PageLocations[1].Offset = 1 << 40 }}),
		lie("negative", "an offset of -1 and a size of 0", gen.Column{OffsetIndex: func(x *wire.OffsetIndex) {
			x.PageLocations[1].Offset, x.PageLocations[1].CompressedPageSize = -1, 0
		}}),
		lie("inverted", "minimum above maximum", gen.Column{ColumnIndex: func(x *wire.ColumnIndex) { x.MinValues, x.MaxValues = x.MaxValues, x.MinValues }}),
		lie("place", "index offsets of the footer that point outside the file", gen.Column{Meta: func(c *wire.ColumnChunk) {
			*c.ColumnIndexOffset, *c.OffsetIndexOffset = 1<<50, 1<<50
		}}),
		lie("garbage", "index offsets of the footer that point into pages", gen.Column{Meta: func(c *wire.ColumnChunk) {
			*c.ColumnIndexOffset, *c.OffsetIndexOffset = 9, 11
		}}),
		{name: "bloom", what: "Bloom filters", file: numbers(gen.Column{Bloom: 256})},
		{name: "bloom_no_length", what: "Bloom filters without bloom_filter_length", file: numbers(gen.Column{Bloom: 256, BloomNoLength: true})},
		{name: "bloom_one_block", what: "Bloom filters of one block", file: numbers(gen.Column{Bloom: 32})},
		{name: "bloom_odd", what: "Bloom filters of seven blocks, which is no power of two", file: numbers(gen.Column{Bloom: 224})},
	}
}

func statisticsShapes() []sample {
	floats := func(c gen.Column, order gen.Order) gen.File {
		schema := []*gen.Node{
			gen.Optional("float", gen.Float), gen.Optional("double", gen.Double),
			gen.Optional("half", gen.FixedLenByteArray).Len(2).As(gen.Float16Type()),
		}
		for _, n := range schema {
			n.Order = order
		}
		var rows []any
		for i, v := range []float64{0, math.Copysign(0, -1), 1.5, math.NaN(), math.Inf(1), -2.25, math.Inf(-1), 0.5} {
			half := []string{"\x00\x00", "\x00\x80", "\x00\x3e", "\x00\x7e", "\x00\x7c", "\x80\xc0", "\x00\xfc", "\x00\x38"}[i]
			rows = append(rows, gen.Record{"float": float32(v), "double": v, "half": half}, gen.Record{})
		}
		c.PageRows = []int{4}
		return one(schema, rows, c)
	}
	zeros := func(v float64) gen.File {
		negative := math.Copysign(v, -1)
		f := one([]*gen.Node{gen.Required("d", gen.Double)}, []any{gen.Record{"d": v}, gen.Record{"d": negative}}, gen.Column{})
		f.All.Meta = func(c *wire.ColumnChunk) { // both bounds +0.0, as sloppy writers have it
			c.MetaData.Statistics.MinValue, c.MetaData.Statistics.MaxValue = make([]byte, 8), make([]byte, 8)
		}
		f.All.ColumnIndex = func(x *wire.ColumnIndex) {
			x.MinValues, x.MaxValues = [][]byte{make([]byte, 8)}, [][]byte{make([]byte, 8)}
		}
		return f
	}
	nan := func() gen.File {
		f := floats(gen.Column{}, gen.TypeOrder)
		f.All.Index = gen.NoIndex
		f.RowGroups[0].Columns = []gen.Column{{}, {Meta: func(c *wire.ColumnChunk) {
			s := c.MetaData.Statistics
			s.MinValue, s.MaxValue = []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}
		}}}
		return f
	}
	noOrders := numbers(gen.Column{})
	noOrders.NoColumnOrders = true
	times := one([]*gen.Node{gen.Required("t", gen.Int96)}, []any{
		gen.Record{"t": int96(1, 2_451_545)}, gen.Record{"t": int96(5, 2_440_000)}, gen.Record{"t": int96(0, 2_460_000)},
	}, gen.Column{})
	times.Schema[0].Order = gen.Int96Order
	return []sample{
		{name: "stats_none", what: "no statistics", file: numbers(gen.Column{Stats: gen.NoStats, Index: gen.NoIndex})},
		{name: "stats_deprecated", what: "deprecated min and max alone, no column orders", file: func() gen.File {
			f := numbers(gen.Column{Stats: gen.Deprecated | gen.NullCount, Index: gen.NoIndex})
			f.NoColumnOrders = true
			return f
		}()},
		{name: "stats_no_null_count", what: "bounds without null_count", file: numbers(gen.Column{Stats: gen.MinMax})},
		{name: "stats_exactness", what: "cut bounds with exactness flags, distinct_count", file: numbers(gen.Column{Truncate: 6, Stats: gen.MinMax | gen.NullCount | gen.Exactness | gen.Distinct})},
		{name: "stats_no_column_orders", what: "min_value and max_value without column orders", file: noOrders},
		{name: "stats_floats", what: "NaN, infinities and both zeros, no nan_count", file: floats(gen.Column{}, gen.TypeOrder)},
		{name: "stats_floats_nan_count", what: "the same with nan_count", file: floats(gen.Column{Stats: gen.MinMax | gen.NullCount | gen.NaNCount}, gen.TypeOrder)},
		{name: "stats_floats_total_order", what: "the same in IEEE 754 total order", file: floats(gen.Column{Stats: gen.MinMax | gen.NullCount | gen.NaNCount}, gen.IEEE754Order)},
		{name: "stats_nan_bounds", what: "NaN as bounds: to be ignored", file: nan()},
		{name: "stats_zero_bounds", what: "bounds +0.0 over rows of +0.0 and -0.0", file: zeros(0)},
		{name: "stats_int96_order", what: "INT96 with a column order of its own", file: times},
	}
}

func schemaShapes() []sample {
	wide := gen.File{}
	for i := range 200 {
		wide.Schema = append(wide.Schema, gen.Optional(fmt.Sprintf("c%03d", i), []gen.Type{gen.Int32, gen.Double, gen.ByteArray, gen.Boolean}[i%4]))
	}
	for g := range 3 {
		r := gen.Record{}
		for i, n := range wide.Schema {
			if n.Type != gen.ByteArray && i%7 > 0 {
				r[n.Name] = value(n.Type, i+g)
			}
		}
		wide.RowGroups = append(wide.RowGroups, gen.RowGroup{Rows: []any{r, gen.Record{}}})
	}
	names := []*gen.Node{
		gen.Required("a.b", gen.Int32), gen.Required("A", gen.Int32), gen.Required("a", gen.Int32),
		gen.Required("größe", gen.Int32), gen.Required("", gen.Int32), gen.Required("with \"quotes\"\tand tab", gen.Int32),
	}
	nameRow := gen.Record{}
	for i, n := range names {
		nameRow[n.Name] = i
	}
	rows := []any{gen.Record{"a": 1}, gen.Record{"a": 2}}
	empty := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int32)}}
	groups := gen.File{Schema: empty.Schema, RowGroups: []gen.RowGroup{{Rows: []any{}}, {Rows: rows}, {Rows: []any{}}, {Rows: rows}}}
	zero := gen.File{Schema: empty.Schema, RowGroups: []gen.RowGroup{{Rows: rows}}, Footer: func(m *wire.FileMetaData) { m.NumRows = 0 }}
	twice := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int32), gen.Required("a", gen.Int32)}, RowGroups: []gen.RowGroup{{Rows: rows}}}
	ids := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int32).ID(7), gen.Optional("g", gen.Group, gen.Optional("b", gen.Int64).ID(2)).ID(100)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1, "g": gen.Record{"b": 2}}}}}, KeyValues: map[string]string{"who": "winnow", "why": "tests"}}
	return []sample{
		{name: "schema_wide", what: "200 columns, 3 row groups", file: wide},
		{name: "schema_names", what: "names with dots, cases, quotes, no letters at all", file: one(names, []any{nameRow}, gen.Column{})},
		{name: "schema_duplicate_names", what: "two columns of one name", file: twice},
		{name: "schema_field_ids", what: "field ids, key-value metadata", file: ids},
		{name: "rows_no_groups", what: "no row groups", file: empty},
		{name: "rows_empty_groups", what: "row groups of no rows among others", file: groups},
		{name: "rows_footer_zero", what: "the footer's own num_rows is 0, the row group's counts", file: zero},
	}
}
