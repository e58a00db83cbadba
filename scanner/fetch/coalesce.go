package fetch

import (
	"cmp"
	"context"
	"io"
	"slices"
)

// Coalesce returns a source that reads ranges with a gap of at most gap bytes
// between them as one, unless the whole would exceed longest bytes. The bytes
// in the gaps are read and dropped.
//
//	requested    [a]..[b].........[c]      gap >= 2
//	read         [a  gap  b]      [c]
func Coalesce(src Source, gap, longest int64) Source {
	return &coalesced{src, gap, longest}
}

type coalesced struct {
	Source
	gap, longest int64
}

func (c *coalesced) ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
	if err := Check(ranges, c.Size()); err != nil {
		return nil, err
	}
	order := make([]int, len(ranges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ranges[a].Off, ranges[b].Off), cmp.Compare(ranges[a].Len, ranges[b].Len))
	})

	var reads []Range
	within := make([]int, len(ranges)) // index into reads of each range
	for _, i := range order {
		r := ranges[i]
		if k := len(reads) - 1; k >= 0 {
			last := &reads[k]
			end := max(last.End(), r.End())
			if r.Off-last.End() <= c.gap && (end-last.Off <= c.longest || end == last.End()) {
				last.Len = end - last.Off
				within[i] = k
				continue
			}
		}
		within[i] = len(reads)
		reads = append(reads, r)
	}

	got, err := c.Source.ReadRanges(ctx, reads, alloc)
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		k := within[i]
		if k >= len(got) || int64(len(got[k])) != reads[k].Len {
			return nil, io.ErrUnexpectedEOF // a source of the host's
		}
		at := r.Off - reads[k].Off
		out[i] = got[k][at : at+r.Len]
	}
	return out, nil
}
