package main

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/schema"
)

func TestSelection(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want selection
	}{
		{"a", selection{{"a"}}},
		{"a,b.c", selection{{"a"}, {"b", "c"}}},
		{`"odd, name".x,"say ""hi""."`, selection{{"odd, name", "x"}, {`say "hi".`}}},
		{`""`, selection{{""}}},
		{`a b`, selection{{"a b"}}},
	} {
		var got selection
		if err := got.Set(tc.in); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %q, %v", tc.in, got, err)
		}
		for _, path := range tc.want {
			var again selection
			if err := again.Set(schema.FormatPath(path)); err != nil || !reflect.DeepEqual(again, selection{path}) {
				t.Errorf("%q written as %s reads as %q, %v", path, schema.FormatPath(path), again, err)
			}
		}
	}
	for _, bad := range []string{"", ",", "a,", "a..b", ".a", `"a`, `"a"b`, `a,"`} {
		if err := new(selection).Set(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{
		"shcema": "schema", "metadata": "", "mta": "meta", "pgaes": "pages", "page": "pages",
		"comp": "completion", "xyz": "", "bllom": "bloom", "hlep": "help", "META": "meta", "Pgaes": "pages",
	} {
		if got := nearest(word, commandNames()); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestTableCutsOnlyWhatMayBeCut(t *testing.T) {
	tab := &table{columns: []tableColumn{{title: "name", least: 4}, {title: "n", right: true}, {title: "none"}, {title: "text", least: 6}}}
	tab.add("alpha", "1", "", "a rather long text")
	tab.add("日本語テキスト", "1000", "", "x\x1b[2J\n")
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
		tab.render(&b, width, false)
		if b.String() != want {
			t.Errorf("width %d:\n%s", width, b.String())
		}
		for line := range strings.Lines(b.String()) {
			if n := textWidth(strings.TrimSuffix(line, "\n")); width > 1 && n > width {
				t.Errorf("width %d: a line of %d", width, n)
			}
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "tab\there": `tab\there`, "\x1b[31m": `\x1b[31m`, "\xff": `\xff`, "naïve 日本": "naïve 日本",
		"\u202eevil": `\u{202e}evil`, "\uFFFD": "\uFFFD", "\x7f": `\x7f`,
	} {
		if got := printable(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestShortNameKeepsTheFilesOwn(t *testing.T) {
	own := strings.Repeat("n", 255)
	if got := shortName(strings.Repeat("long/", 300) + own); !strings.HasSuffix(got, "/"+own) {
		t.Error(got)
	}
}

func TestErrorLineIsOneShortLine(t *testing.T) {
	var b strings.Builder
	printError(&b, shortName(strings.Repeat("long/", 300)+"f.parquet")+": footer, byte 3: "+strings.Repeat("ä\n", 900))
	line := strings.TrimSuffix(b.String(), "\n")
	if n := utf8.RuneCountInString(line); n >= 600 || strings.Contains(line, "\n") || !strings.Contains(line, "/f.parquet: footer, byte 3: ä") {
		t.Errorf("%d characters: %s", n, line)
	}
}
