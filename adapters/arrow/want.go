package arrowscan

import (
	"fmt"
	"slices"
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
		if _, ok := f.Type.(*extensions.VariantType); ok {
			w.Type.Logical = vector.Variant
		}
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
	if i := slices.IndexFunc(alikes, func(a alike) bool { return arrow.TypeEqual(a.arrow, t) }); i >= 0 {
		return alikes[i].parquet, nil
	}
	switch t := t.(type) {
	case *arrow.TimestampType:
		if t.Unit != arrow.Second { // Parquet has no seconds
			return vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Unit(t.Unit), UTC: t.TimeZone != ""}, nil
		}
	case arrow.DecimalType:
		d := vector.Type{Physical: vector.FixedLenByteArray, Length: int32(t.BitWidth() / 8), Logical: vector.Decimal, Precision: t.GetPrecision(), Scale: t.GetScale()}
		switch t.BitWidth() {
		case 32:
			d.Physical, d.Length = vector.Int32, 0
		case 64:
			d.Physical, d.Length = vector.Int64, 0
		}
		return d, nil
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return vector.Type{Physical: vector.ByteArray, Logical: vector.String}, nil
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return vector.Type{Physical: vector.ByteArray}, nil
	case *arrow.FixedSizeBinaryType:
		return vector.Type{Physical: vector.FixedLenByteArray, Length: int32(t.ByteWidth)}, nil
	}
	return vector.Type{}, fmt.Errorf("%s: %w", t, ErrType)
}
