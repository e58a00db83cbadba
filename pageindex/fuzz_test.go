package pageindex

import (
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// Whatever stands in an index, what passes the checks can be used.
func FuzzIndex(f *testing.F) {
	// Lists of booleans, of binaries twice, the order, and null counts.
	f.Add([]byte{0x19, 0x21, 2, 1, 0x19, 0x28, 1, 5, 0, 0x19, 0x28, 1, 7, 0, 0x15, 2, 0x19, 0x26, 2, 20, 0},
		[]byte{0x19, 0x2c, 0x16, 8, 0x15, 20, 0x16, 0, 0, 0x16, 40, 0x15, 20, 0x16, 20, 0, 0}, byte(0), int64(20))
	types := []vector.Type{boolean, int32s, uint64s, floats, doubles, halves, int96s, texts, uuids, decimals, decimal5, shapes}
	f.Fuzz(func(t *testing.T, index, offsets []byte, kind byte, rows int64) {
		var x thrift.ColumnIndex
		var o thrift.OffsetIndex
		if _, err := thrift.ReadOffsetIndex(offsets, &o); err != nil {
			return
		}
		if _, err := thrift.ReadColumnIndex(index, &x); err != nil {
			return
		}
		c := ColumnOf(&schema.Node{Type: types[int(kind)%len(types)], MaxDef: int(kind >> 7), MaxRep: int(kind >> 7)}, thrift.Arm(kind>>4&3))
		if checkOffsets(&o, rows, 1<<40) != nil || c.CheckIndex(&x, &o, rows) != nil {
			return
		}
		c.BoundaryOrder(&x)
		for i := range o.Pages {
			start, end := PageRows(o.Pages, i, rows)
			if start >= end || end > rows || PageOf(o.Pages, start) != i || PageOf(o.Pages, end-1) != i {
				t.Fatalf("page %d has rows %d to %d of %d", i, start, end, rows)
			}
			b := c.Page(&x, i)
			if b.Why == Usable && c.Compare(b.Min, b.Max) > 0 || (b.Why == Usable) != b.HasMin {
				t.Fatalf("page %d: %+v", i, b)
			}
		}
	})
}

func FuzzStatistics(f *testing.F) {
	f.Add(byte(1), byte(1), i32(1), i32(2), int64(1), int64(10))
	f.Add(byte(7), byte(0), []byte("a"), []byte{}, int64(-1), int64(0))
	types := []vector.Type{boolean, int32s, uint64s, floats, doubles, halves, int96s, texts, uuids, decimals, decimal5, shapes}
	f.Fuzz(func(t *testing.T, kind, order byte, low, high []byte, nulls, slots int64) {
		c := columnOf(types[int(kind)%len(types)], thrift.Arm(order%5))
		for _, s := range []thrift.Statistics{
			{MinValue: low, MaxValue: high, HasNullCount: true, NullCount: nulls, HasNaNCount: true, NaNCount: nulls / 2},
			{Min: low, Max: high},
			{MinValue: low},
		} {
			b := c.Statistics(&s, slots)
			if (b.Why == Usable) != (b.HasMin || b.HasMax) || b.HasMin && b.HasMax && c.Compare(b.Min, b.Max) > 0 {
				t.Fatalf("%+v", b)
			}
			if b.HasMin && c.IsNaN(b.Min) || b.Nulls > slots && slots >= 0 {
				t.Fatalf("%+v of %d slots", b, slots)
			}
		}
	})
}

func index(pages int) (*thrift.ColumnIndex, *thrift.OffsetIndex) {
	x, o := &thrift.ColumnIndex{BoundaryOrder: 1}, &thrift.OffsetIndex{}
	for i := range pages {
		x.NullPages = append(x.NullPages, false)
		x.MinValues, x.MaxValues = append(x.MinValues, i64(int64(i))), append(x.MaxValues, i64(int64(i+1)))
		x.NullCounts = append(x.NullCounts, 0)
		o.Pages = append(o.Pages, thrift.PageLocation{Offset: int64(4 + 100*i), CompressedSize: 100, FirstRow: int64(10 * i)})
	}
	return x, o
}

func TestAllocatesNothing(t *testing.T) {
	x, o := index(100)
	c := columnOf(int64s, thrift.OrderOfType)
	s := &thrift.Statistics{MinValue: i64(1), MaxValue: i64(2)}
	if n := testing.AllocsPerRun(10, func() {
		if checkOffsets(o, 1000, 1<<20) != nil || c.CheckIndex(x, o, 1000) != nil || c.BoundaryOrder(x) != 1 {
			t.Fatal("index refused")
		}
		if b := c.Statistics(s, 10); b.Why != Usable {
			t.Fatal(b.Why)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	const pages = 1000
	x, o := index(pages)
	c := columnOf(int64s, thrift.OrderOfType)
	b.Run("pages=1000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if checkOffsets(o, 10*pages, 1<<20) != nil || c.CheckIndex(x, o, 10*pages) != nil || c.BoundaryOrder(x) != 1 {
				b.Fatal("index refused")
			}
		}
	})
}

// With any bytes in place of the indexes, a Judge ends, requests only ranges
// within the file, and never puts a row into both none and all.
func FuzzJudge(f *testing.F) {
	var elements []thrift.SchemaElement
	group := func(name string, children int32, rep thrift.Repetition) {
		elements = append(elements, thrift.SchemaElement{Name: name, NumChildren: children, HasNumChildren: true, HasRepetition: true, Repetition: rep})
	}
	leaf := func(name string, typ thrift.Type, rep thrift.Repetition) {
		elements = append(elements, thrift.SchemaElement{Name: name, HasType: true, Type: typ, HasRepetition: true, Repetition: rep})
	}
	group("root", 4, 0)
	leaf("i", thrift.TypeInt64, thrift.Optional)
	leaf("f", thrift.TypeDouble, thrift.Required)
	leaf("s", thrift.TypeByteArray, thrift.Optional)
	group("list", 1, thrift.Optional)
	elements[len(elements)-1].Logical.Kind = thrift.LogicalList
	group("list", 1, thrift.Repeated)
	leaf("element", thrift.TypeInt64, thrift.Optional)
	tree, err := schema.New(elements)
	if err != nil {
		f.Fatal(err)
	}
	var programs []*compile.Program
	for _, where := range []string{"i = 5 OR s = 'a'", "NOT (i < 5 AND f > 0)", "list IS NULL OR ANY(list) > 3", "ALL(list) < 9 AND s LIKE 'a%b'", "f IN (0, 1, 2) OR i IS NULL"} {
		e, err := filter.Parse(where)
		if err != nil {
			f.Fatal(err)
		}
		p, err := compile.Bind(e, tree, nil)
		if err != nil {
			f.Fatal(err)
		}
		programs = append(programs, p)
	}
	x, o := longIndex(5, func(page int) int64 { return int64(page) })
	index, _ := gen.Thrift(x)
	offsets, _ := gen.Thrift(o)
	f.Add(index, offsets, []byte("\x15\x80\x01\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x00"), int64(50), int64(50), int64(0), byte(0))
	f.Add(index, offsets, []byte("\x15\x80\x01\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x00"), int64(50), int64(70), int64(-1), byte(9))
	f.Fuzz(func(t *testing.T, index, offsets, bloom []byte, rows, values, nulls int64, kind byte) {
		if rows < 0 {
			return // the scanner's to refuse
		}
		file := append(make([]byte, 1000), index...)
		file = append(append(file, offsets...), bloom...)
		file = append(file, make([]byte, 100)...)
		c := &thrift.ColumnChunk{HasMeta: true, HasColumnIndex: kind&64 == 0, HasOffsetIndex: true,
			ColumnIndexOffset: 1000, ColumnIndexLength: int32(len(index)),
			OffsetIndexOffset: 1000 + int64(len(index)), OffsetIndexLength: int32(len(offsets))}
		m := &c.Meta
		m.NumValues, m.HasStatistics, m.HasBloomFilter, m.HasBloomLength = values, kind&16 == 0, kind&32 == 0, kind&128 != 0
		m.BloomFilterOffset, m.BloomFilterLength = c.OffsetIndexOffset+int64(len(offsets)), int32(len(bloom))+50
		m.Statistics = thrift.Statistics{MinValue: i64(-9), MaxValue: i64(900), HasNullCount: nulls >= 0, NullCount: nulls}
		m.SizeStatistics.DefinitionHistogram = []int64{nulls, values}
		g := Group{Rows: rows, Wanted: vector.All(rows), End: int64(len(file)), Chunk: func(leaf *schema.Node) (*Chunk, error) {
			return &Chunk{Column: ColumnOf(leaf, thrift.Arm(kind>>3&1)), Footer: c}, nil
		}}
		p := programs[int(kind&7)%len(programs)]
		j := newJudge(p, g, Options{})
		for step := 0; ; step++ {
			needs, err := j.Step()
			if err != nil || step > 10 {
				t.Fatalf("step %d: %v", step, err)
			}
			if len(needs) == 0 {
				break
			}
			for _, n := range needs {
				if n.Off < 0 || n.Len <= 0 || n.Off > int64(len(file))-n.Len {
					t.Fatalf("%+v of %d bytes", n, len(file))
				}
				j.Supply(n, file[n.Off:n.Off+n.Len], nil)
			}
		}
		none, all := j.Of(p.Root)
		if len(none.And(all)) > 0 || len(j.Rows().And(none)) > 0 || j.Rows().Or(none).Len() != rows {
			t.Fatalf("none %v, all %v, rows %v of %d", none, all, j.Rows(), rows)
		}
		for _, r := range []vector.Ranges{none, all, j.Rows()} {
			for i, x := range r {
				if x.From >= x.To || x.From < 0 || x.To > rows || i > 0 && r[i-1].To >= x.From {
					t.Fatalf("%v of %d rows", r, rows)
				}
			}
		}
	})
}
