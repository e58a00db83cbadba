package hostile

import (
	"math/bits"

	"github.com/winnow-scan/winnow/encoding/alp"
	view "github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/bss"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

const (
	// window is how many values are decoded at once: memory must not hang on
	// how many a page claims to have.
	window = 256
	// most is how many values of a page are decoded. The rest is skipped: few
	// bytes may honestly hold two billion values.
	most = 4096
)

// decode decodes the levels and values of a page. Where the page was cut short
// an error is no news.
func (r *reader) decode(c *scanner.Chunk, h *thrift.PageHeader, parts page.BodyParts, whole bool) {
	before := r.err
	if h.Type == thrift.DictionaryPage {
		r.entries = h.NumValues
		r.plain(c, parts.Values, int(h.NumValues))
	} else if n, err := levels(c, h, parts); err != nil {
		r.note(err)
	} else {
		r.decodeValues(c, h.Encoding, parts.Values, n)
	}
	if !whole {
		r.err = before
	}
}

// levels walks over a page's levels and counts the values that are there.
func levels(c *scanner.Chunk, h *thrift.PageHeader, parts page.BodyParts) (int, error) {
	n := int(h.NumValues)
	for _, l := range []struct {
		body     []byte
		most     int
		encoding thrift.Encoding
	}{{parts.Repetition, c.Leaf.MaxRep, h.RepetitionEncoding}, {parts.Definition, c.Leaf.MaxDef, h.DefinitionEncoding}} {
		if l.most == 0 || l.most > 255 {
			continue
		}
		var d rle.Levels
		reset := d.Reset
		if h.Type == thrift.DataPage && l.encoding == thrift.EncodingBitPacked {
			reset = d.ResetBitPacked
		}
		if err := reset(l.body, uint8(l.most), int(h.NumValues)); err != nil {
			return 0, err
		}
		var err error
		if n, err = d.Count(int(h.NumValues), uint8(l.most)); err != nil {
			return 0, err
		}
	}
	if c.Leaf.MaxDef == 0 {
		n = int(h.NumValues)
	}
	return n, nil
}

//every:encoding hostile reader but BIT_PACKED (levels only)
func (r *reader) decodeValues(c *scanner.Chunk, e thrift.Encoding, body []byte, n int) {
	t := thrift.Type(c.Meta.Type)
	switch e {
	case thrift.EncodingPlain:
		r.plain(c, body, n)
	case thrift.EncodingRLE:
		var d rle.Bools
		r.note(d.Reset(body, n))
		all[bool](r, decodetest.Bools{BitDecoder: &d}, n)
	case thrift.EncodingRLEDictionary, thrift.EncodingPlainDictionary:
		var d rle.Codes
		if err := d.ResetIndices(body, uint32(r.entries), n); err != nil {
			r.note(err)
			return
		}
		all[uint32](r, &d, n)
	case thrift.EncodingDeltaBinaryPacked:
		if t == thrift.TypeInt32 {
			var d delta.Ints[int32]
			r.note(d.Reset(body, n))
			all[int32](r, &d, n)
		} else {
			var d delta.Ints[int64]
			r.note(d.Reset(body, n))
			all[int64](r, &d, n)
		}
	case thrift.EncodingDeltaLengthByteArray:
		var d delta.Strings
		r.note(d.Reset(body, n))
		all[view.View](r, &d, n)
	case thrift.EncodingDeltaByteArray:
		var d delta.Prefixed
		r.note(d.Reset(body, n))
		all[view.View](r, &arena{d: &d}, n)
	case thrift.EncodingALP:
		if t == thrift.TypeFloat {
			var d alp.Numbers[float32]
			r.note(d.Reset(body, n))
			all[float32](r, &d, n)
		} else {
			var d alp.Numbers[float64]
			r.note(d.Reset(body, n))
			all[float64](r, &d, n)
		}
	case thrift.EncodingByteStreamSplit:
		switch t {
		case thrift.TypeInt32:
			split[int32](r, body, n)
		case thrift.TypeInt64:
			split[int64](r, body, n)
		case thrift.TypeFloat:
			split[float32](r, body, n)
		case thrift.TypeDouble:
			split[float64](r, body, n)
		case thrift.TypeFixedLenByteArray:
			var d bss.Fixed
			fixed(r, &d, body, n, int(c.Leaf.Type.Length))
		}
	}
}

func (r *reader) plain(c *scanner.Chunk, body []byte, n int) {
	switch thrift.Type(c.Meta.Type) {
	case thrift.TypeBoolean:
		var d plain.Bools
		r.note(d.Reset(body, n))
		all[bool](r, decodetest.Bools{BitDecoder: &d}, n)
	case thrift.TypeInt32:
		numbers[int32](r, body, n)
	case thrift.TypeInt64:
		numbers[int64](r, body, n)
	case thrift.TypeInt96:
		var d plain.Fixed
		fixed(r, &d, body, n, 12)
	case thrift.TypeFloat:
		numbers[float32](r, body, n)
	case thrift.TypeDouble:
		numbers[float64](r, body, n)
	case thrift.TypeByteArray:
		var d plain.Strings
		r.note(d.Reset(body, n))
		all[view.View](r, &d, n)
	case thrift.TypeFixedLenByteArray:
		var d plain.Fixed
		fixed(r, &d, body, n, int(c.Leaf.Type.Length))
	}
}

func numbers[T int32 | int64 | float32 | float64](r *reader, body []byte, n int) {
	var d plain.Numbers[T]
	r.note(d.Reset(body, n))
	all[T](r, &d, n)
}

func split[T int32 | int64 | float32 | float64](r *reader, body []byte, n int) {
	var d bss.Numbers[T]
	r.note(d.Reset(body, n))
	all[T](r, &d, n)
}

// A decoder of T, as package encoding describes it.
type decoder[T any] interface {
	Next(dst []T) (int, error)
	Skip(n int) error
	Gather(dst []T, sel []uint64, n int) (int, error)
}

// arena makes a decoder of one that wants memory for its strings.
type arena struct {
	d      *delta.Prefixed
	memory []byte
}

func (a *arena) Skip(n int) error { return a.d.Skip(n) }
func (a *arena) Next(dst []view.View) (n int, err error) {
	n, a.memory, err = a.d.Next(dst, a.memory[:0])
	return n, err
}
func (a *arena) Gather(dst []view.View, sel []uint64, k int) (n int, err error) {
	n, a.memory, err = a.d.Gather(dst, a.memory[:0], sel, k)
	return n, err
}

// all decodes n values: some by Next, some gathered, some skipped.
func all[T any](r *reader, d decoder[T], n int) {
	dst := make([]T, window)
	for turn := 0; n > 0; turn++ {
		k := min(n, window-turn%7)
		var err error
		switch {
		case turn*window > most:
			k = n
			err = d.Skip(k)
		case turn%3 == 0:
			var got int
			got, err = d.Next(dst[:k])
			r.values += got
			if got != k && err == nil {
				panic("fewer values without an error")
			}
		case turn%3 == 1:
			sel, picked := selection(k)
			_, err = d.Gather(dst[:picked], sel, k)
		default:
			err = d.Skip(k)
		}
		if err != nil {
			r.note(err)
			return
		}
		n -= k
	}
}

// selection picks some of n positions.
func selection(n int) (sel []uint64, picked int) {
	sel = make([]uint64, (n+63)/64)
	for i := range sel {
		sel[i] = 0xf00d_5eed_0123_8001
	}
	if n%64 != 0 {
		sel[len(sel)-1] &= 1<<(n%64) - 1
	}
	for _, w := range sel {
		picked += bits.OnesCount64(w)
	}
	return sel, picked
}

// fixed decodes n values of a number of bytes.
func fixed(r *reader, d interface {
	Reset(body []byte, n, size int) error
	Next(dst []byte) (int, error)
	Skip(n int) error
}, body []byte, n, size int) {
	err := d.Reset(body, n, size)
	for turn := 0; err == nil && n > 0 && size > 0; turn++ {
		k := min(n, max(1, 4096/size))
		switch {
		case turn*k > most:
			k = n
			err = d.Skip(k)
		case turn%2 == 0 && k*size <= len(body):
			_, err = d.Next(make([]byte, k*size))
			r.values += k
		default:
			err = d.Skip(k)
		}
		n -= k
	}
	r.note(err)
}
