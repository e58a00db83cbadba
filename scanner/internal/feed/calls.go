package feed

// CutIntoCalls divides the requests of leaves, total bytes, into calls of about callBytes.
// Each call has the same share of each leaf's bytes.
func CutIntoCalls(byLeaf [][]Request, total, callBytes int64) [][]Request {
	n := min((total+callBytes-1)/callBytes, total/callStep+1)
	calls := make([][]Request, n)
	for _, requests := range byLeaf {
		length := int64(0)
		for _, w := range requests {
			length += w.Len
		}
		first := int64(0) // first byte of the call, in the leaf's requests
		for k := range calls {
			end := min((length*int64(k+1)/n+callStep-1)/callStep*callStep, length)
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
	return calls
}

// callStep is the granularity of a leaf's share of a call, in bytes.
const callStep = 64 << 10

// Lookahead is the number of windows to prefetch after a window with survivors.
type Lookahead struct {
	group   int
	end     int64 // of the last window with survivors
	windows int64
}

// Extend records a window with survivors, and returns how many windows after it to
// prefetch: twice as many as the last time if the windows are consecutive, else none.
func (b *Lookahead) Extend(group int, from, to int64) int64 {
	if group != b.group || from != b.end {
		b.windows = 0
	}
	n := b.windows
	b.group, b.end, b.windows = group, to, min(max(2*n, 1), 64)
	return n
}
