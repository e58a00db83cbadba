package inspect

import (
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/thrift"
)

// appendStatistics appends the statistics of a chunk or a page.
func appendStatistics(o *output.Object, b *chunks.Bounds, s *thrift.Statistics, slots int64) {
	low, high, deprecated := chunks.BoundBytes(s)
	o.Begin("statistics")
	if low != nil {
		o.Name("min")
		o.Line = b.Valuer.AppendJSON(o.Line, low)
	}
	if high != nil {
		o.Name("max")
		o.Line = b.Valuer.AppendJSON(o.Line, high)
	}
	o.FlagIf(s.MinExact != thrift.Absent, "min_exact", s.MinExact == thrift.True)
	o.FlagIf(s.MaxExact != thrift.Absent, "max_exact", s.MaxExact == thrift.True)
	o.FlagIf(deprecated, "deprecated", true) // the bounds stand in the old fields
	if low != nil || high != nil {
		why := chunks.ReasonText(b.Reason(s, slots))
		o.TextIf(why != "", "unusable", why) // why the bounds must not be used
	}
	o.IntIf(s.HasNullCount, "null_count", s.NullCount)
	o.IntIf(s.HasNaNCount, "nan_count", s.NaNCount)
	o.IntIf(s.HasDistinctCount, "distinct_count", s.DistinctCount)
	o.End()
}
