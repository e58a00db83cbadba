package dataset

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Whatever names a column that is not there, the error matches scanner.ErrNoColumn and names the file.
func TestNoColumn(t *testing.T) {
	text := func(name string) *gen.Node { return gen.Required(name, gen.ByteArray).As(gen.StringType()) }
	b := scannertest.Write(t, gen.File{
		Schema: []*gen.Node{
			gen.Required("id", gen.Int64),
			gen.Optional("s", gen.Group, text("x")),
			gen.List("tags", text("element")),
			gen.Map("m", text("key"), gen.Optional("value", gen.Group, text("f"))),
		},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 1, "s": gen.Record{"x": "a"}, "tags": []any{"t"}, "m": []gen.KV{}}}}},
	})
	ctx := t.Context()
	file, err := scanner.OpenSource(ctx, "f.parquet", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	files := New([]string{"year=1/f.parquet", "year=2/f.parquet"}, func(ctx context.Context, name string) (*scanner.File, error) {
		return scanner.OpenSource(ctx, name, fetch.FromBytes(b))
	})
	scan := func(o scanner.Options) (errs []error) {
		for _, table := range []scanner.Table{file, files} {
			var last error
			for _, err := range table.Scan(ctx, o) {
				last = err
			}
			errs = append(errs, last)
		}
		for _, parts := range [][]iter.Seq2[*vector.Batch, error]{file.Partitions(ctx, o, 1), files.Partitions(ctx, o, 1)} {
			var last error
			for _, err := range parts[0] {
				last = err
			}
			errs = append(errs, last)
		}
		var last error
		o.Threads = 2
		for _, err := range file.Scan(ctx, o) {
			last = err
		}
		return append(errs, last)
	}
	both := func(f func(table scanner.Table) error) []error { return []error{f(file), f(files)} }
	cases := map[string][]error{}
	for _, path := range []string{"none", "s.none", "id.none", "tags.item.none", "m.value.none", "s.x.none"} {
		cases["select "+path] = scan(scanner.Options{Select: []string{"id", path}})
		cases["unnest "+path] = scan(scanner.Options{Unnest: path})
		column := filter.Col(path)
		cases["filter "+path] = scan(scanner.Options{Filter: filter.And(filter.Col("id").Eq(5), column.Eq("x"))})
		cases["null "+path] = scan(scanner.Options{Filter: column.IsNull()})
		cases["function "+path] = scan(scanner.Options{Filter: filter.Func("f", nil, column)})
		var r filter.Runtime
		r.Publish(column.IsNotNull())
		cases["runtime "+path] = scan(scanner.Options{Runtime: []*filter.Runtime{&r}})
		_, one := file.Count(ctx, scanner.Options{Filter: column.IsNull()})
		_, several := files.Count(ctx, scanner.Options{Filter: column.IsNull()})
		cases["count "+path] = []error{one, several}
		_, err := file.Plan(ctx, scanner.Options{Filter: column.IsNull()})
		cases["plan "+path] = []error{err}
		_, one = file.Min(ctx, path, scanner.Options{})
		_, several = files.Min(ctx, path, scanner.Options{})
		cases["min "+path] = []error{one, several}
		_, one = file.Max(ctx, path, scanner.Options{})
		_, several = files.Max(ctx, path, scanner.Options{})
		cases["max "+path] = []error{one, several}
		for _, one = range file.Top(ctx, scanner.Order{By: path}, scanner.Options{Limit: 1}) {
		}
		for _, several = range files.Top(ctx, scanner.Order{By: path}, scanner.Options{Limit: 1}) {
		}
		cases["top "+path] = []error{one, several}
	}
	for _, where := range []string{"m['k'].none = 'x'", "ANY(none) = 1", "length(none) = 1", "none['k'] = 'x'", "none", "none = id", "none LIKE 'x%'"} {
		cases[where] = scan(scanner.Options{Filter: scannertest.Parsed(t, where)})
	}
	cases["rows"] = both(func(table scanner.Table) (err error) {
		for _, err = range scanner.Rows[struct{ None int64 }](ctx, table, scanner.Options{}) {
		}
		return err
	})
	cases["rows, a part"] = both(func(table scanner.Table) (err error) {
		for _, err = range scanner.Rows[struct{ S *struct{ None string } }](ctx, table, scanner.Options{}) {
		}
		return err
	})
	cases["rows of a selection"] = both(func(table scanner.Table) (err error) {
		for _, err = range scanner.Rows[struct{ Tags []string }](ctx, table, scanner.Options{Select: []string{"id"}}) {
		}
		return err
	})
	_, err = file.Schema().Lookup("s.none")
	if !errors.Is(err, scanner.ErrNoColumn) {
		t.Errorf("Lookup: %v", err)
	}
	for name, errs := range cases {
		for i, err := range errs {
			var e *scanner.Error
			if !errors.Is(err, scanner.ErrNoColumn) || !errors.As(err, &e) || e.File == "" {
				t.Errorf("%s, way %d: %v", name, i, err)
			}
		}
	}
	// What is there, and not as it is wanted, is something else.
	for _, err := range []error{
		scan(scanner.Options{Filter: filter.Col("tags").Eq("x")})[0],
		scan(scanner.Options{Unnest: "id"})[0],
		both(func(table scanner.Table) (err error) {
			for _, err = range scanner.Rows[struct{ ID string }](ctx, table, scanner.Options{}) {
			}
			return err
		})[0],
	} {
		if err == nil || errors.Is(err, scanner.ErrNoColumn) {
			t.Errorf("got %v, want an error that does not match ErrNoColumn", err)
		}
	}
}
