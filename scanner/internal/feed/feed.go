package feed

import (
	"context"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/thrift"
)

// Feed supplies a cursor with the bytes of one column chunk, and reads ahead while the
// cursor reads them in sequence. It keeps the bytes that the cursor may still use:
//
//	chunk   ......[ window ][ window      ]........
//	             ^ done        ^ requested ^ read ahead
//
// Bytes that two windows share are copied, not read twice. The zero Feed is ready
// for Open. A Feed is for one goroutine at a time.
type Feed struct {
	Options
	pageEnds []int64 // where pages end, as far as an offset index tells: reads end there too
	windows  []window
	next     []byte // memory of the window that is read

	prefetched       *prefetchedSource // Source, if it prefetches
	views            bool              // the source returns views of its own memory: nothing is copied
	lastEnd          int64             // end of the last read
	readsSinceReadAt int               // reads since ReadAt
	waryAhead        int64             // Wary: how much to read ahead, doubled by each sequential read
	lastLength       int64             // length of the last requested page
	bytesRead        int64             // of all chunks
}

// Options choose the chunk that a Feed reads, and how far it reads ahead.
type Options struct {
	Ctx    context.Context
	Source fetch.Source
	Chunk  fetch.Range   // in the file
	Ahead  int64         // bytes of a read
	Wanted []fetch.Range // within the chunk: reading ahead stops at their ends; nil: everywhere
	Pool   *column.Bodies
	Mapped *fetch.Views   // a mapping of the file, from which bytes come without a copy; nil: none
	Budget *budget.Holder // counts the bytes of windows; without room in it, the feed reads ahead no more than headers
	Most   int64          // a read of more bytes is an error of kind corrupt.Memory; 0: there is no bound

	// Wary: the feed reads ahead only while pages are read in sequence: 64 KiB, then
	// twice as much each time.
	Wary bool
	// HeadersOnly: the feed reads ahead no more than headers, as long as ReadAt reads the
	// values.
	HeadersOnly bool
}

type window struct {
	from   int64
	data   []byte
	pooled bool
	taken  int64 // bytes of Budget
}

// HeaderBytes is the size of a read for a page header whose page may be skipped, or is so
// large that a read of its own is better.
const HeaderBytes = 4 << 10

// readsOfLarge is the number of reads for a page besides ReadAt for its values: one of
// its header, one of its levels.
const readsOfLarge = 2

// Open starts at the first byte of a chunk, and closes the chunk before.
func (f *Feed) Open(o Options) {
	f.Done(f.Chunk.Len)
	*f = Feed{Options: o, pageEnds: f.pageEnds[:0], windows: f.windows, views: o.Mapped != nil, bytesRead: f.bytesRead}
	f.prefetched, _ = o.Source.(*prefetchedSource)
}

// Locate makes reads end where the chunk's pages do.
func (f *Feed) Locate(index []thrift.PageLocation) {
	for _, p := range index {
		f.pageEnds = append(f.pageEnds, p.Offset-f.Chunk.Off+int64(p.CompressedSize))
	}
}

// Close returns the memory of all windows to the Pool.
func (f *Feed) Close() {
	f.Done(f.Chunk.Len)
	*f = Feed{bytesRead: f.bytesRead, pageEnds: f.pageEnds[:0], windows: f.windows}
}

// Reset prepares a closed Feed for another scan: BytesRead starts at 0.
func (f *Feed) Reset() { *f = Feed{pageEnds: f.pageEnds[:0], windows: f.windows[:0]} }

// BytesRead returns how many bytes the feed has read, of all chunks.
func (f *Feed) BytesRead() int64 { return f.bytesRead }

// Read returns the bytes [from, to) of the chunk, with encoding.Padding of spare
// capacity. They are valid until Done is called for an offset at or after their end.
func (f *Feed) Read(from, to int64) ([]byte, error) {
	if err := fetch.Ended(f.Ctx); err != nil {
		return nil, err
	}
	for i := len(f.windows) - 1; i >= 0; i-- {
		w := &f.windows[i]
		if at, end := from-w.from, to-w.from; at >= 0 && end <= int64(len(w.data)) {
			return w.data[at:end], nil
		}
	}
	end, taken, err := f.takeRoom(from, to)
	if err != nil {
		return nil, err
	}
	var overlap []byte // the part of the new window that the last window has
	if n := len(f.windows); n > 0 && !f.views {
		previous := &f.windows[n-1]
		if at := from - previous.from; at >= 0 && at < int64(len(previous.data)) {
			overlap = previous.data[at:]
		}
	}
	at := from + int64(len(overlap))
	f.next = nil
	var b []byte
	if r := (fetch.Range{Off: f.Chunk.Off + at, Len: end - at}); f.Mapped != nil {
		b, err = f.Mapped.View(r)
	} else {
		b, err = fetch.ReadRange(f.Ctx, f.Source, r, func(n int) []byte {
			f.next = f.Pool.Take(len(overlap) + n)
			return f.next[copy(f.next, overlap):]
		})
	}
	if err != nil {
		f.Budget.Give(taken)
		return nil, err
	}
	w := window{from: from, data: f.next, pooled: f.next != nil, taken: taken}
	if !w.pooled || len(b) > 0 && &b[0] != &w.data[len(overlap)] {
		f.views = true
		w = window{from: from, data: b, taken: taken}
		if len(overlap) > 0 || cap(b)-len(b) < encoding.Padding { // at the file's end
			w = window{from: from, data: f.Pool.Take(len(overlap) + len(b)), pooled: true, taken: taken}
			copy(w.data[copy(w.data, overlap):], b)
		}
	}
	f.bytesRead += end - at
	f.lastEnd = end
	f.windows = append(f.windows, w)
	return w.data[:to-from], nil
}

// takeRoom returns the end of the read for [from, to), and how many bytes of the budget it
// has taken.
func (f *Feed) takeRoom(from, to int64) (end, taken int64, err error) {
	if f.Mapped != nil {
		return f.readTo(from, to), 0, nil
	}
	if n := to - from; f.Most > 0 && n > f.Most {
		return 0, 0, corrupt.ExceedsMemory("a read of ", n, " bytes; the memory budget has ", f.Most)
	}
	if end = f.readTo(from, to); !f.Budget.TryTake(end - from) {
		end = max(to, min(end, from+HeaderBytes))
		f.Budget.Take(end - from)
	}
	return end, end - from, nil
}

// ReadAt fills dst with the chunk's bytes from offset from on. The Feed does not keep them.
func (f *Feed) ReadAt(dst []byte, from int64) error {
	if err := fetch.Ended(f.Ctx); err != nil {
		return err
	}
	f.readsSinceReadAt = 0
	if n := len(f.windows); n > 0 {
		last := &f.windows[n-1]
		if at := from - last.from; at >= 0 && at < int64(len(last.data)) {
			n := copy(dst, last.data[at:])
			dst, from = dst[n:], from+int64(n)
		}
	}
	if len(dst) == 0 {
		return nil
	}
	b, err := fetch.ReadRange(f.Ctx, f.Source, fetch.Range{Off: f.Chunk.Off + from, Len: int64(len(dst))}, func(int) []byte { return dst })
	if err == nil {
		f.bytesRead += int64(copy(dst, b)) // onto itself, unless the source has its own memory
	}
	return err
}

// readTo returns the end of the read for [from, to).
func (f *Feed) readTo(from, to int64) int64 {
	limit, ahead := f.Chunk.Len, f.Ahead
	if f.prefetched != nil {
		most := max(to, min(from+ahead, limit))
		enough := most // pages must not end in bytes that come later
		if i, _ := slices.BinarySearch(f.pageEnds, to); i < len(f.pageEnds) {
			enough = f.pageEnds[i]
		}
		if end := f.prefetched.reach(f.Chunk.Off+from, f.Chunk.Off+enough, f.Chunk.Off+most) - f.Chunk.Off; end >= to {
			return min(end, most) // no farther than prefetched
		}
	}
	if f.Wanted != nil {
		i := sort.Search(len(f.Wanted), func(i int) bool { return f.Wanted[i].End() > from })
		if limit = to; i < len(f.Wanted) && f.Wanted[i].Off <= from {
			limit = f.Wanted[i].End()
		}
		if f.Wary {
			if f.waryAhead *= 2; from != f.lastEnd || from == 0 {
				f.waryAhead = 0
			} else if f.waryAhead == 0 {
				f.waryAhead = 64 << 10
			}
			ahead = min(ahead, f.waryAhead)
		}
	} else if (from > f.lastEnd || f.HeadersOnly && f.readsSinceReadAt < readsOfLarge) && f.prefetched == nil {
		ahead = HeaderBytes
	}
	f.readsSinceReadAt++
	switch n := to - from; {
	case n > HeaderBytes:
		f.lastLength = n
	case f.lastLength > ahead/2:
		ahead = HeaderBytes
	}
	end := min(from+ahead, limit)
	if end < limit {
		// A part of a page would be copied when the rest of it comes.
		if i, _ := slices.BinarySearch(f.pageEnds, end+1); i > 0 {
			end = f.pageEnds[i-1]
		}
	}
	return max(to, end)
}

// Done releases the windows that end at or before byte before.
func (f *Feed) Done(before int64) {
	if f.prefetched != nil {
		f.prefetched.passed(f.Chunk.Off + before)
	}
	done := 0
	for done < len(f.windows) && f.windows[done].from+int64(len(f.windows[done].data)) <= before {
		if w := &f.windows[done]; w.pooled && f.Ctx.Err() == nil { // else an abandoned read may still write to it
			f.Pool.Put(w.data)
		}
		f.Budget.Give(f.windows[done].taken)
		done++
	}
	f.windows = slices.Delete(f.windows, 0, done)
}

// PageRanges returns the ranges, within a chunk that starts at byte start, of the pages
// with wanted rows, and of the bytes before the first page, which may be a dictionary. It
// returns nil without an index.
func PageRanges(index []thrift.PageLocation, start, numRows int64, rows vector.Ranges) []fetch.Range {
	if index == nil {
		return nil
	}
	wanted := make([]fetch.Range, 1, 8) // starts with an empty one
	if len(index) > 0 {
		wanted[0].Len = index[0].Offset - start
	}
	for row := int64(0); row < numRows; {
		rows = rows[sort.Search(len(rows), func(i int) bool { return rows[i].To > row }):]
		if len(rows) == 0 || rows[0].From >= numRows {
			break
		}
		i := pageindex.PageOf(index, max(row, rows[0].From))
		p := index[i]
		_, row = pageindex.PageRows(index, i, numRows)
		r := fetch.Range{Off: p.Offset - start, Len: int64(p.CompressedSize)}
		if last := &wanted[len(wanted)-1]; last.End() == r.Off && len(wanted) > 1 {
			last.Len += r.Len
		} else {
			wanted = append(wanted, r)
		}
	}
	return wanted
}
