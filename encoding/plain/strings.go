package plain

import (
	"encoding/binary"
	"math"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Strings decodes BYTE_ARRAY to views into the body. The next value is known
// only by walking over the one before.
type Strings struct {
	// Buffer is what the views say that they point into: the place of the body
	// among the caller's buffers. It may be changed between calls.
	Buffer int32
	// Cold says that the body is in no cache yet.
	Cold bool

	body []byte
	at   int  // the length of the next value: 0 <= at <= len(body)
	left int  // values that there may still be
	warm int  // bytes up to which memory was asked for
	seen byte // of that: what is read for nothing must be of use

	spans [65]int32 // of up to 64 values that walk stepped over: value i is at [spans[i]+4, spans[i+1])
}

// Reset starts on body, which holds at most n values.
func (d *Strings) Reset(body []byte, n int) error {
	d.body, d.at, d.left, d.warm = body, 0, n, 0
	if len(body) > math.MaxInt32 {
		d.left = 0
		return corrupt.At(-1, "page body of ", len(body), " bytes")
	}
	return nil
}

// short is the error for a value at byte at that does not fit.
func (d *Strings) short(at int) error {
	if len(d.body)-at < 4 {
		return corrupt.At(at, "values end early")
	}
	return corrupt.At(at, "value of ", binary.LittleEndian.Uint32(d.body[at:]), " bytes, the page holds ", len(d.body)-at-4)
}

// take bounds n by the number of values.
func (d *Strings) take(n int) (int, error) {
	if n > d.left {
		return d.left, corrupt.At(d.at, "values end, wanted were ", n-d.left, " more")
	}
	return n, nil
}

// ahead is how far memory is asked for before it is read. The next value is
// known only from the length of this one, and where values are long each length
// is in another cache line: the machine, which sees no pattern, would wait for
// every one.
const ahead = 8 << 10

// fetch asks for the memory from byte at on, if it has not yet.
func (d *Strings) fetch(at int) {
	if at > d.warm-ahead {
		d.fetchMore(at)
	}
}

func (d *Strings) fetchMore(at int) {
	to := at + min(2*ahead, len(d.body)-at)
	prefetch(d.body[min(max(d.warm, at), to):to])
	if d.warm = to; to == len(d.body) {
		d.warm = math.MaxInt
	}
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Strings) Next(dst []bits.View) (int, error) { return d.keep(dst, nil, len(dst)) }

// Keep is Gather where many are wanted: views of all n values are made. There must
// be room in dst for as many.
func (d *Strings) Keep(dst []bits.View, sel []uint64, n int) (int, error) { return d.keep(dst, sel, n) }

// keep decodes those of the next n values whose bits are set, all if sel is nil.
func (d *Strings) keep(dst []bits.View, sel []uint64, n int) (kept int, err error) {
	n, err = d.take(n)
	at, i, w := d.at, 0, ^uint64(0)
	for littleEndian && i < n {
		d.fetch(at)
		if sel != nil {
			w = sel[i/64]
		}
		to, made, some := nextViews(dst[kept:][:min(64, n-i)], w, d.body, at, d.Buffer)
		at, kept, i = to, kept+some, i+made
		if made < 64 {
			break
		}
	}
	w = mathbits.RotateLeft64(w, -i)
	for ; i < n; i++ {
		if i%64 == 0 && sel != nil {
			w = sel[i/64]
		}
		end := step(d.body, at)
		if end < 0 {
			n, err = i, d.short(at)
			break
		}
		dst[kept] = bits.Make(d.body[at+4:end], d.Buffer, int32(at+4))
		kept += int(w & 1)
		w = mathbits.RotateLeft64(w, -1)
		at = end
	}
	d.at, d.left = at, d.left-n
	return kept, err
}

// nextViews decodes len(dst) <= 64 values from byte at of body on and keeps those
// whose bits in w are set. It returns how many values it decoded and kept. It stops
// near the end, where 16 bytes cannot be loaded, and before a value that does not
// fit. It has no branch on a length or a bit: what takes time is that each length
// must be loaded before the next one can be, and meanwhile a view is made for nothing.
func nextViews(dst []bits.View, w uint64, body []byte, at int, buffer int32) (end, n, kept int) {
	ref := uint64(uint32(buffer))
	for i := range dst {
		if at > len(body)-wholeView {
			return at, i, kept
		}
		b := (*[wholeView]byte)(body[at:])
		length := binary.LittleEndian.Uint32(b[:])
		at += 4
		if uint(length) > uint(len(body)-at) {
			return at - 4, i, kept
		}
		dst[kept] = viewOf(b, length, ref|uint64(at)<<32)
		kept += int(w & 1)
		w >>= 1
		at += int(length)
	}
	return at, len(dst), kept
}

// viewsAt makes views of the values number places[k]-first of list, which has where each begins
// and the last one ends. Lengths are those of list, which were checked: the body may have others
// by now. Here, too, no branch asks for a length: short and long values are told apart wrongly as
// often as they differ.
func viewsAt(dst []bits.View, places []uint32, first int, list []int32, body []byte, buffer int32) {
	ref := uint64(uint32(buffer))
	dst = dst[:len(places)]
	ends := list[1:]
	starts := list[:len(ends)]
	for k, p := range places {
		i := int(p) - first
		start, end := starts[i], ends[i]
		at := int(start)
		if !littleEndian || at > len(body)-wholeView {
			dst[k] = bits.Make(body[at+4:end], buffer, start+4)
			continue
		}
		b := (*[wholeView]byte)(body[at:])
		dst[k] = viewOf(b, uint32(end-start-4), ref|uint64(at+4)<<32)
	}
}

// wholeView is how many bytes a view is made of: a length, and as many as are inline.
const wholeView = 4 + bits.MaxInline

// viewOf returns the view of a value of some length that begins with b, or stands at ref.
func viewOf(b *[wholeView]byte, length uint32, ref uint64) bits.View {
	long := uint32(int32(bits.MaxInline-length) >> 31) // all ones if it is
	m := &masks[(length|long)%uint32(len(masks))]
	return bits.InlineWords(int(length), binary.LittleEndian.Uint32(b[4:])&m.first, binary.LittleEndian.Uint64(b[8:])&m.rest|ref&m.ref)
}

// mask says what of the 12 bytes after a length, and of buffer and offset, a view has.
type mask struct {
	first     uint32
	rest, ref uint64
}

// The last entry is for all that are too long to be inline. There are 16, as many as four bits can ask for.
var masks = [16]mask{
	{0, 0, 0}, {1<<8 - 1, 0, 0}, {1<<16 - 1, 0, 0}, {1<<24 - 1, 0, 0}, {1<<32 - 1, 0, 0},
	{1<<32 - 1, 1<<8 - 1, 0}, {1<<32 - 1, 1<<16 - 1, 0}, {1<<32 - 1, 1<<24 - 1, 0}, {1<<32 - 1, 1<<32 - 1, 0},
	{1<<32 - 1, 1<<40 - 1, 0}, {1<<32 - 1, 1<<48 - 1, 0}, {1<<32 - 1, 1<<56 - 1, 0}, {1<<32 - 1, 1<<64 - 1, 0},
	15: {1<<32 - 1, 0, 1<<64 - 1},
}

// step returns where the value at byte at ends, or -1 if that is not within body.
func step(body []byte, at int) int {
	if at > len(body)-4 {
		return -1
	}
	length := binary.LittleEndian.Uint32(body[at:])
	if uint(length) > uint(len(body)-at-4) {
		return -1
	}
	return at + 4 + int(length)
}

// alike values, one after the other, Skip steps over at once. It loads their
// lengths where they are if all have the length of the first, and compares.
// Where they differ, it goes through the next oneByOne values.
const (
	alike    = 8
	oneByOne = 56
)

// strideOf returns the bytes from one value to the next if the values from
// byte at of body on are alike, else 0.
func strideOf(body []byte, at int) int {
	if at > len(body)-4 {
		return 0
	}
	b := body[at:]
	length := binary.LittleEndian.Uint32(b)
	if uint(length) > uint(len(b))/alike {
		return 0
	}
	stride := int(length) + 4
	if stride*alike > len(b) {
		return 0
	}
	b = b[:stride*alike]
	different := uint32(0)
	for i := stride; i <= len(b)-4; i += stride {
		different |= binary.LittleEndian.Uint32(b[i:]) ^ length
	}
	if different != 0 {
		return 0
	}
	return stride
}

// Skip steps over n values.
func (d *Strings) Skip(n int) error {
	n, err := d.take(n)
	at := d.at
	missed := 0
	for i := 0; i < n; {
		part := 1
		if n-i >= alike {
			if stride := strideOf(d.body, at); stride != 0 {
				d.fetch(at)
				at += stride * alike
				i += alike
				continue
			}
			if i > 0 && n-i >= leapt && missed < misses {
				average := (at - d.at) / i
				d.fetchLeap(at, average, n-i)
				if end, got, good := hop(d.body, at, average, n-i); good {
					at, i = end, i+got
					continue
				}
				missed++
			}
			part = min(oneByOne, n-i)
		}
		d.fetch(at)
		for ; part > 0; part-- {
			end := step(d.body, at)
			if end < 0 {
				d.at, d.left = at, d.left-i
				return d.short(at)
			}
			at = end
			i++
		}
	}
	d.at, d.left = at, d.left-n
	return err
}

func (d *Strings) value(i int) []byte { return d.body[d.spans[i]+4 : d.spans[i+1]] }

// walk steps over n <= 64 values and notes where they are.
func (d *Strings) walk(n int) (int, error) {
	at := d.at
	d.fetch(at)
	var err error
	for i := range n {
		d.spans[i&63] = int32(at)
		end := step(d.body, at)
		if end < 0 {
			n, err = i, d.short(at)
			break
		}
		at = end
	}
	d.spans[n] = int32(at)
	d.at, d.left = at, d.left-n
	return n, err
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Strings) Gather(dst []bits.View, sel []uint64, n int) (int, error) {
	n, short := d.take(n)
	start, kept, missed := d.at, 0, 0
	for i := 0; i < n; {
		if i > 0 && n-i >= leapt && missed < misses {
			average := (d.at - start) / i
			got, made, good := d.gatherLeap(dst[kept:], sel, i, n-i, average)
			i, kept = i+got, kept+made
			if good {
				continue
			}
			missed++
		}
		part := min(64, n-i)
		w := bits.Extract(sel, i) & bits.Low(part)
		if w == 0 {
			if err := d.Skip(part); err != nil {
				return kept, err
			}
			i += part
			continue
		}
		got, err := d.walk(part)
		for w &= bits.Low(got); w != 0; w &= w - 1 {
			j := mathbits.TrailingZeros64(w)
			dst[kept] = bits.Make(d.value(j), d.Buffer, d.spans[j]+4)
			kept++
		}
		if err != nil {
			return kept, err
		}
		i += part
	}
	return kept, short
}
