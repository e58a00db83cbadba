package feed

import "math"

// speculation decides whether pages are requested before their rows are tested.
type speculation struct {
	pages, survive     int              // of returned columns in tested windows, and those with survivors
	limited            bool             // the scan may end soon
	likely             map[int][]Wanted // by row group: whose likely pages are not requested
	firstGroup         int              // see IsFirst
	hasFirst           bool
	requested, guessed int64 // bytes of all requests, and of guesses before anything was learnt
}

// IsFirst reports whether a row group is the first with requested pages. It shows what other
// row groups are worth, and should do so soon.
func (a *Prefetcher) IsFirst(group int) bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.hasFirst && a.firstGroup == group
}

// guess reports whether the likely pages of a row group, of a number of bytes, are worth a request now;
// else it keeps them for later. first reports whether the row group is the first with requested pages.
func (a *Prefetcher) guess(group int, columns []Wanted, bytes int64, expected func() bool) (now, first bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now = a.speculates(bytes, expected); !now {
		a.likely[group] = columns
	}
	if !a.hasFirst {
		a.hasFirst, a.firstGroup = true, group
	}
	return now, a.firstGroup == group
}

// takeLikely returns the pages that guess has kept, by row group, if they are worth a request by now.
func (a *Prefetcher) takeLikely() (likely map[int][]Wanted) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.speculates(math.MaxInt64, nil) {
		likely, a.likely = a.likely, map[int][]Wanted{}
	}
	return likely
}

// maxGuess bounds the bytes of a scan's first guesses. A point lookup's pages of all columns are
// often a megabyte: with 192 KiB it took another trip for them, 0.108 s in place of 0.076 s of a
// store with 30 ms.
const maxGuess = 1536 << 10

// maxExpected bounds the bytes of guesses that bounds of values speak for, however fast a source
// says it is: so much a scan whose values are not spread evenly may read in vain. With 8 and 16 MiB
// a store with 30 ms and 380 MB/s idled for a part of the latency that the guess should fill.
const maxExpected = 32 << 20

// speculates reports whether so many bytes of pages, whose rows are not tested yet, are worth a
// request: if nearly all such pages had survivors so far. Before that is known, or if the scan
// may end soon, they are if they come in the time of a request, and are few beside all that
// was requested, or expected to be wanted: the source would idle for that time. expected is
// called only if that decides. The caller has locked mu.
func (a *Prefetcher) speculates(bytes int64, expected func() bool) bool {
	if a.pages > 0 && !a.limited {
		return 5*a.survive >= 4*a.pages
	}
	if few := min(a.cost.Bytes(), maxGuess+a.requested/8-a.guessed); bytes > few {
		if a.limited || bytes > min(a.cost.Bytes(), maxExpected)-a.guessed || !expected() {
			return false
		}
	}
	a.guessed += bytes
	return true
}
