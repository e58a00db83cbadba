package rle

// shortRepeat is the length up to which repeated runs are looked up together with others. Not measured with neighbours.
const shortRepeat = 64

// Lookup decodes the next len(dst) values through their dictionary; fewer only
// with an error. The dictionary holds at least as many entries as d's limit.
func Lookup[T any](d *Codes, dst, dictionary []T) (int, error) {
	dictionary = dictionary[:d.limit]
	codes := &d.space().codes
	short := true // assume short runs until a long one is met
	done, narrow := 0, narrowUpTo[T](d, false)
	for fast := true; done < len(dst); {
		if n := lookupNarrow(d, dst[done:], dictionary, narrow); n > 0 {
			done += n
			continue
		}
		if fast {
			var n int
			if n, fast = lookupRuns(d, dst[done:], dictionary); n > 0 {
				done += n
				continue
			}
		}
		if short && d.left == 0 {
			if n := d.shortCodes(codes[:min(len(dst)-done, block)], shortRepeat, block); n > 0 {
				translate(dst[done:], codes[:n], dictionary)
				done += n
				continue
			}
		}
		n, first, err := d.take(min(len(dst)-done, block))
		if err != nil {
			return done, err
		}
		short = n <= shortRepeat
		if !d.packed {
			if d.value >= d.limit {
				return done, d.tooBig(d.value)
			}
			fill(dst[done:][:n], dictionary[d.value])
			done += n
			continue
		}
		some := codes[:n]
		d.unpack(some, first)
		bad := d.firstBad(some)
		if bad >= 0 {
			some = some[:bad]
		}
		translate(dst[done:], some, dictionary)
		done += len(some)
		if bad >= 0 {
			return done, d.tooBig(codes[bad])
		}
	}
	return done, nil
}

// LookupSelected steps over n values and decodes those whose bit is set in sel
// through their dictionary.
func LookupSelected[T any](d *Codes, dst, dictionary []T, sel []uint64, n int) (int, error) {
	dictionary = dictionary[:d.limit]
	one := func(code uint32) T { return dictionary[code] }
	return selected(d, dst, sel, n, one, func(dst []T, codes []uint32) { translate(dst, codes, dictionary) })
}
