package main

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A stage is the first step of reading that must refuse a bad file.
type stage string

const (
	open      stage = "open"      // the footer alone shows it
	bind      stage = "bind"      // the schema tree, or a chunk against it
	walk      stage = "pages"     // page headers show it
	read      stage = "read"      // bodies must be read
	encrypted stage = "encrypted" // refused by that name
)

const badText = `# Bad files

Files that a reader must refuse with an error that names the place, without panic, hang or more memory than their size
warrants. Written by ` + "`go run ./internal/test/gen/mk`" + `, and this file with them. The last column names the step of
reading that must refuse at the latest:

- open: the footer is refused;
- bind: the footer reads, but its schema or a column chunk makes no sense;
- pages: the walk over page headers fails (also where a chunk's pages do not add up to what its metadata says);
- read: levels or values fail, or the body does not decompress;
- encrypted: refused as encrypted, at open or when the column is asked for.

| file | what is wrong | refused at |
| --- | --- | --- |
`

func bad() []sample {
	var all []sample
	all = append(all, badFooters()...)
	all = append(all, badSchemas()...)
	all = append(all, badChunks()...)
	all = append(all, badPages()...)
	all = append(all, badLevels()...)
	all = append(all, badValues()...)
	return append(all,
		sample{name: "encrypted_footer", what: "encrypted footer, magic PARE", stage: encrypted, file: func() gen.File { f := ints(gen.Column{}); f.Encrypted = true; return f }()},
		sample{name: "encrypted_column", what: "an encrypted column beside a plain one", stage: encrypted, file: func() gen.File {
			f := numbers(gen.Column{Index: gen.NoIndex})
			for g := range f.RowGroups {
				f.RowGroups[g].Columns = []gen.Column{{Encrypted: true}}
			}
			return f
		}()},
	)
}

// ints is a column of four numbers, one of them null, in one page.
func ints(c gen.Column) gen.File {
	return one([]*gen.Node{gen.Optional("a", gen.Int32)}, []any{
		gen.Record{"a": 1}, gen.Record{}, gen.Record{"a": 3}, gen.Record{"a": 4},
	}, c)
}

// withFooter is the file of ints with another footer, and its length.
func withFooter(footer []byte, length uint32) []byte {
	f := ints(gen.Column{Index: gen.NoIndex})
	w, err := f.Build()
	if err != nil {
		panic(err)
	}
	b := append(w.Bytes[:w.Pages[0][0][0].End:w.Pages[0][0][0].End], footer...)
	return append(binary.LittleEndian.AppendUint32(b, length), "PAR1"...)
}

func badFooters() []sample {
	sizeOf := func(edit func(n, file uint32) uint32) func([]byte) []byte {
		return func(b []byte) []byte {
			at := len(b) - 8
			binary.LittleEndian.PutUint32(b[at:], edit(binary.LittleEndian.Uint32(b[at:]), uint32(len(b))))
			return b
		}
	}
	length := func(name, what string, edit func(n, file uint32) uint32) sample {
		return sample{name: "footer_length_" + name, what: what, stage: open, file: ints(gen.Column{}), edit: sizeOf(edit)}
	}
	raw := func(name, what string, footer ...byte) sample {
		return sample{name: "footer_" + name, what: what, stage: open, raw: withFooter(footer, uint32(len(footer)))}
	}
	var nested []byte
	for range 2000 {
		nested = append(nested, 0x1c) // field 1 above the last, a struct
	}
	all := []sample{
		{name: "file_empty", what: "no bytes at all", stage: open, raw: []byte{}},
		{name: "file_short", what: "eight bytes: two magics", stage: open, raw: []byte("PAR1PAR1")},
		{name: "file_magic", what: "another magic at the end", stage: open, file: ints(gen.Column{}), edit: func(b []byte) []byte { copy(b[len(b)-4:], "PAR2"); return b }},
		{name: "file_cut", what: "the last 30 bytes are missing", stage: open, file: ints(gen.Column{}), edit: func(b []byte) []byte { return b[:len(b)-30] }},
		length("zero", "footer length 0", func(_, _ uint32) uint32 { return 0 }),
		length("negative", "footer length -1", func(_, _ uint32) uint32 { return 1<<32 - 1 }),
		length("minimum", "footer length -2^31", func(_, _ uint32) uint32 { return 1 << 31 }),
		length("file", "footer as long as the file", func(_, file uint32) uint32 { return file }),
		length("magic", "footer that reaches into the leading magic", func(_, file uint32) uint32 { return file - 8 }),
		length("short", "footer one byte shorter than it is", func(n, _ uint32) uint32 { return n - 1 }),
		raw("garbage", "the footer is text", []byte("this is not a footer")...),
		raw("list_claims_2_31", "a schema list that claims 2^31-1 elements", 0x15, 4, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00),
		raw("list_claims_negative", "a row group list that claims -1 elements", 0x15, 4, 0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00),
		raw("list_of_nothing", "an unknown list of 2^31-1 booleans, a byte each, without a byte behind it", 0x09, 0x64, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07),
		raw("map_claims_2_31", "an unknown map that claims 2^31-1 entries", 0x0b, 0x64, 0xff, 0xff, 0xff, 0xff, 0x07, 0x11),
		raw("string_too_long", "created_by is longer than the rest", 0x68, 0xff, 0xff, 0xff, 0xff, 0x07, 'a', 0x00),
		raw("varint_endless", "a number of eleven bytes", 0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00),
		raw("nested_endless", "structs nested 2,000 deep", nested...),
		raw("no_stop", "the footer ends before its stop byte", 0x15, 4),
		raw("empty_struct", "the footer lacks every required field", 0x00),
		raw("unknown_type", "a field of type 14", 0x1e, 0x00),
	}
	return all
}

func badSchemas() []sample {
	meta := func(name, what string, edit func(*wire.FileMetaData)) sample {
		f := ints(gen.Column{})
		f.Footer = edit
		return sample{name: "schema_" + name, what: what, stage: bind, file: f}
	}
	n := func(v int32) *int32 { return &v }
	group := func(children int32) *wire.SchemaElement {
		rep := wire.FieldRepetitionType_OPTIONAL
		return &wire.SchemaElement{Name: "g", NumChildren: n(children), RepetitionType: &rep}
	}
	return []sample{
		meta("empty", "no schema elements, not even a root", func(m *wire.FileMetaData) { m.Schema = []*wire.SchemaElement{} }),
		meta("children_beyond", "the root claims more children than there are elements", func(m *wire.FileMetaData) { m.Schema[0].NumChildren = n(5) }),
		meta("children_2_31", "the root claims 2^31-1 children", func(m *wire.FileMetaData) { m.Schema[0].NumChildren = n(1<<31 - 1) }),
		meta("children_negative", "the root claims -1 children", func(m *wire.FileMetaData) { m.Schema[0].NumChildren = n(-1) }),
		meta("elements_left", "an element that belongs to no parent", func(m *wire.FileMetaData) { m.Schema = append(m.Schema, m.Schema[1]) }),
		meta("no_type", "a leaf without type", func(m *wire.FileMetaData) { m.Schema[1].Type = nil }),
		meta("fixed_without_length", "FIXED_LEN_BYTE_ARRAY without length", func(m *wire.FileMetaData) {
			t := wire.Type_FIXED_LEN_BYTE_ARRAY
			m.Schema[1].Type = &t
			m.RowGroups[0].Columns[0].MetaData.Type = t
		}),
		meta("endless", "groups nested 5,000 deep", func(m *wire.FileMetaData) {
			root, leaf := m.Schema[0], m.Schema[1]
			m.Schema = []*wire.SchemaElement{root}
			for range 5000 {
				m.Schema = append(m.Schema, group(1))
			}
			m.Schema = append(m.Schema, leaf)
		}),
		meta("unknown_physical_type", "a leaf of physical type 42", func(m *wire.FileMetaData) {
			t := wire.Type(42)
			m.Schema[1].Type = &t
			m.RowGroups[0].Columns[0].MetaData.Type = t
		}),
	}
}

func badChunks() []sample {
	chunk := func(name, what string, s stage, edit func(*wire.ColumnChunk)) sample {
		return sample{name: "chunk_" + name, what: what, stage: s, file: ints(gen.Column{Index: gen.NoIndex, Meta: edit})}
	}
	groups := func(name, what string, edit func(*wire.RowGroup)) sample {
		f := ints(gen.Column{Index: gen.NoIndex})
		f.RowGroups[0].Meta = edit
		return sample{name: "group_" + name, what: what, stage: bind, file: f}
	}
	return []sample{
		groups("no_chunks", "a row group without its column chunk", func(g *wire.RowGroup) { g.Columns = []*wire.ColumnChunk{} }),
		groups("chunks_too_many", "a row group with two chunks for one column", func(g *wire.RowGroup) { g.Columns = append(g.Columns, g.Columns[0]) }),
		groups("rows_negative", "num_rows is -1", func(g *wire.RowGroup) { g.NumRows = -1 }),
		chunk("no_metadata", "a chunk without metadata", bind, func(c *wire.ColumnChunk) { c.MetaData = nil }),
		chunk("other_type", "the chunk is INT64, the schema says INT32", bind, func(c *wire.ColumnChunk) { c.MetaData.Type = wire.Type_INT64 }),
		chunk("file_path", "the chunk lies in another file", bind, func(c *wire.ColumnChunk) { p := "other.parquet"; c.FilePath = &p }),
		chunk("offset_negative", "data_page_offset is -5", bind, func(c *wire.ColumnChunk) { c.MetaData.DataPageOffset = -5 }),
		chunk("offset_beyond", "data_page_offset lies behind the file", bind, func(c *wire.ColumnChunk) { c.MetaData.DataPageOffset = 1 << 40 }),
		chunk("size_negative", "total_compressed_size is -1", bind, func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize = -1 }),
		chunk("size_beyond", "total_compressed_size reaches behind the file", bind, func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize = 1 << 62 }),
		chunk("offset_overflow", "offset and size overflow in sum", bind, func(c *wire.ColumnChunk) {
			c.MetaData.DataPageOffset, c.MetaData.TotalCompressedSize = 1<<63-20, 1<<63-1
		}),
		chunk("values_negative", "num_values is -1", bind, func(c *wire.ColumnChunk) { c.MetaData.NumValues = -1 }),
		chunk("codec_unknown", "codec 99", read, func(c *wire.ColumnChunk) { c.MetaData.Codec = 99 }),
		chunk("codec_lzo", "codec LZO, which nothing here reads", read, func(c *wire.ColumnChunk) { c.MetaData.Codec = wire.CompressionCodec_LZO }),
		chunk("values_too_many", "the metadata promises 5 values, the pages hold 4", walk, func(c *wire.ColumnChunk) { c.MetaData.NumValues = 5 }),
		chunk("values_too_few", "the metadata promises 3 values, the pages hold 4", walk, func(c *wire.ColumnChunk) { c.MetaData.NumValues = 3 }),
		chunk("cut", "total_compressed_size ends in the only page", walk, func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize -= 6 }),
		{name: "group_rows_too_many", what: "the row group promises 5 rows, the column has 4", stage: walk, file: func() gen.File {
			f := ints(gen.Column{Index: gen.NoIndex})
			f.RowGroups[0].Meta = func(g *wire.RowGroup) { g.NumRows = 5 }
			return f
		}()},
	}
}

// onePage is a column of one page, and its values.
func onePage(node *gen.Node, c gen.Column, p gen.Page) gen.File {
	c.Pages, c.Index = []gen.Page{p}, gen.NoIndex
	return gen.File{Schema: []*gen.Node{node}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{c}}}}
}

func badLevels() []sample {
	optional, list := gen.Optional("a", gen.Int32), gen.List("a", gen.Optional("element", gen.Int32))
	page := func(def []byte, values ...int32) gen.Page {
		return gen.Page{DefBytes: def, Data: gen.Data{Def: make([]uint32, 4), Values: values}}
	}
	v1 := func(name, what string, node *gen.Node, p gen.Page) sample {
		return sample{name: "levels_" + name, what: what, stage: read, file: onePage(node, gen.Column{}, p)}
	}
	v2 := func(name, what string, edit func(*wire.DataPageHeaderV2)) sample {
		f := ints(gen.Column{Codec: gen.Snappy, Index: gen.NoIndex})
		f.RowGroups[0].Columns = []gen.Column{{Data: &gen.Data{Def: []uint32{1, 0, 1, 1}, Values: []int32{1, 3, 4}}}}
		c := &f.RowGroups[0].Columns[0]
		c.Pages = []gen.Page{{Shape: gen.Shape{Version: 2}, Data: *c.Data, Header: func(h *wire.PageHeader) { edit(h.DataPageHeaderV2) }}}
		return sample{name: "levels_v2_" + name, what: what, stage: read, file: f}
	}
	nested := func(rep, def []byte) gen.Page {
		return gen.Page{RepBytes: rep, DefBytes: def, Data: gen.Data{Rep: make([]uint32, 4), Def: []uint32{3, 3, 3, 3}, Values: []int32{1, 2, 3, 4}}}
	}
	levels := encode.HybridRuns
	rep := levels(nil, 1, []encode.Run{{Repeat: 4, Value: 0}})
	deep := gen.Optional("a", gen.Group, gen.Optional("b", gen.Int32))
	return []sample{
		v1("above_maximum", "definition level 3 where 2 is the maximum", deep, gen.Page{
			DefBytes: levels(nil, 2, []encode.Run{{Repeat: 4, Value: 3}}), Data: gen.Data{Def: make([]uint32, 4), Values: []int32{1, 2, 3, 4}}}),
		v1("run_of_nothing", "an RLE run of length 0 in front", optional, page([]byte{0, 1, 8, 1}, 1, 2, 3, 4)),
		v1("too_few", "definition levels for 2 of 4 values", optional, page(levels(nil, 1, []encode.Run{{Repeat: 2, Value: 1}}), 1, 2, 3, 4)),
		v1("none", "definition levels of no bytes for 4 values", optional, page([]byte{}, 1, 2, 3, 4)),
		v1("packed_cut", "a bit-packed run that ends before its values", deep, page([]byte{3})),
		v1("header_endless", "a run header of ten bytes", optional, page([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1}, 1, 2, 3, 4)),
		v1("prefix_beyond", "the length of the levels reaches behind the page", optional, gen.Page{
			Body: []byte{0xff, 0, 0, 0, 8, 1, 1, 0, 0, 0}, Data: gen.Data{Def: make([]uint32, 4)}}),
		v1("prefix_cut", "the page ends within the length of the levels", optional, gen.Page{Body: []byte{2, 0}, Data: gen.Data{Def: make([]uint32, 4)}}),
		v1("prefix_negative", "the length of the levels is -1", optional, gen.Page{
			Body: []byte{0xff, 0xff, 0xff, 0xff, 8, 1, 1, 0, 0, 0}, Data: gen.Data{Def: make([]uint32, 4)}}),
		v1("repetition_first", "the first row of the row group starts with repetition level 1", list,
			nested(levels(nil, 1, []encode.Run{{Repeat: 4, Value: 1}}), levels(nil, 2, []encode.Run{{Repeat: 4, Value: 3}}))),
		v1("repetition_too_few", "repetition levels for 2 of 4 values", list,
			nested(levels(nil, 1, []encode.Run{{Repeat: 2, Value: 0}}), levels(nil, 2, []encode.Run{{Repeat: 4, Value: 3}}))),
		v1("definition_too_few", "definition levels for 1 of 4 values of a list", list,
			nested(rep, levels(nil, 2, []encode.Run{{Repeat: 1, Value: 3}}))),
		v2("beyond", "level lengths of a v2 page reach behind the page", func(h *wire.DataPageHeaderV2) { h.DefinitionLevelsByteLength = 10_000 }),
		v2("negative", "a level length of -1", func(h *wire.DataPageHeaderV2) { h.DefinitionLevelsByteLength = -1 }),
		v2("overflow", "level lengths that overflow in sum", func(h *wire.DataPageHeaderV2) {
			h.DefinitionLevelsByteLength, h.RepetitionLevelsByteLength = 1<<31-1, 1<<31-1
		}),
	}
}
