package feed

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// Sequential is a source for one goroutine that reads ahead where short ranges follow each other, as
// those of small pages, chunks and row groups do, and those of their indexes. It reads no more ahead
// than was asked for in sequence. Where two thirds of a read went unused, it reads nothing ahead
// until eight times the unused bytes were asked for:
//
//	asked for   | a | b | c | d | e | f | g | h | i |
//	read        [ a ][ b ][ c ][ d   e ][ f   g   h   i ]
type Sequential struct {
	fetch.Source
	Pool   *column.Bodies
	Budget *budget.Holder // has room for what is read ahead, or nothing is
	Most   int64          // bytes to read ahead at a place; 0: none
	Took   bool           // bytes came from Source since the caller made this false

	places [3]place // the last one that was used comes first: of pages, column indexes and offset indexes
	asked  int64    // bytes of all ranges
	wasted int64    // bytes that were read ahead in vain, where two thirds of a read were
}

// place is a place in the file that ranges come to one after the other.
type place struct {
	ahead []byte // what was read ahead
	from  int64  // where it starts
	next  int64  // the end of the last range
	run   int64  // bytes of the ranges up to there, after the first; 0 if the last one was long
	used  int64  // bytes of ahead that were asked for
}

// nearBytes is how large a gap is that is read, too: to skip it takes a read, which costs as much.
const nearBytes = 4 << 10

// ReadRanges implements fetch.Source.
func (s *Sequential) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if s.Most == 0 {
		s.Took = true
		return s.Source.ReadRanges(ctx, ranges, alloc)
	}
	if err := fetch.Check(ranges, s.Size()); err != nil {
		return nil, err
	}
	known := func(r fetch.Range) []byte {
		s.asked += r.Len
		b := s.find(ctx, r)
		s.Took = s.Took || b == nil
		if b == nil || alloc == nil {
			return slices.Clone(b)
		}
		into := alloc(len(b))
		copy(into, b)
		return into
	}
	return ioplan.Spare(ctx, s.Source, known, nil, ranges, alloc)
}

// find returns the bytes of a range if they were read ahead, or are worth it; else nil.
func (s *Sequential) find(ctx context.Context, r fetch.Range) []byte {
	for i, p := range s.places {
		at, gap := r.Off-p.from, r.Off-p.next
		read := at >= 0 && r.Len <= int64(len(p.ahead))-at
		if !read && (gap < 0 || gap > nearBytes) {
			continue
		}
		copy(s.places[1:], s.places[:i])
		s.places[0] = p
		if !read {
			read, at = s.readAhead(ctx, r), gap
		}
		to := &s.places[0]
		if fresh := min(r.End()-to.next, r.Len); fresh > 0 {
			to.run, to.next = to.run+fresh, r.End()
			if read {
				to.used += fresh
			}
		}
		if 2*r.Len > s.Most {
			to.run = 0
		}
		if read {
			return to.ahead[at:][:r.Len]
		}
		return nil
	}
	last := &s.places[len(s.places)-1]
	s.drop(last, int64(len(last.ahead)))
	ahead := last.ahead[:0]
	copy(s.places[1:], s.places[:])
	s.places[0] = place{ahead: ahead, next: r.End()}
	return nil
}

// drop notes that of the first n bytes that were read ahead at p no more will be used.
func (s *Sequential) drop(p *place, n int64) {
	if 3*p.used < n {
		s.wasted += n - p.used
	}
	p.used = 0
}

// readAhead reads from the end of the last range on, if r is short beside what it may read.
func (s *Sequential) readAhead(ctx context.Context, r fetch.Range) (done bool) {
	p := &s.places[0]
	n := min(p.run, s.Most, s.Size()-p.next)
	if n <= 0 || 2*(r.End()-p.next) > n || fetch.Ended(ctx) != nil {
		return false
	}
	if cap(p.ahead) == 0 {
		if !s.Budget.TryTake(s.Most) {
			return false
		}
		p.ahead = s.Pool.Take(int(s.Most))[:0]
	}
	passed := min(p.next-p.from, int64(len(p.ahead)))
	if s.drop(p, passed); 8*s.wasted > s.asked {
		p.ahead = p.ahead[:0]
		return false
	}
	memory := p.ahead[:n]
	have := int64(copy(memory, p.ahead[passed:]))
	b, err := fetch.ReadRange(ctx, s.Source, fetch.Range{Off: p.next + have, Len: n - have}, func(int) []byte { return memory[have:] })
	if err != nil || &b[0] != &memory[have] {
		p.ahead, s.Most = nil, 0 // an abandoned read may still write to the memory
		return false
	}
	s.Took, p.ahead, p.from = true, memory, p.next
	return true
}

// Close returns the memory to the Pool.
func (s *Sequential) Close() {
	for _, p := range s.places {
		if cap(p.ahead) > 0 {
			s.Pool.Put(p.ahead)
		}
	}
	s.places = [3]place{}
}
