package ioplan

import (
	"context"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Surplus is bytes of a file that came with others, before a scan needs them.
type Surplus struct {
	Off  int64
	Data []byte
}

// Get returns the bytes of a range, nil unless all are there.
func (x *Surplus) Get(r fetch.Range) []byte {
	if at := r.Off - x.Off; at >= 0 && r.Len > 0 && at <= int64(len(x.Data)) && r.Len <= int64(len(x.Data))-at {
		return x.Data[at : at+r.Len : at+r.Len]
	}
	return nil
}

// Sparing is a source that reads only the ranges whose bytes are not known.
type Sparing struct {
	fetch.Source
	Known func(fetch.Range) []byte      // nil: they are not
	Read  func([]fetch.Range, [][]byte) // is called with the others, and their bytes; may be nil
}

// ReadRanges implements fetch.Source.
func (s Sparing) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	out := make([][]byte, len(ranges))
	var missing []fetch.Range
	var at []int // of missing, in ranges
	for i, r := range ranges {
		if out[i] = s.Known(r); out[i] == nil {
			missing, at = append(missing, r), append(at, i)
		}
	}
	if len(missing) == 0 {
		return out, fetch.Ended(ctx)
	}
	got, err := s.Source.ReadRanges(ctx, missing, alloc)
	if err != nil {
		return nil, err
	}
	if s.Read != nil {
		s.Read(missing, got)
	}
	for i := range got {
		out[at[i]] = got[i]
	}
	return out, nil
}
