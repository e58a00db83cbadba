package advice

import (
	"math"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/filter/compile"
)

// PageHeader is what the header of a page takes. Writers that put statistics into it have
// some more.
const PageHeader = 30

// shape is how a file is cut into row groups and these into pages.
type shape struct {
	groups []int // first block of each row group; the number of blocks ends it
	page   int64 // rows of a page
	index  bool  // there is a page index
}

// cut returns where parts of about so many rows begin in blocks [from, to), and to.
func (q *Query) cut(from, to int, rows int64) (starts []int) {
	starts = []int{from}
	held := int64(0)
	for i := from; i < to; i++ {
		if held > 0 && held+q.Blocks[i] > rows {
			starts, held = append(starts, i), 0
		}
		held += q.Blocks[i]
	}
	return append(starts, to)
}

// bytes returns how many bytes the query would read of the file in another shape.
func (q *Query) bytes(s shape) float64 {
	all := max(float64(len(s.groups)-len(q.Groups)), 0) * q.FooterGroup
	for g := range len(s.groups) - 1 {
		if from, to := s.groups[g], s.groups[g+1]; from < to {
			all += q.bytesOfGroup(s, from, to)
		}
	}
	return all
}

// bytesOfGroup returns what is read of a row group with the blocks [from, to).
func (q *Query) bytesOfGroup(s shape, from, to int) (bytes float64) {
	for i := range q.Steps {
		if q.Steps[i].verdict(q.Steps[i].Root, from, to) == compile.None {
			return 0
		}
	}
	parts := q.cut(from, to, s.page)
	if !s.index {
		parts = []int{from, to} // no page can be found without those before it
	}
	read := make([][]bool, len(q.Columns)) // by column and part
	for c := range read {
		read[c] = make([]bool, len(parts)-1)
	}
	for p := range len(parts) - 1 {
		q.readPart(parts[p], parts[p+1], func(column int) { read[column][p] = true })
	}
	headers := float64(len(q.cut(from, to, s.page))-1) * PageHeader / float64(len(parts)-1) // of a part
	for c := range q.Columns {
		column, any := &q.Columns[c], false
		for p, is := range read[c] {
			if is {
				any = true
				bytes += headers
				bytes += sum(column.Bytes[parts[p]:parts[p+1]])
			}
		}
		tested := q.tests(c)
		if any {
			bytes += q.dictionary(column, from, to)
		}
		if s.index && (any || tested) {
			entry := column.OffsetEntry
			if tested {
				entry += column.ColumnEntry
			}
			bytes += entry * float64(len(parts)-1)
		}
	}
	return bytes
}

// readPart calls read for each column of which a scan reads a page or row group with the
// blocks [from, to).
func (q *Query) readPart(from, to int, read func(column int)) {
	all := make([]bool, len(q.Steps))
	for i := range q.Steps {
		switch q.Steps[i].verdict(q.Steps[i].Root, from, to) {
		case compile.None:
			return
		case compile.All:
			all[i] = true
		}
	}
	left := q.rows(from, to)
	for i := range q.Steps {
		if left == 0 {
			return
		}
		if !all[i] {
			for _, c := range q.Steps[i].Columns {
				read(c)
			}
		}
		left = sum(q.Steps[i].Left[from:to])
	}
	if left > 0 {
		for c := range q.Columns {
			if q.Columns[c].Returned {
				read(c)
			}
		}
	}
}

// tests reports whether a step tests a column.
func (q *Query) tests(column int) bool {
	return slices.ContainsFunc(q.Steps, func(s Step) bool { return slices.Contains(s.Columns, column) })
}

// dictionary returns the bytes of the dictionary of a row group with the blocks [from, to):
// at most those of the row groups that it is made of together, and as many as the largest of
// these has. How many values they share is not known.
//
//	today           | 10 kB         | 12 kB         |
//	in halves       | 10 kB | 10 kB | 12 kB | 12 kB |
//	joined          | 22 kB                         |
func (q *Query) dictionary(c *Column, from, to int) float64 {
	largest, together := 0.0, 0.0
	first := sort.Search(len(q.Groups)-1, func(g int) bool { return q.Groups[g+1] > from })
	for g := first; g < len(q.Groups)-1 && q.Groups[g] < to; g++ {
		a, b := max(q.Groups[g], from), min(q.Groups[g+1], to)
		if a >= b {
			continue
		}
		bytes := float64(c.Chunks[g].Dictionary)
		largest = max(largest, bytes)
		together += bytes * float64(b-a) / float64(q.Groups[g+1]-q.Groups[g])
	}
	return max(largest, together)
}

// pageRows returns the rows of a page, on average.
func (q *Query) pageRows(c *Column) int64 {
	return max(q.rows(0, len(q.Blocks))/max(c.Pages, 1), 1)
}

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
	share := min(float64(sum(q.Steps[len(q.Steps)-1].Left))/float64(max(pass, 1)), 1) // of them that pass the others
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
		data, dictionary := sum(column.Bytes), 0.0 // dictionary: of a row group, on average of the rows
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
