package pageindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/thrift"
)

// Column says how the values of a leaf compare, and which bounds of it to trust.
type Column struct {
	Leaf *schema.Node

	compare  comparison
	why      Reason // why min_value and max_value do not count, else Usable
	total    bool   // the file orders floats by IEEE 754 totalOrder
	sure     bool   // the file names the order
	signed   bool   // the deprecated min and max, in signed order, are right for the type
	nan      bool   // the type has NaN
	width    int    // bytes of a value; -1 if any number will do
	nonEmpty bool   // values have at least one byte
	spare    uint8  // high bits of an INT32 that an INT(8) or INT(16) does not have

	writer          writer.Writer
	traits          writer.Traits
	inChunk, inPage writer.Facts // what the writer is doubted for
}

// comparison is a way to compare two values in their PLAIN encoding.
type comparison uint8

const (
	noComparison comparison = iota
	asBool
	asInt32
	asInt64
	asUint32
	asUint64
	asFloat
	asDouble
	asFloat16
	asInt96
	asBytes
	asDecimal // big-endian two's complement of any lengths
)

// ColumnOf returns the Column of a leaf, given the leaf's entry in the footer's
// list of column orders: 0 if there is none.
func ColumnOf(leaf *schema.Node, order thrift.Arm) Column {
	t := leaf.Type
	c := Column{Leaf: leaf, compare: comparisonOf(t), width: -1}
	switch c.compare {
	case asBool:
		c.width = 1
	case asBytes, asDecimal:
		if t.Physical == vector.FixedLenByteArray {
			c.width = t.Width()
		}
		c.nonEmpty = c.compare == asDecimal
	default:
		c.width = t.Width()
	}
	if t.Logical == vector.Integer && t.Physical == vector.Int32 {
		c.spare = 32 - t.Bits
	}
	c.nan = c.compare == asFloat || c.compare == asDouble || c.compare == asFloat16

	switch {
	case c.compare == noComparison:
		c.why = NoOrder
	case order == thrift.OrderOfType:
		if c.sure = c.compare != asInt96; !c.sure {
			c.why = NoOrder
		}
	case order == thrift.OrderIEEE754 && c.nan:
		c.sure, c.total = true, true
	case order == thrift.OrderInt96Stamp && c.compare == asInt96:
		c.sure = true
	case order == 0 && c.signedNumber():
	case order == 0:
		c.why = OrderNotNamed
	default:
		c.why = UnknownOrder
	}
	c.signed = c.signedNumber() && c.compare != asBool && t.Logical != vector.Decimal
	return c
}

// comparisonOf returns how the format orders values of a type, INT96 by time.
//
//every:logical statistics order but MAP LIST (layouts)
func comparisonOf(t vector.Type) comparison {
	switch t.Logical {
	case vector.Null, vector.Interval, vector.Variant, vector.Geometry, vector.Geography, vector.File, vector.Unrecognised:
		return noComparison
	case vector.Decimal:
		if t.Physical == vector.ByteArray || t.Physical == vector.FixedLenByteArray {
			return asDecimal
		}
	case vector.Float16:
		return asFloat16
	case vector.Integer:
		switch {
		case t.Signed:
		case t.Physical == vector.Int32:
			return asUint32
		case t.Physical == vector.Int64:
			return asUint64
		}
	case vector.None, vector.String, vector.Enum, vector.JSON, vector.BSON, vector.Date, vector.Time, vector.Timestamp, vector.UUID:
		// As their physical type.
	default:
		return noComparison
	}
	switch t.Physical {
	case vector.Boolean:
		return asBool
	case vector.Int32:
		return asInt32
	case vector.Int64:
		return asInt64
	case vector.Int96:
		return asInt96
	case vector.Float:
		return asFloat
	case vector.Double:
		return asDouble
	case vector.ByteArray, vector.FixedLenByteArray:
		return asBytes
	}
	return noComparison
}

// signedNumber reports whether old writers, who compared by sign only and named
// no order, cannot have got the order wrong.
func (c *Column) signedNumber() bool {
	switch c.compare {
	case asBool, asInt32, asInt64, asFloat, asDouble:
		return true
	}
	return false
}

// Ordered reports whether values of the column have an order at all, so that
// Compare may be called.
func (c *Column) Ordered() bool { return c.compare != noComparison }

// fits reports whether plain can be a value of the column.
func (c *Column) fits(plain []byte) bool {
	switch {
	case c.width >= 0 && len(plain) != c.width, c.nonEmpty && len(plain) == 0:
		return false
	case c.compare == asBool:
		return plain[0] <= 1
	case c.compare == asUint32:
		return le32(plain)<<c.spare>>c.spare == le32(plain)
	case c.compare == asInt32:
		return int32(le32(plain))<<c.spare>>c.spare == int32(le32(plain))
	}
	return true
}

// DirtyHighBits reports whether values may have high bits that their type, an INT(8) or
// INT(16), does not have, unless sure bounds hold them all. Some writers store -1
// as 255, and readers agree that these bits mean nothing.
func (c *Column) DirtyHighBits(sure bool) bool { return c.spare > 0 && !sure }

// isNaN reports whether plain, which fits, is a NaN.
func (c *Column) isNaN(plain []byte) bool {
	switch c.compare {
	case asFloat:
		return binary.LittleEndian.Uint32(plain)&math.MaxInt32 > 0xff<<23
	case asDouble:
		return binary.LittleEndian.Uint64(plain)&math.MaxInt64 > 0x7ff<<52
	case asFloat16:
		return binary.LittleEndian.Uint16(plain)&math.MaxInt16 > 0x1f<<10
	}
	return false
}

// Compare compares two values in their PLAIN encoding, without length prefix,
// by what they mean: -1, 0 or 1. Both must fit the type and not be NaN; zeros
// of either sign are equal, and so are decimals of different lengths.
func (c *Column) Compare(a, b []byte) int {
	switch c.compare {
	case asBool:
		return cmp.Compare(a[0], b[0])
	case asInt32:
		return cmp.Compare(int32(le32(a)), int32(le32(b)))
	case asInt64:
		return cmp.Compare(int64(le64(a)), int64(le64(b)))
	case asUint32:
		return cmp.Compare(le32(a), le32(b))
	case asUint64:
		return cmp.Compare(le64(a), le64(b))
	case asFloat:
		return cmp.Compare(math.Float32frombits(le32(a)), math.Float32frombits(le32(b)))
	case asDouble:
		return cmp.Compare(math.Float64frombits(le64(a)), math.Float64frombits(le64(b)))
	case asFloat16:
		return cmp.Compare(vector.HalfToFloat(binary.LittleEndian.Uint16(a)), vector.HalfToFloat(binary.LittleEndian.Uint16(b)))
	case asInt96: // the moments
		dayA, nanosA := vector.SplitInt96(a)
		dayB, nanosB := vector.SplitInt96(b)
		return cmp.Or(cmp.Compare(dayA, dayB), cmp.Compare(nanosA, nanosB))
	case asDecimal:
		return compareDecimals(a, b)
	}
	return bytes.Compare(a, b)
}

// compareDecimals compares big-endian two's complement numbers. Without the
// bytes that only repeat the sign, the longer of two positive numbers is the
// greater, of two negative ones the smaller; of the same length and sign they
// compare as bytes.
func compareDecimals(a, b []byte) int {
	a, b = vector.Significant(a), vector.Significant(b)
	negative := a[0] >= 0x80
	if negative != (b[0] >= 0x80) {
		if negative {
			return -1
		}
		return 1
	}
	if byLength := cmp.Compare(len(a), len(b)); byLength != 0 {
		if negative {
			return -byLength
		}
		return byLength
	}
	return bytes.Compare(a, b)
}

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
