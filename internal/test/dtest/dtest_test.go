package dtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The commands of testdata/self.
func self(t *testing.T, c *Case) string {
	switch c.Cmd {
	case "upper":
		return strings.ToUpper(c.Input)
	case "args":
		return fmt.Sprintf("n=%d flag=%v list=%q name=%q absent=%q",
			c.Int(t, "n", -1), c.Has("flag"), c.Strings("list"), c.String("name", ""), c.String("absent", "none"))
	case "hex":
		d := Bytes(t, c.Hex(t))
		d.Next(c.Int(t, "head", 0), "head")
		d.Note("then the rest")
		d.Next(len(c.Hex(t))-d.At(), "rest")
		return d.String()
	case "parse":
		_, err := parse("script", strings.ReplaceAll(c.Input, "~", "-"))
		return fmt.Sprint(err)
	}
	return "unknown command " + c.Cmd
}

func TestScript(t *testing.T) { RunAll(t, "testdata/*", self) }

func TestDifferenceIsSeenAndRewritten(t *testing.T) {
	const old = "# top\nupper\na\n----\nB\n\nblank\nx\n----\n----\n\nlong\n----\n----\n# end\n"
	outputs := map[string]string{"upper": "A", "blank": "a\n\nb"}
	differing := 0
	anew := runScript(t, "old", old, func(_ *testing.T, c *Case) string { return outputs[c.Cmd] },
		func(c *Case, got string) {
			if got != c.Output {
				differing++
			}
		})
	if want := "# top\nupper\na\n----\nA\n\nblank\nx\n----\n----\na\n\nb\n----\n----\n# end\n"; anew != want {
		t.Errorf("rewritten:\n%s\nwant:\n%s", anew, want)
	}
	if differing != 2 {
		t.Errorf("%d cases differ, want 2", differing)
	}
}

func TestRewriteIsAFixedPoint(t *testing.T) {
	for _, out := range []string{"", "\n", "a\n", "a\n\nb\n", "\n\n", "x\n----\n"} {
		script := "cmd\nin\n----\n" + render(out) + "\nnext\n----\nend\n"
		parts, err := parse("s", script)
		if err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		var cases []*Case
		for _, p := range parts {
			if p.c != nil {
				cases = append(cases, p.c)
			}
		}
		if len(cases) != 2 || cases[0].Output != out || cases[1].Output != "end\n" {
			t.Errorf("%q comes back as %q", out, cases[0].Output)
		}
	}
}

func TestRewriteFlagWritesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, []byte("upper\nabc\n----\nwrong\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	defer func(was bool) { *rewrite = was }(*rewrite)
	*rewrite = true
	Run(t, path, self)
	if got, _ := os.ReadFile(path); string(got) != "upper\nabc\n----\nABC\n" {
		t.Errorf("the file now reads %q", got)
	}
}

// failures stands in for a *testing.T whose failures are wanted. Fatalf does
// not stop, so code under test must return by itself.
type failures struct {
	testing.TB
	seen []string
}

func (f *failures) Helper()                      {}
func (f *failures) Errorf(s string, args ...any) { f.seen = append(f.seen, fmt.Sprintf(s, args...)) }
func (f *failures) Fatalf(s string, args ...any) { f.Errorf(s, args...) }

func TestBytesMustAllBeAccountedFor(t *testing.T) {
	f := &failures{TB: t}
	d := Bytes(f, []byte{1, 2, 3})
	d.Next(2, "two")
	_ = d.String()
	if len(f.seen) != 1 || !strings.Contains(f.seen[0], "1 bytes from 2 on are not accounted for: 03") {
		t.Errorf("a byte left over: %q", f.seen)
	}
	d.Next(2, "two more")
	if len(f.seen) != 2 || !strings.Contains(f.seen[1], "two more: 2 bytes at 2, of 3") {
		t.Errorf("bytes beyond the end: %q", f.seen)
	}
}

func TestRounds(t *testing.T) {
	whole := 100
	if testing.Short() {
		whole = 50
	}
	for text, want := range map[string]int{"": whole, "1": whole, "20": 20 * whole, "0.1": whole / 10, "0.0001": 1} {
		t.Setenv("WINNOW_ROUNDS", text)
		if got := Rounds(t, 100); got != want {
			t.Errorf("WINNOW_ROUNDS=%s: %d rounds, want %d", text, got, want)
		}
		if got := Moment(t, 100*time.Second); text != "0.0001" && got != time.Duration(want)*time.Second {
			t.Errorf("WINNOW_ROUNDS=%s: %v, want %d s", text, got, want)
		}
	}
	for _, text := range []string{"many", "0", "-1", "NaN", "1e99"} {
		t.Setenv("WINNOW_ROUNDS", text)
		if !refuses(t) {
			t.Errorf("WINNOW_ROUNDS=%s is taken", text)
		}
	}
}

func TestOnceOfFour(t *testing.T) {
	for _, tc := range []struct {
		outcomes string // of each call, + where it holds
		failed   bool
	}{{"+", false}, {"---+", false}, {"----", true}} {
		f, calls := &failures{TB: t}, 0
		OnceOfFour(f, func() error {
			calls++
			if tc.outcomes[calls-1] == '-' {
				return errors.New("too slow")
			}
			return nil
		})
		if calls != len(tc.outcomes) || len(f.seen) > 0 != tc.failed {
			t.Errorf("%s: %d calls, %q", tc.outcomes, calls, f.seen)
		}
	}
}

// refuses reports whether Rounds ends a test.
func refuses(t *testing.T) bool {
	tb := &ended{TB: t}
	over := make(chan bool)
	go func() {
		defer close(over)
		Rounds(tb, 100)
	}()
	<-over
	return tb.fatal
}

// ended is a test that only notes that it was ended.
type ended struct {
	testing.TB
	fatal bool
}

func (e *ended) Fatalf(string, ...any) { e.fatal = true; runtime.Goexit() }
