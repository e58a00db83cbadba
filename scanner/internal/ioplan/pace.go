package ioplan

// Pace is how requests to a source are made, as those before have shown. Service time and
// queueing are told apart: Latency and Bandwidth are those of a request that nothing delays, and
// what requests take beyond that tells how many the source serves at once.
//
//	nothing delays it  |  Latency  |== bytes / Bandwidth ==|
//	it queues          |. . . . . . . |  Latency  |== bytes / Bandwidth ==|
type Pace struct {
	Latency   float64 // seconds until the first byte comes
	Bandwidth float64 // bytes a second of one request after that
	Rate      float64 // bytes a second of all requests together
	Limit     float64 // requests in flight that bring more bytes than fewer do
	Crowded   float64 // Limit after a call has queued last, beyond which it grows slowly; 0: none has lately

	measured, timed bool // Latency and Bandwidth are not what a source states
	queued, clear   int  // calls that have queued since one was alone, and others since one has queued
	draining        bool // Limit is 1 until a call was alone
	refused         bool // a call was refused lately: Crowded is what someone waits for may have in flight
}

// Sample is what a call of one or several requests has shown.
type Sample struct {
	Bytes int64
	Took  float64 // seconds
	Alone bool    // nothing else was in flight meanwhile
	Ahead int64   // bytes in flight when it began, with its own
	Work  float64 // seconds that all which ended meanwhile takes, one after the other, if nothing delays it
	Came  int64   // the bytes of that
	Most  int     // requests in flight at a time, since there were none

	Refused bool // the source has refused the call, or failed: nothing else is known
}

const (
	firstLimit  = 10        // Limit before anything is known
	queues      = 1.25      // a call that takes so many times its time alone has queued
	spare       = 1.25      // requests in flight for each that the source serves: so it never waits for one
	weight      = 0.25      // of a sample in an average
	timingBytes = 256 << 10 // so many bytes tell the bandwidth first

	// leastRequest is the least part of what is requested, however near the source.
	leastRequest = 256 << 10
	drainAfter   = 64 // calls that have queued, and more where the source serves many at once
)

// newPace returns the pace before the first request.
func newPace(stated Cost) Pace {
	c := stated.Known()
	return Pace{Latency: c.Latency.Seconds(), Bandwidth: float64(c.Bandwidth), Rate: float64(c.Bandwidth), Limit: firstLimit}
}

// Alone returns the seconds that a call takes if nothing delays it.
func (p Pace) Alone(bytes int64) float64 { return p.Latency + float64(bytes)/p.Bandwidth }

// Work returns the seconds that requests of a call take, one after the other.
func (p Pace) Work(requests int, bytes int64) float64 {
	return float64(requests-1)*p.Latency + p.Alone(bytes)
}

// After returns the pace after a call. It is all that decides how many requests are in flight:
//
//   - A call that nothing has delayed doubles Limit up to twice what was served meanwhile. Where calls have
//     queued lately, Limit grows by one after as many calls as it allows.
//   - A call that has queued tells how many requests the source serves at once: the work that was done
//     meanwhile, by the time that it took. Limit follows that.
//   - A call that was refused, as the source has too much to do, takes a quarter off Limit. It grows by
//     one a round then, until it is twice as much.
//   - After many calls that have queued, one is made alone: it tells whether each takes longer now.
func (p Pace) After(s Sample) Pace {
	if s.Refused {
		p.refused, p.clear = true, 0
		if p.Crowded = max((1-weight)*p.limit(), 1); !p.draining {
			p.Limit = p.Crowded
		}
		return p
	}
	p.learn(s)
	if p.draining {
		if p.clear++; s.Alone || p.clear > 2*int(p.Crowded)+firstLimit { // scans wait for others all the time
			p.Limit, p.draining, p.queued, p.clear = p.Crowded, false, 0, 0
		}
	}
	switch served := min(s.Work/s.Took, float64(s.Most)); {
	case p.draining:
	case s.Took >= queues*p.Alone(s.Bytes):
		p.queued, p.clear = p.queued+1, 0
		weight := weight
		if p.Crowded == 0 {
			weight = 1 // Limit was a guess
		}
		p.Limit = max(p.Limit+weight*(spare*served+1-p.Limit), 1)
		p.Crowded = p.Limit
		if p.queued > drainAfter*(1+int(p.Limit)/2) {
			p.Limit, p.draining = 1, true
		}
	default:
		if s.Alone {
			p.queued = 0
		}
		double := 2 * served
		if p.clear++; p.refused {
			double = spare * served // Limit grows only by requests that were served
			p.refused = p.Limit < 2*p.Crowded
		} else if p.clear > 2*int(p.Limit) {
			p.Crowded, p.clear = 2*p.Crowded, 0
		}
		if p.Crowded == 0 || double <= p.Crowded {
			p.Limit = min(max(p.Limit, double), maxInFlight)
		} else if double >= p.Limit {
			p.Limit = min(p.Limit+1/p.Limit, maxInFlight)
		}
	}
	return p
}

// learn takes over what a call has shown of requests that nothing delays. They are as fast as any was
// lately, and slower only if a call shows that which was alone. A call of few bytes tells the latency,
// one of many that both are faster or slower: so requests never become shorter for it.
func (p *Pace) learn(s Sample) {
	transfer, ratio := float64(s.Bytes)/p.Bandwidth, s.Took/p.Alone(s.Bytes)
	switch few := 2*transfer <= p.Latency; {
	case !p.measured || (few || !p.timed && s.Bytes < timingBytes) && (ratio < 1 || s.Alone):
		p.Latency, p.measured = max(s.Took-transfer, s.Took/2), true
	case !p.timed && s.Bytes >= timingBytes:
		p.Bandwidth, p.timed = float64(s.Bytes)/max(s.Took-p.Latency, s.Took/8), true
	case p.timed && !few && (ratio < 1 || s.Alone):
		if ratio < 1 {
			ratio = 1 + weight*(ratio-1)
		}
		p.Latency, p.Bandwidth = p.Latency*ratio, p.Bandwidth/ratio
	}
	// With few bytes in flight the source may have idled: then it is at least as fast.
	if rate := float64(s.Came) / s.Took; rate > p.Rate || float64(s.Ahead) >= 2*p.Latency*p.Rate {
		p.Rate += weight * (rate - p.Rate)
	}
}

// RequestBytes returns the size of a request of pending bytes, which are spread over the requests
// that may be in flight: but none is so short that its latency takes more than twice as long as its
// bytes. So a source that serves few requests at once gets few and long ones.
func (p Pace) RequestBytes(pending int64) int64 {
	return min(max(int64(float64(pending)*spare/p.limit()), p.LeastBytes()), maxJoined)
}

// limit returns what Limit is when no call is made alone.
func (p Pace) limit() float64 {
	if p.draining {
		return max(p.Crowded, 1)
	}
	return p.Limit
}

// LeastBytes returns the least size of a request that is a part of what is requested.
func (p Pace) LeastBytes() int64 {
	bandwidth := p.Bandwidth
	if !p.timed {
		bandwidth = min(bandwidth, unknownBandwidth) // it may be that of many requests at once
	}
	return min(max(int64(p.Latency*bandwidth/2), leastRequest), maxJoined)
}

// Room returns how many bytes a source that has proved to serve many requests at once keeps in flight,
// and in the hands of those who read them; 0 before that.
func (p Pace) Room() int64 {
	return int64(10*max(p.Limit-firstLimit, 0)) * p.LeastBytes()
}

// FirstOf returns the length of the first of the requests of about size bytes, all as long as each
// other, that read a number of bytes.
func FirstOf(bytes, size int64) int64 {
	requests := max((bytes+size*2/3)/size, (bytes+maxJoined-1)/maxJoined, 1)
	return (bytes + requests - 1) / requests
}

// Fills reports whether so many bytes in flight keep the source busy: those that come in a latency.
// Before requests have queued they are six times as many: responses that share a bandwidth end at about
// the same time, and those of the next requests come a latency later.
func (p Pace) Fills(bytes int64) bool {
	latencies := 1.0
	if p.Crowded == 0 {
		latencies = 6
	}
	return p.draining || float64(bytes) >= latencies*p.Latency*p.Rate
}
