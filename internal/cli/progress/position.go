package progress

import (
	"math"
	"time"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// position is how far scans have come in a file. Several threads are where the first of them is.
type position struct {
	name   string
	file   *scanner.File
	starts []int64 // rows before each row group, and of all
	rows   int64   // before the furthest page

	// Of the columns that scans read:
	passed, read int64        // bytes that are done with, and those of pages that were read
	total        int64        // bytes of all row groups
	leaves       map[int]bool // the columns

	chunks map[chunkOf]int64 // bytes that were read of chunks that are not done with
}

// chunkOf names a column chunk.
type chunkOf struct{ rowGroup, leaf int }

// newPosition returns the start of a file.
func newPosition(f *scanner.File) position {
	p := position{name: f.Name(), file: f, starts: []int64{0}, chunks: map[chunkOf]int64{}, leaves: map[int]bool{}}
	for i := range f.Footer().RowGroups {
		p.starts = append(p.starts, addRows(p.all(), max(f.Footer().RowGroups[i].NumRows, 0)))
	}
	return p
}

// all returns the number of the file's rows.
func (p *position) all() int64 {
	if len(p.starts) == 0 {
		return 0
	}
	return p.starts[len(p.starts)-1]
}

// part returns the part of the work that is done, or of the bytes that scans have passed. Rows
// would not do: threads are at several places at the same time.
func (p *position) part() float64 {
	return float64(min(p.passed, p.total)) / float64(max(p.total, 1))
}

// has reports whether a row group is of the file: several may be open at the same time.
func (p *position) has(file string, rowGroup int) bool {
	return file == p.name && rowGroup < len(p.starts)-1
}

// begins is told that a thread begins a row group, or a part of one.
func (p *position) begins(e scanner.Event) {
	if !p.has(e.File, e.RowGroup) {
		return
	}
	p.rows = max(p.rows, p.starts[e.RowGroup]+e.FirstRow)
}

// page is told what became of a page. Unread pages count with all the others that nothing is
// told of, when their chunk is done with.
func (p *position) page(r scanner.PageReport) {
	if !p.has(r.File, r.RowGroup) {
		return
	}
	key := chunkOf{r.RowGroup, r.Leaf.FirstLeaf}
	c := p.chunk(key)
	if !p.leaves[key.leaf] {
		p.leaves[key.leaf] = true
		for g := range len(p.starts) - 1 {
			p.total += p.chunk(chunkOf{g, key.leaf}).Len
		}
	}
	if r.Page == scanner.OtherPages {
		p.passed += max(c.Len-p.chunks[key], 0)
		delete(p.chunks, key)
		return
	}
	if r.Fate != scanner.Unread {
		p.passed += r.Bytes
		p.read += r.Bytes
		p.chunks[key] += r.Bytes
	}
	if c.Len > 0 && r.Page >= 0 {
		from, to := p.starts[r.RowGroup], p.starts[r.RowGroup+1]
		part := float64(r.Offset+r.Bytes-c.Off) / float64(c.Len)
		p.rows = max(p.rows, from+int64(min(max(part, 0), 1)*float64(to-from)))
	}
}

// chunk returns where a column chunk is; nowhere if the footer is wrong about it.
func (p *position) chunk(key chunkOf) (r fetch.Range) {
	if c, err := p.file.Chunk(key.rowGroup, key.leaf); err == nil {
		r, _, _ = c.Range()
	}
	return r
}

// addRows adds numbers of rows that files claim.
func addRows(a, b int64) int64 { return a + min(b, math.MaxInt64-a) }

// Expect is told how many bytes of a file there are to look at, where no scan reports pages.
func (p *Progress) Expect(bytes int64) { p.locked(func() { p.position.total = bytes }) }

// Did is told of bytes that are done.
func (p *Progress) Did(bytes int64) {
	p.locked(func() {
		at := &p.position
		at.passed, at.read = at.passed+bytes, at.read+bytes
		at.rows = int64(at.part() * float64(at.all()))
	})
}

// smoothed is an estimate of the time left, which follows new estimates slowly: one that is
// wrong for a moment should not be seen.
type smoothed struct {
	seconds float64
	at      time.Time // zero: there is none yet
}

// smoothing is the number of seconds after which 63 % of a change is seen: 1-1/e.
const smoothing = 5

// next returns the estimate at a time, given the one from what was measured until then.
func (s *smoothed) next(now time.Time, measured float64) float64 {
	passed := now.Sub(s.at).Seconds()
	if s.at.IsZero() {
		s.seconds = measured
	} else {
		expected := max(s.seconds-passed, 0)
		s.seconds = expected + (measured-expected)*(1-math.Exp(-passed/smoothing))
	}
	s.at = now
	return s.seconds
}
