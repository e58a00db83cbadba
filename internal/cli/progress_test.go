package cli

import (
	"strings"
	"testing"
	"time"
)

func TestProgressComesLateAndGoes(t *testing.T) {
	var out strings.Builder
	now := time.Unix(100, 0)
	p := &progress{to: &out, width: 60, now: func() time.Time { return now }, started: now}
	step := func(after time.Duration, want string) {
		t.Helper()
		now = now.Add(after)
		out.Reset()
		p.show("a\n.parquet", 500, 2000, 500)
		if out.String() != want {
			t.Errorf("%q, not %q", out.String(), want)
		}
	}
	step(900*time.Millisecond, "")
	p.clear()
	if out.String() != "" {
		t.Errorf("cleared what was not there: %q", out.String())
	}
	step(1100*time.Millisecond, "\ra\\n.parquet  25 %  500 rows  250 rows/s  2 s\x1b[K")
	step(50*time.Millisecond, "")
	p.width = 21
	step(50*time.Millisecond, "\r…ws  238 rows/s  2 s\x1b[K")
	out.Reset()
	p.clear()
	p.clear()
	if out.String() != "\r\x1b[K" {
		t.Errorf("cleared by %q", out.String())
	}

	p = nil // nobody looks
	p.show("a", 1, 2, 3)
	p.clear()
}
