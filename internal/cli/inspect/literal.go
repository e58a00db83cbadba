package inspect

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
)

// parseValue reads a value of type t, written as this program shows it, and
// returns its bytes in PLAIN, without length prefix. Binaries may be given in hex, as
// 0x… or X'…'.
func parseValue(t vector.Type, s string) ([]byte, error) {
	b, err := plainValue(t, s)
	if zone := (*zoneError)(nil); err != nil && !errors.As(err, &zone) {
		err = errors.New("not a value of " + t.String())
	}
	return b, err
}

func plainValue(t vector.Type, s string) ([]byte, error) {
	n, err := parseNumber(t, s)
	if err != nil {
		return nil, err
	}
	switch t.Physical {
	case vector.Boolean:
		v, err := strconv.ParseBool(s)
		return []byte{map[bool]byte{true: 1}[v]}, err
	case vector.Int32:
		if n != nil && (n.IsInt64() || n.IsUint64()) && n.BitLen() <= 32 && (!t.Signed || int64(int32(n.Int64())) == n.Int64()) {
			return binary.LittleEndian.AppendUint32(nil, uint32(n.Int64())), nil
		}
	case vector.Int64:
		switch {
		case n != nil && n.IsInt64():
			return binary.LittleEndian.AppendUint64(nil, uint64(n.Int64())), nil
		case n != nil && n.IsUint64() && t.Logical == vector.Integer && !t.Signed:
			return binary.LittleEndian.AppendUint64(nil, n.Uint64()), nil
		}
	case vector.Float:
		v, err := strconv.ParseFloat(s, 32)
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v))), err
	case vector.Double:
		v, err := strconv.ParseFloat(s, 64)
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)), err
	case vector.ByteArray, vector.FixedLenByteArray:
		if b, err := parseBytes(t, s, n); t.Physical == vector.ByteArray || len(b) == t.Width() {
			return b, err
		}
	}
	return nil, errors.New("no value")
}

// parseNumber reads a value of a type that is stored as an integer; nil for others.
func parseNumber(t vector.Type, s string) (*big.Int, error) {
	wrong := errors.New("no number")
	switch t.Logical {
	case vector.Decimal:
		return parseDecimal(s, int(t.Scale))
	case vector.Date:
		d, err := time.Parse("2006-01-02", s)
		return big.NewInt(d.Unix() / 86400), err
	case vector.Time:
		d, err := time.Parse("15:04:05", s)
		return units(d.Sub(d.Truncate(24*time.Hour)).Nanoseconds(), t.Unit), err
	case vector.Timestamp:
		d, err := parseTimestamp(t, s)
		all := new(big.Int).Mul(big.NewInt(d.Unix()), big.NewInt(t.Unit.PerSecond()))
		return all.Add(all, units(int64(d.Nanosecond()), t.Unit)), err
	}
	if t.Physical != vector.Int32 && t.Physical != vector.Int64 {
		return nil, nil
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || t.Logical == vector.Integer && !fits(n, t) {
		return nil, wrong
	}
	return n, nil
}

// zoneError is an offset from UTC where no offset can be.
type zoneError struct{ of vector.Type }

func (e *zoneError) Error() string {
	return "Z and offsets stand for times in UTC, not for the local ones of " + e.of.String()
}

// parseTimestamp reads a date and a time, and in UTC an offset as in --where.
func parseTimestamp(t vector.Type, s string) (time.Time, error) {
	s = strings.Replace(s, " ", "T", 1)
	const local = "2006-01-02T15:04:05"
	none, err := time.Parse(local, s)
	if err == nil {
		return none, nil
	}
	for _, zone := range [...]string{"Z07:00", "Z0700", "Z07"} {
		at, err := time.Parse(local+zone, s)
		if err != nil {
			continue
		}
		// The time package takes 24 hours and 60 minutes.
		if _, east := at.Zone(); east <= -16*3600 || east >= 16*3600 || strings.HasSuffix(s, "60") {
			break
		}
		if !t.UTC {
			return at, &zoneError{t}
		}
		return at, nil
	}
	return none, errors.New("no moment")
}

func fits(n *big.Int, t vector.Type) bool {
	if !t.Signed {
		return n.Sign() >= 0 && n.BitLen() <= int(t.Bits)
	}
	low := new(big.Int).Lsh(big.NewInt(-1), uint(t.Bits)-1)
	return n.Cmp(low) >= 0 && n.Cmp(new(big.Int).Not(low)) <= 0
}

func units(nanos int64, u vector.Unit) *big.Int {
	return big.NewInt(nanos / (1e9 / u.PerSecond()))
}

// parseDecimal reads a number with at most scale digits after the point.
func parseDecimal(s string, scale int) (*big.Int, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	if len(fraction) > scale || scale > 1000 {
		return nil, errors.New("too many digits")
	}
	n, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", scale-len(fraction)), 10)
	if !ok || strings.ContainsAny(fraction, "+-_") {
		return nil, errors.New("no decimal")
	}
	return n, nil
}

func parseBytes(t vector.Type, s string, n *big.Int) ([]byte, error) {
	switch {
	case n != nil: // a decimal, in big-endian two's complement
		width := t.Width()
		if t.Physical == vector.ByteArray {
			width = n.BitLen()/8 + 1
		}
		limit := new(big.Int).Lsh(big.NewInt(1), uint(8*width))
		if n.BitLen() >= 8*width {
			return nil, errors.New("too large")
		}
		if n.Sign() < 0 {
			n = new(big.Int).Add(limit, n)
		}
		return n.FillBytes(make([]byte, width)), nil
	case t.Logical == vector.UUID:
		return hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	case t.Logical == vector.Float16:
		v, err := strconv.ParseFloat(s, 32)
		if err != nil {
			return nil, err
		}
		for bits := range 1 << 16 { // few enough to try them all
			if h := vector.HalfToFloat(uint16(bits)); h == float32(v) {
				return binary.LittleEndian.AppendUint16(nil, uint16(bits)), nil
			}
		}
		return nil, errors.New("no such number of 16 bits")
	case t.Logical != vector.String && strings.HasPrefix(s, "0x"):
		return hex.DecodeString(s[2:])
	case t.Logical != vector.String && strings.HasPrefix(s, "X'") && strings.HasSuffix(s[2:], "'"):
		return hex.DecodeString(s[2 : len(s)-1])
	}
	return []byte(s), nil
}
