package arrowscan_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
)

// TestDecimalsWithoutPrecision reads a DECIMAL(0, 2). Arrow's C++ library refuses that type.
func TestDecimalsWithoutPrecision(t *testing.T) {
	f, err := scanner.Open(t.Context(), "../../testdata/shapes/decimals_odd.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := read(t.Context(), f, arrowscan.Options{})
	if err != nil || len(records) == 0 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	defer release(records)
	want := &arrow.Decimal128Type{Precision: 38, Scale: 2}
	if got := records[0].Schema().Field(1); got.Name != "none" || !arrow.TypeEqual(got.Type, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
