package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
)

func (p *plan) judge(w *world) error {
	if err := p.run(w); err != nil {
		return fmt.Errorf("plan: %s\nfilter as bound: %s\n%w", brief(strings.Join(p.about, "; ")), brief(p.Filter.String()), err)
	}
	return nil
}

// brief cuts a text that nobody reads to its end.
func brief(s string) string {
	if len(s) > 600 {
		return s[:600] + "…"
	}
	return s
}

// run scans as p says and compares every value that comes.
func (p *plan) run(w *world) error {
	var got, want []byte
	var err error
	if p.parts > 0 {
		got, err = p.partitions(w)
	} else {
		err = p.batches(w, func(b *vector.Batch) (err error) {
			got, err = appendRows(got, b)
			return err
		})
	}
	if err != nil {
		return err
	}
	for _, row := range p.want {
		want = p.lines(want, row)
	}
	if p.stop > 0 {
		want = want[:min(len(got), len(want))]
	}
	if !bytes.Equal(got, want) {
		return p.difference(w, got, want)
	}
	if p.Stats != nil && p.stop == 0 && p.splits == nil {
		return p.account(w)
	}
	return nil
}

// account adds up what was counted of each leaf that was looked at: each byte
// of its chunks is in one place, and so is each untouched one.
func (p *plan) account(w *world) error {
	for i := range p.Stats.Columns {
		c := &p.Stats.Columns[i]
		sum, size, untouched := c.DictionaryBytes, int64(0), int64(0)
		for _, n := range c.Bytes {
			sum += n
		}
		for _, u := range c.Untouched {
			untouched += u.Bytes
		}
		for g := range w.groups {
			chunk, err := w.file.Chunk(g, c.Leaf.FirstLeaf)
			if err != nil {
				return err
			}
			size += chunk.Meta.CompressedSize
		}
		if sum != size || untouched != c.Bytes[scanner.Unread] {
			return fmt.Errorf("%s has %d bytes, counted are %d, of them %d untouched: %+v", c.Leaf, size, sum, untouched, c)
		}
	}
	if p.items == nil && p.Stats.Rows != int64(len(p.want)) {
		return fmt.Errorf("%d rows came, counted are %d", len(p.want), p.Stats.Rows)
	}
	return nil
}

// batches hands over the batches of the scans.
func (p *plan) batches(w *world, use func(*vector.Batch) error) error {
	if p.splits == nil {
		return p.scan(w, p.Options, use)
	}
	for _, split := range p.splits {
		o := p.Options
		o.Split = split
		if err := p.scan(w, o, use); err != nil {
			return fmt.Errorf("split %v: %w", split, err)
		}
	}
	return nil
}

// scan hands over the batches of one scan, each at once or when the next one
// is there, and releases some.
func (p *plan) scan(w *world, o scanner.Options, use func(*vector.Batch) error) error {
	var held *vector.Batch
	n := 0
	for b, err := range w.file.Scan(p.context(), o) {
		if err != nil {
			return err
		}
		if err := validate.Batch(b); err != nil {
			return fmt.Errorf("batch %d: %w", n, err)
		}
		if p.items == nil && (b.Len == 0 || p.BatchRows > 0 && b.Len > p.BatchRows) {
			return fmt.Errorf("batch %d has %d rows", n, b.Len)
		}
		if n++; !p.hold {
			if err := use(b); err != nil {
				return err
			}
			b.Release()
			if n == p.stop {
				break
			}
			continue
		}
		if held != nil {
			if err := use(held); err != nil {
				return err
			}
			if n%3 == 0 {
				held.Release()
			}
		}
		if held = b; n == p.stop {
			break
		}
	}
	if held != nil {
		return use(held)
	}
	return nil
}

// partitions returns the rows of all partitions in the order of the file.
func (p *plan) partitions(w *world) ([]byte, error) {
	parts := w.file.Partitions(p.context(), p.Options, p.parts)
	texts, errs := make([]map[int64]string, len(parts)), make([]error, len(parts))
	var wait sync.WaitGroup
	for i, part := range parts {
		texts[i] = map[int64]string{}
		wait.Go(func() {
			for b, err := range part {
				var text []byte
				if err == nil {
					text, err = appendRows(nil, b)
				}
				if err != nil {
					errs[i] = err
					return
				}
				b.Columns[len(b.Columns)-1].Flatten()
				numbers := b.Columns[len(b.Columns)-1].Int64s
				for k, row := range strings.SplitAfter(string(text), "\n")[:b.Len] {
					texts[i][numbers[k]] += row
				}
				b.Release()
			}
		})
	}
	wait.Wait()
	var out []byte
	for row := range w.rows {
		for _, t := range texts {
			out = append(out, t[int64(row)]...)
		}
	}
	return out, errors.Join(errs...)
}

func appendRows(dst []byte, b *vector.Batch) ([]byte, error) {
	rows := vector.JSONRows(b.Fields)
	rows.Use(b)
	for i := range b.Len {
		var err error
		if dst, err = rows.Append(dst, i); err != nil {
			return dst, err
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

// difference says which row is the first that differs.
func (p *plan) difference(w *world, got, want []byte) error {
	g, e := bytes.SplitAfter(got, []byte("\n")), bytes.SplitAfter(want, []byte("\n"))
	at := 0
	for at < min(len(g), len(e)) && bytes.Equal(g[at], e[at]) {
		at++
	}
	show := func(lines [][]byte) string {
		if at >= len(lines) || len(lines[at]) == 0 {
			return "no row"
		}
		return string(lines[at][:min(len(lines[at]), 400)])
	}
	where := "behind the last row"
	if at < len(p.want) {
		row := p.want[at]
		g := w.groupOf(row)
		where = fmt.Sprintf("row %d of row group %d", row-w.starts[g], g)
	}
	return fmt.Errorf("%d rows, not %d; row %d (%s) is\n%sand should be\n%s", len(g)-1, len(e)-1, at, where, show(g), show(e))
}

// random returns the numbers of a case, or of a world.
func random(seed, n uint64, of string) *rand.Rand {
	return rand.New(rand.NewPCG(seed^uint64(len(of))<<56, n))
}
