package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

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
		{nil, "[]", nil},
		{[]fetch.Range{{Off: 0, Len: 5}, {Off: 7, Len: 3}}, "[0+10]", nil},
		{[]fetch.Range{{Off: 0, Len: 4}, {Off: 7, Len: 3}}, "[0+4 7+3]", nil}, // a gap that is too large
		{[]fetch.Range{{Off: 0, Len: 5}, {Off: 7, Len: 4}}, "[0+5 7+4]", nil}, // too long as one
		{[]fetch.Range{{Off: 16, Len: 5}, {Off: 0, Len: 7}, {Off: 7, Len: 3}}, "[0+10 16+5]", nil},
		{[]fetch.Range{{Off: 0, Len: 15}, {Off: 5, Len: 7}}, "[0+7 7+8]", nil}, // what is read anyway is not read twice
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
