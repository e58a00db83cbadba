package value

import (
	"math/big"
	"strings"
	"time"
)

// ZoneError returns an error's text if there is no time zone with a name, else "".
func ZoneError(name string) string {
	if _, ok := zoneNamed(name); ok {
		return ""
	}
	return "no time zone " + Abbreviated(name) + ": names are as 'Europe/Berlin' and 'UTC', and where the system knows none, a program links Go's time/tzdata"
}

// UnknownZone returns ZoneError of the name at the end of a timestamp's text, "" if there is none.
func UnknownZone(moment string) string {
	if parts := strings.SplitN(moment, " ", 3); len(parts) == 3 && parts[2] != "" && parts[2][0] >= 'A' {
		return ZoneError(parts[2])
	}
	return ""
}

// zoneNamed returns the time zone with a name of the IANA database.
func zoneNamed(name string) (at *time.Location, ok bool) {
	if name == "" || name == "Local" { // what these mean depends on the machine
		return nil, false
	}
	at, err := time.LoadLocation(name)
	return at, err == nil
}

// changeBehind returns the next change of a zone's clock behind t, or a time that has none before it;
// zero if there is none. (The bounds that package time finds for December 31 of a leap year may be one
// and the same.)
func changeBehind(t time.Time) time.Time {
	_, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		return t.Add(24 * time.Hour)
	}
	return end
}

// instant returns when the clock of a zone shows a time, both in seconds since 1970. Of a time that it
// shows twice, that is the second; one that it skips is as far behind the change as behind the hour
// before. Other engines do the same.
func instant(clock int64, at *time.Location) int64 {
	const far = 86400 // more than a clock is away from UTC
	t := time.Unix(clock-far, 0).In(at)
	for {
		_, offset := t.Zone()
		end := changeBehind(t)
		if end.IsZero() {
			return clock - int64(offset)
		}
		if _, next := end.Zone(); clock < end.Unix()+int64(next) {
			return clock - int64(offset)
		}
		t = end
	}
}

// inZone takes a moment to a zone: an instant to the time that its clock shows, and such a time to the
// instant.
func (l *Literal) inZone(at *time.Location) *Literal {
	out := &Literal{Kind: LitStamp, Nanos: l.Nanos % 1e9}
	seconds := l.Days*86400 + l.Nanos/1e9
	if l.Zone.hasOffset || l.Zone.isInstant {
		_, offset := time.Unix(seconds, 0).In(at).Zone()
		seconds += int64(offset)
	} else {
		seconds, out.Zone = instant(seconds, at), Zone{hasOffset: true}
	}
	out.Days = FloorDiv(seconds, 86400)
	out.Nanos += (seconds - out.Days*86400) * 1e9
	return out
}

// zoned is the time that a zone's clock shows at an instant, or the other way round. Both are sums
// with an offset that changes from time to time.
type zoned struct {
	at       *time.Location
	instants bool // the results are
}

func (o zoned) before(p point) line {
	day, _ := p.in(NanosPerDay)
	if max(day, -day) > farthestDay {
		return line{points: []point{p}}
	}
	from, to := (day-2)*86400, (day+3)*86400
	second := func(n int64) point {
		return point{at: new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(n), big.NewInt(1e9)))}
	}
	front := second(from)
	var out line
	for t := time.Unix(from, 0).In(o.at); ; {
		_, offset := t.Zone()
		end := changeBehind(t)
		until := end.Unix()
		last := end.IsZero() || until >= to
		if o.instants {
			_, next := end.Zone()
			until, offset = until+int64(next), -offset
		}
		at := point{at: new(big.Rat).Sub(p.at, second(int64(offset)).at), behind: p.behind}
		if at.compare(front) < 0 {
			at = front
		}
		if last {
			out.points = append(out.points, at)
			return out
		}
		if front = second(until); at.compare(front) > 0 {
			at = front
		}
		t, out.points = end, append(out.points, at, front)
	}
}

// ZoneShift returns what is added to a time, all in seconds, to take it to a zone that exists: to an instant
// what its clock shows, or the other way round.
func ZoneShift(name *Literal, toInstants bool) func(second int64) int64 {
	at, _ := zoneNamed(name.Text)
	return func(second int64) int64 {
		if toInstants {
			return instant(second, at) - second
		}
		_, offset := time.Unix(second, 0).In(at).Zone()
		return int64(offset)
	}
}
