package vector

import "strconv"

// Physical is how a value is stored. The numbers are those of the format.
type Physical uint8

const (
	Boolean Physical = iota
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedLenByteArray
	Group // no stored value: a struct, a list or a map
)

// Width returns the bytes that one value takes in the PLAIN encoding where all
// values take the same: 0 for ByteArray, for Group, and for Boolean, whose
// values are bits. A FixedLenByteArray's width is its Type's Length.
func (p Physical) Width() int {
	return [...]int{Int32: 4, Int64: 8, Int96: 12, Float: 4, Double: 8, Group: 0}[min(p, Group)]
}

// String returns the format's name of p.
func (p Physical) String() string {
	if p > Group {
		return "physical type " + strconv.Itoa(int(p))
	}
	return [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY", "group"}[p]
}

// Logical is what a stored value means.
type Logical uint8

//every:logical vector but MAP LIST (layouts)
const (
	None Logical = iota // no annotation
	String
	Enum
	JSON
	BSON
	Decimal   // with Precision and Scale
	Date      // days since 1970-01-01
	Time      // since midnight, with Unit and UTC
	Timestamp // since 1970-01-01, with Unit and UTC
	Integer   // with Bits and Signed
	Null      // UNKNOWN in the format: every value is NULL
	UUID
	Float16
	Interval
	Geometry
	Geography
	Variant      // of a Group
	File         // of a Group
	Unrecognised // an annotation that is unknown, or that does not fit the physical type
)

// Unit is the unit of times and timestamps.
type Unit uint8

const (
	Millis Unit = iota + 1
	Micros
	Nanos
)

// PerSecond returns the number of units in a second.
func (u Unit) PerSecond() int64 {
	switch u {
	case Millis:
		return 1e3
	case Micros:
		return 1e6
	}
	return 1e9
}

// String returns the format's name of u.
func (u Unit) String() string {
	switch u {
	case Millis:
		return "MILLIS"
	case Micros:
		return "MICROS"
	}
	return "NANOS"
}

// Type says how values are stored and what they mean. Fields that its Logical
// kind does not use are zero, so that equal types are equal by ==.
type Type struct {
	Physical  Physical
	Logical   Logical
	Unit      Unit  // Time, Timestamp
	UTC       bool  // Time, Timestamp: adjusted to UTC
	Bits      uint8 // Integer: 8, 16, 32 or 64
	Signed    bool  // Integer
	Length    int32 // FixedLenByteArray
	Precision int32 // Decimal: digits, as the file claims
	Scale     int32 // Decimal: digits after the point, never negative
}

// Width returns the bytes of one value if all values of t take the same, else 0.
func (t Type) Width() int {
	if t.Physical == FixedLenByteArray {
		return int(t.Length)
	}
	return t.Physical.Width()
}

// String returns t for people: "INT64 TIMESTAMP(MICROS,UTC)".
func (t Type) String() string {
	s := t.Physical.String()
	if t.Physical == FixedLenByteArray {
		s += "(" + strconv.Itoa(int(t.Length)) + ")"
	}
	if a := t.Annotation(); a != "" {
		s += " " + a
	}
	return s
}

// Annotation returns the annotation as String has it, "" if there is none.
//
//every:logical annotation but MAP LIST (layouts)
func (t Type) Annotation() string {
	name := [...]string{
		String: "STRING", Enum: "ENUM", JSON: "JSON", BSON: "BSON", Decimal: "DECIMAL", Date: "DATE", Time: "TIME",
		Timestamp: "TIMESTAMP", Integer: "UINT", Null: "UNKNOWN", UUID: "UUID", Float16: "FLOAT16", Interval: "INTERVAL",
		Geometry: "GEOMETRY", Geography: "GEOGRAPHY", Variant: "VARIANT", File: "FILE",
		Unrecognised: "(unrecognised annotation)",
	}[min(t.Logical, Unrecognised)]
	switch t.Logical {
	case Decimal:
		name += "(" + strconv.Itoa(int(t.Precision)) + "," + strconv.Itoa(int(t.Scale)) + ")"
	case Time, Timestamp:
		zone := ",local)"
		if t.UTC {
			zone = ",UTC)"
		}
		name += "(" + t.Unit.String() + zone
	case Integer:
		if t.Signed {
			name = "INT"
		}
		name += "(" + strconv.Itoa(int(t.Bits)) + ")"
	}
	return name
}
