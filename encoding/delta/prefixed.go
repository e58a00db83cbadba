package delta

import (
	"math"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// DefaultLimit is how many bytes one call of Prefixed may write if Limit is 0.
const DefaultLimit = 1 << 28

// Prefixed decodes DELTA_BYTE_ARRAY. Values are put together, so they cannot
// stay where they are: those that do not fit into a view are appended to an
// arena of the caller, who may hand in a new one with each call.
//
// A few bytes of a page can make many long values, each the one before and a
// byte more. The caller is safe by Fit, or by Limit.
type Prefixed struct {
	Buffer int32 // the place of the arena among the caller's buffers
	Limit  int   // an error for a call that would write more bytes

	prefixes Ints[int32]
	suffixes Strings
	last     []byte // the value before the next: no longer than all suffixes together
	before   int64  // length of the last value whose lengths are known
}

// Reset starts on body, which holds at most n values.
func (d *Prefixed) Reset(body []byte, n int) error { return d.reset(body, n, false) }

func (d *Prefixed) reset(body []byte, n int, anyBlock bool) error {
	d.last, d.before = d.last[:0], 0
	err := d.prefixes.reset(body, 0, n, anyBlock)
	end := len(body)
	if err == nil {
		end, err = d.prefixes.end()
	}
	if err == nil {
		err = d.suffixes.reset(body, end, n, anyBlock)
	}
	if err != nil {
		d.prefixes, d.suffixes = Ints[int32]{}, Strings{}
	}
	return err
}

// shares are the lengths of some values' parts. All are checked: no prefix is
// longer than the value before it, and the suffixes are in the body.
type shares struct {
	prefix, suffix [atOnce]int32
}

// next decodes the lengths of up to n <= atOnce values. It returns how many of
// them there are and how many bytes they have together.
func (d *Prefixed) next(s *shares, n int) (got int, size int64, err error) {
	got, err = d.prefixes.Next(s.prefix[:n])
	suffixes, _, suffixErr := d.suffixes.next(s.suffix[:got])
	if suffixErr != nil {
		got, err = suffixes, suffixErr
	}
	before := d.before
	for i, prefix := range s.prefix[:got] {
		if prefix < 0 || int64(prefix) > before {
			return i, size, corrupt.At(d.suffixes.at, "prefix of ", prefix, " bytes of a value of ", before)
		}
		before = int64(prefix) + int64(s.suffix[i])
		size += before
	}
	d.before = before
	return got, size, err
}

// put makes the next value of its parts.
func (d *Prefixed) put(prefix, suffix int32) []byte {
	at := d.suffixes.at
	d.suffixes.at += int(suffix)
	d.last = append(d.last[:prefix], d.suffixes.body[at:][:suffix]...)
	return d.last
}

// Next decodes the next len(dst) values; fewer only with an error. It returns
// their number, and the arena with what it had to append.
func (d *Prefixed) Next(dst []bits.View, arena []byte) (int, []byte, error) {
	var s shares
	limit := d.limit(len(arena))
	for done := 0; ; {
		if done == len(dst) {
			return done, arena, nil
		}
		n, size, err := d.next(&s, min(atOnce, len(dst)-done))
		if size > int64(limit-len(arena)) {
			return done, arena, errLimit(d.suffixes.at)
		}
		for i := range n {
			dst[done+i], arena = d.keep(d.put(s.prefix[i], s.suffix[i]), arena)
		}
		if done += n; err != nil {
			return done, arena, err
		}
	}
}

// keep returns the view of v, which it appends to the arena unless the view holds it.
func (d *Prefixed) keep(v, arena []byte) (bits.View, []byte) {
	if len(v) <= bits.MaxInline {
		return bits.MakeInline(v), arena
	}
	view := bits.MakeRef(v, d.Buffer, int32(len(arena)))
	return view, append(arena, v...)
}

// limit is the length to which an arena may grow: views have 31 bits for a place.
func (d *Prefixed) limit(arena int) int {
	limit := d.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	return min(limit, math.MaxInt32-arena) + arena
}

func errLimit(at int) error {
	return corrupt.At(at, "values of more bytes than the limit")
}

// Skip steps over n values. Each must still be made, for the next one's sake.
func (d *Prefixed) Skip(n int) error {
	var s shares
	for n > 0 {
		part, _, err := d.next(&s, min(atOnce, n))
		for i := range part {
			d.put(s.prefix[i], s.suffix[i])
		}
		if n -= part; err != nil {
			return err
		}
	}
	return nil
}

// Gather steps over n values and decodes those whose bit is set in sel. It
// returns their number, and the arena with what it had to append.
func (d *Prefixed) Gather(dst []bits.View, arena []byte, sel []uint64, n int) (int, []byte, error) {
	var s shares
	limit := d.limit(len(arena))
	kept := 0
	for at := 0; at < n; {
		part, _, err := d.next(&s, min(atOnce, n-at))
		for i := range part {
			v := d.put(s.prefix[i], s.suffix[i])
			if !bits.Get(sel, at+i) {
				continue
			}
			if len(v) > limit-len(arena) {
				return kept, arena, errLimit(d.suffixes.at)
			}
			dst[kept], arena = d.keep(v, arena)
			kept++
		}
		if err != nil {
			return kept, arena, err
		}
		at += part
	}
	return kept, arena, nil
}

// Fit returns how many of the next n values take no more than budget bytes
// together: at least one if there is one, and it stops at a fault. It looks
// ahead and leaves the decoder where it is.
func (d *Prefixed) Fit(n, budget int) int {
	ahead := *d
	var s shares
	left := int64(budget)
	for done := 0; done < n; {
		part, size, err := ahead.next(&s, min(atOnce, n-done))
		if size <= left {
			left -= size
			for _, suffix := range s.suffix[:part] {
				ahead.suffixes.at += int(suffix)
			}
			if done += part; err != nil {
				return done
			}
			continue
		}
		for i := range part {
			if left -= int64(s.prefix[i]) + int64(s.suffix[i]); left < 0 {
				return max(done+i, 1)
			}
		}
	}
	return n
}
