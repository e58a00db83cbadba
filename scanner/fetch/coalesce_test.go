package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
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

// Parts are as long as each other. One that fails, or panics, ends the others.
func TestParts(t *testing.T) {
	file := make([]byte, 100)
	for i := range file {
		file[i] = byte(i)
	}
	fails := errors.New("fails")
	for _, tc := range []struct {
		ask  []fetch.Range
		want string // off+len, sorted
		end  any    // of the part at 60
	}{
		{[]fetch.Range{{Off: 7}, {Off: 90, Len: 10}, {Off: 5, Len: 20}, {Off: 26, Len: 2}}, "[15+10 26+2 5+10 90+10]", nil},
		{[]fetch.Range{{Off: 0, Len: 5}, {Off: 7, Len: 3}}, "[0+10]", nil},
		{[]fetch.Range{{Off: 40, Len: 50}}, "[40+10 50+10 60+10 70+10 80+10]", fails},
		{[]fetch.Range{{Off: 40, Len: 50}}, "[40+10 50+10 60+10 70+10 80+10]", "panics"},
	} {
		var mu sync.Mutex
		var read []string
		parts := fetch.Parts{Gap: 2, Longest: 10, Read: func(ctx context.Context, off int64, dst []byte) error {
			mu.Lock()
			read = append(read, fetch.Range{Off: off, Len: int64(len(dst))}.String())
			mu.Unlock()
			copy(dst, file[off:])
			if err, is := tc.end.(error); is && off == 60 {
				return err
			} else if tc.end != nil && off == 60 {
				panic(tc.end)
			} else if tc.end != nil {
				<-ctx.Done()
				return fetch.Ended(ctx)
			}
			return nil
		}}
		var got [][]byte
		var err error
		cause := func() (cause any) {
			defer func() { cause = recover() }()
			got, err = parts.ReadRanges(t.Context(), tc.ask, nil)
			return nil
		}()
		if err != nil {
			cause = err
		}
		slices.Sort(read)
		if fmt.Sprint(read) != tc.want || cause != tc.end {
			t.Errorf("%v: %v, %v, want %s, %v", tc.ask, read, cause, tc.want, tc.end)
		}
		for i, r := range tc.ask {
			if tc.end == nil && !bytes.Equal(got[i], file[r.Off:r.End()]) {
				t.Errorf("%v: got %v", r, got[i])
			}
		}
	}
}
