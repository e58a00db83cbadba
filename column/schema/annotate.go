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
	if !canAnnotate(t, a) || a.Logical == vector.Timestamp && t.Length > 0 && !useLogical(e) { // converted ones are in 64 bits
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
	arms := [...]vector.Logical{
		thrift.LogicalString: vector.String, thrift.LogicalEnum: vector.Enum, thrift.LogicalJSON: vector.JSON,
		thrift.LogicalBSON: vector.BSON, thrift.LogicalDecimal: vector.Decimal, thrift.LogicalDate: vector.Date,
		thrift.LogicalTime: vector.Time, thrift.LogicalTimestamp: vector.Timestamp, thrift.LogicalInteger: vector.Integer,
		thrift.LogicalUnknown: vector.Null, thrift.LogicalUUID: vector.UUID, thrift.LogicalFloat16: vector.Float16,
		thrift.LogicalGeometry: vector.Geometry, thrift.LogicalGeography: vector.Geography,
	}
	t := vector.Type{Logical: vector.Unrecognised}
	if l.Kind > 0 && int(l.Kind) < len(arms) && arms[l.Kind] != vector.None {
		t.Logical = arms[l.Kind]
	}
	switch t.Logical {
	case vector.Decimal:
		t.Precision, t.Scale = l.Precision, l.Scale
	case vector.Time, vector.Timestamp:
		t.Unit, t.UTC = unit(l.Unit), l.AdjustedToUTC
	case vector.Integer:
		t.Bits, t.Signed = uint8(l.BitWidth), l.Signed
	}
	return t
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
	switch {
	case !e.HasConverted:
		return vector.Type{}
	case e.Converted < 0 || e.Converted > thrift.ConvertedInterval:
		return vector.Type{Logical: vector.Unrecognised}
	}
	t := [...]vector.Type{
		thrift.ConvertedUTF8:            {Logical: vector.String},
		thrift.ConvertedMap:             {Logical: vector.Unrecognised}, // of groups, as the next two
		thrift.ConvertedMapKeyValue:     {Logical: vector.Unrecognised},
		thrift.ConvertedList:            {Logical: vector.Unrecognised},
		thrift.ConvertedEnum:            {Logical: vector.Enum},
		thrift.ConvertedDecimal:         {Logical: vector.Decimal},
		thrift.ConvertedDate:            {Logical: vector.Date},
		thrift.ConvertedTimeMillis:      {Logical: vector.Time, Unit: vector.Millis, UTC: true},
		thrift.ConvertedTimeMicros:      {Logical: vector.Time, Unit: vector.Micros, UTC: true},
		thrift.ConvertedTimestampMillis: {Logical: vector.Timestamp, Unit: vector.Millis, UTC: true},
		thrift.ConvertedTimestampMicros: {Logical: vector.Timestamp, Unit: vector.Micros, UTC: true},
		thrift.ConvertedUint8:           {Logical: vector.Integer, Bits: 8},
		thrift.ConvertedUint16:          {Logical: vector.Integer, Bits: 16},
		thrift.ConvertedUint32:          {Logical: vector.Integer, Bits: 32},
		thrift.ConvertedUint64:          {Logical: vector.Integer, Bits: 64},
		thrift.ConvertedInt8:            {Logical: vector.Integer, Bits: 8, Signed: true},
		thrift.ConvertedInt16:           {Logical: vector.Integer, Bits: 16, Signed: true},
		thrift.ConvertedInt32:           {Logical: vector.Integer, Bits: 32, Signed: true},
		thrift.ConvertedInt64:           {Logical: vector.Integer, Bits: 64, Signed: true},
		thrift.ConvertedJSON:            {Logical: vector.JSON},
		thrift.ConvertedBSON:            {Logical: vector.BSON},
		thrift.ConvertedInterval:        {Logical: vector.Interval},
	}[e.Converted]
	if t.Logical == vector.Decimal {
		t.Precision, t.Scale = e.Precision, e.Scale
	}
	return t
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
		return (t.Physical == vector.Int64 || fixed(12)) && a.Unit != 0
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

// annotationOf returns the annotation of the group e as an arm of LogicalType: 0 if there is
// none, Ambiguous if it is none of a group. Old writers annotated maps as MAP_KEY_VALUE.
func annotationOf(e *thrift.SchemaElement) thrift.Arm {
	switch {
	case useLogical(e):
		return e.Logical.Kind
	case !e.HasConverted:
		return 0
	case e.Converted == thrift.ConvertedList:
		return thrift.LogicalList
	case e.Converted == thrift.ConvertedMap || e.Converted == thrift.ConvertedMapKeyValue:
		return thrift.LogicalMap
	}
	return thrift.Ambiguous
}
