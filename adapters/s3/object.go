package s3scan

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// Object is an object of a store.
type Object struct {
	Bucket, Key string

	// Size and ETag are those of a listing. Without ETag, opening asks for both.
	Size int64
	ETag string
}

// Name returns the object's name: s3://bucket/key.
func (o Object) Name() string { return "s3://" + o.Bucket + "/" + o.Key }

// File is an object that is open: a fetch.Source. Its errors are a *web.Error, or that of
// fetch.Ended. Safe for concurrent use.
type File struct {
	*web.File
	client *Client
}

// What requests to S3 take, until they are measured: the time to the first byte, and the bytes a
// second of one request.
const (
	firstLatency   = 30 * time.Millisecond
	firstBandwidth = 50e6
)

// Open opens the object with a name like s3://bucket/key, with one request.
func (c *Client) Open(ctx context.Context, name string) (*File, error) {
	bucket, key, err := Parse(name)
	if err == nil && key == "" {
		err = errors.New("a bucket, not an object")
	}
	if err != nil {
		return nil, &web.Error{Name: name, Err: err}
	}
	return c.OpenObject(ctx, Object{Bucket: bucket, Key: key})
}

// OpenObject opens an object. If it is from a listing, no request is made.
func (c *Client) OpenObject(ctx context.Context, o Object) (*File, error) {
	f, err := web.Open(ctx, "https://s3", web.Options{ // the transport knows where it is
		Client:   &http.Client{Transport: &transport{c, o}},
		Name:     o.Name(),
		State:    fetch.Identity{Size: o.Size, Tag: o.ETag},
		Requests: c.o.Requests,
		Attempts: c.o.Attempts,
		Timeout:  c.o.Timeout,
	})
	if err != nil {
		return nil, err
	}
	return &File{f, c}, nil
}

// Traits returns the identity that the object had at opening, and what requests take.
func (f *File) Traits() fetch.Traits {
	t := f.File.Traits()
	f.client.estimate(&t)
	return t
}

// estimate fills in what is not known of a file by what is known of others.
func (c *Client) estimate(t *fetch.Traits) {
	requests := int64(c.o.Requests)
	if t.Latency > 0 {
		c.latency.Store(int64(t.Latency))
	} else {
		t.Latency = time.Duration(c.latency.Load())
	}
	if t.Bandwidth > 0 {
		c.bandwidth.Store(t.Bandwidth / requests)
	} else {
		t.Bandwidth = c.bandwidth.Load() * requests
	}
}

// Files returns the objects that patterns name, as List finds them, as one table. Folders like
// year=2024 are columns. Files are opened when a scan comes to them, with the size and the ETag that
// they have now.
func (c *Client) Files(ctx context.Context, o scanner.OpenOptions, patterns ...string) (*dataset.Files, error) {
	var names []string
	known := map[string]Object{}
	for _, pattern := range patterns {
		objects, err := c.List(ctx, pattern)
		if err != nil {
			return nil, err
		}
		for _, object := range objects {
			names = append(names, object.Name())
			known[object.Name()] = object
		}
	}
	return dataset.New(names, func(ctx context.Context, name string) (*scanner.File, error) {
		src, err := c.OpenObject(ctx, known[name])
		if err != nil {
			return nil, err
		}
		return o.OpenSource(ctx, name, src)
	}), nil
}
