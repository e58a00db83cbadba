package column

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
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

// A keeper drops what is not wanted, of the next n values many are, before it is
// decoded to the end. It may not be able to.
type keeper interface {
	keep(dst *vector.Vector, at int, sel []uint64, n int) (done bool, err error)
}

// pick decodes the wanted of the part's first n values to the slots from at on.
func (c *Cursor) pick(p *leafPage, from source, dst *vector.Vector, at int, wanted []uint64, n int) error {
	sparse := p.sparse
	if from == source(&p.kept) {
		sparse = 1
	}
	for i := 0; i < n; {
		kind, kept := c.shareOf(sparse, wanted, i, min(i+pickBlock, n))
		end := i + pickBlock
		for end < n && (kind != many || end-i < pickMost) {
			next, count := c.shareOf(sparse, wanted, end, min(end+pickBlock, n))
			if next != kind {
				break
			}
			kept += count
			end += pickBlock
		}
		end = min(end, n)
		if kind != none {
			err := from.seek(p.value + i)
			if err == nil {
				err = c.pickSome(from, dst, at, wanted[i/64:], end-i, kind)
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

func (c *Cursor) shareOf(sparse int, wanted []uint64, from, to int) (kind share, kept int) {
	kept = bits.Count(wanted, from, to)
	switch {
	case kept == to-from:
		return all, kept
	case c.opts.Force.Eager:
		return many, kept
	case kept == 0:
		return none, 0
	case c.opts.Force.Gather.or(kept*sparse <= to-from):
		return few, kept
	}
	return many, kept
}

// pickSome decodes the wanted of the next n values.
func (c *Cursor) pickSome(from source, dst *vector.Vector, at int, wanted []uint64, n int, kind share) error {
	switch kind {
	case few:
		return from.gather(dst, at, wanted, n)
	case all:
		return from.next(dst, at, n)
	}
	if k, ok := from.(keeper); ok && c.opts.Force.Codes != Never {
		if done, err := k.keep(dst, at, wanted, n); done || err != nil {
			return err
		}
	}
	slots := dst.Len
	if lack := at + n - slots; lack > 0 {
		dst.Reserve(lack)
	}
	err := from.next(dst, at, n)
	if err == nil {
		dst.Keep(at, n, wanted)
	}
	dst.Len = slots
	return err
}

// sparseness returns of how many values one may be wanted for gathering them to
// be no slower than decoding all: measured by BenchmarkGrid, scattered.
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
	case wire.Encoding_RLE_DICTIONARY:
		if store == vector.InFixed {
			return 2
		}
		return 11
	case wire.Encoding_BYTE_STREAM_SPLIT:
		return 10
	case wire.Encoding_DELTA_BINARY_PACKED:
		return 128 // blocks without a value that is wanted are all that is saved
	}
	return 8
}
