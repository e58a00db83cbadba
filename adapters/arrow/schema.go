package arrowscan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/winnow-scan/winnow/column/vector"
)

// ErrType is matched by errors about a column that has no Arrow type.
var ErrType = errors.New("no Arrow type")

// Schema returns the Arrow schema of a scan whose columns are fields.
func Schema(fields []vector.Field, o Options) (*arrow.Schema, error) {
	columns, err := columnsOf(fields, &o)
	if err != nil {
		return nil, err
	}
	return schemaOf(columns), nil
}

func schemaOf(columns []column) *arrow.Schema {
	out := make([]arrow.Field, len(columns))
	for i := range columns {
		out[i] = columns[i].field
	}
	return arrow.NewSchema(out, nil)
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
}

func columnsOf(fields []vector.Field, o *Options) ([]column, error) {
	columns := make([]column, len(fields))
	for i := range fields {
		var err error
		if columns[i], err = columnOf(&fields[i], fields[i].Name, o); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

func columnOf(f *vector.Field, path string, o *Options) (column, error) {
	name := strings.ToValidUTF8(f.Name, "\ufffd") // names in Arrow are UTF-8; its readers rely on it
	c := column{path: path, field: arrow.Field{Name: name, Nullable: f.Nullable}}
	for i := range f.Children {
		child := &f.Children[i]
		below, err := columnOf(child, path+"."+child.Name, o)
		if err != nil {
			return column{}, err
		}
		c.children = append(c.children, below)
	}
	if f.HasID {
		c.field.Metadata = arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{strconv.Itoa(int(f.ID))})
	}
	if f.Layout == vector.Leaf {
		err := c.leaf(f, o)
		if f.Dictionary == vector.DictionaryAlways && err == nil {
			c.dictionary()
		}
		return c, err
	}
	c.nested(f, o)
	return c, nil
}

// nested sets the type of a struct, a list or a map.
func (c *column) nested(f *vector.Field, o *Options) {
	switch {
	case f.Layout == vector.Struct:
		fields := make([]arrow.Field, len(c.children))
		for i := range c.children {
			fields[i] = c.children[i].field
		}
		c.storage, c.convert = arrow.StructOf(fields...), structData
	case f.Layout == vector.Map && len(c.children) == 2:
		c.children[0].field.Nullable = false // as Arrow wants it
		c.storage, c.convert = arrow.MapOfFields(c.children[0].field, c.children[1].field), mapData
	default: // a list, or a map without values
		c.storage, c.convert = arrow.ListOfField(c.children[0].field), listData
	}
	c.field.Type = c.storage
	if f.Type.Logical == vector.Variant && !o.PlainTypes {
		if variant, err := extensions.NewVariantType(c.storage); err == nil {
			c.field.Type = variant
		}
	}
}

// leaf sets the type of a column of values.
func (c *column) leaf(f *vector.Field, o *Options) error {
	t := f.Type
	c.storage, c.convert = storageOf(t, o)
	if c.storage == nil {
		return fmt.Errorf("column %q: %w for %s", c.path, ErrType, t)
	}
	c.field.Type = c.storage
	if o.PlainTypes {
		return nil
	}
	switch t.Logical {
	case vector.UUID:
		c.field.Type = extensions.NewUUIDType()
	case vector.JSON:
		if json, err := extensions.NewJSONType(c.storage); err == nil {
			c.field.Type = json
		}
	case vector.Geometry, vector.Geography:
		c.geoarrow(f)
	}
	return nil
}

// dictionary makes c a dictionary of what it was. Codes never reach 2^31, so they are int32 as well.
func (c *column) dictionary() {
	entries := *c
	entries.field.Type, entries.field.Nullable = c.storage, true
	c.entries = &entries
	c.storage = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: entries.storage}
	c.field.Type = c.storage
}

// storageOf returns the Arrow type of a leaf's values without extensions, and how it is made.
// The type is nil if Arrow has none.
//
//every:logical arrow but MAP LIST VARIANT FILE (groups)
func storageOf(t vector.Type, o *Options) (arrow.DataType, converter) {
	switch t.Logical {
	case vector.Null:
		return arrow.Null, nullData
	case vector.Integer:
		return integerOf(t)
	case vector.Decimal:
		return decimalOf(t)
	case vector.Date:
		return arrow.FixedWidthTypes.Date32, valueData
	case vector.Time:
		return timeOf(t), valueData
	case vector.Timestamp:
		return timestampOf(t), valueData
	case vector.Float16:
		return arrow.FixedWidthTypes.Float16, halfData
	case vector.String, vector.Enum, vector.JSON:
		return textOf(o)
	case vector.BSON, vector.UUID, vector.Interval, vector.Geometry, vector.Geography:
		return physicalOf(t, o) // bytes, whose meaning is in an extension type or nowhere
	}
	return physicalOf(t, o)
}

// physicalOf is storageOf by the physical type alone.
func physicalOf(t vector.Type, o *Options) (arrow.DataType, converter) {
	switch t.Physical {
	case vector.Boolean:
		return arrow.FixedWidthTypes.Boolean, boolData
	case vector.Int32:
		return arrow.PrimitiveTypes.Int32, valueData
	case vector.Int64:
		return arrow.PrimitiveTypes.Int64, valueData
	case vector.Int96:
		return &arrow.TimestampType{Unit: o.Int96.arrow()}, int96Data(o.Int96.perSecond())
	case vector.Float:
		return arrow.PrimitiveTypes.Float32, valueData
	case vector.Double:
		return arrow.PrimitiveTypes.Float64, valueData
	case vector.ByteArray:
		return bytesLikeOf(o)
	case vector.FixedLenByteArray:
		return &arrow.FixedSizeBinaryType{ByteWidth: int(t.Length)}, fixedData
	}
	return nil, nil
}

func integerOf(t vector.Type) (arrow.DataType, converter) {
	types := arrow.PrimitiveTypes
	switch {
	case t.Bits == 8 && t.Signed:
		return types.Int8, narrowData[int8]
	case t.Bits == 16 && t.Signed:
		return types.Int16, narrowData[int16]
	case t.Bits == 32 && t.Signed:
		return types.Int32, valueData
	case t.Signed:
		return types.Int64, valueData
	case t.Bits == 8:
		return types.Uint8, narrowData[uint8]
	case t.Bits == 16:
		return types.Uint16, narrowData[uint16]
	case t.Bits == 32:
		return types.Uint32, valueData
	}
	return types.Uint64, valueData
}

// decimalOf returns the type of decimals. A file may leave their precision 0, which Arrow forbids:
// then it is the largest of decimal128.
func decimalOf(t vector.Type) (arrow.DataType, converter) {
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

func timeOf(t vector.Type) arrow.DataType {
	switch t.Unit {
	case vector.Millis:
		return arrow.FixedWidthTypes.Time32ms
	case vector.Micros:
		return arrow.FixedWidthTypes.Time64us
	}
	return arrow.FixedWidthTypes.Time64ns
}

func timestampOf(t vector.Type) arrow.DataType {
	zone := ""
	if t.UTC {
		zone = "UTC"
	}
	switch t.Unit {
	case vector.Millis:
		return &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: zone}
	case vector.Micros:
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone}
	}
	return &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: zone}
}

// textOf returns the type of strings, which are checked unless o says otherwise.
func textOf(o *Options) (arrow.DataType, converter) {
	check := !o.UncheckedUTF8
	switch o.Strings {
	case Offsets:
		return arrow.BinaryTypes.String, offsetsData[int32](check)
	case LargeOffsets:
		return arrow.BinaryTypes.LargeString, offsetsData[int64](check)
	}
	return arrow.BinaryTypes.StringView, viewData(check)
}

func bytesLikeOf(o *Options) (arrow.DataType, converter) {
	switch o.Strings {
	case Offsets:
		return arrow.BinaryTypes.Binary, offsetsData[int32](false)
	case LargeOffsets:
		return arrow.BinaryTypes.LargeBinary, offsetsData[int64](false)
	}
	return arrow.BinaryTypes.BinaryView, viewData(false)
}
