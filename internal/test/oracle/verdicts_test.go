package oracle

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// rankedType adds what the test asks of a gen.RankedType.
type rankedType struct{ gen.RankedType }

// rank returns the least rank of a value that equals that of k.
func (w *rankedType) rank(k int) int {
	for j := range k {
		if w.At(j) == w.At(k) {
			return j
		}
	}
	return k
}

// literal returns the value of a rank as builders take it.
func (w *rankedType) literal(t *testing.T, of vector.Type, rank int) vector.Scalar {
	v := w.At(rank)
	if s, ok := v.(string); ok {
		v = []byte(s)
	}
	plain, err := binary.Append(nil, binary.LittleEndian, v)
	if n, ok := v.(int64); ok && of.Physical == vector.Int32 {
		plain, err = binary.Append(nil, binary.LittleEndian, int32(n))
	}
	s, err2 := vector.PlainOf(of, plain)
	if err != nil || err2 != nil {
		t.Fatal(w.Name, err, err2)
	}
	return s
}

const noValue = -1

// Each type has three columns with pages of ranks, noValue for NULL. No row has the ranks 0, 3 and 5.
var rankColumns = []struct {
	prefix   string
	optional bool
	pages    [][]int
}{
	{"required", false, [][]int{{1, 1}, {2, 2}, {4, 4}, {1, 4}}},
	{"optional", true, [][]int{{1, 1}, {2, 2}, {4, 4}, {1, 4}}},
	{"nulls", true, [][]int{{1, 1}, {2, noValue}, {noValue, noValue}, {4, 4}}},
}

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
func (w *rankedType) rankTests(t *testing.T, name string, of vector.Type) []rankTest {
	col := filter.Col(name)
	all := []rankTest{{"IS NULL", noValue, col.IsNull()}, {"IS NOT NULL", noValue, col.IsNotNull()}}
	for k := 0; w.At != nil && k < gen.Ranks; k++ {
		v, r := w.literal(t, of, k), w.rank(k)
		all = append(all, rankTest{"=", r, col.Eq(v)}, rankTest{"<>", r, col.Ne(v)})
		if !w.NoOrder || w.Node.Type == gen.Int96 {
			all = append(all, rankTest{"<", r, col.Lt(v)}, rankTest{"<=", r, col.Le(v)}, rankTest{">", r, col.Gt(v)}, rankTest{">=", r, col.Ge(v)})
		}
	}
	return all
}

// isTotal says whether a comparison holds for each value of the type. Of types of many values, no rank is at an end.
func (w *rankedType) isTotal(c *rankTest) bool {
	return w.Node.Type == gen.Boolean && c.holds(w.rank(0)) && c.holds(w.rank(1))
}

// verdict says what a source knows of slots of the ranks: none pass, all pass, or neither.
func (s *proofSource) verdict(w *rankedType, c *rankTest, slots []int, optional bool) string {
	values := slices.DeleteFunc(slices.Clone(slots), func(r int) bool { return r == noValue })
	nulls := len(slots) - len(values)
	known := s.nulls || !optional
	pass, fail := false, false
	add := func(p bool) { pass, fail = pass || p, fail || !p }
	if nulls > 0 || !known {
		add(c.holds(noValue))
	}
	isNull := strings.HasPrefix(c.op, "IS ") || w.isTotal(c)
	ordered := !w.NoOrder && (!s.old || w.OldOrder)
	switch {
	case known && len(values) == 0:
	case isNull:
		add(c.op == "IS NOT NULL" || w.isTotal(c))
	case s.values && w.Node.Type != gen.Boolean:
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
	case s.bloom && !w.NoBloom && c.op == "=":
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
// docs/format.md has which verdicts the scans reached.
func TestVerdicts(t *testing.T) {
	var types []rankedType
	for _, r := range gen.RankedTypes() {
		types = append(types, rankedType{r})
	}
	lines := make([]string, len(types))
	head, under := "| type | since | stored as | read | filtered |", "\n|---|---|---|---|---|"
	for i := range proofSources {
		s := &proofSources[i]
		head, under = head+" "+s.name+" |", under+"---|"
		f := writeRanks(t, types, s)
		for i := range types {
			w := &types[i]
			verdicts, ops, physical, isRead := map[string]bool{}, map[string]bool{}, "", ""
			for k, column := range rankColumns {
				name, pages := fmt.Sprint(column.prefix, i), column.pages
				node := f.Schema().Leaves()[1+len(rankColumns)*i+k]
				physical = node.Type.Physical.String()
				isRead, ops["NULL"] = w.read(t, f, name, pages), true
				for _, c := range w.rankTests(t, name, node.Type) {
					got, want := w.scan(t, f, &c, s, pages), map[string]int{}
					for i := range pages {
						slots := w.slots(pages[i : i+1])
						if !s.pages {
							slots = w.slots(pages)
						}
						want[s.verdict(w, &c, slots, column.optional)]++
					}
					if got != nil && (!s.bloom || c.op == "=") && fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s, %s: %s %s rank %d: pages %v, want %v", w.Name, s.name, name, c.op, c.rank, got, want)
					}
					for v := range got {
						if isNull := strings.HasPrefix(c.op, "IS ") || w.isTotal(&c); v != "some" && isNull == (s.name == "NULL counts") {
							verdicts[v] = true
						}
					}
					ops[c.op] = true
				}
			}
			if lines[i] == "" {
				lines[i] = fmt.Sprintf("| %s | %s | %s | %s | %s |", w.Name, w.Since, physical, isRead, "`"+strings.Join(slices.DeleteFunc(strings.Fields("= <> < <= > >= NULL"), func(op string) bool { return !ops[op] }), " ")+"`")
			}
			lines[i] += " " + listOf(verdicts) + " |"
		}
	}
	dtest.Table(t, formatDocument, head+under+"\n"+strings.Join(lines, "\n")+"\n")
}

// read holds the values of a column against the ranks, and returns yes.
func (w *rankedType) read(t *testing.T, f *scanner.File, name string, pages [][]int) string {
	want := w.slots(pages)
	for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{name}}) {
		if err != nil || b.Len != len(want) {
			t.Fatal(w.Name, b, err)
		}
		for i, r := range want {
			got := b.Columns[0].Scalar(i)
			if r == noValue && !got.IsNull() || r != noValue && !got.Equal(w.literal(t, got.Type(), r)) {
				t.Fatalf("%s: row %d is %v", w.Name, i, got)
			}
		}
		b.Release()
	}
	return "yes"
}

// slots returns the ranks on pages, each the least of its equals; of UNKNOWN all are NULL.
func (w *rankedType) slots(pages [][]int) (all []int) {
	for _, r := range slices.Concat(pages...) {
		if w.At == nil {
			r = noValue
		}
		if r != noValue {
			r = w.rank(r)
		}
		all = append(all, r)
	}
	return all
}

func writeRanks(t *testing.T, types []rankedType, s *proofSource) *scanner.File {
	file := gen.File{Schema: []*gen.Node{gen.Required("n", gen.Int64)}, All: s.column}
	file.All.PageRows = []int{2}
	columns := []gen.Column{{}}
	rows := make([]any, 8)
	for n := range rows {
		rows[n] = gen.Record{"n": n}
	}
	for i := range types {
		w := &types[i]
		for _, c := range rankColumns {
			node, column := w.Node, gen.Column{}
			if node.Name = fmt.Sprint(c.prefix, i); c.optional || w.At == nil {
				node.Repetition = gen.Maybe
			}
			if w.Node.Type == gen.Boolean && s.values {
				column.Encoding = gen.Plain
			}
			file.Schema, columns = append(file.Schema, &node), append(columns, column)
			for n, r := range w.slots(c.pages) {
				if r != noValue {
					rows[n].(gen.Record)[node.Name] = w.At(r)
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
func (w *rankedType) scan(t *testing.T, f *scanner.File, c *rankTest, s *proofSource, pages [][]int) map[string]int {
	var stats scanner.Stats
	var rows, want []int64
	for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{"n"}, Filter: c.expr, Stats: &stats}) {
		if err != nil {
			t.Fatal(w.Name, err)
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
		t.Errorf("%s, %s: %s: rows %v, want %v", w.Name, s.name, c.expr, rows, want)
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
