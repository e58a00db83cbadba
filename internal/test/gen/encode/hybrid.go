package encode

import "encoding/binary"

// A Run is one run of the RLE / bit-packing hybrid. If Repeat is not 0 (or
// Packed is nil) it is an RLE run, else a bit-packed run.
type Run struct {
	Repeat int    // length of the RLE run; 0 with a nil Packed gives the illegal run of length 0
	Value  uint32 // the repeated value

	// Packed holds the values of a bit-packed run. They are padded with Fill
	// to a multiple of 8, for that is what the header can say.
	Packed []uint32
	Fill   uint32
	Groups int // number of groups of 8 that the header claims; 0 means as many as Packed fills
	Cut    int // bytes left out at the end of the run, as some writers do in a page's last group
}

// Hybrid appends values as runs in the way common writers choose them: 8 or
// more equal values from the border of a group on become an RLE run, all else
// is packed in groups of 8.
func Hybrid(dst []byte, width int, v []uint32) []byte {
	return HybridRuns(dst, width, ChooseRuns(v))
}

// ChooseRuns divides v into runs in the way of Hybrid.
func ChooseRuns(v []uint32) []Run {
	var runs []Run
	var packed []uint32
	flush := func() {
		if len(packed) > 0 {
			runs = append(runs, Run{Packed: packed})
			packed = nil
		}
	}
	for len(v) > 0 {
		n := 1
		for n < len(v) && v[n] == v[0] {
			n++
		}
		if n >= 8 {
			flush()
			runs = append(runs, Run{Repeat: n, Value: v[0]})
			v = v[n:]
			continue
		}
		n = min(8, len(v))
		packed = append(packed, v[:n]...)
		v = v[n:]
	}
	flush()
	return runs
}

// HybridRuns appends exactly these runs.
func HybridRuns(dst []byte, width int, runs []Run) []byte {
	if width < 0 || width > 32 {
		panic("encode: bit width is not 0 to 32")
	}
	for _, r := range runs {
		if r.Repeat != 0 || r.Packed == nil {
			dst = binary.AppendUvarint(dst, uint64(r.Repeat)<<1)
			value := fit(uint64(r.Value), width)
			for i := 0; i < width; i += 8 {
				dst = append(dst, byte(value>>i))
			}
			continue
		}
		packed := append([]uint32(nil), r.Packed...)
		for len(packed)%8 != 0 {
			packed = append(packed, r.Fill)
		}
		groups := r.Groups
		if groups == 0 {
			groups = len(packed) / 8
		}
		dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
		dst = BitPackedLSB(dst, width, packed)
		dst = dst[:len(dst)-r.Cut]
	}
	return dst
}
