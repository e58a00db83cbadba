package progress

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// The line comes late, tells the state, and goes.
func TestProgressOnATerminal(t *testing.T) {
	var out strings.Builder
	now := time.Unix(100, 0)
	p := &Progress{to: &out, terminal: true, width: 120, now: func() time.Time { return now }, started: now, files: 1, number: 1}
	p.position = position{name: "a\n.parquet", starts: []int64{0, 1000, 2000}}
	step := func(after time.Duration, want string) {
		t.Helper()
		now = now.Add(after)
		out.Reset()
		p.draw()
		if out.String() != want {
			t.Errorf("%q, not %q", out.String(), want)
		}
	}
	step(900*time.Millisecond, "")
	p.Aside(func() {})
	if out.String() != "" {
		t.Errorf("cleared what was not there: %q", out.String())
	}
	step(100*time.Millisecond, "\ra\\n.parquet  0 rows  0 rows/s  1 s\x1b[K")
	p.position.rows, p.position.passed, p.position.read, p.position.total = 500, 3000, 300, 12_000
	step(time.Second, "\ra\\n.parquet  25 %  500 rows  300 B read  90 % skipped  250 rows/s  2 s  6 s left\x1b[K")
	p.position.begins(scanner.Event{File: p.position.name, RowGroup: 0, FirstRow: 200}) // a thread that is behind
	p.filtered, p.printed = true, 7
	step(0, "\ra\\n.parquet  25 %  7 of 500 rows  300 B read  90 % skipped  250 rows/s  2 s  6 s left\x1b[K")
	p.position.begins(scanner.Event{File: p.position.name, RowGroup: 1, FirstRow: 750})
	p.position.passed, p.position.read = 10_500, 1050
	p.width = 27
	step(2*time.Second, "\r…437 rows/s  4 s  2 s left\x1b[K") // 4 s were expected, 0.6 s are measured
	p.width = 0
	step(0, "\ra\\n.parquet  87 %  7 of 1,750 rows  1050 B read  90 % skipped  437 rows/s  4 s  2 s left\x1b[K")
	p.filtered, p.files, p.number, p.completed, p.done, p.expected, p.printed = false, 4, 3, 2, 1800, 2000, 1800
	p.before = position{rows: 4000, passed: 26_000, read: 20_000}
	step(96*time.Second, "\rfile 3 of 4  a\\n.parquet  90 %  1,800 rows  20.6 KiB read  42 % skipped  58 rows/s  1 min  37 s left\x1b[K")

	out.Reset()
	answer := p.Answer(&out)
	for _, part := range []string{"a row\n", "half", " a row\n"} {
		if n, err := answer.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		p.draw()
	}
	text := regexp.MustCompile("\rfile[^\x1b]*").ReplaceAllString(out.String(), "LINE")
	if text != "\r\x1b[Ka row\nLINE\x1b[K\r\x1b[Khalf a row\nLINE\x1b[K" {
		t.Errorf("beside the answer: %q", text)
	}
	p.stop = func() {}
	out.Reset()
	p.End()
	p.End()
	if out.String() != "\r\x1b[K" {
		t.Errorf("it ends by %q", out.String())
	}

	p = nil // nobody looks
	var o scanner.Options
	p.Start(3)
	p.Begin(nil, 0)()
	p.Watch(&o, "")
	p.Again()
	p.Print(1, 2, 3)
	p.Aside(func() { out.Reset() })
	p.End()
	if p.Answer(&out) != &out || o.Trace != nil || o.Pages != nil || out.String() != "" {
		t.Error("a progress that shows nothing does something")
	}
}

func TestDurations(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0 s", 99.9: "99 s", 100: "1 min", 5999: "99 min", 6000: "1 h", 3.6e6: "1,000 h", 1e300: "1,000,000,000 h"} {
		if got := duration(seconds); got != want {
			t.Errorf("%g: %s, want %s", seconds, got, want)
		}
	}
}

// What a progress knows at the end of a scan is what the scan's counters say, and it never goes back.
func TestProgressOfScans(t *testing.T) {
	for _, file := range []string{"orders", "lineitems", "weblog"} {
		src, err := fetch.Open("../../../testdata/" + file + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		f, err := scanner.OpenSource(t.Context(), file, src)
		if err != nil {
			t.Fatal(err)
		}
		rows := int64(0)
		for _, g := range f.Footer().RowGroups {
			rows += g.NumRows
		}
		where := map[string]string{"orders": "order_id > 3900", "lineitems": "quantity < 3", "weblog": "status = 500"}[file]
		expr, err := filter.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []scanner.Options{{}, {Filter: expr}, {Filter: expr, Threads: 2}} {
			p := &Progress{now: time.Now, started: time.Now(), files: 1, early: map[string][]func(){}}
			var ended func()
			if o.Filter == nil {
				ended = p.Begin(f, 0)
			} // else once the scan has begun
			p.Watch(&o, file)
			o.Stats = new(scanner.Stats)
			seen := int64(0)
			for b, err := range f.Scan(t.Context(), o) {
				if err != nil {
					t.Fatal(err)
				}
				b.Release()
				if ended == nil {
					ended = p.Begin(f, 0)
				}
				p.mu.Lock()
				if at := p.position.rows; at < seen || at > rows {
					t.Errorf("%s: at row %d of %d after %d", file, at, rows, seen)
				}
				seen = p.position.rows
				p.mu.Unlock()
			}
			read, unread := int64(0), int64(0)
			for i := range o.Stats.Columns {
				c := &o.Stats.Columns[i]
				read += c.DictionaryBytes
				for fate, n := range c.Bytes {
					if scanner.Fate(fate) != scanner.Unread {
						read += n
					} else {
						unread += n
					}
				}
			}
			if p.position.read != read || read == 0 {
				t.Errorf("%s: %d bytes were read, the counters say %d", file, p.position.read, read)
			}
			if o.Filter == nil && p.position.rows != rows {
				t.Errorf("%s: at row %d of %d in the end", file, p.position.rows, rows)
			}
			if n := len(p.position.chunks); n != 0 {
				t.Errorf("%s: %d chunks are not done with", file, n)
			}
			if ended(); p.completed != 1 || p.number != 1 {
				t.Errorf("%s: %d files completed, at file %d", file, p.completed, p.number)
			}
			if p.before.rows != rows || p.before.passed != read+unread || p.before.read != read {
				t.Errorf("%s: %d rows, %d bytes, %d read, want %d, %d, %d", file, p.before.rows, p.before.passed, p.before.read, rows, read+unread, read)
			}
		}
	}
}

// Lines that stay come once a second, drawn from a goroutine of its own, while scans report.
func TestProgressAsLines(t *testing.T) {
	out := lockedText{}
	now := time.Now()
	p := &Progress{to: &out, now: func() time.Time { return now.Add(5 * time.Second) }, started: now}
	p.Start(1)
	for deadline := time.Now().Add(10 * time.Second); out.text() == "" && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		p.Print(1, 2, 3)
	}
	p.draw()
	p.End()
	if got := strings.Split(out.text(), "\n"); len(got) != 3 || got[0] != "50 %  3 rows  0 rows/s  5 s  5 s left" || got[1] != got[0] {
		t.Errorf("%q", got)
	}
}

type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedText) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Reports of a file that is not the current one, which may have fewer row groups, are left out.
func TestPositionOfOneFile(t *testing.T) {
	p := position{name: "a", starts: []int64{0, 10}, chunks: map[chunkOf]int64{}}
	for _, other := range []struct {
		file     string
		rowGroup int
	}{{"b", 0}, {"b", 5}, {"a", 1}} {
		p.begins(scanner.Event{File: other.file, RowGroup: other.rowGroup, FirstRow: 7})
		p.page(scanner.PageReport{File: other.file, RowGroup: other.rowGroup, Bytes: 7, Fate: scanner.Decoded})
	}
	if p.rows != 0 || p.passed != 0 || p.read != 0 {
		t.Errorf("%d rows, %d and %d bytes of other files", p.rows, p.passed, p.read)
	}
	if p.begins(scanner.Event{File: "a", FirstRow: 7}); p.rows != 7 {
		t.Errorf("%d rows", p.rows)
	}
}
