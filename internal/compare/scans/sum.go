package scans

import (
	"hash/crc32"
	"math"
)

// A Sum tells what was delivered for one leaf or one list: where each value
// stands is in it, how the reader cut the column in pieces is not.
type Sum struct {
	Slots, Values, Hash uint64
}

func (s *Sum) value(bits uint64) {
	s.Slots++
	s.Values++
	s.Hash += bits * (2*s.Slots + 1)
}

func (s *Sum) null() { s.Slots++ }

func (s *Sum) float(f float64) { s.value(math.Float64bits(f)) }

func (s *Sum) bytes(b []byte) {
	s.value(uint64(len(b))<<32 | uint64(crc32.Checksum(b, castagnoli)))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sums are those of a column: its leaf's, and that of its list if it is one.
type Sums struct {
	List, Leaf Sum
}
