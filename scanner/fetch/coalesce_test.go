package fetch_test

import (
	"testing"

	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func TestCoalesce(t *testing.T) {
	rec := record.Of(fetch.FromBytes(make([]byte, 10000)))
	for _, tc := range []struct {
		gap, longest int64
		ask          []fetch.Range
		want         string
	}{
		{10, 1000, nil, "read\n"},
		{10, 1000, []fetch.Range{{Off: 100, Len: 50}, {Off: 160, Len: 5}}, "read 100+65\n"},
		{9, 1000, []fetch.Range{{Off: 100, Len: 50}, {Off: 160, Len: 5}}, "read 100+50 160+5\n"},
		{10, 64, []fetch.Range{{Off: 100, Len: 50}, {Off: 160, Len: 5}}, "read 100+50 160+5\n"},
		{0, 1000, []fetch.Range{{Off: 160, Len: 5}, {Off: 0, Len: 7}, {Off: 7, Len: 3}}, "read 0+10 160+5\n"},
		{0, 10, []fetch.Range{{Off: 0, Len: 500}, {Off: 20, Len: 7}}, "read 0+500\n"}, // what is read anyway is not read twice
		{0, 1000, []fetch.Range{{Off: 0, Len: 500}, {Off: 20, Len: 7}, {Off: 500, Len: 1}}, "read 0+501\n"},
	} {
		if _, err := fetch.Coalesce(rec, tc.gap, tc.longest).ReadRanges(t.Context(), tc.ask, nil); err != nil {
			t.Error(err)
		}
		if got := rec.Text(); got != tc.want {
			t.Errorf("gap %d, longest %d, %v:\n got %s want %s", tc.gap, tc.longest, tc.ask, got, tc.want)
		}
	}
}
