package gen

import (
	"reflect"
	"slices"

	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A File describes a Parquet file. Its zero fields stand for what a plain,
// honest writer does.
type File struct {
	Schema    []*Node // children of the root
	RowGroups []RowGroup
	All       Column // settings that columns take where their own field is zero

	CreatedBy      string            // "" is "winnow gen"
	KeyValues      map[string]string // written in the order of the keys
	NoColumnOrders bool
	Footer         func(*wire.FileMetaData) // the last word on the footer
	Encryption     *Encryption              // nil: the file is plain
	Encrypted      bool                     // the footer is random bytes behind its crypto metadata, the magic is PARE
	Seed           uint64                   // of what is random: encrypted parts
}

// Rename returns a Footer that gives columns other names than those of the rows: several the same.
func Rename(name func(string) string) func(*wire.FileMetaData) {
	return func(m *wire.FileMetaData) {
		for _, e := range m.Schema {
			e.Name = name(e.Name)
		}
		for _, g := range m.RowGroups {
			for _, c := range g.Columns {
				for i, part := range c.MetaData.PathInSchema {
					c.MetaData.PathInSchema[i] = name(part)
				}
			}
		}
	}
}

// A RowGroup holds rows, from which its columns are cut, or columns with data of their own.
type RowGroup struct {
	Rows    []any    // Records
	Columns []Column // by leaf; with Rows it may be shorter
	Meta    func(*wire.RowGroup)
}

// A Column describes a column chunk. The data of its pages comes from the
// first of these that is set: Pages, Data, the Rows of the row group.
type Column struct {
	Shape      // of pages that do not say otherwise
	Codec      Codec
	Data       *Data
	Pages      []Page
	PageRows   []int   // rows of each page cut from Data or Rows; the last repeats. 0 makes an empty page
	PageSlots  []int   // the same in slots: pages may start in mid-row
	PageShapes []Shape // of the first pages so cut

	Dictionary     any  // entries, of the type of Data.Values; nil: the values in the order of their first appearance
	IndexWidth     int  // bits of dictionary codes; 0: as many as needed
	OldDictionary  bool // PLAIN_DICTIONARY as the encoding of the dictionary page
	HideDictionary bool // leave dictionary_page_offset out, let data_page_offset point to the dictionary

	Stats           Stats // of the chunk; 0: MinMax | NullCount
	Truncate        int   // bytes that bounds of byte arrays may have; 0: all
	SizeStats       bool
	NoEncodingStats bool
	Index           Index // 0: FullIndex
	Bloom           int   // bytes of the Bloom filter, 0: none
	BloomNoLength   bool  // leave bloom_filter_length out, as old writers do
	Encrypted       bool  // crypto metadata instead of metadata, the body is random bytes

	DictionaryHeader func(*wire.PageHeader) // these have the last word
	OffsetIndex      func(*wire.OffsetIndex)
	ColumnIndex      func(*wire.ColumnIndex)
	Meta             func(*wire.ColumnChunk)
}

// A Page describes a data page. What is nil is made from Data.
type Page struct {
	Shape
	Data
	Codes []uint32 // dictionary codes instead of those of Values

	RepBytes, DefBytes []byte // encoded levels, without length prefix
	ValueBytes         []byte // the whole value part
	Body               []byte // the whole body before compression; for v2 the levels must stand in Header
	Compressed         []byte // what stands in the file; Body's size is still what is declared

	Header func(*wire.PageHeader) // the last word
}

// A Shape is how a page is written. What is zero comes from the column, then from the file.
type Shape struct {
	Version      int // 1 (default) or 2
	Encoding     Encoding
	Delta        encode.Delta
	ALP          encode.ALP
	Levels       Levels
	Runs         Runs // of levels, dictionary codes and RLE booleans
	CRC          CRC
	PageStats    Stats // in the page's header; 0: none
	Uncompressed bool  // v2: is_compressed is false whatever the codec
}

// Encoding is the encoding of a page's values.
type Encoding uint8

//every:encoding writer but BIT_PACKED (levels only)
const (
	_     Encoding = iota
	Plain          // the default
	Dictionary
	PlainDictionary // the older name of Dictionary
	RLE             // booleans
	DeltaBinaryPacked
	DeltaLengthByteArray
	DeltaByteArray
	ByteStreamSplit
	ALP
	encodingsEnd // above all
)

// EncodingsOf returns the encodings that the format has for values of a type. Tests write and
// read all of them.
//
//every:encoding types but BIT_PACKED PLAIN_DICTIONARY (levels only; taken as RLE_DICTIONARY)
func EncodingsOf(t Type) []Encoding {
	switch t {
	case Boolean:
		return []Encoding{Plain, RLE}
	case Int32, Int64:
		return []Encoding{Plain, Dictionary, DeltaBinaryPacked, ByteStreamSplit}
	case Float, Double:
		return []Encoding{Plain, Dictionary, ByteStreamSplit, ALP}
	case ByteArray:
		return []Encoding{Plain, Dictionary, DeltaLengthByteArray, DeltaByteArray}
	case FixedLenByteArray:
		return []Encoding{Plain, Dictionary, DeltaByteArray, ByteStreamSplit}
	}
	return []Encoding{Plain, Dictionary} // INT96
}

// TypesOf returns the types that have e among their encodings.
func TypesOf(e Encoding) (types []Type) {
	for t := Boolean; t <= FixedLenByteArray; t++ {
		if slices.Contains(EncodingsOf(t), e) {
			types = append(types, t)
		}
	}
	return types
}

// Levels is the encoding of a v1 page's levels.
type Levels uint8

const (
	_ Levels = iota
	RLELevels
	BitPacked    // most significant bit first, as the format says
	BitPackedLSB // the same name over the other order, as some old writers had it
)

// Runs is the shape of RLE data.
type Runs uint8

const (
	_          Runs = iota
	CommonRuns      // as common writers choose them
	OnlyRLE
	OnlyPacked
	MixedRuns // both kinds of many lengths, down to 1
	CutRuns   // one packed run whose last group lacks its unused bytes
)

// CRC is the state of a page's checksum.
type CRC uint8

const (
	_ CRC = iota
	RightCRC
	WrongCRC
	NoCRC
	ZeroCRC // 0, as Parquet.jl writes it
)

// Stats is a set of statistics.
type Stats uint16

const (
	NoStats    Stats = 1 << iota
	MinMax           // min_value and max_value
	Deprecated       // min and max, in signed order
	Exactness        // the exactness flags
	NullCount
	NaNCount
	Distinct
)

// Index is the set of page indexes of a chunk.
type Index uint8

const (
	NoIndex Index = 1 << iota
	OffsetIndex
	ColumnIndex
	FullIndex = OffsetIndex | ColumnIndex
)

// Order is the column order of a leaf.
type Order uint8

const (
	TypeOrder Order = iota
	IEEE754Order
	Int96Order
	BytesOrder // bounds by bytes of a type that has no order; the footer names TypeOrder
)

// Written is a file and where its parts lie.
type Written struct {
	Bytes  []byte
	Footer *wire.FileMetaData
	Pages  [][][]Span // by row group, column and page, dictionary pages included
}

// A Span is the place of a page: its header from Start to Body, its body from Body to End. Size is the
// body's before compression.
type Span struct{ Start, Body, End, Size int64 }

// inherit sets the zero fields of the struct that dst points to from src.
func inherit[T any](dst *T, src T) { inheritFields(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src)) }

func inheritFields(dst, src reflect.Value) {
	for i := range dst.NumField() {
		d, s := dst.Field(i), src.Field(i)
		switch {
		case d.Type() == reflect.TypeFor[Shape]():
			inheritFields(d, s)
		case d.IsZero():
			d.Set(s)
		}
	}
}
