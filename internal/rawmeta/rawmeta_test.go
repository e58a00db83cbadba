package rawmeta

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func ptr[T any](v T) *T { return &v }

// chunkOf opens a file of one column and three rows, and returns its only chunk.
func chunkOf(t *testing.T, column gen.Column) (*scanner.File, *scanner.Chunk) {
	t.Helper()
	return encryptedChunk(t, column, nil)
}

// encryptedChunk is chunkOf of a file that is encrypted, unless e is nil.
func encryptedChunk(t *testing.T, column gen.Column, e *gen.Encryption) (*scanner.File, *scanner.Chunk) {
	t.Helper()
	written, err := (&gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 7}, gen.Record{"a": 7}, gen.Record{"a": 8}}}},
		All:       column, Encryption: e,
	}).Write()
	if err != nil {
		t.Fatal(err)
	}
	var o scanner.OpenOptions
	if e != nil {
		o.Keys = func(context.Context, []byte) ([]byte, error) { return []byte(e.Footer.Bytes), nil }
	}
	f, err := o.OpenSource(t.Context(), "f.parquet", fetch.FromBytes(written))
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Chunk(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f, c
}

func TestEncrypted(t *testing.T) {
	f, c := chunkOf(t, gen.Column{Encrypted: true})
	c.HasColumnIndex, c.HasOffsetIndex, c.Meta.HasBloomFilter = true, true, true
	if _, err := ColumnIndex(t.Context(), f, c); !errors.Is(err, scanner.ErrEncrypted) {
		t.Errorf("column index: %v", err)
	}
	if _, err := OffsetIndex(t.Context(), f, c); !errors.Is(err, scanner.ErrEncrypted) {
		t.Errorf("offset index: %v", err)
	}
	if _, err := BloomFilter(t.Context(), f, c); !errors.Is(err, scanner.ErrEncrypted) {
		t.Errorf("Bloom filter: %v", err)
	}
}

func TestIndexesAndBloomFilter(t *testing.T) {
	key := gen.Key{Bytes: "0123456789abcdef"}
	for i, e := range []*gen.Encryption{nil, nil, {Footer: key}, {Footer: key, PlainFooter: true}, {Footer: key, CTR: true}} {
		noLength := i%2 == 1
		f, c := encryptedChunk(t, gen.Column{PageRows: []int{1}, Bloom: 64, BloomNoLength: noLength}, e)
		column, err := ColumnIndex(t.Context(), f, c)
		if err != nil || len(column.NullPages) != 3 {
			t.Errorf("column index: %+v, %v", column, err)
		}
		offset, err := OffsetIndex(t.Context(), f, c)
		if err != nil || len(offset.Pages) != 3 || offset.Pages[2].FirstRow != 2 {
			t.Errorf("offset index: %+v, %v", offset, err)
		}
		bloom, err := BloomFilter(t.Context(), f, c)
		if err != nil || len(bloom.Bits) != 64 || int(bloom.Header.NumBytes) != 64 || c.Meta.HasBloomLength == noLength {
			t.Errorf("Bloom filter: %+v, %v", bloom, err)
		}
	}
	f, c := chunkOf(t, gen.Column{Index: gen.NoIndex})
	column, err1 := ColumnIndex(t.Context(), f, c)
	offset, err2 := OffsetIndex(t.Context(), f, c)
	bloom, err3 := BloomFilter(t.Context(), f, c)
	if column != nil || offset != nil || bloom != nil || err1 != nil || err2 != nil || err3 != nil {
		t.Errorf("what is not there: %v %v %v, %v %v %v", column, offset, bloom, err1, err2, err3)
	}
}

func TestIndexesOutsideOfTheFile(t *testing.T) {
	for _, place := range []struct{ off, length int64 }{{-1, 10}, {0, 10}, {4, -1}, {1 << 40, 10}, {4, math.MaxInt32}, {math.MaxInt64, 1}} {
		f, c := chunkOf(t, gen.Column{Bloom: 32, Meta: func(c *wire.ColumnChunk) {
			c.ColumnIndexOffset, c.ColumnIndexLength = ptr(place.off), ptr(int32(place.length))
			c.OffsetIndexOffset, c.OffsetIndexLength = ptr(place.off), ptr(int32(place.length))
			c.MetaData.BloomFilterOffset = ptr(place.off)
		}})
		_, err1 := ColumnIndex(t.Context(), f, c)
		_, err2 := OffsetIndex(t.Context(), f, c)
		for _, err := range []error{err1, err2} {
			if !errors.Is(err, scanner.ErrCorrupt) || !strings.Contains(err.Error(), " index") {
				t.Errorf("%v: %v", place, err)
			}
		}
		// At 4 lies a page, which is no Bloom filter.
		if _, err := BloomFilter(t.Context(), f, c); !errors.Is(err, scanner.ErrCorrupt) || !strings.Contains(err.Error(), "Bloom filter") {
			t.Errorf("%v: %v", place, err)
		}
	}
}
