package pageindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/thrift"
)

// Column knows how the values of a leaf compare, and which of its bounds to trust.
// It is safe for concurrent use.
type Column struct {
	Leaf *schema.Node

	compare         comparison
	unusable        Reason // why min_value and max_value are not used, else Usable
	totalOrder      bool   // the file orders floats by IEEE 754 totalOrder
	orderNamed      bool   // the file names the order
	signedOrderSafe bool   // the deprecated min and max, in signed order, are correct for the type
	hasNaN          bool   // the type has NaN
	width           int    // bytes of a value; -1 if it varies
	nonEmpty        bool   // values have at least one byte
	unusedBits      uint8  // high bits of an INT32 that its INT(8) or INT(16) does not use

	writer          writer.Writer
	traits          writer.Traits
	inChunk, inPage writer.Facts // what the writer is known to get wrong
}

// comparison is how two values in PLAIN encoding compare.
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
	asDecimal // big-endian two's complement of any length
	asLongStamp
)

// ColumnOf returns the Column of a leaf. order is the leaf's entry in the footer's
// column_orders, 0 if there is none.
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
		c.unusedBits = 32 - t.Bits
	}
	c.hasNaN = c.compare == asFloat || c.compare == asDouble || c.compare == asFloat16

	switch {
	case c.compare == noComparison:
		c.unusable = NoOrder
	case order == thrift.OrderOfType:
		if c.orderNamed = c.compare != asInt96; !c.orderNamed {
			c.unusable = NoOrder
		}
	case order == thrift.OrderIEEE754 && c.hasNaN:
		c.orderNamed, c.totalOrder = true, true
	case order == thrift.OrderInt96Stamp && c.compare == asInt96:
		c.orderNamed = true
	case order == 0 && c.signedNumber():
	case order == 0:
		c.unusable = OrderNotNamed
	default:
		c.unusable = UnknownOrder
	}
	c.signedOrderSafe = c.signedNumber() && c.compare != asBool && t.Logical != vector.Decimal
	return c
}

// ColumnOfFile returns the Column of a leaf in a file, given the file's footer and writer.
func ColumnOfFile(f *thrift.Footer, w writer.Writer, leaf *schema.Node) Column {
	order := thrift.Arm(0)
	if leaf.FirstLeaf < len(f.ColumnOrders) {
		order = f.ColumnOrders[leaf.FirstLeaf]
	}
	return ColumnOf(leaf, order).WrittenBy(w)
}

// comparisonOf returns the format's order of a type, and order by time for INT96.
//
//every:logical statistics order but MAP LIST (layouts)
func comparisonOf(t vector.Type) comparison {
	switch t.Logical {
	case vector.Timestamp:
		if t.IsLongStamp() {
			return asLongStamp
		}
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
	case vector.None, vector.String, vector.Enum, vector.JSON, vector.BSON, vector.Date, vector.Time, vector.UUID:
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

// signedNumber reports whether the type's order is signed comparison: the only
// one that writers used before files named a column order.
func (c *Column) signedNumber() bool {
	switch c.compare {
	case asBool, asInt32, asInt64, asFloat, asDouble:
		return true
	}
	return false
}

// Ordered reports whether values of the column have an order. Compare must not be
// called for others.
func (c *Column) Ordered() bool { return c.compare != noComparison }

// fits reports whether plain can be a value of the column.
func (c *Column) fits(plain []byte) bool {
	switch {
	case c.width >= 0 && len(plain) != c.width, c.nonEmpty && len(plain) == 0:
		return false
	case c.compare == asBool:
		return plain[0] <= 1
	case c.compare == asInt96: // writers compare days first, so days with more nanoseconds would have other bounds
		return le64(plain) < 86400e9
	case c.compare == asUint32:
		return le32(plain)<<c.unusedBits>>c.unusedBits == le32(plain)
	case c.compare == asInt32:
		return int32(le32(plain))<<c.unusedBits>>c.unusedBits == int32(le32(plain))
	}
	return true
}

// DirtyHighBits reports whether stored values may have high bits set that their
// type, an INT(8) or INT(16), does not use. sure is Bounds.Sure: such bounds
// exclude it. Some writers store -1 as 255; readers ignore these bits.
func (c *Column) DirtyHighBits(sure bool) bool { return c.unusedBits > 0 && !sure }

// IsNaN reports whether plain is NaN. plain must fit the type.
func (c *Column) IsNaN(plain []byte) bool {
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

// Compare compares two values in PLAIN encoding without length prefix and returns
// -1, 0 or 1. Both must fit the type and not be NaN. Zeros of either sign are
// equal, as are encodings of one decimal with different lengths.
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
	case asInt96: // by time
		dayA, nanosA := vector.SplitInt96(a)
		dayB, nanosB := vector.SplitInt96(b)
		return cmp.Or(cmp.Compare(dayA, dayB), cmp.Compare(nanosA, nanosB))
	case asDecimal:
		return pred.CompareDecimals(a, b)
	case asLongStamp:
		return vector.CompareLongStamps(a, b)
	}
	return bytes.Compare(a, b)
}

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
