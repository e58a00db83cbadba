package rle

import (
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Lookup decodes the next len(dst) values through their dictionary; fewer only
// with an error. The dictionary holds at least as many entries as d's limit.
func Lookup[T any](d *Codes, dst, dictionary []T) (int, error) {
	dictionary = dictionary[:d.limit]
	var codes [block]uint32
	done := 0
	for done < len(dst) {
		r, err := d.NextRun(len(dst) - done)
		if err != nil {
			return done, err
		}
		if r.Packed == nil {
			if r.Value >= d.limit {
				return done, d.tooBig(r.Value)
			}
			fill(dst[done:][:r.N], dictionary[r.Value])
			done += r.N
			continue
		}
		for i := 0; i < r.N; i += block {
			some := codes[:min(block, r.N-i)]
			r.unpack(some, i, d.width)
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
	}
	return done, nil
}

// LookupSelected steps over n values and decodes those whose bit is set in sel
// through their dictionary.
func LookupSelected[T any](d *Codes, dst, dictionary []T, sel []uint64, n int) (int, error) {
	dictionary = dictionary[:d.limit]
	var codes, positions [block]uint32
	kept := 0
	for at := 0; at < n; {
		r, err := d.NextRun(n - at)
		if err != nil {
			return kept, err
		}
		if r.Packed == nil {
			count := bits.Count(sel, at, at+r.N)
			if count > 0 {
				if r.Value >= d.limit {
					return kept, d.tooBig(r.Value)
				}
				fill(dst[kept:][:count], dictionary[r.Value])
				kept += count
			}
			at += r.N
			continue
		}
		for i := 0; i < r.N; i += block {
			m := min(block, r.N-i)
			count := bits.Positions(positions[:], sel, at+i, at+i+m)
			some := codes[:count]
			r.pick(some, positions[:count], at, i, m, d.width)
			bad := d.firstBad(some)
			if bad >= 0 {
				some = some[:bad]
			}
			translate(dst[kept:], some, dictionary)
			kept += len(some)
			if bad >= 0 {
				return kept, d.tooBig(codes[bad])
			}
		}
		at += r.N
	}
	return kept, nil
}

// translate replaces codes, all of them below len(dictionary), by their entries.
func translate[T any](dst []T, codes []uint32, dictionary []T) {
	dst = dst[:len(codes)]
	for len(codes) >= 4 {
		c := codes[:4:4]
		out := dst[:4:4]
		out[0] = dictionary[c[0]]
		out[1] = dictionary[c[1]]
		out[2] = dictionary[c[2]]
		out[3] = dictionary[c[3]]
		codes, dst = codes[4:], dst[4:]
	}
	for i, c := range codes {
		dst[i] = dictionary[c]
	}
}
