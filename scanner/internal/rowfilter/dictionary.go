package rowfilter

import (
	"math"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// tryDictionary tests the dictionary of a chunk whose pages are all encoded by it, if it
// has fewer entries than rows remain. If no entry passes, no row does; else pages
// are tested by the mask of entries that pass.
func (f *Filter) tryDictionary(st *step, cursor *column.Cursor, sel *column.Selection) error {
	st.dictionaryTried = true
	chunk, numRows, err := st.leaf.Chunk(f.group)
	if err != nil {
		return err
	}
	if t := st.pred; t.Kind == pred.Null || t.Kind == pred.Never || f.opts.NoDictionaries || f.opts.Column.Mask == column.Never || !chunk.Footer.Meta.AllDictionary() {
		return nil
	}
	most := f.rowsLeft + int64(sel.Count())
	if f.opts.Column.Mask == column.Always {
		most = math.MaxInt64
	}
	mask, entries, err := cursor.TestDictionary(st.node.Test.Pred, most)
	if err != nil || mask == nil {
		return st.leaf.Wrap(err)
	}
	test := pred.Mask(mask, st.pred)
	test.All = st.pred.All
	st.pred = test
	rows := vector.All(numRows)
	switch {
	case !bits.Any(mask, 0, entries) && !test.All:
		st.proven.None = rows
		sel.Clear(sel.N)
		f.noneLeft = f.noneLeft || f.isConjunct(st)
	case st.leaf.Node().MaxDef == 0 && bits.All(mask, 0, entries):
		st.proven.All = rows
	}
	return nil
}
