package thrift

import (
	"strconv"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// The enumerations of the format. A constant stands for each number that parquet.thrift has, whose
// name generated code knows; any other number is kept as it is, and is its own text.

// Type is a physical type.
type Type int32

// The physical types.
const (
	TypeBoolean           Type = 0
	TypeInt32             Type = 1
	TypeInt64             Type = 2
	TypeInt96             Type = 3 // only old timestamps
	TypeFloat             Type = 4
	TypeDouble            Type = 5
	TypeByteArray         Type = 6
	TypeFixedLenByteArray Type = 7
)

// String returns the format's name of t, or its number.
func (t Type) String() string { return nameOf(t, wire.Type(t).String()) }

// Encoding is how the values or the levels of a page are encoded.
type Encoding int32

// The encodings.
//
//every:encoding constant
const (
	EncodingPlain                Encoding = 0
	EncodingPlainDictionary      Encoding = 2
	EncodingRLE                  Encoding = 3
	EncodingBitPacked            Encoding = 4
	EncodingDeltaBinaryPacked    Encoding = 5
	EncodingDeltaLengthByteArray Encoding = 6
	EncodingDeltaByteArray       Encoding = 7
	EncodingRLEDictionary        Encoding = 8
	EncodingByteStreamSplit      Encoding = 9
	EncodingALP                  Encoding = 10
)

// String returns the format's name of e, or its number.
func (e Encoding) String() string { return nameOf(e, wire.Encoding(e).String()) }

// IsDictionary reports whether the values of a page are codes of a dictionary. Writers mix the two names.
func (e Encoding) IsDictionary() bool {
	return e == EncodingRLEDictionary || e == EncodingPlainDictionary
}

// Codec is how the bodies of a column chunk's pages are compressed.
type Codec int32

// The codecs.
//
//every:codec constant
const (
	CodecUncompressed Codec = 0
	CodecSnappy       Codec = 1
	CodecGzip         Codec = 2
	CodecLZO          Codec = 3
	CodecBrotli       Codec = 4
	CodecLZ4          Codec = 5 // Hadoop's framing, or none at all
	CodecZstd         Codec = 6
	CodecLZ4Raw       Codec = 7
)

// String returns the format's name of c, or its number.
func (c Codec) String() string { return nameOf(c, wire.CompressionCodec(c).String()) }

// PageType says what a page holds.
type PageType int32

// The types of pages.
const (
	DataPage       PageType = 0
	IndexPage      PageType = 1
	DictionaryPage PageType = 2
	DataPageV2     PageType = 3
)

// String returns the format's name of t, or its number.
func (t PageType) String() string { return nameOf(t, wire.PageType(t).String()) }

// IsData reports whether the page has values or codes of rows, rather than a dictionary.
func (t PageType) IsData() bool { return t == DataPage || t == DataPageV2 }

// Repetition says how often a node of the schema occurs in its parent.
type Repetition int32

// The repetitions.
const (
	Required Repetition = 0
	Optional Repetition = 1
	Repeated Repetition = 2
)

// String returns the format's name of r, or its number.
func (r Repetition) String() string { return nameOf(r, wire.FieldRepetitionType(r).String()) }

// BoundaryOrder is how the bounds of a column index are ordered.
type BoundaryOrder int32

// The orders of bounds.
const (
	Unordered  BoundaryOrder = 0
	Ascending  BoundaryOrder = 1
	Descending BoundaryOrder = 2
)

// String returns the format's name of o, or its number.
func (o BoundaryOrder) String() string { return nameOf(o, wire.BoundaryOrder(o).String()) }

// ConvertedType is the older annotation of a type; a LogicalType counts more.
type ConvertedType int32

// The converted types.
const (
	ConvertedUTF8            ConvertedType = 0
	ConvertedMap             ConvertedType = 1
	ConvertedMapKeyValue     ConvertedType = 2
	ConvertedList            ConvertedType = 3
	ConvertedEnum            ConvertedType = 4
	ConvertedDecimal         ConvertedType = 5
	ConvertedDate            ConvertedType = 6
	ConvertedTimeMillis      ConvertedType = 7
	ConvertedTimeMicros      ConvertedType = 8
	ConvertedTimestampMillis ConvertedType = 9
	ConvertedTimestampMicros ConvertedType = 10
	ConvertedUint8           ConvertedType = 11
	ConvertedUint16          ConvertedType = 12
	ConvertedUint32          ConvertedType = 13
	ConvertedUint64          ConvertedType = 14
	ConvertedInt8            ConvertedType = 15
	ConvertedInt16           ConvertedType = 16
	ConvertedInt32           ConvertedType = 17
	ConvertedInt64           ConvertedType = 18
	ConvertedJSON            ConvertedType = 19
	ConvertedBSON            ConvertedType = 20
	ConvertedInterval        ConvertedType = 21
)

// String returns the format's name of t, or its number.
func (t ConvertedType) String() string { return nameOf(t, wire.ConvertedType(t).String()) }

// EdgeInterpolation is how the edges of a GEOGRAPHY lie between their ends.
type EdgeInterpolation int32

// The interpolations of edges.
const (
	EdgesSpherical EdgeInterpolation = 0
	EdgesVincenty  EdgeInterpolation = 1
	EdgesThomas    EdgeInterpolation = 2
	EdgesAndoyer   EdgeInterpolation = 3
	EdgesKarney    EdgeInterpolation = 4
)

// String returns the format's name of i, or its number.
func (i EdgeInterpolation) String() string {
	return nameOf(i, wire.EdgeInterpolationAlgorithm(i).String())
}

// nameOf returns the name that generated code has for n, or n as text if that has none.
func nameOf[N ~int32](n N, generated string) string {
	if generated == "<UNSET>" {
		return strconv.Itoa(int(n))
	}
	return generated
}
