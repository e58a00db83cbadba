package vector

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Timestamps of 12 bytes, at their ends too, as math/big and package time have them.
func TestLongStamps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	stored := func(n *big.Int) []byte {
		b := new(big.Int).And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))).FillBytes(make([]byte, 12))
		slices.Reverse(b)
		return b
	}
	power := func(shift int, more int64) *big.Int {
		n := new(big.Int).Lsh(big.NewInt(1), uint(shift))
		return n.Add(n, big.NewInt(more))
	}
	numbers := []*big.Int{big.NewInt(0), power(95, -1), new(big.Int).Neg(power(95, 0)), power(64, 0), power(31, -1)}
	for range 3000 {
		n := power(r.IntN(95), r.Int64N(1000)-500)
		if n.Mul(n, big.NewInt(r.Int64N(5)-2)); n.BitLen() > 94 {
			continue
		}
		numbers = append(numbers, n)
	}
	for _, unit := range []Unit{Millis, Micros, Nanos} {
		typ := Type{Physical: FixedLenByteArray, Length: 12, Logical: Timestamp, Unit: unit, UTC: unit == Micros}
		if !typ.IsLongStamp() || !typ.IsLongMoment() {
			t.Fatalf("%v is no timestamp of 12 bytes", typ)
		}
		text := typ.Text()
		per := big.NewInt(unit.PerSecond())
		for i, n := range numbers {
			b := stored(n)
			day, rest := new(big.Int).DivMod(n, new(big.Int).Mul(per, big.NewInt(86400)), new(big.Int))
			days, nanos := typ.SplitMoment(b)
			nearest := day.Int64()
			if !day.IsInt64() {
				nearest = map[int]int64{-1: math.MinInt64, 1: math.MaxInt64}[day.Sign()]
			}
			if wanted := rest.Int64() * (1e9 / per.Int64()); nanos != wanted || days != nearest {
				t.Errorf("%v of %v is day %d and %d ns, want %v and %d", typ, n, days, nanos, day, wanted)
			}
			if other := numbers[r.IntN(i+1)]; CompareLongStamps(b, stored(other)) != n.Cmp(other) {
				t.Errorf("%v against %v is %d", n, other, CompareLongStamps(b, stored(other)))
			}
			s, err := PlainOf(typ, b)
			if err != nil {
				t.Fatal(err)
			}
			at, ok := s.Time()
			got, err := text.Append(nil, b)
			if ok != (-farthestDay < nearest && nearest < farthestDay) || err != nil || got[0] == 0 {
				t.Errorf("%v of %v is %v, %v: %s, %v", typ, n, at, ok, got, err)
			}
			if !ok || at.Year() < 0 || at.Year() > 9999 {
				continue
			}
			zone := map[bool]string{true: "Z"}[typ.UTC]
			if want := at.Format("2006-01-02T15:04:05.999999999") + zone; string(got) != want {
				t.Errorf("%v of %v is %s, want %s", typ, n, got, want)
			}
			if back, err := TimeOf(typ, at); err != nil || back != s {
				t.Errorf("%v of %v is %v, %v", typ, at, back, err)
			}
		}
		if s, err := TimeOf(typ, time.Unix(0, 1)); (err == nil) != (unit == Nanos) {
			t.Errorf("a nanosecond as %v is %v, %v", typ, s, err)
		}
		if got, err := text.Append(nil, make([]byte, 11)); err == nil {
			t.Errorf("11 bytes as %v are %s", typ, got)
		}
	}
	longest := Type{Physical: FixedLenByteArray, Length: 12, Logical: Timestamp, Unit: Nanos}
	format := longest.Text()
	for text, n := range map[string]*big.Int{
		"9999-12-31T23:59:59": new(big.Int).Mul(big.NewInt(253_402_300_799), big.NewInt(1e9)), "0001-01-01T00:00:00": new(big.Int).Mul(big.NewInt(-62_135_596_800), big.NewInt(1e9)),
		"+1255320264114-11-04T03:19:56.771975167": power(95, -1), "1969-12-31T23:59:59": big.NewInt(-1e9), "2262-04-11T23:47:16": big.NewInt(9_223_372_036e9),
	} {
		if got, _ := format.Append(nil, stored(n)); string(got) != text {
			t.Errorf("%v is %s, want %s", n, got, text)
		}
	}
}
