package fetch

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Parts reads ranges for a source that reads one part of a file at a time, such as one that makes a request for each.
// Ranges near each other are read as one, and long ones in several parts:
//
//	requested    [a]..[b].........[       c       ]      Gap >= 2
//	read         [a  gap  b]      [   1   ][   2   ]
type Parts struct {
	// Gap is the largest gap between two ranges that are read as one. Its bytes are read and dropped.
	Gap int64

	// Longest is the longest part: longer ranges are several.
	Longest int64

	// Read fills dst with the bytes from an offset on. It is called for all parts at once, each in a goroutine.
	Read func(ctx context.Context, off int64, dst []byte) error
}

// ReadRanges reads ranges, which are within the source, into memory of alloc, which ranges near each other share.
// The first call of Read that fails, or panics, ends the context of the others. ReadRanges returns when none is
// left, with that error or panic.
func (p Parts) ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
	joined, in := p.join(ranges)
	got, err := p.readAll(ctx, joined, alloc)
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		at := r.Off - joined[in[i]].Off
		out[i] = got[in[i]][at : at+r.Len]
	}
	return out, nil
}

// join returns what is read for ranges, and in which of that each of them is.
func (p Parts) join(ranges []Range) (joined []Range, in []int) {
	order := make([]int, len(ranges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ranges[a].Off, ranges[b].Off), cmp.Compare(ranges[a].Len, ranges[b].Len))
	})
	in = make([]int, len(ranges))
	for _, i := range order {
		r := ranges[i]
		if k := len(joined) - 1; k >= 0 {
			last := &joined[k]
			end := max(last.End(), r.End())
			if r.Off-last.End() <= p.Gap && (end-last.Off <= p.Longest || end == last.End()) {
				last.Len, in[i] = end-last.Off, k
				continue
			}
		}
		in[i] = len(joined)
		joined = append(joined, r)
	}
	return joined, in
}

// readAll reads ranges that are far from each other.
func (p Parts) readAll(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working sync.WaitGroup
	panics := make(chan any, 1) // of the host's, whose caller may recover
	read := func(off int64, dst []byte) {
		defer func() {
			if cause := recover(); cause != nil {
				select {
				case panics <- cause:
				default:
				}
				cancel(nil)
			}
		}()
		if err := p.Read(inner, off, dst); err != nil {
			cancel(err)
		}
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		out[i] = allocate(alloc, r.Len)
		for n := (r.Len + p.Longest - 1) / p.Longest; n > 0; n-- {
			part := Range{r.Off, r.Len / n}
			dst := out[i][part.Off-ranges[i].Off:][:part.Len]
			working.Go(func() { read(part.Off, dst) })
			r = Range{part.End(), r.Len - part.Len}
		}
	}
	working.Wait()
	select {
	case cause := <-panics:
		panic(cause)
	default:
	}
	if err := Ended(ctx); err != nil {
		return nil, err
	}
	return out, context.Cause(inner)
}
