package column

import (
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// density is how many values of a block are wanted, which says how they are decoded:
//
//	none      the decoder steps over them
//	few       the decoder gathers those that are wanted
//	many      the decoder decodes all, and those that are not wanted are dropped
//	all       the decoder decodes all
type density uint8

const (
	none density = iota
	few
	many
	all
)

const (
	pickBlock = 1024          // values whose density is counted
	pickMost  = 4 * pickBlock // values that are decoded before some are dropped: they stay in the processor's cache
)

// pick decodes the values of a request that wants some of those in front of r.upTo, block by
// block.
func (c *Cursor) pick(p *leafPage, r request) error {
	sparse, n := 1, r.upTo
	if r.from != values.Reader(&p.values.kept) {
		if sparse = p.values.decoder.GatherSpacing(r.dst); sparse == 0 {
			sparse = p.values.spacing
		}
	}
	if 8*r.n > 7*n { // blocks of another density would be rare
		if err := r.from.Seek(p.value); err != nil {
			return err
		}
		return c.pickRun(p, r, c.densityOf(sparse, r.n, n))
	}
	at, wanted := r.at, r.wanted
	for i := 0; i < n; {
		end := min(i+pickBlock, n)
		count := bits.Count(wanted, i, end)
		kind := c.densityOf(sparse, count, end-i)
		stay := sparse // changing the way for one block costs more than the worse way
		switch kind {
		case few:
			stay = sparse * 2 / 3
		case many:
			stay = sparse * 3 / 2
		}
		for end < n {
			to := min(end+pickBlock, n)
			more := bits.Count(wanted, end, to)
			if c.densityOf(stay, more, to-end) != kind {
				break
			}
			count += more
			end = to
		}
		if kind != none {
			if err := r.from.Seek(p.value + i); err != nil {
				return err
			}
			r.at, r.wanted, r.n, r.upTo = at, wanted[i/64:], count, end-i
			if err := c.pickRun(p, r, kind); err != nil {
				return err
			}
		}
		at += count
		i = end
	}
	return nil
}

// densityOf returns the density of n values of which count are wanted: few if at most one
// in sparse is.
func (c *Cursor) densityOf(sparse, count, n int) density {
	switch {
	case count == n:
		return all
	case c.opts.Force.Eager:
		return many
	case count == 0:
		return none
	case c.opts.Force.Gather.or(count*sparse <= n):
		return few
	}
	return many
}

// pickRun decodes the wanted ones of the next r.upTo values, which have one density.
func (c *Cursor) pickRun(p *leafPage, r request, kind density) error {
	dst, at, n := r.dst, r.at, r.upTo
	switch kind {
	case few:
		return r.from.Gather(dst, at, r.wanted, n)
	case all:
		return r.from.Next(dst, at, n)
	}
	if r.from != values.Reader(&p.values.kept) && c.opts.Force.Codes != Never {
		if done, err := p.values.decoder.Pack(dst, at, r.wanted, n); done || err != nil {
			return err
		}
	}
	slots := dst.Len
	var err error
	for i := 0; i < n && err == nil; i += pickMost {
		m := min(pickMost, n-i)
		values.Reserve(dst, slots, at+m)
		if err = r.from.Next(dst, at, m); err == nil {
			build.Pack(dst, at, m, r.wanted[i/64:])
			at = dst.Len
		}
	}
	dst.Len = slots
	return err
}
