package pageindex

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/filter"
)

// askIndexes asks for the page index of each leaf with a test that it may
// settle.
func (j *Judge) askIndexes() {
	j.visit(j.root, j.rows, func(s *state, n *filter.Node) {
		switch {
		case s.leaf == nil:
		case n.Op == filter.OpTest:
			if s.leaf.indexHelps(n.Test) {
				j.askIndex(s.leaf)
			}
		case s.other != nil:
			j.askIndex(s.leaf)
			j.askIndex(s.other)
		}
	})
}

// askIndex asks for a leaf's page index. One half without the other is of no
// use.
func (j *Judge) askIndex(l *leaf) {
	f := l.chunk.Footer
	if l.asked || l.fault != nil || !f.HasColumnIndex || !f.HasOffsetIndex {
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
// chunk's statistics do.
func (l *leaf) indexHelps(t *filter.Test) bool {
	f, b := l.chunk.Footer, &l.bounds
	bounded := t.Bounded(b) && l.chunk.Column.why == Usable
	if b.HasMin && b.HasMax {
		bounded = bounded && l.chunk.Column.Compare(b.Min, b.Max) < 0
		if n := f.OffsetIndexLength; n > 0 && n < twoPages && b.Nulls >= 0 && t.Pred.Kind != pred.Null {
			return false
		}
	}
	return bounded || l.node.MaxDef > 0 && b.Nulls != 0
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
