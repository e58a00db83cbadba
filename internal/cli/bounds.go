package cli

import (
	"encoding/json"

	"github.com/winnow-scan/winnow/column/writer"
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

func (f *input) bounds(c *scanner.Chunk) *bounds {
	return &bounds{column: pageindex.ColumnOfFile(f.Footer(), writerOf(f), c.Leaf).In(&c.ColumnChunk), valuer: newValuer(c.Leaf.Type), number: table.IsNumber(c.Leaf.Type)}
}

// writerOf returns what is known of the program that wrote the file.
func writerOf(f *input) writer.Writer {
	f.writerOnce.Do(func() { f.writer = writer.From(f.Footer().CreatedBy) })
	return f.writer
}

// reason returns whether the bounds of statistics can be used, and if not, why.
func (b *bounds) reason(s *thrift.Statistics, slots int64) pageindex.Reason {
	if b.ofPages {
		return b.column.PageStatistics(s, slots).Why
	}
	return b.column.Statistics(s, slots).Why
}

type statsRecord struct {
	Min        json.RawMessage `json:"min,omitempty"`
	Max        json.RawMessage `json:"max,omitempty"`
	MinExact   *bool           `json:"min_exact,omitempty"`
	MaxExact   *bool           `json:"max_exact,omitempty"`
	Deprecated bool            `json:"deprecated,omitempty"` // the bounds stand in the old fields
	Unusable   string          `json:"unusable,omitempty"`   // why the bounds must not be used
	Nulls      *int64          `json:"null_count,omitempty"`
	NaNs       *int64          `json:"nan_count,omitempty"`
	Distinct   *int64          `json:"distinct_count,omitempty"`
}

// boundBytes returns the bounds of statistics, and whether they stand in the old
// fields min and max.
func boundBytes(s *thrift.Statistics) (low, high []byte, deprecated bool) {
	if s.MinValue != nil || s.MaxValue != nil {
		return s.MinValue, s.MaxValue, false
	}
	return s.Min, s.Max, s.Min != nil || s.Max != nil
}

func (b *bounds) record(s *thrift.Statistics, slots int64) *statsRecord {
	low, high, deprecated := boundBytes(s)
	rec := &statsRecord{
		MinExact: optionalFlag(s.MinExact), MaxExact: optionalFlag(s.MaxExact), Deprecated: deprecated,
		Nulls: optional(s.HasNullCount, s.NullCount), NaNs: optional(s.HasNaNCount, s.NaNCount),
		Distinct: optional(s.HasDistinctCount, s.DistinctCount),
	}
	if low != nil {
		rec.Min = b.valuer.appendJSON(low)
	}
	if high != nil {
		rec.Max = b.valuer.appendJSON(high)
	}
	if low != nil || high != nil {
		rec.Unusable = reasonText(b.reason(s, slots))
	}
	return rec
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
	text := string(b.valuer.appendText(nil, v))
	if text == "" {
		text = `""`
	}
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
