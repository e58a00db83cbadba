package scanner

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Files with some bytes changed give rows or an *Error, and vectors that are
// as vectors have to be.
func TestMutatedFiles(t *testing.T) {
	r, rounds := rand.New(rand.NewPCG(1, 5)), dtest.Rounds(t, 10)
	for _, path := range shapes(t) {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) > 20_000 {
			continue
		}
		for range rounds {
			b := bytes.Clone(whole)
			for range 1 + r.IntN(3) {
				b[4+r.IntN(len(b)-12)] = byte(r.Uint32())
			}
			o := Options{Dictionaries: allLeaves(vector.DictionaryUse(r.IntN(3))), BatchRows: []int{0, 3}[r.IntN(2)], IgnoreCRC: true, MaxPageBytes: 64 << 20}
			if r.IntN(2) == 0 {
				o.Offset, o.Limit = r.Int64N(20), r.Int64N(20)
			}
			checkHostile(t, path, b, o)
		}
	}
}

func checkHostile(t *testing.T, name string, b []byte, o Options) {
	t.Helper()
	_, err := scanAll(t.Context(), b, o)
	var e *Error
	var bad *invalid
	if err != nil && !errors.As(err, &e) || errors.As(err, &bad) {
		t.Errorf("%s: %v", name, err)
	}
}

func FuzzScan(f *testing.F) {
	for _, name := range []string{"nested_list_of_structs", "nested_map_of_maps", "codec_uncompressed", "nested_deep_repeated"} {
		b, err := os.ReadFile("../testdata/shapes/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint8(3), uint8(0))
		f.Add(b, uint8(0), uint8(2))
	}
	f.Fuzz(func(t *testing.T, b []byte, size, offset uint8) {
		checkHostile(t, "file", b, Options{BatchRows: int(size), Offset: int64(offset), IgnoreCRC: true, MaxPageBytes: 16 << 20})
	})
}

// scanAll scans a file that may be anything, but not for long.
func scanAll(ctx context.Context, b []byte, o Options) (rows int, err error) {
	f, err := OpenSource(ctx, "f", fetch.FromBytes(b))
	if err != nil {
		return 0, err
	}
	for batch, err := range f.Scan(ctx, o) {
		if err != nil {
			return rows, err
		}
		if err := validate.Batch(batch); err != nil {
			return rows, &invalid{err}
		}
		if rows += batch.Len; rows > 100_000 {
			break
		}
		batch.Release()
	}
	return rows, nil
}

// invalid is the error for a batch that breaks its own rules.
type invalid struct{ error }
