package delta

import (
	"math"
	"slices"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// DefaultLimit is how many bytes one call of Prefixed may write if Limit is 0.
const DefaultLimit = 1 << 28

// Prefixed decodes DELTA_BYTE_ARRAY. It puts values together, so they are not views of
// the body: those that do not fit into a view are appended to an arena of the caller.
// Each call may have another arena.
//
// A few bytes of a page can make many long values, each the one before and a byte more.
// Limit bounds the memory.
type Prefixed struct {
	Buffer int32 // the place of the arena among the caller's buffers
	Limit  int   // an error for a call that would write more bytes

	prefixes Ints[int32]
	suffixes Strings
	last     []byte // the value before the next: no longer than all suffixes together
	scratch  *scratch
}

// shares are the lengths of the prefixes and suffixes of some values.
type shares struct{ prefix, suffix [atOnce]int32 }

// Reset starts on body, which holds at most n values.
func (d *Prefixed) Reset(body []byte, n int) error { return d.reset(body, n, false) }

func (d *Prefixed) reset(body []byte, n int, anyBlock bool) error {
	d.last = d.last[:0]
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

// CopyFrom makes d a copy of from, which goes its own way then. They share memory that holds no state between calls.
func (d *Prefixed) CopyFrom(from *Prefixed) {
	last := append(d.last[:0], from.last...)
	*d = *from
	d.last = last
}

// lengths decodes the lengths of some of the next n values, at most atOnce, and
// returns how many. It stops at the end of the page with an error.
func (d *Prefixed) lengths(s *shares, n int) (int, error) {
	n, err := d.prefixes.Next(s.prefix[:d.prefixes.Step(n)])
	suffixes, suffixErr := d.suffixes.lengths.Next(s.suffix[:n])
	if suffixErr != nil {
		return suffixes, suffixErr
	}
	return n, err
}

// check returns the length of a value, given the lengths of its parts and of the value
// before.
func (d *Prefixed) check(prefix, suffix int32, before int64) (int64, error) {
	at := d.suffixes.at
	switch left := len(d.suffixes.body) - at; {
	case prefix < 0 || int64(prefix) > before:
		return 0, corrupt.At(at, "prefix of ", prefix, " bytes of a value of ", before)
	case suffix < 0 || int64(suffix) > int64(left):
		return 0, corrupt.At(at, "suffix of ", suffix, " bytes, the page holds ", left)
	}
	return int64(prefix) + int64(suffix), nil
}

// put makes the next value from its parts.
func (d *Prefixed) put(prefix, suffix int32) error {
	if _, err := d.check(prefix, suffix, int64(len(d.last))); err != nil {
		return err
	}
	at := d.suffixes.at
	d.suffixes.at += int(suffix)
	d.last = append(d.last[:prefix], d.suffixes.body[at:d.suffixes.at]...)
	return nil
}

// Next decodes the next len(dst) values; fewer only with an error. It returns
// their number, and the arena with their bytes appended.
func (d *Prefixed) Next(dst []bits.View, arena []byte) (int, []byte, error) {
	return d.Pack(dst, arena, nil, len(dst))
}

// make makes values of these lengths, and their views. It returns how many,
// fewer only with an error, and the arena, which does not grow beyond limit.
func (d *Prefixed) make(dst []bits.View, s *shares, arena []byte, limit int) (int, []byte, error) {
	inArena := -1 // where the last value is in the arena; -1 if it is not there
	for i := 0; i < len(dst); i++ {
		i, arena = d.splice(dst, s, i, arena, limit, inArena)
		if i == len(dst) {
			break
		}
		if err := d.put(s.prefix[i], s.suffix[i]); err != nil {
			return i, arena, err
		}
		if inArena = len(arena); len(d.last) > limit-len(arena) {
			return i, arena, errLimit(d.suffixes.at)
		}
		dst[i], arena = d.keep(d.last, arena)
	}
	return len(dst), arena, nil
}

// keep returns a view of v. If v does not fit into the view, keep appends it to the arena.
func (d *Prefixed) keep(v, arena []byte) (bits.View, []byte) {
	if len(v) <= bits.MaxInline {
		return bits.MakeInline(v), arena
	}
	view := bits.MakeRef(v, d.Buffer, int32(len(arena)))
	if len(v) > cap(arena)-len(arena) {
		arena = slices.Grow(arena, len(v)+room)
	}
	return view, append(arena, v...)
}

// room is the least growth of an arena, so that it does not grow for every value. Not measured.
const room = 4096

// limit is the length to which an arena may grow: views have 31 bits for an offset.
func (d *Prefixed) limit(arena int) int {
	limit := d.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	return min(limit, math.MaxInt32-arena) + arena
}

// Skip steps over n values. The last of them must be made, since the next one needs it.
func (d *Prefixed) Skip(n int) error {
	_, _, err := d.Gather(nil, nil, nil, n)
	return err
}

// Gather steps over n values and decodes those whose bit is set in sel, none if it is
// nil. It returns their number, and the arena with their bytes appended.
func (d *Prefixed) Gather(dst []bits.View, arena []byte, sel []uint64, n int) (int, []byte, error) {
	var s shares
	limit := d.limit(len(arena))
	kept := 0
	for at := 0; at < n; {
		part, short := d.lengths(&s, min(atOnce, n-at))
		k, a, err := d.gatherSome(dst[kept:], &s, part, arena, limit, sel, at)
		arena, kept, at = a, kept+k, at+part
		if err == nil {
			err = short
		}
		if err != nil {
			return kept, arena, err
		}
	}
	return kept, arena, nil
}

// Pack is Gather for selections with many wanted values, or for all if sel is nil: it makes views of all, some at a
// time, and packs the wanted ones while they are in the cache. The arena gets the bytes of all values.
func (d *Prefixed) Pack(dst []bits.View, arena []byte, sel []uint64, n int) (int, []byte, error) {
	var s shares
	limit, kept := d.limit(len(arena)), 0
	for at := 0; at < n; {
		part, short := d.lengths(&s, min(atOnce, n-at))
		views := dst[kept:]
		if sel != nil {
			views = d.space().views[:]
		}
		made, a, err := d.make(views[:part], &s, arena, limit)
		if sel == nil {
			kept += made
		} else {
			kept += pick(dst[kept:], views[:made], sel, at)
		}
		arena, at = a, at+made
		if err == nil {
			err = short
		}
		if err != nil {
			return kept, arena, err
		}
	}
	return kept, arena, nil
}

// scratch is where values are made that may not be wanted.
type scratch struct {
	views [atOnce]bits.View
	bytes [16 << 10]byte // the values; kernels need room after each
}

func (d *Prefixed) space() *scratch {
	if d.scratch == nil {
		d.scratch = new(scratch)
	}
	return d.scratch
}

// startScratch returns the scratch, with the last value in it, if the value leaves room for more.
func (d *Prefixed) startScratch() (views []bits.View, values []byte) {
	if len(d.last) > len(scratch{}.bytes)/4 {
		return nil, nil
	}
	return d.space().views[:], append(d.scratch.bytes[:0], d.last...)
}

// gather is Gather for n <= atOnce values of these lengths, whose bits begin at base. It
// makes values in scratch, as many at a time as fit, and copies the wanted ones.
func (d *Prefixed) gather(dst []bits.View, s *shares, n int, arena []byte, limit int, sel []uint64, base int) (int, []byte, error) {
	kept := 0
	for i := 0; ; i++ {
		if views, values := d.startScratch(); views != nil {
			from := base + i
			i, values = d.splice(views[:n], s, i, values, cap(values), 0)
			for at := next(sel, from, base+i); at < base+i; at = next(sel, at+1, base+i) {
				view := views[at-base]
				if !view.IsInline() {
					if view.Len() > limit-len(arena) {
						return kept, arena, errLimit(d.suffixes.at)
					}
					_, offset := view.Ref()
					view, arena = d.keep(values[offset:int(offset)+view.Len()], arena)
				}
				dst[kept] = view
				kept++
			}
		}
		if i == n {
			return kept, arena, nil
		}
		if err := d.put(s.prefix[i], s.suffix[i]); err != nil {
			return kept, arena, err
		}
		if at := base + i; next(sel, at, at+1) == at {
			if len(d.last) > limit-len(arena) {
				return kept, arena, errLimit(d.suffixes.at)
			}
			dst[kept], arena = d.keep(d.last, arena)
			kept++
		}
	}
}

// gatherSome is gather, by gatherFew if few values are wanted and no kernel makes all of them as fast.
func (d *Prefixed) gatherSome(dst []bits.View, s *shares, n int, arena []byte, limit int, sel []uint64, base int) (int, []byte, error) {
	if hasAVX2 || n == 0 || sel != nil && bits.Count(sel, base, base+n) > n/fewWanted {
		return d.gather(dst, s, n, arena, limit, sel, base)
	}
	var ends [atOnce]int32
	if !d.findSuffixes(ends[:n], s) {
		return d.gather(dst, s, n, arena, limit, sel, base)
	}
	return d.gatherFew(dst, s, ends[:n], arena, limit, sel, base)
}

// fewWanted: gatherFew takes over where at most one of so many values is wanted. Measured on URLs: where one of 16 passes,
// a scan takes 0.84 of its time with gather, where one of 100 does, 0.6. Larger shares were not measured.
const fewWanted = 8

// gatherFew is gather where all lengths are right and suffixes end at ends: it makes no values but the wanted ones and
// the last.
func (d *Prefixed) gatherFew(dst []bits.View, s *shares, ends []int32, arena []byte, limit int, sel []uint64, base int) (int, []byte, error) {
	n, kept, made := len(ends), 0, 0
	d.suffixes.at = int(ends[n-1])
	for at := next(sel, base, base+n); at < base+n; at = next(sel, at+1, base+n) {
		d.leap(s, ends, made, at-base)
		made = at - base + 1
		if len(d.last) > limit-len(arena) {
			return kept, arena, errLimit(d.suffixes.at)
		}
		dst[kept], arena = d.keep(d.last, arena)
		kept++
	}
	if made < n {
		d.leap(s, ends, made, n-1)
	}
	return kept, arena, nil
}

// findSuffixes stores where the next suffixes end. It returns false if a length is wrong.
func (d *Prefixed) findSuffixes(ends []int32, s *shares) bool {
	length, end, signs := int64(len(d.last)), int64(d.suffixes.at), int64(0)
	for i := range ends {
		prefix, suffix := int64(s.prefix[i]), int64(s.suffix[i])
		signs |= prefix | suffix | (length - prefix)
		length = prefix + suffix
		end += suffix
		ends[i] = int32(end)
	}
	return signs >= 0 && end <= int64(len(d.suffixes.body))
}

// leap makes value i out of the one before value from. It goes backwards: each value adds those bytes after its prefix
// that the values after it leave open.
//
//	from-1     ab|cdefg     the bytes that all others share
//	from       ab|xyz       y and z are not in value i
//	i          abx|12       "abx12"
func (d *Prefixed) leap(s *shares, ends []int32, from, i int) {
	open := int(s.prefix[i] + s.suffix[i])
	d.last = slices.Grow(d.last, max(0, open-len(d.last)))[:open]
	for ; i >= from && open > 0; i-- {
		if prefix := int(s.prefix[i]); prefix < open {
			copy(d.last[prefix:open], d.suffixes.body[ends[i]-s.suffix[i]:])
			open = prefix
		}
	}
}

// next is bits.Next; a nil sel has no bit set.
func next(sel []uint64, from, to int) int {
	if sel == nil {
		return to
	}
	return bits.Next(sel, from, to)
}

func errLimit(at int) error {
	return corrupt.At(at, "values of more bytes than the limit")
}
