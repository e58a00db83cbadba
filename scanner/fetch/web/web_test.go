package web

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Bytes of random ranges, in any order, are those of the file.
func TestReadRanges(t *testing.T) {
	s := serve(t, 3<<20)
	f := s.open(t, Options{})
	random := rand.New(rand.NewPCG(1, 2))
	for range dtest.Rounds(t, 60) {
		ranges := make([]fetch.Range, random.IntN(12))
		for i := range ranges {
			off := random.Int64N(f.Size() + 1)
			if random.IntN(3) == 0 {
				off = f.Size() - min(f.Size(), random.Int64N(3*tailSize)) // around the tail
			}
			ranges[i] = fetch.Range{Off: off, Len: min(random.Int64N(1<<random.IntN(20)), f.Size()-off)}
		}
		got, err := f.ReadRanges(t.Context(), ranges, func(n int) []byte { return make([]byte, n, n+8) })
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range ranges {
			if !bytes.Equal(got[i], s.data[r.Off:r.End()]) || cap(got[i]) < int(r.Len)+8 {
				t.Fatalf("range %v of %v is wrong", r, ranges)
			}
		}
	}
	_, err := f.ReadRanges(t.Context(), []fetch.Range{{Off: f.Size(), Len: 1}}, nil)
	if err == nil || !strings.Contains(err.Error(), "range 3145728+1 is not within") {
		t.Error(err)
	}
}

// The requests that ranges become: near ones joined, long ones cut, the tail from memory.
func TestRequests(t *testing.T) {
	const size = 20 << 20
	s := serve(t, size)
	f := s.open(t, Options{})
	if got := s.requests(); got != "-131072" {
		t.Errorf("opening: %s", got)
	}
	for _, tc := range []struct {
		ranges []fetch.Range
		want   string
	}{
		{nil, ""},
		{[]fetch.Range{{Off: 5}, {Off: size}}, ""},
		{[]fetch.Range{{Off: size - 8, Len: 8}, {Off: size - tailSize, Len: 9}}, ""},
		{[]fetch.Range{{Off: size - tailSize - 10, Len: 20}}, "20840438-20840447"},
		{[]fetch.Range{{Off: 0, Len: 10}, {Off: 10 + maxGap, Len: 10}}, "0-65555"},
		{[]fetch.Range{{Off: 0, Len: 10}, {Off: 11 + maxGap, Len: 10}}, "0-9, 65547-65556"},
		{[]fetch.Range{{Off: 100, Len: 50}, {Off: 0, Len: 200}, {Off: 100, Len: 50}}, "0-199"},
		{[]fetch.Range{{Off: 100, Len: 150}, {Off: 0, Len: 200}, {Off: 190, Len: 20}}, "0-249"},
		{[]fetch.Range{{Off: 0, Len: maxRequest}, {Off: maxRequest, Len: 1}}, "0-8388607, 8388608-8388608"},
		{[]fetch.Range{{Off: 1, Len: 2*maxRequest + 2}}, "1-5592406, 11184813-16777218, 5592407-11184812"},
	} {
		got, err := f.ReadRanges(t.Context(), tc.ranges, nil)
		if err != nil {
			t.Fatal(err)
		}
		if log := s.requests(); log != tc.want {
			t.Errorf("%v: requests %s, want %s", tc.ranges, log, tc.want)
		}
		for i, r := range tc.ranges {
			if !bytes.Equal(got[i], s.data[r.Off:r.End()]) {
				t.Errorf("range %v of %v is wrong", r, tc.ranges)
			}
		}
	}
	if tr := f.Traits(); tr.Latency <= 0 || tr.Bandwidth <= 0 || tr.ReadAhead() <= 0 {
		t.Errorf("%+v after many requests", tr)
	}
}

// A server that refuses HEAD, or ranges of last bytes, serves files all the same.
func TestOpen(t *testing.T) {
	status := func(code int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(code)
			return true
		}
	}
	suffix := func(answer func(s *server, w http.ResponseWriter, r *http.Request)) func(*server, http.ResponseWriter, *http.Request) bool {
		return func(s *server, w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.Header.Get("Range"), "bytes=-") {
				return false
			}
			answer(s, w, r)
			return true
		}
	}
	whole := func(s *server, w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Range")
		s.content(w, r)
	}
	for _, tc := range []struct {
		name     string
		size     int
		respond  func(s *server, w http.ResponseWriter, r *http.Request) bool
		requests string
		err      string // after the name
		kind     error
	}{
		{name: "usual", size: 200_000, requests: "-131072"},
		{name: "small", size: 10, requests: "-131072"},
		{name: "empty", size: 0, requests: "-131072, 0-0"}, // Go answers "bytes 0--1/0"
		{name: "empty, not satisfiable", size: 0, requests: "-131072, 0-0", respond: func(_ *server, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Content-Range", "bytes */0")
			return status(http.StatusRequestedRangeNotSatisfiable)(w, r)
		}},
		{name: "HEAD refused", size: 200_000, requests: "-131072", respond: func(s *server, w http.ResponseWriter, r *http.Request) bool {
			return r.Method == http.MethodHead && status(http.StatusMethodNotAllowed)(w, r)
		}},
		{name: "small, without ranges", size: 10, requests: "-131072", respond: func(s *server, w http.ResponseWriter, r *http.Request) bool {
			whole(s, w, r)
			return true
		}},
		{name: "suffix ignored", size: 200_000, respond: suffix(whole), requests: "-131072, 0-0"},
		{name: "suffix refused", size: 200_000, requests: "-131072, 0-0", respond: suffix(func(_ *server, w http.ResponseWriter, r *http.Request) {
			status(http.StatusBadRequest)(w, r)
		})},
		{name: "suffix not satisfiable", size: 200_000, requests: "-131072, 0-0", respond: suffix(func(_ *server, w http.ResponseWriter, r *http.Request) {
			status(http.StatusRequestedRangeNotSatisfiable)(w, r)
		})},
		{name: "suffix taken for a prefix", size: 200_000, requests: "-131072, 0-0", respond: suffix(func(s *server, w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Range", "bytes=0-65535")
			s.content(w, r)
		})},
		{name: "no ranges", size: 200_000, requests: "-131072, 0-0", respond: func(s *server, w http.ResponseWriter, r *http.Request) bool {
			whole(s, w, r)
			return true
		}, err: "bytes 0-0: 200 OK: the server does not serve ranges of bytes", kind: ErrNoRanges},
		{name: "not found", requests: "-131072", respond: func(_ *server, w http.ResponseWriter, r *http.Request) bool { return status(404)(w, r) },
			err: "404 Not Found: file does not exist", kind: fs.ErrNotExist},
		{name: "gone", requests: "-131072", respond: func(_ *server, w http.ResponseWriter, r *http.Request) bool { return status(410)(w, r) },
			err: "410 Gone: file does not exist", kind: fs.ErrNotExist},
		{name: "unauthorized", requests: "-131072", respond: func(_ *server, w http.ResponseWriter, r *http.Request) bool { return status(401)(w, r) },
			err: "401 Unauthorized: permission denied", kind: fs.ErrPermission},
		{name: "forbidden", requests: "-131072", respond: func(_ *server, w http.ResponseWriter, r *http.Request) bool { return status(403)(w, r) },
			err: "403 Forbidden: permission denied", kind: fs.ErrPermission},
		{name: "an unknown status", requests: "-131072", respond: func(_ *server, w http.ResponseWriter, r *http.Request) bool { return status(299)(w, r) },
			err: "last 131072 bytes: 299: the server refuses the request"},
		{name: "no size", size: 200_000, requests: "-131072, 0-0", respond: func(s *server, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Range", "bytes 0-0/*")
			w.WriteHeader(http.StatusPartialContent)
			return true
		}, err: "bytes 0-0: 206 Partial Content: the server does not state the size of the file"},
		{name: "gzip", size: 10, requests: "-131072", respond: func(s *server, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			return false
		}, err: `last 131072 bytes: 206 Partial Content: the bytes are encoded as "gzip", though identity was requested`},
	} {
		s := serve(t, tc.size)
		if tc.respond != nil {
			s.respond = func(w http.ResponseWriter, r *http.Request) bool { return tc.respond(s, w, r) }
		}
		f, err := Open(t.Context(), s.URL+"/x.parquet", Options{})
		if got := s.requests(); got != tc.requests {
			t.Errorf("%s: requests %s", tc.name, got)
		}
		if tc.err != "" {
			var e *Error
			if err == nil || err.Error() != s.URL+"/x.parquet: "+tc.err || tc.kind != nil && !errors.Is(err, tc.kind) || !errors.As(err, &e) {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		b, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: f.Size()}, nil)
		want := fetch.Identity{Name: s.URL + "/x.parquet", Size: int64(tc.size), Tag: `"v1"`}
		if err != nil || !bytes.Equal(b, s.data) || f.Traits().Identity != want || f.Traits().Latency <= 0 {
			t.Errorf("%s: %d bytes, %v, %+v", tc.name, len(b), err, f.Traits())
		}
		f.Close()
	}
}

// Names in errors, identities and the texts of causes have nothing that may be secret, and tell files
// apart whose queries differ.
func TestNames(t *testing.T) {
	s := serve(t, 100)
	names := map[string]bool{}
	for _, query := range []string{"", "?sig=SECRET", "?sig=SECRET2", "#SECRET"} {
		u := strings.Replace(s.URL, "//", "//user:SECRET@", 1) + "/a%20b.parquet" + query
		f, err := Open(t.Context(), u, Options{})
		if err != nil {
			t.Fatal(err)
		}
		names[f.Traits().Identity.Name] = true
		f.Close()
	}
	if len(names) != 3 || !names[s.URL+"/a%20b.parquet"] {
		t.Errorf("names %v", names)
	}
	f := s.open(t, Options{Name: "orders"})
	if got := f.Traits().Identity; !got.Known() || got.Name != "orders" {
		t.Errorf("%+v", got)
	}
	s.respond = func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/404":
			http.NotFound(w, r)
		case "/loop":
			http.Redirect(w, r, "http://x:SECRET@"+r.Host+"/loop?SECRET", http.StatusFound)
		case "/location":
			w.Header().Set("Location", "http://u:SECRET@[::1/?SECRET")
			w.WriteHeader(http.StatusFound)
		}
		return true
	}
	for u, want := range map[string]string{
		s.URL + "/404?SECRET":                  "404 Not Found",
		s.URL + "/loop?SECRET":                 "more than 10 redirects",
		s.URL + "/location?SECRET":             "failed to parse Location header",
		"s3://SECRET/x":                        "the given text: not an http or https URL",
		"http://u:SECRET@:x/":                  "the given text: not an http or https URL",
		"http:///SECRET":                       "the given text: not an http or https URL",
		"http://u:SECRET@127.0.0.1:1/x?SECRET": "connection refused, after 2 attempts",
	} {
		_, err := Open(t.Context(), u, Options{Attempts: 2})
		if err == nil || strings.Contains(err.Error(), "SECRET") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", u, err)
		}
	}
}

// Requests of one call run at once, but not too many.
func TestRequestsAtOnce(t *testing.T) {
	s := serve(t, 2<<20)
	f := s.open(t, Options{Requests: 3})
	var now, most atomic.Int64
	s.respond = func(w http.ResponseWriter, r *http.Request) bool {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(20 * time.Millisecond)
		now.Add(-1)
		return false
	}
	var ranges []fetch.Range
	for i := range 9 {
		ranges = append(ranges, fetch.Range{Off: int64(i) * 200_000, Len: 10})
	}
	done := make(chan error)
	for range 2 {
		go func() {
			got, err := f.ReadRanges(t.Context(), ranges, nil)
			for i, r := range ranges {
				if err == nil && !bytes.Equal(got[i], s.data[r.Off:r.End()]) {
					err = errors.New("wrong bytes")
				}
			}
			done <- err
		}()
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	if most.Load() != 3 {
		t.Errorf("%d requests at once", most.Load())
	}
}

// A redirect is followed once, and again when its target refuses. Headers of the host do not
// go to another server, if they have credentials.
func TestRedirect(t *testing.T) {
	store := serve(t, 300_000)
	front := serve(t, 0)
	var tickets atomic.Int64
	front.respond = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "Bearer SECRET" {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		http.Redirect(w, r, strings.Replace(store.URL, "127.0.0.1", "localhost", 1)+"/?"+strconv.FormatInt(tickets.Add(1), 10), http.StatusFound)
		return true
	}
	store.respond = func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.Header.Get("Authorization") != "" || r.Header.Get("Referer") != "":
			t.Errorf("the second server learns of the first: %v", r.Header)
		case r.URL.RawQuery != strconv.FormatInt(tickets.Load(), 10):
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	}
	f, err := Open(t.Context(), front.URL+"/x?SECRET", Options{Header: http.Header{"Authorization": {"Bearer SECRET"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []string
	for i := range 4 {
		if i == 2 {
			tickets.Add(1) // the last ticket is no longer good
		}
		r := fetch.Range{Off: int64(i), Len: 10}
		b, err := fetch.ReadRange(t.Context(), f, r, nil)
		if err != nil || !bytes.Equal(b, store.data[r.Off:r.End()]) {
			t.Fatal(err)
		}
		all = append(all, "front "+front.requests()+"; store "+store.requests())
	}
	want := []string{
		"front -131072; store -131072, 0-9", "front ; store 1-10",
		"front 2-11; store 2-11, 2-11", "front ; store 3-12",
	}
	if !slices.Equal(all, want) {
		t.Errorf("requests\n%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
}

// Words of a server in errors are quoted, cut, and on one line.
func TestForeignWords(t *testing.T) {
	s := serve(t, 1000)
	long := strings.Repeat("x", 20_000)
	for name, respond := range map[string]func(h http.Header) int{
		"a malformed Location": func(h http.Header) int { h.Set("Location", "http://[::bad%zz"+long); return 302 },
		"a scheme nobody has":  func(h http.Header) int { h.Set("Location", long+"\u202e://x"); return 302 },
		"a control character":  func(h http.Header) int { h.Set("Location", "http://a\x01\n"+long); return 302 },
		"no Location":          func(http.Header) int { return 302 },
		"a Location of HTML":   func(h http.Header) int { h.Set("Location", ":"+strings.Repeat("<b>\t", 5000)); return 307 },
		"an encoding":          func(h http.Header) int { h.Set("Content-Encoding", long); return 206 },
		"a range":              func(h http.Header) int { h.Set("Content-Range", long); return 206 },
	} {
		s.respond = func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(respond(w.Header()))
			return true
		}
		_, err := Open(t.Context(), s.URL, Options{Attempts: 1})
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		text := err.Error()
		if len(text) > 500 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.Contains(text, long[:400]) {
			t.Errorf("%s: %q", name, text)
		}
		if strings.HasPrefix(name, "a malformed") && !strings.Contains(text, `Location header "http://[::bad`) {
			t.Errorf("%s: %q is not quoted", name, text)
		}
	}
}

// Over TLS, a certificate that nobody vouches for is refused at once, and so is a redirect to
// plain HTTP.
func TestTLS(t *testing.T) {
	plain := serve(t, 100_000)
	s := serve(t, 100_000)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	var certificate *tls.CertificateVerificationError
	if _, err := Open(t.Context(), secure.URL, Options{Attempts: 3}); !errors.As(err, &certificate) || strings.Contains(err.Error(), "attempts") {
		t.Errorf("an unknown certificate: %v", err)
	}
	client := NewClient()
	client.Transport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	defer client.CloseIdleConnections()
	f, err := Open(t.Context(), secure.URL, Options{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: f.Size()}, nil); err != nil || !bytes.Equal(b, s.data) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	s.respond = func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, plain.URL, http.StatusFound)
		return true
	}
	_, err = Open(t.Context(), secure.URL, Options{Client: client})
	if err == nil || !strings.HasSuffix(err.Error(), ": a redirect from https to http") || plain.requests() != "" {
		t.Errorf("a redirect to plain HTTP: %v", err)
	}
}
