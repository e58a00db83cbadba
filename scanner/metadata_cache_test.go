package scanner

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/internal/footer"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// kept is an unbounded cache of a host's.
type kept struct {
	mu   sync.Mutex
	data map[cache.Key][]byte
}

func (k *kept) Get(key cache.Key) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.data[key]
}

func (k *kept) Put(key cache.Key, b []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.data[key] = b
}

// A file that is opened and scanned again is read for pages only, until it changes. The
// reads are those of TestGoldenReads without the ones of metadata.
func TestGoldenReadsOfKnownFiles(t *testing.T) {
	plain, plainRec := goldenFile(t)
	names := placesOf(t, plain)
	plainRec.Take()
	b, err := fetch.ReadRange(t.Context(), plain.Source(), fetch.Range{Len: plain.Source().Size()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	host := &kept{data: map[cache.Key][]byte{}}
	folder, err := cache.OpenFolder(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for name, metadata := range map[string]cache.Cache{
		"LRU": cache.New(1 << 20), "folder": folder, "a host's": host, "too small": cache.New(5000),
	} {
		for _, tc := range []struct {
			where       string
			first, then []string // read by read, besides the footer
		}{
			{"id = 1234",
				[]string{"id1.bounds id1.places", "id1[2]", "key1.places text1.places n1.places", "key1[1]", "text1[4]", "n1[1]"},
				[]string{"id1[2]", "key1[1]", "text1[4]", "n1[1]"}},
			{"key = 50000",
				[]string{"key0.bounds key0.places", "key0.bloom(64 bytes)", "key0.bloom(32 bytes)",
					"key1.bounds key1.places", "key1.bloom(64 bytes)", "key1.bloom(32 bytes)"},
				nil},
		} {
			for _, id := range []fetch.Identity{
				{Tag: "v1"}, {Tag: "v2"}, {Modified: aDay}, {Modified: aDay.Add(1)}, {}, {Modified: time.Now()},
			} {
				if id != (fetch.Identity{}) {
					id.Name = "bucket/" + tc.where
				}
				for i := range 3 {
					rec := record.Of(fetch.FromReaderAt(reader{bytes.NewReader(b)}, int64(len(b))))
					f, err := OpenOptions{Metadata: metadata}.OpenSource(t.Context(), "f", fetch.WithTraits(rec, fetch.Traits{Identity: id}))
					if err != nil {
						t.Fatal(err)
					}
					known := i > 0 && name != "too small" && id.Known() && time.Since(id.Modified) > time.Minute
					if opened := len(rec.Take()); (opened == 0) != known && name != "too small" {
						t.Errorf("%s, %s, %+v, opened %d times: %d reads", name, tc.where, id, i, opened)
					}
					var stats Stats
					lines(t, f, Options{Filter: scannertest.Parsed(t, tc.where), Stats: &stats})
					want := tc.first
					if known {
						want = tc.then
					}
					var got []string
					for _, call := range rec.Take() {
						got = append(got, names.text([][]fetch.Range{call}))
					}
					if name != "too small" && !slices.Equal(got, want) {
						t.Errorf("%s, %s, %+v, scanned %d times:\n got %q\nwant %q", name, tc.where, id, i, got, want)
					}
					if (stats.Metadata == 0) != known && name != "too small" {
						t.Errorf("%s, %s: %d bytes of metadata", name, tc.where, stats.Metadata)
					}
				}
			}
		}
		if lru, ok := metadata.(*cache.LRU); ok {
			if n := lru.Counters(); n.Hits == 0 || n.Misses == 0 || n.Bytes == 0 || name == "too small" && n.Bytes > 5000 {
				t.Errorf("%s: %+v", name, n)
			}
		}
	}
	for key, data := range host.data {
		if !bytes.Equal(data, b[key.Range.Off:key.Range.End()]) {
			t.Errorf("%v: cached bytes have changed", key)
		}
	}
}

// Whatever reads metadata gives the same with a cache, with an empty and with a full one:
// of one column chunk, in several goroutines, ahead, again for each runtime filter.
func TestMetadataCacheChangesNoAnswer(t *testing.T) {
	plain, _ := goldenFile(t)
	b, err := fetch.ReadRange(t.Context(), plain.Source(), fetch.Range{Len: plain.Source().Size()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f.parquet")
	dated(t, path, b, aDay)
	host := &kept{data: map[cache.Key][]byte{}}
	for i := range 3 {
		for _, o := range []Options{{}, {Threads: 2}, {ReadAhead: 1 << 20}, {Threads: 3, ReadAhead: 1 << 10}, {Rows: vector.RowSet{{{From: 7, To: 9}}, nil}}} {
			for _, where := range []string{"id BETWEEN 900 AND 1100", "key = 7919", "id = 3 OR id = 1999"} {
				o.Filter = scannertest.Parsed(t, where)
				f, err := OpenOptions{Metadata: host}.Open(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				if err := scannertest.Same(lines(t, f, o), lines(t, plain, o)); err != nil {
					t.Errorf("%d, %s, %+v: %v", i, where, o, err)
				}
				f.Close()
			}
		}
	}
	dated(t, path, b[:len(b)-1], aDay)
	if _, err := (OpenOptions{Metadata: host}).Open(t.Context(), path); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a file that was cut short, of the same time: %v", err)
	}
	for key, data := range host.data {
		if key.File.Name != path || !bytes.Equal(data, b[key.Range.Off:key.Range.End()]) {
			t.Errorf("%v: cached bytes have changed", key)
		}
	}
}

// A cached footer may be of any length; MaxFooter bounds cached and read ones.
func TestFooterIsCached(t *testing.T) {
	for _, n := range []int{0, 30_000, 50_000, 70_000, 200_000} {
		b := withKey(t, n)
		c := cache.New(1 << 20)
		for i := range 3 {
			rec := record.Of(fetch.WithTraits(fetch.FromBytes(b), fetch.Traits{Identity: fetch.Identity{Name: "x", Tag: "y"}}))
			f, err := OpenOptions{Metadata: c}.OpenSource(t.Context(), "f", rec)
			if err != nil {
				t.Fatal(err)
			}
			length := f.FooterRange().Len
			if reads := len(rec.Take()); (reads == 0) != (i > 0) {
				t.Errorf("%d bytes, opened %d times: %d reads", n, i, reads)
			}
			if size := c.Counters().Bytes; size < length || size > length+2000 {
				t.Errorf("%d bytes are kept for a footer of %d", size, length)
			}
			if lines := lines(t, f, Options{}); len(lines) != 1 {
				t.Errorf("%d rows", len(lines))
			}
			for most, right := range map[int64]bool{length: true, length - 1: false, 1: false, 0: true} {
				_, err := OpenOptions{MaxFooter: most, Metadata: c}.OpenSource(t.Context(), "f", rec)
				if (err == nil) != right || err != nil && !errors.Is(err, ErrUnsupported) {
					t.Errorf("footer of %d, limit %d: %v", length, most, err)
				}
			}
		}
	}
}

// A cache whose bytes are of no footer gives an error, as a file would.
func TestFooterOfABrokenCache(t *testing.T) {
	b, err := os.ReadFile("../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		host := &kept{data: map[cache.Key][]byte{}}
		src := fetch.WithTraits(fetch.FromBytes(b), fetch.Traits{Identity: fetch.Identity{Name: "x", Tag: "y"}})
		if _, err := (OpenOptions{Metadata: host}).OpenSource(t.Context(), "f", src); err != nil {
			t.Fatal(err)
		}
		for key, data := range host.data {
			if i < 8 && key.Range.Len == footer.TrailerSize {
				data[i] ^= 0x40
			} else if i >= 8 && key.Range.Len != footer.TrailerSize {
				clear(data[len(data)*(i-8)/5:])
			}
		}
		if _, err := (OpenOptions{Metadata: host}).OpenSource(t.Context(), "f", src); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
