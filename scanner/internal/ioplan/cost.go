package ioplan

import (
	"cmp"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Cost is what a request takes: the time until its first byte comes, and the bytes a second
// that come then. Zero is unknown.
type Cost struct {
	Latency   time.Duration
	Bandwidth int64
}

// The cost of a request to a source that states none, before any is measured: about that
// of a store of objects in the same region.
const (
	unknownLatency   = 20 * time.Millisecond
	unknownBandwidth = 100e6
)

// Known returns c with assumptions in place of what is unknown.
func (c Cost) Known() Cost {
	return Cost{cmp.Or(c.Latency, unknownLatency), cmp.Or(c.Bandwidth, unknownBandwidth)}
}

// Bytes returns how many bytes come in the time of a latency: what a request costs.
func (c Cost) Bytes() int64 {
	return max(int64(c.Latency.Seconds()*float64(c.Bandwidth)), 1)
}

const (
	// maxJoined bounds what several ranges are joined to: stores of objects advise
	// requests of 8 to 16 MiB.
	maxJoined = 8 << 20

	// cheapShare is the share of a request's cost that gaps may cost in all: so few bytes
	// are read for fewer requests, whatever share of the bytes wanted they are.
	cheapShare = 32
)

// Gaps returns the gaps between ranges, which are sorted and apart, that are worth reading: a
// gap that costs less than a request. The smallest gaps come first, until a quarter of the
// bytes wanted is wasted:
//
//	wanted      [  a  ].[ b ]...[ c ]....[  d  ]
//	read        [  a    b       c ]      [  d  ]
func (c Cost) Gaps(ranges []fetch.Range) []fetch.Range {
	wanted, gaps := int64(0), GapsBelow(c.Bytes())(ranges)
	for _, r := range ranges {
		wanted += r.Len
	}
	slices.SortStableFunc(gaps, func(a, b fetch.Range) int { return cmp.Compare(a.Len, b.Len) })
	room, n := max(wanted/4, c.Bytes()/cheapShare), 0
	for n < len(gaps) && gaps[n].Len <= room {
		room -= gaps[n].Len
		n++
	}
	return gaps[:n]
}

// GapsBelow returns what returns the gaps of fewer bytes between ranges, which are sorted and apart.
func GapsBelow(bytes int64) func(ranges []fetch.Range) (gaps []fetch.Range) {
	return func(ranges []fetch.Range) (gaps []fetch.Range) {
		for i := 1; i < len(ranges); i++ {
			before := ranges[i-1].End()
			if n := ranges[i].Off - before; n > 0 && n < bytes {
				gaps = append(gaps, fetch.Range{Off: before, Len: n})
			}
		}
		return gaps
	}
}
