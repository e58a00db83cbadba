package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Help of every command fits a terminal as it opens, and its examples run.
func TestHelpFitsAndItsExamplesRun(t *testing.T) {
	helps := [][]string{{"help"}}
	for _, name := range scan().commands().names() {
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
	for _, c := range scan().commands().rows {
		if c.print != nil {
			continue
		}
		if len(c.Examples) == 0 {
			t.Errorf("%s has no example", c.Name)
		}
		for _, example := range c.Examples {
			if !strings.Contains(example, c.Name) {
				t.Errorf("%s: %s is an example of something else", c.Name, example)
			}
			if c.run == nil {
				continue // serve does not end by itself, and has tests of its own
			}
			stdout, stderr, code := runScan(t, t.Context(), shellWords(example)...)
			if code != 0 || stderr != "" || stdout == "" && !strings.Contains(example, "-o ") {
				t.Errorf("%s: exit code %d, %d bytes, %s", example, code, len(stdout), stderr)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("word ", 20)
	for in, want := range map[string]string{
		"one\ntwo":                "one two\n",
		"one\n\ntwo":              "one\n\ntwo\n",
		long:                      strings.TrimSuffix(strings.Repeat("word ", 16), " ") + "\nword word word word\n",
		"a:\n  b  c\n  d":         "a:\n  b  c\n  d\n",
		"a:\n  b   " + long:       "a:\n  b   " + strings.TrimSuffix(strings.Repeat("word ", 15), " ") + "\n      word word word word word\n",
		"a:\n  b  c\n     d e\nf": "a:\n  b  c d e\nf\n",
	} {
		if got := wrap(in); got != want {
			t.Errorf("%q:\n%q, not\n%q", in, got, want)
		}
	}
}

// testdata/commands.txt shows each command at each width, with colours and without.
func TestCommandsAreShown(t *testing.T) {
	b, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range scan().commands().rows {
		if c.run == nil {
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
	for _, f := range formats() {
		if !regexp.MustCompile(`(?m)^\w.* --(format )?` + f.Name + `\b`).Match(shown) {
			t.Errorf("testdata/cat.txt does not show %s", f.Name)
		}
		if !f.records && !strings.Contains(string(readme), "`"+f.Name+"`") {
			t.Errorf("README.md does not name %s", f.Name)
		}
	}
}
