package values

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
)

type stringDecoder[D any] interface {
	skipper[D]
	start(in *Input) error
	Next(dst []bits.View) (int, error)
	Gather(dst []bits.View, sel []uint64, n int) (int, error)
	valuePacker[bits.View]
	setBuffer(buffer int32)
	Match(sel []uint64, n int, m *encoding.Match) error
}

// byteArrays decodes BYTE_ARRAY to views into the page's body.
type byteArrays[D any, P stringDecoder[D]] struct {
	rewindable[D, P]
	body  []byte
	match encoding.Match // of the last Filter
}

func (d *byteArrays[D, P]) Reset(in *Input) error {
	d.body = in.Body
	return d.startAt0(P(&d.now).start(in))
}

func (d *byteArrays[D, P]) Next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	P(&d.now).setBuffer(useBuffer(dst, d.body))
	_, err := P(&d.now).Next(dst.Views[at : at+n])
	return err
}

func (d *byteArrays[D, P]) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	P(&d.now).setBuffer(useBuffer(dst, d.body))
	_, err := P(&d.now).Gather(dst.Views[at:], sel, n)
	return err
}

// Pack is Gather that decodes the values that are not wanted as well: the cost is in
// reading their lengths, which it cannot avoid.
func (d *byteArrays[D, P]) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	d.nowAt += n
	P(&d.now).setBuffer(useBuffer(dst, d.body))
	return true, packValues(P(&d.now), dst, views, at, sel, n)
}

func (d *byteArrays[D, P]) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	var known bool
	if d.match, known = matchOf(t); !known {
		return false, nil
	}
	d.nowAt += n
	return true, P(&d.now).Match(sel, n, &d.match)
}

// useBuffer returns the number of b among the buffers of v.
func useBuffer(v *vector.Vector, b []byte) int32 {
	if len(b) == 0 {
		return 0 // no view can point there
	}
	for i := len(v.Buffers) - 1; i >= 0; i-- {
		if o := v.Buffers[i]; len(o) == len(b) && &o[0] == &b[0] {
			return int32(i)
		}
	}
	return build.AddBuffer(v, b)
}

// plainStrings and deltaStrings give the decoders of strings the same methods.
type (
	plainStrings struct{ plain.Strings }
	deltaStrings struct{ delta.Strings }
)

func (s *plainStrings) start(in *Input) error {
	s.Cold = in.Cold
	return s.Reset(in.Body, in.N)
}

func (s *deltaStrings) start(in *Input) error { return s.Reset(in.Body, in.N) }

func (s *plainStrings) setBuffer(buffer int32) { s.Buffer = buffer }
func (s *deltaStrings) setBuffer(buffer int32) { s.Buffer = buffer }

// matchOf returns a test as decoders of strings run it; it is not ok if they cannot.
//
//every:predicate string match but Never Set Like Codes Null Func (tested decoded)
func matchOf(t *pred.Test) (m encoding.Match, ok bool) {
	switch t.Kind {
	case pred.Range:
		if least, most, ok := t.Decimals(); ok {
			return encoding.IsDecimal(least, most), true
		}
		lo, hi, ok := t.Bytes()
		return encoding.InRange(lo, hi), ok
	case pred.Equal:
		return encoding.IsEqual(t.Text), true
	case pred.Prefix:
		return encoding.HasPrefix(t.Text), true
	case pred.Suffix:
		return encoding.HasSuffix(t.Text), true
	case pred.Contains:
		return encoding.Contains(t.Text), true
	}
	return m, false
}

// CopyViews copies views, given with the buffers they point into, to slots of dst from
// at on, and the strings to memory of bodies: then a few strings do not keep a page.
// The prefix in a view becomes that of the copy, for a page that is mapped may have
// changed since.
func CopyViews(dst *vector.Vector, at int, views []bits.View, buffers [][]byte, bodies *Bodies) {
	size := 0
	for i := range views { // no branch on which are long: it could not be predicted
		n := views[i].Len()
		size += n & int(int64(bits.MaxInline-n)>>63)
	}
	out := dst.Views[at:][:len(views)]
	copy(out, views)
	if size == 0 {
		return
	}
	arena := bodies.Get(size)
	if arena == nil {
		arena = make([]byte, 0, size)
	}
	buffer, end := int32(len(dst.Buffers)), 0
	to := arena[:cap(arena)]
	for i := range out {
		v := &out[i]
		n := v.Len()
		if n <= bits.MaxInline {
			continue
		}
		from, offset := v.Ref()
		source, room := buffers[from][offset:], to[end:]
		copyShort(room, source, n)
		*v = bits.RefWords(n, binary.LittleEndian.Uint32(room), buffer, int32(end))
		end += n
	}
	arena = to[:end]
	build.AddBuffer(dst, arena)
	bodies.Lend(arena, 0, false)
	bodies.Leave(arena) // it is the vector's alone
}

// copyShort copies n bytes, and may copy some more: most strings are short, and copied
// faster than a call of memmove looks at their length.
func copyShort(to, from []byte, n int) {
	const short = 48
	if n > short || len(to) < short || len(from) < short {
		copy(to[:n], from[:n])
		return
	}
	t, f := (*[short]byte)(to), (*[short]byte)(from) // moved 16 bytes at a time, through a register
	*(*[16]byte)(t[0:16]) = *(*[16]byte)(f[0:16])
	*(*[16]byte)(t[16:32]) = *(*[16]byte)(f[16:32])
	*(*[16]byte)(t[32:48]) = *(*[16]byte)(f[32:48])
}

// moveViews copies views, given with the buffers they point into, to slots of dst from
// at on, and adds the buffers to those of dst.
func moveViews(dst *vector.Vector, at int, views []bits.View, buffers [][]byte) {
	out := dst.Views[at:][:len(views)]
	copy(out, views)
	switch len(buffers) {
	case 0: // all are inline
		return
	case 1:
		if b := useBuffer(dst, buffers[0]); b != 0 {
			bits.MoveAll(out, b)
		}
		return
	}
	for i := range out {
		if !out[i].IsInline() {
			buffer, offset := out[i].Ref()
			out[i] = out[i].Moved(useBuffer(dst, buffers[buffer]), offset)
		}
	}
}
