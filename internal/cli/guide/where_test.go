package guide

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/command"
)

// TestHelpWhere: the page of WHERE fits a terminal, its examples and constants are read, and what
// it says that there is not is named in an error.
func TestHelpWhere(t *testing.T) {
	stdout, err := Explain(&command.Table{}, []string{"where"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stdout, whereGrammar) {
		t.Fatal(stdout)
	}
	for line := range strings.Lines(stdout) {
		if utf8.RuneCountInString(line) > 80+1 {
			t.Errorf("longer than 80 characters: %s", line)
		}
	}
	lines := strings.Split(stdout[strings.Index(stdout, "\nExamples\n")+len("\nExamples\n"):], "\n")
	if len(lines) != len(whereExamples)+1 {
		t.Errorf("%d lines of examples", len(lines)-1)
	}
	constants := stdout[strings.Index(stdout, "Constants\n")+len("Constants\n") : strings.Index(stdout, "\nMeaning\n")]
	apart := regexp.MustCompile(`\n|  +|, `)
	conditions, read := append([]string(nil), whereExamples...), 0
	for _, c := range apart.Split(constants, -1) {
		if i := strings.Index(c, "' with"); i >= 0 {
			c = c[:i+1]
		}
		switch {
		case c == "" || strings.Contains("without it in UTC or local as the column is in UTC the same for the whole scan exactly that double", c):
		default:
			conditions = append(conditions, "x = "+c)
		}
	}
	for _, c := range conditions {
		if _, err := filter.Parse(c); err != nil {
			t.Errorf("%s: %v", c, err)
		}
		read++
	}
	if read < 18 {
		t.Errorf("%d examples only: %q", read, conditions)
	}
	for _, c := range []string{"a = 1 GROUP BY a", "a = 1 ORDER BY a", "a IN (SELECT b)"} {
		if _, err := filter.Parse(c); err == nil || !strings.Contains(err.Error(), "not supported") && !strings.Contains(err.Error(), "without SELECT") {
			t.Errorf("%s: %v", c, err)
		}
	}
}
