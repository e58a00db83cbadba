package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
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

// pick decodes the wanted of the part's first n values, count of them, to the slots from at on.
func (c *Cursor) pick(p *leafPage, from values.Reader, dst *vector.Vector, at int, wanted []uint64, count, n int) error {
	sparse := 1
	if from != values.Reader(&p.values.kept) {
		if sparse = p.values.decoder.GatherSpacing(dst); sparse == 0 {
			sparse = p.values.spacing
		}
	}
	if 8*count > 7*n { // blocks of another kind would be rare
		if err := from.Seek(p.value); err != nil {
			return err
		}
		return c.pickRun(p, from, dst, at, wanted, n, c.shareOf(sparse, count, n))
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
			err := from.Seek(p.value + i)
			if err == nil {
				err = c.pickRun(p, from, dst, at, wanted[i/64:], end-i, kind)
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

// pickRun decodes the wanted of the next n values.
func (c *Cursor) pickRun(p *leafPage, from values.Reader, dst *vector.Vector, at int, wanted []uint64, n int, kind share) error {
	switch kind {
	case few:
		return from.Gather(dst, at, wanted, n)
	case all:
		return from.Next(dst, at, n)
	}
	if from != values.Reader(&p.values.kept) && c.opts.Force.Codes != Never {
		if done, err := p.values.decoder.Keep(dst, at, wanted, n); done || err != nil {
			return err
		}
	}
	slots := dst.Len
	var err error
	for i := 0; i < n && err == nil; i += pickMost {
		m := min(pickMost, n-i)
		values.Reserve(dst, slots, at+m)
		if err = from.Next(dst, at, m); err == nil {
			dst.Keep(at, m, wanted[i/64:])
			at = dst.Len
		}
	}
	dst.Len = slots
	return err
}
