package cache

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// defaultBlock is the size of blocks unless a host wants another. BenchmarkFarScan filled a folder
// in 1.2 s with blocks of 64 KiB, and in 0.7 s with 256 KiB or 1 MiB: making a file took 1 ms. A
// point lookup read 17, 19 and 25 MB. To be measured again where files are made faster.
const defaultBlock = 256 << 10

// Blocks read files through a Cache, in blocks of one size. Files that share Blocks share the
// bytes of the Cache, and requests: a block that several callers want at one time is read once.
// Safe for concurrent use.
type Blocks struct {
	cache Cache
	size  int64

	mu      sync.Mutex
	pending map[Key]*block // those that a caller looks up or reads
}

// NewBlocks returns Blocks of blockSize bytes, of 256 KiB if that is 0 or less. Those of a file
// that is written with another size are not found.
func NewBlocks(c Cache, blockSize int64) *Blocks {
	if blockSize <= 0 {
		blockSize = defaultBlock
	}
	return &Blocks{cache: c, size: blockSize, pending: map[Key]*block{}}
}

// Source returns a source of src's bytes that are kept in the cache. It returns src itself if
// the identity of its file is not known, or the file was written in the last two seconds.
//
// The bytes are of the state that the file has now: once src has another identity, reads fail
// with fetch.ErrChanged. An error of src is that of the callers whose request it was; others
// that waited for the same block make requests of their own.
func (b *Blocks) Source(src fetch.Source) fetch.Source {
	if s, ok := src.(*blockSource); ok && s.blocks == b {
		return s
	}
	if file, ok := cacheable(fetch.IdentityOf(src)); ok {
		return &blockSource{src, b, file}
	}
	return src
}

type blockSource struct {
	fetch.Source
	blocks *Blocks
	file   fetch.Identity
}

// block is the lookup or the read of one block, whose result one or more callers wait for.
type block struct {
	number int64
	key    Key

	// The following are set when done is closed.
	done      chan struct{}
	data      []byte // nil: its reader failed
	cancelled bool   // its reader failed because the context of that had ended
}

// ReadRanges implements fetch.Source. Ranges within a block are views of it; the others are in
// memory of alloc.
func (s *blockSource) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Ended(ctx); err != nil {
		return nil, err
	}
	if err := fetch.Check(ranges, s.Size()); err != nil {
		return nil, err
	}
	if err := s.unchanged(); err != nil {
		return nil, err
	}
	got := map[int64][]byte{}
	alone := false // read missing blocks even if other callers read them, too
	for missing := s.numbers(ranges); len(missing) > 0; {
		own, others := s.claim(missing, alone)
		if err := s.load(ctx, own); err != nil {
			return nil, err
		}
		missing = missing[:0]
		for _, b := range own {
			got[b.number] = b.data
		}
		for _, b := range others {
			select {
			case <-b.done:
			case <-ctx.Done():
				return nil, fetch.Ended(ctx)
			}
			if b.data == nil {
				missing = append(missing, b.number)
				alone = alone || !b.cancelled
				continue
			}
			got[b.number] = b.data
		}
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		out[i] = s.assemble(r, got, alloc)
	}
	return out, nil
}

func (s *blockSource) unchanged() error {
	if fetch.IdentityOf(s.Source).Same(s.file) {
		return nil
	}
	return fetch.ErrChanged
}

// number returns the number of the block with the byte at off. Blocks are counted from the
// file's end.
func (s *blockSource) number(off int64) int64 { return (s.Size() - 1 - off) / s.blocks.size }

// place returns the range of a block. The one at the start of the file may be short.
func (s *blockSource) place(number int64) fetch.Range {
	end := s.Size() - number*s.blocks.size
	off := max(end-s.blocks.size, 0)
	return fetch.Range{Off: off, Len: end - off}
}

// numbers returns the numbers of the blocks that ranges touch, from the file's start to its end.
func (s *blockSource) numbers(ranges []fetch.Range) []int64 {
	var all []int64
	for _, r := range ranges {
		if r.Len > 0 {
			for n := s.number(r.Off); n >= s.number(r.End()-1); n-- {
				all = append(all, n)
			}
		}
	}
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
	return slices.Compact(all)
}

// claim returns own, the blocks that the caller must load, and others, which other callers are
// loading. If alone, all are own, and no other caller waits for them.
func (s *blockSource) claim(numbers []int64, alone bool) (own, others []*block) {
	s.blocks.mu.Lock()
	defer s.blocks.mu.Unlock()
	for _, n := range numbers {
		key := Key{s.file, s.place(n)}
		if b := s.blocks.pending[key]; b != nil && !alone {
			others = append(others, b)
			continue
		}
		b := &block{number: n, key: key, done: make(chan struct{})}
		if !alone {
			s.blocks.pending[key] = b
		}
		own = append(own, b)
	}
	return own, others
}

// publish wakes the callers that wait for a block. Without data, its read has failed.
func (s *blockSource) publish(b *block) {
	s.blocks.mu.Lock()
	defer s.blocks.mu.Unlock()
	if s.blocks.pending[b.key] == b {
		delete(s.blocks.pending, b.key)
		close(b.done)
	}
}

// load fills in blocks that the caller has claimed: from the cache, and what that lacks in one
// call of the source.
func (s *blockSource) load(ctx context.Context, own []*block) error {
	defer func() { // after an error, and after a panic of the host's source or cache
		for _, b := range own {
			if b.data == nil {
				b.cancelled = ctx.Err() != nil
			}
			s.publish(b)
		}
	}()
	var missing []*block
	var ranges []fetch.Range // of missing
	for _, b := range own {
		if data := s.blocks.cache.Get(b.key); int64(len(data)) == b.key.Range.Len {
			b.data = data
			s.publish(b)
			continue
		}
		missing, ranges = append(missing, b), append(ranges, b.key.Range)
	}
	if len(missing) == 0 {
		return nil
	}
	read, err := ioplan.Merged{Source: s.Source}.ReadRanges(ctx, ranges, nil) // neighbours as one
	if err != nil {
		return err
	}
	if err := s.unchanged(); err != nil {
		return err
	}
	for i, b := range missing {
		// A copy, for the memory may be the source's, and the cache may drop the neighbours.
		b.data = bytes.Clone(read[i])
		s.blocks.cache.Put(b.key, b.data)
		s.publish(b)
	}
	return nil
}

// assemble returns the bytes of a range from the blocks that it touches.
func (s *blockSource) assemble(r fetch.Range, got map[int64][]byte, alloc fetch.Alloc) []byte {
	if r.Len == 0 {
		return []byte{}
	}
	first := s.number(r.Off)
	if at := s.place(first); r.End() <= at.End() {
		return got[first][r.Off-at.Off : r.End()-at.Off]
	}
	if alloc == nil {
		alloc = func(n int) []byte { return make([]byte, n) }
	}
	out := alloc(int(r.Len))[:r.Len]
	for n, off := first, r.Off; off < r.End(); n-- {
		off += int64(copy(out[off-r.Off:], got[n][off-s.place(n).Off:]))
	}
	return out
}
