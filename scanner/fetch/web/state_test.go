package web

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A file whose state is known is opened without a request. Its tail is read once, by the first
// read that has some of it, and each read is of that state.
func TestState(t *testing.T) {
	s := serve(t, 300_000)
	state := fetch.Identity{Name: "of the listing", Size: 300_000, Tag: `"v1"`}
	f := s.open(t, Options{State: state, Name: "x"})
	if id := f.Traits().Identity; id != (fetch.Identity{Name: "x", Size: 300_000, Tag: `"v1"`}) || s.requests() != "" {
		t.Errorf("identity %v", id)
	}
	read := func(r fetch.Range) {
		b, err := fetch.ReadRange(t.Context(), f, r, nil)
		if err != nil || !bytes.Equal(b, s.data[r.Off:r.End()]) {
			t.Errorf("%v: %v", r, err)
		}
	}
	const tailStart = 300_000 - tailSize
	read(fetch.Range{Off: tailStart - 10, Len: 10})
	if got, want := s.requests(), bounds(fetch.Range{Off: tailStart - 10, Len: 10}); got != want {
		t.Errorf("before the tail: requests %s, want %s", got, want)
	}
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() { read(fetch.Range{Off: tailStart - 1, Len: 10 + int64(i)}) })
	}
	readers.Wait()
	before := bounds(fetch.Range{Off: tailStart - 1, Len: 1}) + ", "
	if got, want := s.requests(), strings.Repeat(before, 4)+bounds(fetch.Range{Off: tailStart, Len: tailSize}); got != want {
		t.Errorf("four readers of the tail: requests %s, want %s", got, want)
	}
	read(fetch.Range{Off: tailStart, Len: tailSize})
	if got := s.requests(); got != "" {
		t.Errorf("the tail again: requests %s", got)
	}
	small := s.open(t, Options{State: fetch.Identity{Size: maxWhole, Tag: `"v1"`}})
	s.data = s.data[:maxWhole]
	for _, r := range []fetch.Range{{Off: maxWhole - 8, Len: 8}, {Off: 0, Len: 100}, {Off: 0, Len: maxWhole}} {
		if b, err := fetch.ReadRange(t.Context(), small, r, nil); err != nil || !bytes.Equal(b, s.data[r.Off:r.End()]) {
			t.Errorf("%v of a small file: %v", r, err)
		}
	}
	if got := s.requests(); got != "0-262143" {
		t.Errorf("a small file: requests %s", got)
	}
	s.data = append(s.data, make([]byte, 300_000-maxWhole)...)
	for _, state := range []fetch.Identity{{Size: 300_000, Tag: `"v0"`}, {Size: 299_999, Tag: `"v1"`}} {
		f := s.open(t, Options{State: state})
		if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Off: state.Size - 8, Len: 8}, nil); !errors.Is(err, fetch.ErrChanged) {
			t.Errorf("%v: %v", state, err)
		}
	}
	for _, nonsense := range []fetch.Identity{{Size: 5}, {Size: -1, Tag: `"v1"`}} {
		if f := s.open(t, Options{State: nonsense}); f.Size() != 300_000 {
			t.Errorf("%v: %d bytes", nonsense, f.Size())
		}
	}
}

// What a RoundTripper says about a refusal is in the error, whose kind is that of the status.
func TestRefused(t *testing.T) {
	s := serve(t, 300_000)
	var refused *Refused
	requests := 0
	client := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if refused != nil {
			requests++
			return nil, refused
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	f := s.open(t, Options{Client: client, Name: "x", Attempts: 3})
	at0 := http.Header{"Retry-After": {"0"}}
	for _, tc := range []struct {
		refused  Refused
		err      string
		kind     error
		requests int
	}{
		{Refused{503, at0, errors.New("SlowDown: less")}, "x: bytes 0-9: 503 Service Unavailable: SlowDown: less, after 3 attempts", nil, 3},
		{Refused{503, http.Header{"Retry-After": {"3600"}}, errors.New("SlowDown: less")},
			"x: bytes 0-9: 503 Service Unavailable: SlowDown: less; the server asks to wait 1h0m0s", nil, 1},
		{Refused{404, nil, errors.New("NoSuchKey: no")}, "x: bytes 0-9: 404 Not Found: NoSuchKey: no", fs.ErrNotExist, 1},
		{Refused{403, nil, errors.New("Expired: token")}, "x: bytes 0-9: 403 Forbidden: Expired: token", fs.ErrPermission, 1},
		{Refused{400, nil, errors.New("Bad: x")}, "x: bytes 0-9: 400 Bad Request: Bad: x", nil, 1},
		{Refused{404, nil, nil}, "x: bytes 0-9: 404 Not Found: file does not exist", fs.ErrNotExist, 1},
		{Refused{0, nil, errors.New("no credentials")}, "x: bytes 0-9: no credentials", nil, 1},
		{Refused{206, nil, errors.New("nonsense")}, "x: bytes 0-9: 206 Partial Content: nonsense", nil, 1},
		{Refused{412, nil, errors.New("Precondition: no")}, "x: bytes 0-9: 412 Precondition Failed: the file has changed while it was read", fetch.ErrChanged, 1},
	} {
		refused, requests = &tc.refused, 0
		_, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil)
		if err == nil || err.Error() != tc.err || requests != tc.requests {
			t.Errorf("%v after %d requests, want %s after %d", err, requests, tc.err, tc.requests)
		}
		if tc.kind != nil && !errors.Is(err, tc.kind) {
			t.Errorf("%v is not %v", err, tc.kind)
		}
		if tc.kind != fetch.ErrChanged && tc.refused.Err != nil && !errors.Is(err, tc.refused.Err) {
			t.Errorf("%v is not %v", err, tc.refused.Err)
		}
	}
}
