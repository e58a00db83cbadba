package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// shelf is files in memory, with a note of each that was opened and not closed.
type shelf struct {
	files  map[string][]byte
	mu     sync.Mutex // partitions open and close files at the same time
	opened []string
	open   int
}

func (s *shelf) opener(ctx context.Context, name string) (*scanner.File, error) {
	s.mu.Lock()
	s.opened = append(s.opened, name)
	s.mu.Unlock()
	b, ok := s.files[name]
	if !ok {
		return nil, errors.New("no " + name)
	}
	f, err := scanner.OpenSource(ctx, name, fetch.FromBytes(b))
	if err == nil {
		s.count(1)
		f.OnClose(func() error { s.count(-1); return nil })
	}
	return f, err
}

func (s *shelf) count(opened int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += opened
}

func (s *shelf) take() string {
	opened := strings.Join(s.opened, " ")
	s.opened = nil
	return opened
}

// filesOf returns files with the ids of ten rows each, in their order.
func filesOf(t *testing.T, names ...string) (*Files, *shelf) {
	s := &shelf{files: map[string][]byte{}}
	for i, name := range names {
		var rows []any
		for j := range 10 {
			rows = append(rows, gen.Record{"id": 10*i + j, "s": fmt.Sprint("s", j)})
		}
		s.files[name] = scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("id", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType())},
			RowGroups: []gen.RowGroup{{Rows: rows[:4]}, {Rows: rows[4:]}},
		})
	}
	return New(names, s.opener), s
}

// filesLines returns the rows of a scan as JSON.
func filesLines(t *testing.T, fs *Files, o scanner.Options) (lines []string) {
	t.Helper()
	for b, err := range fs.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Batch(b); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, scannertest.Lines(t, b)...)
		b.Release()
	}
	return lines
}

// Files of every shape come as often as they are named.
func TestFilesOfEveryShape(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/shapes/*.parquet")
	if err != nil || len(paths) < 100 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		want, err := fileLines(t, path, scanner.Options{})
		if err != nil {
			continue
		}
		fs, err := Open(path, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := scannertest.Same(filesLines(t, fs, scanner.Options{}), slices.Concat(want, want)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// fileLines returns the rows of one file as JSON.
func fileLines(t *testing.T, path string, o scanner.Options) (lines []string, err error) {
	t.Helper()
	f, err := scanner.Open(t.Context(), path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			return nil, err
		}
		lines = append(lines, scannertest.Lines(t, b)...)
	}
	return lines, nil
}

// Which files are opened, and what comes of them.
func TestPartitionColumns(t *testing.T) {
	names := []string{
		"t/year=2023/city=Oslo/a.parquet", "t/year=2024/city=S%C3%A3o%20Paulo/b.parquet",
		"t/year=2024/city=__HIVE_DEFAULT_PARTITION__/c.parquet", "t/year=2025/d=x.parquet",
	}
	a, b, c, d := names[0], names[1], names[2], names[3]
	fs, s := filesOf(t, names...)
	for _, tc := range []struct {
		o      scanner.Options
		opened []string
		want   []string
	}{
		{scanner.Options{Select: []string{"year", "id", "city"}, Filter: scannertest.Parsed(t, "s = 's7'")}, names, []string{
			`{"year":2023,"id":7,"city":"Oslo"}`, `{"year":2024,"id":17,"city":"São Paulo"}`,
			`{"year":2024,"id":27,"city":null}`, `{"year":2025,"id":37,"city":null}`}},
		{scanner.Options{Filter: scannertest.Parsed(t, "id IN (3, 17) AND year = 2024")}, []string{b, c}, []string{`{"id":17,"s":"s7","year":2024,"city":"São Paulo"}`}},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "city IS NULL AND s < 's1'")}, []string{c, d}, []string{`{"id":20}`, `{"id":30}`}},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "year < 2000 OR city = 'Oslo' AND id = 5")}, []string{a}, []string{`{"id":5}`}},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "NOT year >= 2000")}, nil, nil},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "year = 2024 AND (city <> 'x' OR id = 29) AND s >= 's9'")}, []string{b, c}, []string{`{"id":19}`, `{"id":29}`}},
		{scanner.Options{Select: []string{"year"}, Offset: 18, Limit: 4}, []string{a, b, c}, []string{`{"year":2024}`, `{"year":2024}`, `{"year":2024}`, `{"year":2024}`}},
		{scanner.Options{Select: []string{"id"}, Offset: 2, Limit: 3, Filter: scannertest.Parsed(t, "s >= 's8'")}, []string{a, b, c}, []string{`{"id":18}`, `{"id":19}`, `{"id":28}`}},
		{scanner.Options{Select: []string{"year"}, RowNumber: "row", Filter: scannertest.Parsed(t, "id = 25")}, names, []string{`{"year":2024,"row":5}`}},
	} {
		got := filesLines(t, fs, tc.o)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%v: rows\n%s\nwant\n%s", tc.o.Filter, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
		}
		if opened := s.take(); opened != strings.Join(tc.opened, " ") {
			t.Errorf("%v: opened %s, want %s", tc.o.Filter, opened, tc.opened)
		}
		if n, err := fs.Count(t.Context(), tc.o); n != int64(len(tc.want)) || err != nil {
			t.Errorf("%v: counted %d, %v", tc.o.Filter, n, err)
		}
		s.take()
	}
	for _, plain := range []*Files{fs.Unpartitioned(), fs.United().Unpartitioned(), fs.Unpartitioned().United()} {
		if got := filesLines(t, plain, scanner.Options{Offset: 38, Limit: 1}); !slices.Equal(got, []string{`{"id":38,"s":"s8"}`}) || plain.Columns() != nil {
			t.Errorf("without partitions: %s, %v", got, plain.Columns())
		}
	}
	if s.open != 0 {
		t.Errorf("%d files left open", s.open)
	}
}

func TestPartitionTypes(t *testing.T) {
	for _, tc := range []struct {
		values, want string
	}{
		{"1 -2 007", "INT64"},
		{"1 __HIVE_DEFAULT_PARTITION__", "INT64"},
		{"1 x", "BYTE_ARRAY STRING"},
		{"+1", "BYTE_ARRAY STRING"},
		{"9223372036854775808", "BYTE_ARRAY STRING"},
		{"2024-02-29 1969-12-31", "INT32 DATE"},
		{"2023-02-29", "BYTE_ARRAY STRING"},
		{"__HIVE_DEFAULT_PARTITION__", "BYTE_ARRAY STRING"},
		{"%31%30", "INT64"},
		{"%zz 1%", "BYTE_ARRAY STRING"},
	} {
		var names []string
		for _, v := range strings.Fields(tc.values) {
			names = append(names, "k="+v+"/f")
		}
		fields := New(names, nil).Columns()
		if len(fields) != 1 || fields[0].Name != "k" || fields[0].Type.String() != tc.want {
			t.Errorf("%s: %v, want %s", tc.values, fields, tc.want)
		}
	}
	if fields := New([]string{"a/=1/x=y", "b=1", "/c==/f", "q%3D=2/q%3D=3/f"}, nil).Columns(); len(fields) != 2 || fields[0].Name != "c" || fields[1].Name != "q=" {
		t.Errorf("odd names: %v", fields)
	}
	day := partitionsOf([]string{"k=1969-12-31/f", "k=2024-02-29/f"})[0]
	if a, b := day.values[0].String(), day.values[1].String(); a != "1969-12-31" || b != "2024-02-29" {
		t.Errorf("days %s, %s", a, b)
	}
}

// Files that are not alike: the first one's columns count, or the host's.
func TestFilesWithOtherColumns(t *testing.T) {
	s := &shelf{files: map[string][]byte{
		"y=1/a": scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("id", gen.Int64), gen.Optional("p", gen.Group, gen.Optional("x", gen.Int32), gen.Optional("z", gen.Int32)), gen.Optional("n", gen.Double), gen.List("l", gen.Required("element", gen.Int32)), gen.Optional("q", gen.Group, gen.Optional("x", gen.Int32))},
			RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 1, "p": gen.Record{"x": 1, "z": 2}, "n": 0.5, "l": []any{int32(5)}, "q": gen.Record{"x": int32(1)}}}}},
		}),
		"y=2/b": scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Optional("p", gen.Group, gen.Optional("z", gen.Int32)), gen.Required("more", gen.Int32), gen.Required("id", gen.Int32), gen.Required("y", gen.Int32)},
			RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 2, "p": gen.Record{"z": 3}, "more": 7, "y": 99}}}},
		}),
	}}
	fs := New([]string{"y=1/a", "y=2/b"}, s.opener)
	for _, tc := range []struct {
		o    scanner.Options
		want string
	}{
		{scanner.Options{}, `{"id":1,"p":{"x":1,"z":2},"n":0.5,"l":[5],"q":{"x":1},"y":1} {"id":2,"p":{"x":null,"z":3},"n":null,"l":null,"q":null,"y":2}`},
		{scanner.Options{Select: []string{"p.x", "y", "p.z", "id"}}, `{"p":{"x":1,"z":2},"y":1,"id":1} {"p":{"x":null,"z":3},"y":2,"id":2}`},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "n IS NULL AND p.x IS NULL")}, `{"id":2}`},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "n > 0 OR p.x > 0")}, `{"id":1}`},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "l IS NULL AND q IS NULL AND q.x IS NULL AND length(l) IS NULL")}, `{"id":2}`},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "ANY(l) = 5 OR q.x = 1")}, `{"id":1}`},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "ALL(l) = 7")}, `{"id":2}`},
		{scanner.Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "NOT ANY(l) = 5")}, `{"id":2}`},
		{scanner.Options{Want: []scanner.Want{leafWant("y", kind(vector.ByteArray, vector.String)), leafWant("more", kind(vector.Int64, vector.None)), leafWant("id", kind(vector.Int64, vector.None))}},
			`{"y":"1","more":null,"id":1} {"y":"2","more":7,"id":2}`},
	} {
		if got := strings.Join(filesLines(t, fs, tc.o), " "); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.o.Filter, got, tc.want)
		}
		if got := strings.Join(slices.Concat(filesLines(t, fs.Part(0), tc.o), filesLines(t, fs.Part(1), tc.o)), " "); got != tc.want {
			t.Errorf("%v: file by file %s, want %s", tc.o.Filter, got, tc.want)
		}
	}
	fields, err := fs.Fields(t.Context(), scanner.Options{Select: []string{"y", "id"}, Limit: 1})
	if err != nil || len(fields) != 2 || fields[0].Name != "y" || fields[1].Type.Physical != vector.Int64 {
		t.Errorf("fields %v, %v", fields, err)
	}
	for _, o := range []scanner.Options{
		{Filter: scannertest.Parsed(t, "id = 'x'")}, {Filter: scannertest.Parsed(t, "y = 'x'")}, {Select: []string{"nothing"}},
		{Rows: vector.RowSet{}}, {Want: []scanner.Want{leafWant("y", kind(vector.Double, vector.None))}},
	} {
		fault := error(nil)
		for b, err := range fs.Scan(t.Context(), o) {
			if fault = err; b != nil {
				t.Errorf("%+v: rows came", o)
			}
		}
		if fault == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if s.open != 0 {
		t.Errorf("%d files left open", s.open)
	}
}

// What is published while a scan runs keeps files from being opened.
func TestRuntimeFiltersOfFiles(t *testing.T) {
	fs, s := filesOf(t, "y=1/a", "y=2/b", "y=3/c", "y=4/d")
	var r filter.Runtime
	rows := 0
	for b, err := range fs.Scan(t.Context(), scanner.Options{Runtime: []*filter.Runtime{&r}}) {
		if err != nil {
			t.Fatal(err)
		}
		if rows += b.Len; rows == 10 {
			r.Publish(scannertest.Parsed(t, "y >= 4"))
		}
	}
	if opened := s.take(); rows != 20 || opened != "y=1/a y=4/d" {
		t.Errorf("%d rows of %s", rows, opened)
	}
	for range fs.Scan(t.Context(), scanner.Options{}) {
		break
	}
	if s.open != 0 {
		t.Errorf("%d files left open", s.open)
	}
}

func TestUnnestOfFilesWithALimit(t *testing.T) {
	path := "../../testdata/shapes/nested_list.parquet"
	fs, err := Open(path, path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := fileLines(t, path, scanner.Options{Unnest: "l"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := fileLines(t, path, scanner.Options{Unnest: "l", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if got := filesLines(t, fs, scanner.Options{Unnest: "l", Limit: 11}); !slices.Equal(got, slices.Concat(all, first)) {
		t.Errorf("got %v", got)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	_, s := filesOf(t, "k=1/a.parquet", "k=2/b.parquet", "k=2/deep/c.parquet")
	for name, b := range s.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Open(filepath.Join(dir, "**", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := files.Count(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "k = 2 AND s = 's1'")}); n != 2 || err != nil || len(files.Names()) != 3 {
		t.Errorf("%d rows, %v; files %v", n, err, files.Names())
	}
	if _, err := Open(filepath.Join(dir, "*.nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a pattern that matches nothing: %v", err)
	}
}

// One file of several has the columns of all, and does what one file does.
func TestOneOfTheFiles(t *testing.T) {
	all, s := filesOf(t, "y=1/a", "y=x/city=Oslo/b")
	fs := all.At(1).With(func(ctx context.Context, name string) (*scanner.File, error) {
		return s.opener(ctx, name)
	})
	o := scanner.Options{Rows: vector.RowSet{vector.All(2), nil}, Filter: scannertest.Parsed(t, "y = 'x' AND city IS NOT NULL AND s > 's0'")}
	if got := filesLines(t, fs, o); len(got) != 1 || got[0] != `{"id":11,"s":"s1","y":"x","city":"Oslo"}` {
		t.Errorf("got %v", got)
	}
	least := ""
	err := fs.Each(t.Context(), o, func(f *scanner.File, o scanner.Options) error {
		v, err := f.Min(t.Context(), "id", o)
		least += scannertest.Shown(t, v, err)
		return err
	})
	if err != nil || least != "11" {
		t.Errorf("least id %s, %v", least, err)
	}
	err = fs.Each(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "y <> 'x'")}, func(*scanner.File, scanner.Options) error {
		return errors.New("called")
	})
	if err != nil || s.open != 0 {
		t.Errorf("%v, %d open", err, s.open)
	}
}

func leafWant(name string, t vector.Type) scanner.Want { return scanner.Want{Name: name, Type: t} }

func kind(p vector.Physical, l vector.Logical) vector.Type {
	return vector.Type{Physical: p, Logical: l}
}

// Options that are about one file, or make no sense, are an error that says so.
func TestOptionsOfFiles(t *testing.T) {
	fs, _ := filesOf(t, "y=1/a", "y=2/b")
	top := func(by string, o scanner.Options) (err error) {
		for _, err = range fs.Top(t.Context(), scanner.Order{By: by}, o) {
		}
		return err
	}
	for i, o := range []scanner.Options{{Offset: -1}, {Limit: -1}, {Rows: vector.RowSet{}}, {Split: fetch.Range{Len: 1}}, {BatchRows: -1}} {
		var err error
		for _, err = range fs.Scan(t.Context(), o) {
		}
		_, counted := fs.Count(t.Context(), o)
		for _, err := range []error{err, counted, top("id", o)} {
			if !errors.Is(err, scanner.ErrOptions) {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
	if err := top("y", scanner.Options{}); !errors.Is(err, scanner.ErrOptions) {
		t.Errorf("by a column of paths: %v", err)
	}
	n, err := fs.Count(t.Context(), scanner.Options{Limited: true})
	if n != 0 || err != nil || top("id", scanner.Options{Limited: true}) != nil || len(filesLines(t, fs, scanner.Options{Limited: true})) != 0 {
		t.Errorf("a limit of none: %d rows, %v", n, err)
	}
}

// TestDictionariesOfFiles: what Options.Dictionaries promise holds for all files, also for
// columns that some of them lack, for constants, and for paths of columns not selected.
func TestDictionariesOfFiles(t *testing.T) {
	fs, s := filesOf(t, "d/year=2023/a", "d/year=2024/b")
	s.files["d/year=2024/b"] = scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("id", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 10}}}},
	})
	o := scanner.Options{
		Select:       []string{"year", "s", "host"},
		FileName:     "file",
		Dictionaries: map[string]vector.DictionaryUse{"year": 2, "s": 2, "host": 2, "file": 2, "id": 1},
		Constants:    filter.Constants{"host": scannertest.Plain(kind(vector.ByteArray, vector.String), []byte("alpha")), "year": scannertest.Plain(kind(vector.Int64, vector.None), make([]byte, 8))},
	}
	fields, err := fs.Fields(t.Context(), o)
	if err != nil || len(fields) != 4 {
		t.Fatal(len(fields), err)
	}
	var got []string
	for b, err := range fs.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range b.Fields {
			if f.Dictionary != vector.DictionaryAlways || f.Name != fields[i].Name || f.Type != fields[i].Type || fields[i].Dictionary != f.Dictionary {
				t.Errorf("%+v, want %+v", f, fields[i])
			}
		}
		got = append(got, scannertest.Lines(t, b)...)
	}
	if len(got) != 11 || got[9] != `{"year":2023,"s":"s9","host":"alpha","file":"d/year=2023/a"}` || got[10] != `{"year":2024,"s":null,"host":"alpha","file":"d/year=2024/b"}` {
		t.Errorf("%d rows: %s", len(got), got)
	}
	o.Select = []string{"year"}
	if got := filesLines(t, fs, o); len(got) != 11 {
		t.Error(got)
	}
	o.Dictionaries = map[string]vector.DictionaryUse{"other": 1}
	if _, err := fs.Fields(t.Context(), o); !errors.Is(err, scanner.ErrNoColumn) {
		t.Error(err)
	}
}
