package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// With --cache, a second run asks once for each file, and for bytes if the file has changed.
func TestWebWithCache(t *testing.T) {
	dir := t.TempDir()
	publish := func(from string) {
		t.Helper()
		b, err := os.ReadFile("../../testdata/" + from + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "x.parquet")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		written := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC).Add(time.Duration(len(b)) * time.Second)
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
	}
	var requests atomic.Int64
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := &Program{Name: "scan", Schemes: input.Web()}
	folder := filepath.Join(t.TempDir(), "far")
	for i, tc := range []struct {
		file, args string
		rows       int
		all        bool // of the file is in the folder
	}{
		{"orders", "--cache " + folder, 3000, false},
		{"orders", "--cache " + folder + " --cache-size 1T", 3000, true},
		{"lineitems", "--cache-size=600k --cache=" + folder, 20000, false},
		{"lineitems", "--cache " + folder, 20000, true},
		{"lineitems", "", 20000, false},
		{"lineitems", "--cache-size 5000 --cache " + folder + "2", 20000, false}, // too small for a block
		{"lineitems", "--cache-size 5000 --cache " + folder + "2", 20000, false},
	} {
		publish(tc.file)
		requests.Store(0)
		stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, strings.Fields("cat "+tc.args+" "+server.URL+"/x.parquet")...)
		if rows := strings.Count(stdout, "\n"); rows != tc.rows || stderr != "" || code != exitOK || (requests.Load() == 1) != tc.all {
			t.Errorf("%d: %d rows, %d requests, exit code %d, %s", i, rows, requests.Load(), code, stderr)
		}
	}
	file := filepath.Join(dir, "x.parquet")
	for args, want := range map[string]string{
		"--cache-size 5G":                 "scan: cat: --cache-size without --cache\nTry: scan help cat\n",
		"--cache x --cache-size 0":        "scan: cat: invalid value \"0\" for flag --cache-size: want a size from 1 on, like 500M or 20G\nTry: scan help cat\n",
		"--cache x --cache-size 9999999T": "scan: cat: invalid value \"9999999T\" for flag --cache-size: want a size from 1 on, like 500M or 20G\nTry: scan help cat\n",
		"--cache " + file:                 "scan: cat: --cache: mkdir " + file + ": not a directory\nTry: scan help cat\n",
	} {
		stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, strings.Fields("cat "+args+" "+server.URL+"/x.parquet")...)
		if stdout != "" || stderr != want || code != exitUsage {
			t.Errorf("%s: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
}

// Files whose URLs differ in their queries alone are different files of one table.
func TestOrderOfURLsWithQueries(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("n"))
		if err != nil {
			t.Error(err)
		}
		data, err := (&gen.File{
			Schema:    []*gen.Node{gen.Required("n", gen.Int32)},
			RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"n": int32(n)}}}},
		}).Write()
		if err != nil {
			t.Error(err)
		}
		http.ServeContent(w, r, "x.parquet", time.Time{}, bytes.NewReader(data))
	}))
	defer server.Close()
	args := []string{"cat", "--order-by", "n", "-n", "9"}
	for _, n := range []string{"7", "3", "5", "7"} {
		args = append(args, server.URL+"/x.parquet?n="+n)
	}
	stdout, stderr, code := runProgram(t, t.Context(), &Program{Name: "scan", Schemes: input.Web()}, os.Stdin, args...)
	if want := `{"n":3} {"n":5} {"n":7} {"n":7}`; strings.Join(strings.Fields(stdout), " ") != want || code != exitOK {
		t.Errorf("%s, %s", stdout, stderr)
	}
}

// Files behind URLs are files for every command; messages have no passwords and queries.
func TestWeb(t *testing.T) {
	files := http.StripPrefix("/year=2024", http.FileServer(http.Dir("../../testdata")))
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/whole" {
			_, _ = w.Write(make([]byte, 200_000))
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := &Program{Name: "scan", Schemes: input.Web()}
	secret := strings.Replace(server.URL, "//", "//user:SECRET@", 1)
	shout := strings.Replace(server.URL, "http", "HTTP", 1)
	for _, tc := range []struct {
		args, stdout, stderr string
		code                 int
		requests             int64
	}{
		{args: "count $URL/year=2024/orders.parquet", stdout: `{"file":"$URL/year=2024/orders.parquet","rows":3000}` + "\n", requests: 1},
		{args: "count $SHOUT/year=2024/orders.parquet", stdout: `{"file":"$SHOUT/year=2024/orders.parquet","rows":3000}` + "\n", requests: 1},
		{args: "cat -c order_id,year -n 1 -w year=2024 $URL/year=2024/orders.parquet?SECRET", stdout: `{"order_id":1000,"year":2024}` + "\n", requests: 2},
		{args: "cat -c order_id,folder -n 1 $URL/year=2024/orders.parquet?SECRET/folder=b/c", code: exitBadFile, requests: 1,
			stderr: "$URL/year=2024/orders.parquet?…: no column folder\n"},
		{args: "cat -w year=2023 $URL/year=2024/orders.parquet"},
		{args: "count $URL/x.parquet $SECRET/year=2024/x.parquet?SECRET#SECRET", code: exitBadFile, requests: 2,
			stderr: "$URL/x.parquet: 404 Not Found: file does not exist\n" +
				"$URL/year=2024/x.parquet?…: 404 Not Found: file does not exist\n"},
		{args: "count $URL/whole", code: exitBadFile, requests: 2, stderr: "$URL/whole: bytes 0-0: 200 OK: the server does not serve ranges of bytes\n"},
		{args: "count http://", code: exitBadFile, stderr: "http://: not an http or https URL\n"},
		{args: "count s3://a/b s3://a/*", code: exitBadFile,
			stderr: "s3://a/b: no scheme \"s3\", only files of this machine, https://, http://; the program in adapters/scan has it\n" +
				"s3://a/*: no scheme \"s3\", only files of this machine, https://, http://; the program in adapters/scan has it\n"},
	} {
		args := strings.NewReplacer("$SECRET", secret, "$URL", server.URL, "$SHOUT", shout).Replace(tc.args)
		want := strings.NewReplacer("$SHOUT", shout, "$URL", server.URL)
		requests.Store(0)
		stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, strings.Fields(args)...)
		if stdout != want.Replace(tc.stdout) || stderr != want.Replace(tc.stderr) || code != tc.code || requests.Load() != tc.requests {
			t.Errorf("%s: exit code %d, %d requests\n%s%s", args, code, requests.Load(), stdout, stderr)
		}
	}
	stdout, _, _ := runProgram(t, t.Context(), p, os.Stdin, "help")
	if !strings.Contains(stdout, "It may start with https://, http://.\n") {
		t.Error(stdout)
	}
	for name, want := range map[string]string{
		"http://h": "http://h", "https://u@h?x": "https://h?…", "http://u:p@h/a@b": "http://h/a@b", "http://h/a#x": "http://h/a#…",
		"a?b": "a?b", "s3://a/b?c": "s3://a/b?c",
	} {
		if got := fault.ShortName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// An error of a request behind the first names the file once, and the bytes.
func TestWebErrorsNameTheFileOnce(t *testing.T) {
	data, err := os.ReadFile("../../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Range"), "bytes=-") {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}))
	defer server.Close()
	p := &Program{Name: "scan", Schemes: input.Web()}
	for _, path := range []string{"/x.parquet", "/x.parquet?secret=1"} {
		for _, args := range []string{"cat -n 1", "cat -n 1 --order-by comment"} {
			_, stderr, code := runProgram(t, t.Context(), p, os.Stdin, append(strings.Fields(args), server.URL+path)...)
			want := `^` + regexp.QuoteMeta(fault.ShortName(server.URL+path)) + `: (row group 0, [^/]*: )?bytes [0-9]+-[0-9]+: 403 Forbidden: permission denied\n$`
			if code != exitBadFile || !regexp.MustCompile(want).MatchString(stderr) {
				t.Errorf("%s %s: %s", args, path, stderr)
			}
		}
	}
}
