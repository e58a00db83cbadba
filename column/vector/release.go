package vector

import (
	"math"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// OnRelease makes Release call take, with which the maker of b takes its memory
// back.
func (b *Batch) OnRelease(take func()) { b.release = take }

// Release gives b's memory back for other batches. b, its columns and the bytes
// that they refer to are invalid from then on. Calling it is optional: the garbage
// collector frees batches that are not released, at a cost in time. A second call
// does nothing. Any goroutine may call it, but not two at once. With the build tag
// "invariants" it overwrites the columns, so that a host that reads on notices.
func (b *Batch) Release() {
	if invariants.On {
		b.Len = poisonLen
		for _, v := range b.Columns {
			v.poison()
		}
	}
	if release := b.release; release != nil {
		b.release = nil
		release()
	}
}

// poisonLen is the length of released batches and vectors: an index or a size made from it panics.
const poisonLen = math.MinInt32

// poison overwrites v's own memory with bytes 0xcc, of which codes, offsets and views are
// out of range. Dictionaries and buffers may be shared, so they are left to those who own them.
func (v *Vector) poison() {
	v.Len = poisonLen
	const word, half = 0xcccccccccccccccc, 0xcccccccc
	overwrite(v.Validity, word)
	overwrite(v.Bools, word)
	overwrite(v.Int32s, half-1<<32)
	overwrite(v.Int64s, -1<<63|word&math.MaxInt64)
	overwrite(v.Floats, math.Float32frombits(half))
	overwrite(v.Doubles, math.Float64frombits(word))
	overwrite(v.Fixed, word&0xff)
	overwrite(v.Codes, half)
	overwrite(v.Offsets, half-1<<32)
	overwrite(v.Views, bits.RefWords(math.MaxInt32, half, math.MaxInt32, 0))
	for _, c := range v.Children {
		c.poison()
	}
}

func overwrite[T any](s []T, with T) {
	for i := range s {
		s[i] = with
	}
}
