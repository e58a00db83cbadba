package arrowscan

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// Want returns the columns of an Arrow schema as a scan's wanted columns: what scanner.Options.Want
// takes. With field ids in the metadata of every field, match is scanner.ByFieldID, else
// scanner.ByName.
//
// Dictionaries and run-end encoded columns are wanted with the type of their values.
func Want(s *arrow.Schema) (wants []scanner.Want, match scanner.Match, err error) {
	match = scanner.ByFieldID
	for _, f := range s.Fields() {
		w, ids, err := wantOf(f, f.Name)
		if err != nil {
			return nil, 0, err
		}
		if !ids {
			match = scanner.ByName
		}
		wants = append(wants, w)
	}
	return wants, match, nil
}

// wantOf returns what a field wants, and whether it and all fields below it have ids.
func wantOf(f arrow.Field, path string) (w scanner.Want, ids bool, err error) {
	w.Name = f.Name
	if text, ok := f.Metadata.GetValue("PARQUET:field_id"); ok {
		id, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return w, false, fmt.Errorf("column %s: field id %q is no number", path, text)
		}
		w.FieldID, ids = int32(id), true
	}
	var children []arrow.Field
	switch t := storage(f.Type).(type) {
	case *arrow.StructType:
		w.Layout, children = vector.Struct, t.Fields()
	case *arrow.MapType:
		w.Layout, children = vector.Map, []arrow.Field{t.KeyField(), t.ItemField()}
	case arrow.ListLikeType:
		w.Layout, children = vector.List, []arrow.Field{t.ElemField()}
	default:
		w.Type, err = typeOf(f, t)
		if err != nil {
			return w, false, fmt.Errorf("column %s: %w", path, err)
		}
		return w, ids, nil
	}
	w.Type.Physical = vector.Group
	for _, c := range children {
		below, hasIDs, err := wantOf(c, path+"."+c.Name)
		if err != nil {
			return w, false, err
		}
		ids = ids && hasIDs
		w.Children = append(w.Children, below)
	}
	return w, ids, nil
}

// storage returns the type of the values of t, without extension, dictionary and runs.
func storage(t arrow.DataType) arrow.DataType {
	switch s := t.(type) {
	case arrow.ExtensionType:
		return storage(s.StorageType())
	case *arrow.DictionaryType:
		return storage(s.ValueType)
	case *arrow.RunEndEncodedType:
		return storage(s.Encoded())
	}
	return t
}

// typeOf returns Parquet's type for the values of a field, whose storage is t.
func typeOf(f arrow.Field, t arrow.DataType) (vector.Type, error) {
	if e, ok := f.Type.(arrow.ExtensionType); ok {
		switch e.(type) {
		case *extensions.UUIDType:
			return vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.UUID}, nil
		case *extensions.JSONType:
			return vector.Type{Physical: vector.ByteArray, Logical: vector.JSON}, nil
		}
	}
	integer := func(p vector.Physical, bits uint8, signed bool) vector.Type {
		return vector.Type{Physical: p, Logical: vector.Integer, Bits: bits, Signed: signed}
	}
	switch t := t.(type) {
	case *arrow.NullType:
		return vector.Type{Physical: vector.Int32, Logical: vector.Null}, nil
	case *arrow.BooleanType:
		return vector.Type{Physical: vector.Boolean}, nil
	case *arrow.Int8Type:
		return integer(vector.Int32, 8, true), nil
	case *arrow.Int16Type:
		return integer(vector.Int32, 16, true), nil
	case *arrow.Int32Type:
		return vector.Type{Physical: vector.Int32}, nil
	case *arrow.Int64Type:
		return vector.Type{Physical: vector.Int64}, nil
	case *arrow.Uint8Type:
		return integer(vector.Int32, 8, false), nil
	case *arrow.Uint16Type:
		return integer(vector.Int32, 16, false), nil
	case *arrow.Uint32Type:
		return integer(vector.Int32, 32, false), nil
	case *arrow.Uint64Type:
		return integer(vector.Int64, 64, false), nil
	case *arrow.Float16Type:
		return vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}, nil
	case *arrow.Float32Type:
		return vector.Type{Physical: vector.Float}, nil
	case *arrow.Float64Type:
		return vector.Type{Physical: vector.Double}, nil
	case *arrow.Date32Type:
		return vector.Type{Physical: vector.Int32, Logical: vector.Date}, nil
	case *arrow.Time32Type, *arrow.Time64Type, *arrow.TimestampType:
		return temporalOf(t)
	case arrow.DecimalType:
		return vector.Type{Physical: vector.FixedLenByteArray, Length: int32(t.BitWidth() / 8), Logical: vector.Decimal,
			Precision: t.GetPrecision(), Scale: t.GetScale()}, nil
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return vector.Type{Physical: vector.ByteArray, Logical: vector.String}, nil
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return vector.Type{Physical: vector.ByteArray}, nil
	case *arrow.FixedSizeBinaryType:
		return vector.Type{Physical: vector.FixedLenByteArray, Length: int32(t.ByteWidth)}, nil
	}
	return vector.Type{}, fmt.Errorf("%s: %w", t, ErrType)
}

// temporalOf returns the type of times and timestamps. Parquet has none in seconds.
func temporalOf(t arrow.DataType) (vector.Type, error) {
	unit := t.(arrow.TemporalWithUnit).TimeUnit()
	if unit == arrow.Second {
		return vector.Type{}, fmt.Errorf("%s: %w", t, ErrType)
	}
	out := vector.Type{Physical: vector.Int64, Logical: vector.Time, Unit: vector.Unit(unit-arrow.Millisecond) + vector.Millis}
	switch t := t.(type) {
	case *arrow.Time32Type:
		out.Physical = vector.Int32
	case *arrow.TimestampType:
		out.Logical, out.UTC = vector.Timestamp, t.TimeZone != ""
	}
	return out, nil
}
