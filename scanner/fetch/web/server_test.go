package web

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// server serves one file, as Go's http.ServeContent does, and keeps the Range headers of its
// requests. respond, if it is set, may answer instead: then it returns true.
type server struct {
	*httptest.Server
	data     []byte
	etag     string
	modified time.Time
	respond  func(w http.ResponseWriter, r *http.Request) bool

	mu  sync.Mutex
	log []string
}

func serve(t *testing.T, size int) *server {
	s := &server{data: make([]byte, size), etag: `"v1"`}
	random := rand.NewChaCha8([32]byte{byte(size)})
	_, _ = random.Read(s.data)
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.log = append(s.log, r.Method+" "+r.Header.Get("Range"))
	s.mu.Unlock()
	if s.respond != nil && s.respond(w, r) {
		return
	}
	s.content(w, r)
}

func (s *server) content(w http.ResponseWriter, r *http.Request) {
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	http.ServeContent(w, r, "", s.modified, bytes.NewReader(s.data))
}

// requests returns the requests since the last call, in order of their ranges.
func (s *server) requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	slices.Sort(log)
	return strings.ReplaceAll(strings.Join(log, ", "), "GET bytes=", "")
}

// open opens the server's file, with a few options of the test.
func (s *server) open(t *testing.T, o Options) *File {
	t.Helper()
	f, err := Open(t.Context(), s.URL+"/x.parquet", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
