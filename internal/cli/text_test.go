package cli

import (
	"bufio"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/table"
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
		if got := nearest(word, scan().commandNames()); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
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
		{pagesCommand("scan"), "parquet_go_encodings", "-2141360071", `-?\d(\.\d*)?…e9(\s|$)`, []selection{{{"plain"}}}},
	} {
		f, err := new(opener).input(t.Context(), "../../testdata/writers/"+c.name+".parquet", 0)
		if err != nil {
			t.Fatal(err)
		}
		kept, cuts, whole := regexp.MustCompile(c.kept), 0, 0
		for width := 20; width <= 160; width += 5 {
			for _, columns := range c.selections {
				var out strings.Builder
				r := &report{out: bufio.NewWriter(&out), format: "table", screen: table.Screen{Width: width}}
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
