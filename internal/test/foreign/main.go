// Command foreign writes sample files of testdata with other projects'
// writers: arrow-go and parquet-go. write.py does the same with pyarrow and DuckDB.
//
//	go run .          in this folder
//
// It is a module of its own, so that the engine never sees these dependencies.
// Data come from fixed seeds and the writers' versions are pinned: the same
// bytes each time.
//
// What never comes here: the engine, gen, checks of what was written
// (check_gen.py and the tests of the engine do that).
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . -dir ../../../testdata

func main() {
	dir := flag.String("dir", "../../../testdata", "where to write")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "foreign:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "writers"), 0o755); err != nil {
		return err
	}
	for _, s := range []struct {
		name  string
		write func(path string) error
	}{
		{"lineitems.parquet", lineItems},
		{"orders.parquet", orders},
		{"weblog.parquet", webLog},
		{"writers/arrow_go_v1.parquet", arrowV1},
		{"writers/arrow_go_v2.parquet", arrowV2},
		{"writers/arrow_go_nested.parquet", arrowNested},
		{"writers/parquet_go_encodings.parquet", parquetGoEncodings},
		{"writers/parquet_go_nested.parquet", parquetGoNested},
	} {
		if err := s.write(filepath.Join(dir, filepath.FromSlash(s.name))); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
