package web

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// transportError returns the error of a request without a response. resp is nil, except that
// a redirect was refused.
func (f *File) transportError(span string, resp *http.Response, err error) error {
	e := &Error{Name: f.name, Range: span, Err: public{inner(err)}}
	if refused, ok := errors.AsType[*Refused](err); ok {
		e.Err = &explained{refused, errRefused}
		return e
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	if dns, ok := errors.AsType[*net.DNSError](err); resp != nil || certificate || ok && dns.IsNotFound {
		return e
	}
	return passing{e, -1}
}

// inner returns the error within a *url.Error, which has the URL with its query.
func inner(err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		return cause
	}
	return err
}

// check returns an error unless the response may have bytes of the file, or is one that open
// accepts: about a range.
func (r *response) check() error {
	switch r.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
			return r.fail(fmt.Errorf("the bytes are encoded as %.40q, though identity was requested", e))
		}
		return nil
	case http.StatusRequestedRangeNotSatisfiable:
		return nil
	case http.StatusNotFound, http.StatusGone:
		return r.fail(fs.ErrNotExist)
	case http.StatusUnauthorized, http.StatusForbidden:
		return r.fail(fs.ErrPermission)
	case http.StatusPreconditionFailed:
		return r.hasChanged()
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return passing{r.fail(errRefused), retryAfter(r.Header.Get("Retry-After"), time.Now())}
	}
	return r.fail(errRefused)
}

var errRefused = errors.New("the server refuses the request")

// hasChanged returns the error about a file that has changed. From then on, all reads fail.
func (r *response) hasChanged() error {
	r.file.changed.Store(true)
	return r.fail(fetch.ErrChanged)
}

// retryAfter returns how long a server wants to be left alone; -1: it does not say.
func retryAfter(header string, now time.Time) time.Duration {
	if header == "" {
		return -1
	}
	if n, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return -1
}

// is returns an error unless the response has the bytes of a range of the file that was opened.
func (r *response) is(want fetch.Range) error {
	switch r.StatusCode {
	case http.StatusOK:
		if !r.identity(r.ContentLength).Same(r.file.identity) {
			return r.hasChanged()
		}
		return r.fail(ErrNoRanges)
	case http.StatusRequestedRangeNotSatisfiable: // though it was within the file at opening
		if r.Header.Get("Content-Range") == "bytes */"+strconv.FormatInt(r.file.Size(), 10) {
			return r.fail(errRefused)
		}
		return r.hasChanged()
	}
	got, size, err := r.contentRange()
	if err != nil {
		return err
	}
	if !r.identity(size).Same(r.file.identity) {
		return r.hasChanged()
	}
	if got != want {
		return r.fail(fmt.Errorf("the server sent bytes %s", bounds(got)))
	}
	return r.hasLength(want.Len)
}

// hasLength returns an error if the response states another length.
func (r *response) hasLength(want int64) error {
	if n := r.ContentLength; n >= 0 && n != want {
		return r.fail(fmt.Errorf("a response of %d bytes for %d", n, want))
	}
	return nil
}

// contentRange returns the range that the response states, and the size of the file; -1 if
// it does not state the size.
//
//	Content-Range: bytes 0-99/1000      bytes 0-99/*
func (r *response) contentRange() (fetch.Range, int64, error) {
	text := r.Header.Get("Content-Range")
	unit, rest, _ := strings.Cut(text, " ")
	span, total, found := strings.Cut(rest, "/")
	first, last, _ := strings.Cut(span, "-")
	from, ok1 := number(first)
	to, ok2 := number(last)
	size, ok3 := number(total)
	if total == "*" {
		size, ok3 = -1, true
	}
	if !found || !strings.EqualFold(unit, "bytes") || !ok1 || !ok2 || !ok3 || from > to || size >= 0 && to >= size {
		return fetch.Range{}, 0, r.fail(fmt.Errorf("Content-Range %.60q in the response", text))
	}
	return fetch.Range{Off: from, Len: to - from + 1}, size, nil
}

// number parses a number of digits only, below 1<<62 so that sums do not overflow.
func number(s string) (int64, bool) {
	n, err := strconv.ParseUint(s, 10, 62)
	return int64(n), err == nil
}

// identity returns the identity of the file in the response. size may be -1: unknown.
func (r *response) identity(size int64) fetch.Identity {
	id := fetch.Identity{Name: r.file.identity.Name, Size: size, Tag: r.Header.Get("ETag")}
	if size < 0 {
		id.Size = r.file.identity.Size
	}
	if at, err := http.ParseTime(r.Header.Get("Last-Modified")); err == nil {
		id.Modified = at
	}
	return id
}

// cut returns the error about a body that ended with err before all its bytes came.
func (r *response) cut(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return passing{r.fail(public{err}), -1}
}

// ends returns an error if the body goes on.
func (r *response) ends() error {
	if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return r.fail(errors.New("the server sent more bytes than the range has"))
	}
	return nil
}
