package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

func TestTwoLines(t *testing.T) {
	for title, want := range map[string][2]string{
		"extended_price": {"extended_", "price"}, "line_number": {"line_", "number"}, "lineItemCount": {"lineItem", "Count"},
		"comment": {"", "comment"}, "a b": {"a", "b"}, "é": {"", "é"}, "": {"", ""}, "_": {"", "_"},
	} {
		if top, bottom := twoLines(title); top != want[0] || bottom != want[1] {
			t.Errorf("%s: %q above %q", title, top, bottom)
		}
	}
}

// Whatever the columns are, those shown fit and are at least as wide as is useful,
// one more would not fit, and no room is left that a cut text could use.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range dtest.Rounds(t, 5000) {
		columns := make([]*rowColumn, 1+rng.IntN(12))
		described := ""
		for i := range columns {
			title := strings.Repeat("t", 1+rng.IntN(12)) + strings.Repeat("_u", rng.IntN(4))
			columns[i] = &rowColumn{title: title, content: rng.IntN(60), whole: rng.IntN(2) == 0}
			described += fmt.Sprintf("%+v ", *columns[i])
		}
		screen := 20 + rng.IntN(180)
		shown := fit(columns, screen)
		line, useful, cut := -gap, -gap, false
		for i, c := range columns {
			useful += c.useful() + gap
			if i >= shown {
				if c.width != 0 {
					t.Fatalf("%s in %d: column %d has room", described, screen, i)
				}
				continue
			}
			line += c.width + gap
			cut = cut || c.width < c.content
			if c.width < c.useful() && shown > 1 || c.width > c.full() && shown > 1 || c.whole && c.width < c.content {
				t.Fatalf("%s in %d: column %d is %d wide", described, screen, i, c.width)
			}
		}
		if shown < 1 || shown > 1 && line > screen || cut && line < screen {
			t.Fatalf("%s in %d: %d columns take %d", described, screen, shown, line)
		}
		if useful <= screen && shown < len(columns) {
			t.Fatalf("%s in %d: only %d columns, and all fit in %d", described, screen, shown, useful)
		}
	}
}

func TestFirst(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "abc": "abc", "abcd": "abc…", "äöü": "äöü", "äöüß": "äöü…", "👩a👩b": "👩a👩…", "\xffab": "\xffab", "ab\xff\xff": "ab\xff…",
	} {
		if got := First(text, 3); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
