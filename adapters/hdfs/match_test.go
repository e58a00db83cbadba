package hdfsscan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"unicode"
)

// entry is a file that a namenode lists.
type entry struct {
	fs.FileInfo
	name string
}

func (e entry) Name() string { return e.name }

// TestEndlessListings lists folders whose listings do not end, and one that does.
func TestEndlessListings(t *testing.T) {
	for what, c := range map[string]struct {
		name func(i int) string
		len  int
		most int
		want string
	}{
		"all":            {func(i int) string { return fmt.Sprintf("%05d", i) }, 2500, maxListed, ""},
		"none":           {nil, 0, maxListed, ""},
		"a step":         {func(i int) string { return fmt.Sprintf("%05d", i) }, listStep, maxListed, ""},
		"again":          {func(i int) string { return fmt.Sprintf("%05d", i%listStep) }, 1 << 40, maxListed, `"00000" comes again`},
		"without an end": {func(i int) string { return fmt.Sprintf("%012d", i) }, 1 << 40, 10_000, "more than 16 million"},
	} {
		at := 0
		all, err := listAll(func(n int) (some []fs.FileInfo, err error) {
			for ; len(some) < n && at < c.len; at++ {
				some = append(some, entry{name: c.name(at)})
			}
			if len(some) == 0 {
				return nil, io.EOF
			}
			return some, nil
		}, c.most)
		if c.want == "" && (err != nil || len(all) != c.len) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d entries, %v", what, len(all), err)
		}
	}
}

// TestForeignWords shows what a server says cut, and on one line.
func TestForeignWords(t *testing.T) {
	e := &Error{Name: "hdfs://nn/a", Err: errors.New("first\nsecond \x1b[31m\u202e" + strings.Repeat("x", 1<<20))}
	if text := e.Error(); len(text) > 500 || !strings.HasPrefix(text, "hdfs://nn/a: first; second  [31m") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("%.600q", text)
	}
}
