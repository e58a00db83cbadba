package plain

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Where values differ in length, each length must be loaded before the next one
// can be, and the machine waits. So several chains of lengths are followed at
// the same time, from places where a value seems to begin:
//
//	at              guess 1           guess 2           guess 3
//	├──┬────┬─┬──   ├───┬──┬──┬─      ├┬────┬───┬──     ├──┬──┬───┬
//	chain 0         chain 1           chain 2           chain 3
//
// A guess decides nothing. Chain 0 begins where a value does, so it tells the
// truth; if it comes to guess 1 exactly, chain 1 told the truth as well, and so
// on. A guess that is never met has cost its time, no more.
const (
	chains = 4
	links  = 128 // of a chain
	leapt  = chains * links

	// Two leaps that went nowhere are enough.
	misses = 2

	// Up to so many bytes a value, on average, all memory is asked for ahead of a leap.
	// Of longer ones most is not looked at, and four chains wait less for what is in a
	// cache. A body of more than near bytes is in none that is fast, so there it is farFetched.
	fetched    = 64
	farFetched = 256
	near       = 2 << 20
)

// fetchLeap asks for the memory that a leap from byte at on goes over, and the next.
func (d *Strings) fetchLeap(at, average int) {
	if average <= fetched || average <= farFetched && len(d.body) > near {
		d.fetchUpTo(at + 2*leapt*average)
	}
}

// leap steps over values from byte at of body on, of average bytes each with
// their lengths, but no more than most of them. It returns where it came to,
// and how many values it stepped over: few or none if guesses are wrong, or the
// body nears its end. Where each of them begins goes to list, if that is not
// nil, then with where the last one ends; so it is longer than most.
func leap(list []int32, body []byte, at, average, most int) (end, n int) {
	if strconv.IntSize < 64 {
		return at, 0 // places and lengths would not add up
	}
	var starts [chains + 1]int
	starts[0], starts[chains] = at, len(body)+1
	for j := 1; j < chains; j++ {
		guess := begins(body, at+j*links*average)
		if guess <= starts[j-1] {
			return at, 0
		}
		starts[j] = guess
	}
	var places [chains][links + 1]int32
	made := follow(&places, body, &starts)
	for j := range chains {
		k, next := made, starts[j+1]
		place := int(places[j][k])
		for k > 0 && place > next { // it went too far
			k--
			place = int(places[j][k])
		}
		k = min(k, most-n)
		if list != nil {
			copy(list[n:], places[j][:k+1])
		}
		if n += k; n == most {
			return int(places[j][k]), n
		}
		for j+1 < chains && place < next { // it did not come far enough
			to := step(body, place)
			if to < 0 || n == most {
				return place, n
			}
			place = to
			n++
			if list != nil {
				list[n] = int32(place)
			}
		}
		if place != next {
			return place, n
		}
	}
	return at, 0 // not reached: nothing begins behind the body
}

// begins returns a place near byte at where a value seems to begin, or -1: of a
// length below 2^16 the last two bytes are 0, and behind the value is another.
// Text has no such bytes.
func begins(body []byte, at int) int {
	const most = 1 << 16
	length := func(at int) int {
		if at < 0 || at > len(body)-4 {
			return most
		}
		return int(binary.LittleEndian.Uint32(body[at:]))
	}
	for range 4 {
		if at >= len(body) {
			return -1
		}
		zero := bytes.IndexByte(body[at:min(at+most, len(body))], 0)
		if zero < 0 {
			return -1
		}
		zero += at
		// The second byte of a length, most often.
		for _, q := range [...]int{zero - 1, zero, zero - 2} {
			if n := length(q); n < most && length(q+4+n) < most {
				return q
			}
		}
		at = zero + 1
	}
	return -1
}

// gatherLeap is Gather for as many of leapt values as one leap goes over. Their
// bits begin at i. It returns how many, and how many it decoded.
func (d *Strings) gatherLeap(dst []bits.View, sel []uint64, i, average int) (n, kept int) {
	var list [leapt + 1]int32
	var room [leapt + bits.Spare]uint32
	d.fetchLeap(d.at, average)
	end, n := leap(list[:], d.body, d.at, average, leapt)
	d.at, d.left = end, d.left-n
	places := room[:bits.Positions(room[:], sel, i, i+n)]
	dst = dst[:len(places)]
	for k, p := range places {
		from := list[int(p)-i] + 4
		dst[k] = bits.Make(d.body[from:list[int(p)-i+1]], d.Buffer, from)
	}
	return n, len(places)
}
