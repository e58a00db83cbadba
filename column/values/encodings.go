package values

import (
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/alp"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/bss"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Encodings is above the number of each encoding that is known.
//
//last:encoding bound
const Encodings = wire.Encoding_ALP + 1

// IsDictionary reports whether e says that values are dictionary codes.
func IsDictionary(e wire.Encoding) bool {
	return e == wire.Encoding_RLE_DICTIONARY || e == wire.Encoding_PLAIN_DICTIONARY
}

// EncodingName returns the name of e, or its number if the format has no such encoding.
func EncodingName(e wire.Encoding) string {
	if name := e.String(); name != "<UNSET>" {
		return name
	}
	return strconv.FormatInt(int64(e), 10)
}

// NewDecoder returns a decoder for values of type t in encoding e.
//
//every:encoding decoder but BIT_PACKED PLAIN_DICTIONARY (levels only; loaded as RLE_DICTIONARY)
func NewDecoder(t vector.Type, e wire.Encoding) (Decoder, error) {
	var d Decoder
	switch t.Store() {
	case vector.InBools:
		switch e {
		case wire.Encoding_PLAIN:
			d = &booleans[plain.Bools, *plain.Bools]{}
		case wire.Encoding_RLE:
			d = &booleans[rle.Bools, *rle.Bools]{}
		}
	case vector.InInt32s:
		if d = newNumbers(e, int32s); d == nil && e == wire.Encoding_DELTA_BINARY_PACKED {
			d = numbersOf[int32, delta.Ints[int32]](int32s)
		}
	case vector.InInt64s:
		if d = newNumbers(e, int64s); d == nil && e == wire.Encoding_DELTA_BINARY_PACKED {
			d = numbersOf[int64, delta.Ints[int64]](int64s)
		}
	case vector.InFloats:
		if d = newNumbers(e, floats); d == nil && e == wire.Encoding_ALP {
			d = numbersOf[float32, alp.Numbers[float32]](floats)
		}
	case vector.InDoubles:
		if d = newNumbers(e, doubles); d == nil && e == wire.Encoding_ALP {
			d = numbersOf[float64, alp.Numbers[float64]](doubles)
		}
	case vector.InFixed:
		switch e {
		case wire.Encoding_PLAIN:
			d = &fixed[plain.Fixed, *plain.Fixed]{}
		case wire.Encoding_BYTE_STREAM_SPLIT:
			d = &fixed[bss.Fixed, *bss.Fixed]{}
		case wire.Encoding_DELTA_BYTE_ARRAY:
			d = &cached{from: &sized[delta.Fixed, *delta.Fixed]{}}
		case wire.Encoding_RLE_DICTIONARY:
			if t.Width() == 16 {
				d = &lookup[[16]byte]{of: sixteens}
			} else {
				d = &lookupFixed{}
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
		return nil, corrupt.NotSupported("values of type ", t.Physical, " in encoding ", EncodingName(e))
	}
	return d, nil
}

//every:encoding decoder
func newNumbers[T encoding.Number](e wire.Encoding, of func(*vector.Vector) []T) Decoder {
	switch e {
	case wire.Encoding_PLAIN:
		return numbersOf[T, plain.Numbers[T]](of)
	case wire.Encoding_BYTE_STREAM_SPLIT:
		return numbersOf[T, bss.Numbers[T]](of)
	case wire.Encoding_RLE_DICTIONARY:
		return &lookup[T]{of: of}
	}
	return nil
}

//every:encoding decoder
func newStrings(e wire.Encoding) Decoder {
	switch e {
	case wire.Encoding_PLAIN:
		return &byteArrays[plainStrings, *plainStrings]{}
	case wire.Encoding_DELTA_LENGTH_BYTE_ARRAY:
		return &byteArrays[deltaStrings, *deltaStrings]{}
	case wire.Encoding_DELTA_BYTE_ARRAY:
		return &cached{from: &prefixed{}}
	case wire.Encoding_RLE_DICTIONARY:
		return &lookupViews{lookup: lookup[bits.View]{}}
	}
	return nil
}

// newLong returns a decoder for FIXED_LEN_BYTE_ARRAYs that are too long for a vector's
// Fixed, and become views.
//
//every:encoding decoder
func newLong(e wire.Encoding) Decoder {
	switch e {
	case wire.Encoding_PLAIN:
		return &cached{from: &longPlain{}}
	case wire.Encoding_BYTE_STREAM_SPLIT:
		return &cached{from: &sized[bss.Fixed, *bss.Fixed]{}}
	case wire.Encoding_DELTA_BYTE_ARRAY:
		return &cached{from: &sized[delta.Fixed, *delta.Fixed]{}}
	case wire.Encoding_RLE_DICTIONARY:
		return &lookupViews{lookup: lookup[bits.View]{}}
	}
	return nil
}

// ShowsBody reports whether strings in an encoding are decoded to views of their page's
// body: those of other encodings are in a dictionary, or put together elsewhere.
//
//every:encoding shown body but RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BINARY_PACKED DELTA_BYTE_ARRAY BYTE_STREAM_SPLIT ALP (booleans; levels; codes; numbers; put together elsewhere)
func ShowsBody(e wire.Encoding) bool {
	return e == wire.Encoding_PLAIN || e == wire.Encoding_DELTA_LENGTH_BYTE_ARRAY
}

// GatherSpacing returns from which spacing of wanted values on gathering is no slower than
// decoding all: one in so many. Measured by BenchmarkGrid of package column, for each
// encoding; measure again when a decoder gets faster. Decoders of codes have their own.
//
//every:encoding gather cost but RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BYTE_ARRAY ALP (booleans; levels; codes; the usual 8)
func GatherSpacing(t vector.Type, e wire.Encoding) int {
	store := t.Store()
	if store == vector.InBools {
		return 1024 // whole words are handled either way
	}
	switch e {
	case wire.Encoding_PLAIN:
		if store == vector.InViews {
			return 9
		}
		return 1 // values are taken from where they stand, and runs of fixed size copied, either way
	case wire.Encoding_BYTE_STREAM_SPLIT:
		return 10
	case wire.Encoding_DELTA_LENGTH_BYTE_ARRAY:
		return delta.RareStrings() // all lengths are added up either way
	case wire.Encoding_DELTA_BINARY_PACKED:
		if store == vector.InInt32s {
			return 512 // twice as many as INT64s are dropped at once
		}
		return 128 // only blocks without a wanted value are saved
	}
	return 8
}
