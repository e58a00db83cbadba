package plain

import (
	"encoding/binary"
	"math"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Strings decodes BYTE_ARRAY to views into the body. The next value is found only by
// way of the one before.
type Strings struct {
	// Buffer is the index of the body among the caller's buffers, for the views. It may be
	// changed between calls.
	Buffer int32
	// Cold says that the body is in no cache.
	Cold bool

	body []byte
	at   int  // where the next value's length is: 0 <= at <= len(body)
	left int  // an upper bound of the values left
	warm int  // how many bytes of the body are prefetched
	seen byte // a sum of bytes read to load their lines: unused, but the compiler must not drop the loads

	average int // bytes of a value, of the last ones that were passed; 0: not known
	missed  int // how often a leap was bad
}

// places are where values begin, and where the last of them ends: value i is at
// [places[i]+4, places[i+1]). There is room for as many values as a leap passes.
type places [leapt + 65]int32

// Reset starts on body, which holds at most n values.
func (d *Strings) Reset(body []byte, n int) error {
	d.body, d.at, d.left, d.warm, d.average, d.missed = body, 0, n, 0, 0, 0
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

// take returns n, or an error and the number of values left if there are fewer.
func (d *Strings) take(n int) (int, error) {
	if n > d.left {
		return d.left, corrupt.At(d.at, "values end, wanted were ", n-d.left, " more")
	}
	return n, nil
}

// ahead is how far memory is prefetched. The next value is found only by the length of
// this one, and each length of long values is in another cache line: the machine, which
// sees no pattern, would wait for every one. Not measured with neighbours.
const ahead = 8 << 10

// fetch prefetches the memory from byte at on, if that was not done yet.
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

// Pack is Gather for selections with many wanted values: it makes views of all n. dst must
// have room for n.
func (d *Strings) Pack(dst []bits.View, sel []uint64, n int) (int, error) { return d.keep(dst, sel, n) }

// keep decodes the next n values and keeps those whose bits are set in sel, all if sel is nil.
func (d *Strings) keep(dst []bits.View, sel []uint64, n int) (kept int, err error) {
	n, err = d.take(n)
	at, i, w := d.at, 0, ^uint64(0)
	for InPlace && i < n {
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

// nextViews decodes len(dst) <= 64 values from byte at of body on and keeps those whose
// bits in w are set. It returns where it ended, how many values it decoded, and how many
// it kept. It stops near the end, where 16 bytes cannot be loaded, and before a value that
// does not fit. It has no branch on a length or a bit: the time goes to loading one length
// after the other, in which views that are not wanted cost nothing.
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

// viewsAt makes views of the values with numbers places[k]-first of list, which has the
// place of each value and the end of the last one. It takes lengths from list, where they
// were checked: the body may have changed. It has no branch on a length, since short and
// long values alternate at random.
func viewsAt(dst []bits.View, places []uint32, first int, list []int32, body []byte, buffer int32) {
	ref := uint64(uint32(buffer))
	dst = dst[:len(places)]
	ends := list[1:]
	starts := list[:len(ends)]
	for k, p := range places {
		i := int(p) - first
		start, end := starts[i], ends[i]
		at := int(start)
		if !InPlace || at > len(body)-wholeView {
			dst[k] = bits.Make(body[at+4:end], buffer, start+4)
			continue
		}
		b := (*[wholeView]byte)(body[at:])
		dst[k] = viewOf(b, uint32(end-start-4), ref|uint64(at+4)<<32)
	}
}

// wholeView is how many bytes a view is made from: a length, and the most that are inline.
const wholeView = 4 + bits.MaxInline

// viewOf returns the view of a value of this length. b is the length and the first bytes of the value, ref its place.
func viewOf(b *[wholeView]byte, length uint32, ref uint64) bits.View {
	long := uint32(int32(bits.MaxInline-length) >> 31) // all ones if the value is not inline
	m := &masks[(length|long)%uint32(len(masks))]
	return bits.InlineWords(int(length), binary.LittleEndian.Uint32(b[4:])&m.first, binary.LittleEndian.Uint64(b[8:])&m.rest|ref&m.ref)
}

// mask selects the bytes of a view: of the 12 bytes after a length, and of ref, which has buffer and offset.
type mask struct {
	first     uint32
	rest, ref uint64
}

// masks has a mask for each inline length; entry 15 is for all longer values. There are 16, so that four bits index it without a check.
var masks = [16]mask{
	{0, 0, 0}, {1<<8 - 1, 0, 0}, {1<<16 - 1, 0, 0}, {1<<24 - 1, 0, 0}, {1<<32 - 1, 0, 0},
	{1<<32 - 1, 1<<8 - 1, 0}, {1<<32 - 1, 1<<16 - 1, 0}, {1<<32 - 1, 1<<24 - 1, 0}, {1<<32 - 1, 1<<32 - 1, 0},
	{1<<32 - 1, 1<<40 - 1, 0}, {1<<32 - 1, 1<<48 - 1, 0}, {1<<32 - 1, 1<<56 - 1, 0}, {1<<32 - 1, 1<<64 - 1, 0},
	15: {1<<32 - 1, 0, 1<<64 - 1},
}

// step returns where the value at byte at ends, or -1 if that is beyond body.
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

// Skip steps over alike values at once if their lengths are equal: it loads the lengths
// from where they would be then, and compares. If they differ, it goes through the next
// oneByOne values. Not measured with neighbours.
const (
	alike    = 8
	oneByOne = 56
)

// strideOf returns the number of bytes from one value to the next if the alike values
// from byte at of body on are of one length, else 0.
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
	for i := 0; i < n; {
		part := 1
		if n-i >= alike {
			if stride := strideOf(d.body, at); stride != 0 {
				d.fetch(at)
				at += stride * alike
				i += alike
				continue
			}
			if i > 0 && n-i >= leapt && d.missed < misses {
				if end, got, good := d.leapOver(nil, at, (at-d.at)/i, n-i, false); good {
					at, i = end, i+got
					continue
				}
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
	if n > 0 {
		d.pass(at, n)
	}
	return err
}

// places steps over at most n values, which are left, and fills list with the place of each and
// the end of the last one. It returns how many values these are: 0 only with an error, of the
// next value. all says that all bytes of the values will be looked at.
func (d *Strings) places(list *places, n int, all bool) (int, error) {
	if n >= leapt && d.average > 0 && d.missed < misses {
		if end, got, _ := d.leapOver(list[:leapt+1], d.at, d.average, leapt, all); got > 0 {
			return d.pass(end, got), nil
		}
	}
	at := d.at
	d.fetch(at)
	n = min(n, 64)
	for i := range n {
		list[i] = int32(at)
		end := step(d.body, at)
		if end < 0 {
			if i == 0 {
				return 0, d.short(at)
			}
			n = i
			break
		}
		at = end
	}
	list[n] = int32(at)
	return d.pass(at, n), nil
}

// pass notes that the next n values, at least one, were passed and end at byte at. It returns n.
func (d *Strings) pass(at, n int) int {
	d.average = (at - d.at) / n
	d.at, d.left = at, d.left-n
	return n
}

// skipUnselected skips the values from i on up to the first in sel, or up to n, if they are as many
// as a leap passes, or all. It returns where it came to.
func (d *Strings) skipUnselected(sel []uint64, i, n int) (int, error) {
	next := bits.Next(sel, i, n)
	if next-i < leapt && next < n {
		return i, nil
	}
	return next, d.Skip(next - i)
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Strings) Gather(dst []bits.View, sel []uint64, n int) (kept int, err error) {
	n, short := d.take(n)
	var list places
	var room [leapt + bits.Spare]uint32
	for i := 0; i < n; {
		if i, err = d.skipUnselected(sel, i, n); err != nil || i == n {
			break
		}
		got, err := d.places(&list, n-i, false)
		if err != nil {
			return kept, err
		}
		wanted := room[:bits.Positions(room[:], sel, i, i+got)]
		viewsAt(dst[kept:], wanted, i, list[:got+1], d.body, d.Buffer)
		kept += len(wanted)
		i += got
	}
	if err == nil {
		err = short
	}
	return kept, err
}
