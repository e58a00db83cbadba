package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// tryDictionary lets a test meet the dictionary of a chunk whose pages are all
// encoded by it, where fewer entries than rows are to be asked. No entry that
// passes is no row that does; else the mask is what pages are tested by.
func (c *condition) tryDictionary(st *step, sel *vector.Selection) error {
	st.tried = true
	s, l := c.scan, st.leaf
	if t := st.pred; t.Kind == pred.Null || t.Kind == pred.Never || s.opts.Without.Dictionaries || s.opts.Force.Column.Mask == column.Never || !l.chunk.allDictionary() {
		return nil
	}
	dict, err := l.cursor.Dictionary()
	if err != nil || dict == nil {
		return l.wrap(err)
	}
	if s.opts.Force.Column.Mask != column.Always && int64(dict.Len) > s.windows.left.Len()+int64(sel.Count()) {
		return nil
	}
	mask := st.node.Test.Mask(dict)
	test := pred.Mask(mask, st.pred)
	test.All = st.pred.All
	st.pred = test
	rows := vector.All(l.rows)
	switch {
	case !bits.Any(mask, 0, dict.Len) && !test.All:
		st.proven.none = rows
		sel.Clear(sel.N)
		if c.insists(st) {
			s.lost.add(ByDictionary, s.windows.left)
			s.windows.left = nil
		}
	case l.node.MaxDef == 0 && bits.All(mask, 0, dict.Len):
		st.proven.all = rows
	}
	return nil
}

// insists reports whether rows that do not pass a step are dropped whatever
// else is true of them.
func (c *condition) insists(st *step) bool {
	if c.root == st {
		return true
	}
	for _, a := range c.root.args {
		if a == st {
			return c.program.Root.Op == filter.OpAnd
		}
	}
	return false
}

// allDictionary reports whether the footer tells that all data pages are
// encoded by the dictionary.
func (c *Chunk) allDictionary() bool {
	coded := func(e wire.Encoding) bool {
		return e == wire.Encoding_PLAIN_DICTIONARY || e == wire.Encoding_RLE_DICTIONARY
	}
	pages := 0
	for _, s := range c.Meta.EncodingStats {
		if s.PageType != wire.PageType_DATA_PAGE && s.PageType != wire.PageType_DATA_PAGE_V2 || s.Count <= 0 {
			continue
		}
		if !coded(s.Encoding) {
			return false
		}
		pages++
	}
	if len(c.Meta.EncodingStats) > 0 {
		return pages > 0
	}
	some := false
	for _, e := range c.Meta.Encodings {
		switch {
		case coded(e):
			some = true
		case e != wire.Encoding_RLE && e != wire.Encoding_BIT_PACKED:
			return false
		}
	}
	return some
}
