package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

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
