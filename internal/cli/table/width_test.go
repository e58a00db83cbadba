package table

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestWidth has widths that wcwidth 0.9.4 of Python gives.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "naïve": 5, "e\u0301": 1, "日本語": 6, "한글": 4, "\u1112\u1161\u11ab": 2, "ｱ": 1, "Ａ": 2,
		"👩\u200d🚀": 2, "👨\u200d👩\u200d👧\u200d👦": 2, "👍🏽": 2, "👩🏽\u200d🚀": 2, "🤷\u200d♂\ufe0f": 2, "🏳\ufe0f\u200d🌈": 2,
		"❤": 1, "❤\ufe0f": 2, "☀\ufe0f": 2, "1\ufe0f\u20e3": 2, "🇫🇷": 2, "🇫🇷🇩🇪": 4, "⌚": 2, "→": 1, "—": 1, "…": 1,
	} {
		if got := Width(text); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
}

func TestJoinersShowWhereTheyJoin(t *testing.T) {
	for in, want := range map[string]string{
		"👩\u200d🚀":             "👩\u200d🚀",
		"🏳\ufe0f\u200d🌈":       "🏳\ufe0f\u200d🌈",
		"نمی\u200cخواهم":       "نمی\u200cخواهم",
		"क्\u200dष":            "क्\u200dष",
		"ad\u200dmin":          `ad\u{200d}min`,
		"\u200dx":              `\u{200d}x`,
		"👩\u200d":              `👩\u{200d}`,
		"👩\u200dx":             `👩\u{200d}x`,
		"a\u200cb\u202e\u200b": `a\u{200c}b\u{202e}\u{200b}`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

func TestCutsNeverPartWhatIsDrawnAsOne(t *testing.T) {
	drawn := []string{"a", "é", "日", "👩\u200d🚀", "🇫🇷", "e\u0301", "❤\ufe0f", " "}
	whole := func(part string) bool {
		for part != "" {
			found := false
			for _, d := range drawn {
				if rest, ok := strings.CutPrefix(part, d); ok && !strings.HasPrefix(rest, "\u0301") && !strings.HasPrefix(rest, "\u200d") {
					part, found = rest, true
					break
				}
			}
			if !found {
				return false
			}
		}
		return true
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range dtest.Rounds(t, 3000) {
		text := ""
		for range rng.IntN(12) {
			text += drawn[rng.IntN(len(drawn))]
		}
		width := 1 + rng.IntN(14)
		for name, cut := range map[string]string{"end": Cut(text, width), "front": CutFront(text, width), "middle": CutMiddle(text, width)} {
			if Width(text) <= width {
				if cut != text {
					t.Fatalf("%s of %q in %d: %q", name, text, width, cut)
				}
				continue
			}
			front, back, ok := strings.Cut(cut, "…")
			if !ok || Width(cut) > width || Width(cut) < width-2 || !whole(front) || !whole(back) || !strings.HasPrefix(text, front) || !strings.HasSuffix(text, back) {
				t.Fatalf("%s of %q in %d: %q", name, text, width, cut)
			}
		}
	}
	if got := CutMiddle("https://example.com/orders/4711", 16); got != "https://…rs/4711" {
		t.Error(got)
	}
}
