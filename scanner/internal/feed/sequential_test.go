package feed

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
)

// Short ranges that follow each other are read ahead, at several places of a file in turns; long ones,
// those that are apart, and those for which there is no room are read as they are.
func TestSequential(t *testing.T) {
	data := noise(3, 200_000)
	var small [budget.Uses]int64
	small[budget.Reading] = 1000
	short := []fetch.Range{{Off: 10100, Len: 100}, {Off: 10200, Len: 100}, {Off: 10300, Len: 100}, {Off: 10410, Len: 90}, {Off: 10500, Len: 100}, {Off: 10600, Len: 150}, {Off: 10750, Len: 50}}
	joined := []fetch.Range{short[0], short[1], short[2], {Off: 10400, Len: 200}, {Off: 10600, Len: 390}}
	var turns []fetch.Range
	for _, r := range short {
		turns = append(turns, r, fetch.Range{Off: r.Off + 100_000, Len: r.Len})
	}
	long := []fetch.Range{{Off: 0, Len: 10}, {Off: 10, Len: 700}, {Off: 710, Len: 10}, {Off: 720, Len: 700}, {Off: 1420, Len: 10}}
	apart := []fetch.Range{{Off: 0, Len: 10}, {Off: 5000, Len: 10}, {Off: 10_000, Len: 10}, {Off: 15_000, Len: 10}, {Off: 14_000, Len: 10}, {Off: 15_000, Len: 0}}
	for _, tc := range []struct {
		name       string
		holder     *budget.Holder
		asked      []fetch.Range
		want       []fetch.Range
		twoReading bool
	}{
		{"short", nil, short, joined, false},
		{"in turns", nil, turns, nil, true},
		{"long", nil, long, long, false},
		{"apart", nil, apart, apart, false},
		{"without room", budget.New(small).Join(budget.Reading), short, short, false},
	} {
		rec := record.Of(fetch.FromReaderAt(bytes.NewReader(data), int64(len(data))))
		s := Sequential{Source: rec, Pool: new(column.Bodies), Budget: tc.holder, Most: 1024}
		var read []fetch.Range
		for _, r := range tc.asked {
			s.Took = false
			b, err := fetch.ReadRange(t.Context(), &s, r, func(n int) []byte { return make([]byte, n) })
			if err != nil || !bytes.Equal(b, data[r.Off:r.End()]) {
				t.Fatalf("%s: %v, or wrong bytes of %v", tc.name, err, r)
			}
			calls := rec.Take()
			if read = append(read, slices.Concat(calls...)...); s.Took != (len(calls) > 0) {
				t.Errorf("%s: took bytes: %v, in %d calls", tc.name, s.Took, len(calls))
			}
		}
		if s.Close(); tc.twoReading && len(read) != 2*len(joined) || !tc.twoReading && !slices.Equal(read, tc.want) {
			t.Errorf("%s: read %v", tc.name, read)
		}
	}
}

// Whatever is asked for, the bytes are those of the file, and at its end there is no more.
func TestSequentialAnywhere(t *testing.T) {
	data := noise(5, 20_000)
	r := rand.New(rand.NewPCG(5, 5))
	s := Sequential{Source: fetch.FromReaderAt(bytes.NewReader(data), int64(len(data))), Pool: new(column.Bodies), Most: 2048}
	at := int64(0)
	for range 20_000 {
		if at += r.Int64N(300); r.IntN(20) == 0 {
			at = r.Int64N(int64(len(data)))
		}
		if at >= int64(len(data)) {
			at = 0
		}
		ranges := []fetch.Range{{Off: at, Len: min(r.Int64N(600), int64(len(data))-at)}, {Off: at / 2, Len: r.Int64N(5)}}
		got, err := s.ReadRanges(t.Context(), ranges, nil)
		for i, x := range ranges {
			if err != nil || !bytes.Equal(got[i], data[x.Off:x.End()]) {
				t.Fatalf("%v, or wrong bytes of %v", err, x)
			}
		}
		at = ranges[0].End()
	}
	rec := record.Of(s.Source)
	apart := []fetch.Range{{Off: 0, Len: 10}, {Off: 9_000, Len: 10}, {Off: 18_000, Len: 10}}
	s = Sequential{Source: rec, Most: 2048}
	if _, err := s.ReadRanges(t.Context(), apart, nil); err != nil || !slices.EqualFunc(rec.Take(), [][]fetch.Range{apart}, slices.Equal) {
		t.Error("ranges of one call are not read by one", err)
	}
	if _, err := s.ReadRanges(t.Context(), []fetch.Range{{Off: int64(len(data)) - 10, Len: 11}}, nil); err == nil {
		t.Error("bytes beyond the end")
	}
}

// Where most of what is read ahead goes unused, little is: behind small ranges with large gaps, and where
// a few neighbours are wanted here and there.
func TestSequentialWaste(t *testing.T) {
	data := noise(3, 4_000_000)
	for name, next := range map[string]func(i int64) int64{
		"gaps":       func(i int64) int64 { return i * 2000 },
		"neighbours": func(i int64) int64 { return i/8*8000 + i%8*100 },
	} {
		asked, read := int64(0), int64(0)
		rec := record.Of(fetch.FromReaderAt(bytes.NewReader(data), int64(len(data))))
		s := Sequential{Source: rec, Pool: new(column.Bodies), Most: 64 << 10}
		for i := range int64(2000) {
			r := fetch.Range{Off: next(i), Len: 100}
			if b, err := fetch.ReadRange(t.Context(), &s, r, nil); err != nil || !bytes.Equal(b, data[r.Off:r.End()]) {
				t.Fatalf("%s: %v, or wrong bytes of %v", name, err, r)
			}
			asked += r.Len
		}
		for _, r := range slices.Concat(rec.Take()...) {
			read += r.Len
		}
		if read > asked+asked/4 {
			t.Errorf("%s: %d bytes read for %d", name, read, asked)
		}
	}
}
