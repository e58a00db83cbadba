package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/bloom"
)

// checkVerdicts makes bounds of the rows, as writers do and worse, and holds
// what they are said to prove against the rows that pass.
func checkVerdicts(t *testing.T, r *rand.Rand, w *world, p *Program, sel []uint64, replay string, counts map[string]int) {
	passed := bits.Count(sel, 0, len(w.rows))
	check := func(v Verdict, passed int, what any) {
		counts[v.String()]++
		if v == None && passed > 0 || v == All && passed < len(w.rows) {
			t.Fatalf("%s\nprogram %s\nverdict %s on %v: %d of %d rows pass", replay, p, v, what, passed, len(w.rows))
		}
	}
	for range 3 {
		known := map[*schema.Node]*Bounds{}
		bounds := func(leaf *schema.Node) *Bounds {
			if known[leaf] == nil {
				known[leaf] = w.bounds(r, leaf)
			}
			return known[leaf]
		}
		check(judge(p.Root, bounds), passed, "the whole")
		for _, test := range p.Tests() {
			own := make([]uint64, len(sel))
			bits.SetRange(own, 0, len(w.rows))
			w.test(test, own)
			check(test.Verdict(bounds(test.Leaf)), bits.Count(own, 0, len(w.rows)), test)
		}
	}
	for _, test := range p.Tests() {
		checkMask(t, w, test, replay)
		checkKeys(t, w, test, replay, counts)
	}
}

func judge(n *Node, bounds func(*schema.Node) *Bounds) Verdict {
	v := Some
	switch n.Op {
	case OpTrue:
		return All
	case OpFalse:
		return None
	case OpTest:
		return n.Test.Verdict(bounds(n.Test.Leaf))
	case OpComplement:
		return judge(n.Args[0], bounds).Not()
	case OpAnd:
		v = All
		for _, a := range n.Args {
			v = v.And(judge(a, bounds))
		}
	case OpOr:
		v = None
		for _, a := range n.Args {
			v = v.Or(judge(a, bounds))
		}
	}
	return v
}

func (w *world) bounds(r *rand.Rand, leaf *schema.Node) *Bounds {
	b := &Bounds{Levels: make([]int64, leaf.MaxDef+1)}
	var vals []*datum
	raws := w.data(leaf)
	for i, e := range w.shred(leaf) {
		b.Slots++
		b.Levels[e.def]++
		switch {
		case e.def < leaf.MaxDef || leaf.Type.Logical == vector.Null:
			b.Nulls++
		case raws[i].float != nil && math.IsNaN(*raws[i].float):
			b.NaNs++
		default:
			vals = append(vals, raws[i])
		}
	}
	if len(vals) > 0 && r.IntN(6) > 0 {
		order := func(a, b *datum) int {
			if a.truth != nil {
				return int(a.plain[0]) - int(b.plain[0])
			}
			o, _ := orderNaive(a, b)
			return o
		}
		b.HasMin, b.HasMax = r.IntN(8) > 0, r.IntN(8) > 0
		b.MinExact, b.MaxExact, b.Sure = true, true, r.IntN(4) > 0
		b.Min, b.Max = slices.MinFunc(vals, order).plain, slices.MaxFunc(vals, order).plain
		if vals[0].float != nil && vals[0].rat == nil { // zeros of the other sign
			b.Min, b.Max = flipZero(r, leaf.Type, b.Min), flipZero(r, leaf.Type, b.Max)
		}
		if vals[0].text != nil && leaf.Type.Physical == vector.ByteArray && r.IntN(2) == 0 {
			if len(b.Min) > 1 {
				b.Min, b.MinExact = b.Min[:1], false
			}
			if len(b.Max) > 1 && b.Max[0] < 0xff {
				b.Max, b.MaxExact = []byte{b.Max[0] + 1}, false
			}
		}
	}
	if leaf.Type.Physical != vector.Float && leaf.Type.Physical != vector.Double && leaf.Type.Logical != vector.Float16 {
		b.NaNs = pick(r, 0, Unknown)
	} else if r.IntN(3) == 0 {
		b.NaNs = Unknown
	}
	if r.IntN(5) == 0 {
		b.Nulls = Unknown
	}
	if r.IntN(5) == 0 {
		b.Slots = Unknown
	}
	if r.IntN(2) == 0 {
		b.Levels = nil
	}
	if r.IntN(30) == 0 && leaf.Type.Physical != vector.ByteArray { // bounds that lie in a way that shows
		b.HasMin, b.Min = true, []byte{1, 2, 3, 4, 5}
	}
	return b
}

func flipZero(r *rand.Rand, typ vector.Type, plain []byte) []byte {
	for i, c := range plain {
		if c != 0 && !(i == len(plain)-1 && c == 0x80) {
			return plain
		}
	}
	plain = slices.Clone(plain)
	if r.IntN(2) == 0 {
		plain[len(plain)-1] ^= 0x80
	}
	return plain
}

// data returns the values of the entries of a leaf, nil where there is none.
func (w *world) data(leaf *schema.Node) (out []*datum) {
	var path []*schema.Node
	for n := leaf; n.Parent != nil; n = n.Parent {
		path = append([]*schema.Node{n}, path...)
	}
	var down func(v raw, at []*schema.Node)
	down = func(v raw, at []*schema.Node) {
		if len(at) == 0 {
			out = append(out, v.leaf)
			return
		}
		f := v.fields[childIndex(at[0])]
		switch {
		case f.null || at[0].Repetition == schema.Repeated && len(f.many) == 0:
			out = append(out, nil)
		case at[0].Repetition == schema.Repeated:
			for _, o := range f.many {
				down(o, at[1:])
			}
		default:
			down(f, at[1:])
		}
	}
	for _, row := range w.rows {
		down(row, path)
	}
	return out
}

// checkMask takes all values of a leaf for its dictionary.
func checkMask(t *testing.T, w *world, test *Test, replay string) {
	dict := &vector.Vector{}
	dict.Reset(test.Leaf.Type)
	for _, e := range w.shred(test.Leaf) {
		if e.def == test.Leaf.MaxDef {
			appendPlain(dict, e.plain, false)
		}
	}
	mask := test.Mask(dict)
	for i := range dict.Len {
		one := &vector.Vector{}
		one.Reset(test.Leaf.Type)
		one.AppendSlots(dict, i, i+1)
		if alone := test.Mask(one); bits.Get(mask, i) != bits.Get(alone, 0) {
			t.Fatalf("%s\nmask of %v: entry %d alone says %v", replay, test, i, bits.Get(alone, 0))
		}
	}
}

// checkKeys asks a Bloom filter of each row whether it may pass.
func checkKeys(t *testing.T, w *world, test *Test, replay string, counts map[string]int) {
	keys, ok := test.Keys()
	if !ok {
		return
	}
	var hashes []uint64
	for _, k := range keys {
		if hashes, ok = bloom.AppendHashes(hashes, test.Leaf.Type, k); !ok {
			return
		}
	}
	counts["keys"]++
	rows := make([]uint64, bits.Words(len(w.rows)))
	bits.SetRange(rows, 0, len(w.rows))
	w.test(test, rows)
	has := map[int]bool{}
	for _, e := range w.shred(test.Leaf) {
		if e.def == test.Leaf.MaxDef && slices.Contains(hashes, bloom.Hash(e.plain)) {
			has[e.row] = true
		}
	}
	for row := range w.rows {
		if bits.Get(rows, row) && !has[row] {
			t.Fatalf("%s\nkeys %x of %v: row %d passes without", replay, keys, test, row)
		}
	}
}
