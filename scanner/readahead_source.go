package scanner

import (
	"cmp"
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// at returns the source of what lies with an owner, from an offset on.
func (a *readAhead) at(group int, leaf *schema.Node, start int64) *placed {
	return &placed{ahead: a, owner: owner{group, leaf}, start: start}
}

// placed is the source that a scan reads something of, and what it reads is
// not asked for again.
type placed struct {
	ahead *readAhead
	owner
	start int64 // of the leaf's pages
	peeks bool  // leaves what it reads for others
}

func (s *placed) Size() int64 { return s.ahead.file.src.Size() }

func (s *placed) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Check(ranges, s.Size()); err != nil {
		return nil, err
	}
	parts := s.take(ranges)
	if parts == nil {
		return s.direct(ctx, ranges, alloc)
	}
	defer s.ahead.leaveParts(parts)
	out := make([][]byte, len(ranges))
	var gaps []fetch.Range // that nobody asked for
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
		first, _ := slices.BinarySearchFunc(parts, r.Off, func(p *part, off int64) int { return cmp.Compare(p.End(), off+1) })
		for _, p := range parts[first:] {
			from, to := max(p.Off, r.Off), min(p.End(), r.End())
			if from >= to {
				break
			}
			select {
			case <-p.ready:
			case <-ctx.Done():
				return nil, fetch.Ended(ctx)
			}
			if p.b == nil {
				continue // reading it failed, and may do so again
			}
			gap(from)
			copy(out[i][from-r.Off:], p.b[from-p.Off:to-p.Off])
			at = to
		}
		gap(r.End())
	}
	if len(gaps) > 0 {
		got, err := s.direct(ctx, gaps, nil)
		if err != nil {
			return nil, err
		}
		for i := range got {
			copy(into[i], got[i])
		}
	}
	return out, nil
}

// direct reads what nobody asked for.
func (s *placed) direct(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if a := s.ahead; s.peeks {
		if err := fetch.Ended(ctx); err != nil {
			return nil, err
		}
		a.mu.Lock()
		for _, r := range ranges {
			a.waste[s.leaf] += r.Len
		}
		a.mu.Unlock()
	}
	return s.ahead.read(ctx, s.leaf, ranges, alloc)
}

// take returns the parts that ranges meet, in order, for the caller to copy of.
func (s *placed) take(ranges []fetch.Range) (parts []*part) {
	a := s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		return nil
	}
	for _, r := range ranges {
		for _, p := range a.parts[a.search(r.Off):] {
			from, to := max(p.Off, r.Off), min(p.End(), r.End())
			if p.Off >= r.End() {
				break
			}
			if p.removed {
				continue
			}
			if !s.peeks {
				p.left -= to - from
			}
			parts = append(parts, p)
		}
		if s.leaf != nil {
			a.ends[s.owner] = max(a.ends[s.owner], r.End())
		}
	}
	slices.SortFunc(parts, func(a, b *part) int { return cmp.Compare(a.Off, b.Off) })
	parts = slices.Compact(parts)
	for _, p := range parts {
		p.users++
	}
	return parts
}

// reach returns the end of what was asked for from off on, 0 if that was not. Behind
// most it does not matter where that is.
func (s *placed) reach(off, most int64) (end int64) {
	a := s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.parts[a.search(off):] {
		if p.Off > max(off, end) || end >= most {
			break
		}
		if !p.removed {
			end = p.End()
		}
	}
	return end
}

// leaveParts is called when nothing is copied of parts any more. Pages that were
// read are not kept, metadata are: parts of them are read again.
func (a *readAhead) leaveParts(parts []*part) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range parts {
		p.users--
		a.release(p)
	}
	a.remove(parts, func(p *part) bool { return p.left <= 0 && p.leaf != nil })
}

// passed says that nothing in front of an offset will be read any more.
func (s *placed) passed(before int64) {
	a := s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		return
	}
	a.ends[s.owner] = max(a.ends[s.owner], before)
	parts := a.parts[a.search(s.start):]
	n, _ := slices.BinarySearchFunc(parts, before, func(p *part, end int64) int { return cmp.Compare(p.End(), end+1) })
	a.remove(parts[:n], func(p *part) bool { return p.owner == s.owner && !p.keep })
}

// planned is the source that the planner reads metadata from. They are kept for
// the scan.
type planned struct{ placed }

func (s *planned) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	wants := make([]want, len(ranges))
	for i, r := range ranges {
		wants[i] = want{Range: r, owner: s.owner}
	}
	s.ahead.ask(ctx, wants, true)
	return s.placed.ReadRanges(ctx, ranges, alloc)
}

// source returns what a scan reads a leaf's pages from, or metadata if that is nil.
func (s *scan) source(l *leaf) fetch.Source {
	switch a := s.share.ahead; {
	case s.src != nil:
		return s.src
	case a == nil:
		return s.file.src
	case l == nil:
		return a.at(s.group, nil, 0)
	default:
		return a.at(s.group, l.node, l.start)
	}
}
