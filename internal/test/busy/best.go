package busy

import "time"

// Setting is a way to read a file that knows the store: so many requests at a time, of so many bytes.
type Setting struct {
	AtOnce, Requests int
	Bytes            int64
	Took             time.Duration
}

// BestFixed returns the setting with which all pages of a file come first from a store that serves w
// requests at once, after one request for the footer.
func BestFixed(w int, latency time.Duration, bandwidth, size int64) (best Setting) {
	const tail = 128 << 10
	pages := size - tail
	seconds := func(n int64) time.Duration {
		return latency + time.Duration(float64(n)/float64(bandwidth)*1e9)
	}
	for _, atOnce := range []int{1, 2, 4, 8, 16, 32, 64} {
		for size := int64(256 << 10); size <= 8<<20; size *= 2 {
			free := make([]time.Duration, min(w, atOnce)) // when each worker has sent its last response
			for off := int64(0); off < pages; off += size {
				i := 0
				for k := range free {
					if free[k] < free[i] {
						i = k
					}
				}
				free[i] += seconds(min(size, pages-off))
			}
			x := Setting{AtOnce: atOnce, Bytes: size, Requests: 1 + int((pages+size-1)/size)}
			for _, end := range free {
				x.Took = max(x.Took, end)
			}
			if x.Took += seconds(tail); best.Took == 0 || x.Took < best.Took {
				best = x
			}
		}
	}
	return best
}
