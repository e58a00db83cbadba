package slots

import (
	"context"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Source is a source each of whose requests takes a slot. A call for more ranges than there are
// slots becomes several.
type Source struct {
	fetch.Source
	Requests *Share
	Taken    int   // slots that the caller has taken for the first call, which gives them back
	Turn     *Turn // of the goroutine that calls, away meanwhile; nil: none
}

// ReadRanges implements fetch.Source.
func (s Source) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) (got [][]byte, err error) {
	s.Turn.Away(ctx, func() {
		if s.Requests == nil {
			got, err = s.Source.ReadRanges(ctx, ranges, alloc)
			return
		}
		for n := s.Taken; len(ranges) > 0 && err == nil; n = 0 {
			if n == 0 {
				if n = s.Requests.Take(ctx, len(ranges)); n == 0 {
					err = fetch.Ended(ctx)
					return
				}
			}
			var part [][]byte
			part, err = s.read(ctx, ranges[:n], alloc)
			got, ranges = append(got, part...), ranges[n:]
		}
	})
	if err != nil {
		return nil, err
	}
	return got, nil
}

// read reads ranges with as many slots, and gives them back.
func (s Source) read(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	defer s.Requests.Give(len(ranges))
	return s.Source.ReadRanges(ctx, ranges, alloc)
}
