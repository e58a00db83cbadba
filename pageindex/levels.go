package pageindex

import "github.com/winnow-scan/winnow/column/schema"

// EmptyLevels returns the definition levels that no slot of the chunk has, by its entry in the
// footer: bit i stands for level i. Verdicts rest on them, so a page that has such a slot shows
// that one is wrong. Of columns with more than 63 levels nothing is said.
func (c *Chunk) EmptyLevels(rows int64) uint64 {
	var b Bounds
	if fault := c.bounds(&b, rows); fault != nil {
		return 0
	}
	return emptyLevels(c.Column.Leaf, b.Levels, b.Slots, b.Nulls)
}

// EmptyLevels returns a function that does for a page of a leaf what Chunk.EmptyLevels does for
// the chunk; nil without a valid page index.
func (j *Judge) EmptyLevels(node *schema.Node) func(page int) uint64 {
	l := j.leaves[node]
	if l == nil || l.pages == nil {
		return nil
	}
	return l.pages.emptyLevels
}

func (p *pages) emptyLevels(page int) uint64 {
	if page < 0 || page >= len(p.nulls) {
		return 0
	}
	first, end := PageRows(p.offsets.Pages, page, p.rows)
	slots, levels := end-first, p.levelCounts
	if p.slots != nil {
		slots = p.slots[page]
	}
	if levels != nil {
		n := p.column.Leaf.MaxDef + 1
		levels = levels[page*n : (page+1)*n]
	}
	return emptyLevels(p.column.Leaf, levels, slots, p.nulls[page])
}

func emptyLevels(leaf *schema.Node, levels []int64, slots, nulls int64) (empty uint64) {
	switch {
	case leaf.MaxDef == 0 || leaf.MaxDef > 63:
	case len(levels) > 0:
		for level, n := range levels {
			if n == 0 {
				empty |= 1 << level
			}
		}
	case nulls == 0:
		empty = 1<<leaf.MaxDef - 1
	case nulls > 0 && nulls == slots:
		empty = 1 << leaf.MaxDef
	}
	return empty
}
