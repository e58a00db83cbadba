package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Match steps over n values and clears in sel the bit of each that does not match.
func (d *Strings) Match(sel []uint64, n int, m *encoding.Match) (err error) {
	n, short := d.take(n)
	var list places
	for i := 0; i < n; {
		if i, err = d.skipUnselected(sel, i, n); err != nil || i == n {
			break
		}
		got, err := d.places(&list, n-i, m.ReadsAll())
		if err != nil {
			return err
		}
		for k := 0; k < got; k += 64 {
			part := min(64, got-k)
			if w := bits.Extract(sel, i+k) & bits.Low(part); w != 0 {
				texts := encoding.Texts{Body: d.body, At: (*[65]int32)(list[k:]), Gap: 4}
				bits.AndWord(sel, i+k, texts.Matching(w, m), part)
			}
		}
		i += got
	}
	if err == nil {
		err = short
	}
	return err
}
