package column

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

// encodings is more than the number of any encoding that is known.
//
//last:encoding bound
const encodings = wire.Encoding_ALP + 1

// isDictionary reports whether e says that values are dictionary codes.
func isDictionary(e wire.Encoding) bool {
	return e == wire.Encoding_RLE_DICTIONARY || e == wire.Encoding_PLAIN_DICTIONARY
}

// nameOf returns what e is called, or its number if it is none of the format's.
func nameOf(e wire.Encoding) string {
	if name := e.String(); name != "<UNSET>" {
		return name
	}
	return strconv.FormatInt(int64(e), 10)
}

// newDecoder returns a decoder for values of type t in encoding e.
//
//every:encoding decoder but BIT_PACKED PLAIN_DICTIONARY (levels only; loaded as RLE_DICTIONARY)
func newDecoder(t vector.Type, e wire.Encoding) (decoder, error) {
	var d decoder
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
		return nil, corrupt.NotSupported("values of type ", t.Physical, " in encoding ", nameOf(e))
	}
	return d, nil
}

//every:encoding decoder
func newNumbers[T encoding.Number](e wire.Encoding, of func(*vector.Vector) []T) decoder {
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
func newStrings(e wire.Encoding) decoder {
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

// newLong is for values of a fixed size that do not stand in a vector's Fixed.
//
//every:encoding decoder
func newLong(e wire.Encoding) decoder {
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
