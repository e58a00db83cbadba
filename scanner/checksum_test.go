package scanner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Bodies that are read right into the memory of batches are held against their checksums: pages
// of strings and of numbers, and dictionaries.
func TestChecksumsOfLargeStoredPages(t *testing.T) {
	strs, ints := make([]any, 4000), make([]any, 4000)
	for i := range strs {
		strs[i] = gen.Record{"a": strings.Repeat("x", 40) + string(rune('a'+i%26))}
		ints[i] = gen.Record{"a": int64(i)}
	}
	for _, c := range []struct {
		name  string
		node  *gen.Node
		rows  []any
		shape gen.Shape
	}{
		{"plain strings", gen.Required("a", gen.ByteArray).As(gen.StringType()), strs, gen.Shape{}},
		{"strings with lengths", gen.Required("a", gen.ByteArray).As(gen.StringType()), strs, gen.Shape{Encoding: gen.DeltaLengthByteArray}},
		{"optional strings", gen.Optional("a", gen.ByteArray).As(gen.StringType()), strs, gen.Shape{Version: 2}},
		{"plain numbers", gen.Required("a", gen.Int64), ints, gen.Shape{}},
	} {
		for _, crc := range []gen.CRC{gen.RightCRC, gen.WrongCRC} {
			c.shape.CRC = crc
			b := gen.File{Schema: []*gen.Node{c.node}, RowGroups: []gen.RowGroup{{Rows: c.rows, Columns: []gen.Column{{PageRows: []int{2000}, Shape: c.shape}}}}}
			path := filepath.Join(t.TempDir(), "f.parquet")
			if err := os.WriteFile(path, scannertest.Write(t, b), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			for batch, err := range f.Scan(t.Context(), Options{}) {
				switch {
				case err == nil:
					rows += batch.Len
				case crc == gen.RightCRC || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "checksum"):
					t.Errorf("%s, checksum %d: %v", c.name, crc, err)
				}
			}
			if want := map[gen.CRC]int{gen.RightCRC: 4000, gen.WrongCRC: 0}[crc]; rows != want {
				t.Errorf("%s, checksum %d: %d rows, want %d", c.name, crc, rows, want)
			}
			f.Close()
		}
	}
}
