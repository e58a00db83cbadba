package verify

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// leafValues is what the slots of a chunk are to be held against, and what they were so far.
type leafValues struct {
	chunk     *scanner.Chunk
	bounds    *chunks.Bounds
	offsets   *thrift.OffsetIndex // nil: none that is valid
	columns   *thrift.ColumnIndex
	bloom     bloom.Filter
	pages     []*chunks.Page
	ancestors []*schema.Node // groups around the leaf that have other leaves, too

	page      int      // that the next slot is on
	now, all  span     // of that page; of the pages before it
	hashed    []uint64 // hashes of the levels of ancestors
	distinct  distinct
	entries   int64      // of the dictionary
	positions *positions // of GEOMETRY and GEOGRAPHY
	hashes    []uint64
	absent    []byte // a value that the Bloom filter does not have
	badText   bool   // a text that is not UTF-8 was found
	buffer    [8]byte
}

// span is what the slots of a page, or of several, are.
type span struct {
	midRow      bool  // the first slot goes on with a row of the page before
	rows        int64 // that start here
	slots       int64
	values      int64
	nans        int64
	bytes       int64  // of values of type BYTE_ARRAY
	least, most []byte // values but for NaN; nil: there are none

	repetition, definition []int64 // slots by level
}

// entry returns the entry of a page in the offset index, if there is one.
func (x *leafValues) entry(p *chunks.Page) (thrift.PageLocation, bool) {
	return (&chunks.Indexes{Offset: x.offsets}).Location(p.Number)
}

func newSpan(leaf *schema.Node) span {
	return span{repetition: make([]int64, leaf.MaxRep+1), definition: make([]int64, leaf.MaxDef+1)}
}

// slot adds a slot to the current page.
func (x *leafValues) slot(repetition, definition int) {
	s := &x.now
	if repetition == 0 {
		s.rows++
	} else if s.slots == 0 {
		s.midRow = true
	}
	s.slots++
	s.repetition[repetition]++
	s.definition[definition]++
	for i, a := range x.ancestors {
		if repetition <= a.MaxRep {
			x.hashed[i] = (x.hashed[i] ^ uint64(repetition<<8|min(definition, a.MaxDef))) * 0x9e3779b97f4a7c15
			x.hashed[i] ^= x.hashed[i] >> 29
		}
	}
}

// merge adds the current page to all before it, and begins the next.
func (x *leafValues) merge() {
	a, p, c := &x.all, &x.now, &x.bounds.Column
	a.rows, a.slots, a.values, a.nans, a.bytes = a.rows+p.rows, a.slots+p.slots, a.values+p.values, a.nans+p.nans, a.bytes+p.bytes
	for i, n := range p.repetition {
		a.repetition[i] += n
	}
	for i, n := range p.definition {
		a.definition[i] += n
	}
	if p.least != nil && (a.least == nil || c.Compare(p.least, a.least) < 0) {
		a.least = p.least
	}
	if p.most != nil && (a.most == nil || c.Compare(p.most, a.most) > 0) {
		a.most = p.most
	}
	clear(p.repetition)
	clear(p.definition)
	x.now = span{repetition: p.repetition, definition: p.definition}
}

// distinct counts the different values of a chunk, if its statistics do.
type distinct struct {
	column      *pageindex.Column
	seen        map[uint64]struct{} // hashes; nil: nobody asks, or there are too many
	zeros, nans int                 // those among them that are a zero, or NaN
}

// maxDistinct bounds the memory of distinct: counts of more values are not checked.
const maxDistinct = 1 << 20

func (d *distinct) add(plain []byte) {
	if d.seen == nil {
		return
	}
	before := len(d.seen)
	if d.seen[bloom.Hash(plain)] = struct{}{}; len(d.seen) == before {
		return
	}
	switch {
	case before == maxDistinct:
		d.seen = nil
	case d.column.IsNaN(plain):
		d.nans++
	case len(bytes.TrimLeft(plain[:max(len(plain)-1, 0)], "\x00")) == 0 && len(plain) > 0 && plain[len(plain)-1]&0x7f == 0:
		d.zeros++
	}
}

// count returns how many there are at least and at most: writers may count NaNs, and the two
// zeros of floats, or not.
func (d *distinct) count() (least, most int64, known bool) {
	most = int64(len(d.seen))
	return most - int64(d.nans) - max(int64(d.zeros)-1, 0), most, d.seen != nil
}

// levelHashes are hashes of the levels of groups, by a leaf in each.
type levelHashes map[*schema.Node]levelHash

type levelHash struct {
	leaf *schema.Node
	hash uint64
}

// ancestorsOf returns the groups around a leaf in which there are other leaves.
func ancestorsOf(leaf *schema.Node) (groups []*schema.Node) {
	for n := leaf.Parent; n.Parent != nil; n = n.Parent {
		if n.EndLeaf-n.FirstLeaf > 1 {
			groups = append(groups, n)
		}
	}
	return groups
}

// compareLevels notes groups whose leaves say different things of NULLs and of the lengths of
// lists.
func (v *verification) compareLevels(x *leafValues, known levelHashes) {
	for i, group := range x.ancestors {
		first, ok := known[group]
		switch {
		case !ok:
			known[group] = levelHash{x.chunk.Leaf, x.hashed[i]}
		case first.hash != x.hashed[i]:
			v.fault(x.chunk, -1, -1, "levels: NULLs or lists of ", group.String(), " are not those of column ", first.leaf.String())
			return
		}
	}
}

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
	wrong := func(d defect) bool { return !d.flaw } // what is wrong with a leaf would be told twice
	if hasVariant(v.top) && !slices.Contains(v.wanted, false) && !slices.ContainsFunc(v.all, wrong) {
		return v.note(ctx, v.variants(ctx))
	}
	return nil
}

// leaf verifies one leaf.
func (v *verification) leaf(ctx context.Context, c *scanner.Chunk, nested levelHashes) error {
	x, err := v.layout(ctx, c)
	if err != nil {
		return err
	}
	for l, err := range v.slots(ctx, c, v.progress) {
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
			v.value(x, build.Plain(x.buffer[:0], &l.Values, value))
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
