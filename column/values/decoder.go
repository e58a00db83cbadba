package values

import (
	"errors"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/rle"
)

// A Decoder decodes the values of one page, without NULLs, in one encoding. Its methods
// are the one indirect call for a batch. Values are numbered from 0.
//
// Pack is Gather for many wanted values. Only decoders that can drop the others early have
// it; it returns false for the rest. Gather is no slower than Pack if at most one in
// GatherSpacing values is wanted; 0 stands for the result of the function GatherSpacing.
//
// A Decoder goes forward only, and back to the mark, where the window starts:
//
//	Begin          Seek
//	  |              |
//	──┴──────────────┴─────────▶ values
//	  mark           now
type Decoder interface {
	Reset(in *Input) error
	Begin(v, n int) error                                         // value v is the next, and the mark; n are wanted
	Seek(v int) error                                             // value v is the next; it is not before the mark
	Next(dst *vector.Vector, at, n int) error                     // decodes n values, the first to slot at
	Gather(dst *vector.Vector, at int, sel []uint64, n int) error // decodes those of the next n values that are in sel
	Pack(dst *vector.Vector, at int, sel []uint64, n int) (done bool, err error)
	GatherSpacing(dst *vector.Vector) int
	Filter(sel []uint64, n int, t *pred.Test) (known bool, err error) // clears those of the next n values in sel that do not pass, if there is a kernel for t
	Codes() *rle.Codes                                                // nil if values are not dictionary codes
	Mask(sel []uint64, n int, entries *bitpack.Mask) error            // clears those of the next n codes in sel that are not in entries
}

// Input is what a decoder is reset to.
type Input struct {
	Body []byte // the value part of a page
	N    int    // the largest possible number of values values
	Cold bool   // Body is in no cache yet
	Type vector.Type
	Dict *Dictionary // if values are codes

	Bodies *Bodies // for memory that values are put together in; nil for new memory
}

// A Reader is a source of values: a page's decoder, or values kept from it.
type Reader interface {
	Seek(v int) error
	Next(dst *vector.Vector, at, n int) error
	Gather(dst *vector.Vector, at int, sel []uint64, n int) error
}

// rewindable is a decoder of package encoding, and a copy of it at the mark. Such decoders
// are small: a copy takes the time of a few values.
type rewindable[D any, P skipper[D]] struct {
	basic
	now, mark     D
	nowAt, markAt int
}

type skipper[D any] interface {
	*D
	Skip(n int) error
}

// startAt0 makes value 0 the next, and the mark.
func (f *rewindable[D, P]) startAt0(err error) error {
	f.nowAt, f.markAt = 0, 0
	assign[D, P](&f.mark, &f.now)
	return err
}

// assign makes to a copy of from.
func assign[D any, P skipper[D]](to, from *D) {
	if d, ok := any(to).(interface{ CopyFrom(from *D) }); ok {
		d.CopyFrom(from)
		return
	}
	*to = *from
}

func (f *rewindable[D, P]) Begin(v, _ int) error {
	if err := f.Seek(v); err != nil {
		return err
	}
	f.markAt = v
	assign[D, P](&f.mark, &f.now)
	return nil
}

func (f *rewindable[D, P]) Seek(v int) error {
	if v < f.nowAt {
		f.nowAt = f.markAt
		assign[D, P](&f.now, &f.mark)
	}
	n := v - f.nowAt
	if n == 0 {
		return nil
	}
	f.nowAt = v
	return P(&f.now).Skip(n)
}

// basic is the part of a Decoder that most have: no codes, no Pack, the usual spacing.
type basic struct{}

func (basic) Pack(*vector.Vector, int, []uint64, int) (bool, error) { return false, nil }
func (basic) GatherSpacing(*vector.Vector) int                      { return 0 }
func (basic) Codes() *rle.Codes                                     { return nil }
func (basic) Mask([]uint64, int, *bitpack.Mask) error               { return errNoCodes }

var errNoCodes = errors.New("column/values: a mask for values that are no codes")

// numberDecoder is a decoder of package encoding for numbers.
type numberDecoder[T any, D any] interface {
	skipper[D]
	Reset(body []byte, n int) error
	Next(dst []T) (int, error)
	Gather(dst []T, sel []uint64, n int) (int, error)
	Range(sel []uint64, n int, lo, hi T) error
}

// numbers decodes INT32, INT64, FLOAT and DOUBLE in any encoding but a dictionary.
type numbers[T encoding.Number, D any, P numberDecoder[T, D]] struct {
	rewindable[D, P]
	of     func(*vector.Vector) []T
	packer valuePacker[T] // &now, if it has Pack; else nil
}

func numbersOf[T encoding.Number, D any, P numberDecoder[T, D]](of func(*vector.Vector) []T) Decoder {
	d := &numbers[T, D, P]{of: of}
	d.packer, _ = any(P(&d.now)).(valuePacker[T])
	return d
}

func (d *numbers[T, D, P]) Reset(in *Input) error {
	return d.startAt0(P(&d.now).Reset(in.Body, in.N))
}

func (d *numbers[T, D, P]) Next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	_, err := P(&d.now).Next(d.of(dst)[at : at+n])
	return err
}

// step returns how many of the next n values are best decoded at once.
func (d *numbers[T, D, P]) step(n int) int {
	if s, ok := any(P(&d.now)).(interface{ Step(n int) int }); ok {
		return s.Step(n)
	}
	return n
}

func (d *numbers[T, D, P]) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	_, err := P(&d.now).Gather(d.of(dst)[at:], sel, n)
	return err
}

// Pack is Gather for decoders that pack values before they store them.
func (d *numbers[T, D, P]) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	if d.packer == nil {
		return false, nil
	}
	d.nowAt += n
	return true, packValues(d.packer, dst, d.of, at, sel, n)
}

func (d *numbers[T, D, P]) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	lo, hi, ok := pred.Bounds[T](t)
	if !ok {
		return false, nil
	}
	d.nowAt += n
	return true, P(&d.now).Range(sel, n, lo, hi)
}

func int32s(v *vector.Vector) []int32    { return v.Int32s }
func int64s(v *vector.Vector) []int64    { return v.Int64s }
func floats(v *vector.Vector) []float32  { return v.Floats }
func doubles(v *vector.Vector) []float64 { return v.Doubles }
func views(v *vector.Vector) []bits.View { return v.Views }
func fixedBytes(v *vector.Vector) []byte { return v.Fixed }

// IsNumber reports whether values of type t are numbers of a vector, each by itself.
func IsNumber(t vector.Type) bool {
	switch t.Store() {
	case vector.InInt32s, vector.InInt64s, vector.InFloats, vector.InDoubles:
		return true
	}
	return false
}

// keepBlock is how many values are decoded before some are dropped: they stay in
// the processor's cache.
const keepBlock = 4096

// A valuePacker is a decoder with Pack: Gather for many wanted values, which needs room
// for all n in dst.
type valuePacker[T any] interface {
	Pack(dst []T, sel []uint64, n int) (int, error)
}

// packValues decodes those of the next n values that are in sel to the slots of dst from
// at on.
func packValues[T any](from valuePacker[T], dst *vector.Vector, of func(*vector.Vector) []T, at int, sel []uint64, n int) error {
	for i := 0; i < n; i += keepBlock {
		m := min(keepBlock, n-i)
		Reserve(dst, dst.Len, at+m)
		kept, err := from.Pack(of(dst)[at:at+m], sel[i/64:], m)
		if err != nil {
			return err
		}
		at += kept
	}
	return nil
}

// Reserve makes dst, which has memory for more slots than it shows, show slots of them,
// and gives it memory for n.
func Reserve(dst *vector.Vector, slots, n int) {
	dst.Len = slots
	if n > slots {
		build.Reserve(dst, n-slots)
	}
}

type boolDecoder[D any] interface {
	skipper[D]
	Reset(body []byte, n int) error
	NextBits(dst []uint64, at, n int) (int, error)
	GatherBits(dst []uint64, at int, sel []uint64, n int) (int, error)
	Equal(sel []uint64, n int, want bool) error
}

// booleans decodes BOOLEAN.
type booleans[D any, P boolDecoder[D]] struct {
	rewindable[D, P]
}

func (d *booleans[D, P]) Reset(in *Input) error {
	return d.startAt0(P(&d.now).Reset(in.Body, in.N))
}

func (d *booleans[D, P]) Next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	_, err := P(&d.now).NextBits(dst.Bools, at, n)
	return err
}

func (d *booleans[D, P]) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	_, err := P(&d.now).GatherBits(dst.Bools, at, sel, n)
	return err
}

// Filter tests false as 0 and true as 1.
func (d *booleans[D, P]) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	lo, hi, ok := t.Ints()
	switch {
	case !ok:
		return false, nil
	case lo > 1 || hi < 0 || lo > hi:
		bits.ClearRange(sel, 0, n)
		return true, nil
	case lo <= 0 && hi >= 1:
		return true, nil
	}
	d.nowAt += n
	return true, P(&d.now).Equal(sel, n, lo == 1)
}
