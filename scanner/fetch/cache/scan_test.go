package cache_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

func rowsOf(t *testing.T, open scanner.OpenOptions, src fetch.Source, o scanner.Options) []string {
	f, err := open.OpenSource(t.Context(), "f", src)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer f.Close()
	var rows []string
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Error(err)
			return nil
		}
		rows = append(rows, scannertest.Lines(t, b)...)
		b.Release()
	}
	return rows
}

func folder(t *testing.T) cache.Cache {
	c, err := cache.OpenFolder(t.TempDir(), 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Scans that share blocks, and a cache of metadata on top of them, give the rows that they give
// without: at the same time, and again, when nothing is read any more.
func TestScansShareBlocks(t *testing.T) {
	paths, err := filepath.Glob("../../../testdata/shapes/index_*.parquet")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	where := map[string]string{
		"../../../testdata/orders.parquet":    "order_id BETWEEN 1500 AND 1510",
		"../../../testdata/lineitems.parquet": "extended_price > 49900 AND ship_date < '1997-01-01'",
	}
	for path := range where {
		paths = append(paths, path)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var options []scanner.Options
		for _, o := range []scanner.Options{{}, {Threads: 2}, {ReadAhead: 1 << 20}} {
			if w := where[path]; w != "" {
				o.Filter, err = filter.Parse(w)
				if err != nil {
					t.Fatal(err)
				}
			}
			options = append(options, o)
		}
		want := rowsOf(t, scanner.OpenOptions{}, fetch.FromBytes(data), options[0])
		if len(want) == 0 {
			t.Errorf("%s: no rows", path)
		}
		for _, tc := range []struct {
			cache cache.Cache
			size  int64
			all   bool // fits into the cache
		}{
			{cache.New(8 << 20), 1000, true}, {cache.New(20_000), 7000, false}, {cache.New(8 << 20), 0, true},
			{folder(t), 16 << 10, true}, {folder(t), 0, true},
		} {
			blocks := cache.NewBlocks(tc.cache, tc.size)
			open := scanner.OpenOptions{Metadata: cache.New(1 << 20)}
			rec := record.Of(fetch.WithTraits(fetch.FromBytes(data), fetch.Traits{
				Identity: fetch.Identity{Name: path, Size: int64(len(data)), Tag: "1"},
			}))
			const most = 10
			for round := range most {
				var scans sync.WaitGroup
				for _, o := range options {
					scans.Go(func() {
						if err := scannertest.Same(rowsOf(t, open, blocks.Source(rec), o), want); err != nil {
							t.Errorf("%s, blocks of %d: %v", path, tc.size, err)
						}
					})
				}
				scans.Wait()
				read := len(rec.Take())
				if round == 0 && read == 0 {
					t.Errorf("%s, blocks of %d: the first round reads nothing", path, tc.size)
				}
				// What a scan prefetches and does not need may be cancelled, and be read in a later
				// round; once all is kept, a round reads nothing.
				if round > 0 && (read == 0 || !tc.all) {
					break
				}
				if round == most-1 {
					t.Errorf("%s, blocks of %d, round %d: %d reads", path, tc.size, round, read)
				}
			}
		}
	}
}
