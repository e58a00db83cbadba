package cli

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// --progress says whether there is one; each command tells its last state where that is no terminal.
func TestProgressFlag(t *testing.T) {
	p := &Program{Name: "scan"}
	orders, web := "../../testdata/orders.parquet", "../../testdata/weblog.parquet"
	dir := t.TempDir()
	for _, tc := range []struct{ args, want string }{
		{"cat -o " + dir + "/x.csv " + orders, `orders.parquet  3,000 rows  [\d.]+ KiB read  0 % skipped  .*rows/s  0 s`},
		{"cat -w order_id<1010 " + orders, `orders.parquet  10 of 3,000 rows  .* read  \d+ % skipped  [\d,]+ rows/s  0 s`},
		{"count -w order_id<1010 " + orders + " " + orders, `file 2 of 2  \S*orders.parquet  6,000 rows  .* read  \d+ % skipped  .*rows/s  0 s`},
		{"count " + orders, `orders.parquet  3,000 rows  [\d,]+ rows/s  0 s`},
		{"min status -w bytes>70000 " + web, `weblog.parquet  [\d,]+ rows  .* read  .*`},
		{"sample 3 -w order_id<1010 " + orders, `orders.parquet  3 of 3,000 rows  .* read  .*`},
		{"explain --analyze " + orders, `orders.parquet  3,000 rows  .* read  .*`},
		{"describe " + orders, `orders.parquet  3,000 rows  [\d.]+ KiB read  0 % skipped  .*`},
		{"schema " + orders, `orders.parquet  3,000 rows  .*`},
	} {
		for _, when := range []string{"", "--progress=never", "--progress=auto", "--progress=always"} {
			stdout, stderr, code := runProgram(t, context.Background(), p, os.Stdin, strings.Fields(tc.args+" "+when)...)
			want := ""
			if when == "--progress=always" {
				want = `(\S*/)?` + tc.want + "\n"
			}
			if code != exitOK || !regexp.MustCompile("^"+want+"$").MatchString(stderr) || stdout == "" && !strings.Contains(tc.args, "-o ") {
				t.Errorf("%s %s: exit code %d, %q, want %s", tc.args, when, code, stderr, want)
			}
		}
	}
	_, stderr, code := runProgram(t, context.Background(), p, os.Stdin, "cat", "--progress", "maybe", orders)
	if code != exitUsage || !strings.Contains(stderr, `invalid value "maybe" for flag --progress: want auto, always or never`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	// An error has a line of its own.
	_, stderr, code = runProgram(t, context.Background(), p, os.Stdin, "cat", "--progress", "always", filepath.Join(dir, "none"), orders)
	if lines := strings.Split(stderr, "\n"); code != exitBadFile || len(lines) != 3 || !strings.HasSuffix(lines[0], "none: no such file or directory") || !strings.Contains(lines[1], "  3,000 rows  ") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// verify reads all, and says so: once each byte, and nothing is skipped. A line each second comes before the last.
func TestProgressOfVerify(t *testing.T) {
	name := "../../testdata/orders.parquet"
	_, stderr, code := runProgram(t, t.Context(), &Program{Name: "scan"}, nil, "verify", "--progress", "always", name, name)
	if code != exitOK || !regexp.MustCompile(`^(file \d of 2  \S*orders.parquet  .* KiB read  0 % skipped  [\d,]+ rows/s  \d s  \d s left\n)*file 2 of 2  \S*orders.parquet  6,000 rows  [\d.]+ KiB read  0 % skipped  [\d,]+ rows/s  \d s\n$`).MatchString(stderr) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
