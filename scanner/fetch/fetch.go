package fetch

import (
	"context"
	"fmt"
	"strconv"
)

// Range is Len bytes of a source, from Off on.
type Range struct {
	Off, Len int64
}

// End returns the offset after the range's last byte.
func (r Range) End() int64 { return r.Off + r.Len }

// String returns the range as "off+len".
func (r Range) String() string {
	return strconv.FormatInt(r.Off, 10) + "+" + strconv.FormatInt(r.Len, 10)
}

// Alloc returns the memory into which a range is read: a slice of length n and any
// capacity. A nil Alloc stands for make([]byte, n).
type Alloc func(n int) []byte

// Source is a file, an object, or bytes in memory. Its methods must be safe for
// concurrent use.
type Source interface {
	// Size returns the number of bytes. It does not change.
	Size() int64

	// Traits returns the identity of the bytes and the cost of a read, as far as they
	// are known. A source that reads from another one returns the other's Traits;
	// one that embeds it does so by itself. It must not take long: scans call it
	// once for each row group, and for each batch if there is no Latency, to detect that a
	// file has changed.
	Traits() Traits

	// ReadRanges returns the bytes of each range, in the order of ranges. It
	// returns all of them or an error; soon after ctx ends, the error of Ended.
	// Ranges may touch, overlap and be empty. The slices are read-only: they may
	// share memory with each other, or be views of the source's own memory
	// instead of memory of alloc.
	ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error)
}

// ReadRange returns the bytes of one range.
func ReadRange(ctx context.Context, src Source, r Range, alloc Alloc) ([]byte, error) {
	got, err := src.ReadRanges(ctx, []Range{r}, alloc)
	if err != nil {
		return nil, err
	}
	return got[0], nil
}

// Check returns an error if one of the ranges is not within a source of the
// given size. Every Source of this package calls it first.
func Check(ranges []Range, size int64) error {
	for _, r := range ranges {
		// Not r.End() > size: the sum may overflow.
		if r.Off < 0 || r.Len < 0 || r.Off > size || r.Len > size-r.Off || r.Len > maxLen {
			return fmt.Errorf("range %v is not within the %d bytes there are", r, size)
		}
	}
	return nil
}

// maxLen is the longest slice there can be.
const maxLen = int64(^uint(0) >> 1)

func allocate(alloc Alloc, n int64) []byte {
	if alloc == nil {
		return make([]byte, n)
	}
	return alloc(int(n))[:n]
}
