package s3scan

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

const (
	maxBackoff = 10 * time.Second

	// maxListed bounds a listing: a store that never ends it would fill the memory.
	maxListed = 1 << 24

	// maxEmpty bounds how many pages without objects follow each other: of a thousand keys each that were deleted, or
	// that a filter of the store's leaves out.
	maxEmpty = 1000
)

// List returns the objects that a name stands for, in order of their keys:
//
//	s3://bucket/a/part-0.parquet      this object, without asking whether it is there
//	s3://bucket/a/*.parquet           those that match; * ? [a-z] within a part, ** for any parts
//	s3://bucket/a/                    those below, but for parts that begin with _ or .
//
// Only keys that begin as the pattern does are listed, a thousand in a request; those of
// deeper folders only if the pattern has more parts. Nothing that matches is an error that matches
// fs.ErrNotExist. Errors are a *web.Error, or that of fetch.Ended.
func (c *Client) List(ctx context.Context, name string) ([]Object, error) {
	bucket, pattern, err := Parse(name)
	if err != nil {
		return nil, &web.Error{Name: name, Err: err}
	}
	prefix, isFolder := pattern, pattern == "" || strings.HasSuffix(pattern, "/")
	rest := ""
	if i := strings.IndexAny(pattern, "*?["); i >= 0 {
		prefix, rest, isFolder = pattern[:i], pattern[i:], false
		if _, err := fetch.Match(pattern, ""); err != nil {
			return nil, &web.Error{Name: name, Err: errors.New("not a pattern: a bracket is not closed")}
		}
	} else if !isFolder {
		return []Object{{Bucket: bucket, Key: pattern}}, nil
	}
	in := &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix}
	if !isFolder && !strings.Contains(rest, "/") && !strings.Contains(rest, "**") {
		in.Delimiter = aws.String("/")
	}
	if c.o.RequesterPays {
		in.RequestPayer = types.RequestPayerRequester
	}
	var found []Object
	err = c.pages(ctx, in, func(o types.Object) {
		key := aws.ToString(o.Key)
		ok := false
		switch {
		case strings.HasSuffix(key, "/") || !strings.HasPrefix(key, prefix): // the first marks a folder
		case isFolder:
			ok = !hidden(key[len(prefix):])
		default:
			ok, _ = fetch.Match(pattern, key)
			ok = ok || key == pattern
		}
		if ok {
			object := Object{Bucket: bucket, Key: key}
			if tag, size := aws.ToString(o.ETag), aws.ToInt64(o.Size); tag != "" && o.Size != nil && size >= 0 {
				object.ETag, object.Size = quoted(tag), size
			}
			found = append(found, object)
		}
	})
	if err != nil {
		return nil, listingError(ctx, name, err)
	}
	if i := slices.IndexFunc(found, func(o Object) bool { return o.Key == pattern }); i >= 0 {
		return found[i : i+1], nil // as local files: what is there comes before the pattern
	}
	if len(found) == 0 {
		return nil, &web.Error{Name: name, Err: noMatch{}}
	}
	slices.SortFunc(found, func(a, b Object) int { return strings.Compare(a.Key, b.Key) }) // some stores do not
	return found, nil
}

// hidden reports whether a part of a key begins with _ or a dot: _SUCCESS, _delta_log/….
func hidden(key string) bool {
	for part := range strings.SplitSeq(key, "/") {
		if strings.HasPrefix(part, "_") && !strings.Contains(part, "=") || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// pages calls do with each object of a listing.
func (c *Client) pages(ctx context.Context, in *s3.ListObjectsV2Input, do func(types.Object)) error {
	listed, empty, mark := 0, 0, ""
	for n := 1; ; n++ {
		out, err := c.page(ctx, in)
		if err != nil {
			return err
		}
		for _, o := range out.Contents {
			do(o)
		}
		if !aws.ToBool(out.IsTruncated) {
			return nil
		}
		next := aws.ToString(out.NextContinuationToken)
		if next == "" || next == mark {
			return errors.New("the store does not say how the listing goes on")
		}
		if n&(n-1) == 0 {
			mark = next // tokens that come again and again are the mark's at last
		}
		if empty++; len(out.Contents) > 0 {
			empty = 0
		}
		if empty > maxEmpty {
			return errors.New("a listing goes on without objects")
		}
		if listed += len(out.Contents); listed > maxListed {
			return errors.New("more than 16 million objects")
		}
		in.ContinuationToken = &next
	}
}

// page makes one request of a listing, or several if it fails for a reason that may pass.
func (c *Client) page(ctx context.Context, in *s3.ListObjectsV2Input) (*s3.ListObjectsV2Output, error) {
	limited, cancel := context.WithTimeoutCause(ctx, time.Duration(c.o.Attempts)*(c.o.Timeout+maxBackoff), errSilent)
	defer cancel()
	if err := c.checkCredentials(limited); err != nil {
		return nil, err
	}
	out, err := inRegion(c, *in.Bucket, func(o func(*s3.Options)) (*s3.ListObjectsV2Output, error) {
		return c.s3.ListObjectsV2(limited, in, o, func(so *s3.Options) {
			so.Retryer = retry.NewStandard(func(ro *retry.StandardOptions) {
				ro.MaxAttempts = c.o.Attempts
				ro.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
					wait := min(100*time.Millisecond<<min(attempt, 16), maxBackoff)
					return wait/2 + rand.N(wait/2), nil
				})
			})
		})
	})
	if err != nil && context.Cause(limited) == errSilent {
		return nil, errSilent
	}
	return out, err
}

var errSilent = errors.New("the store does not answer")

// noMatch is the error for a pattern that no object matches.
type noMatch struct{}

func (noMatch) Error() string        { return "no object matches" }
func (noMatch) Is(target error) bool { return target == fs.ErrNotExist }

// listingError returns the error of a listing. Its kind is that of its status, as for reads.
func listingError(ctx context.Context, name string, err error) error {
	if ended := fetch.Ended(ctx); ended != nil {
		return ended
	}
	var refused *web.Refused
	if !errors.As(err, &refused) {
		err = explain(err)
	}
	e := &web.Error{Name: name, Range: "listing", Err: err}
	if !errors.As(err, &refused) {
		return e
	}
	e.Status = refused.Status
	switch e.Status {
	case http.StatusNotFound:
		e.Err = &ofKind{refused, fs.ErrNotExist}
	case http.StatusForbidden, http.StatusUnauthorized:
		e.Err = &ofKind{refused, fs.ErrPermission}
	}
	return e
}

type ofKind struct {
	error
	kind error
}

func (e *ofKind) Unwrap() []error { return []error{e.error, e.kind} }
