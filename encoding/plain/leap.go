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
//
// Up to so many bytes a value, on average, all memory is asked for ahead of a leap,
// and four chains, in registers, are enough. Of longer ones most is not looked at, so
// each length is waited for, by all chains at once. A body of up to cached bytes is
// near enough for four chains; a longer one is in no cache that is fast, so memory is
// asked for there of longer values, too, and of the longest there are more chains.
const (
	few     = 4
	many    = 16
	links   = 128 // of a chain, at most
	leapt   = few * links
	cached  = 2 << 20
	fetched = 64
	longest = 80 // that are fetched, of a body that is not cached

	// Two leaps that went nowhere are enough.
	misses = 2

	// So much of a cold body is read at once, by lines: the second cache has room for it.
	readAhead = 256 << 10
	line      = 64
)

func chainsOf(body []byte, average int) int {
	if len(body) > cached && average > longest {
		return many
	}
	return few
}

// leap steps over values from byte at of body on, of average bytes each with
// their lengths, but no more than most of them, at least leapt. It returns where it
// came to, how many values it stepped over, and whether that was worth it: they are
// few or none if guesses are wrong, or the body nears its end. Where each of them
// begins goes to list, if that is not nil, then with where the last one ends; so it is
// longer than most.
func leap(list []int32, body []byte, at, average, most int) (end, n int, good bool) {
	if strconv.IntSize < 64 {
		return at, 0, false // places and lengths would not add up
	}
	chains := chainsOf(body, average)
	each := min(most/chains, links)
	starts := [many]int{at}
	for j := 1; j < chains; j++ {
		guess := begins(body, at+j*each*average)
		if guess <= starts[j-1] {
			return at, 0, false
		}
		starts[j] = guess
	}
	if chains == few {
		var trails [few]trail // less to clear
		made := followFew(&trails, body, &starts)
		end, n = join(list, body, trails[:], made, most)
	} else {
		var trails [many]trail
		made := followMany(&trails, body, &starts, each)
		end, n = join(list, body, trails[:], made, most)
	}
	return end, n, n >= chains*each/2
}

// join steps over values as far as each trail, of made links, comes to where the next one begins.
func join(list []int32, body []byte, trails []trail, made, most int) (end, n int) {
	for j := range trails {
		k, next := made, len(body)+1
		if j+1 < len(trails) {
			next = int(trails[j+1][0])
		}
		place := int(trails[j][k])
		for k > 0 && place > next { // it went too far
			k--
			place = int(trails[j][k])
		}
		k = min(k, most-n)
		if list != nil {
			copy(list[n:], trails[j][:k+1])
		}
		if n += k; n == most || j+1 == len(trails) {
			return int(trails[j][k]), n
		}
		for place < next { // it did not come far enough
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
	return end, n // not reached
}

// begins returns a place near byte at where a value seems to begin, or -1: of a
// length below 2^16 the last two bytes are 0, and after the value is another.
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

// fetchLeap asks for the memory that a leap from byte at on goes over, and the next. What
// is cold is read, as much as is wanted of n values: of many lines that are asked for at
// once, the machine forgets some, and it reads fastest what goes on for long.
func (d *Strings) fetchLeap(at, average, n int) {
	wide := average > longest || average > fetched && len(d.body) <= cached
	to := at + 2*leapt*average
	if wide || to <= d.warm {
		return
	}
	if d.Cold {
		to = at + min(n, readAhead/average)*average
	}
	if to = min(to, len(d.body)); to <= d.warm {
		return
	}
	soon := d.body[max(d.warm, at):to]
	d.warm = to
	if !d.Cold {
		prefetch(soon)
		return
	}
	for i := 0; i < len(soon); i += line {
		d.seen |= soon[i]
	}
}

// gatherLeap is Gather for as many values as one leap goes over, of n whose bits begin
// at i. It returns how many, how many it decoded, and whether it was worth it.
func (d *Strings) gatherLeap(dst []bits.View, sel []uint64, i, n, average int) (got, kept int, good bool) {
	d.fetchLeap(d.at, average, n)
	if n >= many*links && chainsOf(d.body, average) == many {
		var list [many*links + 1]int32
		var room [many*links + bits.Spare]uint32
		return d.gatherFrom(list[:], room[:], dst, sel, i, average)
	}
	var list [leapt + 1]int32
	var room [leapt + bits.Spare]uint32
	return d.gatherFrom(list[:], room[:], dst, sel, i, average)
}

// gatherFrom is gatherLeap with room for the places of all values and of those wanted.
func (d *Strings) gatherFrom(list []int32, room []uint32, dst []bits.View, sel []uint64, i, average int) (n, kept int, good bool) {
	end, n, good := leap(list, d.body, d.at, average, len(list)-1)
	d.at, d.left = end, d.left-n
	places := room[:bits.Positions(room, sel, i, i+n)]
	viewsAt(dst, places, i, list, d.body, d.Buffer)
	return n, len(places), good
}
