package pageindex

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// sample is a file in memory.
type sample struct {
	bytes  []byte
	end    int64
	footer *thrift.Footer
	schema *schema.Schema
	reads  []Need
	asked  map[*schema.Node]int // chunks
	chunk  *thrift.ColumnChunk  // nil: what the footer says
}

func sampleOf(t testing.TB, f *gen.File) *sample {
	t.Helper()
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	return openSample(t, b)
}

func openSample(t testing.TB, b []byte) *sample {
	t.Helper()
	end := len(b) - 8 - int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	s := &sample{bytes: b, end: int64(end), asked: map[*schema.Node]int{}}
	var err error
	if s.footer, err = thrift.ParseFooter(b[end : len(b)-8]); err != nil {
		t.Fatal(err)
	}
	if s.schema, err = schema.New(s.footer.Schema); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *sample) group(g int) Group {
	rows := s.footer.RowGroups[g].NumRows
	return Group{Rows: rows, Wanted: vector.All(rows), End: s.end, Chunk: func(leaf *schema.Node) (*Chunk, error) {
		s.asked[leaf]++
		c := s.chunk
		if c == nil {
			c = &thrift.ColumnChunk{}
			if err := s.footer.Chunk(g, leaf.FirstLeaf, c); err != nil {
				return nil, err
			}
		}
		return &Chunk{Column: ColumnOf(leaf, orderOf(s, leaf.FirstLeaf)), Footer: c}, nil
	}, NextPart: s.nextPart}
}

// nextPart is Group.NextPart, of all that the footer tells.
func (s *sample) nextPart(off int64) int64 {
	next := s.end
	for g := range s.footer.RowGroups {
		for i := range s.footer.RowGroups[g].NumColumns {
			var c thrift.ColumnChunk
			if s.footer.Chunk(g, i, &c) != nil {
				continue
			}
			for _, at := range []int64{c.Meta.DictionaryOffset, c.Meta.DataPageOffset, c.Meta.BloomFilterOffset, c.ColumnIndexOffset, c.OffsetIndexOffset} {
				if at > off {
					next = min(next, at)
				}
			}
		}
	}
	return next
}

func orderOf(s *sample, leaf int) thrift.Arm {
	if len(s.footer.ColumnOrders) == 0 {
		return 0
	}
	return s.footer.ColumnOrders[leaf]
}

func (s *sample) bind(t testing.TB, where string) *compile.Program {
	t.Helper()
	e, err := filter.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Bind(e, s.schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newJudge(p *compile.Program, g Group, o Options) *Judge {
	j := new(Judge)
	j.Start(p, g, o)
	return j
}

// judge returns a Judge that had all that it needs.
func (s *sample) judge(t testing.TB, p *compile.Program, g Group, o Options) *Judge {
	t.Helper()
	return s.supply(t, newJudge(p, g, o))
}

// supply lets a Judge have all that it needs.
func (s *sample) supply(t testing.TB, j *Judge) *Judge {
	t.Helper()
	for steps := 0; ; steps++ {
		needs, err := j.Step()
		if err != nil {
			t.Fatal(err)
		}
		if len(needs) == 0 {
			return j
		}
		if steps > 20 {
			t.Fatalf("no end: %+v", needs)
		}
		for _, n := range needs {
			s.reads = append(s.reads, n)
			j.Supply(n, s.bytes[n.Off:n.Off+n.Len], nil)
		}
	}
}

// log lists the needs: each leaf and part once, with a count.
func (s *sample) log() string {
	out := ""
	for i := 0; i < len(s.reads); {
		n := i
		for n < len(s.reads) && s.reads[n].Leaf == s.reads[i].Leaf && s.reads[n].Part == s.reads[i].Part {
			n++
		}
		if out != "" {
			out += ", "
		}
		if n-i > 1 {
			out += fmt.Sprint(n-i, " × ")
		}
		out += fmt.Sprint(s.reads[i].Leaf, " ", s.reads[i].Part)
		i = n
	}
	return out
}

// ascending is a file of 100 rows: up counts from 0 in pages of 10 rows, down
// from 99 down in pages of 7, half is NULL in odd rows and up/2 in even ones,
// text is up in letters, tags a list of up and -up, or empty, or NULL.
func ascending(change func(f *gen.File)) *gen.File {
	f := &gen.File{
		Schema: []*gen.Node{
			gen.Required("up", gen.Int64),
			gen.Optional("down", gen.Int32),
			gen.Optional("half", gen.Double),
			gen.Optional("text", gen.ByteArray).As(gen.StringType()),
			gen.List("tags", gen.Optional("element", gen.Int32)),
			gen.Optional("pair", gen.Group, gen.Optional("a", gen.Int32)),
		},
		All: gen.Column{PageRows: []int{10}, Stats: gen.MinMax | gen.NullCount | gen.NaNCount | gen.Exactness, SizeStats: true},
	}
	var rows []any
	for i := range 100 {
		r := gen.Record{"up": i, "down": 99 - i, "text": string([]byte{'a' + byte(i/10), 'a' + byte(i%10)})}
		if i%2 == 0 {
			r["half"] = float64(i) / 2
		}
		switch {
		case i < 20: // NULL
		case i < 40:
			r["tags"] = []any{}
		default:
			r["tags"] = []any{i, -i}
		}
		if i >= 50 {
			r["pair"] = gen.Record{"a": nil}
		}
		rows = append(rows, r)
	}
	f.RowGroups = []gen.RowGroup{{Rows: rows, Columns: []gen.Column{{}, {PageRows: []int{7}}}}}
	if change != nil {
		change(f)
	}
	return f
}

// What is read, and what of 100 rows is left, is known to be this.
func TestJudge(t *testing.T) {
	const index = " offset index, "
	both := func(leaf string) string { return leaf + index + leaf + " column index" }
	for _, test := range []struct {
		where     string
		none, all string
		reads     string
	}{
		{"up < 25", "[{30 100}]", "[{0 20}]", both("up")},
		{"up < 30", "[{30 100}]", "[{0 30}]", both("up")},
		{"up < 0", "[{0 100}]", "[]", ""},
		{"up < 100", "[]", "[{0 100}]", ""},
		{"up IN (15, 17, 75)", "[{0 10} {20 70} {80 100}]", "[]", both("up")},
		{"up NOT IN (15, 17, 75)", "[]", "[{0 10} {20 70} {80 100}]", both("up")},
		{"down = 50", "[{0 49} {56 100}]", "[]", both("down")},
		{"down > 70", "[{35 100}]", "[{0 28}]", both("down")},
		{"up < 25 AND down < 90", "[{0 7} {30 100}]", "[{14 20}]", both("up") + ", " + both("down")},
		{"up < 25 OR down < 10", "[{30 84}]", "[{0 20} {91 100}]", both("up") + ", " + both("down")},
		{"NOT (up < 25 AND down < 90)", "[{14 20}]", "[{0 7} {30 100}]", both("up") + ", " + both("down")},
		{"half >= 40", "[{0 80}]", "[]", both("half")},
		{"half >= 40 OR half IS NULL", "[]", "[]", both("half")},
		{"half IS NULL", "[]", "[]", both("half")},
		{"text LIKE 'c%'", "[{0 20} {30 100}]", "[{20 30}]", both("text")},
		{"text LIKE 'c_'", "[{0 20} {30 100}]", "[]", both("text")},
		{"text = 'cc' OR up = 99", "[{0 20} {30 90}]", "[]", both("text") + ", " + both("up")},
		{"tags IS NULL", "[{20 100}]", "[{0 20}]", both("tags.list.element")},
		{"tags IS NOT NULL", "[{0 20}]", "[{20 100}]", both("tags.list.element")},
		{"ANY(tags) > 70", "[{0 70}]", "[]", both("tags.list.element")},
		{"(ANY(tags) > 70) IS NOT TRUE", "[]", "[{0 70}]", both("tags.list.element")},
		{"ALL(tags) > -60", "[]", "[{0 20} {40 60}]", both("tags.list.element")},
		{"pair IS NULL", "[{50 100}]", "[{0 50}]", both("pair.a")},
		{"pair.a IS NULL", "[]", "[{0 100}]", ""},
		{"pair.a = 3", "[{0 100}]", "[]", ""},
		// Where they meet, up is 40 to 49 and 50 to 59, down is 44 to 50 in rows 49 to 55.
		{"up = down", "[{0 49} {56 100}]", "[]", both("up") + ", " + both("down")},
		{"up > down", "[{0 49}]", "[{56 100}]", both("up") + ", " + both("down")},
		{"down < up", "[{0 49}]", "[{56 100}]", both("down") + ", " + both("up")},
		{"up = down AND up < 10", "[{0 100}]", "[]", both("up") + ", " + both("down")},
		{"up < 0 AND down = 3", "[{0 100}]", "[]", ""},
		{"up >= 0 OR down = 3", "[]", "[{0 100}]", ""},
		{"up >= 0 AND down = 3", "[{0 91} {98 100}]", "[]", both("down")},
		{"text LIKE '%c'", "[]", "[]", ""}, // bounds say nothing of it, and there are no nulls
		{"text LIKE '%c' AND up < 10", "[{10 100}]", "[]", both("up")},
		{"up = 3 AND (down = 3 OR text = 'zz')", "[{0 100}]", "[]", both("up") + ", " + both("down")},
	} {
		s := sampleOf(t, ascending(nil))
		p := s.bind(t, test.where)
		j := s.judge(t, p, s.group(0), Options{})
		none, all := j.Of(p.Root)
		if got := [3]string{fmt.Sprint(none), fmt.Sprint(all), s.log()}; got != [3]string{test.none, test.all, test.reads} {
			t.Errorf("%s: none %v, all %v, read %s\nwant none %s, all %s, read %s", test.where, none, all, s.log(), test.none, test.all, test.reads)
		}
		if want := vector.All(100).AndNot(none); fmt.Sprint(j.Rows()) != fmt.Sprint(want) {
			t.Errorf("%s: rows %v, want %v", test.where, j.Rows(), want)
		}
		if n := j.Pruned(); len(n.Invalid) > 0 || n.Statistics+n.PageIndex+n.Bloom != none.Len() {
			t.Errorf("%s: pruned %+v, of %d", test.where, n, none.Len())
		}
	}
}

// In a file with many columns, a Judge requests metadata only for columns of the
// condition, and only while they can change the verdict.
func TestJudgeRequestsOnlyWhatMatters(t *testing.T) {
	f := &gen.File{}
	row := gen.Record{}
	for i := range 1000 {
		name := fmt.Sprint("c", i)
		f.Schema = append(f.Schema, gen.Required(name, gen.Int64))
		row[name] = i
	}
	f.RowGroups = []gen.RowGroup{{Rows: []any{row, row}}}
	s := sampleOf(t, f)
	for _, test := range []struct {
		where string
		asked string
		reads string
	}{
		{"c5 = 5 AND c7 > 7 AND c9 < 100", "c5 c7", ""},
		{"c5 = 6 OR c7 = 7 OR c9 < 100", "c5 c7", ""},
		{"NOT (c5 = 6 AND c7 = 7)", "c5", ""},
		{"c5 = 5 AND c7 = c9", "c5 c7 c9", ""},
		{"c5 <> 5 OR c5 = 6 OR c9 IN (1, 9)", "c5 c9", ""},
	} {
		clear(s.asked)
		s.reads = nil
		s.judge(t, s.bind(t, test.where), s.group(0), Options{})
		var asked []string
		for _, l := range s.schema.Leaves() {
			for range s.asked[l] {
				asked = append(asked, l.Name)
			}
		}
		if got := strings.Join(asked, " "); got != test.asked || s.log() != test.reads {
			t.Errorf("%s: asked %s, read %s; want %s, %s", test.where, got, s.log(), test.asked, test.reads)
		}
	}
	// A page alone is what the statistics are of; without them it is of use.
	var reads []string
	for _, o := range []Options{{}, {NoStatistics: true}, {NoIndex: true}} {
		s.reads = nil
		c, err := s.group(0).Chunk(s.schema.Leaves()[5])
		if err != nil {
			t.Fatal(err)
		}
		s.chunk = c.Footer
		s.chunk.Meta.Statistics.MaxValue = i64(9)
		s.judge(t, s.bind(t, "c5 = 6"), s.group(0), o)
		reads = append(reads, s.log())
		s.chunk = nil
	}
	if want := []string{"", "c5 offset index, c5 column index", ""}; !slices.Equal(reads, want) {
		t.Errorf("read %q, want %q", reads, want)
	}
}
