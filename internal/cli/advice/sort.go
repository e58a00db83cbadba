package advice

import (
	"math"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/filter/compile"
)

// Runs returns in how many places the rows that pass the step would lie if the file were
// sorted by the column that it tests. It returns 0 if the step is of another kind.
func (s *Step) Runs() (runs int) {
	if s.Root.Op != compile.OpTest || len(s.Columns) != 1 || s.Bounds[s.Root.Test.Leaf] == nil {
		return 0
	}
	switch p := s.Root.Test.Pred; p.Kind {
	case pred.Range, pred.Equal, pred.Prefix, pred.Set:
		runs = 1
		if keys, several := s.Root.Test.Keys(); several {
			runs = max(len(keys), 1)
		}
		if p.Negate {
			runs++
		}
	}
	return runs
}

// sorted returns how many bytes the query would read if the file were sorted by the column
// of a step. The rows that pass the step then lie in some runs. Those of them that pass the
// other steps are spread evenly there: a sort does not favour them.
//
//	pages    |      |      |      |      |      |
//	rows         ------------------                   pass the step
//	          x x            x  x                     pass the others, too
func (q *Query) sorted(s *Step) (bytes float64) {
	runs, pass, all := s.Runs(), sum(s.Alone), q.rows(0, len(q.Blocks))
	share := min(float64(q.passing(0, len(q.Blocks)))/float64(max(pass, 1)), 1) // of them that pass the others
	groupRows := float64(all) / float64(len(q.Groups)-1)
	groups := s.overlapped(groupRows, all)
	for c := range q.Columns {
		column, tested := &q.Columns[c], q.tests(c)
		perPage := float64(q.pageRows(column))
		overlap, pages := s.overlapped(perPage, all), 0.0
		switch {
		case c == s.Columns[0]:
			pages = min(overlap, float64(2*runs)) // of pages inside a run, bounds prove that all rows pass
		case tested && pass > 0:
			pages = overlap
		}
		if column.Returned { // a page has a survivor, unless none of its rows is one
			pages = max(pages, overlap*(1-math.Pow(1-share, min(perPage, float64(pass)))))
		}
		data, dictionary := 0.0, 0.0 // dictionary: of a row group, on average of the rows
		for _, b := range column.Bytes {
			data += b
		}
		for g := range column.Chunks {
			dictionary += float64(column.Chunks[g].Dictionary) * float64(q.rows(q.Groups[g], q.Groups[g+1])) / float64(all)
		}
		bytes += pages*(data/float64(all)*perPage+PageHeader) + min(groups, pages)*dictionary
		indexes, entry := min(groups, pages), column.OffsetEntry
		if tested {
			indexes, entry = groups, entry+column.ColumnEntry
		}
		bytes += indexes * math.Ceil(groupRows/perPage) * entry
	}
	return bytes
}

// overlapped returns how many parts of so many rows hold some of those that pass, in a file
// of all rows that is sorted: on average of where the runs begin, and no more than lie between
// the first and the last run. Where none passes, a part may have lesser values and greater
// ones than those looked for.
func (s *Step) overlapped(rows float64, all int64) float64 {
	n, pass := float64(s.Runs()), float64(sum(s.Alone))
	if pass > n {
		n += (pass - n) / rows
	}
	if s.Span > 0 {
		n = min(n, 1+float64(s.Span-1)/rows)
	}
	return min(n, math.Ceil(float64(all)/rows))
}
