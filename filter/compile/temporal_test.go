package compile

import (
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/thrift"
)

// Offsets say the moment that the time package reads, and a moment is printed
// so that it is read as the same one.
func TestOffsetsAreMoments(t *testing.T) {
	r := random(7)
	for range 20_000 {
		nanos := pick[int64](r, 0, 5e8, 123_456_000, 999_999_999)
		at := time.Unix(r.Int64N(2e11)-6e10, nanos)
		minutes := r.IntN(2*16*60-1) - 16*60 + 1
		if r.IntN(2) == 0 {
			minutes = pick(r, 0, 120, -330, 345, -14*60, 959, -959)
		}
		layout := pick(r, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999") + pick(r, "Z07:00", "-07:00", "Z0700", "-0700")
		if minutes%60 == 0 {
			layout = pick(r, layout, "2006-01-02 15:04:05.999999999-07")
		}
		text := at.In(time.FixedZone("", minutes*60)).Format(layout)
		if text[4] != '-' {
			continue // years of five digits, which time does not read
		}
		want, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := value.ParseMoment(text)
		if got := time.Unix(m.Days*86400, m.Nanos); !ok || !got.Equal(want) || m.Nanos < 0 || m.Nanos >= value.NanosPerDay {
			t.Fatalf("%s: %v, %v, want %v", text, m, ok, want.UTC())
		}
		literal := m.String()
		printed := strings.TrimSuffix(strings.TrimPrefix(literal, "TIMESTAMP '"), "'")
		if again, ok := value.ParseMoment(printed); !ok || *again != *m {
			t.Fatalf("%s: printed as %s, which is %v, not %v", text, printed, again, m)
		}
	}
}

// A local timestamp is compared with what has no zone, and with nothing else.
func TestLocalTimestampsRefuseOffsets(t *testing.T) {
	local := thrift.SchemaElement{HasType: true, Type: thrift.TypeInt64,
		Logical: thrift.LogicalType{Kind: thrift.LogicalTimestamp, Unit: thrift.Micros}}
	s := oneColumn(t, local)
	for _, good := range []string{"x = '2024-03-31 03:30:00'", "x = TIMESTAMP '2024-03-31T03:30:00.5'", "x > DATE '2024-03-31'"} {
		if _, err := bindText(good, s); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"x = '2024-03-31 03:30:00+02:00'", "x = TIMESTAMP '2024-03-31 03:30:00+02:00'", "x < '2024-03-31T03:30:00Z'",
		"x IN ('2024-03-31 03:30:00', '2024-03-31 03:30:00-05:30')", "NOT x BETWEEN '2024-03-31' AND '2024-03-31 03:30:00+0200'",
		"x IS NULL OR x <> TIMESTAMP '2024-03-31 03:30:00+00'",
	} {
		_, err := bindText(bad, s)
		if err == nil || !strings.Contains(err.Error(), "x is INT64 TIMESTAMP(MICROS,local), whose times are local: leave out the Z or the offset") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
