package cli

import (
	"os"
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
				t.Errorf("%s: exit code %d, %d bytes, %s", example, code, len(stdout), stderr)
			}
		}
	}
}

// testdata/commands.txt shows each command at each width, with colours and without.
func TestCommandsAreShown(t *testing.T) {
	b, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range scan().commands().Rows {
		if c.Run == nil {
			continue // serve ends by a signal only
		}
		if n := strings.Count(string(b), "\n"+c.Name+" "); n < 4 {
			t.Errorf("%s is shown %d times, not in each form", c.Name, n)
		}
	}
}

// testdata/cat.txt shows each format, and README.md names those that rows alone have.
func TestFormatsAreShown(t *testing.T) {
	shown, err := os.ReadFile("testdata/cat.txt")
	readme, err2 := os.ReadFile("../../README.md")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, f := range output.Formats() {
		if !regexp.MustCompile(`(?m)^\w.* --(format )?` + f.Name + `\b`).Match(shown) {
			t.Errorf("testdata/cat.txt does not show %s", f.Name)
		}
		if !slices.Contains(output.FormatNames(output.FormatsOf(output.Formats(), false)), f.Name) && !strings.Contains(string(readme), "`"+f.Name+"`") {
			t.Errorf("README.md does not name %s", f.Name)
		}
	}
}
