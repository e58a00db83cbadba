package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/internal/cli/output"
)

// Help of every command fits a terminal as it opens, and its examples run.
func TestHelpFitsAndItsExamplesRun(t *testing.T) {
	helps := [][]string{{"help"}}
	for _, name := range scan().commands().Names() {
		helps = append(helps, []string{"help", name})
	}
	for _, args := range helps {
		stdout, stderr, code := runScan(t, t.Context(), args...)
		if code != 0 || stderr != "" || stdout == "" {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
		for line := range strings.Lines(stdout) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 || strings.HasSuffix(line, " \n") {
				t.Errorf("%v: %d characters: %q", args, n, line)
			}
		}
	}
	t.Chdir("../../testdata")
	for _, c := range scan().commands().Rows {
		if c.Print != nil {
			continue
		}
		if len(c.Examples) == 0 {
			t.Errorf("%s has no example", c.Name)
		}
		for _, example := range c.Examples {
			if !strings.Contains(example, c.Name) {
				t.Errorf("%s: %s is an example of something else", c.Name, example)
			}
			if c.Run == nil {
				continue // serve does not end by itself, and has tests of its own
			}
			stdout, stderr, code := runScan(t, t.Context(), shellWords(example)...)
			if code != 0 || stderr != "" || stdout == "" && !strings.Contains(example, "-o ") {
				t.Errorf("%s: exit code %d, where 0 is wanted, %d bytes, of which there are to be some, %s", example, code, len(stdout), stderr)
			}
		}
	}
}

// testdata/commands.txt shows each command at each width, with colours and without. Another script has its records,
// and a test in Go runs it, which holds it against another way.
func TestCommandsAreShown(t *testing.T) {
	b, err := os.ReadFile("testdata/commands.txt")
	scripts, err2 := filepath.Glob("testdata/*.txt")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	all := ""
	for _, name := range scripts {
		script, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(script)
	}
	tests, err := filepath.Glob("*_test.go")
	deeper, err2 := filepath.Glob("*/*_test.go")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	code := ""
	for _, name := range append(tests, deeper...) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code += string(source)
	}
	for _, c := range scan().commands().Rows {
		if !regexp.MustCompile(`"` + c.Name + `[" ]`).MatchString(code) {
			t.Errorf("no test in Go runs %s", c.Name)
		}
		if c.Run == nil {
			continue // serve ends by a signal only
		}
		if n := strings.Count(string(b), "\n"+c.Name+" "); n < 4 {
			t.Errorf("%s is shown %d times, not in each form", c.Name, n)
		} else if strings.Count(all, "\n"+c.Name+" ") == n {
			t.Errorf("only testdata/commands.txt has %s: no script has its records", c.Name)
		}
	}
}

// testdata/cat.txt shows each format, a test reads what it wrote, and README.md names those that rows alone have.
func TestFormatsAreShown(t *testing.T) {
	shown, err := os.ReadFile("testdata/cat.txt")
	readme, err2 := os.ReadFile("../../README.md")
	readers, err3 := os.ReadFile("output/rows_test.go")
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	for _, f := range output.Formats() {
		if f.Name != output.FormatTable && !strings.Contains(string(readers), `"`+f.Name+`"`) {
			t.Errorf("output/rows_test.go reads no %s", f.Name)
		}
		if !regexp.MustCompile(`(?m)^\w.* --(format )?` + f.Name + `(\s|$)`).Match(shown) {
			t.Errorf("testdata/cat.txt does not show %s", f.Name)
		}
		if !slices.Contains(output.FormatNames(output.FormatsOf(output.Formats(), false)), f.Name) && !strings.Contains(string(readme), "`"+f.Name+"`") {
			t.Errorf("README.md does not name %s", f.Name)
		}
	}
}
