package sqlitescan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// TestTPCH compares the pages that Q6 reads with those that a scan of its columns reads, as scan
// cat makes one, and takes the time of both. .ci/peers/sqlite.py runs it.
func TestTPCH(t *testing.T) {
	folder := os.Getenv("WINNOW_TPCH")
	if folder == "" {
		t.Skip("WINNOW_TPCH is no folder with lineitem.parquet")
	}
	name := filepath.Join(folder, "lineitem.parquet")
	file, err := scanner.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	where, err := filter.Parse("l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24")
	if err != nil {
		t.Fatal(err)
	}
	var queried, scanned []time.Duration
	for range 9 {
		var query, cat scanner.Stats
		db := open(t, Options{Scan: scanner.Options{Stats: &query}}, Table{"lineitem", name})
		ask(t, db, "SELECT 1 FROM lineitem LIMIT 0") // the connection
		start := time.Now()
		ask(t, db, "SELECT sum(l_extendedprice * l_discount) FROM lineitem WHERE l_shipdate >= '1994-01-01' AND l_shipdate < '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24")
		queried = append(queried, time.Since(start))
		start = time.Now()
		for _, err := range file.Scan(t.Context(), scanner.Options{
			Select: []string{"l_quantity", "l_extendedprice", "l_discount", "l_shipdate"}, Filter: where, Stats: &cat,
			Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryWherePossible}, BatchRows: 4096,
		}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		scanned = append(scanned, time.Since(start))
		if got, want := fates(&query), fates(&cat); got != want || want == "" {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		db.Close()
	}
	slices.Sort(queried)
	slices.Sort(scanned)
	t.Logf("Q6 in SQL %v, its scan alone %v (medians of %d)", queried[4].Round(10*time.Microsecond), scanned[4].Round(10*time.Microsecond), len(queried))
}
