package thrift

import (
	"testing"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// refused tells page headers that generated code reads and ours must refuse.
func refused(w *wire.PageHeader) bool {
	negative := func(all ...int32) bool {
		for _, v := range all {
			if v < 0 {
				return true
			}
		}
		return false
	}
	if negative(w.UncompressedPageSize, w.CompressedPageSize) {
		return true
	}
	if d := w.DataPageHeader; d != nil && negative(d.NumValues) || d == nil && w.Type == wire.PageType_DATA_PAGE {
		return true
	}
	if d := w.DictionaryPageHeader; d != nil && negative(d.NumValues) || d == nil && w.Type == wire.PageType_DICTIONARY_PAGE {
		return true
	}
	d := w.DataPageHeaderV2
	return d != nil && negative(d.NumValues, d.NumNulls, d.NumRows, d.DefinitionLevelsByteLength, d.RepetitionLevelsByteLength) ||
		d == nil && w.Type == wire.PageType_DATA_PAGE_V2
}

// readEverything reads a footer, and each part of it that is read lazily.
func readEverything(b []byte) (*Footer, error) {
	f, err := ParseFooter(b)
	if err == nil {
		err = f.readAll()
	}
	return f, err
}

// same fails if got differs from want.
func same(tb testing.TB, what string, got, want any) {
	tb.Helper()
	if d := difference(got, want); d != "" {
		tb.Fatalf("%s%s", what, d)
	}
}

func sameFooter(tb testing.TB, what string, got *Footer, want *wire.FileMetaData) {
	tb.Helper()
	if d := got.difference(want); d != "" {
		tb.Fatal(what, ": ", d)
	}
}
