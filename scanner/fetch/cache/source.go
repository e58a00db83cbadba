package cache

import (
	"bytes"
	"context"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// Source is a source whose bytes are kept in a Cache.
type Source struct {
	fetch.Source
	cache Cache // nil: nothing is cached
	file  fetch.Identity
}

// NewSource returns a Source that reads a file with a given identity from src. If c is nil,
// the identity is not known, or the file was written in the last two seconds, it caches
// nothing.
func NewSource(src fetch.Source, c Cache, file fetch.Identity) *Source {
	file, ok := cacheable(file)
	if c == nil || !ok {
		return &Source{Source: src}
	}
	return &Source{src, c, file}
}

// Over returns a Source with the cache of s that reads missing bytes from src, which must
// be a source of the same bytes.
func (s *Source) Over(src fetch.Source) *Source { return &Source{src, s.cache, s.file} }

// Get returns the cached bytes of a range, nil if there are none.
func (s *Source) Get(r fetch.Range) []byte {
	if s.cache == nil {
		return nil
	}
	if b := s.cache.Get(Key{s.file, r}); int64(len(b)) == r.Len {
		return b[:len(b):len(b)]
	}
	return nil
}

// Put copies the bytes of ranges to the cache, unless the file has changed meanwhile.
func (s *Source) Put(ranges []fetch.Range, data [][]byte) {
	if s.cache == nil || !fetch.IdentityOf(s.Source).Same(s.file) {
		return
	}
	for i, r := range ranges {
		if r.Len > 0 && i < len(data) && int64(len(data[i])) == r.Len {
			s.cache.Put(Key{s.file, r}, bytes.Clone(data[i]))
		}
	}
}

// ReadRanges takes cached ranges from the cache, reads the others and caches them. Only the
// latter are in memory of alloc.
func (s *Source) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if s.cache == nil {
		return s.Source.ReadRanges(ctx, ranges, alloc)
	}
	if err := fetch.Check(ranges, s.Size()); err != nil {
		return nil, err
	}
	return ioplan.Spare(ctx, s.Source, s.Get, s.Put, ranges, alloc)
}
