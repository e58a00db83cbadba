package serve

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// server answers the requests of one page.
type server struct {
	files  fs.FS
	opens  scanner.OpenOptions // of files
	secret string              // the first part of each path
	host   string              // that requests must name, so that no foreign name leads here
}

// list returns the names of the Parquet files of the folder, then of those below.
func (s *server) list() (names []string, err error) {
	const most = 100_000
	names = []string{}
	err = fs.WalkDir(s.files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // a folder that may not be read
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case len(names) == most:
			return fs.SkipAll
		case d.Type()&^fs.ModeSymlink == 0 && input.IsParquet(name):
			names = append(names, name)
		}
		return nil
	})
	slices.SortStableFunc(names, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return names, err
}

// open opens a file of the folder.
func (s *server) open(ctx context.Context, name string) (*input.File, error) {
	src, closeFile, err := fetch.OpenFS(s.files, name)
	if err != nil {
		return nil, fault.InFile(name, err)
	}
	f, err := s.opens.OpenSource(ctx, name, src)
	if err != nil {
		closeFile()
		return nil, err
	}
	return &input.File{File: f, Close: closeFile}, nil
}
