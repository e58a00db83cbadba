package gen

import "github.com/winnow-scan/winnow/thrift/wire"

// Kind is a logical type without its parameters.
type Kind uint8

//every:logical writer
const (
	KindNone Kind = iota
	KindString
	KindMap
	KindMapKeyValue // only as a converted type
	KindList
	KindEnum
	KindDecimal
	KindDate
	KindTime
	KindTimestamp
	KindInt
	KindUnknown
	KindJSON
	KindBSON
	KindUUID
	KindFloat16
	KindVariant
	KindGeometry
	KindGeography
	KindFile
	KindInterval // only as a converted type
)

// Unit is the unit of a time or timestamp.
type Unit uint8

const (
	Millis Unit = iota
	Micros
	Nanos
)

// Annotation says which of the two ways to annotate a node are written.
type Annotation uint8

const (
	BothNotes Annotation = iota
	LogicalOnly
	ConvertedOnly
)

// Logical is a logical type.
type Logical struct {
	Kind             Kind
	Precision, Scale int32
	Unit             Unit
	UTC              bool
	Bits             int8
	Signed           bool
	CRS              string
}

func StringType() Logical   { return Logical{Kind: KindString} }
func ListType() Logical     { return Logical{Kind: KindList} }
func MapType() Logical      { return Logical{Kind: KindMap} }
func EnumType() Logical     { return Logical{Kind: KindEnum} }
func DateType() Logical     { return Logical{Kind: KindDate} }
func JSONType() Logical     { return Logical{Kind: KindJSON} }
func BSONType() Logical     { return Logical{Kind: KindBSON} }
func UUIDType() Logical     { return Logical{Kind: KindUUID} }
func Float16Type() Logical  { return Logical{Kind: KindFloat16} }
func UnknownType() Logical  { return Logical{Kind: KindUnknown} }
func IntervalType() Logical { return Logical{Kind: KindInterval} }

func DecimalType(precision, scale int32) Logical {
	return Logical{Kind: KindDecimal, Precision: precision, Scale: scale}
}
func TimeType(u Unit, utc bool) Logical      { return Logical{Kind: KindTime, Unit: u, UTC: utc} }
func TimestampType(u Unit, utc bool) Logical { return Logical{Kind: KindTimestamp, Unit: u, UTC: utc} }
func IntType(bits int8, signed bool) Logical {
	return Logical{Kind: KindInt, Bits: bits, Signed: signed}
}

// thrift returns l as the union writes it; nil where the union has no such arm.
//
//every:logical writer union
func (l Logical) thrift() *wire.LogicalType {
	var unit wire.TimeUnit
	switch l.Unit {
	case Millis:
		unit.MILLIS = &wire.MilliSeconds{}
	case Micros:
		unit.MICROS = &wire.MicroSeconds{}
	case Nanos:
		unit.NANOS = &wire.NanoSeconds{}
	}
	var crs *string
	if l.CRS != "" {
		crs = &l.CRS
	}
	switch l.Kind {
	case KindString:
		return &wire.LogicalType{STRING: &wire.StringType{}}
	case KindMap:
		return &wire.LogicalType{MAP: &wire.MapType{}}
	case KindList:
		return &wire.LogicalType{LIST: &wire.ListType{}}
	case KindEnum:
		return &wire.LogicalType{ENUM: &wire.EnumType{}}
	case KindDecimal:
		return &wire.LogicalType{DECIMAL: &wire.DecimalType{Scale: l.Scale, Precision: l.Precision}}
	case KindDate:
		return &wire.LogicalType{DATE: &wire.DateType{}}
	case KindTime:
		return &wire.LogicalType{TIME: &wire.TimeType{IsAdjustedToUTC: l.UTC, Unit: &unit}}
	case KindTimestamp:
		return &wire.LogicalType{TIMESTAMP: &wire.TimestampType{IsAdjustedToUTC: l.UTC, Unit: &unit}}
	case KindInt:
		return &wire.LogicalType{INTEGER: &wire.IntType{BitWidth: l.Bits, IsSigned: l.Signed}}
	case KindUnknown:
		return &wire.LogicalType{UNKNOWN: &wire.NullType{}}
	case KindJSON:
		return &wire.LogicalType{JSON: &wire.JsonType{}}
	case KindBSON:
		return &wire.LogicalType{BSON: &wire.BsonType{}}
	case KindUUID:
		return &wire.LogicalType{UUID: &wire.UUIDType{}}
	case KindFloat16:
		return &wire.LogicalType{FLOAT16: &wire.Float16Type{}}
	case KindVariant:
		version := int8(1)
		return &wire.LogicalType{VARIANT: &wire.VariantType{SpecificationVersion: &version}}
	case KindGeometry:
		return &wire.LogicalType{GEOMETRY: &wire.GeometryType{Crs: crs}}
	case KindGeography:
		return &wire.LogicalType{GEOGRAPHY: &wire.GeographyType{Crs: crs}}
	case KindFile:
		return &wire.LogicalType{FILE: &wire.FileType{}}
	}
	return nil
}

// converted returns l as the older annotation, if it had one.
func (l Logical) converted() *wire.ConvertedType {
	c, known := map[Kind]wire.ConvertedType{
		KindString:      wire.ConvertedType_UTF8,
		KindMap:         wire.ConvertedType_MAP,
		KindMapKeyValue: wire.ConvertedType_MAP_KEY_VALUE,
		KindList:        wire.ConvertedType_LIST,
		KindEnum:        wire.ConvertedType_ENUM,
		KindDecimal:     wire.ConvertedType_DECIMAL,
		KindDate:        wire.ConvertedType_DATE,
		KindTime:        wire.ConvertedType_TIME_MILLIS,
		KindTimestamp:   wire.ConvertedType_TIMESTAMP_MILLIS,
		KindInt:         wire.ConvertedType_UINT_8,
		KindJSON:        wire.ConvertedType_JSON,
		KindBSON:        wire.ConvertedType_BSON,
		KindInterval:    wire.ConvertedType_INTERVAL,
	}[l.Kind]
	switch l.Kind {
	case KindTime, KindTimestamp: // microseconds are the next
		c += wire.ConvertedType(l.Unit)
		known = l.Unit != Nanos
	case KindInt: // more bits are the next, too
		if l.Signed {
			c = wire.ConvertedType_INT_8
		}
		for bits := l.Bits; bits > 8; bits /= 2 {
			c++
		}
	}
	if !known {
		return nil
	}
	return &c
}

// element returns n as the footer writes it.
func (n *Node) element() *wire.SchemaElement {
	e := &wire.SchemaElement{Name: n.Name}
	rep := wire.FieldRepetitionType(n.Repetition)
	e.RepetitionType = &rep
	if n.Type != Group {
		t := n.Type.thrift()
		e.Type = &t
	} else {
		count := int32(len(n.Children))
		e.NumChildren = &count
	}
	if n.Type == FixedLenByteArray {
		e.TypeLength = &n.Length
	}
	if n.FieldID != 0 {
		e.FieldID = &n.FieldID
	}
	if n.Note != LogicalOnly {
		e.ConvertedType = n.Logical.converted()
	}
	if n.Note != ConvertedOnly {
		e.LogicalType = n.Logical.thrift()
	}
	if n.Logical.Kind == KindDecimal && e.ConvertedType != nil {
		e.Precision, e.Scale = &n.Logical.Precision, &n.Logical.Scale
	}
	return e
}

func (t Type) thrift() wire.Type { return wire.Type(t) - 1 }
