package scanner

import (
	"fmt"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// counted runs a scan and holds its counters to the file.
func counted(t *testing.T, f *File, where string, o Options) *Stats {
	t.Helper()
	if where != "" {
		e, err := filter.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		o.Filter = e
	}
	s := new(Stats)
	o.Stats = s
	var reports pageReports
	o.Pages = reports.add
	rows := 0
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		rows += b.Len
	}
	if int64(rows) != s.Rows {
		t.Errorf("%q: %d rows, counted %d", where, rows, s.Rows)
	}
	closed(t, f, fmt.Sprintf("%q", where), s)
	reports.agree(t, f, fmt.Sprintf("%q", where), s)
	return s
}

// pageReports are what Options.Pages was called with.
type pageReports struct {
	mu  sync.Mutex
	all []PageReport
}

func (p *pageReports) add(r PageReport) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, r)
}

// agree holds the reports of a scan to its counters: as many pages by fate, and as many
// unread pages by reason.
func (p *pageReports) agree(t *testing.T, f *File, name string, s *Stats) {
	t.Helper()
	type chunk struct{ rowGroup, leaf int }
	own := map[chunk]map[int]PageReport{}
	rest := map[chunk]Reason{}
	dictionaries := map[int]int64{} // by leaf
	for _, r := range p.all {
		at := chunk{r.RowGroup, r.Leaf.FirstLeaf}
		switch r.Page {
		case OtherPages:
			rest[at] = r.Why
			continue
		case DictionaryPage:
			dictionaries[at.leaf]++
			continue
		}
		if own[at] == nil {
			own[at] = map[int]PageReport{}
		}
		if before, twice := own[at][r.Page]; twice {
			t.Errorf("%s: reported twice: %+v, %+v", name, before, r)
		}
		own[at][r.Page] = r
	}
	for _, c := range s.Columns {
		if n := dictionaries[c.Leaf.FirstLeaf]; n != c.DictionaryPages {
			t.Errorf("%s, %v: %d dictionaries reported, counted %d", name, c.Leaf, n, c.DictionaryPages)
		}
		var fates, bytes [Fates]int64
		var unread [Reasons]int64
		for g := range f.footer.RowGroups {
			at := chunk{g, c.Leaf.FirstLeaf}
			entry, err := f.Chunk(g, c.Leaf.FirstLeaf)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range own[at] {
				fates[r.Fate]++
				bytes[r.Fate] += r.Bytes
				if r.Fate == Unread {
					unread[r.Why]++
				}
			}
			if left := dataPages(entry.Meta.EncodingStats) - int64(len(own[at])); left > 0 {
				why, reported := rest[at]
				if !reported {
					t.Errorf("%s, %v: %d pages of row group %d are not reported", name, c.Leaf, left, g)
				}
				fates[Unread] += left
				unread[why] += left
			}
		}
		for fate, n := range fates {
			if n != c.Pages[fate] || fate != int(Unread) && bytes[fate] > c.Bytes[fate] {
				t.Errorf("%s, %v: %d pages and %d bytes reported %v, counted %d and %d", name, c.Leaf, n, bytes[fate], Fate(fate), c.Pages[fate], c.Bytes[fate])
			}
		}
		for why, n := range unread {
			if n != c.Untouched[why].Pages {
				t.Errorf("%s, %v: %d pages reported unread by %v, counted %d", name, c.Leaf, n, Reason(why), c.Untouched[why].Pages)
			}
		}
	}
}

// closed holds the counters of a scan that came to its end to the file: each page
// and each byte of the chunks is counted once.
func closed(t *testing.T, f *File, name string, s *Stats) {
	t.Helper()
	for _, c := range s.Columns {
		var pages, bytes, wantPages, wantBytes int64
		for i := range c.Pages {
			pages += c.Pages[i]
			bytes += c.Bytes[i]
		}
		var unread PageCount
		for _, u := range c.Untouched {
			unread.Pages += u.Pages
			unread.Bytes += u.Bytes
		}
		for g := range f.footer.RowGroups {
			chunk, err := f.Chunk(g, c.Leaf.FirstLeaf)
			if err != nil {
				t.Fatal(err)
			}
			wantPages += dataPages(chunk.Meta.EncodingStats)
			wantBytes += chunk.Meta.CompressedSize
		}
		if pages != wantPages || bytes+c.DictionaryBytes != wantBytes {
			t.Errorf("%s, %v: %d pages of %d, %d bytes of %d: %+v", name, c.Leaf, pages, wantPages, bytes+c.DictionaryBytes, wantBytes, c)
		}
		if unread != (PageCount{c.Pages[Unread], c.Bytes[Unread]}) {
			t.Errorf("%s, %v: untouched %v, unread %d and %d", name, c.Leaf, c.Untouched, c.Pages[Unread], c.Bytes[Unread])
		}
	}
}

// pagesOf returns the pages of a column that were not touched, by reason, and
// those that were decoded.
func pagesOf(s *Stats, leaf int) (untouched [Reasons]int64, decoded int64) {
	for _, c := range s.Columns {
		if c.Leaf.FirstLeaf == leaf {
			for i, u := range c.Untouched {
				untouched[i] = u.Pages
			}
			decoded = c.Pages[Decoded]
		}
	}
	return untouched, decoded
}

// Each page that was not touched has the reason that it ought to.
func TestAccounts(t *testing.T) {
	f, _ := goldenFile(t)
	const id, key, text, n = 0, 1, 2, 3
	type pages struct {
		leaf      int
		untouched [Reasons]int64
		decoded   int64
	}
	for _, tc := range []struct {
		where string
		o     Options
		want  []pages
	}{
		{"id = 1234", Options{}, []pages{
			{id, [Reasons]int64{ByStatistics: 10, ByPageIndex: 9}, 1},
			{key, [Reasons]int64{ByStatistics: 5, ByPageIndex: 4}, 1},
			{text, [Reasons]int64{ByStatistics: 20, ByPageIndex: 18, Dropped: 1}, 1}, // the page of id has two of text
			{n, [Reasons]int64{ByStatistics: 8, ByPageIndex: 6, Dropped: 1}, 1},
		}},
		{"key = 50000", Options{Select: []string{"text"}}, []pages{
			{key, [Reasons]int64{ByBloom: 10}, 0},
			{text, [Reasons]int64{ByBloom: 40}, 0},
		}},
		{"id >= 1150", Options{Select: []string{"key"}}, []pages{
			{id, [Reasons]int64{ByStatistics: 10, ByPageIndex: 1, Proven: 8}, 1},
			{key, [Reasons]int64{ByStatistics: 5}, 5},
		}},
		{"key = 7919", Options{Select: []string{"text"}}, []pages{
			{key, [Reasons]int64{ByBloom: 5}, 5},
			{text, [Reasons]int64{ByBloom: 20, Dropped: 19}, 1},
		}},
		{"", Options{Select: []string{"id"}, Rows: vector.RowSet{{{From: 100, To: 300}}}}, []pages{
			{id, [Reasons]int64{Unwanted: 18}, 2},
		}},
		{"id >= 100", Options{Select: []string{"key"}, Limit: 10}, []pages{
			{id, [Reasons]int64{Unwanted: 10, ByPageIndex: 1, Proven: 9}, 0},
			{key, [Reasons]int64{Unwanted: 5, Dropped: 4}, 1},
		}},
		{"id < 2000", Options{Select: []string{}}, []pages{
			{id, [Reasons]int64{Proven: 20}, 0},
		}},
		{"id + id >= 0", Options{Select: []string{}}, []pages{
			{id, [Reasons]int64{Proven: 20}, 0},
		}},
		{"id + id >= 2300", Options{Select: []string{"key"}}, []pages{
			{id, [Reasons]int64{ByStatistics: 10, ByPageIndex: 1, Proven: 8}, 1},
			{key, [Reasons]int64{ByStatistics: 5}, 5},
		}},
	} {
		s := counted(t, f, tc.where, tc.o)
		for _, want := range tc.want {
			if untouched, decoded := pagesOf(s, want.leaf); untouched != want.untouched || decoded != want.decoded {
				t.Errorf("%q, leaf %d: untouched %v, want %v; decoded %d, want %d", tc.where, want.leaf, untouched, want.untouched, decoded, want.decoded)
			}
		}
	}
	s := counted(t, f, "id >= 1150 AND key < 0", Options{Select: []string{"text"}})
	if len(s.Tests) != 0 {
		t.Errorf("tests were asked where statistics say all: %+v", s.Tests)
	}
	s = counted(t, f, "id >= 1150 AND key >= 50000", Options{Select: []string{"text"}})
	in, out := int64(0), int64(0)
	for _, test := range s.Tests {
		in, out = in+test.In, out+test.Out
	}
	if len(s.Tests) != 2 || in < out || out < s.Rows {
		t.Errorf("tests: %+v", s.Tests)
	}
	_, records := prunedRows()
	pruned, _ := prunedFile(t, records)
	s = counted(t, pruned, "state LIKE '%Q%'", Options{Select: []string{"price"}})
	if untouched, _ := pagesOf(s, priceColumn); untouched != [Reasons]int64{ByDictionary: 40} {
		t.Errorf("no entry of the dictionaries passes: untouched %v", untouched)
	}
	for _, where := range []string{"id = 5 OR key = 7919", "NOT (id < 1500)", "ANY(n) = 700", "text LIKE '1%'", "length(n) = 3", "id > key"} {
		counted(t, f, where, Options{})
		counted(t, f, where, Options{Select: []string{"n"}, Limit: 3})
		counted(t, f, where, Options{Threads: 2, knobs: knobs.Knobs{NoPageIndex: true, NoStatistics: true}})
	}
}

// Rows of a list span pages of a file without offset index, and the borders of
// its columns' pages differ: what is skipped is still right, and counted.
func TestAccountsOfSpanningRows(t *testing.T) {
	var rows []any
	for i := range 300 {
		items := []any{}
		for k := range i % 7 {
			items = append(items, int64(i*10+k))
		}
		rows = append(rows, gen.Record{"id": int64(i), "n": items, "d": int64(i % 3)})
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{
		Schema: []*gen.Node{gen.Required("id", gen.Int64), gen.List("n", gen.Required("element", gen.Int64)), gen.Required("d", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{
			{PageRows: []int{17}}, {PageSlots: []int{13}}, {PageRows: []int{41}, Shape: gen.Shape{Encoding: gen.Dictionary}},
		}}},
		All: gen.Column{Index: gen.NoIndex},
	}))
	for _, tc := range []struct {
		where string
		rows  int64
	}{{"id = 0", 1}, {"id = 299", 1}, {"id BETWEEN 100 AND 117", 18}, {"ANY(n) = 2003", 1}, {"id IN (3, 200, 201) AND d = 0", 2}, {"d = 7", 0}, {"length(n) = 6 AND id > 290", 1}} {
		for _, batch := range []int{1, 7, 1000} {
			if s := counted(t, f, tc.where, Options{BatchRows: batch}); s.Rows != tc.rows {
				t.Errorf("%q: %d rows, want %d", tc.where, s.Rows, tc.rows)
			}
		}
	}
}

// Where there is no page index, headers tell which pages need no unpacking.
func TestHeadersPrune(t *testing.T) {
	var rows []any
	for i := range 400 {
		rows = append(rows, gen.Record{"id": int64(i), "n": []any{int64(i)}})
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("id", gen.Int64), gen.List("n", gen.Required("element", gen.Int64))},
		RowGroups: []gen.RowGroup{{Rows: rows}},
		All:       gen.Column{Index: gen.NoIndex, PageRows: []int{20}, Stats: gen.NoStats, Shape: gen.Shape{PageStats: gen.MinMax | gen.NullCount}},
	}))
	for _, tc := range []struct {
		where                  string
		rows, settled, decoded int64 // pages of id
	}{{"id = 205", 1, 19, 1}, {"id BETWEEN 100 AND 125", 26, 19, 1}, {"id < 0", 0, 20, 0}} {
		s := counted(t, f, tc.where, Options{Select: []string{"n"}})
		c := s.Columns[1]
		if c.Leaf.FirstLeaf != 0 {
			c = s.Columns[0]
		}
		settled := c.Pages[RejectedByHeader] + c.Pages[Undecompressed]
		if s.Rows != tc.rows || settled != tc.settled || c.Pages[Decoded] != tc.decoded {
			t.Errorf("%q: %d rows, pages of id %v", tc.where, s.Rows, c.Pages)
		}
	}
}

// A runtime filter may ask for a column when some row groups, or parts of one, are
// done: its pages there are counted, too.
func TestAccountsOfLateColumns(t *testing.T) {
	for _, index := range []gen.Index{gen.FullIndex, gen.OffsetIndex, gen.NoIndex} {
		for groups := 1; groups <= 3; groups++ {
			f, _ := recorded(t, scannertest.Write(t, lateColumns(groups, index)))
			for threads := 1; threads <= 4; threads++ {
				for i, late := range []string{"id > 0", "k < 100", "s = 's3' and k >= 0", "length(tags) > 1", "k >= 0"} {
					for after := range 3 {
						var r filter.Runtime
						var s Stats
						var reports pageReports
						batches := 0
						o := Options{Select: []string{"id"}, Runtime: []*filter.Runtime{&r}, Threads: threads, BatchRows: 150, knobs: knobs.Knobs{MinPart: 100, NoBackoff: true}, Stats: &s, Pages: reports.add}
						if i%2 == 0 {
							o.Filter = scannertest.Parsed(t, "id >= 10")
						}
						for _, err := range f.Scan(t.Context(), o) {
							if err != nil {
								t.Fatal(err)
							}
							if batches++; batches == 1+2*after {
								r.Publish(scannertest.Parsed(t, late))
							}
						}
						name := fmt.Sprintf("index %v, %d groups, %d threads, %s after %d batches", index, groups, threads, late, 1+2*after)
						closed(t, f, name, &s)
						reports.agree(t, f, name, &s)
					}
				}
			}
		}
	}
}

// lateColumns is a file where rows can be told from one column, and others have any index.
func lateColumns(groups int, index gen.Index) gen.File {
	file := gen.File{Schema: []*gen.Node{
		gen.Required("id", gen.Int64), gen.Required("k", gen.Int64), gen.Optional("s", gen.ByteArray).As(gen.StringType()), gen.List("tags", gen.Required("element", gen.Int64)),
	}}
	for g := range groups {
		var rows []any
		for i := range 1000 {
			id := int64(g*1000 + i)
			rows = append(rows, gen.Record{"id": id, "k": id * 7919 % 1009, "s": fmt.Sprint("s", id%9), "tags": []any{id, id}})
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: rows, Columns: []gen.Column{
			{PageRows: []int{50}}, {PageRows: []int{70}, Index: index},
			{PageRows: []int{110}, Index: index, Shape: gen.Shape{Encoding: gen.Dictionary}}, {PageRows: []int{90}, Index: index},
		}})
	}
	return file
}
