package winnowio

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/winnow-scan/winnow/scanner"
)

// count adds the counters of a scan to Beam's.
func count(ctx context.Context, s *scanner.Stats, splits int) {
	add := func(name string, n int64) {
		if n != 0 {
			beam.NewCounter("winnowio", name).Inc(ctx, n)
		}
	}
	add("rows", s.Rows)
	add("requests", s.Requests)
	add("requested_bytes", s.RequestedBytes)
	add("splits", int64(splits))
	for fate := range scanner.Fates {
		var n scanner.PageCount
		for i := range s.Columns {
			n.Pages += s.Columns[i].Pages[fate]
			n.Bytes += s.Columns[i].Bytes[fate]
			if scanner.Fate(fate) == scanner.Unread { // other restrictions count these
				n.Pages -= s.Columns[i].Untouched[scanner.Unwanted].Pages
				n.Bytes -= s.Columns[i].Untouched[scanner.Unwanted].Bytes
			}
		}
		add("pages_"+scanner.Fate(fate).String(), n.Pages)
		add("bytes_"+scanner.Fate(fate).String(), n.Bytes)
	}
}
