package cli

import (
	"github.com/winnow-scan/winnow/internal/cli/table"
	"io"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
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
		o := &options{limit: -1, rowGroup: -1}
		if o.where.expr, err = filter.Parse(c.where); err != nil {
			t.Fatal(err)
		}
		e, err := explain(t.Context(), &input{File: file}, o, newReport(io.Discard, Format{}, table.Screen{}))
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

// Neighbouring row groups share a line if the same holds of them, and their sums are right.
func TestExplainJoinsRowGroups(t *testing.T) {
	stdout, stderr, code := runScan(t, t.Context(), "explain", "--format", "table", "-w", "ship_date >= '1996-05-01' AND extended_price > 40000", "../../testdata/lineitems.parquet")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{
		"        0–1  12,000         0      12,000\n",
		"        2–3   8,000     8,000              all\n",
		"ship_date >= 1996-05-01           0–1  none     12,000\n",
		"extended_price >= 40000.01        2–3  some                    8,000  values 900.10 to 49975.00; 11 of 11 pages overlap\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no line %q in\n%s", want, stdout)
		}
	}
}
