package winnowio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// beamFiles returns the filesystem that reads a name.
func beamFiles(ctx context.Context, name string) (filesystem.Interface, error) {
	if err := beamReads(name); err != nil {
		return nil, err
	}
	return filesystem.New(ctx, name)
}

// beamReads returns an error if no filesystem is registered for a name. None is made, as that of
// gs asks for credentials.
func beamReads(name string) (err error) {
	defer func() {
		e := recover()
		switch scheme, _, _ := strings.Cut(name, "://"); {
		case e == nil:
		case scheme == "s3" || scheme == "hdfs":
			err = fmt.Errorf("%s: the program has no store for %s://: import _ \"github.com/winnow-scan/winnow/adapters/beam/%[2]s\"", name, scheme)
		default:
			err = fmt.Errorf("%v", e)
		}
	}()
	filesystem.ValidateScheme(name)
	return nil
}

func listBeam(ctx context.Context, pattern string) ([]string, error) {
	files, err := beamFiles(ctx, pattern)
	if err != nil {
		return nil, err
	}
	names, err := files.List(ctx, pattern)
	return names, errors.Join(err, files.Close())
}

// beamIdentity returns what a filesystem knows of a file without opening it.
func beamIdentity(ctx context.Context, name string) (id fetch.Identity, err error) {
	files, err := beamFiles(ctx, name)
	if err != nil {
		return id, named(name, err)
	}
	defer func() { err = named(name, errors.Join(err, files.Close())) }()
	return identityIn(ctx, files, name)
}

func identityIn(ctx context.Context, files filesystem.Interface, name string) (id fetch.Identity, err error) {
	id.Name = name
	if id.Size, err = files.Size(ctx, name); err != nil {
		return id, err
	}
	if of, ok := files.(filesystem.LastModifiedGetter); ok {
		id.Modified, err = of.LastModified(ctx, name)
		id.Modified = id.Modified.Round(0)
	}
	return id, err
}

// openBeam opens a file of Beam's own filesystems. These open files to be read from their first byte to
// their last. A file that cannot be read at an offset is copied into a temporary file first.
func openBeam(ctx context.Context, name string) (src fetch.Source, err error) {
	files, err := beamFiles(ctx, name)
	if err != nil {
		return nil, err
	}
	id, err := identityIn(ctx, files, name)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	r, err := files.OpenRead(ctx, name)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	release := func() error { return errors.Join(r.Close(), files.Close()) }
	if at, ok := r.(io.ReaderAt); ok {
		return closing{fetch.WithTraits(fetch.FromReaderAt(at, id.Size), fetch.Traits{Identity: id}), release}, nil
	}
	spooled, err := spool(r, id)
	if err = errors.Join(err, release()); err != nil {
		return nil, err
	}
	return spooled, nil
}

// closing is a source with what belongs to it.
type closing struct {
	fetch.Source
	close func() error
}

func (c closing) Close() error { return c.close() }

// spool copies what is read of r, a file of the given identity, into a temporary file.
func spool(r io.Reader, id fetch.Identity) (_ fetch.Source, err error) {
	f, err := os.CreateTemp("", "winnowio-*.parquet")
	if err != nil {
		return nil, err
	}
	remove := func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	n, err := io.Copy(f, r)
	if err == nil && n != id.Size {
		err = fetch.ErrChanged
	}
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return closing{fetch.WithTraits(fetch.FromReaderAt(f, n), fetch.Traits{Identity: id}), remove}, nil
}
