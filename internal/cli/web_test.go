package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// Files behind URLs are files for every command; messages have no passwords and queries.
func TestWeb(t *testing.T) {
	files := http.StripPrefix("/year=2024", http.FileServer(http.Dir("../../testdata")))
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/whole" {
			_, _ = w.Write(make([]byte, 100_000))
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := &Program{Name: "scan", Schemes: Web()}
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
			stderr: "$URL/year=2024/orders.parquet?…: schema: no column folder\n"},
		{args: "cat -w year=2023 $URL/year=2024/orders.parquet"},
		{args: "count $URL/x.parquet $SECRET/year=2024/x.parquet?SECRET#SECRET", code: exitBadFile, requests: 2,
			stderr: "$URL/x.parquet: bytes=-65536: 404 Not Found: file does not exist\n" +
				"$URL/year=2024/x.parquet?…: bytes=-65536: 404 Not Found: file does not exist\n"},
		{args: "count $URL/whole", code: exitBadFile, requests: 2, stderr: "$URL/whole: bytes=0-0: 200 OK: the server does not serve ranges of bytes\n"},
		{args: "count http://", code: exitBadFile, stderr: "http://: not an http or https URL\n"},
		{args: "count s3://a/b s3://a/*", code: exitBadFile,
			stderr: "s3://a/b: no scheme \"s3\", only files of this machine, https://, http://\n" +
				"s3://a/*: no scheme \"s3\", only files of this machine, https://, http://\n"},
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
		if got := withoutSecrets(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
