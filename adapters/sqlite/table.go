package sqlitescan

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// maxColumns is SQLite's limit, without the hidden columns.
const maxColumns = 2000 - 2

// table is a virtual table of one connection, which uses it by one goroutine at a time.
type table struct {
	m       *module
	files   fileSet
	columns []column
	hidden  [2]string // names of hidden columns
	open    map[string]*keptFile
	lacks   map[string][]int // by file: columns that it does not have
	stats   *statistics      // of the first file
	orders  int              // how often its order has changed
}

// fileSet is files with their names.
type fileSet struct {
	*dataset.Files
	names []string
}

// Hidden columns come after the others.
const (
	hiddenFiles = iota // the argument of the table as a function
	hiddenFile         // the name of the row's file
)

func (m *module) newTable(ctx context.Context, patterns []string) (*table, error) {
	t := &table{m: m, open: map[string]*keptFile{}, lacks: map[string][]int{}}
	files, err := t.match(ctx, patterns)
	if err != nil {
		return nil, err
	}
	t.files = files
	if err := t.findColumns(ctx); err != nil {
		t.Disconnect()
		return nil, err
	}
	return t, nil
}

// match returns the files that patterns stand for.
func (t *table) match(ctx context.Context, patterns []string) (set fileSet, err error) {
	var names []string
	for _, p := range patterns {
		found, err := t.m.o.Match(ctx, p)
		if err != nil {
			return set, err
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return set, fmt.Errorf("%s: no files", strings.Join(patterns, ", "))
	}
	if len(names) > maxFiles {
		return set, fmt.Errorf("%s: %d files, a table has at most %d", patterns[0], len(names), maxFiles)
	}
	return fileSet{dataset.New(names, t.m.o.Open), names}, nil
}

// findColumns takes the columns of the first file, and those of folders.
func (t *table) findColumns(ctx context.Context) error {
	f, err := t.take(ctx, t.files.names[0])
	if err != nil {
		return err
	}
	defer f.giveBack()
	fields, err := f.Fields(ctx, scanner.Options{})
	if t.m.o.Union {
		fields, err = t.files.United().Fields(ctx, scanner.Options{})
	}
	if err != nil {
		return err
	}
	folders := t.files.Columns()
	byFolder := map[string]bool{}
	for i := range folders {
		byFolder[folders[i].Name] = true
	}
	taken, seen := map[string]bool{}, map[string]bool{}
	add := func(f vector.Field) {
		if !seen[f.Name] { // of columns with the same name, scans find the first
			seen[f.Name] = true
			t.columns = append(t.columns, column{field: f, name: uniqueName(f.Name, taken), path: schema.FormatPath([]string{f.Name}), kind: kindOf(&f)})
		}
	}
	for i := range fields {
		if !byFolder[fields[i].Name] {
			add(fields[i])
		}
	}
	for i := range folders {
		add(folders[i])
	}
	t.hidden = [2]string{hiddenFiles: uniqueName("_files", taken), hiddenFile: uniqueName("_file", taken)}
	if len(t.columns) > maxColumns {
		return fmt.Errorf("%s: %d columns, SQLite takes at most %d", f.Name(), len(t.columns), maxColumns)
	}
	t.look(f.File)
	return t.checkColumns(f.File, f.name)
}

// uniqueName returns a name that SQLite does not have yet: it ignores the case of letters.
func uniqueName(name string, taken map[string]bool) string {
	name = strings.ReplaceAll(name, "\x00", "")
	unique := name
	for i := 2; taken[lower(unique)] || unique == ""; i++ {
		unique = name + "_" + strconv.Itoa(i)
	}
	taken[lower(unique)] = true
	return unique
}

// declaration returns the CREATE TABLE that tells SQLite the columns.
func (t *table) declaration() string {
	var lines []string
	for i := range t.columns {
		lines = append(lines, t.columns[i].declaration())
	}
	for _, name := range t.hidden {
		lines = append(lines, quoteName(name)+" TEXT HIDDEN")
	}
	return "CREATE TABLE x(" + strings.Join(lines, ", ") + ")"
}

// Open returns a cursor.
func (t *table) Open() (vtab.Cursor, error) {
	return &cursor{t: t, readers: make([]*reader, len(t.columns))}, nil
}

// Disconnect closes the table's files.
func (t *table) Disconnect() error {
	for _, f := range t.open {
		t.close(f)
	}
	return nil
}

// Destroy is called by DROP TABLE. Files stay.
func (t *table) Destroy() error { return t.Disconnect() }
