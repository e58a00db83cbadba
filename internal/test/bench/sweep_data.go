package bench

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// A sweepType is a type of columns. Its values are made of ranks, numbers from 0 whose order they have.
type sweepType struct {
	name    string
	node    *gen.Node
	bytes   int // of a value, about
	ranks   int // values that there are
	values  func(ranks ...int32) any
	literal func(rank int) any // what stands in JSON for a value; nil: the value
	kind    string             // the type of its literals in a condition
}

// each makes values one by one.
func each[T any](value func(rank int) T) func(ranks ...int32) any {
	return func(ranks ...int32) any {
		list := make([]T, len(ranks))
		for i, r := range ranks {
			list[i] = value(int(r))
		}
		return list
	}
}

func sweepTypes() []sweepType {
	const many, some = 1 << 18, 20_000
	var none gen.Logical
	leaf := func(t gen.Type, l gen.Logical) *gen.Node { return gen.Required("", t).As(l) }
	fixed := func(length int32, l gen.Logical) *gen.Node { return leaf(gen.FixedLenByteArray, l).Len(length) }
	number := func(rank int) int64 { return int64(rank-1000) * 1_000_003 }
	decimal := func(number func(rank int) int64, one int64, scale int) func(rank int) any {
		return func(rank int) any { return json.Number(big.NewRat(number(rank), one).FloatString(scale)) }
	}
	small := func(rank int) int64 { return int64(rank-1000) * 33 }
	half := func(rank int) uint16 { return uint16(rank) + 0x1000 }
	day := func(rank int) time.Time { return time.Unix(0, 0).UTC().AddDate(20, 0, rank) }
	moment := func(rank int) time.Time { return day(0).Add(time.Duration(rank) * 3_661_000_001 * time.Microsecond) }
	fixed5, uuid := fixedBytes(5), fixedBytes(16)
	return []sweepType{
		{"bool", leaf(gen.Boolean, none), 1, 2, each(func(r int) bool { return r == 1 }), nil, ""},
		{"int32", leaf(gen.Int32, none), 4, many, each(func(r int) int32 { return int32(r-1000) * 7 }), nil, ""},
		{"int64", leaf(gen.Int64, none), 8, many, each(number), nil, ""},
		{"uint32", leaf(gen.Int32, gen.IntType(32, false)), 4, many, each(func(r int) int32 { return int32(uint32(r) * 16_000) }),
			func(r int) any { return r * 16_000 }, ""},
		{"float", leaf(gen.Float, none), 4, many, each(func(r int) float32 { return float32(r-1000) / 4 }), nil, ""},
		{"double", leaf(gen.Double, none), 8, many, each(func(r int) float64 { return float64(r-1000) / 8 }), nil, ""},
		{"float16", fixed(2, gen.Float16Type()), 2, some, each(func(r int) string { return string(binary.LittleEndian.AppendUint16(nil, half(r))) }),
			func(r int) any { return vector.HalfToFloat(half(r)) }, ""},
		{"decimal9", leaf(gen.Int32, gen.DecimalType(9, 2)), 4, many, each(func(r int) int32 { return int32(small(r)) }), decimal(small, 100, 2), ""},
		{"decimal18", leaf(gen.Int64, gen.DecimalType(18, 4)), 8, many, each(number), decimal(number, 10_000, 4), ""},
		{"decimal38", fixed(16, gen.DecimalType(38, 6)), 16, many, each(func(r int) string {
			sign := uint64(number(r) >> 63)
			return string(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, sign), uint64(number(r))))
		}), decimal(number, 1_000_000, 6), ""},
		{"date", leaf(gen.Int32, gen.DateType()), 4, some, each(func(r int) int32 { return int32(day(r).Unix() / 86400) }),
			func(r int) any { return day(r).Format(time.DateOnly) }, "date"},
		{"timestamp", leaf(gen.Int64, gen.TimestampType(gen.Micros, false)), 8, many, each(func(r int) int64 { return moment(r).UnixMicro() }),
			func(r int) any { return moment(r).Format("2006-01-02 15:04:05.000000") }, "timestamp"},
		{"short", leaf(gen.ByteArray, gen.StringType()), 10, many, each(func(r int) string { return fmt.Sprintf("%07d%s", r, "abcdef"[:r%6]) }), nil, ""},
		{"long", leaf(gen.ByteArray, gen.StringType()), 200, many, each(longText), nil, ""},
		{"url", leaf(gen.ByteArray, gen.StringType()), 60, many, each(func(r int) string {
			return fmt.Sprintf("https://www.site%03d.example.com/catalogue/%07d?ref=%06x", r>>10, r, mixed(r%997)&0xffffff)
		}), nil, ""},
		{"fixed5", fixed(5, none), 5, many, each(fixed5), func(r int) any { return fmt.Sprintf("%x", fixed5(r)) }, "hex"},
		{"uuid", fixed(16, gen.UUIDType()), 16, many, each(uuid), func(r int) any {
			b := uuid(r)
			return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
		}, "uuid"},
	}
}

func mixed(rank int) uint64 { return uint64(rank+1) * 0x9e3779b97f4a7c15 >> 16 }

// fixedBytes returns what makes values of some bytes: the rank, then bytes without order.
func fixedBytes(length int) func(rank int) string {
	return func(rank int) string {
		b := binary.BigEndian.AppendUint32(nil, uint32(rank)*16_000)
		for len(b) < length {
			b = binary.BigEndian.AppendUint64(b, mixed(rank+len(b))<<16)
		}
		return string(b[:length])
	}
}

// longText returns 200 bytes: the rank, words, and what few ranks have at their ends.
func longText(rank int) string {
	words := [...]string{"carefully ", "final ", "deposits ", "sleep ", "quickly ", "above ", "the ", "pending ", "requests "}
	b := fmt.Appendf(make([]byte, 0, 224), "%07d ", rank)
	for h := mixed(rank); len(b) < 194; h = mixed(int(h)) {
		b = append(b, words[h%uint64(len(words))]...)
	}
	return string(fmt.Appendf(b[:194], "%06x", mixed(rank%997)&0xffffff))
}

func sweepEncoding(name string) gen.Encoding {
	return map[string]gen.Encoding{"plain": gen.Plain, "dictionary": gen.Dictionary, "delta": gen.DeltaBinaryPacked,
		"delta-length": gen.DeltaLengthByteArray, "delta-bytes": gen.DeltaByteArray, "split": gen.ByteStreamSplit}[name]
}

func sweepCodec(name string) gen.Codec {
	return map[string]gen.Codec{"none": gen.Uncompressed, "snappy": gen.Snappy, "zstd": gen.Zstd, "gzip": gen.Gzip, "lz4": gen.LZ4Raw, "brotli": gen.Brotli}[name]
}

// condition returns a predicate on the column name, whose ranks are below n: its tree, and whether a
// rank passes. The rank known is one that a row has.
func (t *sweepType) condition(predicate, name string, known, n int) (tree map[string]any, passes func(rank int) bool) {
	test := func(op string, value any) map[string]any {
		return map[string]any{"op": op, "col": name, "value": value, "type": t.kind}
	}
	of := func(rank int) any {
		if t.literal != nil {
			return t.literal(rank)
		}
		return reflect.ValueOf(t.values(int32(rank))).Index(0).Interface()
	}
	from, to, set := n/3, n/3+max(n/100, 1), []int{known, n / 7, n / 5, n / 3, n - 1}
	switch predicate {
	case "eq", "eqother":
		return test("eq", of(known)), func(r int) bool { return r == known }
	case "in":
		return test("in", []any{of(set[0]), of(set[1]), of(set[2]), of(set[3]), of(set[4])}), func(r int) bool { return slices.Contains(set, r) }
	case "range1":
		return map[string]any{"and": []any{test("ge", of(from)), test("lt", of(to))}}, func(r int) bool { return from <= r && r < to }
	case "half":
		return test("ge", of(n/2)), func(r int) bool { return r >= n/2 }
	case "notnull":
		return test("not_null", nil), func(int) bool { return true }
	}
	text := func(rank int) string { return t.values(int32(rank)).([]string)[0] }
	if predicate == "contains" {
		piece := text(known)[len(text(known))-6:]
		return test("contains", piece), func(r int) bool { return strings.Contains(text(r), piece) }
	}
	same := 0
	for text(0)[same] == text(n - 1)[same] {
		same++
	}
	prefix := text(known)[:same+3] // three bytes more than all values share
	return test("prefix", prefix), func(r int) bool { return strings.HasPrefix(text(r), prefix) }
}
