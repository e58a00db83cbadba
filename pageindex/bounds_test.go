package pageindex

import (
	"bytes"
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift"
)

// Statistics that lie or look usable, one line each.
func TestStatistics(t *testing.T) {
	nan32, nan64 := f32(float32(math.NaN())), f64(math.NaN())
	const none, typeOrder, total, int96Order, newerOrder = 0, thrift.OrderOfType, thrift.OrderIEEE754, thrift.OrderInt96Stamp, 9
	for _, test := range []struct {
		what         string
		typ          vector.Type
		order        thrift.Arm
		min, max     []byte // new, or deprecated with a typ that starts so
		why          Reason
		sure         bool
		wantNoMinMax bool
	}{
		{"int32", int32s, typeOrder, i32(-5), i32(7), Usable, true, false},
		{"uint32 above the sign", uint32s, typeOrder, i32(5), i32(-1), Usable, true, false},
		{"uint32 in signed order", uint32s, typeOrder, i32(-1), i32(5), Inverted, false, true},
		{"one value", int32s, typeOrder, i32(5), i32(5), Usable, true, false},
		{"lower bound only", texts, typeOrder, []byte("a"), nil, Usable, true, false},
		{"upper bound only", texts, typeOrder, nil, []byte("a"), Usable, true, false},
		{"empty strings are bounds", texts, typeOrder, []byte{}, []byte{}, Usable, true, false},
		{"nothing", int32s, typeOrder, nil, nil, NoBounds, false, true},
		{"min above max", int32s, typeOrder, i32(8), i32(7), Inverted, false, true},
		{"strings by bytes", texts, typeOrder, []byte("Z"), []byte("a"), Usable, true, false},
		{"strings inverted", texts, typeOrder, []byte("b"), []byte("aa"), Inverted, false, true},

		{"no order: boolean", boolean, none, []byte{0}, []byte{1}, Usable, false, false},
		{"no order: int32", int32s, none, i32(1), i32(2), Usable, false, false},
		{"no order: signed int8", int8s, none, i32(1), i32(2), Usable, false, false},
		{"no order: double", doubles, none, f64(1), f64(2), Usable, false, false},
		{"no order: uint64", uint64s, none, i64(1), i64(2), OrderNotNamed, false, true},
		{"no order: string", texts, none, []byte("a"), []byte("b"), OrderNotNamed, false, true},
		{"no order: decimal bytes", decimals, none, []byte{1}, []byte{2}, OrderNotNamed, false, true},
		{"no order: float16", halves, none, u16(0), u16(1), OrderNotNamed, false, true},
		{"order of later days", int32s, newerOrder, i32(1), i32(2), UnknownOrder, false, true},
		{"order that is none", int32s, thrift.Ambiguous, i32(1), i32(2), UnknownOrder, false, true},
		{"total order of integers", int32s, total, i32(1), i32(2), UnknownOrder, false, true},
		{"total order of doubles", doubles, total, f64(1), f64(2), Usable, true, false},
		{"int96 by type", int96s, typeOrder, int96(1, 0), int96(2, 0), NoOrder, false, true},
		{"int96 without", int96s, none, int96(1, 0), int96(2, 0), OrderNotNamed, false, true},
		{"int96 by time", int96s, int96Order, int96(1, 5), int96(2, 0), Usable, true, false},
		{"int96 with more than a day", int96s, int96Order, int96(1, 5), int96(2, 86400e9), Misfit, false, true},
		{"int96 before its day", int96s, int96Order, int96(1, -1), int96(2, 0), Misfit, false, true},
		{"short int96", int96s, int96Order, int96(1, 0)[:8], int96(2, 0), Misfit, false, true},
		{"timestamps of 12 bytes", longStamps, typeOrder, long(-1, 7), long(1<<40, 0), Usable, true, false},
		{"timestamps of 12 bytes as unsigned", longStamps, typeOrder, long(1, 0), long(-1, 0), Inverted, false, true},
		{"timestamps of 12 bytes without order", longStamps, none, long(0, 0), long(1, 0), OrderNotNamed, false, true},
		{"timestamps of 12 bytes by int96's order", longStamps, int96Order, long(0, 0), long(1, 0), UnknownOrder, false, true},
		{"short timestamp of 12 bytes", longStamps, typeOrder, i64(0), long(1, 0), Misfit, false, true},
		{"int32 by int96's order", int32s, int96Order, i32(1), i32(2), UnknownOrder, false, true},
		{"interval", intervals, typeOrder, make([]byte, 12), make([]byte, 12), NoOrder, false, true},
		{"geometry", shapes, typeOrder, []byte{1}, []byte{2}, NoOrder, false, true},
		{"annotation of later days", newer, typeOrder, i32(1), i32(2), NoOrder, false, true},
		{"unknown", nulls, typeOrder, i32(1), i32(2), NoOrder, false, true},

		{"NaN below", floats, typeOrder, nan32, f32(1), NaNBound, false, true},
		{"NaN above", doubles, typeOrder, f64(1), nan64, NaNBound, false, true},
		{"negative NaN", halves, typeOrder, u16(0xfe00), u16(0), NaNBound, false, true},
		{"NaN on both sides", doubles, typeOrder, nan64, nan64, NaNBound, false, true},
		{"NaN on both sides in total order", doubles, total, nan64, nan64, AllNaNs, false, true},
		{"NaN on one side in total order", doubles, total, f64(1), nan64, NaNBound, false, true},
		{"infinities", floats, typeOrder, f32(float32(math.Inf(-1))), f32(float32(math.Inf(1))), Usable, true, false},
		{"zeros the wrong way round", doubles, typeOrder, f64(0), u64(1 << 63), Usable, true, false},

		{"short integer", int32s, typeOrder, []byte{1}, i32(2), Misfit, false, true},
		{"long integer", int32s, typeOrder, i64(1), i64(2), Misfit, false, true},
		{"empty integer", int64s, typeOrder, []byte{}, []byte{}, Misfit, false, true},
		{"boolean of 2", boolean, typeOrder, []byte{0}, []byte{2}, Misfit, false, true},
		{"short uuid", uuids, typeOrder, make([]byte, 15), make([]byte, 16), Misfit, false, true},
		{"decimal without bytes", decimals, typeOrder, []byte{}, []byte{1}, Misfit, false, true},
		{"decimals of different lengths", decimals, typeOrder, []byte{0xfe, 0}, []byte{1}, Usable, true, false},
		{"decimals as unsigned bytes", decimals, typeOrder, []byte{1}, []byte{0xff}, Inverted, false, true},
	} {
		c := columnOf(test.typ, test.order)
		s := &thrift.Statistics{MinValue: test.min, MaxValue: test.max, MinExact: thrift.True, MaxExact: thrift.True}
		b := c.Statistics(s, 10)
		if b.Why != test.why || b.Sure != test.sure {
			t.Errorf("%s: %v, sure %v, want %v, %v", test.what, b.Why, b.Sure, test.why, test.sure)
		}
		if test.wantNoMinMax {
			if b.HasMin || b.HasMax || b.Min != nil || b.Max != nil || b.MinExact || b.MaxExact {
				t.Errorf("%s: bounds are kept: %+v", test.what, b)
			}
		} else if b.HasMin != (test.min != nil) || b.HasMax != (test.max != nil) || !bytes.Equal(b.Min, test.min) || !bytes.Equal(b.Max, test.max) {
			t.Errorf("%s: bounds changed: %+v", test.what, b)
		}
		if b.Nulls != Unknown {
			t.Errorf("%s: nulls are known: %d", test.what, b.Nulls)
		}

		// The same as the page of a column index says the same, but for what an
		// index cannot have: one bound alone, or none.
		if test.min == nil || test.max == nil {
			continue
		}
		p := c.Page(&thrift.ColumnIndex{NullPages: []bool{false}, MinValues: [][]byte{test.min}, MaxValues: [][]byte{test.max}}, 0)
		if p.Why != test.why || p.Sure != test.sure || p.MinExact || p.MaxExact {
			t.Errorf("%s as a page: %+v, want %v", test.what, p, test.why)
		}
	}
}

// TestVerdicts of internal/test/oracle has the other types.
func TestDeprecatedStatistics(t *testing.T) {
	for _, test := range []struct {
		typ      vector.Type
		min, max []byte
		why      Reason
	}{
		{int32s, i32(-1), i32(2), Usable},
		{doubles, f64(math.NaN()), f64(2), NaNBound},
		{int32s, i32(3), i32(2), Inverted},
		{boolean, []byte{0}, []byte{1}, Deprecated},
		{uint32s, i32(1), i32(2), Deprecated},
		{texts, []byte("a"), []byte("b"), Deprecated},
		{decimal32, i32(1), i32(2), Deprecated},
		{int96s, int96(1, 0), int96(2, 0), Deprecated},
	} {
		// Whatever order the file names, it is not that of these.
		for _, order := range []thrift.Arm{0, thrift.OrderOfType, 9} {
			c := columnOf(test.typ, order)
			s := &thrift.Statistics{Min: test.min, Max: test.max, MinExact: thrift.True}
			if b := c.Statistics(s, 10); b.Why != test.why || b.Sure || b.MinExact {
				t.Errorf("%v: %+v, want %v", test.typ, b, test.why)
			}
		}
	}
	// The new ones count where both are there, even if they are of no use.
	c := columnOf(int32s, thrift.OrderOfType)
	s := &thrift.Statistics{Min: i32(1), Max: i32(2), MinValue: i32(9), MaxValue: i32(3)}
	if b := c.Statistics(s, 10); b.Why != Inverted {
		t.Errorf("new and old: %+v", b)
	}
}

func TestCounts(t *testing.T) {
	c := columnOf(doubles, thrift.OrderOfType)
	integers := columnOf(int32s, thrift.OrderOfType)
	shape := columnOf(shapes, thrift.OrderOfType)
	strings := columnOf(texts, thrift.OrderOfType)
	for _, test := range []struct {
		what             string
		c                Column
		s                *thrift.Statistics
		slots            int64
		why              Reason
		wantNulls, wNaNs int64
	}{
		{"no statistics", c, nil, 10, NoBounds, Unknown, Unknown},
		{"no statistics of integers", integers, nil, 10, NoBounds, Unknown, 0},
		{"absent is not 0", c, &thrift.Statistics{}, 10, NoBounds, Unknown, Unknown},
		{"counts", c, &thrift.Statistics{HasNullCount: true, NullCount: 3, HasNaNCount: true, NaNCount: 2}, 10, NoBounds, 3, 2},
		{"zero", c, &thrift.Statistics{HasNullCount: true, HasNaNCount: true}, 10, NoBounds, 0, 0},
		{"all null", integers, &thrift.Statistics{HasNullCount: true, NullCount: 10}, 10, AllNulls, 10, 0},
		{"all null, with empty bounds", strings, &thrift.Statistics{HasNullCount: true, NullCount: 10, MinValue: []byte{}, MaxValue: []byte{}}, 10, AllNulls, 10, 0},
		{"all null, with bounds", integers, &thrift.Statistics{HasNullCount: true, NullCount: 10, MinValue: i32(1), MaxValue: i32(2)}, 10, Usable, Unknown, 0},
		{"all null without an order", shape, &thrift.Statistics{HasNullCount: true, NullCount: 10}, 10, AllNulls, 10, 0},
		{"nulls of a type without order", shape, &thrift.Statistics{HasNullCount: true, NullCount: 4, MinValue: []byte{1}}, 10, NoOrder, 4, 0},
		{"all NaN", c, &thrift.Statistics{HasNullCount: true, NullCount: 3, HasNaNCount: true, NaNCount: 7}, 10, AllNaNs, 3, 7},
		{"all NaN, nulls not known", c, &thrift.Statistics{HasNaNCount: true, NaNCount: 7}, 10, NoBounds, Unknown, 7},
		{"more nulls than slots", integers, &thrift.Statistics{HasNullCount: true, NullCount: 11}, 10, NoBounds, Unknown, 0},
		{"negative", c, &thrift.Statistics{HasNullCount: true, NullCount: -1, HasNaNCount: true, NaNCount: math.MinInt64}, 10, NoBounds, Unknown, Unknown},
		{"empty chunk", integers, &thrift.Statistics{HasNullCount: true}, 0, NoBounds, 0, 0},
		{"slots not known", integers, &thrift.Statistics{HasNullCount: true, NullCount: 5}, Unknown, NoBounds, 5, 0},
		{"NaN count of a type without NaN", integers, &thrift.Statistics{HasNaNCount: true, NaNCount: 5}, 10, NoBounds, Unknown, 0},
	} {
		b := test.c.Statistics(test.s, test.slots)
		if b.Why != test.why || b.Nulls != test.wantNulls || b.NaNs != test.wNaNs || b.Slots != test.slots {
			t.Errorf("%s: %+v, want %v, %d nulls, %d NaN", test.what, b, test.why, test.wantNulls, test.wNaNs)
		}
	}
}

func TestExactness(t *testing.T) {
	for _, test := range []struct {
		typ      vector.Type
		order    thrift.Arm
		min      []byte
		flag     thrift.Flag
		expected bool
	}{
		{int32s, thrift.OrderOfType, i32(0), thrift.True, true},
		{int32s, thrift.OrderOfType, i32(0), thrift.False, false},
		{int32s, thrift.OrderOfType, i32(0), thrift.Absent, false},
		{texts, thrift.OrderOfType, []byte("abc"), thrift.True, true},
		{doubles, thrift.OrderOfType, f64(1), thrift.True, true},
		{doubles, thrift.OrderOfType, f64(0), thrift.True, false}, // -0 may be there too
		{doubles, thrift.OrderOfType, u64(1 << 63), thrift.True, false},
		{doubles, thrift.OrderIEEE754, f64(0), thrift.True, true},
		{floats, thrift.OrderOfType, u32(0x80000000), thrift.True, false},
		{halves, thrift.OrderOfType, u16(0x8000), thrift.True, false},
	} {
		c := columnOf(test.typ, test.order)
		b := c.Statistics(&thrift.Statistics{MinValue: test.min, MinExact: test.flag}, 10)
		if b.Why != Usable || b.MinExact != test.expected || b.MaxExact {
			t.Errorf("%v % x: %+v, want exact %v", test.typ, test.min, b, test.expected)
		}
	}
}
