package fetch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.parquet", "b.parquet", "c.txt", "[x].parquet", "sub/d.parquet", "sub/deep/e.parquet"} {
		path := filepath.Join(dir, filepath.FromSlash(f))
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"a.parquet":            "a.parquet",
		"none.parquet":         "none.parquet", // opening it says what is wrong
		"*.parquet":            "[x].parquet a.parquet b.parquet",
		"[x].parquet":          "[x].parquet", // a file of that name comes before the pattern
		"[ab].parquet":         "a.parquet b.parquet",
		"**/*.parquet":         "[x].parquet a.parquet b.parquet sub/d.parquet sub/deep/e.parquet",
		"sub/**/e.parquet":     "sub/deep/e.parquet",
		"s*/**":                "sub/d.parquet sub/deep/e.parquet",
		"sub/**/deep/**/e.*":   "sub/deep/e.parquet",
		"sub":                  "error: is a folder",
		"*.csv":                "error: no file matches",
		"x[":                   "error: not a pattern",
		"**/none/*.parquet":    "error: no file matches",
		"nowhere/**/*.parquet": "error: no file matches",
	} {
		found, err := Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		var got []string
		for _, f := range found {
			rel, _ := filepath.Rel(dir, f)
			got = append(got, filepath.ToSlash(rel))
		}
		if text, wanted := strings.CutPrefix(want, "error: "); wanted {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, %v, want error %q", pattern, got, err, text)
			}
			if none := text == "no file matches"; errors.Is(err, fs.ErrNotExist) != none {
				t.Errorf("%s: %v matches fs.ErrNotExist: %v", pattern, err, !none)
			}
		} else if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v", pattern, got, err)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		pattern, name string
		want          bool
	}{
		{"a/*.parquet", "a/b.parquet", true},
		{"a/*.parquet", "a/b/c.parquet", false},
		{"a/**/*.parquet", "a/c.parquet", true},
		{"a/**", "a/b/c", true},
		{"a/**", "b/c", false},
		{"**/year=20?[0-4]/*", "x/y/year=2023/z", true},
		{"**/year=20?[0-4]/*", "x/y/year=2025/z", false},
		{"*", "a//b", false},
		{"a/*/b", "a//b", true}, // keys of object stores have empty parts
	} {
		if got, err := Match(tc.pattern, tc.name); got != tc.want || err != nil {
			t.Errorf("%s, %s: %v, %v", tc.pattern, tc.name, got, err)
		}
	}
	for _, name := range []string{"a/b", "b", ""} {
		if _, err := Match("a/[b", name); err == nil || err.Error() != "a/[b: not a pattern: a bracket is not closed" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Names are another's to choose: no number of "**" makes a match take long.
func TestMatchIsQuick(t *testing.T) {
	pattern, name := strings.Repeat("**/a/", 20)+"*.parquet", strings.Repeat("a/", 500)+"b.csv"
	if got, err := Match(pattern, name); got || err != nil {
		t.Error(got, err)
	}
	if got, err := Match(pattern, name+"/x.parquet"); got || err != nil {
		t.Error(got, err)
	}
	if got, err := Match(pattern, strings.Repeat("a/", 500)+"b.parquet"); !got || err != nil {
		t.Error(got, err)
	}
}

// Match finds what trying all places of each "**" finds.
func TestMatchTriesAllPlaces(t *testing.T) {
	var tries func(pattern, name []string) bool
	tries = func(pattern, name []string) bool {
		switch {
		case len(pattern) == 0:
			return len(name) == 0
		case pattern[0] == "**":
			return tries(pattern[1:], name) || len(name) > 0 && tries(pattern, name[1:])
		}
		ok, _ := filepath.Match(pattern[0], strings.Join(name[:min(1, len(name))], ""))
		return ok && len(name) > 0 && tries(pattern[1:], name[1:])
	}
	matches := 0
	var each func(pattern []string)
	each = func(pattern []string) {
		for n := range 81 { // names of four parts
			name := []string{"abc"[n/27:][:1], "abc"[n/9%3:][:1], "abc"[n/3%3:][:1], "abc"[n%3:][:1]}
			want := tries(pattern, name)
			if got, err := Match(strings.Join(pattern, "/"), strings.Join(name, "/")); got != want || err != nil {
				t.Fatalf("%v, %v: %v, %v", pattern, name, got, err)
			}
			if want {
				matches++
			}
		}
		if len(pattern) < 5 {
			for _, part := range []string{"a", "[ab]", "**"} {
				each(append(pattern[:len(pattern):len(pattern)], part))
			}
		}
	}
	for _, part := range []string{"a", "[ab]", "**"} {
		each([]string{part})
	}
	if matches < 1000 {
		t.Error(matches)
	}
}
