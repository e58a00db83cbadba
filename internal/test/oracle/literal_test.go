package oracle

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// literal is a value in the three ways in which it is said.
type literal struct {
	sql   string
	value any // as internal/test/naive has it
	host  any // as builders take it
}

var null = literal{"NULL", nil, nil}

func exact(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("not a number: " + s)
	}
	return r
}

// number is a literal of digits as they stand there.
func number(s string) literal {
	l := literal{sql: s, host: filter.Decimal(s)}
	if strings.ContainsAny(s, ".eE") {
		l.value = naive.Decimal{Exact: exact(s)}
	} else {
		l.value = exact(s)
	}
	return l
}

func double(f float64) literal {
	switch {
	case f != f:
		return literal{"DOUBLE 'NaN'", f, f}
	case math.IsInf(f, 1):
		return literal{"DOUBLE 'Infinity'", f, f}
	case math.IsInf(f, -1):
		return literal{"DOUBLE '-Infinity'", f, f}
	}
	l := number(strconv.FormatFloat(f, 'e', -1, 64))
	l.host = f
	return l
}

// farNumbers are out of range of one type or another, or at its end.
var farNumbers = []string{"0", "-0.0", "1", "2.5", "0.1", "-0.1", "1e400", "-1e400", "1e-400", "9007199254740993", "9007199254740993.0", "18446744073709551615",
	"18446744073709551616", "-9223372036854775808", "-9223372036854775809", "9223372036854775807", "340282346638528859811704183484516925440", "3.5e38", "65504", "65505.5",
	"4294967295", "4294967296", "2147483647.5", "-2147483648", "127", "128", "1" + strings.Repeat("0", 60)}

// near returns a literal that compares with what place p has: a value of it,
// one next to it, or one out of range.
func (g *writer) near(p *place) literal {
	r := g.r
	if r.IntN(24) == 0 {
		return null
	}
	if p.length {
		n := r.IntN(7) - 1
		return pick(r, number(strconv.Itoa(n)), number(strconv.Itoa(n)+".5"), literal{strconv.Itoa(n), int64(n), n})
	}
	v := g.valueOf(p)
	switch p.family {
	case nothing:
		return number("1")
	case booleans:
		b := r.IntN(2) == 0
		return literal{strings.ToUpper(strconv.FormatBool(b)), b, b}
	case uuids:
		return uuidLiteral(r, v.(string))
	case texts, unordered:
		return textLiteral(r, nearText(r, v.(string)))
	case moments:
		return momentLiteral(r, v, p.logical)
	case clocks:
		return clockLiteral(r, v)
	}
	switch far := r.IntN(16); {
	case far == 0:
		return double(pick(r, math.NaN(), math.Inf(1), math.Inf(-1)))
	case far < 3:
		return number(pick(r, farNumbers...))
	}
	if f, ok := doubleOf(v); ok {
		if p.typ == gen.Float && r.IntN(3) == 0 {
			f = float64(math.Nextafter32(float32(f), float32(pick(r, math.Inf(1), math.Inf(-1)))))
		} else if r.IntN(3) == 0 {
			f = math.Nextafter(f, pick(r, math.Inf(1), math.Inf(-1)))
		}
		if f == math.Trunc(f) && math.Abs(f) < 1e15 && r.IntN(2) == 0 {
			return number(strconv.FormatFloat(f, 'f', 0, 64))
		}
		switch way := r.IntN(4); {
		case f-f != 0: // NaN or infinite
		case way == 0:
			host, err := vector.FloatOf(vector.Type{Physical: vector.Double}, f)
			if err != nil {
				panic(err)
			}
			return literal{"DOUBLE '" + strconv.FormatFloat(f, 'g', -1, 64) + "'", f, host}
		case way == 1 && math.Abs(f) < math.MaxFloat32: // as it is printed
			bits := 32
			if p.typ == gen.Double {
				bits = 64
			}
			return number(strconv.FormatFloat(f, 'e', -1, bits))
		}
		return double(f)
	}
	return numberLiteral(r, ratOf(v))
}

func ratOf(v any) *big.Rat {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case naive.Decimal:
		return v.Exact
	}
	return v.(*big.Rat)
}

// valueOf returns a value that some row has at p, or one of its kind.
func (g *writer) valueOf(p *place) any {
	for range 3 {
		if len(g.w.rows) == 0 || p.operand.IsLiteral {
			break
		}
		row := g.w.rows[g.r.IntN(len(g.w.rows))]
		var found []any
		collect(row, p.operand.Path, &found)
		if len(found) > 0 {
			return pick(g.r, found...)
		}
	}
	if p.family == nothing {
		return nil
	}
	if len(p.special) > 0 && g.r.IntN(3) == 0 {
		return p.means(pick(g.r, p.special...))
	}
	return p.means(p.at(g.r.IntN(400) - 200))
}

// collect gathers the values below a path that are there.
func collect(v any, path []int, found *[]any) {
	switch v := v.(type) {
	case nil:
	case naive.List:
		for _, i := range v {
			collect(i, path, found)
		}
	case naive.Struct:
		if len(path) == 0 { // the entry of a map
			path = []int{1}
		}
		collect(v[path[0]], path[1:], found)
	default:
		*found = append(*found, v)
	}
}

func numberLiteral(r *rand.Rand, v *big.Rat) literal {
	if r.IntN(3) == 0 {
		v = new(big.Rat).Add(v, exact(pick(r, "1", "-1", "0.5", "-0.5", "0.01", "-0.01", "0.00001", "1000")))
	}
	if v.IsInt() {
		s := v.Num().String()
		if v.Num().IsInt64() && r.IntN(2) == 0 {
			n := v.Num().Int64()
			return literal{s, n, pick[any](r, n, v.Num(), n)}
		}
		return number(s + pick(r, "", "", ".0", "e0"))
	}
	s := strings.TrimRight(v.FloatString(6), "0")
	return number(s)
}

func nearText(r *rand.Rand, s string) string {
	switch r.IntN(7) {
	case 0:
		return s + "\x00"
	case 1:
		return s[:r.IntN(len(s)+1)]
	case 2:
		if s != "" {
			return s[:len(s)-1] + string([]byte{s[len(s)-1] + byte(r.IntN(3)) - 1})
		}
	case 3:
		return pick(r, "", "a", "b", "z", "\xff", "é", "a_", "a%")
	}
	return s
}

func textLiteral(r *rand.Rand, s string) literal {
	if r.IntN(3) == 0 {
		return literal{"X'" + hex.EncodeToString([]byte(s)) + "'", s, []byte(s)}
	}
	return literal{quoted(s), s, s}
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func uuidLiteral(r *rand.Rand, s string) literal {
	if r.IntN(3) == 0 {
		s = s[:15] + string([]byte{s[15] + byte(r.IntN(3)) - 1})
	}
	text := fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:])
	switch r.IntN(4) {
	case 0:
		return literal{"X'" + hex.EncodeToString([]byte(s)) + "'", s, []byte(s)}
	case 1:
		short := s[:r.IntN(16)] // compares, but no value is equal
		return literal{"X'" + hex.EncodeToString([]byte(short)) + "'", short, []byte(short)}
	case 2:
		text = strings.ReplaceAll(text, "-", "")
	}
	return literal{quoted(text), s, text}
}

// momentLiteral writes nanoseconds since 1970, or a moment near to them, in
// the years that literals may have. Offsets from UTC stand for columns in UTC
// only; dates and INT96 take Z.
func momentLiteral(r *rand.Rand, v any, of gen.Logical) literal {
	n := new(big.Int).Set(ratOf(v).Num())
	n.Add(n, big.NewInt(pick[int64](r, 0, 0, 0, 0, 1, -1, 1000, -500_000, 1e6, 12_345_678, 86400e9)))
	days, nanos := new(big.Int).DivMod(n, big.NewInt(86400e9), new(big.Int))
	day := min(max(days.Int64(), -3_600_000), 33_000_000)
	if r.IntN(3) == 0 {
		nanos.SetInt64(0)
	}
	t := time.Unix(day*86400, nanos.Int64()).UTC()
	value := new(big.Int).Mul(big.NewInt(day), big.NewInt(86400e9))
	l := literal{value: new(big.Rat).SetInt(value.Add(value, nanos)), host: t}
	year := fmt.Sprintf("%04d", t.Year())
	if t.Year() < 0 {
		year = fmt.Sprintf("-%04d", -t.Year())
	}
	date := year + t.Format("-01-02")
	text := date + pick(r, " ", "T") + t.Format("15:04:05.999999999")
	if of.Kind != gen.KindTimestamp || of.UTC {
		text += pick(r, "", "Z")
	}
	if of.UTC && t.Year() >= 1000 && r.IntN(3) == 0 {
		zone := time.FixedZone("", 60*(r.IntN(2*16*60-1)-16*60+1))
		text = t.In(zone).Format("2006-01-02 15:04:05.999999999" + pick(r, "-07:00", "-0700"))
	}
	switch {
	case nanos.Sign() == 0 && r.IntN(2) == 0:
		l.sql, l.host = "DATE '"+date+"'", filter.Date(t.Date())
	case r.IntN(3) == 0:
		l.sql, l.host = quoted(text), text
	default:
		l.sql = "TIMESTAMP '" + text + "'"
	}
	return l
}

func clockLiteral(r *rand.Rand, v any) literal {
	n := ratOf(v).Num().Int64() + pick[int64](r, 0, 0, 0, 1, -1, 500_000, 1e6)
	n = min(max(n, 0), 86400e9-1)
	text := time.Unix(0, n).UTC().Format("15:04:05.999999999")
	l := literal{"TIME '" + text + "'", n, filter.TimeOfDay(time.Duration(n))}
	if r.IntN(3) == 0 {
		l.sql, l.host = quoted(text), text
	}
	return l
}
