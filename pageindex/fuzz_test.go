package pageindex

import (
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
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
		if CheckOffsets(&o, rows, 1<<40) != nil || c.CheckIndex(&x, &o, rows) != nil {
			return
		}
		c.BoundaryOrder(&x)
		for i := range o.Pages {
			start, end := PageRows(&o, i, rows)
			if start >= end || end > rows || PageOf(&o, start) != i || PageOf(&o, end-1) != i {
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
			if b.HasMin && c.isNaN(b.Min) || b.Nulls > slots && slots >= 0 {
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

func TestNothingAllocates(t *testing.T) {
	x, o := index(100)
	c := columnOf(int64s, thrift.OrderOfType)
	s := &thrift.Statistics{MinValue: i64(1), MaxValue: i64(2)}
	if n := testing.AllocsPerRun(10, func() {
		if CheckOffsets(o, 1000, 1<<20) != nil || c.CheckIndex(x, o, 1000) != nil || c.BoundaryOrder(x) != 1 {
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
			if CheckOffsets(o, 10*pages, 1<<20) != nil || c.CheckIndex(x, o, 10*pages) != nil || c.BoundaryOrder(x) != 1 {
				b.Fatal("index refused")
			}
		}
	})
}
