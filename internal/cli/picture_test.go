package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The file that --picture names gets the picture, in the form that its name says.
func TestPictureFiles(t *testing.T) {
	dir := t.TempDir()
	for name, start := range map[string]string{"a.html": "<!DOCTYPE html>", "a.SVG": "<svg "} {
		path := filepath.Join(dir, name)
		_, stderr, code := runScan(t, t.Context(), "explain", "--picture", path, "-w", "quantity > 49", "../../testdata/lineitems.parquet")
		b, err := os.ReadFile(path)
		if code != 0 || err != nil || !strings.HasPrefix(string(b), start) {
			t.Errorf("%s: %s, %v, %.40q", name, stderr, err, b)
		}
	}
	if stdout, _, _ := runScan(t, t.Context(), "explain", "--format", "table", "--picture", filepath.Join(dir, "b.html"), "../../testdata/lineitems.parquet"); !strings.HasSuffix(stdout, "\nPicture  "+filepath.Join(dir, "b.html")+", for a browser\n") {
		t.Errorf("does not say where the picture is:\n%s", stdout)
	}
	for args, want := range map[string]string{
		"--picture a.png a.parquet":           "scan: explain: --picture a.png: pictures are .html or .svg\nTry: scan help explain\n",
		"--picture a.svg a.parquet b.parquet": "scan: explain: --picture draws one file\nTry: scan help explain\n",
	} {
		if _, stderr, code := runScan(t, t.Context(), append([]string{"explain"}, strings.Fields(args)...)...); code != exitUsage || stderr != want {
			t.Errorf("%s: exit %d, %s", args, code, stderr)
		}
	}
	if _, stderr, code := runScan(t, t.Context(), "explain", "--picture", filepath.Join(dir, "no", "a.html"), "../../testdata/lineitems.parquet"); code == 0 || !strings.Contains(stderr, "a.html") {
		t.Errorf("a folder that is not there: %d, %s", code, stderr)
	}
}

// README.md shows the picture that this version draws.
func TestPictureOfREADME(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.svg")
	t.Chdir("../..")
	_, stderr, code := runScan(t, t.Context(), "explain", "--picture", path, "-c", "order_key,comment", "-w", "ship_date >= '1996-05-01' AND extended_price > 40000", "testdata/lineitems.parquet")
	if code != 0 {
		t.Fatal(stderr)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if f := flag.Lookup("rewrite"); f.Value.String() == "true" {
		if err := os.WriteFile("docs/pages.svg", got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("docs/pages.svg")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/pages.svg is not what is drawn now (go test ./internal/cli -rewrite draws it): %v", err)
	}
}
