package scanner

import (
	"context"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// feed brings the bytes of one column chunk, some more than asked for at a
// time as long as they are asked for one behind the other. It keeps those that
// may still be looked at:
//
//	chunk   ......[ window ][ window      ]........
//	             ^ done        ^ asked for ^ ahead
//
// What two windows share is copied, not read twice.
type feed struct {
	ctx    context.Context
	src    fetch.Source
	start  int64         // of the chunk in the file
	length int64         // of the chunk
	ahead  int64         // how much is read at a time
	ends   []int64       // where pages end, if that is known: reads end there too
	bare   bool          // nothing is read ahead but headers, as long as values are read by readAt
	misses int           // reads since readAt
	wary   bool          // what is behind the page that is asked for may not be
	streak int64         // wary: how much has proven good to read ahead
	wanted []fetch.Range // where it is worth to read on, within the chunk; nil: everywhere

	windows []window
	far     *placed // src, where it reads ahead
	pool    *pool
	mapped  *fetch.Views // where bytes are looked at, not read; nil: nowhere
	views   bool         // the source hands out its own memory: nothing is read, nothing copied
	end     int64        // of what was read last
	large   int64        // the length of the last page that was asked for
	read    int64        // bytes
}

type window struct {
	from int64
	b    []byte
	own  bool
}

// ofHeader is how much is read where a header is looked for, and its page may
// not be wanted or is so large that it is better read as a whole.
const ofHeader = 4 << 10

// ofLarge is how many reads there are for a page whose values readAt reads: of
// its header, and of its levels.
const ofLarge = 2

// open starts at the front of a chunk. A wary feed reads ahead only while pages
// are asked for one behind the other: 64 KiB, then twice as much each time.
// With mapped views bytes come from there.
func (f *feed) open(ctx context.Context, src fetch.Source, mapped *fetch.Views, chunk fetch.Range, ahead int64, wanted []fetch.Range, wary bool, p *pool) {
	f.Done(f.length)
	f.bare, f.wary, f.streak = false, wary, 0
	f.ctx, f.src, f.start, f.length = ctx, src, chunk.Off, chunk.Len
	f.ahead, f.wanted, f.end, f.large, f.misses = ahead, wanted, 0, 0, 0
	f.pool = p
	f.mapped, f.views = mapped, mapped != nil
	f.ends = f.ends[:0]
}

// readFrom has bytes read from a source that may have asked for them already.
func (f *feed) readFrom(src fetch.Source) {
	f.src = src
	f.far, _ = src.(*placed)
}

// pages tells the feed where pages are.
func (f *feed) pages(index []thrift.PageLocation) {
	for _, p := range index {
		f.ends = append(f.ends, p.Offset-f.start+int64(p.CompressedSize))
	}
}

// close lets go of all memory.
func (f *feed) close() {
	f.Done(f.length)
	*f = feed{read: f.read, ends: f.ends[:0], windows: f.windows}
}

// Read returns the bytes [from, to) of the chunk, with spare capacity behind them.
func (f *feed) Read(from, to int64) ([]byte, error) {
	if err := fetch.Ended(f.ctx); err != nil {
		return nil, err
	}
	for i := len(f.windows) - 1; i >= 0; i-- {
		w := &f.windows[i]
		if at, end := from-w.from, to-w.from; at >= 0 && end <= int64(len(w.b)) {
			return w.b[at:end], nil
		}
	}
	end := f.readTo(from, to)
	w := window{from: from}
	var front []byte // of the new window, which is at hand
	if n := len(f.windows); n > 0 && !f.views {
		last := &f.windows[n-1]
		if at := from - last.from; at >= 0 && at < int64(len(last.b)) {
			front = last.b[at:]
		}
	}
	at := from + int64(len(front))
	alloc := func(n int) []byte {
		w.own = true
		w.b = f.pool.take(len(front) + n)
		copy(w.b, front)
		return w.b[len(front):]
	}
	b, err := f.bytes(fetch.Range{Off: f.start + at, Len: end - at}, alloc)
	if err != nil {
		return nil, err
	}
	if !w.own || len(b) > 0 && &b[0] != &w.b[len(front)] {
		f.views = true
		w = window{from: from, b: b}
		if len(front) > 0 || cap(b)-len(b) < encoding.Padding { // at the file's end
			w = window{from: from, b: f.pool.take(len(front) + len(b)), own: true}
			copy(w.b[copy(w.b, front):], b)
		}
	}
	f.read += end - at
	f.end = end
	f.windows = append(f.windows, w)
	return w.b[:to-from], nil
}

// bytes returns a range of the file.
func (f *feed) bytes(r fetch.Range, alloc fetch.Alloc) ([]byte, error) {
	if f.mapped != nil {
		return f.mapped.View(r)
	}
	return fetch.ReadRange(f.ctx, f.src, r, alloc)
}

// readAt fills dst with the chunk's bytes from one on. They are not kept.
func (f *feed) readAt(dst []byte, from int64) error {
	if err := fetch.Ended(f.ctx); err != nil {
		return err
	}
	f.misses = 0
	if n := len(f.windows); n > 0 {
		last := &f.windows[n-1]
		if at := from - last.from; at >= 0 && at < int64(len(last.b)) {
			n := copy(dst, last.b[at:])
			dst, from = dst[n:], from+int64(n)
		}
	}
	if len(dst) == 0 {
		return nil
	}
	b, err := fetch.ReadRange(f.ctx, f.src, fetch.Range{Off: f.start + from, Len: int64(len(dst))}, func(int) []byte { return dst })
	if err == nil {
		f.read += int64(copy(dst, b)) // onto itself, unless the source has its own memory
	}
	return err
}

// covers reports whether byte off of the file is the chunk's.
func (f *feed) covers(off int64) bool { return f.start <= off && off < f.start+f.length }

// readTo returns up to where to read if [from, to) is asked for.
func (f *feed) readTo(from, to int64) int64 {
	limit, ahead := f.length, f.ahead
	if f.far != nil {
		most := max(to, min(from+ahead, limit))
		if end := f.far.reach(f.start+from, f.start+most) - f.start; end >= to {
			return min(end, most) // no farther than it is there
		}
	}
	if f.wanted != nil {
		i := sort.Search(len(f.wanted), func(i int) bool { return f.wanted[i].End() > from })
		if limit = to; i < len(f.wanted) && f.wanted[i].Off <= from {
			limit = f.wanted[i].End()
		}
		if f.wary {
			if f.streak *= 2; from != f.end || from == 0 {
				f.streak = 0
			} else if f.streak == 0 {
				f.streak = 64 << 10
			}
			ahead = min(ahead, f.streak)
		}
	} else if (from > f.end || f.bare && f.misses < ofLarge) && f.far == nil {
		ahead = ofHeader
	}
	f.misses++
	switch n := to - from; {
	case n > ofHeader:
		f.large = n
	case f.large > ahead/2:
		ahead = ofHeader
	}
	end := min(from+ahead, limit)
	if end < limit {
		// A part of a page would be copied when the rest of it comes.
		if i, _ := slices.BinarySearch(f.ends, end+1); i > 0 {
			end = f.ends[i-1]
		}
	}
	return max(to, end)
}

// Done lets go of what lies in front of byte before.
func (f *feed) Done(before int64) {
	if f.far != nil {
		f.far.passed(f.start + before)
	}
	done := 0
	for done < len(f.windows) && f.windows[done].from+int64(len(f.windows[done].b)) <= before {
		if w := &f.windows[done]; w.own && f.ctx.Err() == nil { // else it may be read from yet
			f.pool.give(w.b)
		}
		done++
	}
	if done > 0 {
		n := copy(f.windows, f.windows[done:])
		clear(f.windows[n:])
		f.windows = f.windows[:n]
	}
}
