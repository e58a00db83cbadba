package scanner

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

const (
	dictionaryGroups = 3
	dictionaryRows   = 256 // of a row group, in each column an entry of 4 KiB each
	dictionarySevens = 43  // rows of a row group whose number has a 7
	dictionaryBytes  = dictionaryRows * (4<<10 + 4 + 16)
)

// dictionaryFile is a file of 3 row groups of 2 columns with a dictionary of 1 MiB each.
func dictionaryFile(t *testing.T) *File {
	var groups []gen.RowGroup
	for g := range dictionaryGroups {
		var rows []any
		for i := range dictionaryRows {
			r := gen.Record{}
			for c := range 2 {
				r[fmt.Sprint("c", c)] = fmt.Sprintf("%d %03d %d%s", g, i, c, strings.Repeat(" ", 4<<10-7))
			}
			rows = append(rows, r)
		}
		groups = append(groups, gen.RowGroup{Rows: rows})
	}
	f, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("c0", gen.ByteArray), gen.Required("c1", gen.ByteArray)},
		RowGroups: groups,
		All:       gen.Column{Codec: gen.Snappy, PageRows: []int{32}, Shape: gen.Shape{Encoding: gen.Dictionary}},
	})))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// dictionaryScan checks the rows of a scan of dictionaryFile, batch by batch.
type dictionaryScan struct {
	t    *testing.T
	next func() (*vector.Batch, error, bool)
	stop func()
	rows int
}

func newDictionaryScan(t *testing.T, f *File, o Options) *dictionaryScan {
	o.Filter, o.BatchRows = scannertest.Parsed(t, "c0 like '%7%'"), 20
	s := &dictionaryScan{t: t}
	s.next, s.stop = iter.Pull2(f.Scan(t.Context(), o))
	return s
}

// more reports whether there was another batch.
func (s *dictionaryScan) more() bool {
	b, err, more := s.next()
	if err != nil {
		s.t.Error(err)
	}
	if b == nil {
		return more
	}
	for i := range b.Len {
		c0, c1 := string(b.Columns[0].Bytes(i)), string(b.Columns[1].Bytes(i))
		if !strings.Contains(c0, "7") || c0[:5] != c1[:5] {
			s.t.Errorf("row %q, %q", c0[:7], c1[:7])
		}
	}
	s.rows += b.Len
	b.Release()
	return true
}

// Readers that idle in a Memory hold neither dictionaries nor the scans that they were of.
func TestIdleReadersHoldNoDictionaries(t *testing.T) {
	f := dictionaryFile(t)
	memory := NewMemory(256 << 10)
	before := liveHeap()
	var open []*dictionaryScan
	for range 8 {
		s := newDictionaryScan(t, f, Options{Memory: memory})
		s.more()
		open = append(open, s)
	}
	if held := liveHeap() - before; held < 8*dictionaryBytes {
		t.Fatalf("%d bytes are live: nothing is tested", held)
	}
	for _, s := range open {
		s.stop()
	}
	open = nil
	if held := liveHeap() - before; held > 4*dictionaryBytes {
		t.Errorf("%d bytes are live after the scans, want at most four dictionaries of %d", held, dictionaryBytes)
	}
	if len(memory.readers) == 0 {
		t.Error("no reader is kept")
	}
}
