package winnowio

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"

	"github.com/winnow-scan/winnow/adapters/beam/internal/prismtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Encrypted files are read with the keys of OpenOptions, and split; with RequireEncryption, plain
// ones in their place fail the pipeline.
func TestEncrypted(t *testing.T) {
	before := OpenOptions
	t.Cleanup(func() { OpenOptions = before })
	OpenOptions.Keys = func(_ context.Context, metadata []byte) ([]byte, error) {
		if string(metadata) != "kf" {
			return nil, fmt.Errorf("no key %q", metadata)
		}
		return []byte("0123456789abcdef"), nil
	}
	OpenOptions.RequireEncryption = true
	f := gen.File{
		Schema:     []*gen.Node{gen.Required("id", gen.Int64), gen.Required("part", gen.Int32), gen.Optional("note", gen.ByteArray).As(gen.StringType())},
		All:        gen.Column{PageRows: []int{7}},
		Encryption: &gen.Encryption{Footer: gen.Key{Metadata: "kf", Bytes: "0123456789abcdef"}},
	}
	var want []string
	for g := range 4 {
		var records []any
		for i := 50 * g; i < 50*g+50; i++ {
			records = append(records, gen.Record{"id": int64(i), "part": int32(i), "note": nil})
			want = append(want, fmt.Sprint(i))
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: records})
	}
	data, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	name := memory.put(t, "secret.parquet", data)
	p, s := beam.NewPipelineWithRoot()
	passert.EqualsList(s, beam.ParDo(s, idText, Read[row](s, name, Options{SplitBytes: 500})), want)
	passert.Count(s, ReadRows(t.Context(), s, name, Options{}), "rows", len(want))
	prismtest.Run(t, p)

	plain := memory.put(t, "plain.parquet", small(t, 8, 0).data)
	p, s = beam.NewPipelineWithRoot()
	beam.ParDo(s, idText, Read[row](s, plain, Options{}))
	if _, err := beam.Run(t.Context(), "prism", p); err == nil || !strings.Contains(err.Error(), "the file is not encrypted, and it must be") {
		t.Errorf("a plain file: %v", err)
	}
}
