package table

import (
	"encoding/binary"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

func TestBytesAreTextOrHex(t *testing.T) {
	for _, tc := range []struct {
		logical vector.Logical
		in      []string // the first two decide
		want    []string
	}{
		{vector.None, []string{"spool", "größe\n", "", "\x00\xff"}, []string{"spool", "größe\n", "", "X'00ff'"}},
		{vector.None, []string{"spool", "\xff", "text"}, []string{"X'73706f6f6c'", "X'ff'", "X'74657874'"}},
		{vector.None, []string{"a\x1b[2J", "b"}, []string{"X'611b5b324a'", "X'62'"}},
		{vector.BSON, []string{"spool"}, []string{"X'73706f6f6c'"}},
		{vector.String, []string{"spool", "\xff"}, []string{"spool", "\xff"}},
	} {
		f := vector.Field{Type: vector.Type{Physical: vector.ByteArray, Logical: tc.logical}, Nullable: true}
		v := build.New(&f)
		for _, s := range tc.in {
			v.Views[build.Extend(v, 1)] = bits.Make([]byte(s), build.AddBuffer(v, []byte(s)), 0)
		}
		shown := newValues(&f)
		shown.use(v, 0, min(2, len(tc.in)))
		for i, want := range tc.want {
			if got, err := shown.append(nil, i); string(got) != want || err != nil {
				t.Errorf("%v %q: %q, not %q: %v", tc.logical, tc.in[i], got, want, err)
			}
		}
	}
}

func TestIntervalsInWords(t *testing.T) {
	for want, in := range map[string][3]uint32{
		"00:00:00":                       {},
		"1 month":                        {1},
		"14 months 3 days 04:05:06.007":  {14, 3, 4*3_600_000 + 5*60_000 + 6_007},
		"1 day":                          {0, 1},
		"00:00:01":                       {0, 0, 1000},
		"1 month 00:00:00.120":           {1, 0, 120},
		"2 days 1193:02:47.295":          {0, 2, 1<<32 - 1},
		"4294967295 months 25:00:00.010": {1<<32 - 1, 0, 25*3_600_000 + 10},
	} {
		var b []byte
		for _, n := range in {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		if got := string(appendInterval(nil, b)); got != want {
			t.Errorf("%v: %q, not %q", in, got, want)
		}
	}
}
