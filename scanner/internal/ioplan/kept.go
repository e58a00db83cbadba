package ioplan

import (
	"context"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Kept are bytes of a file that came with others, and are kept.
type Kept struct {
	Off  int64
	Data []byte
}

// Get returns the bytes of a range, nil unless all are kept.
func (k *Kept) Get(r fetch.Range) []byte {
	if at := r.Off - k.Off; at >= 0 && r.Len > 0 && at <= int64(len(k.Data)) && r.Len <= int64(len(k.Data))-at {
		return k.Data[at : at+r.Len : at+r.Len]
	}
	return nil
}

// Over returns a source of the same file as src that does not read what is kept.
func (k *Kept) Over(src fetch.Source) fetch.Source {
	if len(k.Data) == 0 {
		return src
	}
	return keeping{src, k}
}

type keeping struct {
	fetch.Source
	kept *Kept
}

func (s keeping) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	out := make([][]byte, len(ranges))
	var missing []fetch.Range
	var at []int // of missing, in ranges
	for i, r := range ranges {
		if out[i] = s.kept.Get(r); out[i] == nil {
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
	for i := range got {
		out[at[i]] = got[i]
	}
	return out, nil
}
