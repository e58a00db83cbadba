package delta

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Match steps over n values and clears in sel the bit of each that does not match.
func (d *Strings) Match(sel []uint64, n int, m *encoding.Match) error {
	var lengths [atOnce]int32
	var at [65]int32
	texts := encoding.Texts{Body: d.body, At: &at}
	for i := 0; i < n; {
		got, size, err := d.next(lengths[:min(atOnce, n-i)])
		at[0] = int32(d.at)
		d.at += size
		for some := lengths[:got]; len(some) > 0; {
			part := some[:min(64, len(some))]
			some = some[len(part):]
			end := at[0]
			for j, length := range part {
				end += length
				at[j+1] = end
			}
			if w := bits.Extract(sel, i) & bits.Low(len(part)); w != 0 {
				bits.AndWord(sel, i, texts.Matching(w, m), len(part))
			}
			at[0] = end
			i += len(part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Match steps over n values and clears in sel the bit of each that does not match. It knows from one value what the
// prefix of the next one settles, and does not keep values.
func (d *Prefixed) Match(sel []uint64, n int, m *encoding.Match) error {
	var s shares
	var c encoding.Chain
	c.Start(m, d.last)
	for at := 0; at < n; {
		part, err := d.lengths(&s, min(atOnce, n-at))
		part, size, wrong := d.suffixes.sum(s.suffix[:part])
		length, valid := len(d.last), 0
		for valid < part && uint32(s.prefix[valid]) <= uint32(length) {
			length = int(s.prefix[valid] + s.suffix[valid])
			valid++
		}
		c.Enter(d.suffixes.body[:d.suffixes.at+size], d.suffixes.at)
		for i := 0; i < valid; i += 64 {
			end := min(i+64, valid)
			bits.AndWord(sel, at+i, c.Matching(s.prefix[i:end], s.suffix[i:end]), end-i)
		}
		d.last, d.suffixes.at = c.Last, c.At()
		switch {
		case valid < part:
			_, err = d.check(s.prefix[valid], s.suffix[valid], int64(length))
		case wrong != nil:
			err = wrong
		}
		if at += part; err != nil {
			return err
		}
	}
	return nil
}
