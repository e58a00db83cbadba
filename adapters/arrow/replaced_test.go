package arrowscan_test

import (
	"errors"
	"testing"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
)

// TestReplacedFile reads a file after the schema of another: values of one type must not be
// shown as those of another.
func TestReplacedFile(t *testing.T) {
	open := func(path string) *scanner.File {
		f, err := scanner.Open(t.Context(), "../../testdata/shapes/"+path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	before, after := open("delta_wide.parquet"), open("alp_width.parquet")
	fields, err := before.Fields(t.Context(), scanner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now, err := after.Fields(t.Context(), scanner.Options{})
	if err != nil || len(now) != len(fields) || now[0].Type == fields[0].Type {
		t.Fatalf("%v: want as many columns of other types: %v and %v", err, fields, now)
	}
	r, err := arrowscan.ReaderOf(fields, after.Scan(t.Context(), scanner.Options{}), arrowscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if r.Next() || !errors.Is(r.Err(), scanner.ErrChanged) {
		t.Errorf("error %v", r.Err())
	}
}
