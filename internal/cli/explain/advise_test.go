package explain

import (
	"cmp"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/advice"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// advised is a table that is written in different shapes.
type advised struct {
	rows      []gen.Record
	groupRows int
	all       gen.Column
	own       map[string]gen.Column // of columns that differ from all
}

var advisedNames = []string{"at", "k", "few", "text", "odd"}

// adviseTable has 40,000 rows: at ascends, k are even numbers below 50,000 without order, few
// are 40 different numbers, text can hardly be compressed, and odd is 0 to 6, but for some
// rows with NULL, some with NaN and some with 100.
func adviseTable(t *testing.T) advised {
	rng := rand.New(rand.NewPCG(7, 11))
	a := advised{groupRows: 10_000, all: gen.Column{PageRows: []int{2000}}, own: map[string]gen.Column{}}
	for i := range 40_000 {
		text := make([]byte, 30)
		for j := range text {
			text[j] = "0123456789abcdefghijklmnopqrstuvwxyz-+*/&%$!ABCDEFGHIJKLMNOPQRST"[rng.IntN(64)]
		}
		row := gen.Record{"at": i, "k": 2 * rng.IntN(25_000), "few": rng.IntN(40) * 1_000_003, "text": string(text), "odd": float64(i % 7)}
		switch i / 250 {
		case 15_000 / 250:
			row["odd"] = nil
		case 25_000 / 250:
			row["odd"] = math.NaN()
		case 33_000 / 250:
			row["odd"] = 100.0
		}
		a.rows = append(a.rows, row)
	}
	return a
}

func (a advised) with(change func(*advised)) advised {
	a.rows = slices.Clone(a.rows)
	change(&a)
	return a
}

// file writes the table.
func (a advised) file(t *testing.T) *input.File {
	t.Helper()
	f := gen.File{All: a.all, Schema: []*gen.Node{
		gen.Required("at", gen.Int64), gen.Required("k", gen.Int64), gen.Required("few", gen.Int64),
		gen.Required("text", gen.ByteArray).As(gen.StringType()), gen.Optional("odd", gen.Double),
	}}
	var columns []gen.Column
	for _, name := range advisedNames {
		columns = append(columns, a.own[name])
	}
	for part := range slices.Chunk(a.rows, a.groupRows) {
		g := gen.RowGroup{Columns: columns}
		for _, r := range part {
			g.Rows = append(g.Rows, r)
		}
		f.RowGroups = append(f.RowGroups, g)
	}
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	src := fetch.FromBytes(b)
	file, err := scanner.OpenSource(t.Context(), "f.parquet", src)
	if err != nil {
		t.Fatal(err)
	}
	return &input.File{File: file}
}

// query returns what advise notes of a query.
func query(t *testing.T, f *input.File, where string, columns ...string) *witness {
	t.Helper()
	o := &command.Options{Limit: -1, RowGroup: -1}
	for _, c := range columns {
		if err := o.Columns.Set(c); err != nil {
			t.Fatal(err)
		}
	}
	if where != "" {
		var err error
		if o.Where.Expr, err = filter.Parse(where); err != nil {
			t.Fatal(err)
		}
	}
	e, err := PlanOf(t.Context(), f, o, output.NewReport(io.Discard, output.Format{}, table.Screen{}))
	if err != nil {
		t.Fatal(err)
	}
	w := &witness{explanation: e, Query: &advice.Query{}}
	if err := w.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// fetched returns the bytes that a scan reads, by its counters.
func fetched(t *testing.T, f *input.File, where string, columns ...string) int64 {
	t.Helper()
	o := scanner.Options{Select: columns, Stats: new(scanner.Stats)}
	var err error
	if where != "" {
		if o.Filter, err = filter.Parse(where); err != nil {
			t.Fatal(err)
		}
	}
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
	}
	bytes := o.Stats.Metadata
	for _, c := range o.Stats.Columns {
		bytes += c.Fetched
	}
	return bytes
}

// What is advised is what a scan saves once the file is written that way: within 15 %.
func TestAdviceHoldsOfRewrittenFiles(t *testing.T) {
	base := adviseTable(t)
	by := func(column string) func(*advised, advice.Advice) {
		return func(a *advised, _ advice.Advice) {
			slices.SortStableFunc(a.rows, func(x, y gen.Record) int { return x[column].(int) - y[column].(int) })
		}
	}
	byOdd := func(a *advised, _ advice.Advice) { // NaN first, then NULL, as SQL may have them
		slices.SortStableFunc(a.rows, func(x, y gen.Record) int {
			v, _ := x["odd"].(float64)
			w, _ := y["odd"].(float64)
			return cmp.Compare(v, w)
		})
	}
	pages := func(a *advised, found advice.Advice) { a.all.PageRows = []int{int(found.Rows)} }
	groups := func(a *advised, found advice.Advice) { a.groupRows = int(found.Rows) }
	column := func(name string, c gen.Column) func(*advised, advice.Advice) {
		return func(a *advised, _ advice.Advice) { a.own = map[string]gen.Column{name: c} }
	}
	coded := gen.Shape{Encoding: gen.Dictionary}
	for name, c := range map[string]struct {
		before func(*advised) // from adviseTable
		where  string
		kind   advice.Kind
		column string // "": of all columns
		after  func(*advised, advice.Advice)
	}{
		"sort":                 {nil, "k BETWEEN 1000 AND 1999", advice.Sort, "k", by("k")},
		"sort, many pass":      {nil, "k < 20000", advice.Sort, "k", by("k")},
		"sort, all but some":   {nil, "k <> 500 AND k > 30000", advice.Sort, "k", by("k")},
		"sort for several":     {nil, "k IN (1000, 2000, 3000)", advice.Sort, "k", by("k")},
		"sort, two conditions": {nil, "k < 20000 AND few = 5000015", advice.Sort, "k", by("k")},
		"sort by the other":    {nil, "k < 20000 AND few = 5000015", advice.Sort, "few", by("few")},
		"sort, an OR beside":   {nil, "k < 5000 AND (few = 0 OR at < 20000)", advice.Sort, "k", by("k")},
		"pages":                {func(a *advised) { a.all.PageRows = []int{10_000} }, "at BETWEEN 12300 AND 12600", advice.PageRows, "", pages},
		"pages, an OR":         {func(a *advised) { a.all.PageRows = []int{10_000} }, "at < 600 OR at BETWEEN 32300 AND 32600", advice.PageRows, "", pages},
		"pages, no bounds":     {func(a *advised) { a.all.PageRows = []int{10_000} }, "k = 7000 AND text > ''", advice.PageRows, "", pages},
		"pages, NULL":          {func(a *advised) { a.all.PageRows = []int{10_000} }, "odd IS NULL", advice.PageRows, "", pages},
		"pages, beside NaN":    {func(a *advised) { a.all.PageRows = []int{10_000} }, "odd > 50", advice.PageRows, "", pages},
		"pages, NaN passes":    {func(a *advised) { a.all.PageRows = []int{10_000} }, "NOT odd <= 6", advice.PageRows, "", pages},
		"sort, NULL and NaN":   {nil, "odd >= 6 AND odd < 7", advice.Sort, "odd", byOdd},
		"row groups": {func(a *advised) {
			a.groupRows, a.all.Index = 40_000, gen.NoIndex
		}, "at BETWEEN 12300 AND 12600", advice.RowGroupRows, "", groups},
		"row groups, two": {func(a *advised) {
			a.groupRows, a.all.Index = 40_000, gen.NoIndex
		}, "at > 12300 AND k < 40000 AND at < 25600", advice.RowGroupRows, "", groups},
		"Bloom filter": {func(a *advised) { a.keepIn(20_000, 30_000, 7000) }, "k = 7000", advice.Bloom, "k", column("k", gen.Column{Bloom: 16 << 10})},
		"Bloom filter, two keys": {func(a *advised) { a.keepIn(20_000, 30_000, 7000) }, "k IN (7000, 7001)", advice.Bloom, "k",
			column("k", gen.Column{Bloom: 16 << 10})},
		"dictionary":         {nil, "few = 3000009", advice.Dictionary, "few", column("few", gen.Column{Shape: coded})},
		"dictionary decides": {func(a *advised) { a.replace("few", 10_000, 40_000, 3000009, 3000008) }, "few = 3000009", advice.Dictionary, "few", column("few", gen.Column{Shape: coded})},
		"codec":              {nil, "at >= 0", advice.Codec, "few", column("few", gen.Column{Codec: gen.Zstd})},
	} {
		t.Run(name, func(t *testing.T) {
			before := base.with(func(a *advised) {
				if c.before != nil {
					c.before(a)
				}
			})
			f := before.file(t)
			w := query(t, f, c.where, "text", "few")
			now := fetched(t, f, c.where, "text", "few")
			if w.Fetched != now {
				t.Errorf("%d bytes read, the scan's counters say %d", w.Fetched, now)
			}
			all := w.Advise(w.samples)
			at := slices.IndexFunc(all, func(a advice.Advice) bool {
				return a.Kind == c.kind && (a.Column < 0) == (c.column == "") && (a.Column < 0 || w.Columns[a.Column].Leaf.Name == c.column)
			})
			if at < 0 {
				t.Fatalf("not advised: %v", all)
			}
			after := before.with(func(a *advised) { c.after(a, all[at]) })
			saved := now - fetched(t, after.file(t), c.where, "text", "few")
			off := float64(all[at].Saves-saved) / float64(saved)
			t.Logf("of %d bytes %d were to be saved, and %d were: %+.1f %%", now, all[at].Saves, saved, 100*off)
			if saved <= 0 || off < -0.15 || off > 0.15 {
				t.Errorf("advice is %+.1f %% off", 100*off)
			}
		})
	}
}

// keepIn keeps value k in rows [from, to) alone, and puts it into the first of them.
func (a *advised) keepIn(from, to, k int) {
	a.replace("k", 0, from, k, k+2)
	a.replace("k", to, len(a.rows), k, k+2)
	row := gen.Record{}
	for name, v := range a.rows[from] {
		row[name] = v
	}
	row["k"] = k
	a.rows[from] = row
}

// replace replaces a value in rows [from, to) by another.
func (a *advised) replace(column string, from, to, old, new int) {
	for i := from; i < to; i++ {
		if a.rows[i][column] != old {
			continue
		}
		row := gen.Record{}
		for name, v := range a.rows[i] {
			row[name] = v
		}
		row[column] = new
		a.rows[i] = row
	}
}

// Where nothing helps, nothing is advised.
func TestAdviceIsSilentWhereNothingHelps(t *testing.T) {
	base := adviseTable(t)
	sorted := base.with(func(a *advised) {
		slices.SortStableFunc(a.rows, func(x, y gen.Record) int { return x["k"].(int) - y["k"].(int) })
		a.own["few"] = gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}}
		a.own["text"] = gen.Column{Codec: gen.Zstd}
		a.all.PageRows = []int{1000}
	})
	for name, c := range map[string]struct {
		table   advised
		where   string
		columns []string
	}{
		"no condition":           {sorted, "", []string{"few", "text"}},
		"all pass":               {sorted, "few >= 0", []string{"few", "text"}},
		"nothing read":           {sorted, "k = -5", []string{"few", "text"}},
		"sorted, and read whole": {sorted, "k < 45000", []string{"text"}},
	} {
		f := c.table.file(t)
		w := query(t, f, c.where, c.columns...)
		if all := w.Advise(w.samples); len(all) > 0 {
			t.Errorf("%s: %v, of %d bytes", name, all, w.Fetched)
		}
	}
}

// A dictionary is counted as large as it is once it is written, whatever its runs.
func TestCountedDictionaryIsTheWrittenOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for distinct, run := range map[int]int{2: 1, 3: 50, 40: 1, 41: 9, 300: 3, 5000: 1, 5001: 20} {
		base := adviseTable(t)
		v := 0
		for i := range base.rows {
			if i%run == 0 {
				v = rng.IntN(distinct)
			}
			base.rows[i]["few"] = v * 1_000_003
		}
		w := query(t, base.file(t), "", "few")
		coded := base.with(func(a *advised) {
			a.own = map[string]gen.Column{"few": {Shape: gen.Shape{Encoding: gen.Dictionary}, PageRows: []int{10_000}}}
		}).file(t)
		for g := range w.Columns[0].Chunks {
			c, err := coded.Chunk(g, 2)
			if err != nil {
				t.Fatal(err)
			}
			e := w.Columns[0].Chunks[g].Encoded
			counted := e.Dictionary + e.Codes
			if off := float64(counted)/float64(c.Meta.CompressedSize) - 1; !e.Known || off < -0.1 || off > 0.1 {
				t.Errorf("%d values in runs of %d: %d bytes counted, %d written", distinct, run, counted, c.Meta.CompressedSize)
			}
		}
	}
}

// Row groups without columns are an error, before memory for all columns of all of them is taken.
func TestAdviceOnRowGroupsWithoutColumns(t *testing.T) {
	f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int32)}, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1}}}}}
	f.Footer = func(m *wire.FileMetaData) {
		for i := range 3000 {
			leaf := *m.Schema[1]
			leaf.Name = strconv.Itoa(i)
			m.Schema = append(m.Schema, &leaf)
			m.RowGroups = append(m.RowGroups, &wire.RowGroup{NumRows: 0, Columns: []*wire.ColumnChunk{}})
		}
		children := int32(len(m.Schema) - 1)
		m.Schema[0].NumChildren = &children
	}
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	src := fetch.FromBytes(b)
	file, err := scanner.OpenSource(t.Context(), "f.parquet", src)
	if err != nil {
		t.Fatal(err)
	}
	in := &input.File{File: file}
	w := &witness{explanation: &Explanation{File: in, o: &command.Options{Limit: -1}}, Query: &advice.Query{}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = w.read(t.Context())
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, scanner.ErrCorrupt) || grown > 100<<20 {
		t.Errorf("%d bytes for a file of %d: %v", grown, len(b), err)
	}
}
