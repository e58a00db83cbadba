package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

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
		{[]string{"min", "v.a", "../../testdata/shapes/logical_types_variant.parquet"}, "no column v.a: v has values, paths into which are for conditions, and"},
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
		if got := fault.Nearest(word, scan().commands().Names()); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestShortNameKeepsTheFilesOwn(t *testing.T) {
	own := strings.Repeat("n", 255)
	if got := fault.ShortName(strings.Repeat("long/", 300) + own); !strings.HasSuffix(got, "/"+own) {
		t.Error(got)
	}
}

func TestErrorLineIsOneShortLine(t *testing.T) {
	var b strings.Builder
	fault.Print(&b, fault.ShortName(strings.Repeat("long/", 300)+"f.parquet")+": footer, byte 3: "+strings.Repeat("ä\n", 900))
	line := strings.TrimSuffix(b.String(), "\n")
	if n := utf8.RuneCountInString(line); n >= 600 || strings.Contains(line, "\n") || !strings.Contains(line, "/f.parquet: footer, byte 3: ä") {
		t.Errorf("%d characters: %s", n, line)
	}
}
