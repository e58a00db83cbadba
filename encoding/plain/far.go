package plain

import "strconv"

// If a body is in no fast cache, an Intel processor prefetches the neighbours of what
// is loaded, as if all were wanted, and then reading takes as long as if it were. It does
// so only for streams that it recognizes, no more than 32 of them: not for 64 chains.
//
// With so many chains no trails are kept: each chain is followed until it meets the
// start of the next one, or passes it.
const (
	crowd     = 64
	crowdEach = 128 // about so many links a chain
	crowded   = crowd * crowdEach / 4
)

// A chain is a place and the number of values from its start to there: place<<countBits + values.
type chain int64

const (
	countBits = 12
	oneValue  = 4<<countBits + 1 // of no bytes
)

func (c chain) place() int { return int(c >> countBits) }

func (c chain) values() int { return int(c & (1<<countBits - 1)) }

// hop is leap without a list, with as many chains as suit the body.
func hop(body []byte, at, average, most int) (end, n int, good bool) {
	if most >= crowded && chainsOf(body, average) == many {
		return leapFar(body, at, average, most)
	}
	return leap(nil, body, at, average, most)
}

// leapFar is leap for long values of a body that is in no fast cache, without a list.
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
			break // no chain begins at this place
		}
	}
	return end, n, n >= crowd*each/2
}
