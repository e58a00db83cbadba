package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// otherPages are shapes with pages other than those of data and dictionaries, of which the
// format's encryption has no kind.
var otherPages = []string{"pages_gap", "pages_index_page", "pages_unknown_type"}

// writeEncrypted writes all shapes into a folder, plain and encrypted in four ways with the
// key 0123456789abcdef, for other readers to judge: .ci/peers/encryption.py.
func writeEncrypted(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	footer := gen.Key{Bytes: "0123456789abcdef"}
	for _, s := range shapes() {
		if s.raw != nil || s.edit != nil || slices.Contains(otherPages, s.name) {
			continue
		}
		for name, e := range map[string]*gen.Encryption{
			"plain": nil, "gcm": {Footer: footer}, "ctr": {Footer: footer, CTR: true}, "signed": {Footer: footer, PlainFooter: true},
			"duckdb": {Footer: footer, AsDuckDB: true},
		} {
			f := s.file
			f.Encryption = e
			b, err := f.Write()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if err := os.WriteFile(filepath.Join(dir, s.name+"."+name+".parquet"), b, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
