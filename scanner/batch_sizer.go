package scanner

import (
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// batchSizer chooses how many rows a window has, so that a batch with values of many
// lengths does not become much larger than it may. What a batch holds of a
// column is whole pages, for strings are views of them. So a window ends where
// a page does:
//
//	pages     |        a         |   b   |   c   |
//	windows   |  |  |  |  |  |  ||       |       |
//
// and after each window, the memory that the batch holds decides whether it is
// handed out, and how many rows the next window has.
type batchSizer struct {
	rows    int     // of the next window
	maxRows int     // of any
	budget  int64   // bytes of a batch
	held    int64   // bytes of the batch so far
	leaves  []*leaf // whose rows are not all of one size; none if they cannot be too large
}

// initialRows is the window size until the first window has shown how large rows are.
// With half as many, sixteen short columns take a fiftieth more time.
const initialRows = 4096

// reset is for when a row group starts.
func (p *batchSizer) reset() { p.leaves, p.rows = p.leaves[:0], 0 }

// boundByPages reports whether rows of one page add no more to a batch than its body, and
// their slots: however long they get, a window of many rows is not much worse than one of few.
func (l *leaf) boundByPages() bool {
	return l.node.MaxRep == 0 && !slices.Contains(l.chunk.Meta.Encodings, wire.Encoding_DELTA_BYTE_ARRAY)
}

// start is called when the leaves are at the front of a row group.
func (p *batchSizer) start(s *scan) {
	*p = batchSizer{maxRows: s.opts.batchRows(), budget: s.opts.batchBytes(), leaves: p.leaves[:0]}
	var bytes, rows int64
	bounded := true
	for _, l := range s.leaves {
		if l.returned && (l.node.MaxRep > 0 || l.node.Type.Store() == vector.InViews) {
			p.leaves = append(p.leaves, l)
			bounded = bounded && l.boundByPages()
			bytes += max(l.chunk.Meta.UncompressedSize, 0)
			rows = l.rows
		}
	}
	p.rows = p.maxRows
	if bytes <= p.budget {
		p.leaves = p.leaves[:0]
		return
	}
	if !bounded {
		p.maxRows = min(p.maxRows, initialRows)
	}
	p.rows = int(min(int64(p.maxRows), initialRows, max(p.budget/8/max(bytes/max(rows, 1), 1), 1)))
}

// limit has the leaves come to the pages of a row, and returns the row at which a
// window that starts there ends at the latest.
func (p *batchSizer) windowEnd(row int64) int64 {
	for _, l := range p.leaves {
		l.cursor.Advance(row)
		l.cursor.ListPage()
	}
	return p.listedRows()
}

// seen returns up to which row pages are known of all leaves.
func (p *batchSizer) listedRows() int64 {
	listed := int64(math.MaxInt64)
	for _, l := range p.leaves {
		listed = min(listed, l.cursor.Listed())
	}
	return listed
}

// full reports whether the batch has as many bytes as it may. It is asked after
// each window.
func (p *batchSizer) full(columns []batchColumn) bool {
	if len(p.leaves) == 0 {
		return false
	}
	now := int64(0)
	for i := range columns {
		now += columns[i].bytes()
	}
	grown := now - p.held
	p.held = now
	switch {
	case grown > p.budget/4:
		p.rows = max(1, int(int64(p.rows)*(p.budget/8)/grown))
	case grown < p.budget/16:
		p.rows = min(p.maxRows, p.rows*2)
	}
	return now >= p.budget
}

// tooFewForWindow reports whether n rows, which a batch has room for, are not worth a
// window: survivors of a window seldom end where a batch is full.
func (p *batchSizer) tooFewForWindow(n int) bool {
	return n > 0 && 4*n < p.rows && p.maxRows >= 8*window.DecodeBlock
}

// bytes returns the memory of what is gathered.
func (c *batchColumn) bytes() int64 {
	if c.flat {
		return held(c.memory.values[0])
	}
	n := int64(0)
	for i := range c.levels {
		l := &c.levels[i]
		n += int64(len(l.Rep)) + int64(len(l.Def)) + held(&l.Values)
	}
	return n
}

// held returns the memory of a vector, but its last buffer: that is a page
// with which the next batch goes on, or a dictionary.
func held(v *vector.Vector) int64 {
	n := int64(v.Len) * max(int64(v.Type.Width()), 16)
	if len(v.Buffers) > 1 {
		for _, b := range v.Buffers[:len(v.Buffers)-1] {
			n += int64(len(b))
		}
	}
	return n
}
