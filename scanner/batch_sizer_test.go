package scanner

import (
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Windows of columns whose batches may get large begin with few rows, and have more only
// where the rows of a page cannot add more than the page.
func TestRowsOfWindows(t *testing.T) {
	for _, c := range []struct {
		name        string
		maxRep      int
		encoding    wire.Encoding
		bytes       int64 // of a million rows
		first, most int
	}{
		{"small", 0, wire.Encoding_PLAIN, 1 << 20, defaultBatchRows, defaultBatchRows},
		{"strings", 0, wire.Encoding_PLAIN, 100 << 20, initialRows, defaultBatchRows},
		{"long strings", 0, wire.Encoding_PLAIN, 10 << 30, 195, defaultBatchRows},
		{"put together", 0, wire.Encoding_DELTA_BYTE_ARRAY, 100 << 20, initialRows, initialRows},
		{"lists", 1, wire.Encoding_PLAIN, 100 << 20, initialRows, initialRows},
	} {
		l := &leaf{returned: true, rows: 1_000_000, chunk: &Chunk{}}
		l.node = &schema.Node{MaxRep: c.maxRep, Type: vector.Type{Physical: vector.ByteArray}}
		l.chunk.Meta.UncompressedSize = c.bytes
		l.chunk.Meta.Encodings = []wire.Encoding{wire.Encoding_RLE, c.encoding}
		p := &batchSizer{budget: defaultBatchBytes}
		p.start(&scan{leaves: []*leaf{l}})
		if p.rows != c.first || p.maxRows != c.most {
			t.Errorf("%s: %d rows, at most %d, want %d and %d", c.name, p.rows, p.maxRows, c.first, c.most)
		}
		first := p.rows
		short := batchColumn{flat: true, memory: &columnMemory{values: []*vector.Vector{{Type: l.node.Type}}}}
		p.full([]batchColumn{short})
		if want := min(2*first, c.most); p.rows != want && len(p.leaves) > 0 {
			t.Errorf("%s: %d rows behind short ones, want %d", c.name, p.rows, want)
		}
	}
}
