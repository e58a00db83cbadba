package inspect

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

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
		show       func(context.Context, *input.File, *command.Options, *output.Report) error
		name       string
		whole      string   // a bound as it is where there is room
		kept       string   // and all of them as they are elsewhere
		selections []string // "": all columns
	}{
		{showMeta, "../../../testdata/writers/arrow_rs_alp.parquet", "-3.759867549497424e+295", `-?\d(\.\d*)?…e\+(295|279|31|38)(\s|$)`, []string{"", "d"}},
		{showIndex, "../../../testdata/writers/arrow_rs_alp.parquet", "-9.448331020102138e+250", `-?\d(\.\d*)?…e\+(295|279|231|250|31|38|35|26)(\s|$)`, []string{""}},
		{showPages, headers, "-9.448331020102138e+250", `-?\d(\.\d*)?…e\+(250|38)(\s|$)`, []string{""}},
	} {
		f, err := new(input.Opener).File(t.Context(), c.name, 0)
		if err != nil {
			t.Fatal(err)
		}
		kept, cuts, whole := regexp.MustCompile(c.kept), 0, 0
		for width := 20; width <= 160; width += 5 {
			for _, columns := range c.selections {
				o := &command.Options{Limit: -1, RowGroup: -1, Page: -1}
				if columns != "" {
					if err := o.Columns.Set(columns); err != nil {
						t.Fatal(err)
					}
				}
				var out strings.Builder
				r := output.NewReport(&out, output.FormatNamed(output.Formats(), output.FormatTable), table.Screen{Width: width})
				if err := c.show(t.Context(), f, o, r); err != nil {
					t.Fatal(err)
				}
				r.Flush()
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
		f.Close()
		if whole == 0 || cuts == 0 {
			t.Errorf("%s: %d bounds were cut, and %d not", c.name, cuts, whole)
		}
	}
}
