package tables

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// Samples makes a table of each kind, by name.
func (m *Maker) Samples() map[string]*Table {
	return map[string]*Table{
		"types":     m.types(),
		"positions": m.positions(),
		"vectors":   m.vectors(),
		"equality":  m.equality(),
		"evolved":   m.evolved(),
		"mapped":    m.mapped(),
		"hidden":    m.hidden(),
	}
}

func field(id int, name string, t iceberg.Type) iceberg.NestedField {
	return iceberg.NestedField{ID: id, Name: name, Type: t}
}

var p = iceberg.PrimitiveTypes

// types has a column of every type, with NULLs, and nested ones.
func (m *Maker) types() *Table {
	t := m.Create("types", 2, []iceberg.NestedField{
		{ID: 1, Name: "id", Type: p.Int64, Required: true},
		field(2, "b", p.Bool), field(3, "i", p.Int32), field(4, "f", p.Float32), field(5, "d", p.Float64),
		field(6, "small", iceberg.DecimalTypeOf(9, 2)), field(7, "middle", iceberg.DecimalTypeOf(18, 4)), field(8, "big", iceberg.DecimalTypeOf(38, 10)),
		field(9, "day", p.Date), field(10, "at", p.Time), field(11, "ts", p.Timestamp), field(12, "tz", p.TimestampTz),
		field(13, "s", p.String), field(14, "u", p.UUID), field(15, "fixed", iceberg.FixedTypeOf(3)), field(16, "bin", p.Binary),
		field(17, "tags", &iceberg.ListType{ElementID: 18, Element: p.String}),
		field(19, "m", &iceberg.MapType{KeyID: 20, KeyType: p.String, ValueID: 21, ValueType: p.Int32}),
		field(22, "st", &iceberg.StructType{FieldList: []iceberg.NestedField{field(23, "x", p.Int32), field(24, "y", p.String)}}),
		field(25, "items", &iceberg.ListType{ElementID: 26, Element: &iceberg.StructType{FieldList: []iceberg.NestedField{field(27, "q", p.Int64), field(28, "r", p.Float64)}}}),
	}, nil, nil)
	var rows strings.Builder
	for i := range 100 {
		fmt.Fprintf(&rows, `{"id": %d`, i)
		if i%7 != 3 {
			fmt.Fprintf(&rows, `, "b": %t, "i": %d, "f": %g, "d": %g, "small": "%d.25", "middle": "-%d.5000", "big": "123456789012345678%d.5"`,
				i%2 == 0, i*3-100, float32(i)/4, float64(i)*1.1, i*100, i, i)
			fmt.Fprintf(&rows, `, "day": "2024-01-%02d", "at": "10:%02d:00.000001", "ts": "2024-01-01T00:%02d:00.000001", "tz": "2024-06-01T00:%02d:00Z"`,
				i%28+1, i%60, i%60, i%60)
			fmt.Fprintf(&rows, `, "s": "name %d", "u": "00000000-0000-0000-0000-0000000000%02x", "fixed": "YWJj", "bin": "%s"`, i%10, i, "AAE=")
			fmt.Fprintf(&rows, `, "tags": ["a", null, "t%d"], "m": [{"key": "k", "value": %d}], "st": {"x": %d, "y": null}, "items": [{"q": %d, "r": null}]`, i, i, i, i)
		}
		rows.WriteString("},\n")
	}
	t.Append(rows.String())
	return t
}

// simple returns rows with the columns id, region, price and name, from a number on.
func simple(from, n int) string {
	var rows strings.Builder
	for i := from; i < from+n; i++ {
		name := fmt.Sprintf(`"name %d"`, i%13)
		if i%11 == 0 {
			name = "null"
		}
		fmt.Fprintf(&rows, `{"id": %d, "region": "%s", "price": %d.5, "name": %s},`, i, []string{"EU", "US", "AP"}[i%3], i%100, name)
	}
	return rows.String()
}

func simpleFields() []iceberg.NestedField {
	return []iceberg.NestedField{field(1, "id", p.Int64), field(2, "region", p.String), field(3, "price", p.Float64), field(4, "name", p.String)}
}

// positions is partitioned by region, with position deletes.
func (m *Maker) positions() *Table {
	spec := iceberg.NewPartitionSpec(iceberg.PartitionField{SourceIDs: []int{2}, FieldID: 1000, Name: "region", Transform: iceberg.IdentityTransform{}})
	t := m.Create("positions", 2, simpleFields(), &spec, iceberg.Properties{table.WriteDeleteModeKey: "merge-on-read"})
	t.Append(simple(0, 300))
	t.Append(simple(300, 300))
	t.Delete(iceberg.LessThan(iceberg.Reference("price"), 10.0))
	t.Delete(iceberg.EqualTo(iceberg.Reference("name"), "name 5"))
	return t
}

// vectors is of version 3, with deletion vectors.
func (m *Maker) vectors() *Table {
	t := m.Create("vectors", 3, simpleFields(), nil, iceberg.Properties{table.WriteDeleteModeKey: "merge-on-read"})
	for i := range 4 {
		t.Append(simple(i*200, 200))
	}
	t.DeletePositions(func(f iceberg.DataFile) []int64 {
		var rows []int64
		for p := f.Count() / 4; p < f.Count()/2; p++ {
			rows = append(rows, p)
		}
		return append(rows, 0, f.Count()-1)
	})
	t.Append(simple(800, 50))
	return t
}

// equality has equality deletes by one column, by two, and by NULL.
func (m *Maker) equality() *Table {
	t := m.Create("equality", 2, simpleFields(), nil, nil)
	t.Append(simple(0, 200))
	t.DeleteEqual([]string{"id"}, `{"id": 5}, {"id": 77}, {"id": 1000}`)
	t.Append(simple(0, 20)) // newer than the delete: 5 is there again
	t.DeleteEqual([]string{"region", "name"}, `{"region": "EU", "name": "name 3"}, {"region": "US", "name": null}`)
	t.DeleteEqual([]string{"name"}, `{"name": "name 7"}`)
	t.DeleteEqual([]string{"name"}, `{"name": null}, {"name": "name 12"}`)
	t.Append(simple(200, 20))
	return t
}

// evolved has had columns added with defaults, renamed, dropped, added again and promoted.
func (m *Maker) evolved() *Table {
	t := m.Create("evolved", 3, []iceberg.NestedField{
		{ID: 1, Name: "id", Type: p.Int32, Required: true}, field(2, "f", p.Float32), field(3, "dec", iceberg.DecimalTypeOf(5, 2)), field(4, "old", p.String), field(5, "gone", p.Int32),
		field(6, "st", &iceberg.StructType{FieldList: []iceberg.NestedField{field(7, "x", p.Int32)}}),
	}, nil, nil)
	row := func(i int, more string) string {
		return fmt.Sprintf(`{"id": %d, "f": %d.1, "dec": "%d.25", "st": {"x": %d}, %s},`, i, i, i, i, more)
	}
	var rows strings.Builder
	for i := range 50 {
		rows.WriteString(row(i, fmt.Sprintf(`"old": "o%d", "gone": %d`, i%5, i)))
	}
	t.Append(rows.String())
	t.Change(func(tx *table.Transaction) error {
		u := tx.UpdateSchema(true, false)
		u.UpdateColumn([]string{"id"}, table.ColumnUpdate{FieldType: iceberg.Optional[iceberg.Type]{Val: p.Int64, Valid: true}})
		u.UpdateColumn([]string{"f"}, table.ColumnUpdate{FieldType: iceberg.Optional[iceberg.Type]{Val: p.Float64, Valid: true}})
		u.UpdateColumn([]string{"dec"}, table.ColumnUpdate{FieldType: iceberg.Optional[iceberg.Type]{Val: iceberg.DecimalTypeOf(18, 2), Valid: true}})
		u.RenameColumn([]string{"old"}, "renamed")
		u.DeleteColumn([]string{"gone"})
		u.AddColumn([]string{"st", "y"}, p.String, "", false, nil)
		u.AddColumn([]string{"level"}, p.Int32, "", false, iceberg.NewLiteral(int32(7)))
		u.AddColumn([]string{"word"}, p.String, "", false, iceberg.NewLiteral("none"))
		return u.Commit()
	})
	t.Change(func(tx *table.Transaction) error {
		u := tx.UpdateSchema(true, false)
		u.AddColumn([]string{"old"}, p.Int64, "", false, nil)
		u.AddColumn([]string{"gone"}, p.String, "", false, nil)
		return u.Commit()
	})
	rows.Reset()
	for i := 50; i < 80; i++ {
		rows.WriteString(row(i, fmt.Sprintf(`"renamed": "r%d", "level": %d, "word": null, "old": %d, "gone": "g"`, i%5, i%9, i)))
	}
	t.Append(rows.String())
	return t
}

// mapped has files without field ids, in row groups of 50 rows.
func (m *Maker) mapped() *Table {
	t := m.Create("mapped", 2, simpleFields(), nil, iceberg.Properties{
		table.DefaultNameMappingKey: `[{"field-id": 1, "names": ["id", "ID"]}, {"field-id": 2, "names": ["region"]}, {"field-id": 3, "names": ["cost", "price"]}, {"field-id": 4, "names": ["name"]}]`,
	})
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "price", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "region", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	t.AddFile("a", schema, simple(0, 400), 50)
	t.AddFile("b", schema, simple(400, 100), 50)
	return t
}

// hidden is partitioned by transforms, and by others later.
func (m *Maker) hidden() *Table {
	spec := iceberg.NewPartitionSpec(
		iceberg.PartitionField{SourceIDs: []int{2}, FieldID: 1000, Name: "day", Transform: iceberg.DayTransform{}},
		iceberg.PartitionField{SourceIDs: []int{1}, FieldID: 1001, Name: "bucket", Transform: iceberg.BucketTransform{NumBuckets: 2}})
	t := m.Create("hidden", 2, []iceberg.NestedField{field(1, "id", p.Int64), field(2, "ts", p.TimestampTz), field(3, "v", p.Int32)}, &spec, nil)
	rows := func(from, n int) string {
		var s strings.Builder
		for i := from; i < from+n; i++ {
			fmt.Fprintf(&s, `{"id": %d, "ts": "2024-02-%02dT%02d:00:00Z", "v": %d},`, i, i%4+1, i%24, i%10)
		}
		return s.String()
	}
	t.Append(rows(0, 100))
	t.Change(func(tx *table.Transaction) error {
		return tx.UpdateSpec(true).RemoveField("bucket").AddIdentity("v").Commit()
	})
	t.Append(rows(100, 100))
	return t
}
