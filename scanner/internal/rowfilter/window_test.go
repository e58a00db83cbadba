package rowfilter

import (
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/thrift"
)

// located is a leaf of which nothing is known but where its pages are.
type located struct {
	Leaf
	pages []thrift.PageLocation
}

func (l *located) Pages() []thrift.PageLocation { return l.pages }

// Windows end with pages of the column that is tested first.
func TestWindowsOfPages(t *testing.T) {
	asked := &located{}
	for _, row := range []int64{0, 20000, 40000, 41000, 42000, 100000} {
		asked.pages = append(asked.pages, thrift.PageLocation{FirstRow: row})
	}
	ask := &step{leaf: asked}
	and := &step{args: []*step{{args: []*step{ask}}, {leaf: &located{}}}}
	const none = math.MaxInt64
	for _, c := range []struct {
		root     *step
		rows     vector.Range
		reach    int
		forced   int
		start    bool
		limit    int64
		whatElse string
	}{
		{ask, vector.Range{From: 0, To: 200000}, 8 << 10, 0, true, none, "the page is longer"},
		{ask, vector.Range{From: 8192, To: 200000}, 16 << 10, 0, false, 20000, ""},
		{ask, vector.Range{From: 20000, To: 200000}, 32 << 10, 0, true, 42000, "several pages"},
		{ask, vector.Range{From: 42000, To: 200000}, 32 << 10, 0, true, none, "the page is longer"},
		{and, vector.Range{From: 0, To: 200000}, 32 << 10, 0, true, 20000, "the first step"},
		{ask, vector.Range{From: 0, To: 19000}, 32 << 10, 0, true, none, "rows behind are left out"},
		{ask, vector.Range{From: 19999, To: 200000}, 8 << 10, 0, false, none, "the border is near"},
		{ask, vector.Range{From: 39999, To: 200000}, 1, 0, false, 40000, "one row"},
		{ask, vector.Range{From: 150000, To: 200000}, 32 << 10, 0, false, none, "the last page"},
		{ask, vector.Range{From: 0, To: 200000}, 32 << 10, 4096, false, none, "windows are of another size"},
		{&step{leaf: &located{}}, vector.Range{From: 0, To: 200000}, 32 << 10, 0, false, none, "no index"},
		{&step{}, vector.Range{From: 0, To: 200000}, 32 << 10, 0, false, none, "no test"},
	} {
		f := &Filter{root: c.root, windowRows: c.reach, opts: Options{Knobs: knobs.Knobs{Window: c.forced}}}
		most, limit, start := f.Window(c.rows)
		if most != c.reach {
			t.Errorf("%v: %d rows, want %d", c.rows, most, c.reach)
		}
		if start != c.start || limit != c.limit {
			t.Errorf("%v, %d rows: %v, %d, want %v, %d: %s", c.rows, c.reach, start, limit, c.start, c.limit, c.whatElse)
		}
	}
}
