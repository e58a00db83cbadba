package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// What a server may do wrong once a file is open, and what becomes of it.
func TestFaults(t *testing.T) {
	part := func(w http.ResponseWriter, contentRange string, body []byte) bool {
		w.Header().Set("Content-Range", contentRange)
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(body)
		return true
	}
	chunked := func(w http.ResponseWriter, contentRange string, body []byte) bool {
		w.Header().Set("Content-Range", contentRange)
		w.WriteHeader(http.StatusPartialContent)
		w.(http.Flusher).Flush()
		_, _ = w.Write(body)
		return true
	}
	status := func(w http.ResponseWriter, code int, header ...string) bool {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		return true
	}
	const again = "1000-1099, 1000-1099" // the same request, twice
	for _, tc := range []struct {
		name     string
		respond  func(s *server, w http.ResponseWriter, n int) bool // to the n-th request, from 0
		requests string
		err      string
		kind     error
	}{
		{"503, then well", func(_ *server, w http.ResponseWriter, n int) bool {
			return n == 0 && status(w, 503, "Retry-After", "0")
		}, again, "", nil},
		{"429 with a date, then well", func(_ *server, w http.ResponseWriter, n int) bool {
			return n == 0 && status(w, 429, "Retry-After", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		}, again, "", nil},
		{"500, always", func(_ *server, w http.ResponseWriter, n int) bool { return status(w, 500, "Retry-After", "0") },
			again + ", 1000-1099", "500 Internal Server Error: the server refuses the request, after 3 attempts", nil},
		{"503 for an hour", func(_ *server, w http.ResponseWriter, n int) bool { return status(w, 503, "Retry-After", "3600") },
			"1000-1099", "503 Service Unavailable: the server refuses the request; the server asks to wait 1h0m0s", nil},
		{"cut, then well", func(s *server, w http.ResponseWriter, n int) bool {
			if n > 0 {
				return false
			}
			w.Header().Set("Content-Length", "100")
			return part(w, "bytes 1000-1099/300000", s.data[1000:1040])
		}, "1000-1099, 1040-1099", "", nil},
		{"cut three times", func(s *server, w http.ResponseWriter, n int) bool {
			return chunked(w, fmt.Sprintf("bytes %d-1099/300000", 1000+n), s.data[1000+n:1001+n])
		}, "1000-1099, 1001-1099, 1002-1099", "bytes 1002-1099: 206 Partial Content: unexpected EOF, after 3 attempts", io.ErrUnexpectedEOF},
		{"another range", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 1001-1100/300000", s.data[1001:1101])
		}, "1000-1099", "206 Partial Content: the server sent bytes 1001-1100", nil},
		{"a shorter range", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 1000-1098/300000", s.data[1000:1099])
		}, "1000-1099", "206 Partial Content: the server sent bytes 1000-1098", nil},
		{"a longer length", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 1000-1099/300000", s.data[1000:1101])
		}, "1000-1099", "206 Partial Content: a response of 101 bytes for 100", nil},
		{"a longer body", func(s *server, w http.ResponseWriter, n int) bool {
			return chunked(w, "bytes 1000-1099/300000", s.data[1000:1101])
		}, "1000-1099", "206 Partial Content: the server sent more bytes than the range has", nil},
		{"an unknown size", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 1000-1099/*", s.data[1000:1100])
		}, "1000-1099", "", nil},
		{"no range", func(s *server, w http.ResponseWriter, n int) bool {
			w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
			return part(w, "", s.data[1000:1100])
		}, "1000-1099", `206 Partial Content: Content-Range "" in the response`, nil},
		{"a nonsense range", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 1000-+1099/300000", s.data[1000:1100])
		}, "1000-1099", `206 Partial Content: Content-Range "bytes 1000-+1099/300000" in the response`, nil},
		{"a range without end", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 0-9223372036854775807/9223372036854775807", nil)
		}, "1000-1099", `206 Partial Content: Content-Range "bytes 0-9223372036854775807/9223372036854775807" in the response`, nil},
		{"another size", func(s *server, w http.ResponseWriter, n int) bool {
			return part(w, "bytes 1000-1099/300001", s.data[1000:1100])
		}, "1000-1099", "206 Partial Content: the file has changed while it was read", fetch.ErrChanged},
		{"another ETag", func(s *server, w http.ResponseWriter, n int) bool {
			w.Header().Set("ETag", `"v2"`)
			return part(w, "bytes 1000-1099/300000", s.data[1000:1100])
		}, "1000-1099", "206 Partial Content: the file has changed while it was read", fetch.ErrChanged},
		{"another ETag after a cut", func(s *server, w http.ResponseWriter, n int) bool {
			if n == 0 {
				w.Header().Set("Content-Length", "100")
				return part(w, "bytes 1000-1099/300000", s.data[1000:1040])
			}
			s.etag = `"v2"`
			return false
		}, "1000-1099, 1040-1099", "bytes 1040-1099: 412 Precondition Failed: the file has changed while it was read", fetch.ErrChanged},
		{"the whole of another file", func(s *server, w http.ResponseWriter, n int) bool {
			return status(w, 200, "ETag", `"v2"`)
		}, "1000-1099", "200 OK: the file has changed while it was read", fetch.ErrChanged},
		{"not so long any more", func(s *server, w http.ResponseWriter, n int) bool {
			return status(w, 416, "Content-Range", "bytes */10")
		}, "1000-1099", "416 Requested Range Not Satisfiable: the file has changed while it was read", fetch.ErrChanged},
		{"a range refused", func(s *server, w http.ResponseWriter, n int) bool {
			return status(w, 416, "Content-Range", "bytes */300000")
		}, "1000-1099", "416 Requested Range Not Satisfiable: the server refuses the request", nil},
		{"no ranges", func(s *server, w http.ResponseWriter, n int) bool {
			return status(w, 200, "ETag", `"v1"`, "Content-Length", "300000")
		}, "1000-1099", "200 OK: the server does not serve ranges of bytes", ErrNoRanges},
		{"gone", func(s *server, w http.ResponseWriter, n int) bool { return status(w, 404) },
			"1000-1099", "404 Not Found: file does not exist", fs.ErrNotExist},
	} {
		s := serve(t, 300_000)
		f := s.open(t, Options{Attempts: 3})
		s.requests()
		var n atomic.Int64
		s.respond = func(w http.ResponseWriter, r *http.Request) bool { return tc.respond(s, w, int(n.Add(1))-1) }
		told := 0
		ctx := fetch.OnRefusal(t.Context(), func() { told++ })
		b, err := fetch.ReadRange(ctx, f, fetch.Range{Off: 1000, Len: 100}, nil)
		if log := s.requests(); log != tc.requests {
			t.Errorf("%s: requests %s", tc.name, log)
		}
		if busy := strings.Contains(tc.name, "503") || strings.Contains(tc.name, "429"); busy != (told == 1) {
			t.Errorf("%s: told of %d refusals", tc.name, told)
		}
		if tc.err == "" {
			if err != nil || !bytes.Equal(b, s.data[1000:1100]) {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		want := s.URL + "/x.parquet: bytes 1000-1099: " + tc.err
		if strings.HasPrefix(tc.err, "bytes ") {
			want = s.URL + "/x.parquet: " + tc.err
		}
		if err == nil || err.Error() != want || tc.kind != nil && !errors.Is(err, tc.kind) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if _, err := f.ReadRanges(t.Context(), []fetch.Range{{Off: 299_999, Len: 1}}, nil); errors.Is(err, fetch.ErrChanged) != (tc.kind == fetch.ErrChanged) {
			t.Errorf("%s: later reads: %v", tc.name, err)
		}
	}
}

// A file is requested in the state that it had at opening, as far as its server tells one.
func TestConditions(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		etag      string
		modified  time.Time
		condition string
	}{
		{`"v1"`, at, `If-Match "v1"`},
		{`W/"v1"`, at, "If-Unmodified-Since Thu, 29 Feb 2024 12:00:00 GMT"},
		{"", at, "If-Unmodified-Since Thu, 29 Feb 2024 12:00:00 GMT"},
		{`W/"v1"`, time.Time{}, ""},
		{"", time.Time{}, ""},
	} {
		s := serve(t, 300_000)
		s.etag, s.modified = tc.etag, tc.modified
		f := s.open(t, Options{Header: http.Header{"If-Match": {"x"}, "Range": {"x"}, "Accept-Encoding": {"gzip"}, "X": {"y"}}})
		if id := f.Traits().Identity; id.Tag != tc.etag || !id.Modified.Equal(tc.modified) || id.Size != 300_000 {
			t.Errorf("%+v", id)
		}
		conditions := make(chan string, 1)
		s.respond = func(w http.ResponseWriter, r *http.Request) bool {
			got := ""
			for _, name := range []string{"If-Match", "If-Unmodified-Since", "If-Range", "If-None-Match"} {
				if v := r.Header.Get(name); v != "" {
					got += name + " " + v
				}
			}
			if r.Header.Get("Accept-Encoding") != "identity" || r.Header.Get("X") != "y" {
				t.Errorf("headers %v", r.Header)
			}
			conditions <- got
			return false
		}
		if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil); err != nil {
			t.Error(err)
		}
		if got := <-conditions; got != tc.condition {
			t.Errorf("%q, %v: %q, want %q", tc.etag, tc.modified, got, tc.condition)
		}
	}
}

// Retry-After is waited for.
func TestRetryAfter(t *testing.T) {
	s := serve(t, 300_000)
	f := s.open(t, Options{})
	var n atomic.Int64
	s.respond = func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) > 1 {
			return false
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	start := time.Now()
	if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil); err != nil || time.Since(start) < time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": -1, "soon": -1, "-1": -1, "99999999999": -1, "7": 7 * time.Second,
		"Thu, 29 Feb 2024 12:00:05 GMT": 5 * time.Second, "Thu, 29 Feb 2024 11:00:00 GMT": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

// A server that stops in the middle of a body is left for another request.
func TestStalls(t *testing.T) {
	s := serve(t, 300_000)
	f := s.open(t, Options{Timeout: 200 * time.Millisecond, Attempts: 2})
	s.requests()
	release := make(chan bool)
	defer close(release)
	var n atomic.Int64
	s.respond = func(w http.ResponseWriter, r *http.Request) bool {
		if n.Add(1) == 2 {
			return false
		}
		w.Header().Set("Content-Range", "bytes 1000-1099/300000")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(s.data[1000:1040])
		w.(http.Flusher).Flush()
		<-release
		return true
	}
	b, err := fetch.ReadRange(t.Context(), f, fetch.Range{Off: 1000, Len: 100}, nil)
	if log := s.requests(); err != nil || !bytes.Equal(b, s.data[1000:1100]) || log != "1000-1099, 1040-1099" {
		t.Errorf("%v, requests %s", err, log)
	}
	s.respond = func(http.ResponseWriter, *http.Request) bool {
		<-release
		return true
	}
	_, err = fetch.ReadRange(t.Context(), f, fetch.Range{Off: 1000, Len: 100}, nil)
	if err == nil || !strings.HasSuffix(err.Error(), "bytes 1000-1099: the server sends nothing for 200ms, after 2 attempts") {
		t.Error(err)
	}
}

// When a context ends, reads return its cause soon, and leave no goroutine: while they wait for a
// header, for a body, for a place among the requests, and for the next attempt.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	cause := errors.New("enough")
	for name, respond := range map[string]func(s *server, w http.ResponseWriter, r *http.Request){
		"header": func(s *server, w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"body": func(s *server, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", strings.Replace(r.Header.Get("Range"), "=", " ", 1)+"/3000000")
			w.WriteHeader(http.StatusPartialContent)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"attempt": func(s *server, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "50")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
	} {
		s := serve(t, 3_000_000)
		f := s.open(t, Options{Requests: 2})
		asked := make(chan bool, 100)
		s.respond = func(w http.ResponseWriter, r *http.Request) bool {
			asked <- true
			respond(s, w, r)
			return true
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error)
		ranges := []fetch.Range{{Len: 1}, {Off: 1e6, Len: 1}, {Off: 2e6, Len: 1}}
		for range 2 {
			go func() {
				_, err := f.ReadRanges(ctx, ranges, nil)
				done <- err
			}()
		}
		<-asked
		<-asked
		cancel(cause)
		start := time.Now()
		for range 2 {
			if err := <-done; !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: reads returned %v after the end", name, d)
		}
		if _, err := f.ReadRanges(ctx, nil, nil); !errors.Is(err, cause) {
			t.Errorf("%s: a read after the end: %v", name, err)
		}
		f.Close()
		s.Server.Close()
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A client of the host makes the requests: its failures are repeated where that may help, and its panics
// reach the caller.
func TestClient(t *testing.T) {
	s := serve(t, 3_000_000)
	fail := func() error { return nil }
	client := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if err := fail(); err != nil {
			return nil, err
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	f := s.open(t, Options{Client: client, Attempts: 2})
	var n atomic.Int64
	fail = func() error {
		if n.Add(1) == 1 {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
	if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil); err != nil || n.Load() != 2 {
		t.Errorf("%v after %d requests", err, n.Load())
	}
	n.Store(0)
	fail = func() error {
		n.Add(1)
		return &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}
	}
	var e *Error
	if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil); !errors.As(err, &e) || n.Load() != 1 {
		t.Errorf("%v after %d requests", err, n.Load())
	}
	fail = func() error { panic("host's") }
	defer func() {
		if cause := recover(); cause != "host's" {
			t.Errorf("recovered %v", cause)
		}
	}()
	_, err := f.ReadRanges(t.Context(), []fetch.Range{{Len: 1}, {Off: 1e6, Len: 1}}, nil)
	t.Errorf("no panic, but %v", err)
}
