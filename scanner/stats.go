package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
)

// Stats tell what a scan did.
type Stats struct {
	Batches int64
	Rows    int64         // handed out
	Columns []ColumnStats // one for each leaf that was looked at
}

// ColumnStats tell what became of the column chunks of a leaf: each data page
// is in one bucket, and so is each byte that is not of the dictionary.
type ColumnStats struct {
	Leaf *schema.Node
	column.Counters
	Fetched    int64 // bytes of pages that were asked for, dictionaries included
	BadIndexes int64 // offset indexes that could not be believed, and were not used
}

// column returns the counters of a leaf.
func (s *Stats) column(leaf *schema.Node) *ColumnStats {
	for i := range s.Columns {
		if s.Columns[i].Leaf == leaf {
			return &s.Columns[i]
		}
	}
	s.Columns = append(s.Columns, ColumnStats{Leaf: leaf})
	return &s.Columns[len(s.Columns)-1]
}
