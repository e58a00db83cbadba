package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// share is how many values of a block are wanted, which says how they are decoded:
//
//	none      the decoder steps over them
//	few       the decoder gathers those that are wanted
//	many      the decoder decodes all, and those that are not wanted are dropped
//	all       the decoder decodes all
type share uint8

const (
	none share = iota
	few
	many
	all
)

const (
	pickBlock = 1024          // values whose share is counted
	pickMost  = 4 * pickBlock // values that are decoded before some are dropped: they stay in the processor's cache
)

// pick decodes the wanted ones of the part's first n values, count of them, to the slots
// from at on.
func (c *Cursor) pick(p *leafPage, from values.Reader, dst *vector.Vector, at int, wanted []uint64, count, n int) error {
	sparse := 1
	if from != values.Reader(&p.values.kept) {
		if sparse = p.values.decoder.GatherSpacing(dst); sparse == 0 {
			sparse = p.values.spacing
		}
	}
	if 8*count > 7*n { // blocks of another share would be rare
		if err := from.Seek(p.value); err != nil {
			return err
		}
		return c.pickRun(p, from, dst, at, wanted, n, c.shareOf(sparse, count, n))
	}
	for i := 0; i < n; {
		end := min(i+pickBlock, n)
		kept := bits.Count(wanted, i, end)
		kind := c.shareOf(sparse, kept, end-i)
		stay := sparse // changing the way for one block costs more than the worse way
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

// shareOf returns the share of n values of which kept are wanted, gathered if at most one
// in sparse is.
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

// pickRun decodes the wanted ones of the next n values, of one share.
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
			build.Keep(dst, at, m, wanted[i/64:])
			at = dst.Len
		}
	}
	dst.Len = slots
	return err
}
