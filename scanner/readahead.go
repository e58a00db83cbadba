package scanner

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// readAhead asks a source far away for what scans are going to need. To them
// it is a source: what it has asked for comes from memory, once it is there, all
// else from the file.
//
//	file      ..[ index ]....[ page ][ page ]....[ page ]....
//	asked       [  1    ]    [       2      ]    [  2   ]       calls 1 and 2
//	read                     [  ] done, [        ] from memory
//
// All scans that share work share it. It runs while one of them does.
type readAhead struct {
	file *File
	opts Options
	most int64 // bytes that were asked for and not read yet
	pool *pool

	mu     sync.Mutex
	change sync.Cond
	users  int                // scans that run
	stop   context.CancelFunc // the planner and all calls
	runs   sync.WaitGroup
	parts  []*part         // by offset; they do not overlap, but for those that were removed
	dead   int             // of parts: that were removed, and wait until it is worth to close up
	held   int64           // bytes of them
	calls  int             // that have not come back
	ends   map[owner]int64 // how far chunks were read: what is in front is not asked for
	gone   map[int]bool    // row groups that are done with

	begun   int   // row groups in front of it were begun by a scan
	planned int   // and in front of this, what they need was asked for
	stalled bool  // the planner waits for somebody to read
	over    bool  // it does no more
	fault   error // what the planner panicked with, for who begins next

	waste map[*schema.Node]int64 // bytes that nobody read; of metadata: nil
}

// part is a range that was asked for.
type part struct {
	fetch.Range
	owner
	keep  bool          // even when what is behind it is read: it has the dictionary
	ready chan struct{} // closed when the call is back
	b     []byte        // then; nil if it failed
	own   bool          // b is of the pool
	left  int64         // bytes that nobody read
	users int           // that copy of it

	removed bool // nobody may read it any more
}

// owner is where a part belongs: the leaf of a row group, or its metadata.
type owner struct {
	group int
	leaf  *schema.Node
}

const (
	aheadCalls  = 4 // at once
	aheadGroups = 4 // in front of the one that was begun last
)

// newReadAhead returns what reads ahead for scans with options o; nil if that
// is not worth it.
func (f *File) newReadAhead(o *Options) *readAhead {
	most := o.ReadAhead
	if most == 0 {
		most = fetch.ReadAhead(f.Source())
	}
	if most <= 0 {
		return nil
	}
	a := &readAhead{
		file: f, opts: *o, most: o.budget(ofAhead, most),
		ends: map[owner]int64{}, gone: map[int]bool{}, waste: map[*schema.Node]int64{},
	}
	a.change.L = &a.mu
	return a
}

// use has bytes read ahead until the function that it returns is called as
// often as use.
func (a *readAhead) use(s *scan) (leave func()) {
	if a == nil {
		return func() {}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users++; a.users == 1 {
		ctx, cancel := context.WithCancel(s.ctx)
		a.stop, a.over, a.stalled, a.fault = cancel, false, false, nil
		a.begun = int(s.share.next.Load())
		a.planned = a.begun
		a.pool = &s.pool.windows
		clear(a.ends)
		clear(a.gone)
		a.runs.Go(func() { a.planAll(ctx, s.pool) })
		a.runs.Go(func() {
			<-ctx.Done()
			a.finish()
		})
	}
	return func() { a.leave(s) }
}

func (a *readAhead) leave(s *scan) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users > 1 {
		a.users--
		return
	}
	a.stop()
	a.mu.Unlock()
	a.runs.Wait()
	a.mu.Lock()
	a.users--
	a.remove(a.parts, func(*part) bool { return true })
	if total := s.opts.Stats; total != nil {
		var waste Stats
		for leaf, n := range a.waste {
			if leaf == nil {
				waste.Metadata += n
			} else {
				waste.Columns = append(waste.Columns, ColumnStats{Leaf: leaf, Fetched: n})
			}
		}
		total.add(&waste)
	}
	clear(a.waste)
}

// finish says that nothing more is asked for.
func (a *readAhead) finish() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	a.change.Broadcast()
}

// begin is called before a scan starts with a row group. It returns when what
// that needs was asked for, or when there is no room for it.
func (a *readAhead) begin(group int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = max(a.begun, group+1)
	a.change.Broadcast()
	for a.users > 0 && !a.over && !a.stalled && a.planned <= group {
		a.change.Wait()
	}
	_ = passedOn(a.fault)
}

// end is called when a scan is done with a row group.
func (a *readAhead) end(group int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		return
	}
	a.gone[group] = true
	a.remove(a.parts, func(p *part) bool { return p.group == group })
	maps.DeleteFunc(a.ends, func(p owner, _ int64) bool { return p.group == group })
}

// running reports whether scans are to tell what they need.
func (a *readAhead) running() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.users > 0 && !a.over
}

// want is a range that a scan is going to read.
type want struct {
	fetch.Range
	owner
	keep bool
}

// ask has ranges read, in one call, but what was read or asked for already. If
// wait is set, it returns once there is room for them, and else asks for them
// only if there is.
func (a *readAhead) ask(ctx context.Context, wants []want, wait bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	length := int64(0)
	for _, w := range wants {
		length += w.Len
	}
	full := func() bool { return a.held > 0 && a.held+length > a.most || wait && a.calls >= aheadCalls }
	for wait && full() && !a.over && ctx.Err() == nil {
		// Calls come back by themselves; room only comes of those who read.
		a.stalled = a.held > 0 && a.held+length > a.most
		a.change.Broadcast()
		a.change.Wait()
	}
	if wait { // else it is the planner who says whether it waits
		a.stalled = false
	}
	if a.users == 0 || a.over || ctx.Err() != nil || full() {
		return
	}
	parts, ranges := a.open(wants)
	if len(parts) == 0 {
		return
	}
	a.calls++
	a.runs.Go(func() { a.call(ctx, parts, ranges) })
}

// open makes parts of what is to be read of ranges, and is not yet.
func (a *readAhead) open(wants []want) (parts []*part, ranges []fetch.Range) {
	a.closeUp(0)
	ready := make(chan struct{})
	for _, w := range wants {
		at := w.Off
		if w.leaf != nil {
			at = max(at, a.ends[w.owner])
		}
		for at < w.End() && !a.gone[w.group] {
			i, end := a.search(at), w.End()
			if i < len(a.parts) {
				if next := a.parts[i]; next.Off <= at {
					at = next.End()
					continue
				} else {
					end = min(end, next.Off)
				}
			}
			r := fetch.Range{Off: at, Len: end - at}
			at = end
			a.held += r.Len
			if k := len(parts) - 1; k >= 0 && ranges[k].End() == r.Off && parts[k].owner == w.owner && !parts[k].keep {
				ranges[k].Len += r.Len
				parts[k].Range = ranges[k]
				parts[k].left += r.Len
				continue
			}
			p := &part{Range: r, owner: w.owner, keep: w.keep, ready: ready, left: r.Len}
			a.parts = slices.Insert(a.parts, i, p)
			parts, ranges = append(parts, p), append(ranges, r)
		}
	}
	return parts, ranges
}

// call reads what ask asks for.
func (a *readAhead) call(ctx context.Context, parts []*part, ranges []fetch.Range) {
	var own, got [][]byte
	err := caught(func() (err error) { // who reads the same, instead, can tell the host
		got, err = a.read(ctx, parts[0].leaf, ranges, func(n int) []byte {
			b := a.pool.take(n)
			own = append(own, b)
			return b
		})
		return err
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, p := range parts {
		if err != nil {
			break
		}
		if len(own) == len(got) && len(got[i]) > 0 && len(got[i]) == len(own[i]) && &got[i][0] == &own[i][0] {
			p.own = true
		}
		p.b = got[i]
		a.release(p)
	}
	close(parts[0].ready)
	a.calls--
	a.change.Broadcast()
}

// read reads pages of a leaf, or else parts of metadata, of which those that are near
// each other are read as one.
func (a *readAhead) read(ctx context.Context, leaf *schema.Node, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if leaf != nil {
		return a.file.src.ReadRanges(ctx, ranges, alloc)
	}
	between := int64(0)
	for _, r := range ranges {
		between -= r.Len
	}
	got, err := fetch.Coalesce(&tally{a.file.src, &between}, indexGap, indexRead).ReadRanges(ctx, ranges, alloc)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waste[nil] += between
	return got, err
}

// release gives back the memory of a part that was removed, once nobody copies of it.
func (a *readAhead) release(p *part) {
	if !p.removed || p.users > 0 {
		return
	}
	if p.own {
		a.pool.give(p.b)
	}
	p.b, p.own = nil, false
}

// search returns the first of the parts that reaches beyond off.
func (a *readAhead) search(off int64) int {
	i, _ := slices.BinarySearchFunc(a.parts, off, func(p *part, off int64) int { return cmp.Compare(p.End(), off+1) })
	return i
}

// remove lets go of those parts that match: all of them, or those that a caller knows
// of, for there may be ten thousands of columns.
func (a *readAhead) remove(parts []*part, match func(*part) bool) {
	for _, p := range parts {
		if p.removed || !match(p) {
			continue
		}
		p.removed = true
		a.dead++
		a.waste[p.leaf] += p.left
		a.held -= p.Len
		a.release(p)
	}
	a.closeUp(len(a.parts) / 2)
	a.change.Broadcast()
}

// closeUp forgets the parts that were removed, if there are more than so many.
func (a *readAhead) closeUp(most int) {
	if a.dead > most {
		a.parts = slices.DeleteFunc(a.parts, func(p *part) bool { return p.removed })
		a.dead = 0
	}
}
