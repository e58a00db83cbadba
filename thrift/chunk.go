package thrift

import (
	"bytes"
	"encoding/binary"
)

// ColumnChunk is the footer's entry of a column chunk. Bytes and text are
// views of the footer. Absent fields are zero; where a zero could be a value, a
// Has field says whether it is one.
type ColumnChunk struct {
	HasFilePath       bool
	HasMeta           bool // false without an EncryptedMeta is a writer's bug
	HasOffsetIndex    bool // it has an offset; the length may be 0
	HasColumnIndex    bool
	FilePath          string // of another file that holds the data
	FileOffset        int64  // writers disagree on its meaning
	OffsetIndexOffset int64
	OffsetIndexLength int32
	ColumnIndexLength int32
	ColumnIndexOffset int64
	Crypto            Crypto
	EncryptedMeta     []byte // nil if absent
	Meta              ColumnMetaData
}

// Crypto names the key that a column is encrypted with.
type Crypto struct {
	Kind        Arm      // 0 not encrypted, 1 footer key, 2 column key
	Path        []string // column key
	KeyMetadata []byte   // column key; nil if absent
}

// ColumnMetaData describes the bytes of a column chunk.
type ColumnMetaData struct {
	Type                Type
	Codec               Codec
	Encodings           []Encoding
	Path                []string // empty if absent: it repeats the schema
	NumValues           int64    // with nulls
	UncompressedSize    int64    // with page headers
	CompressedSize      int64    // with page headers
	KeyValues           KeyValues
	DataPageOffset      int64
	IndexPageOffset     int64
	DictionaryOffset    int64 // a chunk with 0 here may have a dictionary
	BloomFilterOffset   int64
	BloomFilterLength   int32
	HasIndexPageOffset  bool
	HasDictionaryOffset bool
	HasBloomFilter      bool // it has an offset
	HasBloomLength      bool
	HasStatistics       bool
	HasSizeStatistics   bool
	HasGeospatial       bool
	Statistics          Statistics
	EncodingStats       []PageEncodingStats // empty if absent
	SizeStatistics      SizeStatistics
	Geospatial          GeospatialStatistics

	front front
}

// A front is what the first bytes of a column's metadata say, which are the same in most row groups. The lists
// themselves stay where they were read to.
//
//	type encodings path_in_schema codec | num_values …
type front struct {
	bytes           []byte // nil: the lists hold something else
	typ             Type
	codec           Codec
	encodings, path int // elements of the lists
}

// PageEncodingStats counts the pages of a type with an encoding.
type PageEncodingStats struct {
	PageType PageType
	Encoding Encoding
	Count    int32
}

func (r *reader) columnChunk(c *ColumnChunk) {
	c.clear()
	var offset bool
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeBinary:
			c.FilePath, c.HasFilePath = r.text(), true
		case 2<<4 | typeI64:
			c.FileOffset, offset = r.i64(), true
		case 3<<4 | typeStruct:
			if c.HasMeta { // the field is there twice: the last one counts
				c.Meta = ColumnMetaData{}
			}
			r.columnMetaData(&c.Meta)
			c.HasMeta = true
		case 4<<4 | typeI64:
			c.OffsetIndexOffset, c.HasOffsetIndex = r.i64(), true
		case 5<<4 | typeI32:
			c.OffsetIndexLength = r.i32()
		case 6<<4 | typeI64:
			c.ColumnIndexOffset, c.HasColumnIndex = r.i64(), true
		case 7<<4 | typeI32:
			c.ColumnIndexLength = r.i32()
		case 8<<4 | typeStruct:
			r.crypto(&c.Crypto)
		case 9<<4 | typeBinary:
			c.EncryptedMeta = r.binary()
		default:
			r.skip(k)
		}
	}
	if !offset && r.err == nil {
		r.fail(r.at, "column chunk without file_offset")
	}
}

// AllDictionary reports whether the footer says that all data pages are
// encoded by the dictionary.
func (m *ColumnMetaData) AllDictionary() bool {
	pages := 0
	for _, s := range m.EncodingStats {
		if !s.PageType.IsData() || s.Count <= 0 {
			continue
		}
		if !s.Encoding.IsDictionary() {
			return false
		}
		pages++
	}
	if len(m.EncodingStats) > 0 {
		return pages > 0
	}
	some := false
	for _, e := range m.Encodings {
		switch {
		case e.IsDictionary():
			some = true
		case e != EncodingRLE && e != EncodingBitPacked:
			return false
		}
	}
	return some
}

// clear sets all fields to zero, but keeps the memory of the lists.
func (c *ColumnChunk) clear() {
	path, m := c.Crypto.Path, &c.Meta
	encodings, names, stats, front := m.Encodings, m.Path, m.EncodingStats, m.front
	repetition, definition := m.SizeStatistics.RepetitionHistogram, m.SizeStatistics.DefinitionHistogram
	types := m.Geospatial.Types
	*c = ColumnChunk{}
	c.Crypto.Path = path[:0]
	m.Encodings, m.Path, m.EncodingStats, m.front = encodings[:0], names[:0], stats[:0], front
	m.SizeStatistics.RepetitionHistogram, m.SizeStatistics.DefinitionHistogram = repetition[:0], definition[:0]
	m.Geospatial.Types = types[:0]
}

func (r *reader) columnMetaData(m *ColumnMetaData) {
	start, seen, last := r.at, uint32(0), int32(0)
	if x := &m.front; x.bytes != nil && bytes.HasPrefix(r.b[start:], x.bytes) {
		m.Type, m.Codec, m.Encodings, m.Path = x.typ, x.codec, m.Encodings[:x.encodings], m.Path[:x.path]
		r.at, seen, last = start+len(x.bytes), 1<<1|1<<2|1<<3|1<<4, 4<<4|typeI32
	}
	for k := r.field(last); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			m.Type = Type(r.i32())
		case 2<<4 | typeList:
			m.Encodings, m.front.bytes = m.Encodings[:0], nil
			for n := r.list(typeI32, 1); n > 0 && r.err == nil; n-- {
				m.Encodings = append(m.Encodings, Encoding(r.i32()))
			}
		case 3<<4 | typeList:
			m.Path, m.front.bytes = r.texts(m.Path), nil
		case 4<<4 | typeI32:
			if m.Codec = Codec(r.i32()); seen == 1<<1|1<<2|1<<3 && r.err == nil {
				m.front = front{r.b[start:r.at], m.Type, m.Codec, len(m.Encodings), len(m.Path)}
			}
		case 5<<4 | typeI64:
			m.NumValues = r.i64()
		case 6<<4 | typeI64:
			m.UncompressedSize = r.i64()
		case 7<<4 | typeI64:
			m.CompressedSize = r.i64()
		case 8<<4 | typeList:
			m.KeyValues = r.keyValues(k)
		case 9<<4 | typeI64:
			m.DataPageOffset = r.i64()
		case 10<<4 | typeI64:
			m.IndexPageOffset, m.HasIndexPageOffset = r.i64(), true
		case 11<<4 | typeI64:
			m.DictionaryOffset, m.HasDictionaryOffset = r.i64(), true
		case 12<<4 | typeStruct:
			r.optionalStatistics(&m.Statistics, &m.HasStatistics)
		case 13<<4 | typeList:
			m.EncodingStats = m.EncodingStats[:0]
			for n := r.list(typeStruct, 7); n > 0 && r.err == nil; n-- {
				m.EncodingStats = append(m.EncodingStats, r.pageEncodingStats())
			}
		case 14<<4 | typeI64:
			m.BloomFilterOffset, m.HasBloomFilter = r.i64(), true
		case 15<<4 | typeI32:
			m.BloomFilterLength, m.HasBloomLength = r.i32(), true
		case 16<<4 | typeStruct:
			r.sizeStatistics(&m.SizeStatistics)
			m.HasSizeStatistics = true
		case 17<<4 | typeStruct:
			r.geospatial(&m.Geospatial)
			m.HasGeospatial = true
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<4|1<<5|1<<6|1<<7|1<<9, "column metadata",
		"type encodings path_in_schema codec num_values total_uncompressed_size total_compressed_size "+
			"key_value_metadata data_page_offset")
}

// pageEncodingStats reads one, fast if its three fields are short and in this order:
//
//	15 type 15 encoding 15 count 00
func (r *reader) pageEncodingStats() (s PageEncodingStats) {
	const field, mask = 1<<4 | typeI32, 0x00_ff_80_ff_80_ff_80_ff
	if b := r.b[r.at:]; len(b) >= word {
		if x := binary.LittleEndian.Uint64(b); x&mask == field|field<<16|field<<32 {
			r.at += 7
			return PageEncodingStats{PageType(zigzag(x >> 8 & 0x7f)), Encoding(zigzag(x >> 24 & 0x7f)), int32(zigzag(x >> 40 & 0x7f))}
		}
	}
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			s.PageType = PageType(r.i32())
		case 2<<4 | typeI32:
			s.Encoding = Encoding(r.i32())
		case 3<<4 | typeI32:
			s.Count = r.i32()
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3, "page encoding stats", "page_type encoding count")
	return s
}

func (r *reader) crypto(c *Crypto) {
	*c = Crypto{Path: c.Path[:0]}
	c.Kind = r.union(ids(2), func(kind Arm) {
		if kind == 2 {
			r.columnKey(c)
		} else {
			r.empty()
		}
	})
}

func (r *reader) columnKey(c *Crypto) {
	c.Path, c.KeyMetadata = c.Path[:0], nil
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeList:
			c.Path = r.texts(c.Path)
		case 2<<4 | typeBinary:
			c.KeyMetadata = r.binary()
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1, "column key", "path_in_schema")
}

// KeyValues is a list of keys and values that Append decodes. It refers to the
// footer's bytes.
type KeyValues struct {
	footer []byte // up to the end of the list
	at     int
}

// KeyValue is a key, and a value that may be absent.
type KeyValue struct {
	Key, Value string
	HasValue   bool
}

// keyValues steps over the list with key k, and returns where it is.
func (r *reader) keyValues(k int32) KeyValues {
	start := r.at
	r.skip(k)
	return KeyValues{r.b[:r.at], start}
}

// Append appends the list to dst. Texts are views of the footer. Safe for concurrent use.
func (l KeyValues) Append(dst []KeyValue) ([]KeyValue, error) {
	if l.at == len(l.footer) {
		return dst, nil
	}
	r := reader{b: l.footer, at: l.at}
	for n := r.list(typeStruct, 3); n > 0 && r.err == nil; n-- {
		var kv KeyValue
		var keyed bool
		for k := r.field(0); k != 0; k = r.field(k) {
			switch k {
			case 1<<4 | typeBinary:
				kv.Key, keyed = r.text(), true
			case 2<<4 | typeBinary:
				kv.Value, kv.HasValue = r.text(), true
			default:
				r.skip(k)
			}
		}
		if !keyed && r.err == nil {
			r.fail(r.at, "key and value without key")
		}
		dst = append(dst, kv)
	}
	return dst, r.err
}
