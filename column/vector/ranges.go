package vector

import "sort"

// Range is the row ordinals [From, To).
type Range struct{ From, To int64 }

// Len returns the number of rows.
func (r Range) Len() int64 { return max(r.To-r.From, 0) }

// Ranges is a set of row ordinals of a row group: ranges that are not empty,
// ascend, and neither overlap nor touch. Functions that return Ranges leave
// their arguments as they are, but may return one of them.
type Ranges []Range

// All returns the ordinals [0, n).
func All(n int64) Ranges { return Ranges(nil).Append(0, n) }

// Append adds [from, to), which must not begin before the last range does.
// Unlike the other functions, it may change r's memory, as the built-in append does.
func (r Ranges) Append(from, to int64) Ranges {
	if from >= to {
		return r
	}
	if n := len(r); n > 0 && from <= r[n-1].To {
		r[n-1].To = max(r[n-1].To, to)
		return r
	}
	return append(r, Range{from, to})
}

// Len returns the number of rows.
func (r Ranges) Len() int64 {
	n := int64(0)
	for _, x := range r {
		n += x.Len()
	}
	return n
}

// find returns the index of the first range that ends after row.
func (r Ranges) find(row int64) int {
	return sort.Search(len(r), func(i int) bool { return r[i].To > row })
}

// Contains reports whether row is in r.
func (r Ranges) Contains(row int64) bool { return r.Run(row) > row }

// Meets reports whether r has a row of [from, to).
func (r Ranges) Meets(from, to int64) bool {
	i := r.find(from)
	return from < to && i < len(r) && r[i].From < to
}

// Covers reports whether r has all rows of [from, to).
func (r Ranges) Covers(from, to int64) bool { return from >= to || to <= r.Run(from) }

// Run returns the end of the range that holds row; row itself if none does.
func (r Ranges) Run(row int64) int64 {
	if i := r.find(row); i < len(r) && r[i].From <= row {
		return r[i].To
	}
	return row
}

// Clip returns the rows of r that are in [from, to).
func (r Ranges) Clip(from, to int64) Ranges { return r.And(Ranges(nil).Append(from, to)) }

// And returns the rows that are in both.
func (r Ranges) And(o Ranges) Ranges {
	var both Ranges
	for len(r) > 0 && len(o) > 0 {
		both = both.Append(max(r[0].From, o[0].From), min(r[0].To, o[0].To))
		if r[0].To < o[0].To {
			r = r[1:]
		} else {
			o = o[1:]
		}
	}
	return both
}

// Or returns the rows that are in one or both.
func (r Ranges) Or(o Ranges) Ranges {
	if len(r) == 0 {
		return o
	}
	if len(o) == 0 {
		return r
	}
	var either Ranges
	for len(r) > 0 || len(o) > 0 {
		if len(o) == 0 || len(r) > 0 && r[0].From <= o[0].From {
			either = either.Append(r[0].From, r[0].To)
			r = r[1:]
		} else {
			either = either.Append(o[0].From, o[0].To)
			o = o[1:]
		}
	}
	return either
}

// AndNot returns the rows of r that are not in o.
func (r Ranges) AndNot(o Ranges) Ranges {
	var kept Ranges
	for _, x := range r {
		for len(o) > 0 && o[0].To <= x.From {
			o = o[1:]
		}
		at := x.From
		for i := 0; i < len(o) && o[i].From < x.To; i++ {
			kept = kept.Append(at, o[i].From)
			at = o[i].To
		}
		kept = kept.Append(at, x.To)
	}
	return kept
}

// First returns the first n rows of r.
func (r Ranges) First(n int64) Ranges {
	for i, x := range r {
		if n <= 0 {
			return r[:i]
		}
		if n < x.Len() {
			return append(append(Ranges(nil), r[:i]...), Range{x.From, x.From + n})
		}
		n -= x.Len()
	}
	return r
}

// Skip returns r without its first n rows.
func (r Ranges) Skip(n int64) Ranges {
	for i, x := range r {
		if n <= 0 {
			return r[i:]
		}
		if n < x.Len() {
			return append(Ranges{{x.From + n, x.To}}, r[i+1:]...)
		}
		n -= x.Len()
	}
	return nil
}

// RowSet is a set of rows of a file: for each row group the ordinals within
// it. Row groups beyond its length have no row in the set.
type RowSet []Ranges

// Len returns the number of rows.
func (s RowSet) Len() int64 {
	n := int64(0)
	for _, r := range s {
		n += r.Len()
	}
	return n
}

// Of returns the rows of a row group.
func (s RowSet) Of(rowGroup int) Ranges {
	if rowGroup < len(s) {
		return s[rowGroup]
	}
	return nil
}

// And returns the rows that are in both.
func (s RowSet) And(o RowSet) RowSet { return s.combine(o, Ranges.And) }

// Or returns the rows that are in one or both.
func (s RowSet) Or(o RowSet) RowSet { return s.combine(o, Ranges.Or) }

// AndNot returns the rows of s that are not in o.
func (s RowSet) AndNot(o RowSet) RowSet { return s.combine(o, Ranges.AndNot) }

// combine applies f to the ranges of each row group.
func (s RowSet) combine(o RowSet, f func(a, b Ranges) Ranges) RowSet {
	result := make(RowSet, max(len(s), len(o)))
	for i := range result {
		result[i] = f(s.Of(i), o.Of(i))
	}
	return result
}

// RowsOfFile returns the RowSet of rows, which are ordinals within the file, given
// the number of rows of each row group. Ordinals beyond the last row are left out.
func RowsOfFile(rows Ranges, sizes []int64) RowSet {
	s := make(RowSet, len(sizes))
	start := int64(0)
	for i, size := range sizes {
		for _, r := range rows.Clip(start, start+size) {
			s[i] = append(s[i], Range{r.From - start, r.To - start})
		}
		start += size
	}
	return s
}

// FileRows returns the rows of s as ordinals within the file, given the number of
// rows of each row group: the inverse of RowsOfFile.
func (s RowSet) FileRows(sizes []int64) Ranges {
	var rows Ranges
	start := int64(0)
	for i, size := range sizes {
		for _, r := range s.Of(i) {
			rows = rows.Append(start+r.From, start+r.To)
		}
		start += size
	}
	return rows
}
