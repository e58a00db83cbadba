package scanner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// plan goes through the row groups in front of those that scans are at. Of each
// it has the metadata read, and then what they prove to be needed: pages of the
// columns that the filter asks, and of those that are handed out where rows are
// known to pass. It is a scan that looks at no page.
func (a *readAhead) plan(ctx context.Context, memory *Memory) {
	o := a.opts
	o.Stats, o.Memory, o.Threads = nil, memory, 0
	s, err := a.file.newScan(ctx, o)
	if err != nil {
		return
	}
	defer s.giveReaders()
	for i := range s.rows {
		if !a.next(ctx, i) {
			return
		}
		var calls [][]want
		if s.share.most.Load() > 0 && len(s.rows[i]) > 0 && a.file.checkGroup(i) == nil {
			s.src = &planned{placed{ahead: a, owner: owner{group: i}, peeks: true}}
			calls = s.needs(i)
		}
		if len(calls) > 0 {
			a.ask(ctx, calls[0], true)
		}
		a.planUpTo(i + 1)
		for _, wants := range calls[min(1, len(calls)):] {
			a.ask(ctx, wants, true)
		}
	}
}

// planAll is plan for as long as there is something to plan.
func (a *readAhead) planAll(ctx context.Context, memory *Memory) {
	fault := caught(func() error {
		a.plan(ctx, memory)
		return nil
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fault, a.planned = fault, math.MaxInt
	a.change.Broadcast()
}

// planUpTo says in front of which row group all is asked for.
func (a *readAhead) planUpTo(group int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.planned = group
	a.change.Broadcast()
}

// next returns true once it is time to look at a row group that no scan has
// come to, and false if that is not to be.
func (a *readAhead) next(ctx context.Context, group int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	far := aheadGroups
	if o := &a.opts; len(o.Runtime) > 0 || o.asks() && o.Limit > 0 {
		far = 1 // more is known when it is the next
	}
	for !a.over && ctx.Err() == nil && group >= a.begun+far {
		a.change.Wait()
	}
	return !a.over && ctx.Err() == nil
}

// needs returns what is going to be read of a row group for sure, in calls of
// which each has about the same rows of all columns.
func (s *scan) needs(group int) [][]want {
	defer s.forgetPages()
	if s.startGroup(group) != nil || len(s.wanted) == 0 {
		return nil // the scan will tell what is wrong
	}
	seeks := s.where != nil || !s.wanted.Covers(0, s.file.footer.RowGroups[group].NumRows)
	if seeks && s.findPages(s.leaves) != nil {
		return nil
	}
	var of [][]want // of each leaf
	total := int64(0)
	passes, untested := s.wanted, s.untested()
	if s.where != nil {
		passes = s.wanted.And(s.where.root.passes())
	}
	for _, l := range s.leaves {
		// For a test, a leaf is read for sure unless another one settles the matter.
		rows := vector.Ranges(nil)
		if l.returned {
			rows = passes
		}
		if l.filters {
			rows = rows.Or(s.wanted.AndNot(untested[l]))
		}
		wants := l.needs(rows)
		of = append(of, wants)
		for _, w := range wants {
			total += w.Len
		}
	}
	return parted(of, total, s.share.ahead.callBytes())
}

// callBytes is how much is asked for at once, that there is always more on its way.
func (a *readAhead) callBytes() int64 { return max(a.most/aheadCalls, 1) }

// passes returns the rows that are proven to pass a step.
func (st *step) passes() vector.Ranges {
	rows := st.proven.all
	for i, a := range st.args {
		switch passes := a.passes(); {
		case st.node.Op == filter.OpOr, st.node.Op == filter.OpAnd && i == 0:
			rows = rows.Or(passes)
		case st.node.Op == filter.OpAnd:
			rows = rows.And(passes)
		}
	}
	return rows
}

// needs returns where the pages of rows lie.
func (l *leaf) needs(rows vector.Ranges) (wants []want) {
	if len(rows) == 0 {
		return nil
	}
	r, slack, err := l.chunk.Range()
	if err != nil {
		return nil
	}
	at := owner{l.chunk.RowGroup, l.node}
	if l.offsets == nil {
		if 2*rows.Len() < l.rows {
			return nil // pages are looked for from header to header
		}
		r.Len += slack
		return []want{{Range: r, owner: at}}
	}
	for i, w := range wantedBytes(l.offsets, r.Off, l.rows, rows) {
		w.Off += r.Off
		if w.Len > 0 && r.Off <= w.Off && w.End() <= r.End() {
			wants = append(wants, want{w, at, i == 0})
		}
	}
	return wants
}

// parted cuts what leaves need, total bytes, into calls of about most bytes.
// Each has the same part of what each leaf needs.
func parted(of [][]want, total, most int64) [][]want {
	n := (total + most - 1) / most
	calls := make([][]want, n)
	for _, wants := range of {
		length := int64(0)
		for _, w := range wants {
			length += w.Len
		}
		first := int64(0) // of the bytes up to the call's
		for k := range calls {
			end := min((length*int64(k+1)/n+ofCall-1)/ofCall*ofCall, length)
			if k == len(calls)-1 {
				end = length
			}
			room := end - first
			for room > 0 {
				w := wants[0]
				if w.Len = min(w.Len, room); w.Len == wants[0].Len {
					wants = wants[1:]
				} else {
					wants[0].Off, wants[0].Len = w.End(), wants[0].Len-w.Len
				}
				calls[k] = append(calls[k], w)
				room -= w.Len
			}
			first = max(first, end)
		}
	}
	return calls
}

// ofCall is what a leaf's share of a call is a multiple of.
const ofCall = 64 << 10

// askTogether asks for the pages of all columns that are handed out which have
// rows that passed, at once. After windows in a row where rows did, it asks for pages
// behind them, too, for twice as many windows each time.
//
//	windows    [ 1 . 1 . ][ . 1 . . ][         ][         ]
//	asked      [ as needed          ][ a guess ]
func (s *scan) askTogether() {
	a, p := s.share.ahead, &s.passing
	if !a.running() {
		return
	}
	guess := p.to + s.bets.next(s.group, p.from, p.to)*(p.to-p.from)
	most := a.callBytes()
	var wants []want
	for _, l := range s.returned() {
		at := owner{s.group, l.node}
		i, _ := slices.BinarySearchFunc(l.offsets, p.from+1, func(x thrift.PageLocation, row int64) int { return cmp.Compare(x.FirstRow, row) })
		for i = max(i-1, 0); i < len(l.offsets) && l.offsets[i].FirstRow < guess; i++ {
			x, end := &l.offsets[i], l.rows
			if i+1 < len(l.offsets) {
				end = l.offsets[i+1].FirstRow
			}
			from, to := int(max(x.FirstRow, p.from)-p.from), int(min(end, p.to)-p.from)
			if from < to && bits.Any(p.sel.Bits, from, to) || end > p.to && most > 0 && s.windows.left.Meets(x.FirstRow, end) {
				wants = append(wants, want{fetch.Range{Off: x.Offset, Len: int64(x.CompressedSize)}, at, false})
				most -= int64(x.CompressedSize)
			}
		}
		if len(l.offsets) > 0 && l.offsets[0].Offset > l.start {
			wants = append(wants, want{fetch.Range{Off: l.start, Len: l.offsets[0].Offset - l.start}, at, true})
		}
	}
	a.ask(s.ctx, wants, false)
}

// bets is how many windows behind one where rows passed are taken to be like it.
type bets struct {
	group   int
	end     int64 // of the last window where rows passed
	windows int64
}

func (b *bets) next(group int, from, to int64) int64 {
	if group != b.group || from != b.end {
		b.windows = 0
	}
	n := b.windows
	b.group, b.end, b.windows = group, to, min(max(2*n, 1), 64)
	return n
}
