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

// between returns n counts for equal parts of the numbers from the least to the
// greatest. A bin that reaches into several of them is divided.
func (h *histogram) between(n int) []float64 {
	if !h.divides(n) {
		return nil
	}
	counts := make([]float64, n)
	for i, count := range h.counts {
		if count == 0 {
			continue
		}
		from := h.place(math.Ldexp(h.first+float64(i), h.exponent), n)
		to := h.place(math.Ldexp(h.first+float64(i+1), h.exponent), n)
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

// divides reports whether there are n parts of the numbers.
func (h *histogram) divides(n int) bool {
	return h.used && n > 0 && h.least < h.most && !math.IsInf(h.most-h.least, 0)
}

// place returns where x is among n parts: 0 is the least number, n the greatest.
func (h *histogram) place(x float64, n int) float64 {
	return min(max((x-h.least)/(h.most-h.least)*float64(n), 0), float64(n))
}
