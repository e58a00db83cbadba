package ioplan

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func ranges(offLen ...int64) (all []fetch.Range) {
	for i := 0; i < len(offLen); i += 2 {
		all = append(all, fetch.Range{Off: offLen[i], Len: offLen[i+1]})
	}
	return all
}

// Gaps are read if they cost less than a request, the smallest first, until a quarter of what is
// wanted is wasted. Where a request costs much, a few bytes more are always worth it.
func TestGaps(t *testing.T) {
	cheap := Cost{time.Microsecond, 100e6}    // a request costs 100 bytes
	far := Cost{30 * time.Millisecond, 100e6} // 3 MB
	for _, tc := range []struct {
		name   string
		cost   Cost
		wanted []fetch.Range
		want   []fetch.Range
	}{
		{"nothing", far, nil, nil},
		{"one", far, ranges(5, 10), nil},
		{"touching", far, ranges(0, 10, 10, 10), nil},
		{"as much as a request", cheap, ranges(0, 1000, 1100, 1000), nil},
		{"less than a request", cheap, ranges(0, 1000, 1099, 1000), ranges(1000, 99)},
		{"a quarter, smallest first", cheap, ranges(0, 100, 195, 100, 305, 100, 500, 100), ranges(295, 10)},
		{"few bytes", far, ranges(0, 10, 50_000, 10), ranges(10, 49_990)},
		{"many bytes", far, ranges(0, 10, 200_000, 10), nil},
		{"a quarter of many", far, ranges(0, 1_000_000, 1_400_000, 1_000_000), ranges(1_000_000, 400_000)},
		{"more than a quarter", far, ranges(0, 1_000_000, 1_600_000, 1_000_000), nil},
	} {
		if got := tc.cost.Gaps(tc.wanted); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestJoin(t *testing.T) {
	const most = maxJoined
	for _, tc := range []struct{ ranges, want []fetch.Range }{
		{nil, nil},
		{ranges(5, 0), nil},
		{ranges(10, 5, 0, 10), ranges(0, 15)},
		{ranges(0, 10, 11, 5), ranges(0, 10, 11, 5)},
		{ranges(0, most, most, 1), ranges(0, most, most, 1)},
		{ranges(0, most-1, most-1, 1, most, 7), ranges(0, most, most, 7)},
	} {
		if got := Join(tc.ranges); !slices.Equal(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.ranges, got, tc.want)
		}
	}
}

// What a Merged source and kept bytes return is what is in the file, and each byte that was read
// is asked for or counted as a gap.
func TestSourcesReturnTheBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 35))
	for range dtest.Rounds(t, 300) {
		data := make([]byte, 1+r.IntN(3000))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		rec := record.Of(fetch.FromReaderAt(bytes.NewReader(data), int64(len(data))))
		gaps := int64(0)
		off := r.IntN(len(data))
		surplus := Surplus{int64(off), data[off : off+r.IntN(len(data)-off+1)]}
		src := Sparing{Source: Merged{rec, Cost{time.Duration(1 + r.IntN(2000)), 1e9}.Gaps, &gaps}, Known: surplus.Get}
		var wanted []fetch.Range
		for range r.IntN(12) {
			from := r.Int64N(int64(len(data)) + 1)
			wanted = append(wanted, fetch.Range{Off: from, Len: r.Int64N(min(int64(len(data))-from, 200) + 1)})
		}
		got, err := src.ReadRanges(t.Context(), wanted, nil)
		if err != nil {
			t.Fatal(err)
		}
		asked := make([]bool, len(data))
		for i, x := range wanted {
			if !bytes.Equal(got[i], data[x.Off:x.End()]) {
				t.Fatalf("range %v of %v is wrong", x, wanted)
			}
			if surplus.Get(x) == nil {
				for at := x.Off; at < x.End(); at++ {
					asked[at] = true
				}
			}
		}
		for _, call := range rec.Take() {
			for _, x := range call {
				for at := x.Off; at < x.End(); at++ {
					if !asked[at] {
						gaps--
					}
				}
			}
		}
		if gaps != 0 {
			t.Fatalf("%v: gaps are %d bytes more than counted", wanted, -gaps)
		}
	}
	src := Merged{Source: fetch.FromBytes(make([]byte, 10))}
	if _, err := src.ReadRanges(t.Context(), ranges(5, 6), nil); err == nil {
		t.Error("a range beyond the end is no error")
	}
}

// A cancelled read of bytes that are there ends as any other.
func TestSurplusEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := Surplus{0, []byte("abc")}
	if _, err := (Sparing{Source: fetch.FromBytes([]byte("abc")), Known: x.Get}).ReadRanges(ctx, ranges(0, 2), nil); err == nil {
		t.Error("no error")
	}
}
