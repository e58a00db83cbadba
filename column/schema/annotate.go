package schema

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// maxScale bounds the scale of decimals, since each value is printed with as
// many digits. A decimal with a larger scale becomes vector.Unrecognised.
const maxScale = 4096

// leafType returns the type of a leaf. Its annotation is the LogicalType where
// there is one, else the ConvertedType.
func leafType(e *thrift.SchemaElement) (vector.Type, error) {
	if e.Type < thrift.TypeBoolean || e.Type > thrift.TypeFixedLenByteArray {
		return vector.Type{}, corrupt.At(-1, "has physical type ", int64(e.Type))
	}
	t := vector.Type{Physical: vector.Physical(e.Type)}
	if t.Physical == vector.FixedLenByteArray {
		if e.TypeLength <= 0 {
			return t, corrupt.At(-1, "has values of ", e.TypeLength, " bytes")
		}
		t.Length = e.TypeLength
	}
	var a vector.Type
	if useLogical(e) {
		a = fromLogical(&e.Logical)
	} else {
		a = fromConverted(e)
	}
	if !canAnnotate(t, a) {
		a = vector.Type{Logical: vector.Unrecognised}
	}
	a.Physical, a.Length = t.Physical, t.Length
	return a, nil
}

// useLogical reports whether e is annotated by its LogicalType rather than by its
// ConvertedType. A union without an arm, or with several, yields to a ConvertedType.
func useLogical(e *thrift.SchemaElement) bool {
	if e.Logical.Kind == thrift.Ambiguous {
		return !e.HasConverted
	}
	return e.Logical.Kind != 0
}

// fromLogical returns the annotation of a LogicalType.
//
//every:logical schema
func fromLogical(l *thrift.LogicalType) vector.Type {
	switch l.Kind {
	case thrift.LogicalString:
		return vector.Type{Logical: vector.String}
	case thrift.LogicalEnum:
		return vector.Type{Logical: vector.Enum}
	case thrift.LogicalJSON:
		return vector.Type{Logical: vector.JSON}
	case thrift.LogicalBSON:
		return vector.Type{Logical: vector.BSON}
	case thrift.LogicalDecimal:
		return vector.Type{Logical: vector.Decimal, Precision: l.Precision, Scale: l.Scale}
	case thrift.LogicalDate:
		return vector.Type{Logical: vector.Date}
	case thrift.LogicalTime:
		return vector.Type{Logical: vector.Time, Unit: unit(l.Unit), UTC: l.AdjustedToUTC}
	case thrift.LogicalTimestamp:
		return vector.Type{Logical: vector.Timestamp, Unit: unit(l.Unit), UTC: l.AdjustedToUTC}
	case thrift.LogicalInteger:
		return vector.Type{Logical: vector.Integer, Bits: uint8(l.BitWidth), Signed: l.Signed}
	case thrift.LogicalUnknown:
		return vector.Type{Logical: vector.Null}
	case thrift.LogicalUUID:
		return vector.Type{Logical: vector.UUID}
	case thrift.LogicalFloat16:
		return vector.Type{Logical: vector.Float16}
	case thrift.LogicalGeometry:
		return vector.Type{Logical: vector.Geometry}
	case thrift.LogicalGeography:
		return vector.Type{Logical: vector.Geography}
	}
	return vector.Type{Logical: vector.Unrecognised}
}

// onEarth returns what a GEOMETRY or GEOGRAPHY says of its coordinates and edges.
func onEarth(t vector.Logical, l *thrift.LogicalType) (crs, edges string) {
	switch t {
	case vector.Geometry:
		return l.CRS, ""
	case vector.Geography:
		if l.Edges < thrift.EdgesSpherical || l.Edges > thrift.EdgesKarney {
			return l.CRS, "" // of a format that is newer
		}
		return l.CRS, l.Edges.String()
	}
	return "", ""
}

// unit returns the unit of an arm of TimeUnit, 0 for an unknown one.
func unit(arm thrift.Arm) vector.Unit {
	switch arm {
	case thrift.Millis:
		return vector.Millis
	case thrift.Micros:
		return vector.Micros
	case thrift.Nanos:
		return vector.Nanos
	}
	return 0
}

// fromConverted returns the annotation of e's ConvertedType. Its times and
// timestamps are adjusted to UTC.
func fromConverted(e *thrift.SchemaElement) vector.Type {
	if !e.HasConverted {
		return vector.Type{}
	}
	integer := func(bits uint8, signed bool) vector.Type {
		return vector.Type{Logical: vector.Integer, Bits: bits, Signed: signed}
	}
	switch e.Converted {
	case thrift.ConvertedUTF8:
		return vector.Type{Logical: vector.String}
	case thrift.ConvertedEnum:
		return vector.Type{Logical: vector.Enum}
	case thrift.ConvertedDecimal:
		return vector.Type{Logical: vector.Decimal, Precision: e.Precision, Scale: e.Scale}
	case thrift.ConvertedDate:
		return vector.Type{Logical: vector.Date}
	case thrift.ConvertedTimeMillis:
		return vector.Type{Logical: vector.Time, Unit: vector.Millis, UTC: true}
	case thrift.ConvertedTimeMicros:
		return vector.Type{Logical: vector.Time, Unit: vector.Micros, UTC: true}
	case thrift.ConvertedTimestampMillis:
		return vector.Type{Logical: vector.Timestamp, Unit: vector.Millis, UTC: true}
	case thrift.ConvertedTimestampMicros:
		return vector.Type{Logical: vector.Timestamp, Unit: vector.Micros, UTC: true}
	case thrift.ConvertedUint8:
		return integer(8, false)
	case thrift.ConvertedUint16:
		return integer(16, false)
	case thrift.ConvertedUint32:
		return integer(32, false)
	case thrift.ConvertedUint64:
		return integer(64, false)
	case thrift.ConvertedInt8:
		return integer(8, true)
	case thrift.ConvertedInt16:
		return integer(16, true)
	case thrift.ConvertedInt32:
		return integer(32, true)
	case thrift.ConvertedInt64:
		return integer(64, true)
	case thrift.ConvertedJSON:
		return vector.Type{Logical: vector.JSON}
	case thrift.ConvertedBSON:
		return vector.Type{Logical: vector.BSON}
	case thrift.ConvertedInterval:
		return vector.Type{Logical: vector.Interval}
	}
	return vector.Type{Logical: vector.Unrecognised}
}

// canAnnotate reports whether a is a valid annotation of the physical type t. Any
// decimal precision from 0 on is valid: files understate it and leave it out.
//
//every:logical physical type but MAP LIST VARIANT FILE (of groups)
func canAnnotate(t, a vector.Type) bool {
	fixed := func(n int32) bool { return t.Physical == vector.FixedLenByteArray && t.Length == n }
	switch a.Logical {
	case vector.None, vector.Null:
		return true
	case vector.String, vector.Enum, vector.JSON, vector.BSON, vector.Geometry, vector.Geography:
		return t.Physical == vector.ByteArray
	case vector.Decimal:
		switch t.Physical {
		case vector.Int32, vector.Int64, vector.ByteArray, vector.FixedLenByteArray:
			return a.Precision >= 0 && a.Scale >= 0 && a.Scale <= maxScale
		}
	case vector.Date:
		return t.Physical == vector.Int32
	case vector.Time:
		if a.Unit == vector.Millis {
			return t.Physical == vector.Int32
		}
		return t.Physical == vector.Int64 && a.Unit != 0
	case vector.Timestamp:
		return t.Physical == vector.Int64 && a.Unit != 0
	case vector.Integer:
		switch a.Bits {
		case 8, 16, 32:
			return t.Physical == vector.Int32
		case 64:
			return t.Physical == vector.Int64
		}
	case vector.UUID:
		return fixed(16)
	case vector.Float16:
		return fixed(2)
	case vector.Interval:
		return fixed(12)
	}
	return false
}

// annotation is the annotation of a group.
type annotation uint8

const (
	noAnnotation annotation = iota
	isList
	isMap
	isVariant
	isFile
	isOther
)

// annotationOf returns the annotation of the group e. Old writers annotated maps
// as MAP_KEY_VALUE.
//
//every:logical schema
func annotationOf(e *thrift.SchemaElement) annotation {
	if useLogical(e) {
		switch e.Logical.Kind {
		case thrift.LogicalList:
			return isList
		case thrift.LogicalMap:
			return isMap
		case thrift.LogicalVariant:
			return isVariant
		case thrift.LogicalFile:
			return isFile
		}
		return isOther
	}
	if !e.HasConverted {
		return noAnnotation
	}
	switch e.Converted {
	case thrift.ConvertedList:
		return isList
	case thrift.ConvertedMap, thrift.ConvertedMapKeyValue:
		return isMap
	}
	return isOther
}
