package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Match steps over n values and clears in sel the bit of each that does not match.
func (d *Strings) Match(sel []uint64, n int, m *encoding.Match) error {
	n, short := d.take(n)
	texts := encoding.Texts{Body: d.body, At: &d.spans, Gap: 4}
	for i := 0; i < n; i += 64 {
		part := min(64, n-i)
		w := sel[i/64] & bits.Low(part)
		if w == 0 {
			if err := d.Skip(part); err != nil {
				return err
			}
			continue
		}
		if _, err := d.walk(part); err != nil {
			return err
		}
		bits.AndWord(sel, i, texts.Matching(w, m), part)
	}
	return short
}
