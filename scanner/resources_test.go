package scanner

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift"
)

// gauge counts how much of something there is at once.
type gauge struct {
	mu              sync.Mutex
	now, most, ever int
}

func (g *gauge) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now += n
	g.most, g.ever = max(g.most, g.now), g.ever+max(n, 0)
}

// gaugedCodec takes a millisecond for a page, and counts those at once.
type gaugedCodec struct {
	codec.Codec
	*gauge
}

func (c gaugedCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	c.add(1)
	defer c.add(-1)
	time.Sleep(time.Millisecond)
	return c.Codec.DecodePrefix(dst, src, need, size)
}

func (c gaugedCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.DecodePrefix(dst, src, size, size)
}

// gaugedSource counts the ranges that are read at once.
type gaugedSource struct {
	fetch.Source
	*gauge
}

func (s gaugedSource) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	s.add(len(ranges))
	defer s.add(-len(ranges))
	return s.Source.ReadRanges(ctx, ranges, alloc)
}

const limitedGroups = 6

// limitedFile is a file of 6 row groups of 500 rows: id ascends, k = id % 10, s is a text with id.
func limitedFile(t *testing.T) []byte {
	file := gen.File{
		Schema: []*gen.Node{gen.Required("id", gen.Int64), gen.Required("k", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType())},
		All:    gen.Column{Codec: gen.Snappy, PageRows: []int{100}},
	}
	for g := range limitedGroups {
		var rows []any
		for i := range 500 {
			id := int64(g*500 + i)
			rows = append(rows, gen.Record{"id": id, "k": id % 10, "s": fmt.Sprint("text ", id)})
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: rows})
	}
	return scannertest.Write(t, file)
}

// limitedWorld is a file, near or in a store, whose pages and requests are counted.
type limitedWorld struct {
	*File
	pages, requests gauge
	codecs          map[thrift.Codec]codec.Codec
}

func newLimitedWorld(t *testing.T, data []byte, store *scannertest.Store) *limitedWorld {
	w := &limitedWorld{}
	snappy, err := codec.NewSet(codec.Options{}).Codec(thrift.CodecSnappy)
	if err != nil {
		t.Fatal(err)
	}
	w.codecs = map[thrift.Codec]codec.Codec{thrift.CodecSnappy: gaugedCodec{snappy, &w.pages}}
	src := fetch.FromBytes(data)
	if store != nil {
		src = store.Object("far.parquet", data)
	}
	if w.File, err = OpenSource(t.Context(), "f.parquet", gaugedSource{src, &w.requests}); err != nil {
		t.Fatal(err)
	}
	return w
}

// query is a question of limitedFile, with how many rows answer it.
type limitedQuery struct {
	where string
	rows  int
	read  func(f *File, ctx context.Context, o Options) (int, error)
}

func countScanned(f *File, ctx context.Context, o Options) (rows int, err error) {
	for b, err := range f.Scan(ctx, o) {
		if err != nil {
			return rows, err
		}
		rows += b.Len
		b.Release()
	}
	return rows, nil
}

func countParts(f *File, ctx context.Context, o Options) (rows int, err error) {
	var mu sync.Mutex
	var hosts sync.WaitGroup
	for _, part := range f.Partitions(ctx, o, 3) {
		hosts.Go(func() {
			for b, fault := range part {
				mu.Lock()
				if b == nil {
					err = fault
				} else {
					rows += b.Len
				}
				mu.Unlock()
			}
		})
	}
	hosts.Wait()
	return rows, err
}

func countTop(f *File, ctx context.Context, o Options) (int, error) {
	o.Limit = 20
	rows, err := f.TopRows(ctx, Order{By: "id", Descending: true}, o)
	return len(rows), err
}

func countPassing(f *File, ctx context.Context, o Options) (int, error) {
	n, err := f.Count(ctx, o)
	return int(n), err
}

func countNested(f *File, ctx context.Context, o Options) (rows int, err error) {
	inner, stop := iter.Pull2(f.Scan(ctx, o)) // in the middle of which others begin
	defer stop()
	for b, err, more := inner(); more; b, err, more = inner() {
		if err != nil {
			return rows, err
		}
		rows += b.Len
		if _, err := countScanned(f, ctx, Options{Resources: o.Resources, Codecs: o.Codecs, Limit: 3}); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

var limitedQueries = []limitedQuery{
	{"", 3000, countScanned}, {"k = 3", 300, countScanned}, {"id = 1234", 1, countScanned}, {"s like '%7'", 300, countPassing},
	{"k < 5", 1500, countParts}, {"", 3000, countParts}, {"k = 3", 20, countTop}, {"k = 4", 300, countNested},
}

func (q *limitedQuery) ask(t *testing.T, w *limitedWorld, ctx context.Context, o Options) {
	if q.where != "" {
		o.Filter = scannertest.Parsed(t, q.where)
	}
	o.Codecs = w.codecs
	rows, err := q.read(w.File, ctx, o)
	if ended := ctx.Err(); rows != q.rows && ended == nil || err != nil && (ended == nil || !errors.Is(err, ended)) {
		t.Errorf("%q: %d rows, want %d, %v", q.where, rows, q.rows, err)
	}
}

// However many queries run at once, no more pages are decoded and no more ranges requested at once
// than the limits say; and as many are. Threads of 0 are as many as there are workers.
func TestResourcesHold(t *testing.T) {
	data := limitedFile(t)
	for _, tc := range []struct {
		queries, threads, workers, requests int
		ahead                               int64
	}{{1, 0, 4, 5, 0}, {64, 0, 2, 3, 0}, {64, 3, 2, 1, 0}, {64, 1, 2, 3, -1}, {16, 4, 3, 8, -1}, {16, 2, 1, 1, 0}} {
		for _, far := range []bool{true, false} {
			name := fmt.Sprintf("%+v, far: %v", tc, far)
			synctest.Test(t, func(t *testing.T) {
				var store *scannertest.Store
				if far {
					store = &scannertest.Store{Latency: 20 * time.Millisecond, Bandwidth: 50e6}
				}
				w := newLimitedWorld(t, data, store)
				limits := &Resources{Bytes: 64 << 20, Workers: tc.workers, Requests: tc.requests}
				var hosts sync.WaitGroup
				for i := range tc.queries {
					hosts.Go(func() {
						q := limitedQueries[i%len(limitedQueries)]
						q.ask(t, w, t.Context(), Options{Resources: limits, Threads: tc.threads, ReadAhead: tc.ahead})
					})
				}
				hosts.Wait()
				if w.pages.most != tc.workers {
					t.Errorf("%s: %d pages were decoded at once, want %d", name, w.pages.most, tc.workers)
				}
				if most := w.requests.most; far && (most > tc.requests || tc.queries > 1 && most < tc.requests) {
					t.Errorf("%s: %d ranges were requested at once, want %d", name, most, tc.requests)
				}
				if now, _ := limits.Used(); now != 0 {
					t.Errorf("%s: %d bytes are held after the end", name, now)
				}
			})
		}
	}
}

// A query beside others that could take all workers, or all requests, waits for its share of them only.
func TestResourcesAreFair(t *testing.T) {
	data := limitedFile(t)
	for _, tc := range []struct {
		name   string
		store  *scannertest.Store
		limits func() *Resources
	}{
		{"workers", nil, func() *Resources { return &Resources{Workers: 2} }},
		{"requests", &scannertest.Store{Latency: 20 * time.Millisecond, Bandwidth: 50e6}, func() *Resources { return &Resources{Workers: 8, Requests: 2} }},
	} {
		ask := func(others int) (took time.Duration) {
			synctest.Test(t, func(t *testing.T) {
				w := newLimitedWorld(t, data, tc.store)
				limits := tc.limits()
				ctx, cancel := context.WithCancel(t.Context())
				var hosts sync.WaitGroup
				for range others {
					hosts.Go(func() {
						for ctx.Err() == nil {
							_, _ = countScanned(w.File, ctx, Options{Resources: limits, Threads: 4, Codecs: w.codecs, BatchRows: 100})
						}
					})
				}
				time.Sleep(7 * time.Millisecond)
				start := time.Now()
				(&limitedQuery{"id between 700 and 1800", 1101, countScanned}).ask(t, w, t.Context(), Options{Resources: limits, Threads: 1})
				took = time.Since(start)
				cancel()
				hosts.Wait()
			})
			return took
		}
		dtest.OnceOfFour(t, func() error {
			alone, beside := ask(0), ask(3)
			t.Logf("%s: alone %v, beside three others %v", tc.name, alone, beside)
			if beside > 3*alone {
				return fmt.Errorf("%s: %v beside three others, %v alone", tc.name, beside, alone)
			}
			return nil
		})
	}
}

// Whatever queries are asked at once, under whatever limits, and wherever they are cancelled: none waits
// for ever.
func TestResourcesNeverLock(t *testing.T) {
	data := limitedFile(t)
	for round := range dtest.Rounds(t, 40) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(round), 46))
			var store *scannertest.Store
			if rng.IntN(4) > 0 {
				store = &scannertest.Store{Latency: time.Duration(1+rng.IntN(20)) * time.Millisecond, Bandwidth: 50e6}
			}
			w := newLimitedWorld(t, data, store)
			limits := &Resources{Bytes: int64(rng.IntN(3)) << (15 + rng.IntN(6)), Workers: rng.IntN(4), Requests: rng.IntN(5)}
			var hosts sync.WaitGroup
			for range 1 + rng.IntN(6) {
				q, o := limitedQueries[rng.IntN(len(limitedQueries))], Options{Resources: limits, Threads: rng.IntN(4), ReadAhead: int64(rng.IntN(3)-1) << rng.IntN(20)}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if rng.IntN(3) == 0 {
					time.AfterFunc(time.Duration(rng.IntN(60))*time.Millisecond, cancel)
				}
				hosts.Go(func() { q.ask(t, w, ctx, o) })
			}
			hosts.Wait()
			if now, _ := limits.Used(); now != 0 {
				t.Errorf("round %d: %d bytes are held after the end", round, now)
			}
			if l := limits.made(); l.workers != nil && l.workers.Fair() != limits.Workers || l.requests != nil && l.requests.Fair() != limits.Requests {
				t.Errorf("round %d: workers or requests are taken after the end", round)
			}
			time.Sleep(3 * time.Second) // for the last look of the budget
		})
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

// A limit below 0 is an error.
func TestResourcesAreChecked(t *testing.T) {
	f := fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("n", gen.Int64)}})
	for _, l := range []*Resources{{Bytes: -1}, {Reuse: -1}, {Workers: -1}, {Requests: -1}} {
		if _, err := f.Count(t.Context(), Options{Resources: l}); !errors.Is(err, ErrOptions) {
			t.Errorf("%v", err)
		}
	}
}
