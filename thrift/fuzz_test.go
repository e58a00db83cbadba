package thrift

import (
	"errors"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// wantCorrupt checks that an error is of the kind that all readers return.
func wantCorrupt(tb testing.TB, err error) {
	tb.Helper()
	var at *corrupt.Error
	if !errors.As(err, &at) || !errors.Is(err, corrupt.Bad) {
		tb.Fatalf("%T %v is no error about bad bytes", err, err)
	}
}

func FuzzPageHeader(f *testing.F) {
	for _, h := range pageHeaders() {
		f.Add(encode(f, h))
	}
	f.Fuzz(func(t *testing.T, b []byte) { comparePageHeader(t, b) })
}

func FuzzColumnIndex(f *testing.F) {
	f.Add(encode(f, columnIndex(5)))
	f.Add(encode(f, &wire.ColumnIndex{}))
	f.Fuzz(func(t *testing.T, b []byte) { compareColumnIndex(t, b) })
}

func FuzzOffsetIndex(f *testing.F) {
	f.Add(encode(f, offsetIndex(5)))
	f.Fuzz(func(t *testing.T, b []byte) { compareOffsetIndex(t, b) })
}

func FuzzBloomFilterHeader(f *testing.F) {
	f.Add(encode(f, bloomFilterHeader()))
	f.Fuzz(func(t *testing.T, b []byte) { compareBloomFilterHeader(t, b) })
}

func FuzzFooter(f *testing.F) {
	f.Add(encode(f, wideFooter(3, 2)))
	f.Add(encode(f, fullFooter()))
	f.Fuzz(func(t *testing.T, b []byte) { compareFooter(t, b) })
}
