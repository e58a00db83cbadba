package explain

import (
	"io"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Each reason for which rows must be tested is named where it holds, and only there.
func TestExplainSaysWhy(t *testing.T) {
	rows := make([]any, 300)
	for i := range rows {
		rows[i] = gen.Record{"n": i / 3, "s": strings.Repeat("x", i%7), "b": []byte{0xff, byte(i)}}
	}
	mixed := []gen.Shape{{Encoding: gen.Dictionary}, {Encoding: gen.Dictionary}, {Encoding: gen.Plain}}
	pages := []int{100, 100, 100}
	for name, c := range map[string]struct {
		all         gen.Column
		where, want string
	}{
		"empty text":    {gen.Column{Index: gen.NoIndex}, "s = 'xx'", `values "" to xxxxxx; no page index; no Bloom filter`},
		"bytes":         {gen.Column{Index: gen.NoIndex}, "b < X'ff0a'", "values X'ff00' to X'ffff'; no page index"},
		"overlap":       {gen.Column{PageRows: pages}, "n > 50", "values 0 to 99; 1 of 3 pages overlap"},
		"equality":      {gen.Column{PageRows: pages}, "n = 50", "values 0 to 99; no Bloom filter; 1 of 3 pages overlap"},
		"no index":      {gen.Column{Index: gen.NoIndex}, "n > 50", "values 0 to 99; no page index"},
		"no statistics": {gen.Column{Stats: gen.NoStats, Index: gen.NoIndex}, "n > 50", "no statistics; no page index"},
		"not ordered":   {gen.Column{PageRows: pages}, "s LIKE '%xy%'", "bounds say nothing about this test"},
		"prefix":        {gen.Column{PageRows: pages}, "s LIKE 'xx%x'", `values "" to xxxxxx; 3 of 3 pages overlap`},
		"Bloom filter":  {gen.Column{Index: gen.NoIndex, Bloom: 1024}, "n = 50", "values 0 to 99; no page index; the Bloom filter may have it"},
		"NULL":          {gen.Column{Index: gen.NoIndex, Stats: gen.NoStats}, "s IS NULL OR n < 0", "no statistics; no page index"},
		"given up":      {gen.Column{Index: gen.NoIndex, PageRows: pages, PageShapes: mixed}, "n > 50", "values 0 to 99; no page index; dictionary given up after 2 pages"},
	} {
		b, err := (&gen.File{
			Schema:    []*gen.Node{gen.Required("n", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType()), gen.Required("b", gen.ByteArray)},
			RowGroups: []gen.RowGroup{{Rows: rows}}, All: c.all,
		}).Write()
		if err != nil {
			t.Fatal(err)
		}
		src := fetch.FromBytes(b)
		file, err := scanner.OpenSource(t.Context(), name, src)
		if err != nil {
			t.Fatal(err)
		}
		o := &command.Options{Limit: -1, RowGroup: -1}
		if o.Where.Expr, err = filter.Parse(c.where); err != nil {
			t.Fatal(err)
		}
		e, err := PlanOf(t.Context(), &input.File{File: file}, o, output.NewReport(io.Discard, output.Format{}, table.Screen{}))
		if err != nil {
			t.Fatal(err)
		}
		found, err := e.findings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var because []string
		for i := range found {
			if text := found[i].reasons(); text != "" {
				because = append(because, text)
			}
		}
		if got := strings.Join(because, " | "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
