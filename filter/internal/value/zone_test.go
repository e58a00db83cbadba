package value

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// TestZoned: what a clock shows, and when it does, around each change of a clock, beside what package
// time says.
func TestZoned(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shown := func(instant int64, at *time.Location) int64 {
		_, offset := time.Unix(instant, 0).In(at).Zone()
		return instant + int64(offset)
	}
	when := func(clock int64, at *time.Location) int64 {
		early, late := clock+86400, clock-86400 // offsets from a day after, and from a day before
		a, b := clock-(shown(early, at)-early), clock-(shown(late, at)-late)
		switch last := max(a, b); {
		case shown(last, at) == clock || shown(min(a, b), at) != clock: // in what is skipped, the later, too
			return last
		}
		return min(a, b)
	}
	tested := 0
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "UTC"} {
		at, ok := zoneNamed(name)
		if !ok {
			t.Skip("the system has no time zones")
		}
		for change := time.Date(1880, 1, 1, 0, 0, 0, 0, at); change.Year() < 2060; change = changeBehind(change) {
			if change.IsZero() {
				break
			}
			for range 20 {
				x := change.Unix() + r.Int64N(12*3600) - 6*3600
				y := x + (r.Int64N(5)-2)*1800
				for _, instants := range []bool{false, true} {
					f := shown
					if instants {
						f = when
					}
					limit := f(y, at)
					if x%2 == 0 {
						limit = f(x, at)
					}
					p := point{at: new(big.Rat).SetInt64(limit * 1e9), behind: r.IntN(2) == 0}
					want := f(x, at) > limit || f(x, at) == limit && !p.behind
					l := zoned{at, instants}.before(p)
					got := l.below
					for _, edge := range l.points {
						if edge.compare(point{at: new(big.Rat).SetInt64(x * 1e9)}) <= 0 {
							got = !got
						}
					}
					if tested++; got != want {
						t.Fatalf("%s, to instants %v, of %d beside %d: %v", name, instants, x, limit, got)
					}
				}
				l := &Literal{Kind: LitStamp, Days: FloorDiv(x, 86400), Nanos: (x - 86400*FloorDiv(x, 86400)) * 1e9}
				if out := l.inZone(at); out.Days*86400+out.Nanos/1e9 != when(x, at) || !out.Zone.hasOffset {
					t.Fatalf("%s: %s is %s", name, l, out)
				}
				if out := l.AsInstant().inZone(at); out.Days*86400+out.Nanos/1e9 != shown(x, at) || out.Zone != (Zone{}) {
					t.Fatalf("%s: at %s it is %s", name, l, out)
				}
			}
		}
	}
	if tested < 10_000 {
		t.Errorf("%d cases only", tested)
	}
}
