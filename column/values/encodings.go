package values

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/alp"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/bss"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Encodings is above the number of each encoding that is known.
//
//last:encoding bound
const Encodings = thrift.EncodingALP + 1

// NewDecoder returns a decoder for values of type t in encoding e.
//
//every:encoding decoder but BIT_PACKED PLAIN_DICTIONARY (levels only; loaded as RLE_DICTIONARY)
func NewDecoder(t vector.Type, e thrift.Encoding) (Decoder, error) {
	var d Decoder
	switch t.Store() {
	case vector.InBools:
		switch e {
		case thrift.EncodingPlain:
			d = &booleans[plain.Bools, *plain.Bools]{}
		case thrift.EncodingRLE:
			d = &booleans[rle.Bools, *rle.Bools]{}
		}
	case vector.InInt32s:
		if d = newNumbers(e, int32s); d == nil && e == thrift.EncodingDeltaBinaryPacked {
			d = numbersOf[int32, delta.Ints[int32]](int32s)
		}
	case vector.InInt64s:
		if d = newNumbers(e, int64s); d == nil && e == thrift.EncodingDeltaBinaryPacked {
			d = numbersOf[int64, delta.Ints[int64]](int64s)
		}
	case vector.InFloats:
		if d = newNumbers(e, floats); d == nil && e == thrift.EncodingALP {
			d = numbersOf[float32, alp.Numbers[float32]](floats)
		}
	case vector.InDoubles:
		if d = newNumbers(e, doubles); d == nil && e == thrift.EncodingALP {
			d = numbersOf[float64, alp.Numbers[float64]](doubles)
		}
	case vector.InFixed:
		switch e {
		case thrift.EncodingPlain:
			d = &fixed[plain.Fixed, *plain.Fixed]{}
		case thrift.EncodingByteStreamSplit:
			d = &fixed[bss.Fixed, *bss.Fixed]{}
		case thrift.EncodingDeltaByteArray:
			d = &cached{from: &sized[delta.Fixed, *delta.Fixed]{}}
		case thrift.EncodingRLEDictionary:
			if t.Width() == 16 {
				d = &lookup[[16]byte]{of: sixteens}
			} else {
				d = &lookupFixed{lookup: lookup[byte]{of: fixedBytes}}
			}
		}
	case vector.InViews:
		if t.Physical == vector.FixedLenByteArray {
			d = newLong(e)
		} else {
			d = newStrings(e)
		}
	}
	if d == nil {
		return nil, corrupt.NotSupported("values of type ", t.Physical, " in encoding ", e)
	}
	return d, nil
}

//every:encoding decoder
func newNumbers[T encoding.Number](e thrift.Encoding, of func(*vector.Vector) []T) Decoder {
	switch e {
	case thrift.EncodingPlain:
		return numbersOf[T, plain.Numbers[T]](of)
	case thrift.EncodingByteStreamSplit:
		return numbersOf[T, bss.Numbers[T]](of)
	case thrift.EncodingRLEDictionary:
		return &lookup[T]{of: of}
	}
	return nil
}

//every:encoding decoder
func newStrings(e thrift.Encoding) Decoder {
	switch e {
	case thrift.EncodingPlain:
		return &byteArrays[plainStrings, *plainStrings]{}
	case thrift.EncodingDeltaLengthByteArray:
		return &byteArrays[deltaStrings, *deltaStrings]{}
	case thrift.EncodingDeltaByteArray:
		return &prefixed{}
	case thrift.EncodingRLEDictionary:
		return &lookupViews{lookup: lookup[bits.View]{of: views}}
	}
	return nil
}

// newLong returns a decoder for FIXED_LEN_BYTE_ARRAYs that are too long for a vector's
// Fixed, and become views.
//
//every:encoding decoder
func newLong(e thrift.Encoding) Decoder {
	switch e {
	case thrift.EncodingPlain:
		return &cached{from: &longPlain{}}
	case thrift.EncodingByteStreamSplit:
		return &cached{from: &sized[bss.Fixed, *bss.Fixed]{}}
	case thrift.EncodingDeltaByteArray:
		return &cached{from: &sized[delta.Fixed, *delta.Fixed]{}}
	case thrift.EncodingRLEDictionary:
		return &lookupViews{lookup: lookup[bits.View]{of: views}}
	}
	return nil
}

// ShowsBody reports whether strings in an encoding are decoded to views of their page's
// body: those of other encodings are in a dictionary, or put together elsewhere.
//
//every:encoding shown body but RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BINARY_PACKED DELTA_BYTE_ARRAY BYTE_STREAM_SPLIT ALP (booleans; levels; codes; numbers; put together elsewhere)
func ShowsBody(e thrift.Encoding) bool {
	return e == thrift.EncodingPlain || e == thrift.EncodingDeltaLengthByteArray
}

// GatherSpacing returns from which spacing of wanted values on gathering is no slower than
// decoding all: one in so many. Measured by BenchmarkGrid of package column, for each
// encoding; measure again when a decoder gets faster. Decoders of codes have their own.
//
//every:encoding gather cost but RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BYTE_ARRAY ALP (booleans; levels; codes; the usual 8)
func GatherSpacing(t vector.Type, e thrift.Encoding) int {
	store := t.Store()
	if store == vector.InBools {
		return 1024 // whole words are handled either way
	}
	switch e {
	case thrift.EncodingPlain:
		if store == vector.InViews {
			return 9
		}
		return 1 // values are taken from where they stand, and runs of fixed size copied, either way
	case thrift.EncodingByteStreamSplit:
		return 10
	case thrift.EncodingDeltaLengthByteArray:
		return delta.RareStrings() // all lengths are added up either way
	case thrift.EncodingDeltaBinaryPacked:
		if store == vector.InInt32s {
			return 512 // twice as many as INT64s are dropped at once
		}
		return 128 // only blocks without a wanted value are saved
	}
	return 8
}
