package verify

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/thrift"
)

// comparePage holds what is said of the current page against its slots.
func (v *verification) comparePage(x *leafValues) {
	c, column, p, s := x.chunk, &x.bounds.Column, x.pages[x.page], &x.now
	v.pageHeader(x, p, s)
	if l, ok := x.entry(p); ok {
		v.hold(c, p.Number, c.OffsetIndexOffset, claim{true, "offset index", "rows before this page", l.FirstRow, x.all.rows, false})
		if s.midRow {
			v.fault(c, p.Number, c.OffsetIndexOffset, "offset index: the page starts within a row")
		}
		if sizes := x.offsets.UnencodedBytes; len(sizes) > 0 {
			v.hold(c, p.Number, c.OffsetIndexOffset, claim{true, "offset index", "unencoded bytes", sizes[p.Number], s.bytes, true})
		}
	}
	if x.columns != nil && p.Number < len(x.columns.NullPages) {
		i := x.columns
		b := column.Page(i, p.Number)
		v.within(x, s, p.Number, "column index", c.ColumnIndexOffset, b)
		v.histogram(x, p.Number, c.ColumnIndexOffset, "column index", "repetition", chunks.HistogramOf(i.RepetitionHistograms, p.Number, c.Leaf.MaxRep), s.repetition)
		v.histogram(x, p.Number, c.ColumnIndexOffset, "column index", "definition", chunks.HistogramOf(i.DefinitionHistograms, p.Number, c.Leaf.MaxDef), s.definition)
		if !i.NullPages[p.Number] && s.values == 0 {
			v.flaw(c, p.Number, c.ColumnIndexOffset, "column index: not a null page, it has no values")
		}
		if len(i.NullCounts) > 0 && b.Nulls == pageindex.Unknown {
			v.unbelievable(x, p.Number, c.ColumnIndexOffset, "column index", i.NullCounts[p.Number], s)
		}
	}
}

// pageHeader holds a page's header against its slots.
func (v *verification) pageHeader(x *leafValues, p *chunks.Page, s *span) {
	c, h := x.chunk, &p.PageHeader
	if v2 := h.Type == thrift.DataPageV2; v2 {
		valuesForRows := c.Leaf.MaxRep > 0 && h.NumRows == h.NumValues // as some writers have it
		v.hold(c, p.Number, p.Offset,
			claim{true, "page header", "rows", int64(h.NumRows), s.rows, valuesForRows},
			claim{true, "page header", "nulls", int64(h.NumNulls), s.slots - s.values, false})
	}
	if h.HasStatistics {
		v.statistics(x, s, p.Number, "page statistics", p.Offset, &h.Statistics, x.bounds.Column.PageStatistics)
	}
}

// statistics holds statistics of a chunk or page against its slots. bounds is what is believed
// of such statistics.
func (v *verification) statistics(x *leafValues, s *span, page int, where string, offset int64, stats *thrift.Statistics, bounds func(*thrift.Statistics, int64) pageindex.Bounds) {
	b := bounds(stats, s.slots)
	v.within(x, s, page, where, offset, b)
	if stats.HasNullCount && b.Nulls == pageindex.Unknown {
		v.unbelievable(x, page, offset, where, stats.NullCount, s)
	}
	if stats.HasNaNCount {
		t := x.chunk.Leaf.Type
		isFloat := t.Physical == vector.Float || t.Physical == vector.Double || t.Logical == vector.Float16
		v.hold(x.chunk, page, offset, claim{!isFloat || stats.NaNCount < 0 || stats.NaNCount > s.slots, where, "NaNs", stats.NaNCount, s.nans, !isFloat})
	}
	if old := (thrift.Statistics{Min: stats.Min, Max: stats.Max}); stats.MinValue != nil && (!bytes.Equal(old.Min, stats.MinValue) || !bytes.Equal(old.Max, stats.MaxValue)) { // for old readers
		v.within(x, s, page, "old "+where, offset, bounds(&old, s.slots))
	}
}

// unbelievable notes a wrong number of nulls that nobody may believe: it is too large, or the
// bounds say otherwise. It is a flaw where the writer is known for wrong numbers. Some writers
// have -1 for a number that they do not know.
func (v *verification) unbelievable(x *leafValues, page int, offset int64, where string, says int64, s *span) {
	b := x.bounds.Column.PageStatistics
	if page < 0 {
		b = x.bounds.Column.Statistics
	}
	doubted := b(&thrift.Statistics{HasNullCount: true}, 1).Nulls == pageindex.Unknown
	v.hold(x.chunk, page, offset, claim{says != -1, where, "nulls", says, s.slots - s.values, doubted})
}

// histogram holds a histogram of levels against those of slots.
func (v *verification) histogram(x *leafValues, page int, offset int64, where, kind string, says, is []int64) {
	if len(says) == 0 {
		return
	}
	if len(says) != len(is) {
		v.flaw(x.chunk, page, offset, where, ": a histogram of ", len(says), " ", kind, " levels, there are ", len(is))
		return
	}
	for level, n := range is {
		if says[level] != n {
			v.fault(x.chunk, page, offset, where, ": ", says[level], " slots at ", kind, " level ", level, ", there are ", n)
		}
	}
}

// compareChunk holds statistics of the chunk and the Bloom filter against the values.
func (v *verification) compareChunk(x *leafValues) {
	c, all := x.chunk, &x.all
	m := &c.Meta
	if m.HasStatistics {
		v.statistics(x, all, -1, "statistics", -1, &m.Statistics, x.bounds.Column.Statistics)
		if least, most, known := x.distinct.count(); known && m.Statistics.HasDistinctCount {
			says := m.Statistics.DistinctCount
			counts := says >= least && says <= most || says == x.entries && says > most // DuckDB counts entries that no row has
			v.hold(c, -1, -1, claim{!counts, "statistics", "distinct values", says, most, true})
		}
	}
	if m.HasSizeStatistics {
		z := &m.SizeStatistics
		v.histogram(x, -1, -1, "size_statistics", "repetition", z.RepetitionHistogram, all.repetition)
		v.histogram(x, -1, -1, "size_statistics", "definition", z.DefinitionHistogram, all.definition)
		v.hold(c, -1, -1, claim{z.HasUnencodedBytes, "size_statistics", "unencoded bytes", z.UnencodedBytes, all.bytes, true})
	}
	if x.absent != nil {
		v.fault(c, -1, m.BloomFilterOffset, "Bloom filter: without the value ", x.text(x.absent))
	}
	if c.Leaf.Type.Logical == vector.Null && all.values > 0 {
		v.fault(c, -1, -1, "values: there are ", all.values, ", but the type says that all are NULL")
	}
	v.typeRange(x)
	if m.HasGeospatial {
		v.positions(x)
	}
}

func (x *leafValues) text(plain []byte) string { return x.bounds.Valuer.Text(plain) }

// within holds bounds and counts against the values of a span.
func (v *verification) within(x *leafValues, s *span, page int, where string, offset int64, b pageindex.Bounds) {
	c, column := x.chunk, &x.bounds.Column
	fault := func(parts ...any) {
		v.fault(c, page, offset, append([]any{where, ": "}, parts...)...)
	}
	v.hold(c, page, offset, claim{b.Nulls >= 0, where, "nulls", b.Nulls, s.slots - s.values, false})
	if b.Why == pageindex.AllNulls && s.values > 0 && (b.Nulls < 0 || b.Nulls == s.slots-s.values) {
		fault("no values, there are ", s.values)
	}
	v.hold(c, page, offset, claim{b.NaNs >= 0, where, "NaNs", b.NaNs, s.nans, false})
	switch b.Why {
	case pageindex.Inverted, pageindex.Misfit:
		isCut := b.Why == pageindex.Misfit && c.Leaf.Type.Physical == vector.FixedLenByteArray // as some writers cut them
		v.defect(isCut, c, page, offset, where, ": ", b.Why.String())
	case pageindex.NaNBound: // no bound for any reader
		v.flaw(c, page, offset, where, ": ", b.Why.String())
	}
	if s.least == nil || column.DirtyHighBits(b.Sure) {
		return
	}
	switch {
	case !b.HasMin:
	case column.Compare(s.least, b.Min) < 0:
		fault("min ", x.text(b.Min), ", there is ", x.text(s.least))
	case b.MinExact && column.Compare(s.least, b.Min) != 0:
		fault("min ", x.text(b.Min), " is said to be exact; the least value is ", x.text(s.least))
	}
	switch {
	case !b.HasMax:
	case column.Compare(s.most, b.Max) > 0:
		fault("max ", x.text(b.Max), ", there is ", x.text(s.most))
	case b.MaxExact && column.Compare(s.most, b.Max) != 0:
		fault("max ", x.text(b.Max), " is said to be exact; the greatest value is ", x.text(s.most))
	}
}

// positions holds geospatial statistics against the geometries.
func (v *verification) positions(x *leafValues) {
	p, g, c := x.positions, &x.chunk.Meta.Geospatial, x.chunk
	if p == nil {
		v.flaw(c, -1, -1, "geospatial_statistics of a column of type ", c.Leaf.Type)
		return
	}
	if p.bad > 0 {
		return // of what is no WKB, nobody knows the extent
	}
	if len(g.Types) > 0 {
		for _, t := range g.Types {
			if !p.types[uint32(t)] {
				v.flaw(c, -1, -1, "geospatial_statistics: geometries of type ", t, ", there are none")
			}
			delete(p.types, uint32(t))
		}
		for t := range p.types {
			v.fault(c, -1, -1, "geospatial_statistics: no geometries of type ", t, ", there are some")
		}
	}
	for i, name := range []string{"x", "y", "z", "m"} {
		if s := &p.sides[i]; s.outside != nil {
			number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
			v.fault(c, -1, -1, "geospatial_statistics: ", name, " from ", number(s.least), " to ", number(s.most), ", there is ", number(*s.outside))
		}
	}
}

// rangeOf returns the least and the greatest value of a type that has fewer than its physical
// type: decimals by their precision, short integers, times of a day.
func rangeOf(t vector.Type) (least, most *big.Int) {
	power := func(base, exponent int64) *big.Int {
		return new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil)
	}
	switch one := big.NewInt(1); {
	case t.Logical == vector.Decimal && t.Precision > 0 && t.Precision < 1000:
		most = power(10, int64(t.Precision))
		most.Sub(most, one)
		return new(big.Int).Neg(most), most
	case t.Logical == vector.Integer && t.Bits < 32 && t.Signed:
		most = power(2, int64(t.Bits)-1)
		return new(big.Int).Neg(most), new(big.Int).Sub(most, one)
	case t.Logical == vector.Integer && t.Bits < 32:
		return new(big.Int), new(big.Int).Sub(power(2, int64(t.Bits)), one)
	case t.Logical == vector.Time:
		day := map[vector.Unit]int64{vector.Millis: 1e3, vector.Micros: 1e6, vector.Nanos: 1e9}[t.Unit] * 24 * 60 * 60
		return new(big.Int), big.NewInt(day - 1)
	}
	return nil, nil
}

// number returns a value of such a type.
func number(t vector.Type, plain []byte) *big.Int {
	switch t.Physical {
	case vector.Int32:
		if t.Logical == vector.Integer && !t.Signed {
			return big.NewInt(int64(binary.LittleEndian.Uint32(plain)))
		}
		return big.NewInt(int64(int32(binary.LittleEndian.Uint32(plain))))
	case vector.Int64:
		return big.NewInt(int64(binary.LittleEndian.Uint64(plain)))
	}
	return bits.SetSigned(new(big.Int), plain)
}

// typeRange notes values that their type does not have: readers make different things of them.
func (v *verification) typeRange(x *leafValues) {
	t, all := x.chunk.Leaf.Type, &x.all
	least, most := rangeOf(t)
	if most == nil || all.least == nil {
		return
	}
	for _, plain := range [][]byte{all.least, all.most} {
		if n := number(t, plain); n.Cmp(least) < 0 || n.Cmp(most) > 0 {
			shown := "a number of " + strconv.Itoa(len(plain)) + " bytes"
			if len(plain) <= 64 {
				shown = n.String()
			}
			v.flaw(x.chunk, -1, -1, "values: ", shown, " is out of the range of ", t)
			return
		}
	}
}
