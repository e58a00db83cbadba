package scanner

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// askAll asks a file whatever can be answered without handing out rows. What
// goes wrong must say where.
func askAll(t *testing.T, name string, b []byte) {
	t.Helper()
	f, err := OpenSource(t.Context(), name, fetch.FromBytes(b))
	if err != nil {
		return // others look at that
	}
	check := func(err error) {
		t.Helper()
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = f.Count(t.Context(), Options{})
	check(err)
	leaves := f.schema.Leaves()
	for _, leaf := range leaves[:min(len(leaves), 12)] {
		path := schema.FormatPath(leaf.Path())
		for _, o := range []Options{
			{MaxPageBytes: 16 << 20}, {MaxPageBytes: 16 << 20, IgnoreCRC: true, knobs: knobs.Knobs{NoStatistics: true}},
			{MaxPageBytes: 16 << 20, IgnoreCRC: true, Filter: filter.Col(path).IsNotNull()},
		} {
			for _, find := range []func(context.Context, string, Options) (vector.Scalar, error){f.Min, f.Max} {
				v, err := find(t.Context(), path, o)
				if check(err); err == nil && validate.Vector(v.Vector(1)) != nil {
					t.Errorf("%s: %s: %v", name, path, validate.Vector(v.Vector(1)))
				}
			}
			_, err := f.Count(t.Context(), o)
			check(err)
			o.knobs.NoStatistics = o.knobs.NoStatistics || o.Filter != nil // Count believes the numbers of NULLs
			set, err := f.Passing(t.Context(), o)
			if check(err); err == nil {
				n, err := f.Count(t.Context(), o)
				if check(err); err == nil && n != set.Len() {
					t.Errorf("%s: %s: %d rows pass, %d counted", name, path, set.Len(), n)
				}
			}
		}
	}
}

func TestAnswersOfBadFilesSayWhere(t *testing.T) {
	paths, err := filepath.Glob("../testdata/bad/*.parquet")
	if err != nil || len(paths) < 50 {
		t.Fatal(len(paths), err)
	}
	for _, path := range append(paths, shapes(t)...) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		askAll(t, path, b)
	}
}

func TestAnswersOfMutatedFiles(t *testing.T) {
	r, rounds := rand.New(rand.NewPCG(7, 8)), dtest.Rounds(t, 2)
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
			askAll(t, path, b)
		}
	}
}
