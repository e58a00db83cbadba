package summary

import "math"

// histogram counts numbers in bins whose width is a power of two, and whose
// borders are multiples of it: the narrowest for which 256 of them reach from the
// least number to the greatest. So what it holds does not depend on the order in
// which numbers come.
//
//	numbers 1 to 6        bins of 1/32, from 1
//	and then 100          bins of 1/2: each takes what 16 of those before had
type histogram struct {
	counts      [bins]float64
	first       float64 // the number of bin 0: its numbers are from first×width on
	exponent    int     // width is 2 to this power
	least, most float64
	used        bool
}

const (
	bins          = 256
	leastExponent = -1000
	exactBits     = 50 // the numbers of bins are exact as float64
)

// binsFor returns the exponent of the width of bins for the numbers from a to b,
// and the number of the first bin.
func binsFor(a, b float64) (exponent int, first float64) {
	_, exponent = math.Frexp(math.Max(math.Abs(a), math.Abs(b)))
	exponent = max(exponent-exactBits, leastExponent)
	if width := b/bins - a/bins; width > 0 {
		_, e := math.Frexp(width)
		exponent = max(exponent, e-2)
	}
	for {
		first = math.Floor(math.Ldexp(a, -exponent))
		if math.Floor(math.Ldexp(b, -exponent))-first < bins {
			return exponent, first
		}
		exponent++
	}
}

// reach makes bins for the numbers from a to b, and keeps what was counted.
func (h *histogram) reach(a, b float64) {
	if h.used {
		if a, b = min(a, h.least), max(b, h.most); a == h.least && b == h.most {
			return
		}
	}
	exponent, first := binsFor(a, b)
	if h.used {
		before := h.counts
		clear(h.counts[:])
		for i, n := range before {
			if n > 0 {
				h.counts[int(math.Floor(math.Ldexp(h.first+float64(i), h.exponent-exponent))-first)&(bins-1)] += n
			}
		}
	}
	h.exponent, h.first, h.least, h.most, h.used = exponent, first, a, b, true
}

// add counts finite numbers, each as often as its weight says: nil for once.
func (h *histogram) add(numbers []float64, weights []int64) {
	if len(numbers) == 0 {
		return
	}
	a, b := numbers[0], numbers[0]
	for _, x := range numbers {
		a, b = min(a, x), max(b, x)
	}
	h.reach(a, b)
	perBin, first := math.Ldexp(1, -h.exponent), h.first
	if weights == nil {
		for _, x := range numbers {
			h.counts[int(math.Floor(x*perBin)-first)&(bins-1)]++
		}
		return
	}
	for i, x := range numbers {
		h.counts[int(math.Floor(x*perBin)-first)&(bins-1)] += float64(weights[i])
	}
}

func (h *histogram) merge(o *histogram) {
	if !o.used {
		return
	}
	other := *o
	h.reach(o.least, o.most)
	other.reach(h.least, h.most)
	for i, n := range other.counts {
		h.counts[i] += n
	}
}

// between returns the counts of n parts of one width, from a number that is not above the least
// one on; the last one reaches the greatest. A bin that reaches into several of them is divided.
func (h *histogram) between(first, width float64, n int) []float64 {
	place := func(x float64) float64 { return min(max(widths(x, first, width), 0), float64(n)) }
	counts := make([]float64, n)
	for i, count := range h.counts {
		if count == 0 {
			continue
		}
		from := place(math.Ldexp(h.first+float64(i), h.exponent))
		to := place(math.Ldexp(h.first+float64(i+1), h.exponent))
		if to-from < 1e-9 {
			counts[min(int(from), n-1)] += count
			continue
		}
		for j := int(from); j < n && float64(j) < to; j++ {
			counts[j] += count * (min(to, float64(j+1)) - max(from, float64(j))) / (to - from)
		}
	}
	return counts
}

// widths returns how many widths a number is from the first one. Their distance may be no float.
func widths(x, first, width float64) float64 {
	if distance := x - first; !math.IsInf(distance, 0) {
		return distance / width
	}
	return x/width - first/width
}
