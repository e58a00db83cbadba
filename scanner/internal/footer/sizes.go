package footer

import (
	"context"
	"sync/atomic"
)

// farTail is how much is read from the end of a far file at once, before anything is known
// of its like. More bytes than of a local file are worth a trip less.
const farTail = 128 << 10

// maxTail bounds how much is read at once, whatever other files had.
const maxTail = 16 << 20

// Sizes are what footers of some files had in common, so that the next is read in one
// request, with the indexes before it. Safe for concurrent use.
type Sizes struct{ longest atomic.Int64 }

type key struct{}

// WithSizes returns a context in which files are opened that are like each other.
func WithSizes(ctx context.Context) context.Context {
	if _, has := ctx.Value(key{}).(*Sizes); has {
		return ctx
	}
	return context.WithValue(ctx, key{}, new(Sizes))
}

func sizesOf(ctx context.Context) *Sizes {
	s, _ := ctx.Value(key{}).(*Sizes)
	return s
}

// Learn records how many of a file's last bytes are its footer, and the indexes before it.
func Learn(ctx context.Context, footer, withIndexes int64) {
	s := sizesOf(ctx)
	if s == nil {
		return
	}
	n := footer
	if withIndexes <= farTail || withIndexes < 2*footer {
		n = withIndexes
	}
	for before := s.longest.Load(); n > before && !s.longest.CompareAndSwap(before, n); before = s.longest.Load() {
	}
}

// next returns how many of the last bytes of the next file to read.
func (s *Sizes) next() int64 {
	const step = 4 << 10
	if s == nil || s.longest.Load() == 0 {
		return farTail
	}
	n := s.longest.Load()
	return min((n+n/8)/step*step+step, maxTail)
}
