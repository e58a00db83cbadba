package column

import (
	"fmt"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readAll reads all columns of a file, in windows of a size.
func readAll(f *file, indexed bool, size int64) (rows int64, err error) {
	var chunk Chunk
	var cur Cursor
	var l Levels
	for g := range f.footer.RowGroups {
		for i := range f.schema.Leaves() {
			src, bytes, err := f.source(g, i, indexed)
			if err == nil {
				err = chunk.Reset(src)
			}
			if err != nil {
				return rows, err
			}
			cur.Open(&chunk, &memory{chunk: bytes, spoil: true}, Options{})
			for cur.At() < src.Rows {
				cur.Window(min(cur.At()+size, src.Rows))
				l.Reset(src.Leaf.Type)
				if err := cur.ReadLevels(nil, &l); err != nil {
					return rows, fmt.Errorf("column %v: %w", src.Leaf, err)
				}
				if err := validate.Vector(&l.Values); err != nil {
					return rows, fmt.Errorf("column %v: %w", src.Leaf, err)
				}
				cur.Advance(min(cur.At()+size, src.Rows))
			}
			cur.Close()
			rows += src.Rows
		}
	}
	return rows, nil
}

// TestTestdata reads the project's files: those in bad must fail, the others
// must not.
func TestTestdata(t *testing.T) {
	for _, dir := range []string{"shapes", "writers", "bad"} {
		names, err := filepath.Glob(filepath.Join("..", "testdata", dir, "*.parquet"))
		if err != nil || len(names) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, indexed := range []bool{false, true} {
				f, err := openFile(b)
				if err == nil {
					_, err = readAll(f, indexed, 100)
				}
				if base := filepath.Base(name); (err != nil) != (dir == "bad") && !tolerated(base) {
					t.Errorf("%s/%s, index %v: %v", dir, base, indexed, err)
				} else if testing.Verbose() && err != nil {
					t.Logf("%s, index %v: %v", base, indexed, err)
				}
			}
		}
	}
}

// tolerated are bad files whose fault concerns others than cursors.
func tolerated(name string) bool {
	for _, p := range []string{"index_", "bloom_", "statistics_", "encrypted", "magic", "footer_", "file_", "schema_", "chunk_file_path", "group_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// TestCorpus reads the files of the shared corpus in both ways. What they hold
// is for others to check; here the two ways must agree on whether they can be read.
func TestCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "corpus", "parquet-testing")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("WINNOW_CORPUS_REQUIRED") == "1" {
			t.Fatal(err)
		}
		t.Skip("the shared corpus is not here")
	}
	read := 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".parquet") || strings.Contains(name, "large_string_map") {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := openFile(b)
		if err != nil {
			return nil
		}
		_, plain := readAll(f, false, 1000)
		_, indexed := readAll(f, true, 77)
		if (plain == nil) != (indexed == nil) {
			t.Errorf("%s: %v without index, %v with it", name, plain, indexed)
		}
		if plain != nil && testing.Verbose() {
			t.Logf("%s: %v", name, plain)
		}
		read++
		return nil
	})
	if err != nil || read < 50 {
		t.Error(read, err)
	}
}
