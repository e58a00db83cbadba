package scanner_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A host has some keys of an encrypted file: it reads the columns that they are for. Files
// name keys by metadata, which their writer chose. A plain file in its place does not open.
func ExampleOpenOptions_keys() {
	ctx := context.Background()
	keys := map[string][]byte{"footer key": []byte("0123456789abcdef"), "key of amount": []byte("fedcba9876543210")}
	o := scanner.OpenOptions{RequireEncryption: true, Keys: func(ctx context.Context, metadata []byte) ([]byte, error) {
		if key := keys[string(metadata)]; key != nil {
			return key, nil
		}
		return nil, fmt.Errorf("%q is not for us", metadata)
	}}
	f, err := o.OpenSource(ctx, "sales.parquet", fetch.FromBytes(encryptedSales()))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for _, column := range []string{"amount", "customer"} {
		highest, err := f.Max(ctx, column, scanner.Options{})
		if errors.Is(err, scanner.ErrEncrypted) {
			fmt.Println(err)
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(column, highest)
	}
	// Output:
	// amount 300
	// sales.parquet: row group 0, column "customer": column is encrypted, and its key cannot be had: "key of customer" is not for us
}

// encryptedSales returns a file whose columns have keys of their own.
func encryptedSales() []byte {
	own := map[string]gen.Key{
		"amount":   {Metadata: "key of amount", Bytes: "fedcba9876543210"},
		"customer": {Metadata: "key of customer", Bytes: "a key of 32 bytes for AES-256..."},
	}
	b, err := (&gen.File{
		Schema:     []*gen.Node{gen.Required("customer", gen.ByteArray).As(gen.StringType()), gen.Required("amount", gen.Int64)},
		RowGroups:  []gen.RowGroup{{Rows: []any{gen.Record{"customer": "Ada", "amount": int64(300)}, gen.Record{"customer": "Bob", "amount": int64(20)}}}},
		Encryption: &gen.Encryption{Footer: gen.Key{Metadata: "footer key", Bytes: "0123456789abcdef"}, Column: func(path string) gen.Key { return own[path] }},
	}).Write()
	if err != nil {
		log.Fatal(err)
	}
	return b
}
