package sqlitescan

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// pages returns how many pages of each column were decoded.
func pages(s *scanner.Stats) map[string]int64 {
	all := map[string]int64{}
	for _, c := range s.Snapshot().Columns {
		if n := c.Pages[scanner.Decoded]; n > 0 {
			all[c.Leaf.String()] = n
		}
	}
	return all
}

// fates returns how many pages and bytes of each column that was read ended in each way.
func fates(s *scanner.Stats) string {
	var all []string
	for _, c := range s.Snapshot().Columns {
		if c.Fetched > 0 {
			all = append(all, fmt.Sprint(c.Leaf, ": pages ", c.Pages, ", bytes ", c.Bytes, ", dictionaries ", c.DictionaryBytes, ", fetched ", c.Fetched))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestReads compares the pages that queries read with those that scans with the same filter read.
func TestReads(t *testing.T) {
	file, err := scanner.Open(t.Context(), samples+"lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		query, where string
		columns      []string
	}{
		{"SELECT sum(extended_price * discount) FROM p WHERE ship_date >= '1996-03-01' AND ship_date < '1996-05-01' AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24",
			"ship_date >= DATE '1996-03-01' AND ship_date < DATE '1996-05-01' AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24",
			[]string{"quantity", "extended_price", "discount", "ship_date"}},
		{"SELECT comment, order_key FROM p WHERE order_key = 123", "order_key = 123", []string{"comment", "order_key"}},
		{"SELECT part_key FROM p WHERE part_key IS NULL", "part_key IS NULL", []string{"part_key"}},
		{"SELECT sum(quantity) FROM p WHERE ship_mode GLOB 'RE*' AND ship_date > '1998-10-01'", "ship_mode LIKE 'RE%' AND ship_date > DATE '1998-10-01'", []string{"quantity", "ship_mode", "ship_date"}},
		{"SELECT count(*) FROM p", "", []string{}},
		{"SELECT max(comment) FROM p", "", []string{"comment"}},
	} {
		o := scanner.Options{Select: c.columns}
		if c.where != "" {
			if o.Filter, err = filter.Parse(c.where); err != nil {
				t.Fatal(err)
			}
		}
		var got, want string
		for range 10 { // the order of tests is learnt by their times, which a busy machine changes
			var queried, scanned scanner.Stats
			db := open(t, Options{Scan: scanner.Options{Stats: &queried}}, Table{"p", samples + "lineitems.parquet"})
			ask(t, db, c.query)
			o.Stats = &scanned
			for _, err := range file.Scan(t.Context(), o) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if got, want = fates(&queried), fates(&scanned); got == want {
				break
			}
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.query, got, want)
		}
	}
}

// TestFewReads are queries that need few pages, of 145 in the file.
func TestFewReads(t *testing.T) {
	for text, most := range map[string]int64{
		"SELECT order_key, comment FROM p WHERE rowid = 12345":       2,
		"SELECT order_key FROM p LIMIT 3":                            1,
		"SELECT order_key FROM p LIMIT 3 OFFSET 100":                 1,
		"SELECT order_key FROM p WHERE rowid BETWEEN 100 AND 110":    1,
		"SELECT order_key FROM p WHERE quantity > 1 LIMIT 3":         6,
		"SELECT count(*) FROM p":                                     0,
		"SELECT comment FROM p WHERE ship_date > '2099-01-01'":       0,
		"SELECT count(*) FROM p WHERE ship_date = NULL":              0,
		"SELECT comment FROM p WHERE _file = 'another'":              0,
		"SELECT comment FROM p WHERE ship_mode LIKE 'zz%'":           0,
		"SELECT comment FROM p WHERE ship_mode = 'qq' COLLATE RTRIM": 0,
	} {
		var stats scanner.Stats
		db := open(t, Options{Scan: scanner.Options{Stats: &stats}}, Table{"p", samples + "lineitems.parquet"})
		ask(t, db, text)
		sum := int64(0)
		for _, n := range pages(&stats) {
			sum += n
		}
		if sum > most {
			t.Errorf("%s: %v pages, want at most %d", text, pages(&stats), most)
		}
	}
}

// TestRowid finds each row by its number, in several files.
func TestRowid(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		link(t, samples+"weblog.parquet", filepath.Join(dir, name+".parquet"))
	}
	db := open(t, Options{}, Table{"p", dir + "/*.parquet"})
	expect(t, db, "SELECT count(*), count(DISTINCT rowid), max(rowid) FROM p", fmt.Sprint("60000 60000 ", int64(2)<<rowShift+19999))
	file := strings.Trim(ask(t, db, "SELECT _file FROM p WHERE rowid = 1 << 40")[0], `"`)
	if filepath.Base(file) != "b.parquet" {
		t.Error(file)
	}
	for _, n := range []int64{0, 1, 19999, 20000, 1<<40 - 1, 1 << 40, 1<<40 + 7, 2<<40 + 19999, 3 << 40, -1, 1 << 62} {
		by := ask(t, db, "SELECT rowid, url, user_id FROM p WHERE rowid = ?", n)
		all := ask(t, db, "SELECT rowid, url, user_id FROM p WHERE +rowid = ?", n)
		if !slices.Equal(by, all) {
			t.Errorf("row %d: %v, want %v", n, by, all)
		}
		for _, op := range []string{"<", "<=", ">", ">="} {
			by := ask(t, db, "SELECT count(*), min(rowid), max(rowid) FROM p WHERE rowid "+op+" ?", n)
			all := ask(t, db, "SELECT count(*), min(rowid), max(rowid) FROM p WHERE +rowid "+op+" ?", n)
			if !slices.Equal(by, all) {
				t.Errorf("rowid %s %d: %v, want %v", op, n, by, all)
			}
		}
	}
	expect(t, db, "SELECT count(*) FROM p WHERE _file = '"+file+"'", "20000")
	expect(t, db, "SELECT count(*) FROM p WHERE _file = '"+strings.ToUpper(file)+" ' COLLATE NOCASE", "0")
	expect(t, db, "SELECT count(*) FROM p WHERE _file = '"+strings.ToUpper(file)+"' COLLATE NOCASE", "20000")
	expect(t, db, "SELECT rowid FROM p WHERE rowid = 5.0 OR rowid = '7' OR rowid = 8.5 ORDER BY 1", "5", "7")
	expect(t, db, "SELECT rowid FROM p WHERE rowid = '7'", "7")
	expect(t, db, "SELECT rowid FROM p WHERE rowid = 19999.0", "19999")
}

func link(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFolders has columns from folders, files of a type that is widened, and one that lacks a column.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	for i, f := range []gen.File{
		{Schema: []*gen.Node{gen.Optional("id", gen.Int64), gen.Optional("note", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 1, "note": "x"}}}}},
		{Schema: []*gen.Node{gen.Optional("id", gen.Int32)}, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 2}, gen.Record{"id": 3}}}}},
	} {
		b, err := f.Write()
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(dir, "sales", fmt.Sprint("year=", 2023+i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "part.parquet"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link(t, samples+"weblog.parquet", filepath.Join(dir, "Weblog.parquet"))
	os.Mkdir(filepath.Join(dir, "empty"), 0o755)
	tables, err := Folder(dir)
	if err != nil || len(tables) != 2 {
		t.Fatal(tables, err)
	}
	db := open(t, Options{}, tables...)
	expect(t, db, "SELECT id, note, year FROM sales ORDER BY id", "1 x'78' 2023", "2 NULL 2024", "3 NULL 2024")
	expect(t, db, "SELECT id FROM sales WHERE year = 2024 AND id >= 3", "3")
	expect(t, db, "SELECT id FROM sales WHERE note IS NULL", "2", "3")
	expect(t, db, "SELECT count(*) FROM weblog", "20000")
	expect(t, db, "SELECT id FROM sales('"+dir+"/sales/year=2024/*.parquet')", "2", "3")
	expect(t, db, "SELECT s.id FROM (SELECT '"+dir+"/sales/year=2023/*.parquet' AS f) AS names, sales(names.f) AS s", "1")
	if _, err := tryQuery(db, "SELECT * FROM sales('nowhere*.parquet')"); err == nil || !strings.Contains(err.Error(), "nowhere*.parquet") {
		t.Error(err)
	}
	if _, err := tryQuery(db, "SELECT a.id FROM sales(b._file) AS a, sales(a._file) AS b"); err == nil || !strings.Contains(err.Error(), "is read after it") {
		t.Error("tables that are arguments of each other:", err)
	}
}

// TestChangedFile replaces a file between two queries.
func TestChangedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.parquet")
	write := func(rows ...any) {
		f := gen.File{Schema: []*gen.Node{gen.Optional("id", gen.Int64)}, RowGroups: []gen.RowGroup{{Rows: rows}}}
		b, err := f.Write()
		if err == nil {
			err = os.WriteFile(name+".new", b, 0o644)
		}
		if err == nil {
			err = os.Rename(name+".new", name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(gen.Record{"id": 1})
	db := open(t, Options{}, Table{"p", name})
	expect(t, db, "SELECT id FROM p", "1")
	write(gen.Record{"id": 2}, gen.Record{"id": 3})
	os.Chtimes(name, time.Now(), time.Now().Add(time.Hour))
	expect(t, db, "SELECT id FROM p", "2", "3")
	os.Remove(name)
	for _, text := range []string{"SELECT count(*) FROM p", "SELECT id FROM p"} {
		if _, err := tryQuery(db, text); err == nil || !strings.Contains(err.Error(), "f.parquet: no such file") {
			t.Error("a file that was removed:", err)
		}
	}
}

// sortedFile is a file that says that its two row groups are sorted by a, then b.
func sortedFile(t *testing.T, groups ...[]any) string {
	t.Helper()
	f := gen.File{Schema: []*gen.Node{gen.Optional("a", gen.Int64), gen.Optional("b", gen.Int64)}}
	for _, rows := range groups {
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows})
	}
	f.Footer = func(m *wire.FileMetaData) {
		for _, g := range m.RowGroups {
			g.SortingColumns = []*wire.SortingColumn{{ColumnIdx: 0}, {ColumnIdx: 1}}
		}
	}
	b, err := f.Write()
	name := filepath.Join(t.TempDir(), "sorted.parquet")
	if err == nil {
		err = os.WriteFile(name, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestOrder leaves sorting out where a file is sorted, and does not believe a file that is not.
func TestOrder(t *testing.T) {
	row := func(a, b int) any { return gen.Record{"a": a, "b": b} }
	sorts := func(db *sql.DB, order string) bool {
		return strings.Contains(strings.Join(ask(t, db, "EXPLAIN QUERY PLAN SELECT a, b FROM p ORDER BY "+order), " "), "TEMP B-TREE")
	}
	for name, c := range map[string]struct {
		groups  [][]any
		sorted  []string // orders that cost no sorting
		unknown []string
	}{
		"sorted":        {[][]any{{row(1, 9), row(1, 10)}, {row(2, 1), row(3, 0)}}, []string{"a", "a, b"}, []string{"a DESC", "b", "b, a", "a, b DESC"}},
		"groups touch":  {[][]any{{row(1, 9), row(2, 10)}, {row(2, 1), row(3, 0)}}, []string{"a"}, []string{"a, b"}},
		"groups mixed":  {[][]any{{row(5, 1)}, {row(2, 1)}}, nil, []string{"a", "a, b"}},
		"a single NULL": {[][]any{{gen.Record{"b": 1}, row(1, 1)}}, nil, []string{"a"}},
	} {
		file := sortedFile(t, c.groups...)
		db := open(t, Options{}, Table{"p", file})
		for _, order := range c.sorted {
			if sorts(db, order) {
				t.Errorf("%s: ORDER BY %s is sorted once more", name, order)
			}
		}
		for _, order := range c.unknown {
			if !sorts(db, order) {
				t.Errorf("%s: ORDER BY %s is believed", name, order)
			}
		}
		for _, order := range append(c.sorted, c.unknown...) {
			got := ask(t, db, "SELECT a, b FROM p ORDER BY "+order)
			if want := ask(t, db, "SELECT a, b FROM p ORDER BY +"+strings.ReplaceAll(order, ", ", ", +")); !slices.Equal(got, want) {
				t.Errorf("%s: ORDER BY %s: %v, want %v", name, order, got, want)
			}
		}
	}
	lies := open(t, Options{}, Table{"p", sortedFile(t, []any{row(1, 1), row(3, 1), row(2, 1)})})
	if _, err := tryQuery(lies, "SELECT a FROM p ORDER BY a"); err == nil || !strings.Contains(err.Error(), "says that it is sorted by a") {
		t.Error(err)
	}
	expect(t, lies, "SELECT a FROM p ORDER BY +a", "1", "2", "3")
}

// TestPool asks from many goroutines, through several connections.
func TestPool(t *testing.T) {
	c, err := NewConnector("file:"+filepath.Join(t.TempDir(), "db.sqlite"), Options{}, Table{"p", samples + "weblog.parquet"})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(4)
	defer db.Close()
	if _, err := db.Exec("CREATE VIRTUAL TABLE kept USING parquet('" + samples + "weblog.parquet')"); err != nil {
		t.Fatal(err)
	}
	find, err := db.Prepare("SELECT (SELECT count(*) FROM p WHERE status = ?1), (SELECT count(*) FROM kept WHERE status = ?1)")
	if err != nil {
		t.Fatal(err)
	}
	defer find.Close()
	want := map[int]int{}
	for _, status := range []int{200, 404, 500, 7} {
		var n int
		if err := db.QueryRow("SELECT count(*) FROM p WHERE +status = ?", status).Scan(&n); err != nil {
			t.Fatal(err)
		}
		want[status] = n
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for status, n := range want {
				var a, b int
				if err := find.QueryRowContext(t.Context(), status).Scan(&a, &b); err != nil || a != n || b != n {
					t.Errorf("goroutine %d: %d and %d rows of status %d, want %d: %v", i, a, b, status, n, err)
				}
			}
		})
	}
	all.Wait()
	if want[200] == 0 || want[7] != 0 {
		t.Error(want)
	}
}

// TestHostile asks all of files that must be refused. Each ends with an error of SQLite, or, where the
// fault is in what a query does not read, with rows.
func TestHostile(t *testing.T) {
	files, err := filepath.Glob(samples + "bad/*.parquet")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	refused := 0
	for _, file := range files {
		c, err := NewConnector(":memory:", Options{})
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(c)
		db.SetMaxOpenConns(1)
		_, err = db.Exec(Table{"p", file}.SQL(true))
		for _, text := range []string{"SELECT * FROM p", "SELECT count(*) FROM p", "SELECT a.rowid FROM p AS a, p AS b WHERE a.rowid = b.rowid"} {
			if err == nil {
				_, err = tryQuery(db, text)
			}
		}
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), filepath.Base(file)) {
				t.Errorf("%s: %v", file, err)
			}
		}
		db.Close()
	}
	if refused < len(files)*3/4 {
		t.Errorf("%d of %d files were refused", refused, len(files))
	}
}

// TestRegister makes a table by SQL alone, with the driver of the process.
func TestRegister(t *testing.T) {
	if err := Register(nil, Options{}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer db.Close()
	if _, err := db.ExecContext(context.Background(), "CREATE VIRTUAL TABLE t USING parquet('"+samples+"weblog.parquet', '"+samples+"weblog.parquet')"); err != nil {
		t.Fatal(err)
	}
	expect(t, db, "SELECT count(*) FROM t", "40000")
	expect(t, db, "SELECT count(*) FROM t WHERE date(time) = substr(time, 1, 10)", "40000")
	for text, want := range map[string]string{
		"CREATE VIRTUAL TABLE u USING parquet":                     "which files?",
		"CREATE VIRTUAL TABLE u USING parquet('no/where.parquet')": "no/where.parquet",
		"INSERT INTO t(url) VALUES ('x')":                          "",
	} {
		if _, err := db.Exec(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := Register(nil, Options{}); err == nil {
		t.Error("registered twice")
	}
}
