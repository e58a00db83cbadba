package scanner

import (
	"slices"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// jointBytes bounds a joint read. Row groups of 500, 1,000 and 2,000 rows of four INT64 took
// 0.91, 0.90 and 0.95 times as long with it, those of 8,000 rows as long; so with 256 KiB.
const jointBytes = 64 << 10

// jointRead is one read of small chunks that follow each other in the file:
//
//	row group   | chunk | chunk |        chunk        | chunk | chunk | chunk |
//	reads       [     joint     ]                     [         joint         ]
//
// Their feeds start with the bytes, whose memory is the unit's.
type jointRead struct {
	leaves []*leaf     // whose chunks it reads
	place  fetch.Range // of their chunks
	lent   [][]byte    // memory of joint reads, until the unit ends
	taken  int64       // bytes of the budget, for lent
}

// readJointly reads the small chunks of returned leaves that are not open yet, those that follow
// each other at once. A read that fails is left to the feed of each chunk, which knows the place.
func (r *unitRun) readJointly() {
	s, j := r.scan, &r.joint
	if s.queue.prefetcher != nil || r.unit.split != nil || r.needsOffsets() {
		return
	}
	for i := range s.columns {
		for _, l := range s.columns[i].leaves {
			if l.open || s.usesMapping(l.chunk) || l.read != nil || slices.Contains(j.leaves, l) { // columns may share a leaf
				continue
			}
			place, slack, err := l.chunk.Range()
			if err != nil || slack > 0 || place.Len > jointBytes {
				continue
			}
			if place.Off != j.place.End() || j.place.Len+place.Len > jointBytes {
				r.readRun()
				j.place = fetch.Range{Off: place.Off}
			}
			j.leaves, j.place.Len = append(j.leaves, l), j.place.Len+place.Len
		}
	}
	r.readRun()
}

// readRun reads the chunks that r.joint has gathered.
func (r *unitRun) readRun() {
	s, j := r.scan, &r.joint
	defer func() { j.leaves, j.place = j.leaves[:0], fetch.Range{} }()
	if len(j.leaves) < 2 || !s.readBudget.TryTake(j.place.Len) {
		return
	}
	j.taken += j.place.Len
	b, err := fetch.ReadRange(s.ctx, s.source(nil), j.place, func(n int) []byte {
		j.lent = append(j.lent, s.pool.windows.Take(n))
		return j.lent[len(j.lent)-1]
	})
	if err != nil || int64(len(b)) != j.place.Len || cap(b)-len(b) < encoding.Padding {
		return
	}
	for _, l := range j.leaves {
		n := l.chunk.Meta.CompressedSize
		l.read, b = b[:n], b[n:]
	}
}

// endJointReads gives the memory back, once no leaf is open.
func (r *unitRun) endJointReads() {
	s, j := r.scan, &r.joint
	for _, b := range j.lent {
		if s.ctx.Err() == nil { // else an abandoned read may still write to it
			s.pool.windows.Give(b)
		}
	}
	s.readBudget.Give(j.taken)
	j.lent, j.taken = j.lent[:0], 0
}
