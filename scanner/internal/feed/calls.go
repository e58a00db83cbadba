package feed

import "slices"

// cutIntoCalls divides the requests of leaves into calls that keep several in flight, of which the
// first has firstBytes. A leaf's share of a call is as long as a request should be: else shares of leaves, which
// do not touch, would be many short requests of a source that serves few at once.
func (a *Prefetcher) cutIntoCalls(byLeaf [][]Request, firstBytes int64) [][]Request {
	all := a.meter.Pace().RequestBytes(8*a.CallBytes()) * int64(len(byLeaf))
	return cutIntoCalls(byLeaf, firstBytes, max(a.CallBytes(), min(all, 4*a.CallBytes())))
}

// cutIntoCalls divides the requests of leaves into calls of about callBytes; the first has
// firstBytes, if that is not 0. Each call has the same share of each leaf's bytes.
func cutIntoCalls(byLeaf [][]Request, firstBytes, callBytes int64) [][]Request {
	total := int64(0)
	for _, requests := range byLeaf {
		total += bytesOf(requests)
	}
	if total == 0 {
		return nil
	}
	firstBytes = min(firstBytes, total)
	rest := total - firstBytes
	n := min(max((rest+callBytes/2)/callBytes, min(rest, 1)), rest/callStep+1)
	calls := make([][]Request, n+1)
	for _, requests := range byLeaf {
		length := bytesOf(requests)
		first := int64(0) // first byte of the call, in the leaf's requests
		for k := range calls {
			before := float64(firstBytes)
			if n > 0 {
				before += float64(rest) * float64(k) / float64(n)
			}
			end := min(int64(float64(length)*before/float64(total)+callStep-1)/callStep*callStep, length)
			if k == len(calls)-1 {
				end = length
			}
			room := end - first
			for room > 0 {
				w := requests[0]
				if w.Len = min(w.Len, room); w.Len == requests[0].Len {
					requests = requests[1:]
				} else {
					requests[0].Off, requests[0].Len = w.End(), requests[0].Len-w.Len
				}
				calls[k] = append(calls[k], w)
				room -= w.Len
			}
			first = max(first, end)
		}
	}
	return slices.DeleteFunc(calls, func(requests []Request) bool { return len(requests) == 0 })
}

// callStep is the granularity of a leaf's share of a call, in bytes.
const callStep = 16 << 10
