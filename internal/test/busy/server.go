package busy

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Server is a handler that lets reads of ranges wait for one of its workers, each of which takes Latency and the
// time of the bytes at Bandwidth. It must not be copied.
type Server struct {
	Workers   int
	Latency   time.Duration
	Bandwidth int64 // bytes a second
	Size      int64 // of the file, in which the last bytes are counted

	// Most is how many requests the server accepts at a time; 0: any. It refuses others with status 429, and each
	// eighth with 503 and a second in Retry-After.
	Most int64

	Next http.Handler

	once    sync.Once
	workers chan bool
	now     atomic.Int64

	mu    sync.Mutex
	taken Taken
}

// Taken is what a Server has been asked for.
type Taken struct {
	Requests, Refused int
	Bytes             int64 // of those that were not refused
}

// Take returns what the server was asked for since the last Take.
func (s *Server) Take() Taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.taken = Taken{} }()
	return s.taken
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var first, last int64
	span := strings.TrimPrefix(r.Header.Get("Range"), "bytes=")
	if n, _ := fmt.Sscanf(span, "%d-%d", &first, &last); n == 1 {
		first, last = max(s.Size+first, 0), s.Size-1 // the last bytes
	} else if n == 0 {
		s.Next.ServeHTTP(w, r)
		return
	}
	defer s.now.Add(-1)
	if now := s.now.Add(1); s.Most > 0 && now > s.Most {
		s.refuse(w)
		return
	}
	s.once.Do(func() { s.workers = make(chan bool, s.Workers) })
	bytes := last - first + 1
	s.mu.Lock()
	s.taken.Requests++
	s.taken.Bytes += bytes
	s.mu.Unlock()
	s.workers <- true
	defer func() { <-s.workers }()
	time.Sleep(s.Latency + time.Duration(float64(bytes)/float64(s.Bandwidth)*1e9))
	s.Next.ServeHTTP(w, r)
}

func (s *Server) refuse(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken.Refused++; s.taken.Refused%8 != 0 {
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
}
