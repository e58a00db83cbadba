package arrowscan_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
)

// TestTimestampsOf12Bytes reads moments of years 1 to 9999, of which nanoseconds of 64 bits hold but a few.
func TestTimestampsOf12Bytes(t *testing.T) {
	f, err := scanner.Open(t.Context(), "../../testdata/shapes/timestamps_12_bytes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := read(t.Context(), f, arrowscan.Options{}); err == nil || !strings.Contains(err.Error(), "coarser unit") {
		t.Errorf("years 1 to 9999 in nanoseconds: %v", err)
	}
	want := []int64{0, 1, -1, 9_223_372_036, 253_402_300_799, -62_135_596_800} // seconds
	records, err := read(t.Context(), f, arrowscan.Options{Int96: arrowscan.Microsecond})
	if err != nil || len(records) != 1 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	defer release(records)
	for i, unit := range []arrow.TimeUnit{arrow.Millisecond, arrow.Microsecond, arrow.Microsecond} {
		typ := &arrow.TimestampType{Unit: unit, TimeZone: "UTC"}
		column := records[0].Column(i)
		if !arrow.TypeEqual(column.DataType(), typ) || !column.IsNull(len(want)) {
			t.Fatalf("column %d of %s, want %s", i, column.DataType(), typ)
		}
		for at, seconds := range want {
			if got := int64(column.(*array.Timestamp).Value(at)); got != seconds*(int64(1e9)/unit.Multiplier().Nanoseconds()) {
				t.Errorf("column %d: %d, want %d seconds", i, got, seconds)
			}
		}
	}
}
