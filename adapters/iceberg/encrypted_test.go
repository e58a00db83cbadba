package icebergscan_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"

	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A data file that is encrypted by the format's own means is read with the keys and the prefix
// of Query.Files; with RequireEncryption, a plain file in its place is not.
func TestEncryptedDataFile(t *testing.T) {
	tbl := tables.New(t.Context(), t.TempDir()).Create("secret", 2, []iceberg.NestedField{{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64}}, nil, nil)
	tbl.Append("{\"id\": 1}\n{\"id\": 2}")
	sealed, err := (&gen.File{
		Schema:     []*gen.Node{gen.Required("id", gen.Int64).ID(1)},
		RowGroups:  []gen.RowGroup{{Rows: []any{gen.Record{"id": int64(40)}, gen.Record{"id": int64(2)}}}},
		Encryption: &gen.Encryption{Footer: gen.Key{Metadata: "kf", Bytes: "0123456789abcdef"}, Prefix: "secret", HidePrefix: true},
	}).Write()
	if err != nil {
		t.Fatal(err)
	}
	files := scanner.OpenOptions{
		RequireEncryption: true,
		Keys: func(_ context.Context, metadata []byte) ([]byte, error) {
			if !bytes.Equal(metadata, []byte("kf")) {
				return nil, os.ErrNotExist
			}
			return []byte("0123456789abcdef"), nil
		},
		AADPrefix: func(string) []byte { return []byte("secret") },
	}
	open := func(context.Context, iceberg.DataFile) (fetch.Source, func() error, error) {
		return fetch.FromBytes(sealed), nil, nil
	}
	sum := func(q icebergscan.Query) (sum int64, err error) {
		r, tasks := reader(t, tbl.Table, q)
		for b, err := range r.Scan(t.Context(), tasks, scanner.Options{}) {
			if err != nil {
				return 0, err
			}
			for _, id := range b.Columns[0].Int64s[:b.Len] {
				sum += id
			}
		}
		return sum, nil
	}
	if got, err := sum(icebergscan.Query{Files: files, Open: open}); got != 42 || err != nil {
		t.Errorf("with keys: %d, %v", got, err)
	}
	if _, err := sum(icebergscan.Query{Open: open}); !errors.Is(err, scanner.ErrEncrypted) {
		t.Errorf("without keys: %v", err)
	}
	if _, err := sum(icebergscan.Query{Files: files}); !errors.Is(err, scanner.ErrCorrupt) || !strings.Contains(err.Error(), "the file is not encrypted, and it must be") {
		t.Errorf("the plain file: %v", err)
	}
}
