package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// query describes a scan, in JSON. What it leaves out has the zero value's meaning in
// scanner.Options and arrowscan.Options, unless said otherwise.
type query struct {
	sources
	Columns      []string
	Where        string
	Pushed       []string // conditions of a host's planner, which hold besides Where
	Offset       int64
	Limit        *int64
	Threads      int // 0: one for each processor
	BatchRows    int `json:"batch_rows"`
	BatchBytes   int `json:"batch_bytes"`
	Memory       int64
	RowNumber    string `json:"row_number"`
	FileName     string `json:"file_name"`
	Dictionaries []string
	types
	Union  bool   // the columns of all files, not of the first
	Hive   bool   // folders like year=2024 are columns, unless it is false
	Schema []byte // of the columns, in Arrow's format of streams; nil: the files' own
	Check  bool   // of checksums, unless it is false
	Split  *split // nil: all of all files
	secrets
}

// sources is what a query says of files.
type sources struct {
	Paths       []string
	Objects     map[string]object // those of Paths that are file objects of Python
	Environment map[string]string // of places of files, which a program may have changed since Go began
}

// secrets is what a query says of encrypted files.
type secrets struct {
	// Keys in base 64, by the names that files have for them; null: none. See key.
	Keys      map[string][]byte
	AADPrefix []byte `json:"aad_prefix"` // that all files must have; null: any
}

// types is what a query says of Arrow's types.
type types struct {
	Strings     string // "string", "view" or "large"; "": as stored, or else "string"; "any": see scan.dictionaries
	Extensions  bool   // unless it is false
	StoredTypes bool   `json:"stored_types"` // unless it is false
	Whole       bool   `json:"whole_variants"`
	Int96       string // "ns", which is the default, "us", "ms" or "s"
}

// split is the row groups of one file whose middle lies in a range of its bytes. With it,
// Paths are the names of all files of the table, whose columns the split has.
type split struct {
	File           int // index in Paths
	Offset, Length int64
}

// What all scans of a process share: metadata of files that have not changed since they were
// read, and memory of released batches.
var (
	metadata = cache.New(64 << 20)
	released = &scanner.Resources{Reuse: 128 << 20}
)

// batchRows is how many rows a batch has at most unless a query says: each costs its consumer 0.1 ms, in DuckDB, pyarrow and
// Polars. With two columns of a million rows, 8192 rows take a third more CPU time, and 32768 or 131072 within 5 % as much.
const batchRows = 65536

// parse returns the scan that a JSON text describes.
func parse(ctx context.Context, text string) (*scan, error) {
	q := query{types: types{Extensions: true, StoredTypes: true}, Hive: true, Check: true}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return nil, optionsError("query: " + err.Error())
	}
	if slices.Contains(q.Paths, "") {
		return nil, optionsError("paths: one of them is empty")
	}
	s := &scan{memory: min(q.Memory, 1<<40), anyStrings: q.Strings == "any"}
	if len(q.Pushed) == 0 { // else an error's place may be one in another text
		s.where = q.Where
	}
	if err := q.scannerOptions(&s.options); err != nil {
		return nil, err
	}
	if err := q.arrowOptions(&s.arrow); err != nil {
		return nil, err
	}
	if err := s.setWanted(&q); err != nil {
		return nil, err
	}
	s.options.Stats, s.options.Trace = &s.stats, s.progress.event
	for name, value := range q.Environment {
		if os.Getenv(name) != value {
			os.Setenv(name, value)
		}
	}
	s.far = farFiles{}
	for name, o := range q.Objects {
		s.far[name] = o.open
	}
	s.open = s.far.opener(q.openOptions())
	names, err := s.far.filesOf(ctx, q.Paths, q.Split != nil)
	if err == nil && q.Split != nil {
		return s, s.setSplit(&q, names)
	}
	s.files = q.table(names, s.open)
	return s, err
}

// table returns files as one table.
func (q *query) table(names []string, open dataset.Opener) *dataset.Files {
	files := dataset.New(names, open)
	if !q.Hive {
		files = files.Unpartitioned()
	}
	if q.Union {
		files = files.United()
	}
	return files
}

// openOptions returns how files are opened. With keys, plain files are an error.
func (q *query) openOptions() scanner.OpenOptions {
	o := scanner.OpenOptions{Metadata: metadata, RequireEncryption: q.Keys != nil}
	if q.Keys != nil {
		o.Keys = q.key
	}
	if q.AADPrefix != nil {
		o.AADPrefix = func(string) []byte { return q.AADPrefix }
	}
	return o
}

// key returns the key that files have this metadata for. "footer" stands for a footer's key
// that has none; those of a column without any are its path.
func (q *query) key(_ context.Context, metadata []byte) ([]byte, error) {
	name := cmp.Or(string(metadata), "footer")
	if key, ok := q.Keys[name]; ok {
		return key, nil
	}
	return nil, fmt.Errorf("there is no key %.60q", name)
}

// setSplit makes the scan that of a part of a file.
func (s *scan) setSplit(q *query, names []string) error {
	part := *q.Split
	if part.File < 0 || part.File >= len(q.Paths) || part.Offset < 0 || part.Length <= 0 {
		return optionsError(fmt.Sprintf("split: %d bytes at %d of file %d of %d", part.Length, part.Offset, part.File, len(q.Paths)))
	}
	s.files = q.table(names, s.open).Part(part.File)
	s.options.Split = fetch.Range{Off: part.Offset, Len: part.Length}
	return nil
}

func optionsError(text string) error { return fmt.Errorf("%w: %s", scanner.ErrOptions, text) }

func (q *query) scannerOptions(o *scanner.Options) error {
	// Each text is parsed alone: joined as texts, a comment or a semicolon of one would change the others.
	for _, text := range append([]string{q.Where}, q.Pushed...) {
		if text == "" {
			continue
		}
		where, err := filter.Parse(text)
		if err != nil {
			return &whereError{text: text, err: err}
		}
		if o.Filter != nil {
			where = filter.And(o.Filter, where)
		}
		o.Filter = where
	}
	o.Select, o.Offset = q.Columns, q.Offset
	if q.Limit != nil {
		o.Limit, o.Limited = *q.Limit, true
	}
	if o.Threads = q.Threads; o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	o.BatchRows, o.BatchBytes, o.IgnoreCRC = cmp.Or(q.BatchRows, batchRows), q.BatchBytes, !q.Check
	o.RowNumber, o.FileName = q.RowNumber, q.FileName
	if o.Resources = released; q.Memory > 0 {
		o.Resources = &scanner.Resources{Bytes: q.Memory - q.Memory/4} // the rest is for garbage
	}
	if len(q.Dictionaries) > 0 {
		o.Dictionaries = make(map[string]vector.DictionaryUse)
		for _, path := range q.Dictionaries {
			o.Dictionaries[path] = vector.DictionaryAlways
		}
	}
	return nil
}

func (q *types) arrowOptions(o *arrowscan.Options) error {
	strings, ok := map[string]arrowscan.Strings{
		"": arrowscan.AsStoredOrOffsets, "string": arrowscan.Offsets, "view": arrowscan.Views, "large": arrowscan.LargeOffsets,
		"any": arrowscan.Views,
	}[q.Strings]
	if !ok {
		return optionsError(fmt.Sprintf("strings: %q is none of string, view and large", q.Strings))
	}
	unit, ok := map[string]arrowscan.Unit{
		"": arrowscan.Nanosecond, "ns": arrowscan.Nanosecond, "us": arrowscan.Microsecond,
		"ms": arrowscan.Millisecond, "s": arrowscan.Second,
	}[q.Int96]
	if !ok {
		return optionsError(fmt.Sprintf("int96: %q is none of ns, us, ms and s", q.Int96))
	}
	o.Strings, o.Int96, o.PlainTypes, o.IgnoreStored, o.WholeVariants = strings, unit, !q.Extensions, !q.StoredTypes, q.Whole
	return nil
}

// filesOf returns the names of the files at paths: files, patterns, and folders. Those of URLs it adds. Exact paths are
// names.
func (files farFiles) filesOf(ctx context.Context, paths []string, exact bool) (names []string, err error) {
	if len(paths) == 0 {
		return nil, optionsError("no paths")
	}
	for _, path := range paths {
		found, far, err := files.add(ctx, path, exact)
		if err == nil && !far && !exact {
			path = found[0]
			if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
				if found, err = input.FilesIn(path); err == nil && len(found) == 0 {
					err = fmt.Errorf("%s: no file in this folder ends in .parquet: %w", path, fs.ErrNotExist)
				}
			} else {
				found, err = fetch.Glob(path)
			}
			if i := slices.IndexFunc(found, func(name string) bool { return files[name] != nil }); i >= 0 {
				err = optionsError("a file object has the name of this file too, " + found[i])
			}
		}
		if err != nil {
			return nil, fault.InFile(path, err)
		}
		names = append(names, found...)
	}
	return names, nil
}

// encode returns v as JSON, of which <, > and & are characters like others.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return `{"kind":"internal","message":"a value that JSON cannot hold"}`
	}
	return strings.TrimSpace(b.String())
}
