package icebergscan

import (
	"encoding/hex"
	"fmt"
	"reflect"

	"github.com/apache/iceberg-go"
	"github.com/google/uuid"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// ErrUnsupported is matched by errors about columns, files and conditions that cannot be read.
var ErrUnsupported = scanner.ErrUnsupported

var textType = vector.Type{Physical: vector.ByteArray, Logical: vector.String}

// column is a column of the table's schema, or a part of one.
type column struct {
	id       int
	name     string
	required bool
	layout   vector.Layout
	typ      vector.Type   // of a leaf
	initial  vector.Scalar // the initial default; of no type if there is none
	children []column      // Struct: fields. List: the item. Map: key and value
}

// columnsOf returns the columns for the fields of a schema.
func columnsOf(fields []iceberg.NestedField) ([]column, error) {
	columns := make([]column, len(fields))
	for i, f := range fields {
		var err error
		if columns[i], err = columnOf(f, f.Name); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// columnOf returns the column for a field, whose place is path.
func columnOf(f iceberg.NestedField, path string) (column, error) {
	c := column{id: f.ID, name: f.Name, required: f.Required}
	var below []iceberg.NestedField
	switch t := f.Type.(type) {
	case *iceberg.StructType:
		c.layout, below = vector.Struct, t.FieldList
	case *iceberg.ListType:
		c.layout, below = vector.List, []iceberg.NestedField{t.ElementField()}
	case *iceberg.MapType:
		c.layout, below = vector.Map, []iceberg.NestedField{t.KeyField(), t.ValueField()}
	default:
		var err error
		if c.typ, err = leafType(f.Type); err != nil {
			return c, fmt.Errorf("column %s: %w", path, err)
		}
		if f.InitialDefault != nil {
			if c.initial, err = scalarOf(c.typ, f.Type, f.InitialDefault); err != nil {
				return c, fmt.Errorf("column %s: initial default: %w", path, err)
			}
		}
		return c, nil
	}
	if f.InitialDefault != nil {
		return c, fmt.Errorf("column %s: an initial default of type %s: %w", path, f.Type, ErrUnsupported)
	}
	for _, b := range below {
		child, err := columnOf(b, path+"."+b.Name)
		if err != nil {
			return c, err
		}
		c.children = append(c.children, child)
	}
	return c, nil
}

// field returns the field of batches for c.
func (c *column) field() vector.Field {
	f := vector.Field{Name: c.name, Type: c.typ, Layout: c.layout, Nullable: !c.required, HasID: true, ID: int32(c.id)}
	if c.layout != vector.Leaf {
		f.Type.Physical = vector.Group
	}
	for i := range c.children {
		child := c.children[i].field()
		child.Nullable = c.layout != vector.Map || i > 0 // a part of a NULL is NULL
		f.Children = append(f.Children, child)
	}
	return f
}

// primitives are the types of values that have no parameters, as they are in batches.
var primitives = map[iceberg.Type]vector.Type{
	iceberg.BooleanType{}:       {Physical: vector.Boolean},
	iceberg.Int32Type{}:         {Physical: vector.Int32},
	iceberg.Int64Type{}:         {Physical: vector.Int64},
	iceberg.Float32Type{}:       {Physical: vector.Float},
	iceberg.Float64Type{}:       {Physical: vector.Double},
	iceberg.DateType{}:          {Physical: vector.Int32, Logical: vector.Date},
	iceberg.TimeType{}:          {Physical: vector.Int64, Logical: vector.Time, Unit: vector.Micros},
	iceberg.TimestampType{}:     {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros},
	iceberg.TimestampTzType{}:   {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros, UTC: true},
	iceberg.TimestampNsType{}:   {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos},
	iceberg.TimestampTzNsType{}: {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos, UTC: true},
	iceberg.StringType{}:        textType,
	iceberg.BinaryType{}:        {Physical: vector.ByteArray},
	iceberg.UUIDType{}:          {Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.UUID},
	iceberg.UnknownType{}:       {Physical: vector.Int32, Logical: vector.Null},
}

// leafType returns the type of the values of a primitive type in batches.
func leafType(t iceberg.Type) (vector.Type, error) {
	switch t := t.(type) {
	case iceberg.DecimalType:
		return decimalType(t.Precision(), t.Scale()), nil
	case iceberg.FixedType:
		return vector.Type{Physical: vector.FixedLenByteArray, Length: int32(t.Len())}, nil
	case iceberg.GeometryType:
		return vector.Type{Physical: vector.ByteArray, Logical: vector.Geometry}, nil
	case iceberg.GeographyType:
		return vector.Type{Physical: vector.ByteArray, Logical: vector.Geography}, nil
	}
	if leaf, ok := primitives[t]; ok {
		return leaf, nil
	}
	return vector.Type{}, fmt.Errorf("type %s: %w", t, ErrUnsupported)
}

const log2 = 0.30103 // decimal digits a bit

// decimalType returns the smallest storage for decimals, as the table format has it.
func decimalType(precision, scale int) vector.Type {
	t := vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: int32(precision), Scale: int32(scale)}
	switch {
	case precision > 18:
		t.Physical = vector.FixedLenByteArray
		for t.Length = 8; int(float64(8*t.Length-1)*log2) < precision; {
			t.Length++
		}
	case precision > 9:
		t.Physical = vector.Int64
	}
	return t
}

// scalarOf returns a value of a default, a literal or a partition as one of a column. kind
// is the type that it has in Iceberg.
func scalarOf(t vector.Type, kind iceberg.Type, v any) (vector.Scalar, error) {
	switch v := v.(type) {
	case nil:
		return vector.NullOf(t), nil
	case bool:
		if t.Physical == vector.Boolean {
			return vector.BoolOf(v), nil
		}
	case []byte:
		return vector.BytesOf(t, v)
	case uuid.UUID:
		return vector.BytesOf(t, v[:])
	case iceberg.Decimal:
		return vector.DecimalOf(t, v.String())
	case iceberg.Optional[iceberg.Decimal]:
		if v.Valid {
			return vector.DecimalOf(t, v.Val.String())
		}
		return vector.NullOf(t), nil
	case string:
		return scalarOfText(t, kind, v)
	}
	number := reflect.ValueOf(v)
	switch {
	case number.CanInt() && (t.Physical == vector.Float || t.Physical == vector.Double):
		return vector.FloatOf(t, float64(number.Int()))
	case number.CanInt():
		return vector.IntOf(t, number.Int())
	case number.CanFloat() && (t.Physical == vector.Float || t.Physical == vector.Double):
		return vector.FloatOf(t, number.Float())
	case number.CanFloat() && number.Float() == float64(int64(number.Float())): // an integer in JSON
		return vector.IntOf(t, int64(number.Float()))
	}
	return vector.Scalar{}, fmt.Errorf("%v (%T) is no %s", v, v, kind)
}

// scalarOfText is scalarOf for the texts of JSON.
func scalarOfText(t vector.Type, kind iceberg.Type, text string) (vector.Scalar, error) {
	switch kind.(type) {
	case iceberg.StringType:
		return vector.StringOf(text), nil
	case iceberg.BinaryType, iceberg.FixedType:
		b, err := hex.DecodeString(text)
		if err != nil {
			return vector.Scalar{}, err
		}
		return vector.BytesOf(t, b)
	case iceberg.DecimalType:
		return vector.DecimalOf(t, text)
	}
	literal, err := iceberg.NewLiteral(text).To(kind)
	if err != nil {
		return vector.Scalar{}, err
	}
	if _, ok := literal.Any().(string); ok {
		return vector.Scalar{}, fmt.Errorf("%q is no %s", text, kind)
	}
	return scalarOf(t, kind, literal.Any())
}
