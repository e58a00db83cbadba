package scanner

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

var testKeys = map[string]string{"kf": "0123456789abcdef", "ka": "an a key of 24 bytes....", "s": "and one of thirty-two bytes....."}

// secrets is a file of four columns in two row groups, with pages of 50 rows: k by the
// footer's key, a by one of its own, s by one that its path names, p plain.
func secrets(e *gen.Encryption, c gen.Column) gen.File {
	f := gen.File{
		Schema: []*gen.Node{
			gen.Required("k", gen.Int64), gen.Optional("a", gen.Int32), gen.Optional("s", gen.ByteArray).As(gen.StringType()),
			gen.Required("p", gen.Double), gen.List("l", gen.Optional("element", gen.Int64)),
		},
		All: c, Encryption: e,
	}
	f.All.PageRows, f.All.Bloom = []int{50}, 512
	for g := range 2 {
		var rows []any
		for i := g * 500; i < g*500+500; i++ {
			r := gen.Record{"k": int64(i), "a": int32(i % 30), "s": fmt.Sprintf("secret %03d", i/7), "p": float64(i) / 2, "l": []any{int64(i), nil, int64(-i)}[:i%4]}
			if i%9 == 0 {
				r["a"] = nil
			}
			rows = append(rows, r)
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows, Columns: []gen.Column{{}, {Shape: gen.Shape{Encoding: gen.Dictionary}}, {}, {}, {}}})
	}
	if e != nil {
		e.Footer = gen.Key{Metadata: "kf", Bytes: testKeys["kf"]}
		e.Column = func(path string) gen.Key {
			switch path {
			case "a":
				return gen.Key{Metadata: "ka", Bytes: testKeys["ka"]}
			case "s":
				return gen.Key{Bytes: testKeys["s"]}
			case "p":
				return gen.Key{}
			}
			return e.Footer
		}
	}
	return f
}

// TestEncryptedAsPlain: of an encrypted file a scan returns the rows of its plain twin, and
// reads, decodes and skips the same pages, by statistics, page index, Bloom filter,
// dictionary and survivors. It reads no more than encryption adds.
func TestEncryptedAsPlain(t *testing.T) {
	queries := []string{
		"", "k >= 730 AND k < 741", "k = 20 OR k = 977", "a = 7", "a IS NULL", "s = 'secret 070'", "s = 'secret 0700'", "s LIKE '%42' AND a > 3",
		"ANY(l) = 633", "p > 480 AND s < 'secret 139'", "a = 100", "k < 60 AND p > 12",
	}
	for _, codec := range []gen.Codec{0, gen.Snappy} {
		for _, version := range []int{1, 2} {
			c := gen.Column{Codec: codec, Shape: gen.Shape{Version: version, PageStats: gen.MinMax | gen.NullCount}}
			plain, plainReads := recorded(t, scannertest.Write(t, secrets(nil, c)))
			for _, e := range []*gen.Encryption{{}, {PlainFooter: true}, {CTR: true}, {CTR: true, PlainFooter: true}, {AsDuckDB: true}} {
				data := scannertest.Write(t, secrets(e, c))
				if bytes.Contains(data, []byte("secret")) {
					t.Error("the encrypted file has plain strings")
				}
				o := OpenOptions{Keys: keysOf(testKeys)}
				reads := record.Of(fetch.FromReaderAt(reader{bytes.NewReader(data)}, int64(len(data))))
				sealed, err := o.OpenSource(t.Context(), "sealed", reads)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), "sealed.parquet")
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				mapped, err := o.Open(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				defer mapped.Close()
				for _, q := range queries {
					what := fmt.Sprintf("codec %d, v%d, %+v, %q", codec, version, *e, q)
					var want, got Stats
					options := Options{Stats: &want, knobs: knobs.Knobs{FixedOrder: true, NoBackoff: true}} // else times decide what is read
					if q != "" {
						options.Filter = scannertest.Parsed(t, q)
					}
					plainReads.Take()
					rows := lines(t, plain, options)
					before := bytesOf(plainReads.Take())
					for range 2 {
						got = Stats{}
						options.Stats = &got
						reads.Take()
						if err := scannertest.Same(lines(t, sealed, options), rows); err != nil {
							t.Errorf("%s: %v", what, err)
						}
					}
					after := bytesOf(reads.Take())
					if err := samePages(got.Snapshot(), want.Snapshot()); err != nil {
						t.Errorf("%s: %v", what, err)
					}
					// Each page has two modules, and the Bloom filters are read as a whole.
					if most := before*2 + 2*5*(32+512+64); after > most && before > 0 {
						t.Errorf("%s: %d bytes are read, %d of the plain file", what, after, before)
					}
					options.Threads = 3
					if err := scannertest.Same(lines(t, mapped, options), rows); err != nil {
						t.Errorf("%s, mapped: %v", what, err)
					}
				}
			}
		}
	}
}

func bytesOf(calls [][]fetch.Range) (n int64) {
	for _, ranges := range calls {
		for _, r := range ranges {
			n += r.Len
		}
	}
	return n
}

// samePages returns an error unless two scans treated pages alike.
func samePages(got, want *Stats) error {
	for i, c := range want.Columns {
		if g := got.Columns[i]; g.Pages != c.Pages || g.DictionaryPages != c.DictionaryPages || g.Values != c.Values {
			return fmt.Errorf("column %v: pages %v, dictionary %d, values %d; of the plain file %v, %d, %d", c.Leaf, g.Pages, g.DictionaryPages, g.Values, c.Pages, c.DictionaryPages, c.Values)
		}
	}
	return nil
}

// TestEncryptedColumnWithoutKey: it is an error that names the column, and no obstacle to
// others; no key is requested in vain, and none twice.
func TestEncryptedColumnWithoutKey(t *testing.T) {
	for _, e := range []*gen.Encryption{{}, {PlainFooter: true}} {
		data := scannertest.Write(t, secrets(e, gen.Column{}))
		var asked []string
		denied := errors.New("permission denied")
		o := OpenOptions{Keys: func(_ context.Context, metadata []byte) ([]byte, error) {
			if asked = append(asked, string(metadata)); string(metadata) == "ka" {
				return nil, denied
			}
			return []byte(testKeys[string(metadata)]), nil
		}}
		f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(data))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if n := len(lines(t, f, Options{Select: []string{"k", "p", "l"}, Filter: scannertest.Parsed(t, "k < 700")})); n != 700 {
				t.Errorf("%d rows", n)
			}
		}
		if !slices.Equal(asked, []string{"kf"}) {
			t.Errorf("requested keys: %q", asked)
		}
		if lines(t, f, Options{Select: []string{"s"}}); !slices.Equal(asked, []string{"kf", "s"}) {
			t.Errorf("requested keys: %q", asked)
		}
		for _, o := range []Options{{Select: []string{"a"}}, {Select: []string{"k"}, Filter: scannertest.Parsed(t, "a = 3")}, {Select: []string{"k", "a"}, Threads: 2}} {
			err := scanError(t, f, o)
			var at *Error
			if !errors.Is(err, ErrEncrypted) || errors.Is(err, ErrCorrupt) || !errors.Is(err, denied) || !errors.As(err, &at) || at.Column != "a" || at.RowGroup < 0 {
				t.Errorf("%v: %v", e.PlainFooter, err)
			}
		}
		if c, err := f.Chunk(0, 1); err != nil || !c.Encrypted() || c.HasMeta != e.PlainFooter {
			t.Error(err)
		} else if _, err := c.Decrypt(2, 0, nil); !errors.Is(err, denied) {
			t.Error(err)
		} else if _, err := c.openMetadata(pageindex.ColumnIndex, nil); !errors.Is(err, denied) {
			t.Error(err)
		}
		// Without any keys, plain columns behind a plain footer can be read.
		f, err = OpenSource(t.Context(), "f", fetch.FromBytes(data))
		if !e.PlainFooter {
			if !errors.Is(err, ErrEncrypted) {
				t.Error(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := len(lines(t, f, Options{Select: []string{"p"}})); n != 1000 {
			t.Errorf("%d rows", n)
		}
		if err := scanError(t, f, Options{}); !errors.Is(err, ErrEncrypted) {
			t.Error(err)
		}
	}
}

// TestSlowKeys: goroutines of a scan wait for one request of a key, and no longer than the
// scan is wanted. A request that failed is made again.
func TestSlowKeys(t *testing.T) {
	data := scannertest.Write(t, secrets(&gen.Encryption{}, gen.Column{}))
	var mu sync.Mutex
	asked := map[string]int{}
	begun, fail := make(chan struct{}, 100), errors.New("try again")
	o := OpenOptions{Keys: func(ctx context.Context, metadata []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		name := string(metadata)
		if asked[name]++; name == "s" {
			begun <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if name == "ka" && asked[name] == 1 {
			return nil, fail
		}
		return []byte(testKeys[name]), nil
	}}
	f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := scanError(t, f, Options{Select: []string{"a"}}); !errors.Is(err, fail) {
		t.Error(err)
	}
	if err := scanError(t, f, Options{Select: []string{"k", "a"}, Threads: 4}); err != nil {
		t.Error(err)
	}
	if asked["kf"] != 1 || asked["ka"] != 2 {
		t.Errorf("requests: %v", asked)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-begun
		cancel(fail)
	}()
	within(t, func() {
		for _, err = range f.Scan(ctx, Options{Select: []string{"s"}, Threads: 3}) {
		}
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, fail) {
		t.Error(err)
	}
}

// TestWrongKeys: they are errors that name the place, and contain no key.
func TestWrongKeys(t *testing.T) {
	for _, e := range []*gen.Encryption{{}, {PlainFooter: true}, {CTR: true}, {CTR: true, PlainFooter: true}} {
		data := scannertest.Write(t, secrets(e, gen.Column{Codec: gen.Snappy}))
		for name := range testKeys {
			for _, wrong := range []string{"fedcba9876543210", "short", ""} {
				keys := map[string]string{"kf": testKeys["kf"], "ka": testKeys["ka"], "s": testKeys["s"]}
				keys[name] = wrong
				f, err := OpenOptions{Keys: keysOf(keys)}.OpenSource(t.Context(), "f", fetch.FromBytes(data))
				if err == nil {
					err = scanError(t, f, Options{})
				}
				want := ErrCorrupt
				if len(wrong) < 16 {
					want = ErrEncrypted
				}
				var at *Error
				if !errors.Is(err, want) || !errors.As(err, &at) || strings.Contains(err.Error(), "\n") || at.Column != map[string]string{"ka": "a", "s": "s"}[name] {
					t.Errorf("%s is %q: %v", name, wrong, err)
				}
				for _, k := range keys {
					if err != nil && k != "" && (strings.Contains(err.Error(), k) || strings.Contains(err.Error(), hex.EncodeToString([]byte(k)))) {
						t.Errorf("an error contains a key: %v", err)
					}
				}
			}
		}
	}
}

// TestPrefixOfAAD: files that the prefix of another one is given for do not open.
func TestPrefixOfAAD(t *testing.T) {
	for _, plainFooter := range []bool{false, true} {
		for _, hidden := range []bool{false, true} {
			data := scannertest.Write(t, secrets(&gen.Encryption{PlainFooter: plainFooter, Prefix: "table of May", HidePrefix: hidden}, gen.Column{}))
			for given, want := range map[string]error{"table of May": nil, "table of June": ErrCorrupt, "": nil} {
				o := OpenOptions{Keys: keysOf(testKeys)}
				if given != "" {
					o.AADPrefix = func(name string) []byte {
						if name != "f" {
							t.Errorf("the prefix of %q", name)
						}
						return []byte(given)
					}
				} else if hidden {
					want = ErrEncrypted
				}
				f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(data))
				if err == nil {
					err = scanError(t, f, Options{})
				}
				if err != nil && !strings.Contains(err.Error(), "AAD prefix") && (hidden == (given == "")) {
					t.Errorf("nothing tells the prefix: %v", err)
				}
				if (want == nil) != (err == nil) || err != nil && !errors.Is(err, want) {
					t.Errorf("plain footer %v, hidden %v, given %q: %v", plainFooter, hidden, given, err)
				}
			}
		}
	}
}

// spyCache keeps what is put into it, and all of it to look at.
type spyCache struct {
	cache.Cache
	seen [][]byte
}

func (c *spyCache) Put(k cache.Key, b []byte) {
	c.seen = append(c.seen, b)
	c.Cache.Put(k, b)
}

// TestCacheHasNothingDecrypted: who opens an encrypted file through a cache that others
// filled needs the keys all the same.
func TestCacheHasNothingDecrypted(t *testing.T) {
	data := scannertest.Write(t, secrets(&gen.Encryption{}, gen.Column{}))
	spy := &spyCache{Cache: cache.New(1 << 20)}
	open := func(o OpenOptions) (*File, error) {
		o.Metadata = spy
		id := fetch.Identity{Name: "f", Tag: "1"}
		return o.OpenSource(t.Context(), "f", fetch.WithTraits(fetch.FromBytes(data), fetch.Traits{Identity: id}))
	}
	for range 2 {
		f, err := open(OpenOptions{Keys: keysOf(testKeys)})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(lines(t, f, Options{Filter: scannertest.Parsed(t, "s = 'secret 070' AND k > 3")})); n != 7 {
			t.Errorf("%d rows", n)
		}
		if _, err := open(OpenOptions{}); !errors.Is(err, ErrEncrypted) {
			t.Errorf("without keys: %v", err)
		}
	}
	if len(spy.seen) < 3 {
		t.Errorf("the cache has %d parts", len(spy.seen))
	}
	for _, b := range spy.seen {
		if !bytes.Contains(data, b) || bytes.Contains(b, []byte("secret")) {
			t.Errorf("the cache has %d bytes that are not in the file", len(b))
		}
	}
}
