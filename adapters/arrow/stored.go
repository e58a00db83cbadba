package arrowscan

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

const (
	extensionName = "ARROW:extension:name"
	extensionData = "ARROW:extension:metadata"
	fieldID       = "PARQUET:field_id"
)

// Bind returns the fields of a scan, and its options with those columns as dictionaries that the table's Arrow schema
// has as such, but those that a path of the options' Dictionaries is about. NewReader calls it; so does a host that calls
// ReaderOf or NewConverter, before it scans.
func Bind(ctx context.Context, table scanner.Table, query scanner.Options, o Options) ([]vector.Field, scanner.Options, error) {
	fields, err := table.Fields(ctx, query)
	if _, all := query.Dictionaries[""]; err != nil || o.IgnoreStored || all {
		return fields, query, err
	}
	bound, asked := query, query
	bound.Dictionaries, asked.Dictionaries = maps.Collect(maps.All(query.Dictionaries)), maps.Collect(maps.All(query.Dictionaries))
	asked.Dictionaries[""] = vector.DictionaryWherePossible // marks the columns that no path is about
	marked, err := table.Fields(ctx, asked)
	if err != nil {
		return fields, query, err
	}
	var add func(fields, marked []vector.Field, above []string)
	add = func(fields, marked []vector.Field, above []string) {
		for i := range fields {
			f := &fields[i]
			path := append(slices.Clip(above), f.Name)
			if f.Stored != nil && f.Stored.Indices != "" && f.Dictionary == vector.DictionaryNever && marked[i].Dictionary != vector.DictionaryNever {
				bound.Dictionaries[schema.FormatPath(path)] = vector.DictionaryAlways
			}
			add(f.Children, marked[i].Children, path)
		}
	}
	if add(fields, marked, nil); len(bound.Dictionaries) == len(query.Dictionaries) {
		return fields, query, nil
	}
	withDictionaries, err := table.Fields(ctx, bound)
	if err != nil { // several columns have one name
		return fields, query, nil
	}
	return withDictionaries, bound, nil
}

// stored returns what a file's Arrow schema says of a field, nil if nothing or if that is ignored.
func (o *Options) stored(f *vector.Field) *vector.Stored {
	if o.IgnoreStored {
		return nil
	}
	return f.Stored
}

var layouts = map[string]Strings{"u": Offsets, "z": Offsets, "U": LargeOffsets, "Z": LargeOffsets, "vu": Views, "vz": Views}

// laidOut returns the options for a column alone, with the layout of strings that it has.
func (o *Options) laidOut(s *vector.Stored) *Options {
	own := *o
	switch o.Strings {
	case AsStored:
		own.Strings = Views
	case AsStoredOrOffsets:
		own.Strings = Offsets
	default:
		return o
	}
	if s != nil {
		own.Strings = cmp.Or(layouts[s.Format], own.Strings)
	}
	return &own
}

// schemaMetadata returns the metadata of the schema of which fields are, those of a pandas index among them.
func schemaMetadata(fields []vector.Field, o *Options) *arrow.Metadata {
	for i := range fields {
		if s := o.stored(&fields[i]); s != nil && s.Schema != nil && len(s.Schema.MetadataKeys) > 0 {
			m := metadataOf(s.Schema, nil)
			return &m
		}
	}
	return nil
}

// metadataOf returns metadata that a file's Arrow schema has, without some keys, and more keys with their values.
func metadataOf(s *vector.Stored, without []string, more ...string) arrow.Metadata {
	var keys, values []string
	for i := 0; i < len(more); i += 2 {
		keys, values = append(keys, more[i]), append(values, more[i+1])
	}
	without = append(without, keys...)
	for i := 0; s != nil && i < len(s.MetadataKeys); i++ {
		if key := s.MetadataKeys[i]; !slices.Contains(without, key) {
			keys = append(keys, strings.ToValidUTF8(key, "\ufffd"))
			values = append(values, strings.ToValidUTF8(s.MetadataValues[i], "\ufffd"))
		}
	}
	return arrow.NewMetadata(keys, values)
}

// extend sets the metadata of c, and the extension type that the column's type or its metadata name. A type that Arrow's
// registry lacks stays in the metadata, where other readers of the schema look for it.
func (c *column) extend(f *vector.Field, s *vector.Stored, o *Options) {
	var ext arrow.ExtensionType
	var err error
	all := metadataOf(s, nil)
	name, _ := all.GetValue(extensionName)
	data, _ := all.GetValue(extensionData)
	switch {
	case o.PlainTypes || c.entries != nil:
	case f.Type.Logical == vector.UUID:
		ext = extensions.NewUUIDType()
	case f.Type.Logical == vector.JSON:
		ext, err = extensions.NewJSONType(c.storage)
	case f.Type.Logical == vector.Variant:
		ext, err = extensions.NewVariantType(c.storage)
	case name != "":
		if known := arrow.GetExtensionType(name); known != nil {
			ext, err = known.Deserialize(c.storage, data)
		}
	}
	var without, more []string
	if ok := ext != nil && err == nil && arrow.TypeEqual(ext.StorageType(), c.storage); ok || o.PlainTypes {
		if without = []string{extensionName, extensionData}; ok {
			c.field.Type = ext
		}
	}
	if f.HasID {
		more = []string{fieldID, strconv.Itoa(int(f.ID))}
	}
	if (f.Type.Logical == vector.Geometry || f.Type.Logical == vector.Geography) && !o.PlainTypes { // the file itself says more
		more = append(more, extensionName, "geoarrow.wkb", extensionData, geoMetadata(f))
	}
	c.field.Metadata = metadataOf(s, without, more...)
}

var durations = map[string]*arrow.DurationType{
	"tDs": {Unit: arrow.Second}, "tDm": {Unit: arrow.Millisecond}, "tDu": {Unit: arrow.Microsecond}, "tDn": {Unit: arrow.Nanosecond},
}

// restoreLeaf makes the type of c that of the Arrow schema, where the values that c has allow it. A host may have asked
// for values of another type than the file's.
func (c *column) restoreLeaf(s *vector.Stored, t vector.Type) {
	if s == nil {
		return
	}
	switch storage := c.storage.(type) {
	case *arrow.Int64Type:
		if d := durations[s.Format]; d != nil {
			c.storage = d
		}
	case *arrow.TimestampType:
		if zone := s.Zone(); zone != "" && (t.UTC || t.Physical == vector.Int96) {
			c.storage = &arrow.TimestampType{Unit: storage.Unit, TimeZone: zone}
		}
	case *arrow.Date32Type:
		if s.Format == "tdm" {
			c.storage, c.convert = arrow.FixedWidthTypes.Date64, date64Data
		}
	case *arrow.Decimal128Type:
		switch _, bits, _ := strings.Cut(s.Format, ","); {
		case strings.HasSuffix(bits, ",256"):
			c.storage, c.convert = &arrow.Decimal256Type{Precision: storage.Precision, Scale: storage.Scale}, decimalData(32)
		case strings.HasSuffix(bits, ",64") && storage.Precision <= 18:
			c.storage, c.convert = &arrow.Decimal64Type{Precision: storage.Precision, Scale: storage.Scale}, decimalData(8)
		case strings.HasSuffix(bits, ",32") && storage.Precision <= 9:
			c.storage, c.convert = &arrow.Decimal32Type{Precision: storage.Precision, Scale: storage.Scale}, decimal32Data
		}
	}
}

// restoreNested is restoreLeaf for lists and maps.
func (c *column) restoreNested(s *vector.Stored) {
	if t, ok := c.storage.(*arrow.MapType); ok && s.Ordered {
		t.KeysSorted = true
	}
	if _, ok := c.storage.(*arrow.ListType); !ok {
		return
	}
	item := c.children[0].field
	size, fixed := strings.CutPrefix(s.Format, "+w:")
	switch n, err := strconv.ParseInt(size, 10, 32); {
	case s.Format == "+L":
		c.storage, c.convert = arrow.LargeListOfField(item), listData[int64](false)
	case s.Format == "+vl":
		c.storage, c.convert = arrow.ListViewOfField(item), listData[int32](true)
	case s.Format == "+vL":
		c.storage, c.convert = arrow.LargeListViewOfField(item), listData[int64](true)
	case fixed && err == nil && n > 0:
		c.storage, c.convert = arrow.FixedSizeListOfField(int32(n), item), fixedListData(int(n))
	}
}
