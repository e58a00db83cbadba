package column

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Of values some of which are wanted there are blocks of four kinds:
//
//	none      stepped over
//	few       gathered: the decoder looks at those that are wanted
//	many      all decoded, where they are to stand, and what is not wanted dropped
//	all       decoded
type share uint8

const (
	none share = iota
	few
	many
	all
)

const (
	pickBlock = 1024          // values that are of one kind
	pickMost  = 4 * pickBlock // values that are decoded before some are dropped: they stay in the cache
)

// A valueKeeper is a decoder whose Keep is Gather for many, with room for all in dst.
type valueKeeper[T any] interface {
	Keep(dst []T, sel []uint64, n int) (int, error)
}

// keepValues keeps the wanted of the next n values, in the slots of dst from at on.
func keepValues[T any](from valueKeeper[T], dst *vector.Vector, of func(*vector.Vector) []T, at int, sel []uint64, n int) error {
	for i := 0; i < n; i += pickMost {
		m := min(pickMost, n-i)
		reserve(dst, dst.Len, at+m)
		kept, err := from.Keep(of(dst)[at:at+m], sel[i/64:], m)
		if err != nil {
			return err
		}
		at += kept
	}
	return nil
}

// pick decodes the wanted of the part's first n values, count of them, to the slots from at on.
func (c *Cursor) pick(p *leafPage, from source, dst *vector.Vector, at int, wanted []uint64, count, n int) error {
	sparse := 1
	if from != source(&p.kept) {
		if sparse = p.values.sparse(dst); sparse == 0 {
			sparse = p.sparse
		}
	}
	if 8*count > 7*n { // blocks of another kind would be rare
		if err := from.seek(p.value); err != nil {
			return err
		}
		return c.pickSome(p, from, dst, at, wanted, n, c.shareOf(sparse, count, n))
	}
	for i := 0; i < n; {
		end := min(i+pickBlock, n)
		kept := bits.Count(wanted, i, end)
		kind := c.shareOf(sparse, kept, end-i)
		stay := sparse // to go from one way to another and back costs more than the worse of the two
		switch kind {
		case few:
			stay = sparse * 2 / 3
		case many:
			stay = sparse * 3 / 2
		}
		for end < n {
			to := min(end+pickBlock, n)
			count := bits.Count(wanted, end, to)
			if c.shareOf(stay, count, to-end) != kind {
				break
			}
			kept += count
			end = to
		}
		if kind != none {
			err := from.seek(p.value + i)
			if err == nil {
				err = c.pickSome(p, from, dst, at, wanted[i/64:], end-i, kind)
			}
			if err != nil {
				return err
			}
		}
		at += kept
		i = end
	}
	return nil
}

// shareOf returns of which kind n values are, kept of which are wanted.
func (c *Cursor) shareOf(sparse, kept, n int) share {
	switch {
	case kept == n:
		return all
	case c.opts.Force.Eager:
		return many
	case kept == 0:
		return none
	case c.opts.Force.Gather.or(kept*sparse <= n):
		return few
	}
	return many
}

// pickSome decodes the wanted of the next n values.
func (c *Cursor) pickSome(p *leafPage, from source, dst *vector.Vector, at int, wanted []uint64, n int, kind share) error {
	switch kind {
	case few:
		return from.gather(dst, at, wanted, n)
	case all:
		return from.next(dst, at, n)
	}
	if from != source(&p.kept) && c.opts.Force.Codes != Never {
		if done, err := p.values.keep(dst, at, wanted, n); done || err != nil {
			return err
		}
	}
	slots := dst.Len
	var err error
	for i := 0; i < n && err == nil; i += pickMost {
		m := min(pickMost, n-i)
		reserve(dst, slots, at+m)
		if err = from.next(dst, at, m); err == nil {
			dst.Keep(at, m, wanted[i/64:])
			at = dst.Len
		}
	}
	dst.Len = slots
	return err
}

// reserve makes sure that n slots of dst, which has some, have memory.
func reserve(dst *vector.Vector, slots, n int) {
	dst.Len = slots
	if n > slots {
		dst.Reserve(n - slots)
	}
}

// sparseness returns of how many values one may be wanted for gathering them to
// be no slower than decoding all: measured by BenchmarkGrid, scattered. Dictionaries
// have their own.
//
//every:encoding gather cost but RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BYTE_ARRAY ALP (booleans; levels; codes; the usual 8)
func sparseness(t vector.Type, e wire.Encoding) int {
	store := t.Store()
	if store == vector.InBools {
		return pickBlock // words are handled, whatever is wanted
	}
	switch e {
	case wire.Encoding_PLAIN:
		if store == vector.InViews {
			return 9
		}
		return 1 // values are taken from where they stand, and runs of fixed size copied, either way
	case wire.Encoding_BYTE_STREAM_SPLIT:
		return 10
	case wire.Encoding_DELTA_LENGTH_BYTE_ARRAY:
		return delta.RareStrings() // lengths are summed up either way
	case wire.Encoding_DELTA_BINARY_PACKED:
		if store == vector.InInt32s {
			return 512 // twice as many are packed at once
		}
		return 128 // blocks without a value that is wanted are all that is saved
	}
	return 8
}
