package progress

import (
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Where no scan reports, the work that is done tells rows, bytes and the time left.
func TestTimeLeftOfWork(t *testing.T) {
	now := time.Unix(100, 0)
	p := &Progress{now: func() time.Time { return now }, started: now, files: 1, number: 1}
	p.position = position{name: "a", starts: []int64{0, 1000}}
	p.Expect(2000)
	now = now.Add(10 * time.Second)
	p.Did(500)
	if line, want := p.line(), "a  25 %  250 rows  500 B read  0 % skipped  25 rows/s  10 s  30 s left"; line != want {
		t.Errorf("%q, not %q", line, want)
	}
	p.Did(1500)
	if line, want := p.line(), "a  100 %  1,000 rows  2000 B read  0 % skipped  100 rows/s  10 s"; line != want {
		t.Errorf("in the end %q, not %q", line, want)
	}
}

// An estimate that is wrong for a moment is not seen, one that stays is followed.
func TestTimeLeftIsSmooth(t *testing.T) {
	var s smoothed
	now := time.Unix(100, 0)
	step := func(measured float64) float64 {
		now = now.Add(time.Second)
		return s.next(now, measured)
	}
	if got := step(30); got != 30 {
		t.Errorf("at first %g", got)
	}
	if got := step(2); got < 23 || got > 25 { // 29 were expected
		t.Errorf("after an outlier %g", got)
	}
	for range 40 {
		step(100)
	}
	if got := step(100); got < 94 || got > 100 {
		t.Errorf("after 40 s of 100: %g", got)
	}
}

// Threads that begin in the middle of a file are no progress: bytes that are done are.
func TestProgressOfThreads(t *testing.T) {
	src, err := fetch.Open("../../../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f, err := scanner.OpenSource(t.Context(), "lineitems", src)
	if err != nil {
		t.Fatal(err)
	}
	p := newPosition(f)
	last := len(f.Footer().RowGroups) - 1
	p.begins(scanner.Event{File: "lineitems", RowGroup: last})
	if p.part() != 0 {
		t.Errorf("%g done of a file of which nothing was read", p.part())
	}
	half := int64(0)
	for g := range last + 1 {
		c, err := f.Chunk(g, 2)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := c.Range()
		if err != nil {
			t.Fatal(err)
		}
		if half += r.Len; g%2 == 0 {
			p.page(scanner.PageReport{File: "lineitems", RowGroup: g, Leaf: c.Leaf, Page: 0, Offset: r.Off, Bytes: r.Len, Fate: scanner.Decoded})
		}
	}
	if want := float64(p.read) / float64(half); p.part() != want || want < 0.2 || want > 0.8 {
		t.Errorf("%g done, want %g", p.part(), want)
	}
}
