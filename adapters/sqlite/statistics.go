package sqlitescan

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner"
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

	leaf  *schema.Node // nil if the column is none
	zones []scanner.ZoneMap
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
	for _, g := range f.Footer().RowGroups {
		s.rows += float64(max(g.NumRows, 0)) * float64(files)
	}
	for i := range columns {
		c := &s.columns[i]
		*c = columnStatistics{distinct: max(s.rows/10, 1), touched: 1, nulls: 0.1}
		if n := f.Schema().Find(columns[i].field.Name); n != nil && n.Kind == schema.Leaf {
			c.leaf = n
			c.look(f, columns[i].path, s.rows)
		}
	}
	if files == 1 {
		s.findOrder(f, columns)
	}
	return s
}

// look estimates from the chunks of a leaf.
func (c *columnStatistics) look(f *scanner.File, path string, rows float64) {
	entries, slots, nulls, plain := 0.0, 0.0, 0.0, false
	for g := range min(len(f.Footer().RowGroups), maxGroups) {
		zone, err := f.ZoneMap(g, path)
		if err != nil {
			return
		}
		chunk, err := f.Chunk(g, c.leaf.FirstLeaf)
		if err != nil || !chunk.HasMeta {
			return
		}
		c.zones = append(c.zones, zone)
		slots += float64(max(zone.Slots, 0))
		nulls += float64(max(zone.Nulls, 0))
		m := &chunk.Meta
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
	if slots > 0 {
		c.nulls = min(nulls/slots, 1)
	}
	c.touched = overlap(c.zones)
	if c.distinct = rows; !plain && entries > 0 {
		c.distinct = entries / c.touched
	}
	if span := width(c.zones); span > 0 {
		c.distinct = min(c.distinct, span)
	}
	c.distinct = min(max(c.distinct, 1), max(rows, 1))
}

// overlap returns in which share of the row groups a value may be that is in one of them.
func overlap(zones []scanner.ZoneMap) float64 {
	meet := 0
	for i := range zones {
		for k := range zones {
			if !entirelyBefore(&zones[i], &zones[k]) && !entirelyBefore(&zones[k], &zones[i]) {
				meet++
			}
		}
	}
	if meet == 0 {
		return 1
	}
	return float64(meet) / float64(len(zones)*len(zones))
}

// entirelyBefore reports whether all values of a are less than all of b.
func entirelyBefore(a, b *scanner.ZoneMap) bool {
	order, ok := a.Max.Compare(b.Min)
	return ok && order < 0
}

// width returns how many integers there are between the bounds of all row groups, 0 if
// that is not known.
func width(zones []scanner.ZoneMap) float64 {
	low, high := 0.0, -1.0
	for i := range zones {
		a, aOK := zones[i].Min.Int64()
		b, bOK := zones[i].Max.Int64()
		if !aOK || !bOK {
			return 0
		}
		if i == 0 {
			low, high = float64(a), float64(b)
		}
		low, high = min(low, float64(a)), max(high, float64(b))
	}
	return high - low + 1
}

// findOrder finds the columns by which all rows are sorted: in each row group, as its metadata
// say, and from one to the next, as bounds prove.
func (s *statistics) findOrder(f *scanner.File, columns []column) {
	groups := f.Footer().RowGroups
	if len(groups) == 0 || len(groups) > maxGroups {
		return
	}
	for at, by := range groups[0].Sorting {
		for g := range groups {
			if at >= len(groups[g].Sorting) || groups[g].Sorting[at] != by {
				return
			}
		}
		for i := range columns {
			c := &s.columns[i]
			if c.leaf == nil || int32(c.leaf.FirstLeaf) != by.Column || !columns[i].keepsOrder() || len(c.zones) != len(groups) {
				continue
			}
			for k := range c.zones {
				if c.zones[k].Nulls != 0 && (len(groups) > 1 || by.NullsFirst == by.Descending) {
					return // SQLite has NULL before all values
				}
			}
			// Later columns order rows only where all rows with equal earlier ones are in one row group.
			touch, follow := inOrder(c.zones, by.Descending)
			if at == 0 && !follow {
				return
			}
			s.sorted = append(s.sorted, sortedColumn{i, by.Descending})
			if at == 0 && touch {
				return
			}
			break
		}
		if len(s.sorted) != at+1 {
			return
		}
	}
}

// keepsOrder reports whether SQLite has the values of a column in the order that they have in files.
func (c *column) keepsOrder() bool {
	switch c.kind {
	case kindBool, kindInteger, kindDecimalInteger, kindDecimalReal, kindText, kindUUID, kindDate, kindTimestamp:
		return true
	}
	return false
}

// inOrder reports whether no value of a row group belongs in front of one of the group before,
// and whether a value may be in two of them.
func inOrder(zones []scanner.ZoneMap, descending bool) (touch, follow bool) {
	for i := 1; i < len(zones); i++ {
		a, b := &zones[i-1], &zones[i]
		if descending {
			a, b = b, a
		}
		order, ok := a.Max.Compare(b.Min)
		if !ok || order > 0 {
			return touch, false
		}
		touch = touch || order == 0
	}
	return touch, true
}
