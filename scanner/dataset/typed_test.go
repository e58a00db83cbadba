package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Rows of files as structs: their columns, those of their paths, and their numbers.
func TestTypedRowsOfFiles(t *testing.T) {
	fs, _ := filesOf(t, "y=1/a", "y=2/b")
	sum := int64(0)
	for r, err := range scanner.Rows[struct{ Y, ID int64 }](t.Context(), fs, scanner.Options{Filter: scannertest.Parsed(t, "s = 's3'")}) {
		if err != nil {
			t.Fatal(err)
		}
		sum += 1000*r.Y + r.ID
	}
	if sum != 3016 {
		t.Errorf("sum %d", sum)
	}
	for _, err := range scanner.Rows[struct{ Y int64 }](t.Context(), fs, scanner.Options{Filter: scannertest.Parsed(t, "y = 3")}) {
		t.Errorf("a row of no file, %v", err)
	}
	type numbered struct {
		Row int64 // row: in any case
		ID  int64 `parquet:"id"`
	}
	fs, _ = filesOf(t, "year=1/a", "year=2/b")
	for _, c := range []struct {
		o    scanner.Options
		want []string
	}{
		{scanner.Options{Offset: 9, Limit: 3}, []string{"9 is row 9", "10 is row 0", "11 is row 1"}},
		{scanner.Options{Filter: scannertest.Parsed(t, "year = 2 AND id = 15")}, []string{"15 is row 5"}},
	} {
		c.o.RowNumber = "row"
		var got []string
		for r, err := range scanner.Rows[numbered](t.Context(), fs, c.o) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(r.ID, " is row ", r.Row))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The columns of the first file cannot be NULL; later files have NULLs in them, or lack them. The fields of
// the table allow what its batches hold, at each depth.
func TestNullsOfLaterFiles(t *testing.T) {
	schema := func(may func(string, gen.Type, ...*gen.Node) *gen.Node) []*gen.Node {
		items, pairs := gen.List("l", may("element", gen.Int32)), gen.Map("m", gen.Required("key", gen.Int32), may("value", gen.Int64))
		sure := may("", gen.Int32).Repetition
		items.Repetition, pairs.Repetition = sure, sure
		return []*gen.Node{may("id", gen.Int64), may("p", gen.Group, may("x", gen.Int32)), items, pairs}
	}
	value := gen.Record{"id": 1, "p": gen.Record{"x": 2}, "l": []any{int32(3)}, "m": []gen.KV{{Key: int32(4), Value: int64(5)}}}
	parts := gen.Record{"id": 6, "p": gen.Record{"x": nil}, "l": []any{nil}, "m": []gen.KV{{Key: int32(7)}}}
	write := func(schema []*gen.Node, rows ...any) []byte {
		return scannertest.Write(t, gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows}}})
	}
	s := &shelf{files: map[string][]byte{
		"y=1/sure": write(schema(gen.Required), value), "y=1/null": write(schema(gen.Optional), gen.Record{}, parts),
		"y=2/lacks": write([]*gen.Node{gen.Required("other", gen.Int64)}, gen.Record{"other": 1}),
	}}
	o := scanner.Options{RowNumber: "n", FileName: "f"}
	check := func(fs *Files, scanned *Files) {
		t.Helper()
		fields, err := fs.Fields(t.Context(), o)
		if err != nil || len(fields) != 7 {
			t.Fatalf("%d fields, %v", len(fields), err)
		}
		for b, err := range scanned.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			b.Fields = fields
			if err := validate.Batch(b); err != nil {
				t.Errorf("%s: %v", b.Origin.File, err)
			}
		}
		if last := fields[5:]; last[0].Nullable || last[1].Nullable {
			t.Errorf("the number or the name of a row may be NULL: %v", last)
		}
	}
	names := []string{"y=1/sure", "y=1/null", "y=2/lacks"}
	all := New(names, s.opener)
	check(all, all)
	for i := range names {
		check(all.Part(i), all) // whose batches are joined with those of other parts
	}
	check(all.With(s.opener).Part(0), all)
	for _, one := range []*Files{New(names[:1], s.opener), New(names[:1], s.opener).Part(0), all.At(0)} {
		check(one, one)
		if fields, err := one.Fields(t.Context(), o); err != nil || fields[0].Nullable || fields[1].Children[0].Nullable {
			t.Errorf("of one file %v, %v", fields, err)
		}
	}
	rows, fault := 0, error(nil)
	for _, err := range scanner.Rows[struct{ ID int64 }](t.Context(), all, scanner.Options{}) {
		if fault = err; err != nil {
			break
		}
		rows++
	}
	if rows != 1 || fault == nil || !strings.Contains(fault.Error(), `column "id" is NULL in a row`) {
		t.Errorf("%d rows, then %v: a NULL is no int64", rows, fault)
	}
}

// Numbers of partitions below one count as one.
func TestPartitionsBelowOne(t *testing.T) {
	for _, n := range []int{-1, 0, 1} {
		fs, _ := filesOf(t, "y=1/a")
		if parts := fs.Partitions(t.Context(), scanner.Options{}, n); len(parts) != 1 {
			t.Errorf("Partitions(%d) returned %d", n, len(parts))
		}
	}
}

// An ended context is told by both the end and its cause, whatever came of it.
func TestContextOfFiles(t *testing.T) {
	why := errors.New("the host is going down")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	ended := func(what string, err error) {
		t.Helper()
		var e *scanner.Error
		if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || !errors.As(err, &e) || e.File != "f.parquet" {
			t.Errorf("%s: %v", what, err)
		}
	}
	files, err := Open("f.parquet")
	if err != nil {
		t.Fatal(err)
	}
	_, err = files.Count(ctx, scanner.Options{})
	ended("Count", err)
	byHost := New([]string{"f.parquet"}, func(ctx context.Context, _ string) (*scanner.File, error) { return nil, ctx.Err() })
	for _, err = range byHost.Scan(ctx, scanner.Options{}) {
	}
	ended("an opener", err)
}
