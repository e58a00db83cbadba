package cache_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// BenchmarkFarScan scans one of the peers' files, if it is there, on a server that takes 30 ms to answer:
// without blocks, with an empty cache, and with one that has what the scan needs.
func BenchmarkFarScan(b *testing.B) {
	home, _ := os.UserHomeDir()
	dir := filepath.Join(home, ".cache", "winnow-peers", "data")
	if _, err := os.Stat(filepath.Join(dir, "li_sorted_zstd.parquet")); err != nil {
		b.Skip(err)
	}
	var requests, sent atomic.Int64
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		time.Sleep(30 * time.Millisecond)
		files.ServeHTTP(counted{w, &sent}, r)
	}))
	defer server.Close()
	client := web.NewClient()
	memory := func(*testing.B) cache.Cache { return cache.New(1 << 30) }
	folder := func(b *testing.B) cache.Cache {
		c, err := cache.OpenFolder(b.TempDir(), 1<<30)
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	for _, query := range []struct {
		name, where string
		columns     []string
		rows        int
	}{
		{"point", "l_orderkey = 3000000", []string{"l_orderkey", "l_comment"}, 5},
		{"1%", "l_partkey < 2000", []string{"l_orderkey", "l_partkey", "l_comment"}, 59776},
		{"full3", "", []string{"l_orderkey", "l_quantity", "l_extendedprice"}, 6001215},
	} {
		for _, kept := range []struct {
			name string
			make func(b *testing.B) cache.Cache // nil: none
			warm bool
		}{{"none", nil, false}, {"memory,cold", memory, false}, {"memory,warm", memory, true}, {"folder,cold", folder, false}, {"folder,warm", folder, true}} {
			b.Run("query="+query.name+"/cache="+kept.name, func(b *testing.B) {
				var where *filter.Expr
				if query.where != "" {
					var err error
					if where, err = filter.Parse(query.where); err != nil {
						b.Fatal(err)
					}
				}
				wrap := func(src fetch.Source) fetch.Source { return src }
				renew := func() {
					if kept.make != nil {
						wrap = cache.NewBlocks(kept.make(b), 0).Source
					}
				}
				scan := func() {
					src, err := web.Open(b.Context(), server.URL+"/li_sorted_zstd.parquet", web.Options{Client: client})
					if err != nil {
						b.Fatal(err)
					}
					defer src.Close()
					f, err := scanner.OpenSource(b.Context(), "f", wrap(src))
					if err != nil {
						b.Fatal(err)
					}
					rows := 0
					for batch, err := range f.Scan(b.Context(), scanner.Options{Select: query.columns, Filter: where}) {
						if err != nil {
							b.Fatal(err)
						}
						rows += batch.Len
						batch.Release()
					}
					if rows != query.rows {
						b.Fatalf("%d rows", rows)
					}
				}
				renew()
				if kept.warm {
					scan()
				}
				requests.Store(0)
				sent.Store(0)
				for b.Loop() {
					if !kept.warm {
						b.StopTimer()
						renew()
						b.StartTimer()
					}
					scan()
				}
				b.ReportMetric(float64(requests.Load())/float64(b.N), "requests/op")
				b.ReportMetric(float64(sent.Load())/1e6/float64(b.N), "sent-MB/op")
			})
		}
	}
}

// counted counts the bytes of responses.
type counted struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes.Add(int64(n))
	return n, err
}
