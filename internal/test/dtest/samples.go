package dtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SampleFiles returns the Parquet files below a folder. Without the shared corpus a
// test is skipped, unless WINNOW_CORPUS_REQUIRED says that it is there.
func SampleFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".parquet") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		if strings.Contains(dir, "shared") && os.Getenv("WINNOW_CORPUS_REQUIRED") != "1" {
			t.Skip("no files in ", dir, ": ", err)
		}
		t.Fatal("no files in ", dir, ": ", err)
	}
	return files
}
