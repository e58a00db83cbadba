package s3scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// Rows of an object are those of its file: opened by name, and by its listing.
func TestScan(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		data := sample(t, "lineitems.parquet")
		s.put(t, "a/lineitems.parquet", data)
		for _, threads := range []int{0, 3} {
			for _, q := range queries(t) {
				q.options.Threads = threads
				want := localRows(t, data, q.options)
				src, err := s.client.Open(t.Context(), "s3://bucket/a/lineitems.parquet")
				if err != nil {
					t.Fatal(err)
				}
				file, err := scanner.OpenSource(t.Context(), "x", src)
				if err != nil {
					t.Fatal(err)
				}
				files, err := s.client.Files(t.Context(), scanner.OpenOptions{}, "s3://bucket/a/*.parquet")
				if err != nil {
					t.Fatal(err)
				}
				for _, table := range []scanner.Table{file, files} {
					if got, err := rowsOf(t.Context(), table, q.options); err != nil || !slices.Equal(got, want) {
						t.Errorf("%s, %d threads: %d lines, want %d: %v", q.name, threads, len(got), len(want), err)
					}
				}
			}
		}
	})
}

// What a pattern names, and which keys a store is asked to list for that. There is never a request
// for each object.
func TestList(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		for _, key := range []string{
			"a.parquet", "b.parquet", "c.txt", "[x].parquet", "sub/d.parquet", "sub/deep/e f.parquet", "sub/deep/ü%2B.parquet",
			"sub/_SUCCESS", "sub/_delta_log/0.json", "sub/.hidden/x", "sub2/f.parquet", "t/_year=2024/x.parquet",
		} {
			s.put(t, key, []byte(key))
		}
		for _, tc := range []struct{ pattern, want, request string }{
			{"a.parquet", "a.parquet", ""},
			{"none.parquet", "none.parquet", ""},
			{"*.parquet", "[x].parquet a.parquet b.parquet", "delimiter=%2F&prefix="},
			{"[x].parquet", "[x].parquet", "delimiter=%2F&prefix="},
			{"[ab].parquet", "a.parquet b.parquet", "delimiter=%2F&prefix="},
			{"a.par*", "a.parquet", "delimiter=%2F&prefix=a.par"},
			{"sub/*.parquet", "sub/d.parquet", "delimiter=%2F&prefix=sub%2F"},
			{"sub/**/*.parquet", "sub/d.parquet sub/deep/e f.parquet sub/deep/ü%2B.parquet", "prefix=sub%2F"},
			{"sub*/*.parquet", "sub/d.parquet sub2/f.parquet", "prefix=sub"},
			{"sub/", "sub/d.parquet sub/deep/e f.parquet sub/deep/ü%2B.parquet", "prefix=sub%2F"},
			{"t/", "t/_year=2024/x.parquet", "prefix=t%2F"},
			{"s?b/deep/e*", "sub/deep/e f.parquet", "prefix=s"},
			{"sub/x*", "error: s3://bucket/sub/x*: no object matches", "delimiter=%2F&prefix=sub%2Fx"},
			{"none/", "error: s3://bucket/none/: no object matches", "prefix=none%2F"},
			{"sub/[", "error: s3://bucket/sub/[: not a pattern: a bracket is not closed", ""},
		} {
			s.Take()
			objects, err := s.client.List(t.Context(), "s3://bucket/"+tc.pattern)
			request := tc.request
			if request != "" {
				request = "GET /bucket?" + strings.Replace(request+"&", "prefix=", "list-type=2&prefix=", 1)
				request = strings.TrimSuffix(request, "&")
			}
			if got := strings.Replace(s.requests(), "x-id=ListObjectsV2", "", 1); got != request {
				t.Errorf("%s: %s, want %s", tc.pattern, got, request)
			}
			if text, wanted := strings.CutPrefix(tc.want, "error: "); wanted {
				if err == nil || err.Error() != text || errors.Is(err, fs.ErrNotExist) != strings.Contains(text, "matches") {
					t.Errorf("%s: %v", tc.pattern, err)
				}
				continue
			}
			var keys []string
			for _, o := range objects {
				keys = append(keys, o.Key)
				if request == "" {
					continue
				}
				f, err := s.client.OpenObject(t.Context(), o)
				if err != nil || s.requests() != "" {
					t.Errorf("%s: opening %s: %v", tc.pattern, o.Name(), err)
				}
				if b, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: f.Size()}, nil); err != nil || string(b) != o.Key {
					t.Errorf("%s: %s has %q: %v", tc.pattern, o.Name(), b, err)
				}
				if got := s.requests(); strings.Count(got, "\n") > 0 {
					t.Errorf("%s: reading %s: %s", tc.pattern, o.Name(), got)
				}
			}
			if err != nil || strings.Join(keys, " ") != tc.want {
				t.Errorf("%s: %q, %v", tc.pattern, keys, err)
			}
		}
	})
}

// Listings of many pages are complete; one that does not end is an error.
func TestLongListing(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		for i := range 1234 {
			s.put(t, fmt.Sprintf("many/%04d", i), nil)
		}
		s.Take()
		objects, err := s.client.List(t.Context(), "s3://bucket/many/*[0-9]")
		if log, _ := s.Take(); err != nil || len(objects) != 1234 || objects[1233].Key != "many/1233" || len(log) != 2 {
			t.Errorf("%d objects by %d requests: %v", len(objects), len(log), err)
		}
		for _, next := range []string{"", "<NextContinuationToken>same</NextContinuationToken>"} {
			s.SetAnswer(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				fmt.Fprint(w, "<ListBucketResult><IsTruncated>true</IsTruncated>"+next+"</ListBucketResult>")
				return true
			})
			_, err := s.client.List(t.Context(), "s3://bucket/*")
			if err == nil || err.Error() != "s3://bucket/*: listing: the store does not say how the listing goes on" {
				t.Error(err)
			}
		}
		s.SetAnswer(func(_ int, w http.ResponseWriter, _ *http.Request) bool { // sizes, ETags and keys that make no sense
			fmt.Fprint(w, "<ListBucketResult><Contents><Key>a/1</Key><Size>-5</Size><ETag>x</ETag></Contents><Contents><Key>a/2</Key><Size>3</Size></Contents>"+
				"<Contents><Key>b/1</Key><Size>3</Size><ETag>x</ETag></Contents><Contents><Key>a/</Key></Contents><Contents/>"+
				"<Contents><Key>a/3</Key><Size>3</Size><ETag>x</ETag></Contents></ListBucketResult>")
			return true
		})
		want := []Object{{Bucket: "bucket", Key: "a/1"}, {Bucket: "bucket", Key: "a/2"}, {"bucket", "a/3", 3, `"x"`}}
		if objects, err = s.client.List(t.Context(), "s3://bucket/a/"); err != nil || !slices.Equal(objects, want) {
			t.Errorf("%v, %v", objects, err)
		}
		slow := func(n int, w http.ResponseWriter, _ *http.Request) bool {
			return n%3 < 2 && refuse(w, 503, "SlowDown", "Please reduce your request rate.")
		}
		s.SetAnswer(slow)
		s.Take()
		if objects, err := s.client.List(t.Context(), "s3://bucket/many/123?"); err != nil || len(objects) != 4 {
			t.Errorf("throttled: %d objects: %v", len(objects), err)
		}
		s.SetAnswer(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			return refuse(w, 403, "AccessDenied", "Access Denied")
		})
		_, err = s.client.List(t.Context(), "s3://bucket/*")
		if err == nil || err.Error() != "s3://bucket/*: listing: 403 Forbidden: AccessDenied: Access Denied" || !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	})
}

// Answers of a store that do not end: each is an error after a bounded number of bytes and requests.
func TestEndlessAnswers(t *testing.T) {
	var sent, requests atomic.Int64
	for name, c := range map[string]struct {
		status int
		begin  string
		rest   string // again and again
		after  func(n int64) string
		want   string
	}{
		"an error":              {403, "<Error><Code>", "x", nil, "403 Forbidden"},
		"an error's message":    {400, "<Error><Code>Bad</Code><Message>no", " no", nil, "400 Bad Request"},
		"a redirect":            {301, "<Error><Code>PermanentRedirect</Code>", "<!-- -->", nil, "301 Moved"},
		"a listing":             {200, "<ListBucketResult><Contents><Key>a</Key></Contents>", "<Contents><Key>b</Key></Contents>", nil, "more than 16777216 bytes"},
		"a key":                 {200, "<ListBucketResult><Contents><Key>", "kkkk", nil, "more than 16777216 bytes"},
		"after the listing":     {200, "<ListBucketResult></ListBucketResult>", "\n", nil, ""},
		"pages without objects": {200, "", "", func(n int64) string { return fmt.Sprint("page", n) }, "a listing goes on without objects"},
		"pages in a circle":     {200, "", "", func(n int64) string { return fmt.Sprint("page", n%3) }, "does not say how the listing goes on"},
	} {
		sent.Store(0)
		requests.Store(0)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := requests.Add(1)
			w.WriteHeader(c.status)
			text := c.begin
			if c.after != nil {
				text = "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>" + c.after(n) + "</NextContinuationToken></ListBucketResult>"
			}
			more := strings.Repeat(c.rest, 1<<10)
			for {
				n, err := io.WriteString(w, text)
				if sent.Add(int64(n)); err != nil || c.rest == "" || sent.Load() > 1<<28 {
					return
				}
				text = more
			}
		}))
		client, err := NewClient(t.Context(), Options{Endpoint: server.URL, Region: "us-east-1", Anonymous: true, Attempts: 2})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.List(t.Context(), "s3://bucket/a/*")
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 500 {
			t.Errorf("%s: %.600v", name, err)
		}
		if c.status >= 300 {
			if _, err = client.Open(t.Context(), "s3://bucket/a"); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 500 {
				t.Errorf("%s, of an object: %.600v", name, err)
			}
		}
		client.Close()
		server.Close()
		// What the kernel's buffers took is sent, too.
		if n := sent.Load(); n > 64<<20 || requests.Load() > 2000 {
			t.Errorf("%s: %d bytes were sent, in %d requests", name, n, requests.Load())
		}
	}
}

// Folders like year=2024 are columns; files that they exclude are listed, but not requested.
func TestPartitions(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		data := sample(t, "orders.parquet")
		for _, year := range []string{"2023", "2024", "2025"} {
			s.put(t, "t/year="+year+"/part-0.parquet", data)
		}
		s.Take()
		files, err := s.client.Files(t.Context(), scanner.OpenOptions{}, "s3://bucket/t/**/*.parquet")
		if err != nil {
			t.Fatal(err)
		}
		n, err := files.Count(t.Context(), scanner.Options{Filter: filter.Col("year").Ge(2024)})
		if err != nil || n != 2*3000 {
			t.Errorf("%d rows: %v", n, err)
		}
		want := "GET /bucket/t/year=2024/part-0.parquet bytes=0-132878\n" +
			"GET /bucket/t/year=2025/part-0.parquet bytes=0-132878\n" +
			"GET /bucket?list-type=2&prefix=t%2F"
		if got := s.requests(); got != want {
			t.Errorf("requests\n%s\nwant\n%s", got, want)
		}
		o := scanner.OpenOptions{Metadata: cache.New(1 << 20)}
		for range 2 { // the second finds the footers in the cache, by the ETags of its listing
			if files, err = s.client.Files(t.Context(), o, "s3://bucket/t/*/*.parquet", "s3://bucket/t/year=2024/"); err != nil {
				t.Fatal(err)
			}
			s.Take()
			if n, err := files.Count(t.Context(), scanner.Options{}); err != nil || n != 4*3000 {
				t.Errorf("%d rows: %v", n, err)
			}
		}
		if got := s.requests(); got != "" {
			t.Errorf("with the metadata in a cache: requests\n%s", got)
		}
	})
}

// A request with one of the options is as the store wants it.
func TestOptions(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		s.put(t, "a.parquet", sample(t, "orders.parquet"))
		for _, tc := range []struct {
			name  string
			o     Options
			check func(r *http.Request) bool
		}{
			{"signed", Options{}, func(r *http.Request) bool {
				return strings.Contains(r.Header.Get("Authorization"), "Credential="+testKey+"/") && strings.Contains(r.Header.Get("Authorization"), "/us-east-1/s3/aws4_request")
			}},
			{"anonymous", Options{Anonymous: true}, func(r *http.Request) bool { return r.Header.Get("Authorization") == "" }},
			{"requester pays", Options{RequesterPays: true}, func(r *http.Request) bool { return r.Header.Get("X-Amz-Request-Payer") == "requester" }},
			{"region", Options{Region: "eu-north-1"}, func(r *http.Request) bool {
				return strings.Contains(r.Header.Get("Authorization"), "/eu-north-1/s3/aws4_request")
			}},
			{"client", Options{Client: s.direct, Region: "ignored"}, nil},
		} {
			c := s.with(t, tc.o)
			checked := 0
			s.SetAnswer(func(_ int, w http.ResponseWriter, r *http.Request) bool {
				if checked++; !tc.check(r) {
					t.Errorf("%s: %s %v", tc.name, r.URL, r.Header)
				}
				return refuse(w, 403, "AccessDenied", "Enough")
			})
			_, err1 := c.Open(t.Context(), "s3://bucket/a.parquet")
			_, err2 := c.List(t.Context(), "s3://bucket/*")
			s.SetAnswer(nil)
			switch {
			case tc.check == nil && (err1 != nil || err2 != nil):
				t.Errorf("%s: %v, %v", tc.name, err1, err2)
			case tc.check != nil && (checked != 2 || !errors.Is(err1, fs.ErrPermission) || !errors.Is(err2, fs.ErrPermission)):
				t.Errorf("%s: %d requests: %v, %v", tc.name, checked, err1, err2)
			}
			c.Close()
		}
	})
}

func TestParse(t *testing.T) {
	const point = "arn:aws:s3:eu-west-1:123456789012:accesspoint/name"
	for name, want := range map[string][2]string{
		"s3://b":                  {"b", ""},
		"S3://b/":                 {"b", ""},
		"s3://b/k":                {"b", "k"},
		"s3://b//a/../%41 ?#":     {"b", "/a/../%41 ?#"},
		"s3://" + point + "/a/b":  {point, "a/b"},
		"s3://" + point:           {point, ""},
		"s3://" + point + "/a/*/": {point, "a/*/"},
	} {
		if bucket, key, err := Parse(name); err != nil || bucket != want[0] || key != want[1] {
			t.Errorf("%s: %q, %q, %v", name, bucket, key, err)
		}
	}
	for _, name := range []string{"", "b/k", "s3:b/k", "s3:///k", "gs://b/k"} {
		if _, _, err := Parse(name); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
}

// An object's ranges are requested at the same time, as many as the options allow.
func TestParallel(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		s.put(t, "a", make([]byte, 3<<20))
		const most = 4
		c := s.with(t, Options{Requests: most})
		defer c.Close()
		f, err := c.Open(t.Context(), "s3://bucket/a")
		if err != nil {
			t.Fatal(err)
		}
		var ranges []fetch.Range
		for i := range int64(3 * most) {
			ranges = append(ranges, fetch.Range{Off: i << 18, Len: 10})
		}
		var now, greatest atomic.Int64
		s.SetAnswer(func(int, http.ResponseWriter, *http.Request) bool {
			for n := now.Add(1); ; {
				if before := greatest.Load(); before >= n || greatest.CompareAndSwap(before, n) {
					break
				}
			}
			// The first ones wait for each other. One alone would wait for ever.
			for greatest.Load() < most && t.Context().Err() == nil {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(5 * time.Millisecond) // for one too many to come
			now.Add(-1)
			return false
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err := f.ReadRanges(ctx, ranges, nil); err != nil || greatest.Load() != most {
			t.Errorf("%d requests at once, want %d: %v", greatest.Load(), most, err)
		}
		greatest.Store(most)
	})
}

// Errors of opening name the object, in one line, and are not repeated where that does not help.
func TestOpenErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		s.put(t, "empty", nil)
		for name, want := range map[string]string{
			"s3://bucket/none":   "s3://bucket/none: 404 Not Found: NoSuchKey",
			"s3://nowhere/x":     "s3://nowhere/x: 404 Not Found: NoSuchBucket",
			"s3://bucket":        "s3://bucket: a bucket, not an object",
			"s3://bucket/":       "s3://bucket/: a bucket, not an object",
			"s3:///x":            "s3:///x: not the name of an object: s3://bucket/key",
			"/bucket/x":          "/bucket/x: not the name of an object: s3://bucket/key",
			"https://bucket/key": "https://bucket/key: not the name of an object: s3://bucket/key",
		} {
			s.Take()
			_, err := s.client.Open(t.Context(), name)
			if log, _ := s.Take(); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(log) > 2 {
				t.Errorf("%s: %v after %q", name, err, log)
			}
			if missing := strings.Contains(want, "404"); missing != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v is fs.ErrNotExist: %v", name, err, !missing)
			}
		}
		// S3 says that it has no last bytes; versitygw that there are none.
		f, err := s.client.Open(t.Context(), "s3://bucket/empty")
		if err != nil && !strings.HasPrefix(err.Error(), "s3://bucket/empty: bytes 0-0: 416 ") || err == nil && f.Size() != 0 {
			t.Error(err)
		}
		failing := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{}, errors.New("the token\nof the web identity has expired")
		})
		c := s.with(t, Options{Client: s3.New(s.direct.Options(), func(o *s3.Options) { o.Credentials = failing })})
		_, err = c.Open(t.Context(), "s3://bucket/x")
		if err == nil || !strings.HasPrefix(err.Error(), "s3://bucket/x: last ") || !strings.HasSuffix(err.Error(), " bytes: no credentials: the token of the web identity has expired") || !errors.Is(err, ErrNoCredentials) {
			t.Error(err)
		}
		_, err = c.List(t.Context(), "s3://bucket/*")
		if err == nil || err.Error() != "s3://bucket/*: listing: no credentials: the token of the web identity has expired" || !errors.Is(err, ErrNoCredentials) {
			t.Error(err)
		}
	})
}

// What requests take is known of an object before its first request: from others, or as a guess.
func TestTraits(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		s.put(t, "a", make([]byte, 3<<20))
		a, b := s.open(t, "a"), s.open(t, "a")
		guess := fetch.Traits{Latency: firstLatency, Bandwidth: 16 * firstBandwidth}
		for _, f := range []*File{a, b} {
			got := f.Traits()
			if id := got.Identity; id.Name != "s3://bucket/a" || id.Size != 3<<20 || !strings.HasPrefix(id.Tag, `"`) || !id.Modified.IsZero() {
				t.Errorf("identity %+v", id)
			}
			if got.Identity = (fetch.Identity{}); got != guess {
				t.Errorf("before a request: %+v", got)
			}
		}
		if _, err := fetch.ReadRange(t.Context(), a, fetch.Range{Len: 2 << 20}, nil); err != nil {
			t.Fatal(err)
		}
		of := a.Traits()
		if of.Latency == firstLatency || of.Bandwidth == guess.Bandwidth || of.Bandwidth <= 0 {
			t.Errorf("after a request: %+v", of)
		}
		if got := b.Traits(); got.Latency != of.Latency || got.Bandwidth/16 != of.Bandwidth/16 {
			t.Errorf("of another object: %+v, not %+v", got, of)
		}
		opened, err := s.client.Open(t.Context(), "s3://bucket/a")
		if err != nil || opened.Traits().Identity != of.Identity {
			t.Errorf("opened by name: %+v, not %+v: %v", opened.Traits().Identity, of.Identity, err)
		}
	})
}
