package scanner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// lines returns the rows of a scan as JSON.
func lines(t *testing.T, f *File, o Options) []string {
	t.Helper()
	got, err := tryLines(t, f, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// tryLines returns the rows up to the first error.
func tryLines(t *testing.T, f *File, o Options) ([]string, error) {
	t.Helper()
	var got []string
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			return got, err
		}
		got = append(got, scannertest.Lines(t, b)...)
		b.Release()
	}
	return got, nil
}

// shapes returns the sample files that have their rows beside them.
func shapes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/shapes/*.parquet")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	return files
}

func wantLines(t *testing.T, parquet string) []string {
	t.Helper()
	b, err := os.ReadFile(strings.TrimSuffix(parquet, ".parquet") + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for l := range bytes.Lines(b) {
		want = append(want, string(bytes.TrimSuffix(l, []byte("\n"))))
	}
	return want
}

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestEveryShape(t *testing.T) {
	for _, path := range shapes(t) {
		want := wantLines(t, path)
		f := open(t, path)
		for _, size := range []int{1, 7, 1024} {
			for use := range vector.DictionaryAlways + 1 {
				got, err := tryLines(t, f, Options{BatchRows: size, Dictionaries: allLeaves(use)})
				if err == nil {
					err = scannertest.Same(got, want)
				}
				if err != nil {
					t.Errorf("%s, batches of %d, dictionaries %d: %v", filepath.Base(path), size, use, err)
					break
				}
			}
		}
	}
}

// Batches may be looked at and released by others while the scan goes on.
func TestReleaseElsewhere(t *testing.T) {
	for _, name := range []string{"codec_snappy", "nested_list_of_structs", "nested_map_of_maps", "codec_zstd"} {
		path := "../testdata/shapes/" + name + ".parquet"
		f := open(t, path)
		batches, got := make(chan *vector.Batch, 3), make(chan []string)
		go func() {
			var lines []string
			for b := range batches {
				lines = append(lines, scannertest.Lines(t, b)...)
				b.Release()
				b.Release() // twice is once
			}
			got <- lines
		}()
		for b, err := range f.Scan(t.Context(), Options{BatchRows: 3}) {
			if err != nil {
				t.Fatal(err)
			}
			batches <- b
		}
		close(batches)
		if err := scannertest.Same(<-got, wantLines(t, path)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
