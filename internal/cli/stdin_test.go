package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Standard input is a file among others, be it one or a pipe.
func TestStdin(t *testing.T) {
	const sample = "../../testdata/orders.parquet"
	t.Setenv("TMPDIR", t.TempDir())
	feed := func(pipe bool) (stdin *os.File) {
		f, err := os.Open(sample)
		if stdin = f; err == nil && pipe {
			var w *os.File
			if stdin, w, err = os.Pipe(); err == nil {
				go func() {
					defer w.Close()
					w.ReadFrom(f)
				}()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return stdin
	}
	for _, command := range []string{"cat", "head -n 3", "count", "meta", "pages", "explain -w order_id<9", "sample 5 --seed 3", "sample 3000 --format csv -w order_id<2000"} {
		args := strings.Fields(command)
		want, _, _ := runScan(t, t.Context(), append(args, sample)...)
		want = strings.ReplaceAll(want, sample, "standard input")
		for _, pipe := range []bool{false, true} {
			got, stderr, code := runProgram(t, t.Context(), scan(), feed(pipe), append(args, "-")...)
			if got != want || stderr != "" || code != exitOK {
				t.Errorf("%s, pipe %v: exit %d, %s%s", command, pipe, code, stderr, got)
			}
		}
	}
	stdin := feed(false)
	for _, tc := range []struct {
		args, stderr string
		code         int
	}{
		{"cat -n 1 -c order_id - missing", "missing: no such file or directory\n", exitBadFile},
		{"cat -n 1 -c order_id " + sample + " - missing*", "missing*: no file matches\n", exitBadFile},
		{"cat -n 0 -c order_id,none -", "standard input: no column none\n", exitBadFile},
		{"cat -n 1 -c order_id - - " + sample, "standard input: named twice, and can be read once\n", exitBadFile},
	} {
		if out, stderr, code := runProgram(t, t.Context(), scan(), stdin, strings.Fields(tc.args)...); code != tc.code || stderr != tc.stderr {
			t.Errorf("%s: exit %d, %s%s", tc.args, code, stderr, out)
		}
	}
	// Nobody writes: an interrupt ends the waiting.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, code := runProgram(t, ctx, scan(), r, "count", "-"); code != exitInterrupted {
		t.Errorf("exit %d", code)
	}
	if left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
