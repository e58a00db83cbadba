package s3scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/adapters/s3/internal/proxy"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// refuse answers as S3 does: with the reason as XML. Waits are short, as the answer says so.
func refuse(w http.ResponseWriter, status int, code, message string) bool {
	w.Header().Set("Content-Type", "application/xml")
	if status >= 500 {
		w.Header().Set("Retry-After", "0")
	}
	w.WriteHeader(status)
	if code != "" {
		fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code><Message>%s</Message><RequestId>7</RequestId></Error>", code, message)
	}
	return true
}

// What may go wrong with a request once an object is open, and what becomes of it.
func TestFaults(t *testing.T) {
	const again = "1000-1099, 1000-1099" // the same request, twice
	for _, tc := range []struct {
		name     string
		answer   func(s *store, w http.ResponseWriter, r *http.Request, n int) bool
		requests string
		err      string
		kind     error
	}{
		{"SlowDown, then well", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			return n == 0 && refuse(w, 503, "SlowDown", "Please reduce your request rate.")
		}, again, "", nil},
		{"SlowDown", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			return refuse(w, 503, "SlowDown", "Please reduce your request rate.")
		}, again + ", 1000-1099", "503 Service Unavailable: SlowDown: Please reduce your request rate, after 3 attempts", nil},
		{"SlowDown for an hour", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(503)
			return true
		}, "1000-1099", "503 Service Unavailable: ServiceUnavailable: Service Unavailable; the server asks to wait 1h0m0s", nil},
		{"a page of a gateway, then well", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			if n == 0 {
				w.WriteHeader(502)
				fmt.Fprint(w, "<html><body>Bad gateway & more")
			}
			return n == 0
		}, again, "", nil},
		{"a timeout, then well", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			return n == 0 && refuse(w, 400, "RequestTimeout", "Your socket connection was idle.")
		}, again, "", nil},
		{"a wrong clock, then well", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			return n == 0 && refuse(w, 403, "RequestTimeTooSkewed", "The difference is too large.")
		}, again, "", nil},
		{"cut, then well", func(s *store, w http.ResponseWriter, r *http.Request, n int) bool {
			if n == 0 {
				s.Cut(w, r, 40)
			}
			return false
		}, "1000-1099, 1040-1099", "", nil},
		{"always cut", func(s *store, w http.ResponseWriter, r *http.Request, n int) bool {
			s.Cut(w, r, 10)
			return true
		}, "1000-1099, 1010-1099, 1020-1099", "bytes 1020-1099: 206 Partial Content: unexpected EOF, after 3 attempts", io.ErrUnexpectedEOF},
		{"no response, then well", func(_ *store, _ http.ResponseWriter, _ *http.Request, n int) bool {
			if n == 0 {
				panic(http.ErrAbortHandler)
			}
			return false
		}, again, "", nil},
		{"expired credentials", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			return refuse(w, 400, "ExpiredToken", "The provided token has expired.")
		}, "1000-1099", "400 Bad Request: ExpiredToken: The provided token has expired", nil},
		{"no permission", func(_ *store, w http.ResponseWriter, _ *http.Request, n int) bool {
			return refuse(w, 403, "AccessDenied", "User is not authorized\n\tto perform: s3:GetObject")
		}, "1000-1099", "403 Forbidden: AccessDenied: User is not authorized to perform: s3:GetObject", fs.ErrPermission},
		{"removed", func(s *store, _ http.ResponseWriter, _ *http.Request, n int) bool {
			s.remove("x")
			return false
		}, "1000-1099", "404 Not Found: NoSuchKey", fs.ErrNotExist},
		{"replaced", func(s *store, _ http.ResponseWriter, _ *http.Request, n int) bool {
			_ = s.replace("x", make([]byte, 300_000))
			return false
		}, "1000-1099", "the file has changed while it was read", fetch.ErrChanged},
		{"replaced, as S3 says it", func(s *store, w http.ResponseWriter, r *http.Request, n int) bool {
			if !strings.HasPrefix(r.Header.Get("If-Match"), `"`) {
				return refuse(w, 400, "Test", "No If-Match.")
			}
			return refuse(w, 412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
		}, "1000-1099", "412 Precondition Failed: the file has changed while it was read", fetch.ErrChanged},
		{"replaced after a cut", func(s *store, w http.ResponseWriter, r *http.Request, n int) bool {
			if n == 0 {
				s.Cut(w, r, 40)
			}
			_ = s.replace("x", make([]byte, 300_000))
			return false
		}, "1000-1099, 1040-1099", "the file has changed while it was read", fetch.ErrChanged},
		{"shorter", func(s *store, w http.ResponseWriter, r *http.Request, n int) bool {
			_ = s.replace("x", make([]byte, 10))
			return false
		}, "1000-1099", "the file has changed while it was read", fetch.ErrChanged},
		{"another region, then well", func(_ *store, w http.ResponseWriter, r *http.Request, n int) bool {
			if n > 0 && !strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/s3/") {
				return refuse(w, 400, "AuthorizationHeaderMalformed", r.Header.Get("Authorization"))
			}
			w.Header().Set("X-Amz-Bucket-Region", "eu-west-1")
			return n == 0 && refuse(w, 301, "PermanentRedirect", "The bucket must be addressed using another endpoint.") ||
				refuse(w, 418, "Enough", "The region is right.")
		}, again, "418 I'm a teapot: Enough: The region is right", nil},
	} {
		t.Run(strings.ReplaceAll(tc.name, " ", "_"), func(t *testing.T) {
			eachStore(t, func(t *testing.T, s *store) {
				data := bytes.Repeat([]byte("0123456789abcde"), 20_000)
				s.put(t, "x", data)
				f, err := s.with(t, Options{Attempts: 3}).Open(t.Context(), "s3://bucket/x")
				if err != nil {
					t.Fatal(err)
				}
				defer f.client.Close()
				s.Take()
				s.SetAnswer(func(n int, w http.ResponseWriter, r *http.Request) bool { return tc.answer(s, w, r, n) })
				b, err := fetch.ReadRange(t.Context(), f, fetch.Range{Off: 1000, Len: 100}, nil)
				log, _ := s.Take()
				requests := strings.ReplaceAll(strings.Join(log, ", "), "GET /bucket/x bytes=", "")
				if requests != tc.requests {
					t.Errorf("requests %s, want %s", requests, tc.requests)
				}
				if tc.err == "" {
					if err != nil || !bytes.Equal(b, data[1000:1100]) {
						t.Errorf("%.20q, %v", b, err)
					}
					return
				}
				if err == nil || !strings.HasPrefix(err.Error(), "s3://bucket/x: bytes ") || !strings.Contains(err.Error(), ": "+tc.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v, want %s", err, tc.err)
				}
				if tc.kind != nil && !errors.Is(err, tc.kind) {
					t.Errorf("%v is not %v", err, tc.kind)
				}
			})
		})
	}
}

// fault is something that happens to one request of a scan, or from it on to all.
type fault struct {
	name    string
	lasting bool
	answer  func(s *store, key string, w http.ResponseWriter, r *http.Request) bool
	err     string // how the error ends; "": there is none
}

// Each request of a scan fails, or all from some request on: the rows are right, or the error names
// the object and the range. An object that is replaced is an error.
func TestFaultSweep(t *testing.T) {
	slowDown := func(_ *store, _ string, w http.ResponseWriter, _ *http.Request) bool {
		return refuse(w, 503, "SlowDown", "Please reduce your request rate.")
	}
	cut := func(s *store, _ string, w http.ResponseWriter, r *http.Request) bool {
		s.Cut(w, r, 50)
		return true
	}
	none := func(*store, string, http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
	expired := func(_ *store, _ string, w http.ResponseWriter, _ *http.Request) bool {
		return refuse(w, 400, "ExpiredToken", "The provided token has expired.")
	}
	replaced := func(s *store, key string, _ http.ResponseWriter, _ *http.Request) bool {
		_ = s.replace(key, make([]byte, 600_000))
		return false
	}
	faults := []fault{
		{"SlowDown", false, slowDown, ""},
		{"cut", false, cut, ""},
		{"no response", false, none, ""},
		{"SlowDown", true, slowDown, "503 Service Unavailable: SlowDown: Please reduce your request rate, after 2 attempts"},
		{"cut", true, cut, "206 Partial Content: unexpected EOF, after 2 attempts"},
		{"no response", true, none, "after 2 attempts"},
		{"expired", true, expired, "400 Bad Request: ExpiredToken: The provided token has expired"},
		{"replaced", true, replaced, fetch.ErrChanged.Error()},
	}
	eachStore(t, func(t *testing.T, s *store) {
		data := sample(t, "lineitems.parquet")
		var sweeps sync.WaitGroup
		for _, q := range queries(t) {
			want := localRows(t, data, q.options)
			for _, f := range faults {
				own := s.beside(t)
				sweeps.Go(func() {
					f.sweep(t, own, q, data, want, false)
					if f.name != "replaced" { // before it is opened, it may be
						f.sweep(t, own, q, data, want, true)
					}
					own.client.Close()
					own.Close()
					own.CloseIdle()
				})
			}
		}
		sweeps.Wait()
	})
}

// sweep has the n-th request of a scan fail, for every n.
func (f *fault) sweep(t *testing.T, s *store, q query, data []byte, want []string, byName bool) {
	key := strings.ReplaceAll(fmt.Sprint(q.name, f.name, f.lasting), " ", "-")
	at := 0
	for reached := true; reached && !(byName && at > 1); at++ { // until a scan is over before that request
		s.SetAnswer(nil)
		s.Quiet()
		if err := s.replace(key, data); err != nil {
			t.Error(err)
			return
		}
		objects, err := s.client.List(t.Context(), "s3://bucket/"+key+"*")
		if err != nil || len(objects) != 1 {
			t.Error(objects, err)
			return
		}
		object := objects[0]
		if byName {
			object = Object{Bucket: "bucket", Key: key}
		}
		s.Take()
		var hit atomic.Bool
		s.SetAnswer(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n != at && (n < at || !f.lasting) {
				return false
			}
			hit.Store(true)
			return f.answer(s, key, w, r)
		})
		got, err := s.scan(t.Context(), object, q.options)
		reached = hit.Load()
		what := fmt.Sprintf("%s, %s, request %d", q.name, f.name, at)
		switch {
		case !reached || f.err == "":
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %d lines, want %d: %v", what, len(got), len(want), err)
			}
		case err == nil: // nobody waited for what failed
			if at == 0 || !slices.Equal(got, want) {
				t.Errorf("%s: no error, %d lines, want %d", what, len(got), len(want))
			}
		case strings.Count(err.Error(), object.Name()) != 1 || !strings.Contains(err.Error(), ": bytes ") && !strings.Contains(err.Error(), " bytes: ") || !strings.HasSuffix(err.Error(), f.err) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: %v", what, err)
		case f.name == "replaced" && !errors.Is(err, scanner.ErrChanged):
			t.Errorf("%s: %v is not scanner.ErrChanged", what, err)
		}
	}
	if at < 3 && !byName { // opening by name is all that differs
		t.Errorf("%s, %s: only %d requests", q.name, f.name, at-1)
	}
}

// scan opens an object and returns its rows.
func (s *store) scan(ctx context.Context, object Object, o scanner.Options) ([]string, error) {
	src, err := s.client.OpenObject(ctx, object)
	if err != nil {
		return nil, err
	}
	file, err := scanner.OpenSource(ctx, object.Name(), src)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return rowsOf(ctx, file, o)
}

// A store that sends nothing is asked again; a scan whose context ends does not wait for it.
func TestStall(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store) {
		s.put(t, "x", sample(t, "orders.parquet"))
		f, err := s.with(t, Options{Attempts: 2, Timeout: 200 * time.Millisecond}).Open(t.Context(), "s3://bucket/x")
		if err != nil {
			t.Fatal(err)
		}
		defer f.client.Close()
		s.Take()
		stall := func(n int, _ http.ResponseWriter, r *http.Request) bool {
			if n < 2 {
				<-r.Context().Done()
			}
			return n < 2
		}
		s.SetAnswer(stall)
		_, err = fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil)
		if err == nil || err.Error() != "s3://bucket/x: bytes 0-9: the server sends nothing for 200ms, after 2 attempts" {
			t.Error(err)
		}
		s.Take()
		if objects, err := f.client.List(t.Context(), "s3://bucket/*"); err == nil || !strings.HasPrefix(err.Error(), "s3://bucket/*: listing: net/http: timeout") {
			t.Errorf("a listing: %v, %v", objects, err)
		}
		s.Take()
		ctx, cancel := context.WithCancelCause(t.Context())
		enough := errors.New("enough")
		time.AfterFunc(50*time.Millisecond, func() { cancel(enough) })
		s.SetAnswer(proxy.Answer(func(_ int, _ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}))
		if _, err := fetch.ReadRange(ctx, s.open(t, "x"), fetch.Range{Len: 10}, nil); !errors.Is(err, enough) {
			t.Errorf("a read: %v", err)
		}
		if _, err := s.client.List(ctx, "s3://bucket/*"); !errors.Is(err, enough) {
			t.Errorf("a listing: %v", err)
		}
	})
}
