package thrift

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// node is a value of the compact protocol as a tree, for tests that change the
// shape of metadata and leave its bytes well formed.
type node struct {
	typ  byte
	id   int64   // of a field
	raw  []byte  // of anything but structs and lists
	all  []*node // fields or elements
	elem byte    // type of a list's elements
}

// parse reads a value that is known to be good.
func parse(b []byte, typ byte, inList bool) (n *node, rest []byte) {
	n = &node{typ: typ}
	take := func(k int) { n.raw, b = b[:k:k], b[k:] }
	switch typ {
	case typeTrue, typeFalse:
		if inList {
			take(1)
		}
	case typeI8:
		take(1)
	case typeI16, typeI32, typeI64:
		_, k := binary.Uvarint(b)
		take(k)
	case typeDouble:
		take(8)
	case typeBinary:
		size, k := binary.Uvarint(b)
		take(k + int(size))
	case typeList:
		size := uint64(b[0] >> 4)
		n.elem = b[0] & 0x0f
		if b = b[1:]; size == 15 {
			var k int
			size, k = binary.Uvarint(b)
			b = b[k:]
		}
		for range size {
			var e *node
			e, b = parse(b, n.elem, true)
			n.all = append(n.all, e)
		}
	case typeStruct:
		for id := int64(0); b[0] != typeStop; {
			h := b[0]
			b = b[1:]
			if id += int64(h >> 4); h < 0x10 {
				var k int
				id, k = binary.Varint(b)
				b = b[k:]
			}
			var f *node
			f, b = parse(b, h&0x0f, false)
			f.id = id
			n.all = append(n.all, f)
		}
		b = b[1:]
	default:
		k, _ := skipValue(b, 0, typ, 0, nil)
		take(k)
	}
	return n, b
}

func (n *node) emit(dst []byte) []byte {
	switch n.typ {
	case typeList:
		dst = append(dst, 0xf0|n.elem)
		dst = binary.AppendUvarint(dst, uint64(len(n.all)))
		for _, e := range n.all {
			dst = e.emit(dst)
		}
	case typeStruct:
		last := int64(0)
		for _, f := range n.all {
			if d := f.id - last; d > 0 && d < 16 {
				dst = append(dst, byte(d)<<4|f.typ)
			} else {
				dst = binary.AppendVarint(append(dst, f.typ), f.id)
			}
			dst = f.emit(dst)
			last = f.id
		}
		dst = append(dst, typeStop)
	default:
		dst = append(dst, n.raw...)
	}
	return dst
}

// once returns n without the fields that later ones replace.
func (n *node) once() *node {
	m := *n
	m.all = nil
	for i, c := range n.all {
		last := true
		if n.typ == typeStruct {
			for _, d := range n.all[i+1:] {
				same := c.typ == d.typ || max(c.typ, d.typ) == typeFalse
				last = last && !(c.id == d.id && same)
			}
		}
		if last {
			m.all = append(m.all, c.once())
		}
	}
	return &m
}

// reshape returns n with fields twice, in another order, absent or of another
// id, rarely enough that required fields mostly survive.
func (n *node) reshape(r *rand.Rand) *node {
	m := *n
	m.all = nil
	for _, c := range n.all {
		m.all = append(m.all, c.reshape(r))
		if r.IntN(12) == 0 {
			again := c.reshape(r)
			if len(again.all) > 0 && r.IntN(2) == 0 {
				k := r.IntN(len(again.all))
				again.all = append(again.all[:k:k], again.all[k+1:]...)
			}
			m.all = append(m.all, again)
		}
		if r.IntN(200) == 0 {
			m.all = m.all[:len(m.all)-1]
		}
		if r.IntN(200) == 0 && len(m.all) > 0 {
			m.all[len(m.all)-1].id = int64(r.IntN(21))
		}
	}
	if n.typ == typeStruct && r.IntN(8) == 0 {
		r.Shuffle(len(m.all), func(i, j int) { m.all[i], m.all[j] = m.all[j], m.all[i] })
	}
	return &m
}

func TestReshapedAgainstGeneratedCode(t *testing.T) {
	var headers, small [][]byte
	for _, h := range pageHeaders() {
		headers = append(headers, encode(t, h))
	}
	full := fullFooter()
	full.RowGroups[0].Columns = full.RowGroups[0].Columns[3:]
	full.RowGroups = full.RowGroups[:1]
	for i := range len(full.Schema) / 3 {
		part := *full
		part.Schema = full.Schema[i*3 : i*3+3]
		small = append(small, encode(t, &part))
	}
	for name, of := range map[string]struct {
		seeds   [][]byte
		compare func(testing.TB, []byte) bool
	}{
		"page header": {headers, func(tb testing.TB, b []byte) bool { _, n := comparePageHeader(tb, b); return n > 0 }},
		"column index": {[][]byte{encode(t, columnIndex(5))}, func(tb testing.TB, b []byte) bool {
			compareColumnIndex(tb, b)
			_, err := ReadColumnIndex(b, &ColumnIndex{})
			return err == nil
		}},
		"offset index": {[][]byte{encode(t, offsetIndex(5))}, func(tb testing.TB, b []byte) bool {
			compareOffsetIndex(tb, b)
			_, err := ReadOffsetIndex(b, &OffsetIndex{})
			return err == nil
		}},
		"footer": {small, func(tb testing.TB, b []byte) bool {
			compareFooter(tb, b)
			_, err := readEverything(b)
			return err == nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var b []byte
			defer func() {
				if p := recover(); p != nil || t.Failed() {
					t.Errorf("% x: %v", b, p)
				}
			}()
			r := rand.New(rand.NewPCG(3, 0))
			n, accepted := dtest.Rounds(t, 2000), 0
			for i := range n {
				tree, _ := parse(of.seeds[i%len(of.seeds)], typeStruct, false)
				b = tree.reshape(r).emit(nil)
				if of.compare(t, b) {
					accepted++
				}
			}
			if t.Logf("%d of %d accepted", accepted, n); accepted < n/10 {
				t.Error("the changes are too harsh")
			}
		})
	}
}
