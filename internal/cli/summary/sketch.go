package summary

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// sketch estimates how many different hashes it was given, with a standard error
// of 1.6 %: a HyperLogLog of 4,096 registers, read by Ertl's estimator, which
// needs no corrections for few or many.
type sketch struct {
	registers [1 << sketchBits]uint8 // the longest run of zeros below the index, plus one
}

const (
	sketchBits = 12
	maxRun     = 64 - sketchBits + 1
)

func (s *sketch) add(hash uint64) {
	i := hash >> (64 - sketchBits)
	if run := uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1)) + 1); run > s.registers[i] {
		s.registers[i] = run
	}
}

func (s *sketch) merge(o *sketch) {
	for i, run := range o.registers {
		s.registers[i] = max(s.registers[i], run)
	}
}

// estimate returns how many different hashes there were, about.
func (s *sketch) estimate() int64 {
	var counts [maxRun + 1]float64
	for _, run := range s.registers {
		counts[run]++
	}
	const m = float64(1 << sketchBits)
	z := m * tau(1-counts[maxRun]/m)
	for run := maxRun - 1; run >= 1; run-- {
		z = 0.5 * (z + counts[run])
	}
	z += m * sigma(counts[0]/m)
	return int64(m*m/(2*math.Ln2*z) + 0.5)
}

// sigma and tau are the sums that stand for registers that were never reached, and
// for those that are full.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	sum, y := x, 1.0
	for {
		before := sum
		x *= x
		sum += x * y
		if y += y; sum == before {
			return sum
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	sum, y := 1-x, 1.0
	for {
		before := sum
		x = math.Sqrt(x)
		y *= 0.5
		if sum -= (1 - x) * (1 - x) * y; sum == before {
			return sum / 3
		}
	}
}

// hashKey spreads a key over all bits: the finaliser of splitmix64.
func hashKey(key int64) uint64 {
	x := uint64(key) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashBytes hashes bytes, eight at a time, the last ones with zeros behind.
func hashBytes(b []byte) uint64 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xe7037ed1a0b428db
	h := uint64(len(b)) * k2
	for ; len(b) >= 8; b = b[8:] {
		high, low := bits.Mul64(h^binary.LittleEndian.Uint64(b)^k1, k2)
		h = high ^ low
	}
	if len(b) > 0 {
		var last [8]byte
		copy(last[:], b)
		high, low := bits.Mul64(h^binary.LittleEndian.Uint64(last[:])^k1, k2)
		h = high ^ low
	}
	return hashKey(int64(h))
}
