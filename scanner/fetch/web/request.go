package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// target is where the last redirect led to: further requests go there at once.
type target struct {
	url    *url.URL
	header http.Header
}

// passing is an error that may be gone when the request is made again.
type passing struct {
	error
	after time.Duration // that the server wants to be left alone; -1: it says nothing
}

func (p passing) Unwrap() error { return p.error }

const (
	firstBackoff  = 100 * time.Millisecond
	maxBackoff    = 10 * time.Second
	maxRetryAfter = time.Minute // a server that asks for more is an error
)

// retry calls attempt until it succeeds, fails for a reason that will not pass, or has
// failed too often.
func (f *File) retry(ctx context.Context, attempt func() error) error {
	for n := 1; ; n++ {
		err := attempt()
		again, ok := err.(passing)
		if !ok {
			return err
		}
		if e := new(Error); errors.As(err, &e) && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable) {
			fetch.Refused(ctx)
		}
		wait := again.after
		switch {
		case n >= f.attempts || wait > maxRetryAfter:
			return withAttempts(again.error, n, wait)
		case wait < 0:
			wait = min(firstBackoff<<min(n-1, 16), maxBackoff)
			wait = wait/2 + rand.N(wait/2) // so that parallel requests do not come back together
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fetch.Ended(ctx)
		}
	}
}

// withAttempts adds to an error that there were several attempts, or that the server wants
// to be left alone for long.
func withAttempts(err error, n int, wait time.Duration) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	text := ", after " + strconv.Itoa(n) + " attempts"
	if wait > maxRetryAfter {
		text = "; the server asks to wait " + wait.String()
	} else if n == 1 {
		return err
	}
	longer := *e
	longer.Err = fmt.Errorf("%w%s", e.Err, text)
	return &longer
}

var errStalled = errors.New("the server sends nothing")

// response is the response to a request. Its body ends with an error if the server sends
// nothing for too long.
type response struct {
	*http.Response
	file     *File
	span     string // the Range header of the request
	watchdog *time.Timer
	why      error // what the server says about its refusal, if someone has read that
}

func (r *response) Read(b []byte) (int, error) {
	n, err := r.Body.Read(b)
	if n > 0 {
		r.watchdog.Reset(r.file.timeout)
	}
	return n, err
}

// fail returns err as an error of this response.
func (r *response) fail(err error) error {
	if r.why != nil && err != fetch.ErrChanged {
		err = &explained{r.why, err}
	}
	return &Error{Name: r.file.name, Range: r.span, Status: r.StatusCode, Err: err}
}

// attempt makes one request for a range, and calls use with a response of status 200 or 206,
// or 416 and others that open accepts.
func (f *File) attempt(ctx context.Context, span string, use func(*response) error) error {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return fetch.Ended(ctx)
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(f.timeout, func() { cancel(errStalled) })
	defer watchdog.Stop()

	redirected := f.target.Load()
	err := f.exchange(inner, redirected, span, watchdog, use)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fetch.Ended(ctx)
	case context.Cause(inner) == errStalled:
		err = passing{&Error{Name: f.name, Range: span, Err: fmt.Errorf("%w for %v", errStalled, f.timeout)}, -1}
	}
	if redirected != nil && !errors.Is(err, fetch.ErrChanged) && f.target.CompareAndSwap(redirected, nil) {
		// The place may no longer be valid: ask again for where it is.
		again, ok := err.(passing)
		if !ok {
			again.error = err
		}
		if !ok || again.after < 0 {
			return passing{again.error, 0}
		}
	}
	return err
}

// exchange sends a request, learns from its response, and calls use.
func (f *File) exchange(ctx context.Context, to *target, span string, watchdog *time.Timer, use func(*response) error) error {
	start := time.Now()
	var written atomic.Int64 // after start, once a connection was there
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { written.Store(int64(time.Since(start))) },
	})
	req := f.newRequest(ctx, to, span)
	resp, err := f.client.Do(req)
	if refused, ok := errors.AsType[*Refused](err); ok && refused.Status != 0 {
		r := &response{Response: refused.response(), file: f, span: span, watchdog: watchdog, why: refused.Err}
		if err := r.check(); err != nil {
			return err
		}
		return use(r)
	}
	if err != nil {
		return f.transportError(span, resp, err)
	}
	defer resp.Body.Close()
	f.rates.AddLatency(time.Since(start) - time.Duration(written.Load()))
	watchdog.Reset(f.timeout)
	r := &response{Response: resp, file: f, span: span, watchdog: watchdog}
	if err := r.check(); err != nil {
		_, _ = io.CopyN(io.Discard, r, 4<<10) // what says why: the connection can be used again
		return err
	}
	if resp.Request != nil && resp.Request.URL.String() != req.URL.String() {
		header := resp.Request.Header.Clone()
		if f.client.Jar != nil {
			header.Del("Cookie") // the client adds it
		}
		f.target.Store(&target{resp.Request.URL, header})
	}
	return use(r)
}

// newRequest returns a request for a range of the state that the file had at opening.
func (f *File) newRequest(ctx context.Context, to *target, span string) *http.Request {
	if to == nil {
		to = &target{f.url, f.header}
	}
	req := (&http.Request{
		Method: http.MethodGet, URL: to.url, Host: to.url.Host, Header: to.header.Clone(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("Range", span)
	req.Header.Set("Accept-Encoding", "identity")
	for _, name := range []string{"If-Match", "If-Unmodified-Since", "If-None-Match", "If-Modified-Since", "If-Range"} {
		req.Header.Del(name)
	}
	switch id := f.identity; {
	case len(id.Tag) > 0 && id.Tag[0] == '"': // a weak one, W/"…", never matches
		req.Header.Set("If-Match", id.Tag)
	case !id.Modified.IsZero():
		req.Header.Set("If-Unmodified-Since", id.Modified.UTC().Format(http.TimeFormat))
	}
	return req
}

// read fills dst with the bytes of the file from an offset on, by one request, or several if it is repeated.
func (f *File) read(ctx context.Context, off int64, dst []byte) error {
	return f.retry(ctx, func() error {
		rest := fetch.Range{Off: off, Len: int64(len(dst))}
		return f.attempt(ctx, "bytes="+bounds(rest), func(r *response) error {
			if err := r.is(rest); err != nil {
				return err
			}
			start := time.Now()
			n, err := io.ReadFull(r, dst)
			off, dst = off+int64(n), dst[n:] // what is read again after an error
			if err != nil {
				return r.cut(err)
			}
			f.rates.AddBytes(int64(n), time.Since(start))
			return r.ends()
		})
	})
}

// bounds returns a range as HTTP writes it, with its last byte.
func bounds(r fetch.Range) string {
	return strconv.FormatInt(r.Off, 10) + "-" + strconv.FormatInt(r.End()-1, 10)
}
