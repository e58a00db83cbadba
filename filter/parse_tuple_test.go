package filter

import (
	"runtime"
	"strings"
	"testing"
)

// TestLongTuple wants memory for a tuple of many items in proportion to them.
func TestLongTuple(t *testing.T) {
	const items = 10_000
	text := "(a" + strings.Repeat(", a", items) + ") = (1" + strings.Repeat(", 1", items) + ")"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Parse(text); err != nil {
		t.Fatal(err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > items*10_000 {
		t.Errorf("%d bytes", after.TotalAlloc-before.TotalAlloc)
	}
}
