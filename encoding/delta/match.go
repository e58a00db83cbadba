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
