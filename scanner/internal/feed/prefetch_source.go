package feed

import (
	"cmp"
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
	"github.com/winnow-scan/winnow/scanner/internal/slots"
)

// Source returns the source from which a scan reads the pages of a leaf in a row group,
// or its metadata if leaf is nil. start is the offset of the leaf's first page.
// turn is that of the goroutine that reads, away while it waits; nil: it has none.
func (a *Prefetcher) Source(group int, leaf *schema.Node, start int64, turn *slots.Turn) fetch.Source {
	return &prefetchedSource{prefetcher: a, owner: owner{group, leaf}, start: start, turn: turn}
}

// PlanningSource returns the source from which a planner reads the metadata of a row
// group. The bytes stay in memory for the scan.
func (a *Prefetcher) PlanningSource(group int) fetch.Source {
	return &prefetchedSource{prefetcher: a, owner: owner{group: group}, forPlanner: true}
}

// prefetchedSource is the source of one leaf's pages, or of metadata. It copies
// prefetched bytes from memory and reads the others.
type prefetchedSource struct {
	prefetcher *Prefetcher
	owner
	start      int64 // offset of the leaf's first page
	turn       *slots.Turn
	forPlanner bool // ranges are requested before they are read, and their bytes still count as unread
}

func (s *prefetchedSource) Size() int64          { return s.prefetcher.src.Size() }
func (s *prefetchedSource) Traits() fetch.Traits { return s.prefetcher.src.Traits() }

func (s *prefetchedSource) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Check(ranges, s.Size()); err != nil {
		return nil, err
	}
	if s.forPlanner {
		requests := make([]Request, len(ranges))
		for i, r := range ranges {
			requests[i] = Request{Range: r, RowGroup: s.group}
		}
		s.prefetcher.PrefetchPlanned(requests)
	}
	prefetches := s.acquire(ranges)
	if prefetches == nil {
		return s.readMissing(ctx, ranges, alloc)
	}
	defer s.prefetcher.release(prefetches)
	out := make([][]byte, len(ranges))
	var gaps []fetch.Range // that were not prefetched
	var into [][]byte
	for i, r := range ranges {
		if alloc != nil {
			out[i] = alloc(int(r.Len))
		} else {
			out[i] = make([]byte, r.Len)
		}
		at := r.Off
		gap := func(to int64) {
			if at < to {
				gaps = append(gaps, fetch.Range{Off: at, Len: to - at})
				into = append(into, out[i][at-r.Off:to-r.Off])
			}
		}
		first, _ := slices.BinarySearchFunc(prefetches, r.Off, func(p *prefetch, off int64) int { return cmp.Compare(p.End(), off+1) })
		for _, p := range prefetches[first:] {
			from, to := max(p.Off, r.Off), min(p.End(), r.End())
			if from >= to {
				break
			}
			select {
			case <-p.ready:
			default:
				s.turn.Away(ctx, func() {
					select {
					case <-p.ready:
					case <-ctx.Done():
					}
				})
				if err := fetch.Ended(ctx); err != nil {
					return nil, err
				}
			}
			if p.data == nil {
				continue // the call failed: the range is read again, and may fail again
			}
			gap(from)
			copy(out[i][from-r.Off:], p.data[from-p.Off:to-p.Off])
			at = to
		}
		gap(r.End())
	}
	if len(gaps) > 0 {
		got, err := s.readMissing(ctx, gaps, nil)
		if err != nil {
			return nil, err
		}
		for i := range got {
			copy(into[i], got[i])
		}
	}
	return out, nil
}

// readMissing reads ranges that were not prefetched; nearby ones as one.
func (s *prefetchedSource) readMissing(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	a, wasted := s.prefetcher, int64(0)
	if s.forPlanner {
		if err := fetch.Ended(ctx); err != nil {
			return nil, err
		}
		for _, r := range ranges {
			wasted += r.Len
		}
	}
	src := slots.Source{Source: ioplan.Metered{Source: a.src, Meter: a.meter}, Requests: a.requests, Turn: s.turn}
	got, err := ioplan.Merged{Source: src, Gaps: a.cost.Gaps, Wasted: &wasted}.ReadRanges(ctx, ranges, alloc)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wasted[s.leaf] += wasted
	return got, err
}

// acquire returns the prefetches that overlap ranges, in order. Their data stays valid until
// release.
func (s *prefetchedSource) acquire(ranges []fetch.Range) (prefetches []*prefetch) {
	a := s.prefetcher
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scans == 0 {
		return nil
	}
	for _, r := range ranges {
		if !s.forPlanner {
			a.startRead(s.group, r)
		}
		for _, p := range a.prefetches[a.search(r.Off):] {
			from, to := max(p.Off, r.Off), min(p.End(), r.End())
			if p.Off >= r.End() {
				break
			}
			if p.removed {
				continue
			}
			if !s.forPlanner {
				p.unread -= to - from
			}
			prefetches = append(prefetches, p)
		}
		if s.leaf != nil {
			a.readUpTo[s.owner] = max(a.readUpTo[s.owner], r.End())
		}
	}
	slices.SortFunc(prefetches, func(a, b *prefetch) int { return cmp.Compare(a.Off, b.Off) })
	prefetches = slices.Compact(prefetches)
	for _, p := range prefetches {
		p.readers++
	}
	return prefetches
}

// reach returns the end of the prefetched bytes that start at off, 0 if there are none. Beyond
// enough, it leaves out those that are still on their way. If they reach beyond most, any end
// beyond most is a right answer.
func (s *prefetchedSource) reach(off, enough, most int64) (end int64) {
	a := s.prefetcher
	a.mu.Lock()
	defer a.mu.Unlock()
	a.startRead(s.group, fetch.Range{Off: off, Len: 1})
	for _, p := range a.prefetches[a.search(off):] {
		if p.Off > max(off, end) || end >= most || end >= enough && p.data == nil {
			break
		}
		if !p.removed {
			end = p.End()
		}
	}
	return end
}

// release ends the use of acquired prefetches. Parts of pages that are wholly read are
// removed. Parts of metadata stay until the end of the row group, for they are read again.
func (a *Prefetcher) release(prefetches []*prefetch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range prefetches {
		p.readers--
		a.recycle(p)
	}
	a.remove(prefetches, func(p *prefetch) bool { return p.unread <= 0 && p.leaf != nil })
}

// passed tells the Prefetcher that no byte of the leaf before an offset will be read any more.
func (s *prefetchedSource) passed(before int64) {
	a := s.prefetcher
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scans == 0 {
		return
	}
	a.readUpTo[s.owner] = max(a.readUpTo[s.owner], before)
	prefetches := a.prefetches[a.search(s.start):]
	n, _ := slices.BinarySearchFunc(prefetches, before, func(p *prefetch, end int64) int { return cmp.Compare(p.End(), end+1) })
	a.remove(prefetches[:n], func(p *prefetch) bool { return p.owner == s.owner && !p.keepUntilEnd })
}
