package proxy

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Proxy is an HTTP server in front of another one.
type Proxy struct {
	*httptest.Server

	// Latency passes before a request goes on. It must not change while there are requests.
	Latency time.Duration

	forward *httputil.ReverseProxy
	sent    atomic.Int64 // bytes of bodies to clients
	active  atomic.Int64 // requests that are not answered yet

	mu     sync.Mutex
	answer Answer
	log    []string
}

// Answer answers the n-th request since Take, from 0, and reports whether it did: else the store does.
type Answer func(n int, w http.ResponseWriter, r *http.Request) bool

// New returns a proxy for the server at a URL.
func New(target string) (*Proxy, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	p := &Proxy{}
	p.forward = &httputil.ReverseProxy{
		// The host stays: it is signed.
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(u); r.Out.Host = r.In.Host },
		Transport: &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(p.serve))
	p.Start()
	return p, nil
}

// SetAnswer has requests from now on answered, or not.
func (p *Proxy) SetAnswer(a Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = a
}

// Take returns the requests since the last Take, "GET /bucket/key bytes=0-9", and the bytes that
// answered them.
func (p *Proxy) Take() (requests []string, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	requests, p.log = p.log, nil
	return requests, p.sent.Swap(0)
}

// Quiet returns when no request is under way: clients may have left some.
func (p *Proxy) Quiet() {
	for p.active.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
}

// CloseIdle closes the proxy's own connections to the store that are not in use.
func (p *Proxy) CloseIdle() { p.forward.Transport.(*http.Transport).CloseIdleConnections() }

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	p.active.Add(1)
	defer p.active.Add(-1)
	p.mu.Lock()
	n, answer := len(p.log), p.answer
	text := r.Method + " " + r.URL.Path
	if span := r.Header.Get("Range"); span != "" {
		text += " " + span
	} else if r.URL.RawQuery != "" {
		text += "?" + r.URL.RawQuery
	}
	p.log = append(p.log, text)
	p.mu.Unlock()
	time.Sleep(p.Latency)
	counted := &counter{w, &p.sent, -1}
	if answer == nil || !answer(n, counted, r) {
		p.forward.ServeHTTP(counted, r)
	}
}

// Cut has the store answer, but breaks the connection after n bytes of the body.
func (p *Proxy) Cut(w http.ResponseWriter, r *http.Request, n int64) {
	c := w.(*counter)
	c.left = n
	p.forward.ServeHTTP(c, r)
	if c.left == 0 {
		panic(http.ErrAbortHandler)
	}
}

// counter counts the bytes of a body, and lets only so many pass.
type counter struct {
	http.ResponseWriter
	sent *atomic.Int64
	left int64 // -1: any
}

func (c *counter) Write(b []byte) (int, error) {
	if c.left >= 0 && int64(len(b)) > c.left {
		n, _ := c.ResponseWriter.Write(b[:c.left])
		c.left = 0
		c.sent.Add(int64(n))
		c.Flush()
		return n, io.ErrShortWrite
	}
	n, err := c.ResponseWriter.Write(b)
	c.sent.Add(int64(n))
	if c.left > 0 {
		c.left -= int64(n)
	}
	return n, err
}

func (c *counter) Flush() { _ = http.NewResponseController(c.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
