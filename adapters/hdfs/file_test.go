package hdfsscan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/colinmarc/hdfs/v2"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func noise(n int) []byte {
	data := make([]byte, n)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(data)
	return data
}

// Ranges of all kinds have the file's bytes, read by several goroutines at once.
func TestReadRanges(t *testing.T) {
	h := start(t)
	n := new(network)
	check := noLeak(t, n)
	data := noise(5*mib + 123)
	name := h.write(t, "noise", data, 1)
	c := h.cluster(t, n, func(o *hdfsscan.Options) { o.Readers = 3 })
	f := open(t, c, name)
	if f.Size() != int64(len(data)) || f.Name() != "hdfs://"+h.address+name {
		t.Fatalf("%s has %d bytes", f.Name(), f.Size())
	}
	var all sync.WaitGroup
	rounds := dtest.Rounds(t, 100)
	for g := range 6 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 2))
			for range rounds / 6 {
				var ranges []fetch.Range
				for range random.IntN(8) {
					off := random.Int64N(f.Size() + 1)
					longest := min(f.Size()-off, []int64{0, 10, 100_000, 3 * mib}[random.IntN(4)])
					r := fetch.Range{Off: off, Len: random.Int64N(longest + 1)}
					ranges = append(ranges, r)
					if next := r.End() + random.Int64N(70_000) - 1000; 0 <= next && next < f.Size() {
						ranges = append(ranges, fetch.Range{Off: next, Len: min(1000, f.Size()-next)})
					}
				}
				got, err := f.ReadRanges(t.Context(), ranges, nil)
				if err != nil {
					t.Errorf("%v: %v", ranges, err)
					return
				}
				for i, r := range ranges {
					if !bytes.Equal(got[i], data[r.Off:r.End()]) {
						t.Errorf("range %v of %v: wrong bytes", r, ranges)
					}
				}
			}
		})
	}
	all.Wait()
	// One connection to the namenode, and a stream for each reader.
	if open := n.connections(); open > 1+3 {
		t.Errorf("%d connections", open)
	}
	if _, err := f.ReadRanges(t.Context(), []fetch.Range{{Off: f.Size(), Len: 1}}, nil); err == nil {
		t.Error("a range beyond the end has no error")
	}
	f.Close()
	if _, err := f.ReadRanges(t.Context(), []fetch.Range{{Len: 1}}, nil); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	c.Close()
	if _, err := c.Open(t.Context(), name); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after the cluster's Close: %v", err)
	}
	check()
}

// ids returns the first column of the rows of a scan.
func ids(t testing.TB, f *scanner.File, o scanner.Options) (rows []int64, err error) {
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			return rows, err
		}
		id := b.Columns[0].Int64s
		for i := range b.Len {
			rows = append(rows, id[i])
			if got := string(b.Columns[1].Bytes(i)); got != text(int(id[i])) {
				return rows, fmt.Errorf("row %d has the text %.20q", id[i], got)
			}
		}
		b.Release()
	}
	return rows, nil
}

func scan(t testing.TB, f *hdfsscan.File, o scanner.Options) ([]int64, error) {
	file, err := scanner.OpenSource(t.Context(), "points", f)
	if err != nil {
		return nil, err
	}
	return ids(t, file, o)
}

func sequence(n int) []int64 {
	rows := make([]int64, n)
	for i := range rows {
		rows[i] = int64(i)
	}
	return rows
}

// Splits of a third of a block, and of other sizes, give each row once; their hosts are the cluster's.
func TestSplits(t *testing.T) {
	h := start(t)
	const rows = 20_000
	data := points(t, rows, 500)
	if len(data) < 3*mib {
		t.Fatalf("%d bytes are too few blocks", len(data))
	}
	f := open(t, h.cluster(t, nil), h.write(t, "points.parquet", data, 2))
	for _, size := range []int64{mib / 3, 0, 100_000, int64(len(data))} {
		splits := f.Splits(size)
		if err := f.AddHosts(t.Context(), splits); err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, s := range splits {
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			var received hdfsscan.Split
			if err := json.Unmarshal(text, &received); err != nil {
				t.Fatal(err)
			}
			if len(s.Hosts) == 0 || !slices.Equal(received.Hosts, s.Hosts) || !f.Traits().Identity.Same(received.File) {
				t.Errorf("%s: file %v", text, f.Traits().Identity)
			}
			part, err := scan(t, f, scanner.Options{Split: received.Range})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, part...)
		}
		if !slices.Equal(got, sequence(rows)) {
			t.Errorf("splits of %d bytes: %d rows, want %d", size, len(got), rows)
		}
	}
}

// Scans of all shapes have the rows that a scan of the same bytes in memory has.
func TestScan(t *testing.T) {
	h := start(t)
	data := points(t, 10_000, 500)
	f := open(t, h.cluster(t, nil), h.write(t, "points.parquet", data, 1))
	local, err := scanner.OpenSource(t.Context(), "local", fetch.FromBytes(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"", "id = 7777", "text like '%99 '", "id between 990 and 1010"} {
		for _, threads := range []int{1, 4} {
			o := scanner.Options{Threads: threads}
			if where != "" {
				if o.Filter, err = filter.Parse(where); err != nil {
					t.Fatal(err)
				}
			}
			want, err := ids(t, local, o)
			if err != nil || len(want) == 0 {
				t.Fatal(len(want), err)
			}
			if got, err := scan(t, f, o); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, %d threads: %d rows, want %d: %v", where, threads, len(got), len(want), err)
			}
		}
	}
	if traits := f.Traits(); traits.Latency <= 0 || traits.ReadAhead() <= 0 {
		t.Errorf("the source has learnt nothing of its cost: %+v", traits)
	}
}

// fails checks that an error is of a kind, is one line, and has the file's name.
func fails(t testing.TB, err error, name string, kind error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), words) {
		t.Errorf("%v: want one line with %q and %q", err, name, words)
	}
	if kind != nil && !errors.Is(err, kind) {
		t.Errorf("%v: not %v", err, kind)
	}
}

func TestOpenErrors(t *testing.T) {
	h := start(t)
	c := h.cluster(t, nil)
	_, err := c.Open(t.Context(), h.folder+"/none.parquet")
	fails(t, err, "hdfs://"+h.address+h.folder+"/none.parquet", fs.ErrNotExist, "file does not exist")
	_, err = c.Open(t.Context(), h.folder)
	fails(t, err, h.folder, nil, "is a folder")
	name := h.write(t, "secret", noise(10), 1)
	if err := h.client.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	other := h.cluster(t, nil, func(o *hdfsscan.Options) { o.Client.User = "somebody" })
	f := open(t, other, name) // the namenode tells everybody what is there
	_, err = f.ReadRanges(t.Context(), []fetch.Range{{Len: 10}}, nil)
	fails(t, err, name, fs.ErrPermission, "somebody")
}

// A file that is another one by the time that it is read is an error, whatever it has become.
func TestChanged(t *testing.T) {
	h := start(t)
	data := points(t, 10_000, 500)
	for what, change := range map[string]func(t *testing.T, name string){
		"replaced": func(t *testing.T, name string) { h.write(t, "points.parquet", data, 1) },
		"deleted":  func(t *testing.T, name string) { h.client.Remove(name) },
		"truncated": func(t *testing.T, name string) {
			if _, err := h.client.Truncate(name, mib); err != nil {
				t.Error(err)
			}
		},
		"longer": func(t *testing.T, name string) {
			w, err := h.client.Append(name)
			if err == nil {
				_, err = w.Write(noise(100))
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil && !hdfs.IsErrReplicating(err) {
				t.Error(err)
			}
		},
		"renamed": func(t *testing.T, name string) {
			other := h.write(t, "other", data, 1)
			if err := h.client.Rename(other, name); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			name := h.write(t, "points.parquet", data, 1)
			c := h.cluster(t, nil)
			// One has no reader yet, one has a reader that knows its blocks.
			fresh, used := open(t, c, name), open(t, c, name)
			file, err := scanner.OpenSource(t.Context(), "points", used)
			if err != nil {
				t.Fatal(err)
			}
			if rows, err := ids(t, file, scanner.Options{}); err != nil || len(rows) != 10_000 {
				t.Fatal(len(rows), err)
			}
			change(t, name)
			rows, err := ids(t, file, scanner.Options{})
			if kind := scanner.ErrChanged; !errors.Is(err, kind) && !(what == "deleted" && errors.Is(err, fs.ErrNotExist)) {
				t.Errorf("scan: %d rows, %v", len(rows), err)
			}
			kind := fetch.ErrChanged
			if what == "deleted" {
				kind = fs.ErrNotExist
			}
			_, err = fresh.ReadRanges(t.Context(), []fetch.Range{{Off: fresh.Size() - 100, Len: 100}}, nil)
			fails(t, err, name, kind, "")
		})
	}
}

// beforeRead is a source that calls a function before a read.
type beforeRead struct {
	fetch.Source
	call func()
}

func (s beforeRead) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	s.call()
	return s.Source.ReadRanges(ctx, ranges, alloc)
}

// A file that is replaced during a scan, before any of its reads, is an error.
func TestReplacedDuringScan(t *testing.T) {
	h := start(t)
	data := points(t, 2000, 500)
	reads, replaceAt := 0, -1
	scanOnce := func() error {
		name := h.write(t, "points.parquet", data, 1)
		reads = 0
		file, err := scanner.OpenSource(t.Context(), "points", beforeRead{open(t, h.cluster(t, nil), name), func() {
			if reads++; reads == replaceAt {
				h.write(t, "points.parquet", data, 1)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = ids(t, file, scanner.Options{ReadAhead: -1})
		return err
	}
	if err := scanOnce(); err != nil || reads < 5 {
		t.Fatal(reads, err)
	}
	for last, at := reads, 2; at <= last; at++ { // the first is that of opening
		replaceAt = at
		if err := scanOnce(); !errors.Is(err, scanner.ErrChanged) {
			t.Errorf("replaced before read %d of %d: %v", at, last, err)
		}
	}
}
