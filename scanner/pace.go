package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
)

// pace chooses how many rows a window has, so that a batch with values of many
// lengths does not become much larger than it may: the metadata tell how large
// a row is on the average, the windows so far how large they were.
type pace struct {
	rows   int   // of the next window
	most   int   // of any
	budget int64 // bytes of a batch
	steady bool  // no row group's worth of rows is too large
	before int64 // bytes of the batch so far
}

// start is called when the leaves are at the front of a row group.
func (p *pace) start(s *scan, rowGroup int) {
	*p = pace{most: s.opts.batchRows(), budget: s.opts.batchBytes()}
	numRows := s.file.footer.RowGroups[rowGroup].NumRows
	var all int64 // bytes of chunks whose rows are not all of one size
	for i := range s.columns {
		for _, l := range s.columns[i].leaves {
			if l.node.MaxRep > 0 || l.node.Type.Store() == vector.InViews {
				all += max(l.chunk.Meta.UncompressedSize, 0)
			}
		}
	}
	p.rows = p.most
	if p.steady = all <= p.budget; p.steady {
		return
	}
	// An eighth of the budget, and never so much that one window could go far
	// beyond it where long values stand together.
	p.most = min(p.most, 2048)
	row := max(all/max(numRows, 1), 1)
	p.rows = int(min(int64(p.most), max(p.budget/8/row, 1)))
}

// full reports whether the batch has as many bytes as it may. It is asked after
// each window.
func (p *pace) full(s *scan) bool {
	if p.steady {
		return false
	}
	now := int64(0)
	for i := range s.columns {
		now += s.columns[i].bytes()
	}
	grown := now - p.before
	p.before = now
	switch {
	case grown > p.budget/4:
		p.rows = max(1, int(int64(p.rows)*(p.budget/8)/grown))
	case grown < p.budget/16:
		p.rows = min(p.most, p.rows*2)
	}
	return now >= p.budget
}

// bytes returns the memory of what is gathered. The last buffer of strings is
// left out: it is a page that the next batch may go on with.
func (c *batchColumn) bytes() int64 {
	if c.flat {
		return held(c.vec)
	}
	n := int64(0)
	for i := range c.levels {
		n += leveled(&c.levels[i])
	}
	return n
}

func leveled(l *column.Levels) int64 {
	return int64(len(l.Rep)) + int64(len(l.Def)) + held(&l.Values)
}

func held(v *vector.Vector) int64 {
	n := int64(v.Len) * 16
	if len(v.Buffers) > 1 {
		for _, b := range v.Buffers[:len(v.Buffers)-1] {
			n += int64(len(b))
		}
	}
	return n
}
