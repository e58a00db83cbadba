package plain

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// If values differ in length, each length must be loaded before the next one can be, and
// the machine waits. So several chains of lengths are followed at the same time, from
// places where a value seems to begin:
//
//	at              guess 1           guess 2           guess 3
//	├──┬────┬─┬──   ├───┬──┬──┬─      ├┬────┬───┬──     ├──┬──┬───┬
//	chain 0         chain 1           chain 2           chain 3
//
// A guess decides nothing. Chain 0 begins at a value, so its places are right; if it
// meets guess 1 exactly, the places of chain 1 are right as well, and so on. A guess that
// is never met costs time only.
//
// For values of up to fetched bytes on average, all memory of a leap is prefetched, and
// few chains, in registers, are enough. Of longer values most bytes are never looked at: each
// length is waited for, by all chains at once. A body of up to cached bytes is in a cache that is
// near enough for few chains. In a longer or cold one, values of up to longest bytes are prefetched
// as well, and for longer values there are many chains. Measured on Skip over Next: with many
// chains in bodies of 1 MiB, strings of 60 to 120 bytes take 0.44 instead of 0.35; in bodies
// of 5 MB, strings of 100 to 200 bytes take 0.46 instead of 0.69.
const (
	few     = 4
	many    = 16
	links   = 128 // of a chain, at most
	leapt   = few * links
	cached  = 2 << 20
	fetched = 64
	longest = 80 // bytes of values that are prefetched in a body longer than cached

	// misses is after how many bad leaps a decoder gives up. Not measured: it bounds the time lost.
	misses = 2

	// readAhead is how much of a cold body is read at once, line by line: the second cache has room for it.
	readAhead = 256 << 10
	line      = 64
)

// leapOver is leap for the next values, of which the last ones had average bytes. at is where they
// begin, and all says that each of their bytes will be looked at.
func (d *Strings) leapOver(list []int32, at, average, most int, all bool) (end, n int, good bool) {
	near, chains := len(d.body) <= cached && !d.Cold, few
	switch {
	case all && d.Cold || average <= fetched || average <= longest && !near:
		d.fetchLeap(at, average, most)
	case !near:
		chains = many
	}
	if end, n, good = leap(list, d.body, at, average, most, chains); !good {
		d.missed++
	}
	return end, n, good
}

// leap steps over values from byte at of body on, of average bytes each with their
// lengths, but at most most of them, which is at least leapt. It returns the place it came
// to, how many values it passed, and whether that was worth it: these are few or none if
// guesses are wrong, or the body nears its end. If list is not nil, it gets the place of
// each value and the end of the last one, so it is longer than most.
func leap(list []int32, body []byte, at, average, most, chains int) (end, n int, good bool) {
	if strconv.IntSize < 64 {
		return at, 0, false // places and lengths would not add up
	}
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
		var trails [few]trail // a smaller array, since clearing it takes time
		made := followFew(&trails, body, &starts)
		end, n = join(list, body, trails[:], made, most)
	} else {
		var trails [many]trail
		made := followMany(&trails, body, &starts, each)
		end, n = join(list, body, trails[:], made, most)
	}
	return end, n, n >= chains*each/2
}

// join steps over the values of each trail, of made links, as far as the trails meet.
func join(list []int32, body []byte, trails []trail, made, most int) (end, n int) {
	for j := range trails {
		k, next := made, len(body)+1
		if j+1 < len(trails) {
			next = int(trails[j+1][0])
		}
		place := int(trails[j][k])
		for k > 0 && place > next { // the trail goes beyond the start of the next one
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
		for place < next { // the trail ends before the start of the next one
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
	return end, n // unreachable: the last trail ends the loop
}

// begins returns a place near byte at where a value seems to begin, or -1: the last two
// bytes of a length below 2^16 are 0, and after that value comes another. Text has no
// such bytes.
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
		// zero is most often the second byte of a length.
		for _, q := range [...]int{zero - 1, zero, zero - 2} {
			if n := length(q); n < most && length(q+4+n) < most {
				return q
			}
		}
		at = zero + 1
	}
	return -1
}

// fetchLeap prefetches the memory of a leap from byte at on, and of the next. Of a cold body
// it reads a byte of each line, up to the end of n values: the machine drops some of many
// prefetches, and reads long consecutive ranges fastest. Measured on li_plain, 10 % scattered,
// in a mapping: 3.68 ms instead of 6.91. A body in a cache is prefetched: reading it takes 1.4
// to 2 times as long.
func (d *Strings) fetchLeap(at, average, n int) {
	to := at + 2*leapt*average
	if to <= d.warm {
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
