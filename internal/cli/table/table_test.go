package table

import (
	"strings"
	"testing"
)

func TestTableCutsOnlyWhatMayBeCut(t *testing.T) {
	tab := &Table{Columns: []Column{{Title: "name", MinWidth: 4}, {Title: "n", Right: true}, {Title: "none"}, {Title: "text", MinWidth: 6}}}
	tab.Add("alpha", "1", "", "a rather long text")
	tab.Add("日本語テキスト", "1000", "", "x\x1b[2J\n")
	for width, want := range map[int]string{
		0: `
name               n  text
alpha              1  a rather long text
日本語テキスト  1000  x\x1b[2J\n
`,
		30: `
name            n  text
alpha           1  a rather l…
日本語テキ…  1000  x\x1b[2J\n
`,
		1: `
name     n  text
alp…     1  a r…
日…   1000  x\x…
`,
	} {
		var b strings.Builder
		b.WriteByte('\n')
		tab.Render(&b, Screen{Width: width})
		if b.String() != want {
			t.Errorf("width %d:\n%s", width, b.String())
		}
		for line := range strings.Lines(b.String()) {
			if n := Width(strings.TrimSuffix(line, "\n")); width > 1 && n > width {
				t.Errorf("width %d: a line of %d", width, n)
			}
		}
	}
}

func TestTableWrapsTexts(t *testing.T) {
	tab := &Table{Columns: []Column{{Title: "n", Right: true}, {Title: "because", MinWidth: 10, Wrap: true}}}
	tab.Heading("a heading is never cut")
	tab.Add("1", "one two three four")
	tab.Add("20", "日本語テキスト")
	for width, want := range map[int]string{
		0: `
 n  because
a heading is never cut
 1  one two three four
20  日本語テキスト
`,
		15: `
 n  because
a heading is never cut
 1  one two
    three four
20  日本語テキ
    スト
`,
	} {
		var b strings.Builder
		b.WriteByte('\n')
		tab.Render(&b, Screen{Width: width})
		if b.String() != want {
			t.Errorf("width %d:\n%s", width, b.String())
		}
		if fits := tab.Fits(Screen{Width: width}); !fits {
			t.Errorf("width %d: does not fit", width)
		}
	}
	if tab.Fits(Screen{Width: 13}) {
		t.Error("columns of 2 and 10 fit into 13")
	}
}

func TestCutNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"3.14159", 7, "3.14159"}, {"3.14159", 5, "3.14…"}, {"3.14159", 3, "3.…"}, {"3.14159", 2, "…"},
		{"-1.7976931348623157e+308", 12, "-1.797…e+308"}, {"-1.7976931348623157e+308", 8, "-1…e+308"}, {"-1.7976931348623157e+308", 7, "…"},
		{"5e-324", 4, "…"}, {"1234567890", 8, "1.234…e9"}, {"1234567890", 4, "1…e9"}, {"1234567890", 3, "…"}, {"12345.678", 7, "12345.…"}, {"12345.678", 6, "1.2…e4"},
		{"(-1.25e+300~)", 10, "…"}, {"(-1.25e+300~)", 12, "(-1.…e+300~)"}, {"(1234567~)", 8, "(1.…e6~)"},
		{"0.000123", 6, "…"}, {"0.000123", 7, "0.0001…"}, {"-Infinity", 5, "-Inf…"}, {"NaN", 2, "N…"}, {"not a value: 0x00", 8, "not a v…"},
	} {
		if got := cutNumber(c.text, c.width); got != c.want {
			t.Errorf("%s in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestCutItems(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"█▇▆▅  1 28.5 %, 2 20 %", 22, "█▇▆▅  1 28.5 %, 2 20 %"}, {"█▇▆▅  1 28.5 %, 2 20 %", 21, "█▇▆▅  1 28.5 % …"}, {"█▇▆▅  1 28.5 %, 2 20 %", 16, "█▇▆▅  1 28.5 % …"},
		{"█▇▆▅  1 28.5 %, 2 20 %", 15, "█▇▆▅ …"}, {"█▇▆▅  1 28.5 %, 2 20 %", 6, "█▇▆▅ …"}, {"█▇▆▅  1 28.5 %, 2 20 %", 5, "█▇▆▅…"},
		{"no parts at all", 6, "no pa…"}, {"日本 50 %, 中国 50 %", 11, "日本 50 % …"}, {", a", 2, ",…"},
	} {
		if got := cutItems(c.text, c.width); got != c.want {
			t.Errorf("%s in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "tab\there": `tab\there`, "\x1b[31m": `\x1b[31m`, "\xff": `\xff`, "naïve 日本": "naïve 日本",
		"\u202eevil": `\u{202e}evil`, "\uFFFD": "\uFFFD", "\x7f": `\x7f`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	tab := &Table{Columns: []Column{{Title: "a"}, {Title: "b", Right: true}}}
	tab.Add(Red.Cell("x"), "12")
	for colours, want := range map[bool]string{
		true:  "\x1b[1ma\x1b[0m   \x1b[1mb\x1b[0m\n\x1b[31mx\x1b[0m  12\n",
		false: "a   b\nx  12\n",
	} {
		var b strings.Builder
		if tab.Render(&b, Screen{Colours: colours}); b.String() != want {
			t.Errorf("colours %v: %q", colours, b.String())
		}
	}
}
