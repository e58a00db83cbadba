package arrowscan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/winnow-scan/winnow/column/vector"
)

// ErrType is matched by errors about a column that has no Arrow type.
var ErrType = errors.New("no Arrow type")

// Schema returns the Arrow schema of a scan whose columns are fields.
func Schema(fields []vector.Field, o Options) (*arrow.Schema, error) {
	c, err := NewConverter(fields, o)
	if err != nil {
		return nil, err
	}
	return c.schema, nil
}

func fieldsOf(columns []column) []arrow.Field {
	fields := make([]arrow.Field, len(columns))
	for i := range columns {
		fields[i] = columns[i].field
	}
	return fields
}

// column is a column of a stream, or a child of one: its Arrow field, and how vectors of it
// become Arrow data.
type column struct {
	field    arrow.Field
	storage  arrow.DataType // field.Type without its extension
	convert  converter
	entries  *column // of a column that always comes as a dictionary: its entries
	children []column
	path     string // in errors
	maps     int    // in each other, that it has
}

// mostMaps is how many maps in each other Arrow's Go library takes: it makes what is below a map twice.
const mostMaps = 12

// columnsOf returns the columns for fields, whose paths begin with above.
func columnsOf(fields []vector.Field, above string, o *Options) ([]column, error) {
	columns := make([]column, len(fields))
	for i := range fields {
		var err error
		if columns[i], err = columnOf(&fields[i], above+fields[i].Name, o); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

func columnOf(f *vector.Field, path string, o *Options) (c column, err error) {
	name := strings.ToValidUTF8(f.Name, "\ufffd") // names in Arrow are UTF-8; its readers rely on it
	c = column{path: path, field: arrow.Field{Name: name, Nullable: f.Nullable}}
	below := *o
	below.inVariant = o.inVariant || f.Type.Logical == vector.Variant
	if c.children, err = columnsOf(f.Children, path+".", &below); err != nil {
		return c, err
	}
	for _, child := range c.children {
		c.maps = max(c.maps, child.maps)
	}
	if f.Layout == vector.Map {
		c.maps++
	}
	if c.maps > mostMaps {
		return c, fmt.Errorf("column %q: %w for more than %d maps in each other", c.path, ErrType, mostMaps)
	}
	s := o.stored(f)
	if f.Layout != vector.Leaf {
		if c.nested(f, s, o); o.WholeVariants && f.Type.Logical == vector.Variant {
			c.wholeVariant(f, o)
		}
	} else if err = c.leaf(f, s, o.laidOut(s)); err != nil {
		return c, err
	}
	c.field.Type = c.storage
	c.extend(f, s, o)
	return c, nil
}

// nested sets the type of a struct, a list or a map.
func (c *column) nested(f *vector.Field, s *vector.Stored, o *Options) {
	for i := range f.Children { // of a struct, names are those of the fields
		if below := o.stored(&f.Children[i]); below != nil && f.Layout != vector.Struct {
			c.children[i].field.Name = strings.ToValidUTF8(below.Name, "\ufffd")
		}
	}
	switch {
	case f.Layout == vector.Struct:
		c.storage = arrow.StructOf(fieldsOf(c.children)...)
	case f.Layout == vector.Map && len(c.children) == 2:
		c.children[0].field.Nullable = false // as Arrow wants it
		c.storage = arrow.MapOfFields(c.children[0].field, c.children[1].field)
	default: // a list, or a map without values
		c.storage = arrow.ListOfField(c.children[0].field)
	}
	if c.convert = nestedData; s != nil {
		c.restoreNested(s)
	}
}

// leaf sets the type of a column of values.
func (c *column) leaf(f *vector.Field, s *vector.Stored, o *Options) error {
	c.storage, c.convert = storageOf(f.Type, o)
	if c.storage == nil {
		return fmt.Errorf("column %q: %w for %s", c.path, ErrType, f.Type)
	}
	c.restoreLeaf(s, f.Type)
	if f.Dictionary == vector.DictionaryAlways && (!o.inVariant || f.Name == "metadata") { // as Arrow wants it
		c.dictionary(f, s)
	}
	return nil
}

// dictionary makes c a dictionary of what it was. Codes never reach 2^31, so they are int32 as well. Indices of 8 or 16
// bits stay 32: a batch may have more entries than they count.
func (c *column) dictionary(f *vector.Field, s *vector.Stored) {
	entries := *c
	entries.field.Type, entries.field.Nullable = c.storage, true
	c.entries = &entries
	t := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: entries.storage}
	if s != nil && s.Indices == "I" {
		t.IndexType = arrow.PrimitiveTypes.Uint32
	}
	// Writers keep the order of strings alone, which are as a file's dictionary has them.
	t.Ordered = s != nil && s.Ordered && f.Type.Physical == vector.ByteArray
	c.storage = t
}

// alike is a type that Arrow and Parquet both have, and how its values are made.
type alike struct {
	arrow   arrow.DataType
	parquet vector.Type
	convert converter
}

// alikes are such types, each only once in either direction.
//
//every:logical arrow
var alikes = []alike{
	{arrow.Null, vector.Type{Physical: vector.Int32, Logical: vector.Null}, nullData},
	{arrow.FixedWidthTypes.Boolean, vector.Type{Physical: vector.Boolean}, boolData},
	{arrow.PrimitiveTypes.Int8, integer(8, true), narrowData[int8]},
	{arrow.PrimitiveTypes.Int16, integer(16, true), narrowData[int16]},
	{arrow.PrimitiveTypes.Int32, vector.Type{Physical: vector.Int32}, valueData},
	{arrow.PrimitiveTypes.Int64, vector.Type{Physical: vector.Int64}, valueData},
	{arrow.PrimitiveTypes.Uint8, integer(8, false), narrowData[uint8]},
	{arrow.PrimitiveTypes.Uint16, integer(16, false), narrowData[uint16]},
	{arrow.PrimitiveTypes.Uint32, integer(32, false), valueData},
	{arrow.PrimitiveTypes.Uint64, integer(64, false), valueData},
	{arrow.FixedWidthTypes.Float16, vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}, halfData},
	{arrow.PrimitiveTypes.Float32, vector.Type{Physical: vector.Float}, valueData},
	{arrow.PrimitiveTypes.Float64, vector.Type{Physical: vector.Double}, valueData},
	{arrow.FixedWidthTypes.Date32, vector.Type{Physical: vector.Int32, Logical: vector.Date}, valueData},
	{arrow.FixedWidthTypes.Time32ms, vector.Type{Physical: vector.Int32, Logical: vector.Time, Unit: vector.Millis}, valueData},
	{arrow.FixedWidthTypes.Time64us, vector.Type{Physical: vector.Int64, Logical: vector.Time, Unit: vector.Micros}, valueData},
	{arrow.FixedWidthTypes.Time64ns, vector.Type{Physical: vector.Int64, Logical: vector.Time, Unit: vector.Nanos}, valueData},
}

func integer(bits uint8, signed bool) vector.Type {
	t := vector.Type{Physical: vector.Int32, Logical: vector.Integer, Bits: bits, Signed: signed}
	if bits == 64 {
		t.Physical = vector.Int64
	}
	return t
}

// storageOf returns the Arrow type of a leaf's values without extensions, and how it is made.
// The type is nil if Arrow has none.
//
//every:logical arrow but MAP LIST VARIANT FILE (groups)
func storageOf(t vector.Type, o *Options) (arrow.DataType, converter) {
	switch t.Logical {
	case vector.Decimal:
		return decimalOf(t, o.inVariant)
	case vector.Timestamp:
		at := arrow.TimestampType{Unit: arrow.TimeUnit(cmp.Or(t.Unit, vector.Nanos))} // both number units alike
		if t.UTC {
			at.TimeZone = "UTC"
		}
		if !t.IsLongStamp() {
			return &at, valueData
		}
		unit := [...]Unit{vector.Millis: Millisecond, vector.Micros: Microsecond, vector.Nanos: o.Int96}[t.Unit]
		at.Unit = unit.arrow()
		return &at, momentData(unit.perSecond())
	case vector.String, vector.Enum, vector.JSON:
		return o.layout(arrow.BinaryTypes.StringView, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, !o.UncheckedUTF8)
	case vector.Null:
		t.Physical, t.Length = vector.Int32, 0
	case vector.Integer:
		if t.Signed && t.Bits >= 32 {
			t = vector.Type{Physical: t.Physical}
		}
	case vector.Time:
		t.UTC = false
	case vector.None, vector.BSON, vector.UUID, vector.Interval, vector.Geometry, vector.Geography, vector.Unrecognised:
		// The meaning of the values is in an extension type or nowhere.
		t = vector.Type{Physical: t.Physical, Length: t.Length}
	}
	if i := slices.IndexFunc(alikes, func(a alike) bool { return a.parquet == t }); i >= 0 {
		return alikes[i].arrow, alikes[i].convert
	}
	switch t.Physical {
	case vector.Int96:
		return &arrow.TimestampType{Unit: o.Int96.arrow()}, momentData(o.Int96.perSecond())
	case vector.ByteArray:
		return o.layout(arrow.BinaryTypes.BinaryView, arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, false)
	case vector.FixedLenByteArray:
		return &arrow.FixedSizeBinaryType{ByteWidth: int(t.Length)}, fixedData
	}
	return nil, nil
}

// decimalOf returns the type of decimals. A file may leave their precision 0, which Arrow forbids:
// then it is the largest of decimal128. The width of a decimal within a VARIANT is part of its value.
func decimalOf(t vector.Type, inVariant bool) (arrow.DataType, converter) {
	switch {
	case !inVariant || t.Precision == 0:
	case t.Physical == vector.Int32 && t.Precision <= 9:
		return &arrow.Decimal32Type{Precision: t.Precision, Scale: t.Scale}, decimal32Data
	case t.Physical == vector.Int64 && t.Precision <= 18:
		return &arrow.Decimal64Type{Precision: t.Precision, Scale: t.Scale}, decimalData(8)
	}
	if t.Precision == 0 {
		t.Precision = 38
	}
	if t.Precision <= 38 {
		return &arrow.Decimal128Type{Precision: t.Precision, Scale: t.Scale}, decimalData(16)
	}
	if t.Precision <= 76 {
		return &arrow.Decimal256Type{Precision: t.Precision, Scale: t.Scale}, decimalData(32)
	}
	return nil, nil
}

// layout returns which of the types of strings the columns have. check is whether they must be UTF-8.
func (o *Options) layout(views, offsets, largeOffsets arrow.DataType, check bool) (arrow.DataType, converter) {
	switch o.Strings {
	case Offsets:
		return offsets, offsetsData[int32](check)
	case LargeOffsets:
		return largeOffsets, offsetsData[int64](check)
	}
	return views, viewData(check)
}
