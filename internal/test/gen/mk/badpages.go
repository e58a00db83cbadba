package main

import (
	"bytes"
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func badPages() []sample {
	header := func(name, what string, edit func(*wire.PageHeader)) sample {
		f := ints(gen.Column{Index: gen.NoIndex})
		f.RowGroups[0].Columns = []gen.Column{{Pages: []gen.Page{{
			Data: gen.Data{Def: []uint32{1, 0, 1, 1}, Values: []int32{1, 3, 4}}, Header: edit,
		}}}}
		return sample{name: "page_" + name, what: what, stage: walk, file: f}
	}
	zeros := gen.Data{Values: make([]int32, 1000)}
	body := func(name, what string, codec gen.Codec, compressed []byte, edit func(*wire.PageHeader)) sample {
		return sample{name: "body_" + name, what: what, stage: read, file: onePage(gen.Required("a", gen.Int32),
			gen.Column{Codec: codec}, gen.Page{Data: zeros, Compressed: compressed, Header: edit})}
	}
	declare := func(n int32) func(*wire.PageHeader) {
		return func(h *wire.PageHeader) { h.UncompressedPageSize = n }
	}
	crc := func(name string, version int) sample {
		return sample{name: "crc_" + name, what: "the second page's checksum is wrong, v" + name[1:], stage: read, file: func() gen.File {
			f := numbers(gen.Column{Codec: gen.Snappy, PageRows: []int{30}, Shape: gen.Shape{Version: version}})
			f.All.PageShapes = []gen.Shape{{}, {CRC: gen.WrongCRC}}
			return f
		}()}
	}
	return []sample{
		{name: "page_header_garbage", what: "the page header is text", stage: walk, file: ints(gen.Column{Index: gen.NoIndex}),
			edit: func(b []byte) []byte { copy(b[4:], "garbage, not a header"); return b }},
		header("size_negative", "compressed_page_size is -1", func(h *wire.PageHeader) { h.CompressedPageSize = -1 }),
		header("size_beyond", "compressed_page_size reaches behind the file", func(h *wire.PageHeader) { h.CompressedPageSize = 1<<31 - 1 }),
		header("raw_size_negative", "uncompressed_page_size is -1", func(h *wire.PageHeader) { h.UncompressedPageSize = -1 }),
		header("values_negative", "num_values is -1", func(h *wire.PageHeader) { h.DataPageHeader.NumValues = -1 }),
		header("values_2_31", "num_values is 2^31-1", func(h *wire.PageHeader) { h.DataPageHeader.NumValues = 1<<31 - 1 }),
		header("no_data_header", "a data page without its own header", func(h *wire.PageHeader) { h.DataPageHeader = nil }),
		header("other_header", "a dictionary page with a data page's header", func(h *wire.PageHeader) { h.Type = wire.PageType_DICTIONARY_PAGE }),
		crc("v1", 1), crc("v2", 2),
		{name: "crc_dictionary", what: "the dictionary page's checksum is wrong", stage: read, file: func() gen.File {
			f := numbers(gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}})
			f.All.DictionaryHeader = func(h *wire.PageHeader) { *h.Crc ^= 1 }
			return f
		}()},
		body("raw_size_differs", "an uncompressed page whose two sizes differ", gen.Uncompressed, nil, declare(4001)),
		body("snappy_bomb", "a SNAPPY page of a few bytes that declares 2^31-1", gen.Snappy, append([]byte{0xff, 0xff, 0xff, 0xff, 7}, 0, 'a'), declare(1<<31-1)),
		body("snappy_lies_long", "a SNAPPY page with less than the header promises", gen.Snappy, nil, declare(1<<20)),
		body("snappy_lies_short", "a SNAPPY page with more than the header promises", gen.Snappy, nil, declare(100)),
		body("snappy_garbage", "a SNAPPY page that is text", gen.Snappy, []byte("not a compressed page"), nil),
		body("zstd_bomb", "a ZSTD page that expands far beyond what is declared", gen.Zstd, zstdBomb(), declare(4000)),
		body("zstd_declared", "a ZSTD page of a few bytes that declares 2^31-1", gen.Zstd, nil, declare(1<<31-1)),
		body("zstd_garbage", "a ZSTD page that is text", gen.Zstd, []byte("not a compressed page"), nil),
		body("gzip_cut", "a GZIP page that ends early", gen.Gzip, []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x62"), nil),
		body("gzip_lies_short", "a GZIP page with more than the header promises", gen.Gzip, nil, declare(100)),
		body("brotli_lies_short", "a BROTLI page with more than the header promises", gen.Brotli, nil, declare(100)),
		body("lz4_raw_garbage", "an LZ4_RAW page that points in front of its start", gen.LZ4Raw, []byte{0x0f, 0xff, 0xff, 0xff, 0xff}, nil),
		body("lz4_lies_short", "an LZ4_RAW page with more than the header promises", gen.LZ4Raw, nil, declare(100)),
		body("lz4_hadoop_sizes", "an LZ4 page in Hadoop's framing whose sizes are 2^32-1", gen.LZ4Hadoop, bytes.Repeat([]byte{0xff}, 24), nil),
		body("empty", "a SNAPPY page of no bytes that declares 4,000", gen.Snappy, []byte{}, nil),
	}
}

// zstdBomb is one ZSTD frame without content size whose blocks repeat one byte
// 128 KiB each, 512 times: 64 MiB out of 2 KiB.
func zstdBomb() []byte {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38} // magic; no size, no checksum; window of 128 KiB
	for i := range 512 {
		block := uint32(1<<17)<<3 | 1<<1 // an RLE block
		if i == 511 {
			block |= 1
		}
		frame = append(frame, byte(block), byte(block>>8), byte(block>>16), 0)
	}
	return frame
}

func badValues() []sample {
	ints, longs, texts := gen.Required("a", gen.Int32), gen.Required("a", gen.Int64), gen.Required("a", gen.ByteArray)
	// values is a page of n slots with these bytes as its value part.
	values := func(name, what string, node *gen.Node, e gen.Encoding, n int, b []byte) sample {
		d := gen.Data{Values: make([]int32, n)}
		switch node.Type {
		case gen.Boolean:
			d.Values = make([]bool, n)
		case gen.Int64:
			d.Values = make([]int64, n)
		case gen.Double:
			d.Values = make([]float64, n)
		case gen.ByteArray:
			d.Values = make([]string, n)
		}
		f := onePage(node, gen.Column{Stats: gen.NoStats}, gen.Page{Shape: gen.Shape{Encoding: e}, Data: d, ValueBytes: b})
		return sample{name: "values_" + name, what: what, stage: read, file: f}
	}
	codes := func(name, what string, c gen.Column, p gen.Page) sample {
		p.Shape.Encoding = gen.Dictionary
		c.Stats = gen.NoStats
		return sample{name: "dictionary_" + name, what: what, stage: read, file: onePage(texts, c, p)}
	}
	words := gen.Column{Dictionary: []string{"a", "b", "c"}}
	four := gen.Data{Values: []string{"a", "b", "c", "a"}}
	delta := func(parts ...uint64) []byte {
		var b []byte
		for _, p := range parts {
			b = binary.AppendUvarint(b, p)
		}
		return b
	}
	strs := func(s ...string) (b [][]byte) {
		for _, x := range s {
			b = append(b, []byte(x))
		}
		return b
	}
	var noDictionary []byte
	noDictionary = append(noDictionary, 1)
	noDictionary = encode.Hybrid(noDictionary, 1, []uint32{0, 1, 0, 1})
	return []sample{
		codes("code_beyond_packed", "a bit-packed code 3 for 3 entries", words, gen.Page{Codes: []uint32{0, 1, 3, 2}, Data: four}),
		codes("code_beyond_run", "a run of code 3 for 3 entries", words, gen.Page{Codes: bytesOf(3, 40), Data: gen.Data{Values: make([]string, 40)}}),
		codes("code_with_empty", "a code, and a dictionary without entries", gen.Column{Dictionary: []string{}}, gen.Page{Codes: []uint32{0}, Data: gen.Data{Values: []string{""}}}),
		codes("width_33", "codes of 33 bits", words, gen.Page{ValueBytes: []byte{33, 8, 0, 0, 0, 0, 0}, Data: four}),
		codes("no_width", "a page of codes without a byte", words, gen.Page{ValueBytes: []byte{}, Data: four}),
		codes("too_few", "codes for 2 of 4 values", words, gen.Page{ValueBytes: encode.HybridRuns([]byte{2}, 2, []encode.Run{{Repeat: 2, Value: 1}}), Data: four}),
		values("no_dictionary", "codes without a dictionary page", texts, gen.Plain, 4, noDictionary).as(func(p *gen.Page) {
			p.Header = func(h *wire.PageHeader) { h.DataPageHeader.Encoding = wire.Encoding_RLE_DICTIONARY }
		}),
		{name: "dictionary_twice", what: "a second dictionary page between data pages", stage: walk, file: func() gen.File {
			f := onePage(texts, gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}}, gen.Page{Data: four})
			f.RowGroups[0].Columns[0].Pages = []gen.Page{{Data: four}, lateDictionary(), {Data: four}}
			return f
		}()},
		{name: "dictionary_late", what: "a dictionary page behind a data page", stage: walk, file: func() gen.File {
			f := onePage(texts, gen.Column{NoEncodingStats: true}, gen.Page{Data: four})
			f.RowGroups[0].Columns[0].Pages = []gen.Page{{Data: four}, lateDictionary(), {Data: four}}
			return f
		}()},
		{name: "dictionary_short", what: "the dictionary page promises 100 entries and has 3", stage: read, file: func() gen.File {
			c := words
			c.DictionaryHeader = func(h *wire.PageHeader) { h.DictionaryPageHeader.NumValues = 100 }
			c.Shape.Encoding = gen.Dictionary
			return onePage(texts, c, gen.Page{Data: four})
		}()},
		{name: "dictionary_encoding", what: "a dictionary page in DELTA_BYTE_ARRAY", stage: read, file: func() gen.File {
			c := words
			c.DictionaryHeader = func(h *wire.PageHeader) { h.DictionaryPageHeader.Encoding = wire.Encoding_DELTA_BYTE_ARRAY }
			c.Shape.Encoding = gen.Dictionary
			return onePage(texts, c, gen.Page{Data: four})
		}()},
		values("plain_short", "PLAIN INT32: 10 bytes for 3 values", ints, gen.Plain, 3, make([]byte, 10)),
		values("plain_bool_short", "PLAIN BOOLEAN: 1 byte for 9 values", gen.Required("a", gen.Boolean), gen.Plain, 9, []byte{1}),
		values("plain_string_beyond", "a string longer than the rest", texts, gen.Plain, 1, []byte{0xff, 0, 0, 0, 'a'}),
		values("plain_string_negative", "a string of length -1", texts, gen.Plain, 1, []byte{0xff, 0xff, 0xff, 0xff, 'a'}),
		values("plain_string_cut", "the page ends within a length", texts, gen.Plain, 2, []byte{1, 0, 0, 0, 'a', 1, 0}),
		values("encoding_unknown", "encoding 99", ints, gen.Plain, 1, make([]byte, 4)).as(func(p *gen.Page) {
			p.Header = func(h *wire.PageHeader) { h.DataPageHeader.Encoding = 99 }
		}),
		values("encoding_other_type", "DELTA_BINARY_PACKED for a string", texts, gen.Plain, 1, []byte{1, 0, 0, 0, 'a'}).as(func(p *gen.Page) {
			p.Header = func(h *wire.PageHeader) { h.DataPageHeader.Encoding = wire.Encoding_DELTA_BINARY_PACKED }
		}),
		values("rle_prefix_beyond", "RLE booleans whose length reaches behind the page", gen.Required("a", gen.Boolean), gen.RLE, 8, []byte{0xff, 0, 0, 0, 16, 1}),
		values("delta_block_100", "a delta block size that is no multiple of 128", ints, gen.DeltaBinaryPacked, 2, delta(100, 4, 2, 0, 0, 0)),
		values("delta_block_zero", "a delta block size of 0", ints, gen.DeltaBinaryPacked, 2, delta(0, 4, 2, 0, 0, 0)),
		values("delta_block_huge", "a delta block size of 2^40", ints, gen.DeltaBinaryPacked, 2, delta(1<<40, 1, 2, 0, 0, 0)),
		values("delta_miniblocks_zero", "no miniblocks", ints, gen.DeltaBinaryPacked, 2, delta(128, 0, 2, 0, 0, 0)),
		values("delta_miniblocks_odd", "three miniblocks for a block of 128", ints, gen.DeltaBinaryPacked, 2, delta(128, 3, 2, 0, 0, 0)),
		values("delta_count", "the delta header counts 2 values of 5", longs, gen.DeltaBinaryPacked, 5, encode.Delta{}.Int64s(nil, []int64{1, 2})),
		values("delta_width_65", "a miniblock of width 65", longs, gen.DeltaBinaryPacked, 2, append(delta(128, 4, 2, 0, 0), append([]byte{65, 0, 0, 0}, make([]byte, 300)...)...)),
		values("delta_cut", "a miniblock that ends early", longs, gen.DeltaBinaryPacked, 3, encode.Delta{}.Int64s(nil, []int64{1, 200, 5})[:12]),
		values("delta_length_negative", "a DELTA_LENGTH_BYTE_ARRAY length of -1", texts, gen.DeltaLengthByteArray, 2, append(encode.Delta{}.Int32s(nil, []int32{-1, 3}), "ab"...)),
		values("delta_length_beyond", "DELTA_LENGTH_BYTE_ARRAY lengths beyond the bytes", texts, gen.DeltaLengthByteArray, 2, append(encode.Delta{}.Int32s(nil, []int32{2, 3}), "ab"...)),
		values("delta_prefix_long", "a DELTA_BYTE_ARRAY prefix longer than the value before", texts, gen.DeltaByteArray, 2, encode.Delta{}.PrefixedByteArrays(nil, []int32{0, 9}, strs("ab", "c"))),
		values("delta_prefix_first", "the first DELTA_BYTE_ARRAY prefix is not 0", texts, gen.DeltaByteArray, 2, encode.Delta{}.PrefixedByteArrays(nil, []int32{1, 0}, strs("ab", "c"))),
		values("delta_prefix_negative", "a DELTA_BYTE_ARRAY prefix of -1", texts, gen.DeltaByteArray, 2, encode.Delta{}.PrefixedByteArrays(nil, []int32{0, -1}, strs("ab", "c"))),
		values("split_odd", "BYTE_STREAM_SPLIT of 13 bytes for DOUBLE", gen.Required("a", gen.Double), gen.ByteStreamSplit, 2, make([]byte, 13)),
		values("split_short", "BYTE_STREAM_SPLIT of 1 value where 2 are wanted", gen.Required("a", gen.Double), gen.ByteStreamSplit, 2, make([]byte, 8)),
	}
}

// lateDictionary is a dictionary page of one entry where a data page is due.
func lateDictionary() gen.Page {
	return gen.Page{
		Body: append(binary.LittleEndian.AppendUint32(nil, 1), 'z'), Data: gen.Data{Values: []string{}},
		Header: func(h *wire.PageHeader) {
			h.Type, h.DataPageHeader = wire.PageType_DICTIONARY_PAGE, nil
			h.DictionaryPageHeader = &wire.DictionaryPageHeader{NumValues: 1, Encoding: wire.Encoding_PLAIN}
		},
	}
}

// as edits the page of a file of one.
func (s sample) as(edit func(*gen.Page)) sample {
	edit(&s.file.RowGroups[0].Columns[0].Pages[0])
	return s
}

func bytesOf(code uint32, n int) []uint32 {
	codes := make([]uint32, n)
	for i := range codes {
		codes[i] = code
	}
	return codes
}
