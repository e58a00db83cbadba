package schema

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// footers returns the plain footers of the shared corpus by file name.
func footers(t *testing.T) map[string][]byte {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "corpus", "parquet-testing")
	var paths []string
	for _, dir := range []string{"data", "data/geospatial", "bad_data"} {
		found, _ := filepath.Glob(filepath.Join(root, dir, "*.parquet"))
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		if os.Getenv("WINNOW_CORPUS_REQUIRED") == "1" {
			t.Fatal("no corpus at " + root)
		}
		t.Skip("no corpus at " + root)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		end := len(data) - 8
		if string(data[end+4:]) != "PAR1" {
			continue
		}
		all[filepath.Base(path)] = data[end-int(binary.LittleEndian.Uint32(data[end:])) : end]
	}
	return all
}

type leafLevels struct {
	path     string
	rep, def int
}

// walk computes the leaves' paths and levels by plain recursion over what the
// generated decoder read. It returns the elements after those it used.
func walk(elements []*wire.SchemaElement, path []string, rep, def int, out *[]leafLevels) []*wire.SchemaElement {
	e := elements[0]
	elements = elements[1:]
	if path != nil {
		path = append(slices.Clone(path), e.Name)
		switch e.GetRepetitionType() {
		case wire.FieldRepetitionType_OPTIONAL:
			def++
		case wire.FieldRepetitionType_REPEATED:
			def, rep = def+1, rep+1
		}
	} else {
		path = []string{}
	}
	if e.IsSetType() && e.GetNumChildren() == 0 {
		*out = append(*out, leafLevels{strings.Join(path, "/"), rep, def})
		return elements
	}
	for range e.GetNumChildren() {
		elements = walk(elements, path, rep, def, out)
	}
	return elements
}

func TestCorpusLevelsAgainstTheGeneratedDecoder(t *testing.T) {
	count := 0
	for name, footer := range footers(t) {
		var meta wire.FileMetaData
		memory := apache.NewTMemoryBuffer()
		memory.Write(footer)
		if err := meta.Read(context.Background(), apache.NewTCompactProtocolConf(memory, nil)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var want, got []leafLevels
		walk(meta.Schema, nil, 0, 0, &want)
		lean, err := thrift.ParseFooter(footer)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := New(lean.Schema)
		if name == "PARQUET-1481.parquet" { // made to be bad
			if want := `schema: element 1 ("Handle") has physical type -7`; err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, leaf := range s.Leaves() {
			got = append(got, leafLevels{strings.Join(leaf.Path(), "/"), leaf.MaxRep, leaf.MaxDef})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		for _, group := range meta.RowGroups {
			for i, c := range group.Columns {
				if path := strings.Join(c.GetMetaData().GetPathInSchema(), "/"); path != got[i].path {
					t.Errorf("%s: chunk %d is of %s, not %s", name, i, path, got[i].path)
				}
			}
		}
		count++
	}
	if count < 60 {
		t.Errorf("only %d files were looked at", count)
	}
}

// The nested files of the corpus, and those with types of note. What the
// script holds was compared with the schemas that pyarrow prints.
func TestCorpusSchemas(t *testing.T) {
	all := footers(t)
	dtest.Run(t, "testdata/corpus.script", func(t *testing.T, c *dtest.Case) string {
		lean, err := thrift.ParseFooter(all[strings.TrimSpace(c.Input)])
		if err != nil {
			return err.Error()
		}
		s, err := New(lean.Schema)
		if err != nil {
			return err.Error()
		}
		return show(s.Root(), 0)
	})
}
