package scanner

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// repeated is a file whose column chunks are one page each, with every page
// there a number of times: a large file that takes little memory.
//
//	PAR1 | page page page … | page page page … | footer
type repeated struct {
	file   []byte
	chunks []fetch.Range // of file
	times  int64
}

func (r *repeated) Size() int64 {
	n := int64(len(r.file))
	for _, c := range r.chunks {
		n += c.Len * (r.times - 1)
	}
	return n
}

func (r *repeated) Traits() fetch.Traits { return fetch.Traits{} }

func (r *repeated) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Check(ranges, r.Size()); err != nil {
		return nil, err
	}
	var out [][]byte
	for _, x := range ranges {
		b := make([]byte, x.Len)
		if alloc != nil {
			b = alloc(int(x.Len))
		}
		r.fill(b, x.Off)
		out = append(out, b)
	}
	return out, context.Cause(ctx)
}

func (r *repeated) fill(b []byte, off int64) {
	for len(b) > 0 {
		at, rest := off, int64(len(r.file))-off // place in file, and bytes from there on
		moved := int64(0)
		for _, c := range r.chunks {
			start := c.Off + moved
			if off < start {
				rest = min(rest, start-off)
				break
			}
			if end := start + c.Len*r.times; off < end {
				at = c.Off + (off-start)%c.Len
				rest = c.End() - at
				break
			}
			moved += c.Len * (r.times - 1)
			at, rest = off-moved, int64(len(r.file))-(off-moved)
		}
		n := copy(b, r.file[at:at+min(rest, int64(len(b)))])
		b, off = b[n:], off+int64(n)
	}
}

// bigFile has a row group of times as many rows as a page has.
func bigFile(t *testing.T, columns, rows, length int, times int64) *File {
	t.Helper()
	f := gen.File{All: gen.Column{Codec: gen.Snappy, Index: gen.NoIndex, Stats: gen.NoStats}}
	values := make([]string, rows)
	for i := range values {
		// Half of it can be compressed.
		values[i] = string(bytes.Repeat([]byte{byte(i), byte(i * 7), byte(i >> 8)}, length/6)) + string(noise(i, length/2))
	}
	var group gen.RowGroup
	for i := range columns {
		f.Schema = append(f.Schema, gen.Required("c"+strconv.Itoa(i), gen.ByteArray))
		group.Columns = append(group.Columns, gen.Column{Data: &gen.Data{Values: values}})
	}
	f.RowGroups = []gen.RowGroup{group}
	src := &repeated{times: times}
	f.Footer = func(m *wire.FileMetaData) {
		g, moved := m.RowGroups[0], int64(0)
		g.NumRows *= times
		for _, c := range g.Columns {
			c := c.MetaData
			src.chunks = append(src.chunks, fetch.Range{Off: c.DataPageOffset, Len: c.TotalCompressedSize})
			c.DataPageOffset += moved
			moved += c.TotalCompressedSize * (times - 1)
			c.TotalCompressedSize *= times
			c.TotalUncompressedSize *= times
			c.NumValues *= times
		}
	}
	src.file = scannertest.Write(t, f)
	file, err := OpenSource(t.Context(), "big", src)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// noise returns bytes that do not compress.
func noise(seed, n int) []byte {
	b := make([]byte, n)
	x := uint64(seed)*2862933555777941757 + 3037000493
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	return b
}

// Row groups are never held: pages are streamed. What waits for the collector counts,
// which falls behind where other programs have the processors: the least of some tries.
func TestMemoryOfABigRowGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("reads gigabytes")
	}
	const promise = 200 << 20
	for _, tc := range []struct{ columns, rows, length, times int }{
		{1, 8 << 10, 1 << 10, dtest.Rounds(t, 40)}, // 8 MiB pages, 320 MiB
		{4, 8 << 10, 1 << 10, 10},
		{1, 8, 1 << 20, dtest.Rounds(t, 40)}, // 8 rows a page
		{1, 200_000, 12, 40},                 // short strings
	} {
		for _, release := range []bool{true, false} {
			f := bigFile(t, tc.columns, tc.rows, tc.length, int64(tc.times))
			least := uint64(math.MaxUint64)
			for try := 0; try < 4 && least > promise; try++ {
				rows, most := peak(t, f, release)
				if rows != tc.rows*tc.times {
					t.Errorf("%+v: %d rows", tc, rows)
				}
				least = min(least, most)
			}
			t.Logf("%+v, release %v: %d MiB, the file %d MiB compressed", tc, release, least>>20, f.Source().Size()>>20)
			if least > promise {
				t.Errorf("%+v: %d MiB", tc, least>>20)
			}
		}
	}
}

// peak scans f, and returns its rows and by how much the heap grew at most.
func peak(t *testing.T, f *File, release bool) (rows int, most uint64) {
	t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.HeapInuse
	for b, err := range f.Scan(t.Context(), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows += b.Len
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse-min(before, m.HeapInuse))
		if release {
			b.Release()
		}
	}
	return rows, most
}

// A batch ends early where values are long, even if the average is short.
func TestBatchesAreBounded(t *testing.T) {
	const long, page = 1 << 20, 40
	rows := make([]any, 2000)
	for i := range rows {
		n := 1
		if i >= 1000 && i < 1000+page {
			n = long
		}
		rows[i] = gen.Record{"a": string(bytes.Repeat([]byte{'x'}, n))}
	}
	f := fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("a", gen.ByteArray)}, All: gen.Column{PageRows: []int{4}, Codec: gen.Snappy, Stats: gen.NoStats, Index: gen.NoIndex}}, rows...)
	const budget = 4 << 20
	total := 0
	for b, err := range f.Scan(t.Context(), Options{BatchBytes: budget}) {
		if err != nil {
			t.Fatal(err)
		}
		total += b.Len
		n := 0
		for i := range b.Len {
			n += len(b.Columns[0].Bytes(i))
		}
		t.Log(b.Len, n)
	}
	if total != len(rows) {
		t.Errorf("%d rows", total)
	}
}

// Scans that share memory for reuse, of pages that differ in size and of which few rows pass,
// leave no more in it the longer this goes on: large memory is found after much that is small.
func TestMemoryStaysAsItIs(t *testing.T) {
	const rows, columns = 40_000, 6
	r := rand.New(rand.NewPCG(5, 6))
	file := gen.File{Schema: []*gen.Node{gen.Required("k", gen.Int32)}, All: gen.Column{Codec: gen.Snappy, Stats: gen.NoStats}}
	keys := make([]int32, rows)
	for i := range keys {
		keys[i] = r.Int32N(300)
	}
	data := []gen.Column{{Data: &gen.Data{Values: keys}}}
	for i := range columns {
		values := make([]string, rows)
		for i := range values {
			values[i] = fmt.Sprintf("a string of row number %d that does not fit into a view", i)
		}
		var pages []int
		for n := 0; n < rows; n += pages[len(pages)-1] {
			pages = append(pages, min(rows-n, 100+r.IntN(1900)))
		}
		file.Schema = append(file.Schema, gen.Required("s"+strconv.Itoa(i), gen.ByteArray))
		data = append(data, gen.Column{Data: &gen.Data{Values: values}, PageRows: pages})
	}
	file.RowGroups = []gen.RowGroup{{Columns: data}}
	f, memory := fileOf(t, file), &Resources{Reuse: 1 << 30}
	kept := func(scans int) uint64 {
		for range scans {
			var held []*vector.Batch
			for b, err := range f.Scan(t.Context(), Options{Filter: filter.Col("k").Eq(7), Resources: memory}) {
				if err != nil {
					t.Fatal(err)
				}
				held = append(held, b)
			}
			for _, b := range held {
				b.Release()
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := kept(0)
	few := kept(3) - before
	if many := kept(37) - before; many > few+few/2 {
		t.Errorf("%d bytes after 40 scans, %d after 3", many, few)
	} else {
		t.Log(few, many)
	}
	runtime.KeepAlive(memory)
}
