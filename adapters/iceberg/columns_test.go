package icebergscan_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/codec"
	"github.com/apache/iceberg-go/table"

	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// reader returns a reader and its tasks.
func reader(t *testing.T, tbl *table.Table, q icebergscan.Query) (*icebergscan.Reader, []table.FileScanTask) {
	t.Helper()
	r, err := icebergscan.NewReader(t.Context(), tbl, q)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := r.PlanFiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r, tasks
}

// TestLineage compares row ids and sequence numbers with those of iceberg-go's reader, below
// deletion vectors and a filter.
func TestLineage(t *testing.T) {
	tbl := samples()["vectors"].Table
	names := []string{"id", icebergscan.RowID, icebergscan.LastSequence}
	filter := iceberg.LessThan(ref("price"), 30.0)
	want := theirs(t, tbl, table.WithSelectedFields(names...), table.WithRowFilter(filter))
	same(t, ours(t, tbl, icebergscan.Query{Select: names, Filter: filter}, scanner.Options{}), want)
	for _, row := range want {
		if strings.Contains(row, "(null)") {
			t.Fatalf("%s: the table has no row lineage", row)
		}
	}
}

// TestFileAndPosition checks both against the ids, which count rows file by file.
func TestFileAndPosition(t *testing.T) {
	r, tasks := reader(t, samples()["vectors"].Table, icebergscan.Query{Select: []string{icebergscan.FilePath, "id", icebergscan.RowPosition}})
	if f := r.Fields(); f[0].Name != "id" || f[1].Name != icebergscan.FilePath || f[2].Name != icebergscan.RowPosition {
		t.Fatalf("fields %v", f)
	}
	files := map[string]bool{}
	rows := 0
	for b, err := range r.Scan(t.Context(), tasks, scanner.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len {
			id, pos := b.Columns[0].Int64s[i], b.Columns[2].Int64s[i]
			if pos != id%200 {
				t.Fatalf("id %d has position %d", id, pos)
			}
			files[string(b.Columns[1].Bytes(i))] = true
		}
		rows += b.Len
		b.Release()
	}
	for _, task := range tasks {
		if !files[task.File.FilePath()] {
			t.Errorf("no row of %s", task.File.FilePath())
		}
	}
	if rows != 4*(200-52)+50 {
		t.Errorf("%d rows", rows)
	}
}

// TestSplits cuts files anywhere: each row comes once.
func TestSplits(t *testing.T) {
	tbl := samples()["mapped"].Table
	q := icebergscan.Query{Select: []string{"id", icebergscan.RowPosition}}
	r, tasks := reader(t, tbl, q)
	want := read(t, r, tasks, scanner.Options{})
	if len(want) != 500 {
		t.Fatalf("%d rows", len(want))
	}
	for round := range 20 {
		rng := rand.New(rand.NewPCG(uint64(round), 1))
		var parts []table.FileScanTask
		for _, task := range tasks {
			for at, size := int64(0), task.File.FileSizeBytes(); at < size; {
				part := task
				part.Start, part.Length = at, min(size-at, 1+rng.Int64N(size))
				at += part.Length
				parts = append(parts, part)
			}
		}
		same(t, read(t, r, parts, scanner.Options{Threads: 2}), want)
	}
}

func TestSnapshots(t *testing.T) {
	tbl := samples()["positions"].Table
	snapshots := tbl.Metadata().Snapshots()
	if len(snapshots) < 4 {
		t.Fatalf("%d snapshots", len(snapshots))
	}
	seen := map[int]bool{}
	for _, s := range snapshots {
		want := theirs(t, tbl, table.WithSnapshotID(s.SnapshotID))
		seen[len(want)] = true
		same(t, ours(t, tbl, icebergscan.Query{SnapshotID: &s.SnapshotID}, scanner.Options{}), want)
		same(t, ours(t, tbl, icebergscan.Query{AsOf: &s.TimestampMs}, scanner.Options{}), theirs(t, tbl, table.WithSnapshotAsOf(s.TimestampMs)))
	}
	if len(seen) < 4 {
		t.Errorf("snapshots have %v rows", seen)
	}
	evolved := samples()["evolved"].Table
	first := evolved.Metadata().Snapshots()[0].SnapshotID
	same(t, ours(t, evolved, icebergscan.Query{SnapshotID: &first, Filter: iceberg.EqualTo(ref("old"), "o3")}, scanner.Options{}),
		theirs(t, evolved, table.WithSnapshotID(first), table.WithRowFilter(iceberg.EqualTo(ref("old"), "o3"))))
	same(t, ours(t, tbl, icebergscan.Query{Ref: table.MainBranch}, scanner.Options{}), theirs(t, tbl))
}

func TestLimit(t *testing.T) {
	r, tasks := reader(t, samples()["positions"].Table, icebergscan.Query{Select: []string{"id"}})
	all := read(t, r, tasks, scanner.Options{})
	for _, limit := range []int64{1, 50, 151, int64(len(all)), int64(len(all)) + 5} {
		got := read(t, r, tasks, scanner.Options{Limit: limit, Threads: 4})
		same(t, got, all[:min(int(limit), len(all))])
	}
	if got := read(t, r, tasks, scanner.Options{Limited: true}); len(got) != 0 {
		t.Errorf("%d rows with a limit of 0", len(got))
	}
}

// TestShippedTasks reads tasks that iceberg-go's codec brought from another process.
func TestShippedTasks(t *testing.T) {
	tbl := samples()["positions"].Table
	q := icebergscan.Query{Filter: iceberg.NewOr(iceberg.EqualTo(ref("region"), "US"), iceberg.EqualTo(ref("id"), int64(33)))}
	r, tasks := reader(t, tbl, q)
	want := read(t, r, tasks, scanner.Options{})
	for i, task := range tasks {
		b, err := codec.EncodeFileScanTask(task, tbl.Spec(), tbl.Schema(), 2)
		if err != nil {
			t.Fatal(err)
		}
		if tasks[i], err = codec.DecodeFileScanTask(b, tbl.Spec(), tbl.Schema(), 2); err != nil {
			t.Fatal(err)
		}
	}
	other, err := icebergscan.NewReader(t.Context(), tbl, q)
	if err != nil {
		t.Fatal(err)
	}
	same(t, read(t, other, tasks, scanner.Options{}), want)
}

// TestErrors checks what errors name.
func TestErrors(t *testing.T) {
	tbl := samples()["types"].Table
	m := tables.New(t.Context(), t.TempDir())
	variant := m.Create("v", 3, []iceberg.NestedField{{ID: 1, Name: "st", Type: &iceberg.StructType{FieldList: []iceberg.NestedField{{ID: 2, Name: "v", Type: iceberg.VariantType{}}}}}}, nil, nil)
	id, at := int64(1), int64(2)
	for _, c := range []struct {
		tbl  *table.Table
		q    icebergscan.Query
		want string
		is   error
	}{
		{variant.Table, icebergscan.Query{}, "column st.v: type variant", icebergscan.ErrUnsupported},
		{tbl, icebergscan.Query{Select: []string{"nope"}}, "nope", nil},
		{tbl, icebergscan.Query{Filter: iceberg.IsNull(ref("nope"))}, "nope", nil},
		{tbl, icebergscan.Query{SnapshotID: &id, AsOf: &at}, "more than one of", scanner.ErrOptions},
	} {
		_, err := icebergscan.NewReader(t.Context(), c.tbl, c.q)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
	r, tasks := reader(t, tbl, icebergscan.Query{})
	fails := func(ctx context.Context, tasks []table.FileScanTask, o scanner.Options, want string, is error) {
		t.Helper()
		var last error
		for b, err := range r.Scan(ctx, tasks, o) {
			if last = err; err == nil {
				b.Release()
			}
		}
		if last == nil || !strings.Contains(last.Error(), want) || !errors.Is(last, is) {
			t.Errorf("want %q, got %v", want, last)
		}
	}
	fails(t.Context(), tasks, scanner.Options{Select: []string{"id"}}, "takes no Select", scanner.ErrOptions)
	fails(t.Context(), tasks, scanner.Options{Split: fetch.Range{Len: 1}}, "takes no Split", scanner.ErrOptions)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	fails(ended, tasks, scanner.Options{}, "", context.Canceled)
	fails(ended, append(tasks, tasks...), scanner.Options{Threads: 2}, "", context.Canceled)

	unmapped := m.Create("u", 2, []iceberg.NestedField{{ID: 1, Name: "x", Type: iceberg.PrimitiveTypes.Int64}}, nil, nil)
	r, _ = reader(t, unmapped.Table, icebergscan.Query{})
	other := samples()["mapped"]
	_, tasks = reader(t, other.Table, icebergscan.Query{})
	var got error
	for _, err := range r.Scan(t.Context(), tasks, scanner.Options{}) {
		got = err
	}
	if got == nil || !strings.Contains(got.Error(), "no field ids, and the table no name mapping") {
		t.Errorf("got %v", got)
	}
}

// TestMissingRequired reads a file that lacks a required column.
func TestMissingRequired(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	x := iceberg.NestedField{ID: 1, Name: "x", Type: iceberg.PrimitiveTypes.Int64}
	have := m.Create("have", 2, []iceberg.NestedField{x}, nil, nil)
	have.Append(`{"x": 1}`)
	_, tasks := reader(t, have.Table, icebergscan.Query{})
	want := m.Create("want", 2, []iceberg.NestedField{x, {ID: 2, Name: "y", Type: iceberg.PrimitiveTypes.Int64, Required: true}}, nil, nil)
	r, _ := reader(t, want.Table, icebergscan.Query{})
	var got error
	for _, err := range r.Scan(t.Context(), tasks, scanner.Options{}) {
		got = err
	}
	if got == nil || !strings.Contains(got.Error(), "column y is required") {
		t.Errorf("got %v", got)
	}
}

// TestPromotedToTimestamp reads dates as timestamps, which version 3 allows.
func TestPromotedToTimestamp(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	make := func(name string, version int, typ iceberg.Type) *tables.Table {
		return m.Create(name, version, []iceberg.NestedField{{ID: 1, Name: "at", Type: typ}, {ID: 2, Name: "all", Type: &iceberg.ListType{ElementID: 3, Element: typ}}}, nil, nil)
	}
	days := make("days", 2, iceberg.PrimitiveTypes.Date)
	days.Append(`{"at": "2024-02-29", "all": ["1969-12-31", null]}, {"at": null, "all": null}`)
	_, tasks := reader(t, days.Table, icebergscan.Query{})
	for _, c := range []struct {
		typ  iceberg.Type
		want string
	}{
		{iceberg.PrimitiveTypes.Timestamp, `at=2024-02-29 00:00:00 all=["1969-12-31 00:00:00",null]`},
		{iceberg.PrimitiveTypes.TimestampNs, `at=2024-02-29 00:00:00 all=["1969-12-31 00:00:00",null]`},
	} {
		r, _ := reader(t, make("at"+c.typ.Type(), 3, c.typ).Table, icebergscan.Query{})
		got := strings.ReplaceAll(strings.ReplaceAll(strings.Join(read(t, r, tasks, scanner.Options{}), ";"), "T00:00:00", " 00:00:00"), "00Z", "00")
		if want := c.want + ";at=(null) all=(null)"; got != want {
			t.Errorf("%s: got %s, want %s", c.typ, got, want)
		}
	}
}

// TestManyEqualityDeletes has more keys than are listed in a condition.
func TestManyEqualityDeletes(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	p := iceberg.PrimitiveTypes
	tbl := m.Create("many", 2, []iceberg.NestedField{{ID: 1, Name: "id", Type: p.Int64}, {ID: 2, Name: "d", Type: p.Float64}, {ID: 3, Name: "dec", Type: iceberg.DecimalTypeOf(20, 2)}, {ID: 4, Name: "s", Type: p.String}}, nil, nil)
	rows := func(n, step int, names ...string) string {
		var s strings.Builder
		for i := 0; i < n; i += step {
			all := map[string]string{"id": fmt.Sprint(i), "d": fmt.Sprintf("%d.5", i), "dec": fmt.Sprintf(`"%d.25"`, i-500), "s": fmt.Sprintf(`"s%d"`, i%50)}
			s.WriteString("{")
			for k, name := range names {
				if i%100 == 99 && name != "id" {
					all[name] = "null"
				}
				s.WriteString([]string{"", ", "}[min(k, 1)] + `"` + name + `": ` + all[name])
			}
			s.WriteString("},")
		}
		return s.String()
	}
	tbl.Append(rows(6000, 1, "id", "d", "dec", "s"))
	tbl.DeleteEqual([]string{"id"}, rows(6000, 5, "id"))
	tbl.DeleteEqual([]string{"id", "s"}, rows(3000, 33, "id", "s"))
	tbl.DeleteEqual([]string{"dec", "s"}, rows(4000, 3, "dec", "s"))
	want := theirs(t, tbl.Table)
	if len(want) < 1000 || len(want) > 4000 {
		t.Fatalf("%d rows are left", len(want))
	}
	same(t, ours(t, tbl.Table, icebergscan.Query{}, scanner.Options{}), want)
	same(t, ours(t, tbl.Table, icebergscan.Query{Select: []string{"s"}, Filter: iceberg.GreaterThan(ref("id"), int64(2500))}, scanner.Options{Threads: 2}),
		theirs(t, tbl.Table, table.WithSelectedFields("s"), table.WithRowFilter(iceberg.GreaterThan(ref("id"), int64(2500)))))
}

// TestRenamedOver has a column that took the name of another, which files still have.
func TestRenamedOver(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	p := iceberg.PrimitiveTypes
	tbl := m.Create("over", 2, []iceberg.NestedField{{ID: 1, Name: "a", Type: p.Int64}, {ID: 2, Name: "b", Type: p.Int64}}, nil, nil)
	tbl.Append(`{"a": 1, "b": 10}, {"a": 2, "b": 20}`)
	tbl.Change(func(tx *table.Transaction) error {
		return tx.UpdateSchema(true, true).RenameColumn([]string{"b"}, "c").Commit()
	})
	tbl.Change(func(tx *table.Transaction) error {
		return tx.UpdateSchema(true, true).RenameColumn([]string{"a"}, "b").Commit()
	})
	tbl.Change(func(tx *table.Transaction) error {
		return tx.UpdateSchema(true, true).AddColumn([]string{"a"}, p.String, "", false, nil).Commit()
	})
	for _, c := range []struct {
		q    icebergscan.Query
		want string
	}{
		{icebergscan.Query{}, "b=1 c=10 a=(null);b=2 c=20 a=(null)"},
		{icebergscan.Query{Select: []string{"c"}, Filter: iceberg.EqualTo(ref("b"), int64(2))}, "c=20"},
		{icebergscan.Query{Select: []string{"b"}, Filter: iceberg.IsNull(ref("a"))}, "b=1;b=2"},
		{icebergscan.Query{Select: []string{"a"}, Filter: iceberg.EqualTo(ref("c"), int64(10))}, "a=(null)"},
	} {
		if got := strings.Join(ours(t, tbl.Table, c.q, scanner.Options{}), ";"); got != c.want {
			t.Errorf("%v: got %s, want %s", c.q, got, c.want)
		}
	}
}

// TestNamesakes has a file in which two columns have one name: a condition on the second is an error,
// not a condition on the first.
func TestNamesakes(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	p := iceberg.PrimitiveTypes
	tbl := m.Create("namesakes", 2, []iceberg.NestedField{{ID: 1, Name: "aaaa", Type: p.Int64}, {ID: 2, Name: "bbbb", Type: p.Int64}}, nil, nil)
	tbl.Append(`{"aaaa": 1, "bbbb": 20}, {"aaaa": 20, "bbbb": 1}`)
	_, tasks := reader(t, tbl.Table, icebergscan.Query{})
	path := strings.TrimPrefix(tasks[0].File.FilePath(), "file://")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(b, []byte("bbbb"), []byte("aaaa")), 0o666); err != nil {
		t.Fatal(err)
	}
	first := icebergscan.Query{Select: []string{"aaaa"}, Filter: iceberg.EqualTo(ref("aaaa"), int64(20))}
	if got := strings.Join(ours(t, tbl.Table, first, scanner.Options{}), ";"); got != "aaaa=20" {
		t.Errorf("%v: %s", first, got)
	}
	for _, q := range []icebergscan.Query{
		{Select: []string{"aaaa"}, Filter: iceberg.EqualTo(ref("bbbb"), int64(20))},
		{Select: []string{"bbbb"}},
	} {
		r, tasks := reader(t, tbl.Table, q)
		var err error
		for _, err = range r.Scan(t.Context(), tasks, scanner.Options{}) {
		}
		if !errors.Is(err, icebergscan.ErrUnsupported) || !strings.Contains(err.Error(), `two columns have the name "aaaa"`) {
			t.Errorf("%v: %v", q, err)
		}
	}
}

// TestStoredLineage reads a file that has row ids of its own for some rows.
func TestStoredLineage(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	p := iceberg.PrimitiveTypes
	mapping := func(id int) iceberg.Properties {
		return iceberg.Properties{table.DefaultNameMappingKey: fmt.Sprintf(`[{"field-id": 1, "names": ["x"]}, {"field-id": %d, "names": ["own"]}]`, id)}
	}
	written := m.Create("written", 2, []iceberg.NestedField{{ID: 1, Name: "x", Type: p.Int64}, {ID: 2, Name: "own", Type: p.Int64}}, nil, mapping(2))
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "own", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	written.AddFile("lineage", schema, `{"x": 1, "own": 7}, {"x": 2}, {"x": 3, "own": 9}, {"x": 4}`, 10)
	_, tasks := reader(t, written.Table, icebergscan.Query{})
	first := int64(100)
	tasks[0].FirstRowID = &first
	read3 := m.Create("read", 3, []iceberg.NestedField{{ID: 1, Name: "x", Type: p.Int64}}, nil, mapping(iceberg.RowIDFieldID))
	r, _ := reader(t, read3.Table, icebergscan.Query{Select: []string{"x", icebergscan.RowID}, Filter: iceberg.NotEqualTo(ref("x"), int64(3))})
	if got, want := strings.Join(read(t, r, tasks, scanner.Options{}), ";"), "x=1 _row_id=7;x=2 _row_id=101;x=4 _row_id=103"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tasks[0].FirstRowID = nil
	if got, want := strings.Join(read(t, r, tasks, scanner.Options{}), ";"), "x=1 _row_id=7;x=2 _row_id=(null);x=4 _row_id=(null)"; got != want {
		t.Errorf("without a first row id: got %s, want %s", got, want)
	}
}

// TestNestedNames maps names within lists, structs and maps.
func TestNestedNames(t *testing.T) {
	m := tables.New(t.Context(), t.TempDir())
	p := iceberg.PrimitiveTypes
	item := &iceberg.StructType{FieldList: []iceberg.NestedField{{ID: 3, Name: "q", Type: p.Int64}, {ID: 4, Name: "late", Type: p.String}}}
	tbl := m.Create("nested", 2, []iceberg.NestedField{
		{ID: 1, Name: "items", Type: &iceberg.ListType{ElementID: 2, Element: item}},
		{ID: 5, Name: "m", Type: &iceberg.MapType{KeyID: 6, KeyType: p.String, ValueID: 7, ValueType: &iceberg.StructType{FieldList: []iceberg.NestedField{{ID: 8, Name: "v", Type: p.Int64}}}}},
	}, nil, iceberg.Properties{table.DefaultNameMappingKey: `[
		{"field-id": 1, "names": ["old items"], "fields": [{"field-id": 2, "names": ["element"], "fields": [{"field-id": 3, "names": ["quantity"]}]}]},
		{"field-id": 5, "names": ["m"], "fields": [{"field-id": 6, "names": ["key"]}, {"field-id": 7, "names": ["value"], "fields": [{"field-id": 8, "names": ["w"]}]}]}]`})
	inner := arrow.StructOf(arrow.Field{Name: "late", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, arrow.Field{Name: "quantity", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "m", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.StructOf(arrow.Field{Name: "w", Type: arrow.PrimitiveTypes.Int64, Nullable: true})), Nullable: true},
		{Name: "old items", Type: arrow.ListOf(inner), Nullable: true},
	}, nil)
	file := m.Create("file", 2, []iceberg.NestedField{
		{ID: 1, Name: "m", Type: &iceberg.MapType{KeyID: 2, KeyType: p.String, ValueID: 3, ValueType: &iceberg.StructType{FieldList: []iceberg.NestedField{{ID: 4, Name: "w", Type: p.Int64}}}}},
		{ID: 5, Name: "old items", Type: &iceberg.ListType{ElementID: 6, Element: &iceberg.StructType{FieldList: []iceberg.NestedField{{ID: 7, Name: "late", Type: p.Int64}, {ID: 8, Name: "quantity", Type: p.Int64}}}}},
	}, nil, nil)
	file.AddFile("nested", schema, `{"m": [{"key": "a", "value": {"w": 5}}], "old items": [{"late": 1, "quantity": 10}, null, {"quantity": null}]}, {"m": null, "old items": []}`, 10)
	_, tasks := reader(t, file.Table, icebergscan.Query{})
	r, _ := reader(t, tbl.Table, icebergscan.Query{})
	got := strings.Join(read(t, r, tasks, scanner.Options{}), ";")
	want := `items=[{"late":null,"q":10},null,{"late":null,"q":null}] m=[{"key":"a","value":{"v":5}}];items=[] m=(null)`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
