package oracle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A wideType is a type as docs/format.md lists it, with values that ascend with their ranks 0 to 5.
type wideType struct {
	name, since string
	node        gen.Node
	at          func(rank int) any

	unordered  bool // its bounds prove nothing, even if a file has them
	oldOrder   bool // the order of the deprecated bounds is that of the type
	unhashable bool // Bloom filters prove nothing
}

const leastRank, ranks = 0, 6

func signedRank(bits int) func(int) any {
	return func(k int) any { return int64(k-2) << (bits - 3) }
}

func unsignedRank(bits int) func(int) any {
	return func(k int) any { return int64(uint64(k) * (^uint64(0) >> (64 - bits) / 5)) }
}

// listed returns ranks of strings, each padded to n bytes by its last one.
func listed(n int, all ...string) func(int) any {
	return func(k int) any {
		s := all[k]
		for len(s) < n {
			s += s[len(s)-1:]
		}
		return s
	}
}

func decimalRank(sizes ...int) func(int) any {
	return func(k int) any { return bigEndian(int64(k-2)*40_000, sizes[k%len(sizes)]) }
}

func wideTypes() []wideType {
	of := func(t gen.Type, l gen.Logical) gen.Node { return gen.Node{Type: t, Logical: l} }
	fixed := func(n int32, l gen.Logical) gen.Node {
		return gen.Node{Type: gen.FixedLenByteArray, Length: n, Logical: l}
	}
	ordered := func(n gen.Node, o gen.Order) gen.Node { n.Order = o; return n }
	text := listed(0, "", "A", "a", "aé", "é", "日本")
	wide := listed(0, "", "\x00", "\x7f", "\x80", "\xff", "\xff\xff")
	fix := func(n int) func(int) any { return listed(n, "\x00", "\x01\x00", "\x7f\x00", "\x80", "\xfe", "\xff") }
	float := func(k int) any { return float64(k-2) * 1.5 }
	halves := func(k int) any { return half(float64(k-2) * 1.5) }
	geo := gen.Logical{Kind: gen.KindGeometry}
	geography := gen.Logical{Kind: gen.KindGeography}
	all := []wideType{
		{name: "BOOLEAN", since: "1.0", node: of(gen.Boolean, gen.Logical{}), at: func(k int) any { return k > 1 }, unhashable: true},
		{name: "INT32", since: "1.0", node: of(gen.Int32, gen.Logical{}), at: signedRank(32), oldOrder: true},
		{name: "INT64", since: "1.0", node: of(gen.Int64, gen.Logical{}), at: signedRank(64), oldOrder: true},
		{name: "INT96, no order named", since: "1.0", node: ordered(of(gen.Int96, gen.Logical{}), gen.BytesOrder), at: func(k int) any { return int96(int64(k)*1e9, julianEpoch+k) }, unordered: true, unhashable: true},
		{name: "FLOAT", since: "1.0", node: of(gen.Float, gen.Logical{}), at: func(k int) any { return float32(k-2) * 1.5 }, oldOrder: true},
		{name: "DOUBLE", since: "1.0", node: of(gen.Double, gen.Logical{}), at: float, oldOrder: true},
		{name: "DOUBLE, IEEE 754 total order", since: "after 2.12", node: ordered(of(gen.Double, gen.Logical{}), gen.IEEE754Order), at: float, oldOrder: true},
		{name: "BYTE_ARRAY", since: "1.0", node: of(gen.ByteArray, gen.Logical{}), at: wide},
		{name: "FIXED_LEN_BYTE_ARRAY", since: "1.0", node: fixed(3, gen.Logical{}), at: fix(3)},
		{name: "STRING", since: "1.0", node: of(gen.ByteArray, gen.StringType()), at: text},
		{name: "ENUM", since: "2.0", node: of(gen.ByteArray, gen.EnumType()), at: text},
		{name: "JSON", since: "2.2", node: of(gen.ByteArray, gen.JSONType()), at: text},
		{name: "BSON", since: "2.2", node: of(gen.ByteArray, gen.BSONType()), at: wide},
		{name: "UUID", since: "2.4", node: fixed(16, gen.UUIDType()), at: fix(16)},
		{name: "FLOAT16", since: "2.10", node: fixed(2, gen.Float16Type()), at: halves},
		{name: "FLOAT16, IEEE 754 total order", since: "after 2.12", node: ordered(fixed(2, gen.Float16Type()), gen.IEEE754Order), at: halves},
		{name: "DECIMAL of INT32", since: "2.0", node: of(gen.Int32, gen.DecimalType(9, 2)), at: func(k int) any { return int32(k-2) * 1000 }},
		{name: "DECIMAL of INT64", since: "2.0", node: of(gen.Int64, gen.DecimalType(18, 4)), at: func(k int) any { return int64(k-2) * 1e12 }},
		{name: "DECIMAL of FIXED_LEN_BYTE_ARRAY", since: "2.0", node: fixed(16, gen.DecimalType(38, 9)), at: decimalRank(16)},
		{name: "DECIMAL of BYTE_ARRAY", since: "2.0", node: of(gen.ByteArray, gen.DecimalType(30, 3)), at: decimalRank(0, 8, 0, 12), unhashable: true},
		{name: "DATE", since: "2.2", node: of(gen.Int32, gen.DateType()), at: func(k int) any { return int32(k-2) * 9000 }, oldOrder: true},
		{name: "TIME(ms)", since: "2.2", node: of(gen.Int32, gen.TimeType(gen.Millis, true)), at: func(k int) any { return int32(k) * 9_000_000 }, oldOrder: true},
		{name: "TIME(µs)", since: "2.4", node: of(gen.Int64, gen.TimeType(gen.Micros, false)), at: func(k int) any { return int64(k) * 9e9 }, oldOrder: true},
		{name: "TIME(ns)", since: "2.6", node: of(gen.Int64, gen.TimeType(gen.Nanos, true)), at: func(k int) any { return int64(k) * 9e12 }, oldOrder: true},
		{name: "TIMESTAMP(ms)", since: "2.2", node: of(gen.Int64, gen.TimestampType(gen.Millis, false)), at: signedRank(42), oldOrder: true},
		{name: "TIMESTAMP(µs)", since: "2.4", node: of(gen.Int64, gen.TimestampType(gen.Micros, true)), at: signedRank(52), oldOrder: true},
		{name: "TIMESTAMP(ns)", since: "2.6", node: of(gen.Int64, gen.TimestampType(gen.Nanos, true)), at: signedRank(62), oldOrder: true},
		{name: "INTERVAL", since: "2.2", node: ordered(fixed(12, gen.IntervalType()), gen.BytesOrder), at: fix(12), unordered: true},
		{name: "UNKNOWN", since: "2.4", node: of(gen.Int32, gen.UnknownType()), unordered: true, unhashable: true},
		{name: "GEOMETRY", since: "2.11", node: ordered(of(gen.ByteArray, geo), gen.BytesOrder), at: wide, unordered: true},
		{name: "GEOGRAPHY", since: "2.11", node: ordered(of(gen.ByteArray, geography), gen.BytesOrder), at: wide, unordered: true},
	}
	for bits := 8; bits <= 64; bits *= 2 {
		physical := gen.Int32
		if bits == 64 {
			physical = gen.Int64
		}
		all = append(all,
			wideType{name: fmt.Sprintf("INT(%d)", bits), since: "2.2", node: of(physical, gen.IntType(int8(bits), true)), at: signedRank(bits), oldOrder: true, unhashable: bits < 32},
			wideType{name: fmt.Sprintf("UINT(%d)", bits), since: "2.2", node: of(physical, gen.IntType(int8(bits), false)), at: unsignedRank(bits), unhashable: bits < 32})
	}
	for i := range all {
		all[i].node.Name, all[i].node.Repetition = fmt.Sprint("r", i), gen.Once
	}
	return all
}

// rank returns the least rank of a value that equals that of k.
func (w *wideType) rank(k int) int {
	for j := range k {
		if w.at(j) == w.at(k) {
			return j
		}
	}
	return k
}

// literal returns the value of a rank as builders take it.
func (w *wideType) literal(t *testing.T, of vector.Type, rank int) any {
	var plain []byte
	switch v := w.at(rank).(type) {
	case string:
		plain = []byte(v)
	case int64:
		plain = binary.LittleEndian.AppendUint64(nil, uint64(v))[:of.Width()]
	default:
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
		plain = b.Bytes()
	}
	s, err := vector.PlainOf(of, plain)
	if err != nil {
		t.Fatal(w.name, err)
	}
	return s
}

const noValue = -1

// Pages of ranks, noValue for NULL. No row has the ranks 0, 3 and 5.
var (
	wholePages = [][]int{{1, 1}, {2, 2}, {4, 4}, {1, 4}}
	nullPages  = [][]int{{1, 1}, {2, noValue}, {noValue, noValue}, {4, 4}}
)

// A proofSource is one kind of metadata, in files that have no other.
type proofSource struct {
	name   string
	column gen.Column
	pages  bool // it speaks of each page, else of all
	bounds bool
	old    bool // bounds of no named order, which prove no All
	values bool // it knows which values there are; else only whether one is
	nulls  bool // it counts them
	bloom  bool
}

const counts = gen.NullCount | gen.NaNCount

var proofSources = []proofSource{
	{name: "statistics", column: gen.Column{Stats: gen.MinMax | counts, Index: gen.NoIndex}, bounds: true, nulls: true},
	{name: "old statistics", column: gen.Column{Stats: gen.Deprecated | counts, Index: gen.NoIndex}, bounds: true, old: true, nulls: true},
	{name: "page index", column: gen.Column{Stats: counts}, pages: true, bounds: true, nulls: true},
	{name: "page headers", column: gen.Column{Stats: gen.NoStats, Index: gen.NoIndex, Shape: gen.Shape{PageStats: gen.MinMax | counts}}, pages: true, bounds: true, nulls: true},
	{name: "Bloom filter", column: gen.Column{Stats: gen.NoStats, Index: gen.NoIndex, Bloom: 1024}, bloom: true},
	{name: "dictionary", column: gen.Column{Stats: gen.NoStats, Index: gen.NoIndex, Shape: gen.Shape{Encoding: gen.Dictionary}}, values: true},
	{name: "NULL counts", column: gen.Column{Stats: counts, Index: gen.NoIndex}, nulls: true},
}

// A rankTest is a condition on a column by rank.
type rankTest struct {
	op   string
	rank int
	expr *filter.Expr
}

func (c *rankTest) holds(rank int) bool {
	if c.op == "IS NULL" || c.op == "IS NOT NULL" {
		return (rank == noValue) == (c.op == "IS NULL")
	}
	return rank != noValue && map[string]bool{"=": rank == c.rank, "<>": rank != c.rank, "<": rank < c.rank, "<=": rank <= c.rank, ">": rank > c.rank, ">=": rank >= c.rank}[c.op]
}

// rankTests are all that can be asked of a column, each comparison with each rank.
func (w *wideType) rankTests(t *testing.T, name string, of vector.Type) []rankTest {
	col := filter.Col(name)
	all := []rankTest{{"IS NULL", noValue, col.IsNull()}, {"IS NOT NULL", noValue, col.IsNotNull()}}
	for k := leastRank; w.at != nil && k < ranks; k++ {
		v, r := w.literal(t, of, k), w.rank(k)
		all = append(all, rankTest{"=", r, col.Eq(v)}, rankTest{"<>", r, col.Ne(v)})
		if !w.unordered || w.node.Type == gen.Int96 {
			all = append(all, rankTest{"<", r, col.Lt(v)}, rankTest{"<=", r, col.Le(v)}, rankTest{">", r, col.Gt(v)}, rankTest{">=", r, col.Ge(v)})
		}
	}
	return all
}

// verdict says what a source knows of slots of the ranks: none pass, all pass, or neither.
func (s *proofSource) verdict(w *wideType, c *rankTest, slots []int, optional bool) string {
	values := slices.DeleteFunc(slices.Clone(slots), func(r int) bool { return r == noValue })
	nulls := len(slots) - len(values)
	known := s.nulls || !optional
	pass, fail := false, false
	add := func(p bool) { pass, fail = pass || p, fail || !p }
	if nulls > 0 || !known {
		add(c.holds(noValue))
	}
	ordered := !w.unordered && (!s.old || w.oldOrder)
	switch isNull := strings.HasPrefix(c.op, "IS "); {
	case known && len(values) == 0:
	case isNull:
		add(c.holds(leastRank))
	case s.values && w.node.Type != gen.Boolean:
		for _, v := range values {
			add(c.holds(v))
		}
		fail = fail || optional // its proofs are None, and All of columns without NULLs
	case s.bounds && ordered:
		for r := slices.Min(values); r <= slices.Max(values); r++ {
			if w.rank(r) == r {
				add(c.holds(r))
			}
		}
		fail = fail || s.old
	case s.bloom && !w.unhashable && c.op == "=":
		pass, fail = slices.Contains(values, c.rank), true
	default:
		pass, fail = true, true
	}
	switch {
	case !pass:
		return "none"
	case !fail:
		return "all"
	}
	return "some"
}

// TestVerdicts: each type × each source of proofs × each comparison with each rank prunes exactly the pages that it can.
func TestVerdicts(t *testing.T) { proveTypes(t) }

// proveTypes returns which verdicts scans reached, by type and source.
func proveTypes(t *testing.T) (reached map[string]map[string]map[string]bool) {
	reached = map[string]map[string]map[string]bool{}
	types := wideTypes()
	for _, w := range types {
		reached[w.name] = map[string]map[string]bool{}
	}
	for i := range proofSources {
		s := &proofSources[i]
		f := writeRanks(t, types, s)
		for i := range types {
			w := &types[i]
			verdicts := map[string]bool{}
			reached[w.name][s.name] = verdicts
			for optional, pages := range [][][]int{wholePages, nullPages} {
				name := fmt.Sprint([]string{"r", "o"}[optional], i)
				node := f.Schema().Leaves()[1+2*i+optional]
				for _, c := range w.rankTests(t, name, node.Type) {
					got, where := w.scan(t, f, &c, s, pages), fmt.Sprint(w.name, ", ", s.name, ": ", name, " ", c.op, " rank ", c.rank)
					want := map[string]int{}
					for i := range pages {
						slots := w.slots(pages[i : i+1])
						if !s.pages {
							slots = w.slots(pages)
						}
						want[s.verdict(w, &c, slots, optional == 1)]++
					}
					if got != nil && (!s.bloom || c.op == "=") && fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s: pages %v, want %v", where, got, want)
					}
					for v := range got {
						if !strings.HasPrefix(c.op, "IS ") || s.name == "NULL counts" {
							verdicts[v] = true
						}
					}
				}
			}
		}
	}
	return reached
}

// slots returns the ranks on pages, each the least of its equals; of UNKNOWN all are NULL.
func (w *wideType) slots(pages [][]int) (all []int) {
	for _, r := range slices.Concat(pages...) {
		if w.at == nil {
			r = noValue
		}
		if r != noValue {
			r = w.rank(r)
		}
		all = append(all, r)
	}
	return all
}

func writeRanks(t *testing.T, types []wideType, s *proofSource) *scanner.File {
	file := gen.File{Schema: []*gen.Node{gen.Required("n", gen.Int64)}, All: s.column}
	file.All.PageRows = []int{2}
	columns := []gen.Column{{}}
	rows := make([]any, 2*len(wholePages))
	for n := range rows {
		rows[n] = gen.Record{"n": n}
	}
	for i := range types {
		w := &types[i]
		pages := [][][]int{wholePages, nullPages}
		for optional, name := range []string{fmt.Sprint("r", i), fmt.Sprint("o", i)} {
			node, column := w.node, gen.Column{}
			if node.Name = name; optional == 1 || w.at == nil {
				node.Repetition = gen.Maybe
			}
			if w.node.Type == gen.Boolean && s.values {
				column.Encoding = gen.Plain
			}
			file.Schema, columns = append(file.Schema, &node), append(columns, column)
			for n, r := range w.slots(pages[optional]) {
				if r != noValue {
					rows[n].(gen.Record)[name] = w.at(r)
				}
			}
		}
	}
	file.RowGroups = []gen.RowGroup{{Rows: rows, Columns: columns}}
	b, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	f, err := scanner.OpenSource(t.Context(), "ranks", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// scan returns how many pages of the column were ruled out, passed untested, and read, nil if no value of the type passes
// or all do. It holds the rows against the ranks.
func (w *wideType) scan(t *testing.T, f *scanner.File, c *rankTest, s *proofSource, pages [][]int) map[string]int {
	var stats scanner.Stats
	var rows, want []int64
	for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{"n"}, Filter: c.expr, Stats: &stats}) {
		if err != nil {
			t.Fatal(w.name, err)
		}
		rows = append(rows, b.Columns[0].Int64s[:b.Len]...)
		b.Release()
	}
	for n, r := range w.slots(pages) {
		if c.holds(r) {
			want = append(want, int64(n))
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("%s, %s: %s: rows %v, want %v", w.name, s.name, c.expr, rows, want)
	}
	var got map[string]int
	for _, column := range stats.Columns {
		if column.Leaf.String() == "n" {
			continue
		}
		got = map[string]int{}
		none := column.Pages[scanner.RejectedByHeader] + column.Untouched[scanner.Dropped].Pages // of the first window, by a dictionary
		for reason := scanner.ByStatistics; reason <= scanner.ByDictionary; reason++ {
			none += column.Untouched[reason].Pages
		}
		all := column.Untouched[scanner.Proven].Pages + column.Pages[scanner.Undecompressed]
		for what, n := range map[string]int64{"none": none, "all": all, "some": int64(len(pages)) - none - all} {
			if n != 0 {
				got[what] = int(n)
			}
		}
	}
	return got
}
