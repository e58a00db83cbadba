// Command mk writes the files of testdata that package gen makes: testdata/shapes
// and testdata/bad, with a README in each.
//
//	go run ./internal/test/gen/mk
//	go run ./internal/test/gen/mk -encrypted DIR    the shapes for other readers, plain and encrypted
//
// A shape comes with the rows that it holds as canonical JSON lines. The tests
// of this package fail while testdata differs from what mk would write.
//
// What never comes here: files of other writers (internal/test/foreign makes them).
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

//go:generate go run . -dir ../../../../testdata

// A sample is one file of testdata.
type sample struct {
	name string
	what string
	file gen.File
	raw  []byte              // the file itself, where no gen.File describes it
	edit func([]byte) []byte // the last word on the bytes
	stage
}

func main() {
	dir := flag.String("dir", "testdata", "where to write")
	encrypted := flag.String("encrypted", "", "write the shapes into this folder instead, plain and encrypted")
	flag.Parse()
	var err error
	if *encrypted != "" {
		err = writeEncrypted(*encrypted)
	} else if files, fault := build(); fault == nil {
		err = write(*dir, files)
	} else {
		err = fault
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mk:", err)
		os.Exit(1)
	}
}

// build returns all files by their path below testdata.
func build() (map[string][]byte, error) {
	files := map[string][]byte{}
	var shapesTable, badTable bytes.Buffer
	shapesTable.WriteString(shapesText)
	for _, s := range shapes() {
		b, err := s.bytes()
		if err != nil {
			return nil, err
		}
		lines, err := s.file.JSONLines()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		files["shapes/"+s.name+".parquet"] = b
		files["shapes/"+s.name+".jsonl"] = lines
		fmt.Fprintf(&shapesTable, "| `%s.parquet` | %s |\n", s.name, s.what)
	}
	badTable.WriteString(badText)
	for _, s := range bad() {
		b, err := s.bytes()
		if err != nil {
			return nil, err
		}
		files["bad/"+s.name+".parquet"] = b
		fmt.Fprintf(&badTable, "| `%s.parquet` | %s | %s |\n", s.name, s.what, s.stage)
	}
	files["shapes/README.md"] = shapesTable.Bytes()
	files["bad/README.md"] = badTable.Bytes()
	return files, nil
}

func (s *sample) bytes() ([]byte, error) {
	b, err := s.raw, error(nil)
	if b == nil {
		if b, err = s.file.Write(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if s.edit != nil {
		b = s.edit(b)
	}
	return b, nil
}

// write makes the folders under dir hold exactly files.
func write(dir string, files map[string][]byte) error {
	for _, sub := range []string{"shapes", "bad"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
		old, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			return err
		}
		for _, e := range old {
			if _, ours := files[sub+"/"+e.Name()]; !ours && !strings.HasPrefix(e.Name(), ".") {
				if err := os.Remove(filepath.Join(dir, sub, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
