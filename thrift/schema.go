package thrift

// SchemaElement is a node of the schema; a parent comes before its children.
// Text is a view of the footer.
type SchemaElement struct {
	Name        string
	Type        Type // of leaves
	Repetition  Repetition
	Converted   ConvertedType
	Logical     LogicalType // Kind 0 if absent
	TypeLength  int32
	NumChildren int32
	Scale       int32
	Precision   int32
	FieldID     int32

	HasType, HasTypeLength, HasRepetition, HasNumChildren bool
	HasConverted, HasScale, HasPrecision, HasFieldID      bool
}

// The arms of LogicalType.
//
//every:logical arm
const (
	LogicalString    Arm = 1
	LogicalMap       Arm = 2
	LogicalList      Arm = 3
	LogicalEnum      Arm = 4
	LogicalDecimal   Arm = 5
	LogicalDate      Arm = 6
	LogicalTime      Arm = 7
	LogicalTimestamp Arm = 8
	LogicalInteger   Arm = 10
	LogicalUnknown   Arm = 11 // always null
	LogicalJSON      Arm = 12
	LogicalBSON      Arm = 13
	LogicalUUID      Arm = 14
	LogicalFloat16   Arm = 15
	LogicalVariant   Arm = 16
	LogicalGeometry  Arm = 17
	LogicalGeography Arm = 18
	LogicalFile      Arm = 19
)

// The arms of TimeUnit.
const (
	Millis Arm = 1
	Micros Arm = 2
	Nanos  Arm = 3
)

// LogicalType is a union as a flat struct: the kind, and the parameters of all kinds.
type LogicalType struct {
	Kind          Arm
	Unit          Arm               // TIME, TIMESTAMP
	AdjustedToUTC bool              // TIME, TIMESTAMP
	Signed        bool              // INTEGER
	BitWidth      int8              // INTEGER
	Version       int8              // VARIANT; 0 if absent
	Scale         int32             // DECIMAL
	Precision     int32             // DECIMAL
	CRS           string            // GEOMETRY, GEOGRAPHY; "" if absent
	Edges         EdgeInterpolation // GEOGRAPHY; SPHERICAL if absent
}

func (r *reader) schemaElement(e *SchemaElement) {
	var named bool
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			e.Type, e.HasType = Type(r.i32()), true
		case 2<<4 | typeI32:
			e.TypeLength, e.HasTypeLength = r.i32(), true
		case 3<<4 | typeI32:
			e.Repetition, e.HasRepetition = Repetition(r.i32()), true
		case 4<<4 | typeBinary:
			e.Name, named = r.text(), true
		case 5<<4 | typeI32:
			e.NumChildren, e.HasNumChildren = r.i32(), true
		case 6<<4 | typeI32:
			e.Converted, e.HasConverted = ConvertedType(r.i32()), true
		case 7<<4 | typeI32:
			e.Scale, e.HasScale = r.i32(), true
		case 8<<4 | typeI32:
			e.Precision, e.HasPrecision = r.i32(), true
		case 9<<4 | typeI32:
			e.FieldID, e.HasFieldID = r.i32(), true
		case 10<<4 | typeStruct:
			r.logicalType(&e.Logical)
		default:
			r.skip(k)
		}
	}
	if !named && r.err == nil {
		r.fail(r.at, "schema element without name")
	}
}

func (r *reader) logicalType(t *LogicalType) {
	*t = LogicalType{}
	const interval = 9 // the format reserves this id but has not defined the arm
	t.Kind = r.union(ids(LogicalFile)&^(1<<interval), func(kind Arm) { r.parameters(t, kind) })
}

// parameters reads the struct of an arm of LogicalType; those of most arms have no fields.
func (r *reader) parameters(t *LogicalType, kind Arm) {
	t.Version, t.CRS, t.Edges = 0, "", 0 // the optional ones
	isTime := kind == LogicalTime || kind == LogicalTimestamp
	isGeo := kind == LogicalGeometry || kind == LogicalGeography
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch {
		case kind == LogicalDecimal && k == 1<<4|typeI32:
			t.Scale = r.i32()
		case kind == LogicalDecimal && k == 2<<4|typeI32:
			t.Precision = r.i32()
		case isTime && (k == 1<<4|typeTrue || k == 1<<4|typeFalse):
			t.AdjustedToUTC = flag(k) == True
		case isTime && k == 2<<4|typeStruct:
			t.Unit = r.plainUnion(3)
		case kind == LogicalInteger && k == 1<<4|typeI8:
			t.BitWidth = r.i8()
		case kind == LogicalInteger && (k == 2<<4|typeTrue || k == 2<<4|typeFalse):
			t.Signed = flag(k) == True
		case kind == LogicalVariant && k == 1<<4|typeI8:
			t.Version = r.i8()
		case isGeo && k == 1<<4|typeBinary:
			t.CRS = r.text()
		case kind == LogicalGeography && k == 2<<4|typeI32:
			t.Edges = EdgeInterpolation(r.i32())
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	switch {
	case kind == LogicalDecimal:
		r.require(seen, 1<<1|1<<2, "DECIMAL", "scale precision")
	case isTime:
		r.require(seen, 1<<1|1<<2, "TIME or TIMESTAMP", "isAdjustedToUTC unit")
	case kind == LogicalInteger:
		r.require(seen, 1<<1|1<<2, "INTEGER", "bitWidth isSigned")
	}
}
