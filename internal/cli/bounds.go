package cli

import (
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// bounds shows the statistics of one column's chunks and pages.
type bounds struct {
	column  pageindex.Column
	valuer  *valuer
	number  bool // the bounds are numbers
	ofPages bool // the statistics are those of pages, not of the chunk
}

// boundsOf returns what shows the statistics of a chunk and its pages.
func boundsOf(f *input, c *scanner.Chunk) *bounds {
	return &bounds{column: pageindex.ColumnOfFile(f.Footer(), f.writtenBy(), c.Leaf).In(&c.ColumnChunk), valuer: newValuer(c.Leaf.Type), number: table.IsNumber(c.Leaf.Type)}
}

// reason returns whether the bounds of statistics can be used, and if not, why.
func (b *bounds) reason(s *thrift.Statistics, slots int64) pageindex.Reason {
	if b.ofPages {
		return b.column.PageStatistics(s, slots).Why
	}
	return b.column.Statistics(s, slots).Why
}

// boundBytes returns the bounds of statistics, and whether they stand in the old
// fields min and max.
func boundBytes(s *thrift.Statistics) (low, high []byte, deprecated bool) {
	if s.MinValue != nil || s.MaxValue != nil {
		return s.MinValue, s.MaxValue, false
	}
	return s.Min, s.Max, s.Min != nil || s.Max != nil
}

// appendStatistics appends the statistics of a chunk or a page.
func appendStatistics(o *object, b *bounds, s *thrift.Statistics, slots int64) {
	low, high, deprecated := boundBytes(s)
	o.begin("statistics")
	if low != nil {
		o.name("min")
		o.line = b.valuer.appendJSON(o.line, low)
	}
	if high != nil {
		o.name("max")
		o.line = b.valuer.appendJSON(o.line, high)
	}
	o.flagIf(s.MinExact != thrift.Absent, "min_exact", s.MinExact == thrift.True)
	o.flagIf(s.MaxExact != thrift.Absent, "max_exact", s.MaxExact == thrift.True)
	o.flagIf(deprecated, "deprecated", true) // the bounds stand in the old fields
	if low != nil || high != nil {
		why := reasonText(b.reason(s, slots))
		o.textIf(why != "", "unusable", why) // why the bounds must not be used
	}
	o.intIf(s.HasNullCount, "null_count", s.NullCount)
	o.intIf(s.HasNaNCount, "nan_count", s.NaNCount)
	o.intIf(s.HasDistinctCount, "distinct_count", s.DistinctCount)
	o.end()
}

func reasonText(why pageindex.Reason) string {
	if why == pageindex.Usable {
		return ""
	}
	return why.String()
}

func optionalFlag(f thrift.Flag) *bool { return optional(f != thrift.Absent, f == thrift.True) }

// cells returns the bounds for a table: in parentheses if they cannot be used, and
// with "~" after one that was cut and is no value.
func (b *bounds) cells(s *thrift.Statistics, slots int64) (low, high table.Cell) {
	lowBytes, highBytes, _ := boundBytes(s)
	look := table.Plain
	if b.reason(s, slots) != pageindex.Usable {
		look = table.Dim
	}
	return b.cell(lowBytes, s.MinExact, look), b.cell(highBytes, s.MaxExact, look)
}

func (b *bounds) cell(v []byte, exact thrift.Flag, look table.Style) table.Cell {
	if v == nil {
		return table.Cell{}
	}
	text := table.QuotedIfBlank(string(b.valuer.appendText(nil, v)))
	if exact == thrift.False {
		text += "~"
	}
	if look == table.Dim { // not every reader sees colours
		text = "(" + text + ")"
	}
	shown := table.Cell{Text: text, Style: look}
	if b.number {
		shown.Cut = table.CutDigits
	}
	return shown
}
