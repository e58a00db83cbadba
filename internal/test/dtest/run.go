package dtest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// The flag belongs to the test binary, so it is registered once, here.
var rewrite = flag.Bool("rewrite", false, "dtest: write the outputs of the scripts anew")

// Run runs each case of the script at path through f, which returns the
// output. A final newline is added to outputs that lack it.
func Run(t *testing.T, path string, f func(t *testing.T, c *Case) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	anew := runScript(t, path, string(text), f, func(c *Case, got string) {
		if !*rewrite && got != c.Output {
			t.Errorf("%s: %s\ninput:\n%soutput:\n%swant (or, if the output is meant, run the test with -rewrite):\n%s", c.Place, c.line, c.Input, got, c.Output)
		}
	})
	if *rewrite && !t.Failed() && anew != string(text) {
		if err := os.WriteFile(path, []byte(anew), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// RunAll runs each script that matches the pattern as a subtest named after
// its file. No match is a failure: a test that ran nothing must not look green.
func RunAll(t *testing.T, pattern string, f func(t *testing.T, c *Case) string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no script matches %s (%v)", pattern, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { Run(t, path, f) })
	}
}

// runScript hands each case with its actual output to see, and returns the
// script with the outputs replaced.
func runScript(t testing.TB, name, text string, f func(*testing.T, *Case) string, see func(*Case, string)) string {
	t.Helper()
	parts, err := parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	anew := ""
	for _, p := range parts {
		if p.c == nil {
			anew += p.verbatim
			continue
		}
		tt, _ := t.(*testing.T)
		got := withNewline(f(tt, p.c))
		see(p.c, got)
		anew += p.verbatim + render(got)
	}
	return anew
}
