package scanner

import (
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
)

// Stats tell what a scan did.
type Stats struct {
	Batches int64
	Rows    int64 // handed out
	Bytes   int64 // of their values, as they stand in memory

	Metadata int64            // bytes of indexes and Bloom filters that were read
	Columns  []ColumnStats    // one for each leaf that was looked at
	Tests    []ConditionStats // one for each of the filter's conditions that was asked
}

// ColumnStats tell what became of the column chunks of a leaf. Each data page
// is in one bucket of Pages, and each byte of the chunks in one of Bytes or in
// DictionaryBytes; those of bucket column.Unread are told apart by Untouched.
//
//	chunks   |        unread, by reason        | header only, …, decoded | dictionary |
type ColumnStats struct {
	Leaf *schema.Node
	column.Counters
	Untouched  [Reasons]PageCount
	Fetched    int64 // bytes of pages that were asked for, dictionaries included
	BadIndexes int64 // offset indexes that could not be believed, and were not used
}

// PageCount counts data pages and their bytes. Pages of chunks that nothing was
// read of count as far as the footer tells how many there are.
type PageCount struct{ Pages, Bytes int64 }

func (n *PageCount) add(m PageCount) { n.Pages, n.Bytes = n.Pages+m.Pages, n.Bytes+m.Bytes }

// Reason is why a page was not touched.
type Reason uint8

const (
	Unwanted     Reason = iota // its rows are in other splits, not in Rows, behind the limit, or were done when a runtime filter first asked for the column
	ByStatistics               // of the chunk: no row of it passes
	ByPageIndex
	ByBloom
	ByDictionary
	Proven    // its rows pass for sure, and it is not handed out
	Dropped   // no row of it was left when its turn came
	BesidesIt // it is no page: bytes between them, a dictionary that nothing needed
	Reasons   = int(BesidesIt) + 1
)

// String names the reason.
func (r Reason) String() string {
	return [...]string{"unwanted", "statistics", "page index", "Bloom filter", "dictionary", "proven to pass", "no row left", "besides pages"}[r]
}

// ConditionStats tell what a condition of the filter did.
type ConditionStats struct {
	Condition string
	In, Out   int64 // rows that it was asked for, and that passed
	Time      time.Duration
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
