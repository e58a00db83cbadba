package ioplan

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Merged is a source that reads ranges of one call as one request where that costs less.
type Merged struct {
	fetch.Source
	Gaps   func(wanted []fetch.Range) []fetch.Range // returns those that are read; nil: none
	Wasted *int64                                   // the bytes of them so far, if it is not nil
}

// ReadRanges implements fetch.Source. What was read as one has memory of one call of alloc.
func (m Merged) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Check(ranges, m.Size()); err != nil {
		return nil, err
	}
	wanted := union(ranges)
	var gaps []fetch.Range
	if m.Gaps != nil {
		gaps = m.Gaps(wanted)
	}
	for _, g := range gaps {
		if m.Wasted != nil {
			*m.Wasted += g.Len
		}
	}
	requests := Join(append(gaps, wanted...))
	got, err := m.Source.ReadRanges(ctx, requests, alloc)
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		if r.Len == 0 {
			continue
		}
		k, found := slices.BinarySearchFunc(requests, r.Off, func(q fetch.Range, off int64) int { return cmp.Compare(q.Off, off) })
		if !found {
			k--
		}
		if k >= len(got) || int64(len(got[k])) != requests[k].Len {
			return nil, io.ErrUnexpectedEOF // a source of the host's
		}
		at := r.Off - requests[k].Off
		out[i] = got[k][at : at+r.Len]
	}
	return out, nil
}

// union returns the bytes of ranges as sorted ranges that are apart or touch, none empty.
func union(ranges []fetch.Range) (all []fetch.Range) {
	sorted := slices.SortedFunc(slices.Values(ranges), func(a, b fetch.Range) int { return cmp.Compare(a.Off, b.Off) })
	for _, r := range sorted {
		switch k := len(all) - 1; {
		case r.Len == 0:
		case k >= 0 && r.Off < all[k].End():
			all[k].Len = max(all[k].Len, r.End()-all[k].Off)
		default:
			all = append(all, r)
		}
	}
	return all
}

// Join returns the requests that read ranges, which are apart: those that touch are one
// request, of at most 8 MiB unless one of them is longer.
func Join(ranges []fetch.Range) (requests []fetch.Range) {
	for _, r := range union(ranges) {
		if k := len(requests) - 1; k >= 0 && requests[k].End() == r.Off && r.End()-requests[k].Off <= maxJoined {
			requests[k].Len += r.Len
		} else {
			requests = append(requests, r)
		}
	}
	return requests
}
