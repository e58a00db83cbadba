package fetch

import (
	"context"
	"sync"
)

// Parts reads ranges for a source that reads one part of a file at a time, such as one that makes a request for each.
type Parts struct {
	// Gap is the largest gap between two ranges that are read as one, see Coalesce.
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
	return Coalesce(apart{p}, p.Gap, p.Longest).ReadRanges(ctx, ranges, alloc)
}

// apart reads ranges that are far from each other.
type apart struct{ parts Parts }

func (apart) Size() int64    { return maxLen }
func (apart) Traits() Traits { return Traits{} }

func (a apart) ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
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
		if err := a.parts.Read(inner, off, dst); err != nil {
			cancel(err)
		}
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		out[i] = allocate(alloc, r.Len)
		for n := (r.Len + a.parts.Longest - 1) / a.parts.Longest; n > 0; n-- {
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
