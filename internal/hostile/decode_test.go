package hostile

import (
	"math/bits"

	view "github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A decoder of T, as package encoding describes it.
type decoder[T any] interface {
	Next(dst []T) (int, error)
	Skip(n int) error
	Gather(dst []T, sel []uint64, n int) (int, error)
}

// window is how many values are decoded at once, so that memory does not hang
// on how many a page claims to have.
const window = 256

// all decodes n values: some by Next, some skipped, some gathered.
func all[T any](r *reader, d decoder[T], n int) {
	dst := make([]T, window)
	sel := make([]uint64, window/64)
	for i := range sel {
		sel[i] = 0xf00d_5eed_0123_8001
	}
	for turn := 0; n > 0; turn++ {
		k := min(n, window-turn%7)
		var err error
		switch turn % 3 {
		case 0:
			k, err = d.Next(dst[:k])
			r.values += k
		case 1:
			last := (k + 63) / 64
			few := append([]uint64(nil), sel[:last]...)
			if k%64 != 0 {
				few[last-1] &= 1<<(k%64) - 1
			}
			picked := 0
			for _, w := range few {
				picked += bits.OnesCount64(w)
			}
			_, err = d.Gather(dst[:picked], few, k)
		case 2:
			err = d.Skip(k)
		}
		if err != nil {
			r.note(err)
			return
		}
		n -= k
	}
}

// decode decodes the values of a page. Where it was cut short, or only its
// levels know how many there are, it asks for as many as there may be, and an
// error is no news.
func (r *reader) decode(c *scanner.Chunk, h *thrift.PageHeader, parts page.Parts, whole bool) {
	n := int(h.NumValues)
	if h.Type == wire.PageType_DATA_PAGE_V2 {
		n -= min(n, int(h.NumNulls))
	}
	if h.Encoding == wire.Encoding_PLAIN || h.Type == wire.PageType_DICTIONARY_PAGE {
		before := r.err
		r.plain(c, parts.Values, n)
		if !whole || h.Type == wire.PageType_DATA_PAGE && c.Leaf.MaxDef > 0 {
			r.err = before
		}
	}
}

func (r *reader) plain(c *scanner.Chunk, body []byte, n int) {
	switch wire.Type(c.Meta.Type) {
	case wire.Type_BOOLEAN:
		var d plain.Bools
		r.note(d.Reset(body, n))
		all[bool](r, &d, n)
	case wire.Type_INT32:
		numbers[int32](r, body, n)
	case wire.Type_INT64:
		numbers[int64](r, body, n)
	case wire.Type_FLOAT:
		numbers[float32](r, body, n)
	case wire.Type_DOUBLE:
		numbers[float64](r, body, n)
	case wire.Type_BYTE_ARRAY:
		var d plain.Strings
		r.note(d.Reset(body, n))
		all[view.View](r, &d, n)
	}
}

func numbers[T int32 | int64 | float32 | float64](r *reader, body []byte, n int) {
	var d plain.Numbers[T]
	r.note(d.Reset(body, n))
	all[T](r, &d, n)
}
