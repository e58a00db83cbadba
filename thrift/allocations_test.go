package thrift

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func skipSlowBuilds(t *testing.T) {
	if strconv.IntSize == 32 || raceDetector || invariants.On || testing.CoverMode() != "" {
		t.Skip("counts are of plain builds of 64-bit machines")
	}
}

func allocations(t *testing.T, what string, most float64, work func()) {
	t.Helper()
	if n := testing.AllocsPerRun(3, work); n > most {
		t.Errorf("%s: %v allocations, want at most %v", what, n, most)
	}
}

func must(tb testing.TB, err error) {
	if err != nil {
		tb.Helper()
		tb.Fatal(err)
	}
}

// Opening a footer and touching 3 columns allocates little, however many there are.
// BenchmarkFooter has the time, beside that of the generated code.
func TestFooterAllocations(t *testing.T) {
	skipSlowBuilds(t)
	check := func(t *testing.T, b []byte) {
		var c ColumnChunk
		lazy := func() { must(t, openAndTouch(b, &c)) }
		allocations(t, "lazy", 200, lazy)
	}
	for _, shape := range [][2]int{{2000, 5}, {10000, 10}} {
		t.Run(fmt.Sprintf("columns=%d/groups=%d", shape[0], shape[1]), func(t *testing.T) {
			check(t, encode(t, wideFooter(shape[0], shape[1])))
		})
	}
	t.Run("wide.parquet", func(t *testing.T) {
		check(t, peerFooter(t, openPeer(t, "wide.parquet")))
	})
}

// A footer keeps 8 bytes a chunk at most, and its schema.
func TestFooterMemory(t *testing.T) {
	skipSlowBuilds(t)
	const columns, groups = 10000, 10
	b := encode(t, wideFooter(columns, groups))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f, err := ParseFooter(b)
	must(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	got := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	schema := int64(columns+1) * int64(reflect.TypeFor[SchemaElement]().Size())
	t.Logf("%d bytes kept, %d of them for the schema", got, schema)
	if most := columns*groups*8 + schema*9/8; got > most {
		t.Errorf("%d bytes kept, want at most %d", got, most)
	}
	runtime.KeepAlive(f)
	runtime.KeepAlive(b)
}

func TestPageHeaderAllocations(t *testing.T) {
	skipSlowBuilds(t)
	for _, w := range []*wire.PageHeader{pageHeaders()[0], pageHeaders()[1], pageHeaders()[2], pageHeaders()[7]} {
		b := append(encode(t, w), make([]byte, 200)...) // the page
		var h PageHeader
		lean := func() {
			for range 2000 {
				_, err := ReadPageHeader(b, &h)
				must(t, err)
			}
		}
		allocations(t, "page headers", 0, lean)
	}
}

// indexed is a footer and the page index of some of its chunks.
type indexed struct {
	footer          []byte
	columns, groups int
	index, offsets  [][]byte
}

func (x *indexed) lean(t *testing.T) func() {
	var c ColumnChunk
	var index ColumnIndex
	var offsets OffsetIndex
	return func() {
		f, err := ParseFooter(x.footer)
		must(t, err)
		for g := range x.groups {
			for col := range x.columns {
				must(t, f.Chunk(g, col, &c))
			}
		}
		for i := range x.index {
			_, err := ReadColumnIndex(x.index[i], &index)
			must(t, err)
			_, err = ReadOffsetIndex(x.offsets[i], &offsets)
			must(t, err)
		}
	}
}

// A footer and the page index of 16 columns, as a query for one row of a
// sorted file needs them.
func TestPageIndexAllocations(t *testing.T) {
	skipSlowBuilds(t)
	check := func(t *testing.T, x *indexed) {
		allocations(t, "footer and page index", 200, x.lean(t))
		var index ColumnIndex
		var offsets OffsetIndex
		allocations(t, "page index", 0, func() {
			for i := range x.index {
				ReadColumnIndex(x.index[i], &index)
				ReadOffsetIndex(x.offsets[i], &offsets)
			}
		})
	}
	t.Run("made", func(t *testing.T) {
		x := &indexed{footer: encode(t, wideFooter(16, 5)), columns: 16, groups: 1}
		for range x.columns {
			index, offsets := pageIndex(300)
			x.index = append(x.index, encode(t, index))
			x.offsets = append(x.offsets, encode(t, offsets))
		}
		check(t, x)
	})
	t.Run("li_snappy.parquet", func(t *testing.T) {
		file := openPeer(t, "li_snappy.parquet")
		x := &indexed{footer: peerFooter(t, file)}
		f, err := ParseFooter(x.footer)
		must(t, err)
		x.groups, x.columns = len(f.RowGroups), f.RowGroups[0].NumColumns
		for g := range x.groups {
			for col := range x.columns {
				var c ColumnChunk
				must(t, f.Chunk(g, col, &c))
				x.index = append(x.index, readAt(t, file, c.ColumnIndexOffset, c.ColumnIndexLength))
				x.offsets = append(x.offsets, readAt(t, file, c.OffsetIndexOffset, c.OffsetIndexLength))
			}
		}
		check(t, x)
	})
}

// openPeer opens a big file that other scanners are measured on, where there is one.
func openPeer(t *testing.T, name string) *os.File {
	dir := os.Getenv("PEER_DATA")
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = filepath.Join(home, ".cache", "winnow-peers", "data")
	}
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func peerFooter(t *testing.T, file *os.File) []byte {
	end, err := file.Seek(-8, io.SeekEnd)
	must(t, err)
	n := int32(binary.LittleEndian.Uint32(readAt(t, file, end, 4)))
	return readAt(t, file, end-int64(n), n)
}

func readAt(t *testing.T, file *os.File, offset int64, n int32) []byte {
	b := make([]byte, n)
	_, err := file.ReadAt(b, offset)
	must(t, err)
	return b
}
