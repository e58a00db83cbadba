package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	s3scan "github.com/winnow-scan/winnow/adapters/s3"
)

// s3Server serves a bucket as far as scan asks for it, and keeps its requests.
func s3Server(t *testing.T, keys ...string) (requests func() string) {
	data, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var log []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, strings.TrimSpace(r.URL.Path+" "+r.Header.Get("Range")))
		if r.URL.Path == "/bucket" {
			fmt.Fprint(w, "<ListBucketResult>")
			for _, key := range keys {
				if strings.HasPrefix(key, r.URL.Query().Get("prefix")) {
					fmt.Fprint(w, "<Contents><Key>")
					_ = xml.EscapeText(w, []byte(key))
					fmt.Fprintf(w, "</Key><Size>%d</Size><ETag>&quot;1&quot;</ETag></Contents>", len(data))
				}
			}
			fmt.Fprint(w, "</ListBucketResult>")
			return
		}
		if !slices.Contains(keys, strings.TrimPrefix(r.URL.Path, "/bucket/")) {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>")
			return
		}
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": server.URL, "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		t.Setenv(name, value)
	}
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { log = nil }()
		slices.Sort(log) // files are opened at the same time
		return strings.Join(log, "\n")
	}
}

// Objects are files for every command, and patterns are listed.
func TestS3(t *testing.T) {
	lastBytes := regexp.MustCompile(`bytes=-[0-9]+`)
	requests := s3Server(t, "t/year=2023/a&b?.parquet", "t/year=2024/c.parquet")
	for _, tc := range []struct {
		args, out, err string
		code           int
		requests       string // how they begin
	}{
		{args: "count s3://bucket/t/year=2024/c.parquet",
			out:      `{"file":"s3://bucket/t/year=2024/c.parquet","rows":3000}` + "\n",
			requests: "/bucket/t/year=2024/c.parquet bytes=-N"},
		{args: "count S3://bucket/t/**",
			out: `{"file":"s3://bucket/t/year=2023/a&b?.parquet","rows":3000}` + "\n" +
				`{"file":"s3://bucket/t/year=2024/c.parquet","rows":3000}` + "\n" + `{"files":2,"rows":6000}` + "\n",
			requests: "/bucket\n/bucket/t/year=2023/a&b?.parquet bytes=0-132878\n/bucket/t/year=2024/c.parquet bytes=0-132878"},
		{args: "cat -n 1 -c order_id,year -w year=2024 s3://bucket/t/",
			out:      `{"order_id":1000,"year":2024}` + "\n",
			requests: "/bucket\n/bucket/t/year=2024/c.parquet bytes=0-132878"},
		{args: "count s3://bucket/none.parquet", code: 1,
			err:      "s3://bucket/none.parquet: 404 Not Found: NoSuchKey: The specified key does not exist\n",
			requests: "/bucket/none.parquet bytes=-N"},
		{args: "count s3://bucket/none/*", code: 1, err: "s3://bucket/none/*: no object matches\n", requests: "/bucket"},
		{args: "count s3://", code: 1, err: "s3://: not the name of an object: s3://bucket/key\n"},
	} {
		code, out, errors := scan(t, strings.Fields(tc.args)...)
		if code != tc.code || out != tc.out || errors != tc.err {
			t.Errorf("%s: exit code %d\n%s%s", tc.args, code, out, errors)
		}
		if got := lastBytes.ReplaceAllString(requests(), "bytes=-N"); !strings.HasPrefix(got, tc.requests) || strings.Count(got, "\n") != strings.Count(tc.requests, "\n") {
			t.Errorf("%s: requests\n%s\nwant\n%s", tc.args, got, tc.requests)
		}
	}
	code, out, errors := scan(t, "sql", "SELECT year, count(*) AS n FROM 's3://bucket/t/*/*.parquet' GROUP BY year")
	if want := `{"year":2023,"n":3000}` + "\n" + `{"year":2024,"n":3000}` + "\n"; code != 0 || out != want {
		t.Errorf("sql: exit code %d\n%s%s", code, out, errors)
	}
}

// Without credentials, the error says how public buckets are read; with the variable, requests have no signature.
func TestS3Variables(t *testing.T) {
	s3Server(t, "a.parquet")
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	for _, arg := range []string{"s3://bucket/a.parquet", "s3://bucket/*"} {
		code, _, errors := scan(t, "count", arg)
		if code != 1 || !strings.HasPrefix(errors, arg+": ") || !strings.Contains(errors, ": no credentials: ") ||
			!strings.HasSuffix(errors, "; AWS_SKIP_SIGNATURE=true reads public buckets\n") {
			t.Errorf("exit code %d: %s", code, errors)
		}
	}
	t.Setenv("AWS_SKIP_SIGNATURE", "true")
	if code, out, errors := scan(t, "count", "s3://bucket/*"); code != 0 || out != `{"file":"s3://bucket/a.parquet","rows":3000}`+"\n" {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
	o := s3scan.FromEnvironment(func(name string) string {
		return map[string]string{"AWS_REQUEST_PAYER": "requester", "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "True"}[name]
	})
	if !o.RequesterPays || !o.VirtualHost || o.Anonymous {
		t.Errorf("%+v", o)
	}
}
