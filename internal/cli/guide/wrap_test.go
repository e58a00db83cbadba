package guide

import (
	"strings"
	"testing"
)

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
