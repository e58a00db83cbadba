package arrowscan_test

import (
	"testing"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
)

// BenchmarkRecords scans sample files, as batches and as records of Arrow.
func BenchmarkRecords(b *testing.B) {
	for _, name := range []string{"lineitems", "weblog"} {
		f, err := scanner.Open(b.Context(), "../../testdata/"+name+".parquet")
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		want, err := f.Count(b.Context(), scanner.Options{})
		if err != nil {
			b.Fatal(err)
		}
		o := scanner.Options{Resources: &scanner.Resources{Reuse: 1 << 30}}
		for _, way := range []struct {
			as   string
			scan func() (rows int64, err error)
		}{
			{"batches", func() (rows int64, err error) {
				for batch, err := range f.Scan(b.Context(), o) {
					if err != nil {
						return 0, err
					}
					rows += int64(batch.Len)
					batch.Release()
				}
				return rows, nil
			}},
			{"records", func() (rows int64, err error) {
				r, err := arrowscan.NewReader(b.Context(), f, o, arrowscan.Options{PlainTypes: true})
				if err != nil {
					return 0, err
				}
				defer r.Release()
				for r.Next() {
					rows += r.RecordBatch().NumRows()
				}
				return rows, r.Err()
			}},
		} {
			b.Run("file="+name+"/as="+way.as, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if rows, err := way.scan(); err != nil || rows != want {
						b.Fatalf("%d rows, want %d: %v", rows, want, err)
					}
				}
			})
		}
	}
}
