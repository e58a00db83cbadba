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
	Known func(fetch.Range) []byte // nil: they are not
}

// ReadRanges implements fetch.Source.
func (s Sparing) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	return Spare(ctx, s.Source, s.Known, nil, ranges, alloc)
}

// Spare is Sparing.ReadRanges without an allocation for known. read is called with the ranges that
// are not known, and their bytes; it may be nil.
func Spare(ctx context.Context, src fetch.Source, known func(fetch.Range) []byte, read func([]fetch.Range, [][]byte), ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	out := make([][]byte, len(ranges))
	missing, lacks := ranges, 0
	for i, r := range ranges {
		if out[i] = known(r); out[i] == nil {
			lacks++
		}
	}
	if lacks == 0 {
		return out, fetch.Ended(ctx)
	}
	if lacks < len(ranges) {
		missing = make([]fetch.Range, 0, lacks)
		for i, r := range ranges {
			if out[i] == nil {
				missing = append(missing, r)
			}
		}
	}
	got, err := src.ReadRanges(ctx, missing, alloc)
	if err != nil {
		return nil, err
	}
	if read != nil {
		read(missing, got)
	}
	for i := range out {
		if out[i] == nil && len(got) > 0 {
			out[i], got = got[0], got[1:]
		}
	}
	return out, nil
}
