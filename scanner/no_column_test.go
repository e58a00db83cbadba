package scanner

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Whatever names a column that is not there, the error matches ErrNoColumn and names the file.
func TestNoColumn(t *testing.T) {
	text := func(name string) *gen.Node { return gen.Required(name, gen.ByteArray).As(gen.StringType()) }
	b := write(t, gen.File{
		Schema: []*gen.Node{
			gen.Required("id", gen.Int64),
			gen.Optional("s", gen.Group, text("x")),
			gen.List("tags", text("element")),
			gen.Map("m", text("key"), gen.Optional("value", gen.Group, text("f"))),
		},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 1, "s": gen.Record{"x": "a"}, "tags": []any{"t"}, "m": []gen.KV{}}}}},
	})
	ctx := t.Context()
	file, err := OpenSource(ctx, "f.parquet", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	files := NewFiles([]string{"year=1/f.parquet", "year=2/f.parquet"}, func(ctx context.Context, name string) (*File, error) {
		return OpenSource(ctx, name, fetch.FromBytes(b))
	})
	scan := func(o Options) (errs []error) {
		for _, table := range []Table{file, files} {
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
	both := func(f func(table Table) error) []error { return []error{f(file), f(files)} }
	cases := map[string][]error{}
	for _, path := range []string{"none", "s.none", "id.none", "tags.item.none", "m.value.none", "s.x.none"} {
		cases["select "+path] = scan(Options{Select: []string{"id", path}})
		cases["unnest "+path] = scan(Options{Unnest: path})
		column := filter.Col(path)
		cases["filter "+path] = scan(Options{Filter: filter.And(filter.Col("id").Eq(5), column.Eq("x"))})
		cases["null "+path] = scan(Options{Filter: column.IsNull()})
		cases["function "+path] = scan(Options{Filter: filter.Func("f", nil, column)})
		var r filter.Runtime
		r.Publish(column.IsNotNull())
		cases["runtime "+path] = scan(Options{Runtime: []*filter.Runtime{&r}})
		_, one := file.Count(ctx, Options{Filter: column.IsNull()})
		_, several := files.Count(ctx, Options{Filter: column.IsNull()})
		cases["count "+path] = []error{one, several}
		_, err := file.Plan(ctx, Options{Filter: column.IsNull()})
		cases["plan "+path] = []error{err}
		_, one = file.Min(ctx, path, Options{})
		_, several = files.Min(ctx, path, Options{})
		cases["min "+path] = []error{one, several}
		_, one = file.Max(ctx, path, Options{})
		_, several = files.Max(ctx, path, Options{})
		cases["max "+path] = []error{one, several}
		for _, one = range file.Top(ctx, Order{By: path}, Options{Limit: 1}) {
		}
		for _, several = range files.Top(ctx, Order{By: path}, Options{Limit: 1}) {
		}
		cases["top "+path] = []error{one, several}
	}
	for _, where := range []string{"m['k'].none = 'x'", "ANY(none) = 1", "length(none) = 1", "none['k'] = 'x'", "none", "none = id", "none LIKE 'x%'"} {
		cases[where] = scan(Options{Filter: parsed(t, where)})
	}
	cases["rows"] = both(func(table Table) (err error) {
		for _, err = range Rows[struct{ None int64 }](ctx, table, Options{}) {
		}
		return err
	})
	cases["rows, a part"] = both(func(table Table) (err error) {
		for _, err = range Rows[struct{ S *struct{ None string } }](ctx, table, Options{}) {
		}
		return err
	})
	cases["rows of a selection"] = both(func(table Table) (err error) {
		for _, err = range Rows[struct{ Tags []string }](ctx, table, Options{Select: []string{"id"}}) {
		}
		return err
	})
	_, err = file.Schema().Lookup("s.none")
	if !errors.Is(err, ErrNoColumn) {
		t.Errorf("Lookup: %v", err)
	}
	for name, errs := range cases {
		for i, err := range errs {
			var e *Error
			if !errors.Is(err, ErrNoColumn) || !errors.As(err, &e) || e.File == "" {
				t.Errorf("%s, way %d: %v", name, i, err)
			}
		}
	}
	// What is there, and not as it is wanted, is something else.
	for _, err := range []error{
		scan(Options{Filter: filter.Col("tags").Eq("x")})[0],
		scan(Options{Unnest: "id"})[0],
		both(func(table Table) (err error) {
			for _, err = range Rows[struct{ ID string }](ctx, table, Options{}) {
			}
			return err
		})[0],
	} {
		if err == nil || errors.Is(err, ErrNoColumn) {
			t.Errorf("got %v, want an error that does not match ErrNoColumn", err)
		}
	}
}
