package cli

import (
	"bufio"
	"reflect"
	"regexp"
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

// Bounds that are cut say how large they are, on terminals of any width.
func TestBoundsKeepExponents(t *testing.T) {
	cut := regexp.MustCompile(`\d\.?…`)
	for _, c := range []struct {
		cmd        *command
		name       string
		whole      string // a bound as it is where there is room
		kept       string // and all of them as they are elsewhere
		selections []selection
	}{
		{metaCommand(), "arrow_rs_alp", "-3.759867549497424e+295", `-?\d(\.\d*)?…e\+(295|279|31|38)(\s|$)`, []selection{nil, {{"d"}}}},
		{indexCommand(), "arrow_rs_alp", "-9.448331020102138e+250", `-?\d(\.\d*)?…e\+(295|279|231|250|31|38|35|26)(\s|$)`, []selection{nil}},
		{pagesCommand(), "parquet_go_encodings", "-2141360071", `-?\d(\.\d*)?…e9(\s|$)`, []selection{{{"plain"}}}},
	} {
		f, err := openInput(t.Context(), "../../testdata/writers/"+c.name+".parquet", 0)
		if err != nil {
			t.Fatal(err)
		}
		kept, cuts, whole := regexp.MustCompile(c.kept), 0, 0
		for width := 20; width <= 160; width += 5 {
			for _, columns := range c.selections {
				var out strings.Builder
				r := &report{out: bufio.NewWriter(&out), format: "table", width: width}
				if err := c.cmd.file(t.Context(), f, &options{limit: -1, rowGroup: -1, page: -1, columns: columns}, r); err != nil {
					t.Fatal(err)
				}
				r.out.Flush()
				for line := range strings.Lines(out.String()) {
					found, good := len(cut.FindAllString(line, -1)), len(kept.FindAllString(line, -1))
					if found != good && !strings.Contains(line, "created by") {
						t.Errorf("%s, width %d: %q", c.cmd.name, width, line)
					}
					cuts += good
					whole += strings.Count(line, c.whole)
				}
			}
		}
		f.close()
		if whole == 0 || cuts == 0 {
			t.Errorf("%s: %d bounds were cut, and %d not", c.cmd.name, cuts, whole)
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
