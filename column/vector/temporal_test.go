package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// wantDate writes a date of package time in the canonical form.
func wantDate(at time.Time) string {
	y, m, d := at.Date()
	switch {
	case y < 0:
		return fmt.Sprintf("-%04d-%02d-%02d", -y, m, d)
	case y > 9999:
		return fmt.Sprintf("+%d-%02d-%02d", y, m, d)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func wantClock(at time.Time) string {
	s := fmt.Sprintf("%02d:%02d:%02d", at.Hour(), at.Minute(), at.Second())
	if at.Nanosecond() != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%09d", at.Nanosecond()), "0")
	}
	return s
}

// edgesAndRandom returns numbers that are likely to go wrong.
func edgesAndRandom(n int) []int64 {
	r := rand.New(rand.NewPCG(5, 6))
	var out []int64
	for _, unit := range []int64{1, 1e3, 1e6, 1e9, 86400, 86400e3, 86400e6, 86400e9} {
		for _, days := range []int64{0, 1, 59, 60, 365, 366, 10957, 11016, 11017, 146097, 719468, 719528, 2932896, 2932897, 36524, 1460, 1461} {
			for delta := int64(-2); delta <= 2; delta++ {
				out = append(out, unit*days+delta, -unit*days+delta)
			}
		}
	}
	out = append(out, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32)
	for range n {
		out = append(out, int64(r.Uint64())>>r.IntN(64))
	}
	return out
}

func TestDateAgainstPackageTime(t *testing.T) {
	for _, v := range edgesAndRandom(50000) {
		days := int32(v)
		got, err := appendText(nil, tDate, binary.LittleEndian.AppendUint32(nil, uint32(days)))
		if want := wantDate(time.Unix(int64(days)*86400, 0).UTC()); err != nil || string(got) != want {
			t.Fatalf("day %d: %s, %v, want %s", days, got, err, want)
		}
	}
}

func TestTimestampAgainstPackageTime(t *testing.T) {
	for _, v := range edgesAndRandom(20000) {
		plain := binary.LittleEndian.AppendUint64(nil, uint64(v))
		for _, unit := range []Unit{Millis, Micros, Nanos} {
			var at time.Time
			switch unit {
			case Millis:
				at = time.UnixMilli(v)
			case Micros:
				at = time.UnixMicro(v)
			case Nanos:
				at = time.Unix(0, v)
			}
			at = at.UTC()
			want := wantDate(at) + "T" + wantClock(at)
			got, err := appendText(nil, stampOf(unit, false), plain)
			if err != nil || string(got) != want {
				t.Fatalf("%d %v: %s, %v, want %s", v, unit, got, err, want)
			}
			if got, _ := appendText(nil, stampOf(unit, true), plain); string(got) != want+"Z" {
				t.Fatalf("%d %v: %s, want %sZ", v, unit, got, want)
			}
		}
	}
}

func TestInt96AgainstBig(t *testing.T) {
	values := edgesAndRandom(10000)
	for i, nanos := range values {
		day := int32(values[len(values)-1-i])
		plain := binary.LittleEndian.AppendUint64(nil, uint64(nanos))
		plain = binary.LittleEndian.AppendUint32(plain, uint32(day))
		total := new(big.Int).Mul(big.NewInt(int64(day)-2440588), big.NewInt(86400e9))
		total.Add(total, big.NewInt(nanos))
		sec, nsec := new(big.Int).DivMod(total, big.NewInt(1e9), new(big.Int))
		at := time.Unix(sec.Int64(), nsec.Int64()).UTC()
		want := wantDate(at) + "T" + wantClock(at)
		got, err := appendText(nil, tInt96, plain)
		if err != nil || string(got) != want {
			t.Fatalf("day %d nanos %d: %s, %v, want %s", day, nanos, got, err, want)
		}
	}
}

func TestTimeAgainstPackageTime(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		v := r.Int64N(86400e9) / []int64{1, 1e3, 1e6, 1e9}[r.IntN(4)]
		for _, unit := range []Unit{Millis, Micros, Nanos} {
			v := v % (86400 * unit.PerSecond())
			got, err := appendText(nil, timeOf(Int64, unit), binary.LittleEndian.AppendUint64(nil, uint64(v)))
			want := wantClock(time.Unix(0, v*(1e9/unit.PerSecond())).UTC())
			if err != nil || string(got) != want {
				t.Fatalf("%d %v: %s, %v, want %s", v, unit, got, err, want)
			}
		}
	}
}
