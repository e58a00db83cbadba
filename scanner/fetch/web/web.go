package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Options change how a file is read. The zero Options are right for most servers. They are
// copied by Open; files may share a Client and a Header.
type Options struct {
	// Client makes the requests. Files of one server should share one, so that they share
	// its connections. Nil: the file has a NewClient of its own.
	Client *http.Client

	// Header is sent with each request, such as Authorization. It must not change.
	Header http.Header

	// Name is the file's name in errors and in its identity. "": the URL without user and
	// password, and with a hash of the query, which may have secrets. A file whose query
	// is signed anew each time needs a Name to be found in a cache.
	Name string

	// State is the state of the file that is to be read, as a listing tells it: Size, and Tag or
	// Modified. Open makes no request then; reads fail with fetch.ErrChanged if the file has
	// another state. A small file is read whole by the first read. The zero State: Open asks
	// the server.
	State fetch.Identity

	// Requests bounds the file's requests at one time, up to 256. 0: 8.
	Requests int

	// Attempts is how often a request is made before its error is returned. 0: 5.
	Attempts int

	// Timeout is how long a server may send nothing before the request is made anew.
	// 0: 30 seconds.
	Timeout time.Duration
}

const maxRequests = 256

// File is a file behind a URL: a fetch.Source. Safe for concurrent use.
type File struct {
	client    *http.Client
	ownClient bool
	url       *url.URL
	header    http.Header
	attempts  int
	timeout   time.Duration
	slots     chan struct{} // has an element for each request that is under way

	name     string                 // in errors
	identity fetch.Identity         // at opening
	tail     atomic.Pointer[[]byte] // the last bytes of the file; nil until they are read
	tailLock chan struct{}          // has an element while they are read
	target   atomic.Pointer[target]
	changed  atomic.Bool // an answer was about another state of the file
	rates    fetch.Rates
}

// ErrNoRanges is matched by errors about servers that send whole files only.
var ErrNoRanges = errors.New("the server does not serve ranges of bytes")

// Open opens a file behind an http or https URL. A user and a password in the URL are sent as
// basic authentication. Errors of Open and of the file's methods are an *Error, or that of
// fetch.Ended.
func Open(ctx context.Context, rawURL string, o Options) (*File, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The text may be nothing but a secret in the wrong place.
		return nil, &Error{Name: cmp.Or(o.Name, "the given text"), Err: errors.New("not an http or https URL")}
	}
	u.Fragment, u.RawFragment = "", ""
	f := &File{
		client: o.Client, url: u, header: o.Header,
		attempts: cmp.Or(max(o.Attempts, 0), 5), timeout: cmp.Or(max(o.Timeout, 0), 30*time.Second),
		slots:    make(chan struct{}, min(cmp.Or(max(o.Requests, 0), 8), maxRequests)),
		identity: fetch.Identity{Name: cmp.Or(o.Name, publicName(u))},
		name:     cmp.Or(o.Name, shownName(u)),
		tailLock: make(chan struct{}, 1),
	}
	if f.client == nil {
		f.client, f.ownClient = NewClient(), true
	}
	if o.State.Size >= 0 && (o.State.Tag != "" || !o.State.Modified.IsZero()) {
		f.identity.Size, f.identity.Tag, f.identity.Modified = o.State.Size, o.State.Tag, o.State.Modified
		return f, nil
	}
	if err := f.open(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Size returns the size that the file had at opening.
func (f *File) Size() int64 { return f.identity.Size }

// Traits returns the identity that the file had at opening, with its ETag and its time as
// far as the server states them. All bytes that are read are of this state: once an answer
// shows another one, reads return fetch.ErrChanged. Latency and Bandwidth are those of the
// requests so far, Bandwidth that of as many requests at once as the file may make.
func (f *File) Traits() fetch.Traits {
	latency, bandwidth := f.rates.Known(cap(f.slots))
	return fetch.Traits{Identity: f.identity, Latency: latency, Bandwidth: bandwidth}
}

// Close closes the idle connections of the file's own client. It must not be called before
// all reads have returned.
func (f *File) Close() error {
	if f.ownClient {
		f.client.CloseIdleConnections()
	}
	return nil
}

// publicName returns a URL without what may be secret. Different queries have different names.
func publicName(u *url.URL) string {
	if u.RawQuery == "" {
		return shownName(u)
	}
	hash := sha256.Sum256([]byte(u.RawQuery))
	return strings.TrimSuffix(shownName(u), "…") + hex.EncodeToString(hash[:8])
}

// shownName returns a URL as errors have it: with … for its query.
func shownName(u *url.URL) string {
	public := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery == "" {
		return public.String()
	}
	return public.String() + "?…"
}
