package explain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
)

// finding is what metadata prove about a test in a row group, or in several neighbouring
// ones of which the same holds.
type finding struct {
	first, last     int // row groups
	test            string
	verdict         string
	none, all, open int64
	because         []string      // why rows must be tested
	low, high       vector.Scalar // which the values lie between, if that is why
	pages, tested   int           // in the page index, and those with rows to test
}

// findings returns what metadata prove about each test, by tests and row groups.
func (e *Explanation) findings(ctx context.Context) ([]finding, error) {
	places := map[string]int{}
	var all [][]finding
	for i := range e.plan.Groups {
		g := &e.plan.Groups[i]
		for k := range g.Tests {
			t := &g.Tests[k]
			at, known := places[t.Test]
			if !known {
				at = len(all)
				places[t.Test] = at
				all = append(all, nil)
			}
			w, err := e.finding(ctx, g, t)
			if err != nil {
				return nil, err
			}
			all[at] = append(all[at], w)
		}
	}
	return slices.Concat(all...), nil
}

// finding returns what metadata prove about a test in a row group.
func (e *Explanation) finding(ctx context.Context, g *scanner.GroupPlan, t *scanner.TestPlan) (w finding, err error) {
	w = finding{first: g.RowGroup, last: g.RowGroup, test: t.Test, none: t.None.Len(), all: t.All.Len()}
	w.verdict, w.open = verdict(g, t, e.rowsOf(g))
	if e.tests == nil && e.program != nil {
		e.tests = map[string]*compile.Test{}
		collectTests(e.program.Root, e.tests)
	}
	if test := e.tests[t.Test]; test != nil && w.open > 0 {
		err = e.why(ctx, &w, g, t, test)
	} else if w.none+w.all+w.open == 0 {
		w.because = []string{"no row left"} // by the other conditions
	}
	return w, err
}

func collectTests(n *compile.Node, into map[string]*compile.Test) {
	if n.Op == compile.OpTest {
		into[n.Test.String()] = n.Test
	}
	for _, a := range n.Args {
		collectTests(a, into)
	}
}

// why says why rows of a row group must be tested, and what would help.
func (e *Explanation) why(ctx context.Context, w *finding, g *scanner.GroupPlan, t *scanner.TestPlan, test *compile.Test) error {
	c, err := e.File.Chunk(g.RowGroup, test.Leaf.FirstLeaf)
	if err != nil {
		return nil // the plan names what is wrong with it
	}
	because := func(text string) { w.because = append(w.because, text) }
	b := chunks.BoundsOf(e.File, c)
	switch reason := b.Reason(&c.Meta.Statistics, c.Meta.NumValues); {
	case test.Pred.Kind == pred.Null:
		because("some are NULL")
	case !test.UsesBounds():
		because("bounds say nothing about this test")
	case !c.Meta.HasStatistics || reason == pageindex.NoBounds:
		because("no statistics")
	case reason != pageindex.Usable:
		because("statistics not used: " + reason.String())
	default:
		if zone, err := e.File.ZoneMap(g.RowGroup, t.Column); err == nil {
			w.low, w.high = zone.Min, zone.Max
		}
	}
	x, err := rawmeta.OffsetIndex(ctx, e.File.File, c)
	switch {
	case fault.IsOutsideFile(err):
		return err
	case err != nil: // the plan names what is wrong with it
	case x == nil || !c.HasColumnIndex:
		because("no page index")
	case test.UsesBounds():
		open := g.Rows.AndNot(t.None).AndNot(t.All)
		w.pages = len(x.Pages)
		for i := range x.Pages {
			from, to := pageindex.PageRows(x.Pages, i, e.rowsOf(g))
			if len(open.And(vector.Ranges(nil).Append(from, to))) > 0 {
				w.tested++
			}
		}
	}
	if _, equality := test.Keys(); equality {
		if c.Meta.HasBloomFilter {
			because("the Bloom filter may have it")
		} else {
			because("no Bloom filter")
		}
	}
	if codes, plain := dictionaryPages(c); codes > 0 && plain > 0 {
		because("dictionary given up after " + table.Plural(codes, "page"))
	}
	return nil
}

// dictionaryPages returns how many pages have codes, and how many values.
func dictionaryPages(c *scanner.Chunk) (codes, plain int64) {
	for _, s := range c.Meta.EncodingStats {
		switch {
		case !s.PageType.IsData():
		case s.Encoding.IsDictionary():
			codes += int64(max(s.Count, 0))
		default:
			plain += int64(max(s.Count, 0))
		}
	}
	return codes, plain
}

// reasons returns why rows must be tested, as one text.
func (w *finding) reasons() string {
	all := slices.Clone(w.because)
	if !w.low.IsNull() && !w.high.IsNull() {
		const most = 24
		asText := table.IsText(w.low.Plain()) && table.IsText(w.high.Plain())
		shown := func(v vector.Scalar) string {
			text := v.String()
			if b, ok := table.AppendPlain(nil, v.Type(), v.Plain(), asText); ok {
				text = string(b)
			}
			return table.QuotedIfBlank(table.First(text, most))
		}
		all = slices.Insert(all, 0, "values "+shown(w.low)+" to "+shown(w.high))
	}
	if w.pages > 0 {
		all = append(all, table.Number(int64(w.tested))+" of "+table.Plural(int64(w.pages), "page")+" overlap")
	}
	return strings.Join(all, "; ")
}

// collapse joins neighbouring row groups of which the same holds.
func collapse(all []finding) (joined []finding) {
	for _, w := range all {
		if n := len(joined) - 1; n >= 0 {
			if b := &joined[n]; b.test == w.test && b.verdict == w.verdict && b.last+1 == w.first && b.low.IsNull() == w.low.IsNull() &&
				slices.Equal(b.because, w.because) && (b.pages > 0) == (w.pages > 0) && w.verdict != "parts" {
				b.last = w.last
				b.none, b.all, b.open, b.pages, b.tested = b.none+w.none, b.all+w.all, b.open+w.open, b.pages+w.pages, b.tested+w.tested
				input.Widen(&b.low, &b.high, w.low, w.high)
				continue
			}
		}
		joined = append(joined, w)
	}
	return joined
}

// groupsText names the row groups from first to last.
func groupsText(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "–" + strconv.Itoa(last)
}

// groupLine is a line of the table of row groups.
type groupLine struct {
	first, last                      int
	rows, pass, stats, pages, blooms int64
	which                            string
}

// groupLines returns the lines of row groups. Neighbours of which no row may pass, by the
// same proofs, or all, share a line.
func (e *Explanation) groupLines() (lines []groupLine) {
	for i := range e.plan.Groups {
		g := &e.plan.Groups[i]
		l := groupLine{g.RowGroup, g.RowGroup, e.rowsOf(g), g.Rows.Len(), g.ByStatistics, g.ByPageIndex, g.ByBloom, rangesText(g.Rows)}
		if l.pass == l.rows && l.rows > 0 {
			l.which = "all"
		}
		if n := len(lines) - 1; n >= 0 {
			b := &lines[n]
			same := func(a, b int64) bool { return (a > 0) == (b > 0) }
			whole := l.pass == 0 && b.pass == 0 || l.pass == l.rows && b.pass == b.rows
			if whole && b.last+1 == l.first && same(b.stats, l.stats) && same(b.pages, l.pages) && same(b.blooms, l.blooms) {
				b.last = l.last
				b.rows, b.pass, b.stats, b.pages, b.blooms = b.rows+l.rows, b.pass+l.pass, b.stats+l.stats, b.pages+l.pages, b.blooms+l.blooms
				continue
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// summary returns how many row groups, and bytes of the columns of the query, have rows
// that may pass, and how many there are.
func (e *Explanation) summary() (groups, bytes, allBytes int64) {
	for i := range e.plan.Groups {
		g := &e.plan.Groups[i]
		if len(g.Rows) > 0 {
			groups++
		}
		for leaf, node := range e.File.Schema().Leaves() {
			if e.use(node) == "" {
				continue
			}
			if c, err := e.File.Chunk(g.RowGroup, leaf); err == nil {
				n := max(c.Meta.CompressedSize, 0)
				allBytes += n
				if len(g.Rows) > 0 {
					bytes += n
				}
			}
		}
	}
	return groups, bytes, allBytes
}

// rangesText shows the first of some ranges, by their first and last rows.
func rangesText(ranges vector.Ranges) string {
	const most = 4
	var parts []string
	for i, r := range ranges {
		if i == most {
			parts = append(parts, "… "+table.Plural(int64(len(ranges)-most), "more range"))
			break
		}
		text := table.Number(r.From)
		if r.Len() > 1 {
			text += "–" + table.Number(r.To-1)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "  ")
}
