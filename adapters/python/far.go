package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	s3scan "github.com/winnow-scan/winnow/adapters/s3"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// farFiles are the files of a scan that are not this machine's, by their names.
type farFiles map[string]func(ctx context.Context) (fetch.Source, error)

// The scans of a process share connections. What the environment says of S3 is read with the first name.
var (
	webClient = sync.OnceValue(web.NewClient)
	s3Client  = sync.OnceValues(func() (*s3scan.Client, error) {
		return s3scan.NewClient(context.Background(), s3scan.FromEnvironment(os.Getenv))
	})
	clusters hdfsscan.Clusters
)

// add adds the files that a name stands for, which may be a pattern unless exact is set. far is false for the name of
// a local file, which it returns as paths are.
func (files farFiles) add(ctx context.Context, name string, exact bool) (names []string, far bool, err error) {
	if files[name] != nil { // an object of Python
		return []string{name}, true, nil
	}
	scheme, rest, _ := strings.Cut(name, ":")
	switch scheme = strings.ToLower(scheme); {
	case scheme == "file" && strings.HasPrefix(rest, "/"):
		path, err := filePath(rest)
		return []string{path}, false, err
	case !strings.HasPrefix(rest, "//"):
		return []string{name}, false, nil
	case scheme == "http" || scheme == "https":
		files[name] = func(ctx context.Context) (fetch.Source, error) {
			return web.Open(ctx, name, web.Options{Client: webClient()})
		}
		return []string{name}, true, nil
	case scheme == "s3":
		names, err = files.addObjects(ctx, name, exact)
	case scheme == "hdfs":
		if names = []string{name}; !exact {
			names, err = clusters.Match(ctx, name)
		}
		for _, n := range names {
			files[n] = func(ctx context.Context) (fetch.Source, error) { return clusters.Open(ctx, n) }
		}
	default:
		if _, err := os.Stat(name); err != nil {
			return nil, true, fmt.Errorf("%w: no scheme %.20q, only file, https, http, s3 and hdfs; others come as file objects, as fsspec has them",
				scanner.ErrUnsupported, scheme)
		}
		return []string{name}, false, nil
	}
	return names, true, inFile(name, err)
}

// addObjects adds the objects of S3 that a name stands for.
func (files farFiles) addObjects(ctx context.Context, name string, exact bool) (names []string, err error) {
	c, err := s3Client()
	if err != nil {
		return nil, err
	}
	if exact {
		files[name] = func(ctx context.Context) (fetch.Source, error) { return c.Open(ctx, name) }
		return []string{name}, nil
	}
	objects, err := c.List(ctx, name)
	for _, o := range objects {
		names = append(names, o.Name())
		files[o.Name()] = func(ctx context.Context) (fetch.Source, error) { return c.OpenObject(ctx, o) }
	}
	return names, err
}

// filePath returns the path in a URL, which follows "file:".
func filePath(path string) (string, error) {
	if host, isURL := strings.CutPrefix(path, "//"); isURL {
		host, after, _ := strings.Cut(host, "/")
		if path = "/" + after; host != "" && !strings.EqualFold(host, "localhost") {
			return "", optionsError(fmt.Sprintf("it is a file of the machine %s, and the URL of a file of this one has none", host))
		}
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return "", optionsError(err.Error())
	}
	return path, nil
}

// open opens the bytes of a file. Errors say which one.
func (files farFiles) open(ctx context.Context, name string) (fetch.Source, error) {
	src, err := files[name](ctx)
	if err != nil {
		return nil, inFile(name, err)
	}
	return src, nil
}

// opener returns an opener of these files, and of local ones.
func (files farFiles) opener(o scanner.OpenOptions) dataset.Opener {
	return func(ctx context.Context, name string) (*scanner.File, error) {
		if files[name] == nil {
			return o.Open(ctx, name)
		}
		src, err := files.open(ctx, name)
		if err != nil {
			return nil, err
		}
		f, err := o.OpenSource(ctx, fault.ShortName(name), src)
		if err != nil {
			closeSource(src)
			return nil, err
		}
		f.OnClose(func() error { return closeSource(src) })
		return f, nil
	}
}

// size returns the size of a file, which it asks a server for.
func (files farFiles) size(ctx context.Context, name string) (int64, error) {
	if files[name] == nil {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	src, err := files.open(ctx, name)
	if err != nil {
		return 0, err
	}
	return src.Size(), closeSource(src)
}

func closeSource(src fetch.Source) error {
	if c, ok := src.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// inFile adds the file's name to an error, in the place of one that it has.
func inFile(name string, err error) error {
	if e, ok := errors.AsType[*web.Error](err); ok {
		place := *e
		place.Name = ""
		err = &place
	} else if e, ok := errors.AsType[*hdfsscan.Error](err); ok {
		err = cmp.Or(e.Err, err)
	}
	if errors.Is(err, s3scan.ErrNoCredentials) {
		err = fmt.Errorf("%w; AWS_SKIP_SIGNATURE=true reads public buckets", err)
	}
	return fault.InFile(name, err)
}
