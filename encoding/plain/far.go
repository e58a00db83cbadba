package plain

import "strconv"

// Of a body that is in no cache that is fast, an Intel processor fetches neighbours of
// what is loaded, as if all were wanted, and so takes as long as if it were. It does so
// only for streams that it recognizes, no more than 32 of them: not for 64 chains.
//
// With so many, no trails are kept: each chain is followed until it comes to where the
// next one begins, or goes beyond.
const (
	crowd     = 64
	crowdEach = 128 // links of a chain, about
	crowded   = crowd * crowdEach / 4
)

// A chain is at a place, some values from where it began: place<<countBits + values.
type chain int64

const (
	countBits = 12
	oneValue  = 4<<countBits + 1 // of no bytes
)

func (c chain) place() int { return int(c >> countBits) }

func (c chain) values() int { return int(c & (1<<countBits - 1)) }

// hop is leap without a list, with as many chains as the body wants.
func hop(body []byte, at, average, most int) (end, n int, good bool) {
	if most >= crowded && chainsOf(body, average) == many {
		return leapFar(body, at, average, most)
	}
	return leap(nil, body, at, average, most)
}

// leapFar is leap for long values of a body that is not cached, without a list.
func leapFar(body []byte, at, average, most int) (end, n int, good bool) {
	if strconv.IntSize < 64 {
		return at, 0, false // places and lengths would not add up
	}
	each := min(most/crowd, crowdEach)
	var chains, until [crowd]chain
	start := at
	for j := range until {
		chains[j] = chain(start) << countBits
		next := at + (j+1)*each*average
		if j+1 < crowd {
			next = begins(body, next)
		} else {
			next = min(next, len(body)-4)
		}
		if next <= start {
			return at, 0, false
		}
		start, until[j] = next, chain(next)<<countBits
	}
	followFar(&chains, &until, body, 2*each)
	end = at
	for j, c := range chains {
		if c.place() > len(body) || n+c.values() > most {
			break
		}
		end, n = c.place(), n+c.values()
		if end != until[j].place() {
			break // no chain begins there
		}
	}
	return end, n, n >= crowd*each/2
}
