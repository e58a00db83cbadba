package pageindex

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter"
)

// askIndexes asks for the page index of each leaf with a test that it may
// settle.
func (j *Judge) askIndexes() {
	j.visit(j.root, j.rows, func(s *state, n *filter.Node) {
		switch {
		case s.leaf == nil:
		case n.Op == filter.OpTest:
			if s.leaf.chunk.indexHelps(n.Test, &s.leaf.bounds) {
				j.askIndex(s.leaf)
			}
		case s.other != nil:
			j.askIndex(s.leaf)
			j.askIndex(s.other)
		}
	})
}

// hasIndex reports whether there is a page index. One half without the other is of
// no use.
func (c *Chunk) hasIndex() bool { return c.Footer.HasColumnIndex && c.Footer.HasOffsetIndex }

// askIndex asks for a leaf's page index.
func (j *Judge) askIndex(l *leaf) {
	f := l.chunk.Footer
	if l.asked || l.fault != nil || !l.chunk.hasIndex() {
		return
	}
	l.asked = true
	var err error
	if l.offsetAt, err = j.ask(l, OffsetIndex, f.OffsetIndexOffset, int64(f.OffsetIndexLength)); err != nil {
		j.invalid(l, OffsetIndex, err)
		return
	}
	if l.columnAt, err = j.ask(l, ColumnIndex, f.ColumnIndexOffset, int64(f.ColumnIndexLength)); err != nil {
		j.invalid(l, ColumnIndex, err)
	}
}

// twoPages is the least length of an offset index of two pages: three bytes
// around them, three numbers and four other bytes for each.
const twoPages = 3 + 2*7

// indexHelps reports whether a page index may say more about a test than the
// chunk's bounds do.
func (c *Chunk) indexHelps(t *filter.Test, b *filter.Bounds) bool {
	bounded := t.Bounded(b) && c.Column.why == Usable && c.Column.inPage&writer.Bounds == 0
	if b.HasMin && b.HasMax {
		bounded = bounded && c.Column.Compare(b.Min, b.Max) < 0
		if n := c.Footer.OffsetIndexLength; n > 0 && n < twoPages && b.Nulls >= 0 && t.Pred.Kind != pred.Null {
			return false
		}
	}
	return bounded || c.Column.Leaf.MaxDef > 0 && b.Nulls != 0
}

// readIndexes reads and checks the page indexes that were supplied.
func (j *Judge) readIndexes() {
	for at, l := range j.owners {
		if at != l.offsetAt || j.needs[at].Part != OffsetIndex {
			continue
		}
		if j.over(stride) { // long, most of them
			return
		}
		if part, err := l.readIndex(j.supplied(l.offsetAt), j.supplied(l.columnAt), j.group.Rows, j.group.End); err != nil {
			j.invalid(l, part, err)
		}
	}
}
