package scanner_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Pages of returned columns are asked for together with the filter's pages where bounds of values
// make it likely that nearly all of them are wanted. Such guesses are bounded: a wrong one takes no
// longer than a request.
func TestGuessesByBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("writes eight files of 11 MB")
	}
	const store = 200e6 // bytes a second; 30 ms of it are two of the four row groups
	spread := func(i int) int32 { return int32(i * 37 % 100) }
	parity := func(i int) string { return string(rune('a' + i/100%2)) }
	for _, tc := range []struct {
		name  string
		v     func(row int) int32
		where string
		index gen.Index
		limit int64
		early int // row groups whose other pages are asked for with the filter's
	}{
		{"spread", spread, "v = 7", gen.FullIndex, 0, 2},
		{"spread, either of two", spread, "v = 7 OR s = 'b'", gen.FullIndex, 0, 2},
		{"spread, the values are not in the file", func(i int) int32 { return spread(i) / 2 * 2 }, "v = 7", gen.FullIndex, 0, 2},
		{"spread, bounds of pages are not known", spread, "v = 7", gen.OffsetIndex, 0, 0},
		{"spread, a limit", spread, "v = 7", gen.FullIndex, 100, 0},
		{"spread, and a string", spread, "v = 7 AND s = 'b'", gen.FullIndex, 0, 0},
		{"sorted", func(i int) int32 { return int32(i % guessRows / 1000) }, "v = 7", gen.FullIndex, 0, 0},
		{"many values", func(i int) int32 { return int32(i * 7919 % 1_000_003) }, "v = 7", gen.FullIndex, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			passing := int64(0)
			file := guessFile(t, tc.index, tc.v, parity)
			for i := range guessGroups * guessRows {
				is7, isB := tc.v(i) == 7, parity(i) == "b"
				if is7 && tc.where == "v = 7" || (is7 || isB) && tc.where == "v = 7 OR s = 'b'" || is7 && isB {
					passing++
				}
			}
			if tc.limit > 0 {
				passing = min(passing, tc.limit)
			}
			var requests []*scannertest.Request
			synctest.Test(t, func(t *testing.T) {
				store := &scannertest.Store{Latency: 30 * time.Millisecond, Bandwidth: store}
				f, err := scanner.OpenSource(t.Context(), "spread.parquet", store.Object("spread.parquet", file.Bytes))
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				rows := int64(0)
				for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{"n", "m", "o"}, Filter: scannertest.Parsed(t, tc.where), Limit: tc.limit}) {
					if err != nil {
						t.Fatal(err)
					}
					rows += int64(b.Len)
					b.Release()
				}
				if rows != passing {
					t.Errorf("%d rows, want %d", rows, passing)
				}
				time.Sleep(time.Hour) // for requests that nobody waits for
				requests = store.Requests()
			})
			if early := askedEarly(&file, requests); early != tc.early {
				t.Errorf("%d row groups of n are asked for together with v, want %d", early, tc.early)
			}
		})
	}
}

// guessFile has four row groups with columns v, n, m, o and s; n, m and o take 2.4 MB of each.
const guessGroups, guessRows = 4, 100_000

func guessFile(t *testing.T, index gen.Index, v func(row int) int32, s func(row int) string) gen.Written {
	file := gen.File{
		All: gen.Column{PageRows: []int{2500}, Index: index},
		Schema: []*gen.Node{
			gen.Required("v", gen.Int32), gen.Required("n", gen.Int64), gen.Required("m", gen.Int64), gen.Required("o", gen.Int64),
			gen.Required("s", gen.ByteArray).As(gen.StringType()),
		},
	}
	for g := range guessGroups {
		vs, ns, ss := make([]int32, guessRows), make([]int64, guessRows), make([]string, guessRows)
		for i := range vs {
			at := g*guessRows + i
			vs[i], ns[i], ss[i] = v(at), int64(at), s(at)
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Columns: []gen.Column{
			{Data: &gen.Data{Values: vs}}, {Data: &gen.Data{Values: ns}}, {Data: &gen.Data{Values: ns}}, {Data: &gen.Data{Values: ns}}, {Data: &gen.Data{Values: ss}},
		}})
	}
	written, err := file.Build()
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// askedEarly returns of how many row groups the last page of n was asked for in the same instant as
// the first of v's pages that were.
func askedEarly(f *gen.Written, requests []*scannertest.Request) (n int) {
	asked := func(off int64) time.Duration {
		for _, q := range requests {
			if q.Off <= off && off < q.Range.End() {
				return q.Start
			}
		}
		return -1
	}
	first := time.Duration(-1)
	for _, page := range f.Pages[0][0] {
		if first < 0 {
			first = asked(page.Start)
		}
	}
	for _, columns := range f.Pages {
		pages := columns[1]
		if at := asked(pages[len(pages)-1].Start); at >= 0 && at == first {
			n++
		}
	}
	return n
}
