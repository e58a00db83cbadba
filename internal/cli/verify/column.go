package verify

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/cli/advice"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/scanner"
)

// run verifies the column. An error is not the file's.
func (v *verification) run(ctx context.Context) error {
	nested := levelHashes{}
	for i, wanted := range v.wanted {
		if !wanted {
			continue
		}
		c, err := v.f.Chunk(v.group, v.top.FirstLeaf+i)
		if err == nil {
			err = v.leaf(ctx, c, nested)
		}
		if err := v.note(ctx, err); err != nil {
			return err
		}
	}
	return nil
}

// leaf verifies one leaf.
func (v *verification) leaf(ctx context.Context, c *scanner.Chunk, nested levelHashes) error {
	x, err := v.layout(ctx, c)
	if err != nil {
		return err
	}
	for l, err := range v.slots(ctx, c, v.progress.Worker(progress.DecodingValues)) {
		if err != nil {
			return err
		}
		v.add(x, l)
	}
	v.endPages(x)
	v.compareChunk(x)
	v.compareLevels(x, nested)
	return nil
}

// add adds slots to those of the chunk.
func (v *verification) add(x *leafValues, l *column.Levels) {
	value, leaf := 0, x.chunk.Leaf
	for i := range l.Slots {
		if v.endPages(x); x.page == len(x.pages) {
			return // the file has changed
		}
		repetition, definition := 0, 0
		if len(l.Rep) > 0 {
			repetition = int(l.Rep[i])
		}
		if len(l.Def) > 0 {
			definition = int(l.Def[i])
		}
		x.slot(repetition, definition)
		if definition == leaf.MaxDef {
			v.value(x, advice.PlainOf(x.buffer[:0], &l.Values, value))
			value++
		}
	}
}

// endPages compares pages that all slots were seen of.
func (v *verification) endPages(x *leafValues) {
	for x.page < len(x.pages) && x.now.slots == int64(x.pages[x.page].NumValues) {
		v.comparePage(x)
		x.merge()
		x.page++
	}
}

// value adds a value to the current page.
func (v *verification) value(x *leafValues, plain []byte) {
	s, t, c := &x.now, x.chunk.Leaf.Type, &x.bounds.Column
	s.values++
	if t.Physical == vector.ByteArray {
		s.bytes += int64(len(plain))
	}
	if !x.badText && isText(t) && !utf8.Valid(plain) {
		x.badText = true
		p := x.pages[x.page]
		v.fault(x.chunk, p.Number, p.Offset, "values: a text that is not UTF-8, in hex ", hex.EncodeToString(plain[:min(len(plain), 32)]))
	}
	if x.bloom != nil && x.absent == nil {
		hashes, known := bloom.AppendHashes(x.hashes[:0], t, plain)
		if x.hashes = hashes; known && !slices.ContainsFunc(hashes, x.bloom.Contains) {
			x.absent = bytes.Clone(plain)
		}
	}
	x.distinct.add(plain)
	x.positions.add(plain)
	if c.IsNaN(plain) {
		s.nans++
		return
	}
	if !c.Ordered() {
		return
	}
	switch {
	case s.least == nil:
		s.least, s.most = append([]byte{}, plain...), append([]byte{}, plain...)
	case c.Compare(plain, s.least) < 0:
		s.least = append(s.least[:0], plain...)
	case c.Compare(plain, s.most) > 0:
		s.most = append(s.most[:0], plain...)
	}
}

// isText reports whether the format demands that values are UTF-8.
func isText(t vector.Type) bool {
	return t.Logical == vector.String || t.Logical == vector.Enum || t.Logical == vector.JSON
}
