package column

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// sample is a column of a written file, and the truth about it.
type sample struct {
	what  string
	file  *file
	codec thrift.Codec
	leaf  gen.Leaf
	data  gen.Data
	first []int    // the first slot of each row, and the number of slots
	value []int    // of each slot, the number of the value at or after it, and the number of values
	plain []string // each value as PLAIN has it, without length
}

func (s *sample) rows() int { return len(s.first) - 1 }

func (s *sample) def(slot int) uint32 {
	if s.leaf.MaxDef == 0 {
		return 0
	}
	return s.data.Def[slot]
}

// randomSample writes a random column. All choices come from r.
func randomSample(r *rand.Rand) (*sample, error) {
	types := []gen.Type{gen.Boolean, gen.Int32, gen.Int64, gen.Int96, gen.Float, gen.Double, gen.ByteArray, gen.FixedLenByteArray}
	t := types[r.IntN(len(types))]
	length := int32(0)
	if t == gen.FixedLenByteArray {
		length = []int32{1, 2, 3, 5, 8, 12, 16, 20, 100}[r.IntN(9)]
	}
	leaf := func(name string) *gen.Node {
		n := gen.Required(name, t)
		if r.IntN(2) > 0 {
			n = gen.Optional(name, t)
		}
		return n.Len(length)
	}
	var root *gen.Node
	shape := r.IntN(7)
	switch shape {
	case 0:
		root = gen.Required("a", t).Len(length)
	case 1, 2:
		root = gen.Optional("a", t).Len(length)
	case 3:
		root = gen.Optional("a", gen.Group, leaf("b"))
	case 4:
		root = gen.Repeated("a", t).Len(length)
	case 5:
		root = gen.List("a", leaf("element"))
	case 6:
		root = gen.List("a", gen.List("element", leaf("element")))
	}
	schema := []*gen.Node{root}
	rows := r.IntN(300) + 1
	if r.IntN(4) == 0 {
		rows = r.IntN(5000) + 1
	}
	g := &rowMaker{r: r, t: t, length: int(length), distinct: 1 + r.IntN(20), nulls: []float64{0, 0, 0.02, 0.3, 1}[r.IntN(5)], long: r.IntN(30)}
	if r.IntN(3) == 0 {
		g.distinct = 1 << 20
	}
	records := make([]any, rows)
	for i := range records {
		if v := g.node(root); v != nil {
			records[i] = gen.Record{"a": v}
		} else {
			records[i] = gen.Record{}
		}
	}
	data, err := gen.Shred(schema, records)
	if err != nil {
		return nil, err
	}
	s := &sample{leaf: gen.Leaves(schema)[0], data: data[0]}
	s.index()
	col := gen.Column{Data: &s.data, Codec: []gen.Codec{gen.Uncompressed, gen.Uncompressed, gen.Snappy, gen.Snappy, gen.Snappy, gen.LZ4Raw, gen.LZ4Raw, gen.Zstd}[r.IntN(8)], Index: gen.FullIndex}
	perPage := []int{1, 2, 7, 64, 100, 1000}[r.IntN(6)]
	if rows/perPage > 300 {
		perPage = 50
	}
	if col.Codec == gen.Zstd && rows/perPage > 10 {
		col.Codec = gen.LZ4Raw // an encoder for each page takes more time than all else
	}
	col.Shape = randomShape(r, t)
	if col.Encoding == gen.Dictionary && r.IntN(2) == 0 {
		for range r.IntN(4) {
			col.PageShapes = append(col.PageShapes, col.Shape)
		}
		col.Encoding = gen.Plain
	}
	if r.IntN(3) == 0 {
		for range 3 {
			col.PageShapes = append(col.PageShapes, randomShape(r, t))
		}
	}
	if r.IntN(5) == 0 {
		col.Levels, col.Version = gen.BitPacked, 1
		for i := range col.PageShapes {
			col.PageShapes[i].Version = 1
		}
	}
	cuts := []int{perPage, perPage + r.IntN(5), 0, perPage}
	how := "rows"
	if s.leaf.MaxRep > 0 && r.IntN(2) == 0 {
		col.PageSlots, how = cuts, "slots"
		col.Index = gen.NoIndex
	} else {
		col.PageRows = cuts
	}
	f := gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Columns: []gen.Column{col}}}}
	b, err := f.Write()
	if err != nil {
		return nil, err
	}
	s.what = fmt.Sprintf("type %d length %d shape %d rows %d encoding %d version %d codec %d, pages of %d %s, %d shapes", t, length, shape, rows, col.Encoding, col.Version, col.Codec, perPage, how, len(col.PageShapes))
	if s.file, err = openFile(b); err != nil {
		return nil, err
	}
	var c thrift.ColumnChunk
	err = s.file.footer.Chunk(0, 0, &c)
	s.codec = c.Meta.Codec
	return s, err
}

func randomShape(r *rand.Rand, t gen.Type) gen.Shape {
	encodings := gen.EncodingsOf(t)
	s := gen.Shape{Encoding: encodings[r.IntN(len(encodings))], Version: 1 + r.IntN(2), Runs: gen.Runs(r.IntN(5))}
	if r.IntN(2) == 0 {
		s.PageStats = gen.MinMax | gen.NullCount
	}
	return s
}

// rowMaker makes random rows.
type rowMaker struct {
	r              *rand.Rand
	t              gen.Type
	length         int
	distinct, long int
	nulls          float64
}

func (g *rowMaker) node(n *gen.Node) any {
	switch n.Repetition {
	case gen.Maybe:
		if g.r.Float64() < g.nulls {
			return nil
		}
	case gen.Many:
		all := []any{}
		for range g.r.IntN(4) * g.r.IntN(3) {
			all = append(all, g.one(n))
		}
		return all
	}
	return g.one(n)
}

func (g *rowMaker) one(n *gen.Node) any {
	if n.Type != gen.Group {
		return g.leaf()
	}
	if n.Logical.Kind == gen.KindList {
		all := []any{}
		item := n.Children[0].Children[0]
		for range g.r.IntN(4) * g.r.IntN(3) {
			all = append(all, g.node(item))
		}
		return all
	}
	rec := gen.Record{}
	for _, c := range n.Children {
		if v := g.node(c); v != nil {
			rec[c.Name] = v
		}
	}
	return rec
}

func (g *rowMaker) leaf() any {
	k := g.r.IntN(g.distinct)
	switch g.t {
	case gen.Boolean:
		return k%2 == 0
	case gen.Int32:
		return int32(k*7919 - 40)
	case gen.Int64:
		return int64(k)*1_000_003 - 40
	case gen.Int96:
		var b [12]byte
		binary.LittleEndian.PutUint32(b[k%8:], uint32(k))
		return b
	case gen.Float:
		return []float32{float32(k) / 4, -float32(k), float32(math.NaN()), float32(math.Inf(1)), float32(math.Copysign(0, -1))}[min(k%9, 4)]
	case gen.Double:
		return []float64{float64(k) / 4, -float64(k), math.NaN(), math.Inf(1), math.Copysign(0, -1)}[min(k%9, 4)]
	case gen.ByteArray:
		b := fmt.Sprintf("%d", k)
		for len(b) < (k*37)%(g.long+1) {
			b += "-" + b
		}
		return b
	}
	b := make([]byte, g.length)
	for i := range b {
		b[i] = byte(k >> (8 * (i % 3)))
	}
	return b
}

func (s *sample) index() {
	n := s.data.Slots()
	value := 0
	for i := range n {
		if s.leaf.MaxRep == 0 || s.data.Rep[i] == 0 {
			s.first = append(s.first, i)
		}
		s.value = append(s.value, value)
		if s.def(i) == s.leaf.MaxDef {
			value++
		}
	}
	s.first, s.value = append(s.first, n), append(s.value, value)
	add := func(b []byte) { s.plain = append(s.plain, string(b)) }
	switch v := s.data.Values.(type) {
	case []bool:
		for _, x := range v {
			b := []byte{0}
			if x {
				b[0] = 1
			}
			add(b)
		}
	case []int32:
		for _, x := range v {
			add(binary.LittleEndian.AppendUint32(nil, uint32(x)))
		}
	case []int64:
		for _, x := range v {
			add(binary.LittleEndian.AppendUint64(nil, uint64(x)))
		}
	case [][12]byte:
		for _, x := range v {
			add(x[:])
		}
	case []float32:
		for _, x := range v {
			add(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	case []float64:
		for _, x := range v {
			add(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	case []string:
		for _, x := range v {
			add([]byte(x))
		}
	}
}

// plainOf returns slot i of a leaf as PLAIN has it, "NULL" and ok false if it is NULL.
func plainOf(v *vector.Vector, i int) (text string, ok bool) {
	if v.IsNull(i) {
		return "NULL", false
	}
	if v.Form == vector.Dictionary {
		return plainOf(v.Dict, int(v.Codes[i]))
	}
	switch v.Type.Store() {
	case vector.InBools:
		return string([]byte{byte(v.Bools[i/64] >> (i % 64) & 1)}), true
	case vector.InInt32s:
		return string(binary.LittleEndian.AppendUint32(nil, uint32(v.Int32s[i]))), true
	case vector.InInt64s:
		return string(binary.LittleEndian.AppendUint64(nil, uint64(v.Int64s[i]))), true
	case vector.InFloats:
		return string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v.Floats[i]))), true
	case vector.InDoubles:
		return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Doubles[i]))), true
	}
	return string(v.Bytes(i)), true
}
