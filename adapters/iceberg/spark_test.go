package icebergscan_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	stdio "io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/scanner"
)

// warehouse is how the paths begin in the tables of testdata/spark.tar.gz.
const warehouse = "/tmp/winnow-spark/"

// archive is the files of testdata/spark.tar.gz, as a FileIO.
func archive(t *testing.T) (io.IO, fstest.MapFS) {
	t.Helper()
	f, err := os.Open("testdata/spark.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, stdio.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := stdio.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = &fstest.MapFile{Data: data}
	}
	return archived{files}, files
}

// archived is a FileIO of the archive's files.
type archived struct{ files fstest.MapFS }

func (m archived) Open(name string) (io.File, error) {
	short := strings.TrimPrefix(strings.TrimPrefix(name, "file:"), warehouse)
	f, ok := m.files[short]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	opened, err := m.files.Open(short)
	return archivedFile{bytes.NewReader(f.Data), opened}, err
}

func (archived) Remove(string) error { return errors.ErrUnsupported }

type archivedFile struct {
	*bytes.Reader
	file fs.File
}

func (f archivedFile) Close() error               { return nil }
func (f archivedFile) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// TestSpark reads tables of Spark and Iceberg's Java library, with position deletes, deletion
// vectors, row lineage, equality deletes and evolved schemas and partitions, as Spark reads them.
func TestSpark(t *testing.T) {
	files, content := archive(t)
	var answers map[string][]struct {
		Snapshot int64
		Columns  []string
		Filter   json.RawMessage
		Rows     []string
	}
	if err := json.Unmarshal(content["answers.json"].Data, &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != 4 {
		t.Fatalf("answers for %d tables", len(answers))
	}
	for name, queries := range answers {
		tbl := open(t, files, content, name)
		for i, q := range queries {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				mine := icebergscan.Query{Select: q.Columns}
				if q.Snapshot != 0 {
					mine.SnapshotID = &q.Snapshot
				}
				var err error
				if string(q.Filter) != "null" {
					if mine.Filter, err = iceberg.ParseExpr(q.Filter, tbl.Schema()); err != nil {
						t.Fatal(err)
					}
				}
				same(t, ours(t, tbl, mine, scanner.Options{}), q.Rows)
				same(t, ours(t, tbl, mine, scanner.Options{Threads: 4, BatchRows: 10}), q.Rows)
			})
		}
	}
}

// open returns the newest state of a table of the archive.
func open(t *testing.T, files io.IO, content fstest.MapFS, name string) *table.Table {
	t.Helper()
	var states []string
	for file := range content {
		if ok, _ := path.Match("t/"+name+"/metadata/v*.metadata.json", file); ok {
			states = append(states, file)
		}
	}
	newest := slices.MaxFunc(states, func(a, b string) int { return len(a)*1000 + strings.Compare(a, b) - len(b)*1000 })
	tbl, err := table.NewFromLocation(t.Context(), table.Identifier{"t", name}, warehouse+newest, func(context.Context) (io.IO, error) { return files, nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}
