package bss

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Fixed decodes FIXED_LEN_BYTE_ARRAY to values back to back.
type Fixed struct{ streams }

// Reset starts on body, which holds at most n values of size bytes.
func (d *Fixed) Reset(body []byte, n, size int) error { return d.reset(body, n, size) }

// Next decodes the next len(dst)/size values, a whole number, and returns how many.
func (d *Fixed) Next(dst []byte) (int, error) {
	first, n, err := d.Take(len(dst) / max(d.size, 1))
	d.load(dst, first, n)
	return n, err
}

// load decodes n values from number first on. The caller has checked that they exist.
func (d *Fixed) load(dst []byte, first, n int) {
	if n > 0 {
		joinBytes(dst[:n*d.size], d.size, d.body[first:], d.Count)
	}
}

// Gather steps over n values and decodes those whose bit is set in sel. It
// returns their number.
func (d *Fixed) Gather(dst []byte, sel []uint64, n int) (int, error) {
	first, n, err := d.Take(n)
	kept := 0
	var room [block + bits.Spare]uint32
	for at, to := bits.NextRun(sel, 0, n); at < n; at, to = bits.NextRun(sel, to, n) {
		out := dst[kept*d.size:]
		if to-at >= long {
			d.load(out, first+at, to-at)
			kept += to - at
			continue
		}
		part := min(n-at, block)
		to = min(n, at+reach(part, bits.Count(sel, at, at+part)))
		places, ok := bits.Few(room[:], sel, at, to)
		if !ok {
			to = at + part
			places = bits.Positions(room[:], sel, at, to)
		}
		pickBytes(out, d.size, d.body[first:], d.Count, room[:places])
		kept += places
	}
	return kept, err
}

// long is the length from which a run of wanted values is decoded by itself, which takes 20 to 30 ns a run. Shorter ones are
// picked stream by stream. Measured for values of 2 to 32 bytes on AVX-512: runs of 16 gain 1.7 times by picking, runs of 64 nothing.
const long = 64

// pickBytes is pick4 for values of size bytes, stored back to back in dst.
func pickBytes(dst []byte, size int, src []byte, stride int, places []uint32) {
	dst = dst[:len(places)*size]
	k := 0
	for ; k+4 <= size; k += 4 {
		a, b, c, d := src[k*stride:], src[(k+1)*stride:], src[(k+2)*stride:], src[(k+3)*stride:]
		a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
		at := k
		for _, i := range places {
			binary.LittleEndian.PutUint32(dst[at:], four(a, b, c, d, i))
			at += size
		}
	}
	for ; k < size; k++ {
		stream := src[k*stride:]
		at := k
		for _, i := range places {
			dst[at] = stream[i]
			at += size
		}
	}
}
