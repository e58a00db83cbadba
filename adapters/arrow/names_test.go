package arrowscan_test

import (
	"strings"
	"testing"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// TestNames has names of columns that are not UTF-8, which Arrow's must be.
func TestNames(t *testing.T) {
	fields := []vector.Field{{Name: "a\xff\xfeb", Layout: vector.Struct, Children: []vector.Field{{Name: "\xc3("}, {Name: "ü"}}}}
	for i := range fields[0].Children {
		fields[0].Children[i].Type.Physical = vector.Int32
	}
	schema, err := arrowscan.Schema(fields, arrowscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := schema.Field(0).String(); got != "a\ufffdb: type=struct<\ufffd(: int32, ü: int32>" {
		t.Error(got)
	}
}

// TestNamesInErrors has a value that is not UTF-8, in a column whose name is a format.
func TestNamesInErrors(t *testing.T) {
	f, err := scanner.Open(t.Context(), "../../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	query := scanner.Options{Select: []string{"100%d"}, Constants: filter.Constants{"100%d": vector.StringOf("x\xff")}}
	records, err := readAs(t.Context(), f, query, arrowscan.Options{})
	release(records)
	const want = `column "100%d": the string "x\xff" of row 0 of a batch is not UTF-8`
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
