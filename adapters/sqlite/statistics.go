package sqlitescan

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// statistics are what the footer of a table's first file tells SQLite's planner.
type statistics struct {
	rows    float64 // of all files, as if they were like the first
	columns []columnStatistics
	sorted  []sortedColumn // by which the rows are sorted, the first first
}

type columnStatistics struct {
	distinct float64 // values, about
	touched  float64 // the share of the rows that a scan for one value has to look at
	nulls    float64 // the share of NULL
}

// sortedColumn is a column of a table by which its rows are sorted.
type sortedColumn struct {
	column     int
	descending bool
}

// maxGroups bounds how many row groups are looked at.
const maxGroups = 64

func newStatistics(f *scanner.File, files int, columns []column) *statistics {
	s := &statistics{columns: make([]columnStatistics, len(columns))}
	rows := 0.0
	for _, g := range f.Footer().RowGroups {
		rows += float64(max(g.NumRows, 0))
	}
	s.rows = rows * float64(files)
	leaves := make([]*schema.Node, len(columns))
	for i := range columns {
		s.columns[i] = columnStatistics{distinct: max(s.rows/10, 1), touched: 1, nulls: 0.1}
		if n := f.Schema().Find(columns[i].field.Name); n != nil && n.Kind == schema.Leaf {
			leaves[i] = n
			s.columns[i].look(f, n, s.rows)
		}
	}
	if files == 1 {
		s.findOrder(f, columns, leaves)
	}
	return s
}

// look estimates from the chunks of a leaf.
func (c *columnStatistics) look(f *scanner.File, leaf *schema.Node, rows float64) {
	var all []bounds
	entries, values, nulls, plain := 0.0, 0.0, 0.0, false
	groups := min(len(f.Footer().RowGroups), maxGroups)
	for g := range groups {
		chunk, err := f.Chunk(g, leaf.FirstLeaf)
		if err != nil || !chunk.HasMeta {
			return
		}
		m := &chunk.Meta
		if b, ok := boundsOf(leaf, m); ok {
			all = append(all, b)
		}
		values += float64(m.NumValues)
		nulls += float64(m.Statistics.NullCount)
		size := 8.0
		if m.HasSizeStatistics && m.SizeStatistics.HasUnencodedBytes && m.NumValues > 0 {
			size = 4 + float64(m.SizeStatistics.UnencodedBytes)/float64(m.NumValues)
		}
		if d := m.DataPageOffset - m.DictionaryOffset; m.HasDictionaryOffset && m.DictionaryOffset > 0 && d > 0 {
			entries = max(entries, float64(d)/size)
		} else {
			plain = true
		}
	}
	if values > 0 {
		c.nulls = min(max(nulls/values, 0), 1)
	}
	if groups > 0 && len(all) == groups {
		c.touched = overlap(all)
	}
	if c.distinct = rows; !plain && entries > 0 {
		c.distinct = entries / c.touched
	}
	if span := width(all); span > 0 {
		c.distinct = min(c.distinct, span)
	}
	c.distinct = min(max(c.distinct, 1), max(rows, 1))
}

// bounds are the least and the greatest value of a chunk.
type bounds struct {
	low, high   int64
	first, last []byte // of texts
}

// boundsOf returns the bounds of a chunk of integers or texts.
func boundsOf(leaf *schema.Node, m *thrift.ColumnMetaData) (b bounds, ok bool) {
	low, high := m.Statistics.MinValue, m.Statistics.MaxValue
	switch t := leaf.Type; {
	case t.Logical == vector.Integer && !t.Signed, low == nil || high == nil:
		return b, false
	case t.Physical == vector.Int32 && len(low) == 4 && len(high) == 4:
		b.low, b.high = int64(int32(binary.LittleEndian.Uint32(low))), int64(int32(binary.LittleEndian.Uint32(high)))
	case t.Physical == vector.Int64 && len(low) == 8 && len(high) == 8:
		b.low, b.high = int64(binary.LittleEndian.Uint64(low)), int64(binary.LittleEndian.Uint64(high))
	case t.Physical == vector.ByteArray && t.Logical == vector.String:
		b.first, b.last = low, high
	default:
		return b, false
	}
	return b, b.first != nil || b.low <= b.high
}

// overlap returns in which share of the chunks a value is found that is in one of them.
func overlap(all []bounds) float64 {
	meet := 0
	for i := range all {
		for k := range all {
			a, b := &all[i], &all[k]
			if before(a, b) <= 0 && before(b, a) <= 0 {
				meet++
			}
		}
	}
	return float64(meet) / float64(len(all)*len(all))
}

// before compares the least value of a with the greatest of b.
func before(a, b *bounds) int {
	if a.first != nil || b.first != nil {
		return bytes.Compare(a.first, b.last)
	}
	return cmp.Compare(a.low, b.high)
}

// width returns how many integers there are between the bounds of all chunks, 0 for texts.
func width(all []bounds) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range all {
		if all[i].first != nil {
			return 0
		}
		low, high = min(low, float64(all[i].low)), max(high, float64(all[i].high))
	}
	return max(high-low+1, 0)
}

// findOrder finds the columns by which all rows are sorted: in each row group, as its
// metadata say, and from one to the next, as bounds prove.
func (s *statistics) findOrder(f *scanner.File, columns []column, leaves []*schema.Node) {
	groups := f.Footer().RowGroups
	if len(groups) == 0 || len(groups) > maxGroups {
		return
	}
	for at, by := range groups[0].Sorting {
		column := -1
		for i, leaf := range leaves {
			if leaf != nil && int32(leaf.FirstLeaf) == by.Column {
				column = i
			}
		}
		if column < 0 || columns[column].kind == kindReal {
			return
		}
		strict := true // no value is in two row groups
		var last *bounds
		for g := range groups {
			if at >= len(groups[g].Sorting) || groups[g].Sorting[at] != by {
				return
			}
			chunk, err := f.Chunk(g, leaves[column].FirstLeaf)
			if err != nil || !chunk.HasMeta {
				return
			}
			st := &chunk.Meta.Statistics
			if noNulls := st.HasNullCount && st.NullCount == 0; !noNulls && (len(groups) > 1 || by.NullsFirst == by.Descending) {
				return // SQLite has NULL before all values
			}
			b, ok := boundsOf(leaves[column], &chunk.Meta)
			if at == 0 && len(groups) > 1 {
				if !ok || last != nil && !follows(last, &b, by.Descending) {
					return
				}
				strict = strict && (last == nil || follows(last, &b, by.Descending) && !touches(last, &b, by.Descending))
			}
			last = &b
		}
		s.sorted = append(s.sorted, sortedColumn{column, by.Descending})
		if !strict {
			return
		}
	}
}

// follows reports whether no value of b comes before one of a.
func follows(a, b *bounds, descending bool) bool {
	if descending {
		a, b = b, a
	}
	return before(b, a) >= 0
}

// touches reports whether the last value of a may be the first of b.
func touches(a, b *bounds, descending bool) bool {
	if descending {
		a, b = b, a
	}
	return before(b, a) == 0
}
