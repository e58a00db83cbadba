package cli

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/gen"
)

// pathsOf returns the selection of paths.
func pathsOf(paths ...[]string) (s selection) {
	for _, p := range paths {
		s = append(s, selector{path: p})
	}
	return s
}

func TestSelection(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want selection
	}{
		{"a", pathsOf([]string{"a"})},
		{"a,b.c", pathsOf([]string{"a"}, []string{"b", "c"})},
		{`"odd, name".x,"say ""hi""."`, pathsOf([]string{"odd, name", "x"}, []string{`say "hi".`})},
		{`""`, pathsOf([]string{""})},
		{`a b`, pathsOf([]string{"a b"})},
		{`"-a","b*",a-b,-`, pathsOf([]string{"-a"}, []string{"b*"}, []string{"a-b"}, []string{"-"})},
		{`-a,c*,-x.y*`, selection{{path: []string{"a"}, without: true}, {path: []string{"c*"}, pattern: true}, {[]string{"x", "y*"}, true, true}}},
	} {
		var got selection
		if err := got.Set(tc.in); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %v, %v", tc.in, got, err)
		}
		for _, c := range tc.want {
			if first := c.path[0]; c.pattern || c.without || strings.HasPrefix(first, "-") || strings.Contains(first, "*") {
				continue // these need quotes in a selection
			}
			var again selection
			if err := again.Set(schema.FormatPath(c.path)); err != nil || !reflect.DeepEqual(again, selection{c}) {
				t.Errorf("%q written as %s reads as %v, %v", c.path, schema.FormatPath(c.path), again, err)
			}
		}
	}
	for _, bad := range []string{"", ",", "a,", "a..b", ".a", `"a`, `"a"b`, `a,"`} {
		if err := new(selection).Set(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// A name with a dot that was written without quotes is shown with them, rather than as what may
// have been meant. Empty and blank texts are seen where a value is the answer.
func TestQuotesWhereNeeded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "quotes.parquet")
	b, err := (&gen.File{
		Schema:    []*gen.Node{gen.Required("a.b", gen.ByteArray).As(gen.StringType()), gen.Required("a_b", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a.b": "", "a_b": 1}, gen.Record{"a.b": " x", "a_b": 2}}}},
	}).Write()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"cat", "-c", "a.b", name}, `no column a.b; there is "a.b", in double quotes`},
		{[]string{"head", "--order-by", "a.b", name}, `no column a.b; there is "a.b", in double quotes`},
		{[]string{"min", "--format", "table", `"a.b"`, name}, ` ""` + "\n"},
		{[]string{"max", "--format", "table", `"a.b"`, name}, ` " x"` + "\n"},
		{[]string{"describe", "--format", "table", name}, ` " x" 50.0 %`},
	} {
		stdout, stderr, _ := runScan(t, t.Context(), tc.args...)
		if !strings.Contains(stdout+stderr, tc.want) {
			t.Errorf("%v: %q is not in\n%s%s", tc.args, tc.want, stdout, stderr)
		}
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{
		"shcema": "schema", "metadata": "", "mta": "meta", "pgaes": "pages", "page": "pages",
		"comp": "completion", "xyz": "", "bllom": "bloom", "hlep": "help", "META": "meta", "Pgaes": "pages",
	} {
		if got := nearest(word, scan().commands().names()); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// Bounds that are cut say how large they are, on terminals of any width.
func TestBoundsKeepExponents(t *testing.T) {
	cut := regexp.MustCompile(`\d\.?…`)
	headers := filepath.Join(t.TempDir(), "headers.parquet") // with bounds in headers of pages
	w, err := (&gen.File{
		Schema:    []*gen.Node{gen.Required("d", gen.Double)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"d": -9.448331020102138e+250}, gen.Record{"d": 3.759867549497424e+38}}}},
		All:       gen.Column{Index: gen.NoIndex, Shape: gen.Shape{PageStats: gen.MinMax | gen.NullCount}},
	}).Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(headers, w.Bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		show       func(context.Context, *input, *options, *Report) error
		name       string
		whole      string   // a bound as it is where there is room
		kept       string   // and all of them as they are elsewhere
		selections []string // "": all columns
	}{
		{showMeta, "../../testdata/writers/arrow_rs_alp.parquet", "-3.759867549497424e+295", `-?\d(\.\d*)?…e\+(295|279|31|38)(\s|$)`, []string{"", "d"}},
		{showIndex, "../../testdata/writers/arrow_rs_alp.parquet", "-9.448331020102138e+250", `-?\d(\.\d*)?…e\+(295|279|231|250|31|38|35|26)(\s|$)`, []string{""}},
		{showPages, headers, "-9.448331020102138e+250", `-?\d(\.\d*)?…e\+(250|38)(\s|$)`, []string{""}},
	} {
		f, err := new(opener).input(t.Context(), c.name, 0)
		if err != nil {
			t.Fatal(err)
		}
		kept, cuts, whole := regexp.MustCompile(c.kept), 0, 0
		for width := 20; width <= 160; width += 5 {
			for _, columns := range c.selections {
				o := &options{limit: -1, rowGroup: -1, page: -1}
				if columns != "" {
					if err := o.columns.Set(columns); err != nil {
						t.Fatal(err)
					}
				}
				var out strings.Builder
				r := newReport(&out, formatNamed(formats(), formatTable), table.Screen{Width: width})
				if err := c.show(t.Context(), f, o, r); err != nil {
					t.Fatal(err)
				}
				r.flush()
				for line := range strings.Lines(out.String()) {
					found, good := len(cut.FindAllString(line, -1)), len(kept.FindAllString(line, -1))
					if found != good && !strings.Contains(line, "created by") {
						t.Errorf("%s, width %d: %q", c.name, width, line)
					}
					cuts += good
					whole += strings.Count(line, c.whole)
				}
			}
		}
		f.close()
		if whole == 0 || cuts == 0 {
			t.Errorf("%s: %d bounds were cut, and %d not", c.name, cuts, whole)
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
