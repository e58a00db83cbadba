package progress

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// secondsLeft returns the seconds that a line says are left, -1 if it says nothing.
func secondsLeft(t *testing.T, line string) int {
	t.Helper()
	found := regexp.MustCompile(`(\d+) s left`).FindStringSubmatch(line)
	if found == nil {
		return -1
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Kinds of work that differ in speed, and take turns: the estimate is right as soon as each kind
// was seen, and does not jump.
func TestTimeLeftOfWork(t *testing.T) {
	now := time.Unix(100, 0)
	p := &Progress{to: io.Discard, now: func() time.Time { return now }, started: now, files: 1, number: 1}
	p.position = position{name: "a", starts: []int64{0, 1000}}
	// Ten columns of 100 bytes each are walked over in 0.1 s, decoded in 5 s and compared in 0.5 s.
	p.Expect([WorkKinds]int64{WalkingPages: 1000, DecodingValues: 1000, ComparingRows: 1000})
	seconds := [WorkKinds]float64{WalkingPages: 0.1, DecodingValues: 5, ComparingRows: 0.5}
	const all = 56.0
	last, lastAt, rows := -1, now, int64(0)
	for range 10 {
		for kind, each := range seconds {
			w := p.Worker(workKind(kind))
			for range 10 {
				now = now.Add(time.Duration(each / 10 * float64(time.Second)))
				w.Did(10)
				line := p.line()
				left := secondsLeft(t, line)
				passed := now.Sub(p.started).Seconds()
				if passed > 20 && left >= 0 && math.Abs(float64(left)+0.5-(all-passed)) > 3 {
					t.Errorf("after %.1f s: %s", passed, line)
				}
				if jump := left - last; last >= 0 && left >= 0 && jump > 1+int(now.Sub(lastAt).Seconds()) {
					t.Errorf("the time left jumps from %d to %d s at %.1f s", last, left, passed)
				}
				if p.position.rows < rows {
					t.Errorf("goes back from row %d to %d", rows, p.position.rows)
				}
				last, lastAt, rows = left, now, p.position.rows
			}
		}
	}
	if line := p.line(); !strings.HasPrefix(line, "a  100 %  1,000 rows  1000 B read  0 % skipped") || strings.Contains(line, "left") {
		t.Errorf("in the end %q", line)
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
