package serve

import (
	"context"
	"net/url"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
)

// shownRows is how many rows a page shows.
const shownRows = 200

// servedQuery is what an address asks of a file. It names pages by rows of the file, numbered
// from 0, so that each is found without the pages before it:
//
//	file=a.parquet&where=n<5             the first rows that pass
//	file=a.parquet&where=n<5&from=1000   the first rows that pass, from row 1000 on
//	file=a.parquet&where=n<5&before=1000 the last rows that pass before row 1000
type servedQuery struct {
	file, where, columns string
	key                  string // from, before, or ""
	row                  int64  // the value of key
	width                int    // letters in a line of the plan
}

// servedQueryOf reads the query of an address.
func servedQueryOf(v url.Values) (q servedQuery, err error) {
	q = servedQuery{file: v.Get("file"), where: v.Get("where"), columns: v.Get("columns"), width: planWidth(v.Get("width"))}
	for _, key := range []string{"from", "before"} {
		if !v.Has(key) {
			continue
		}
		if q.key != "" {
			return q, fault.Usage("from and before are both given; a page of rows has one of them")
		}
		q.key = key
		if q.row, err = strconv.ParseInt(v.Get(key), 10, 64); err != nil || q.row < 0 {
			return q, fault.Usage(key + "=" + strconv.Quote(table.First(v.Get(key), 40)) + ": the number of a row is wanted, from 0 on")
		}
	}
	return q, nil
}

// at returns the address of another page.
func (q *servedQuery) at(key string, row int64) string {
	v := url.Values{"file": {q.file}, key: {strconv.FormatInt(row, 10)}}
	for name, text := range map[string]string{"where": q.where, "columns": q.columns} {
		if text != "" {
			v.Set(name, text)
		}
	}
	return "?" + v.Encode()
}

// check returns an error if a file of so many rows has no such page.
func (q *servedQuery) check(rows int64) error {
	if q.row > rows || q.row == rows && q.row > 0 && q.key == "from" {
		return fault.Usage(q.key + "=" + strconv.FormatInt(q.row, 10) + ": the file has " + table.Plural(rows, "row") + ", numbered from 0")
	}
	return nil
}

// first returns the row at which the page begins.
func (q *servedQuery) first(ctx context.Context, f *input.File, o scanner.Options) (int64, error) {
	switch {
	case q.key != "before":
		return q.row, nil
	case o.Filter == nil:
		return max(q.row-shownRows, 0), nil
	}
	return passingBefore(ctx, f, o, q.row, shownRows)
}

// passingBefore returns the row from which on n rows pass before row end, or 0 if fewer do. It
// looks at ever larger parts of the file, backwards.
func passingBefore(ctx context.Context, f *input.File, o scanner.Options, end, n int64) (int64, error) {
	for part := int64(1 << 12); end > 0; part *= 2 {
		from := max(end-part, 0)
		o.Rows = rowsFrom(f, from, end)
		passing, err := f.Passing(ctx, o)
		if err != nil {
			return 0, err
		}
		if more := passing.Len() - n; more >= 0 {
			return passing.FileRows(groupSizes(f)).Skip(more)[0].From, nil
		}
		n -= passing.Len()
		end = from
	}
	return 0, nil
}

// rowsFrom returns the rows of the file from one up to another, without it.
func rowsFrom(f *input.File, from, to int64) vector.RowSet {
	return vector.RowsOfFile(vector.Ranges(nil).Append(from, to), groupSizes(f))
}

// groupSizes returns how many rows each row group has.
func groupSizes(f *input.File) (sizes []int64) {
	for i := range f.Footer().RowGroups {
		sizes = append(sizes, f.Footer().RowGroups[i].NumRows)
	}
	return sizes
}

// rowNumber returns a name for the column of row numbers that no column has.
func rowNumber(f *input.File) string {
	name := "row"
	for f.Schema().Find(name) != nil {
		name += "_"
	}
	return name
}

// found says which rows were read for those that are shown, and sets the addresses of the
// pages beside them. The page begins at row first, and its last row is last.
func (q *servedQuery) found(m *message, shown, first, last, rows int64, filtered bool) {
	if first > 0 {
		m.Previous = q.at("before", first)
	}
	if shown == shownRows && last+1 < rows {
		m.Next = q.at("from", last+1)
	} else {
		last = rows - 1 // the rest of the file was searched
	}
	switch {
	case rows == 0:
		m.Progress += ": the file has none"
		return
	case filtered:
		m.Progress += ": those that pass of"
	default:
		m.Progress += ":"
	}
	m.Progress += " rows " + table.Number(first) + "–" + table.Number(last) + " of " + table.Number(rows)
}

// planWidth returns how many letters a line of the plan may have where the page has room for that many.
func planWidth(room string) int {
	n, err := strconv.Atoi(room)
	if err != nil {
		n = 120
	}
	return min(max(n, 80), 240)
}
