package dataset

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Files that are scanned again, and have not changed, are opened from the cache.
func TestFilesShareMetadata(t *testing.T) {
	b, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, modified time.Time) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Now().Add(-time.Hour)
	write("a.parquet", then)
	write("b.parquet", then)
	files, err := Open(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	metadata := cache.New(1 << 20)
	files = files.With(scanner.OpenOptions{Metadata: metadata}.Open)
	for i, known := range []bool{false, true, true, false, true} {
		if i == 3 {
			write("b.parquet", then.Add(time.Second))
		}
		before := metadata.Counters()
		n, err := files.Count(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "order_id = 1010"), Threads: i % 3})
		if err != nil || n != 2 {
			t.Errorf("count %d: %d rows, %v", i, n, err)
		}
		after := metadata.Counters()
		if after.Hits == before.Hits && known || (after.Misses == before.Misses) != known {
			t.Errorf("count %d: %+v, then %+v", i, before, after)
		}
	}
}
