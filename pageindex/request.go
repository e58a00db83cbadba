package pageindex

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter/compile"
)

// requestIndexes adds needs for the page index of each leaf with an undecided
// test that the index may decide.
func (j *Judge) requestIndexes() {
	j.visit(j.root, j.candidates, func(s *state, n *compile.Node) {
		switch {
		case n.Op == compile.OpTest:
			if s.leaf != nil && s.leaf.chunk.indexHelps(n.Test, &s.leaf.bounds) {
				j.requestIndex(s.leaf)
			}
		default:
			for _, l := range s.leaves {
				j.requestIndex(l)
			}
		}
	})
}

// hasIndex reports whether the chunk has a column index and an offset index: a
// Judge uses them together only.
func (c *Chunk) hasIndex() bool { return c.Footer.HasColumnIndex && c.Footer.HasOffsetIndex }

// requestIndex adds the needs for a leaf's page index, once.
func (j *Judge) requestIndex(l *leaf) {
	f := l.chunk.Footer
	if l.indexRequested || l.fault != nil || !l.chunk.hasIndex() {
		return
	}
	l.indexRequested = true
	var err error
	if l.offsetNeed, err = j.request(l, OffsetIndex, f.OffsetIndexOffset, int64(f.OffsetIndexLength)); err != nil {
		j.noteInvalid(l, OffsetIndex, err)
		return
	}
	if l.columnNeed, err = j.request(l, ColumnIndex, f.ColumnIndexOffset, int64(f.ColumnIndexLength)); err != nil {
		j.noteInvalid(l, ColumnIndex, err)
	}
}

// encryptionBytes is how many bytes longer an encrypted module is than a plain one.
const encryptionBytes = 4 + 12 + 16

// minTwoPageLength is the least length in bytes of an offset index of two pages:
// three bytes around the list, and for each page three numbers and four bytes of
// Thrift framing.
const minTwoPageLength = 3 + 2*7

// indexHelps reports whether a page index may prove more about a test than the
// chunk's bounds do.
func (c *Chunk) indexHelps(t *compile.Test, b *Bounds) bool {
	boundsMayHelp := t.Bounded(&b.Bounds) && c.Column.unusable == Usable && c.Column.inPage&writer.Bounds == 0
	if b.HasMin && b.HasMax {
		boundsMayHelp = boundsMayHelp && c.Column.Compare(b.Min, b.Max) < 0
		n := c.Footer.OffsetIndexLength
		if c.Encrypted {
			n -= encryptionBytes
		}
		if n > 0 && n < minTwoPageLength && b.Nulls >= 0 && t.Pred.Kind != pred.Null {
			return false
		}
	}
	return boundsMayHelp || c.Column.Leaf.MaxDef > 0 && b.Nulls != 0
}

// readIndexes parses and checks the page indexes that were supplied.
func (j *Judge) readIndexes() {
	for at, l := range j.owners {
		if at != l.offsetNeed || j.needs[at].Part != OffsetIndex {
			continue
		}
		if j.stopped(stopInterval) { // parsing one page index takes long enough to check Stop after each
			return
		}
		if part, err := l.readIndex(j.supplied(l.offsetNeed), j.supplied(l.columnNeed), j.group.Rows, j.group.End); err != nil {
			j.noteInvalid(l, part, err)
		}
	}
}
