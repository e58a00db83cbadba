package feed

import (
	"context"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Feed brings the bytes of one column chunk to its cursor, and reads ahead while
// they are asked for one behind the other. It keeps those that may still be
// looked at:
//
//	chunk   ......[ window ][ window      ]........
//	             ^ done        ^ asked for ^ read ahead
//
// Bytes that two windows share are copied, not read twice. The zero Feed is ready
// for Open. A Feed serves one goroutine.
type Feed struct {
	Options
	pageEnds []int64 // where pages end, if that is known: reads end there too
	windows  []window

	prefetched       Prefetched // Source, where it reads ahead
	views            bool       // the source hands out its own memory: nothing is read, nothing copied
	lastEnd          int64      // of what was read last
	readsSinceReadAt int        // reads since ReadAt
	waryAhead        int64      // Wary: how much has proven good to read ahead
	lastLength       int64      // the length of the last page that was asked for
	bytesRead        int64      // bytes that were read
}

// Options say what a Feed reads, and how far ahead.
type Options struct {
	Ctx    context.Context
	Source fetch.Source
	Chunk  fetch.Range   // of the file
	Ahead  int64         // how much is read at a time
	Wanted []fetch.Range // within the chunk: reading ahead stops at their ends; nil: everywhere
	Pool   *Pool
	Mapped *fetch.Views // where bytes are looked at, not read; nil: nowhere

	// Wary feeds read ahead only while pages are asked for one behind the other:
	// 64 KiB, then twice as much each time.
	Wary bool
	// HeadersOnly feeds read ahead no more than headers, as long as ReadAt reads the values.
	HeadersOnly bool
}

// Prefetched is a source that may have asked for bytes before they are read.
type Prefetched interface {
	fetch.Source
	// Reach returns the end of what was asked for from off on, 0 if off was
	// not. An end behind most may be told as any such.
	Reach(off, most int64) int64
	// Passed says that nothing in front of an offset will be read any more.
	Passed(before int64)
}

type window struct {
	from   int64
	data   []byte
	pooled bool
}

// HeaderBytes is how much is read where a header is looked for, and its page may
// not be wanted or is so large that it is better read as a whole.
const HeaderBytes = 4 << 10

// readsOfLarge is how many reads there are for a page whose values ReadAt reads: of
// its header, and of its levels.
const readsOfLarge = 2

// Open starts at the front of a chunk.
func (f *Feed) Open(o Options) {
	f.Done(f.Chunk.Len)
	*f = Feed{Options: o, pageEnds: f.pageEnds[:0], windows: f.windows, views: o.Mapped != nil, bytesRead: f.bytesRead}
	f.prefetched, _ = o.Source.(Prefetched)
}

// Locate tells the feed where the chunk's pages are.
func (f *Feed) Locate(index []thrift.PageLocation) {
	for _, p := range index {
		f.pageEnds = append(f.pageEnds, p.Offset-f.Chunk.Off+int64(p.CompressedSize))
	}
}

// Close lets go of all memory but the Feed's own.
func (f *Feed) Close() {
	f.Done(f.Chunk.Len)
	*f = Feed{bytesRead: f.bytesRead, pageEnds: f.pageEnds[:0], windows: f.windows}
}

// Reset is Close for a Feed that another scan will use: it has read nothing then.
func (f *Feed) Reset() { *f = Feed{pageEnds: f.pageEnds[:0], windows: f.windows[:0]} }

// BytesRead returns how many bytes the feed has read, of all chunks.
func (f *Feed) BytesRead() int64 { return f.bytesRead }

// Read returns the bytes [from, to) of the chunk, with spare capacity behind them.
// They are valid until Done is called for an offset behind them.
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
	end := f.readTo(from, to)
	w := window{from: from}
	var overlap []byte // of the new window, which is at hand
	if n := len(f.windows); n > 0 && !f.views {
		previous := &f.windows[n-1]
		if at := from - previous.from; at >= 0 && at < int64(len(previous.data)) {
			overlap = previous.data[at:]
		}
	}
	at := from + int64(len(overlap))
	alloc := func(n int) []byte {
		w.pooled = true
		w.data = f.Pool.Take(len(overlap) + n)
		copy(w.data, overlap)
		return w.data[len(overlap):]
	}
	b, err := f.bytes(fetch.Range{Off: f.Chunk.Off + at, Len: end - at}, alloc)
	if err != nil {
		return nil, err
	}
	if !w.pooled || len(b) > 0 && &b[0] != &w.data[len(overlap)] {
		f.views = true
		w = window{from: from, data: b}
		if len(overlap) > 0 || cap(b)-len(b) < encoding.Padding { // at the file's end
			w = window{from: from, data: f.Pool.Take(len(overlap) + len(b)), pooled: true}
			copy(w.data[copy(w.data, overlap):], b)
		}
	}
	f.bytesRead += end - at
	f.lastEnd = end
	f.windows = append(f.windows, w)
	return w.data[:to-from], nil
}

// bytes returns a range of the file.
func (f *Feed) bytes(r fetch.Range, alloc fetch.Alloc) ([]byte, error) {
	if f.Mapped != nil {
		return f.Mapped.View(r)
	}
	return fetch.ReadRange(f.Ctx, f.Source, r, alloc)
}

// ReadAt fills dst with the chunk's bytes from one on. They are not kept.
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

// Covers reports whether byte off of the file is the chunk's.
func (f *Feed) Covers(off int64) bool { return f.Chunk.Off <= off && off < f.Chunk.End() }

// readTo returns up to where to read if [from, to) is asked for.
func (f *Feed) readTo(from, to int64) int64 {
	limit, ahead := f.Chunk.Len, f.Ahead
	if f.prefetched != nil {
		most := max(to, min(from+ahead, limit))
		if end := f.prefetched.Reach(f.Chunk.Off+from, f.Chunk.Off+most) - f.Chunk.Off; end >= to {
			return min(end, most) // no farther than it is there
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

// Done lets go of what lies in front of byte before.
func (f *Feed) Done(before int64) {
	if f.prefetched != nil {
		f.prefetched.Passed(f.Chunk.Off + before)
	}
	done := 0
	for done < len(f.windows) && f.windows[done].from+int64(len(f.windows[done].data)) <= before {
		if w := &f.windows[done]; w.pooled && f.Ctx.Err() == nil { // else it may be read from yet
			f.Pool.Give(w.data)
		}
		done++
	}
	if done > 0 {
		n := copy(f.windows, f.windows[done:])
		clear(f.windows[n:])
		f.windows = f.windows[:n]
	}
}

// PageRanges returns where in a chunk that starts at byte start the pages of rows lie,
// and what is in front of the first page, which may be a dictionary; nil if no index tells.
func PageRanges(index []thrift.PageLocation, start, numRows int64, rows vector.Ranges) []fetch.Range {
	if index == nil {
		return nil
	}
	wanted := []fetch.Range{{Off: 0}}
	if len(index) > 0 {
		wanted[0].Len = index[0].Offset - start
	}
	for i, p := range index {
		end := numRows
		if i+1 < len(index) {
			end = index[i+1].FirstRow
		}
		if !rows.Meets(p.FirstRow, end) {
			continue
		}
		r := fetch.Range{Off: p.Offset - start, Len: int64(p.CompressedSize)}
		if last := &wanted[len(wanted)-1]; last.End() == r.Off && len(wanted) > 1 {
			last.Len += r.Len
		} else {
			wanted = append(wanted, r)
		}
	}
	return wanted
}
