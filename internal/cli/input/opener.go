package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/stream"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// Opener finds and opens the files that a command line names.
type Opener struct {
	Schemes []Scheme
	Blocks  *cache.Blocks // through which files of schemes are read; nil: they are read as they are
	Options scanner.OpenOptions
	Streams map[string]*stream.Stream // by name
}

// Close ends what was opened for the whole command line.
func (o *Opener) Close() {
	for _, s := range o.Streams {
		s.Close()
	}
}

// scheme returns the scheme of a name, nil for a file of this machine.
func (o *Opener) scheme(name string) *Scheme {
	before, _, found := strings.Cut(name, "://")
	for i := range o.Schemes {
		if found && strings.EqualFold(o.Schemes[i].Name, before) {
			return &o.Schemes[i]
		}
	}
	return nil
}

// Match returns the names of the files that an argument stands for.
func (o *Opener) Match(ctx context.Context, arg string) ([]string, error) {
	switch s := o.scheme(arg); {
	case arg == stream.Stdin:
		return []string{stream.Stdin}, nil
	case s == nil && o.isStream(arg):
		return []string{arg}, nil
	case s == nil:
		names, err := fetch.Glob(arg)
		return names, o.orNoScheme(arg, err)
	case s.Match == nil:
		return []string{arg}, nil
	default:
		names, err := s.Match(ctx, arg)
		return names, fault.InFile(arg, err)
	}
}

// isStream reports whether a name is that of a pipe or a device, which is read as standard input
// is. Those that a pattern or a folder leads to are not: nobody may ever write to them.
func (o *Opener) isStream(name string) bool {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0 {
		return false
	}
	if o.Streams[name] != nil {
		return true
	}
	s := &stream.Stream{Name: name}
	if in := o.Streams[stream.Stdin]; in != nil && stream.IsFile(in.In, info) { // such as /dev/stdin
		s = in
	}
	o.Streams[name] = s
	return true
}

// orNoScheme returns err, which is about a file of this machine. If there is none, and its name
// has a scheme that the program lacks, it returns an error about that.
func (o *Opener) orNoScheme(name string, err error) error {
	scheme, _, found := strings.Cut(name, "://")
	if !found || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := "files of this machine"
	for _, s := range o.Schemes {
		known += ", " + s.Name + "://"
	}
	if scheme == "s3" || scheme == "hdfs" {
		known += "; the program in adapters/scan has it"
	}
	return fault.InFile(name, fmt.Errorf("no scheme %.20q, only %s", scheme, known))
}

// File opens a file to look at. The caller closes it.
func (o *Opener) File(ctx context.Context, name string, number int) (*File, error) {
	src, close, err := o.source(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := o.Options.OpenSource(ctx, fault.ShortName(name), src)
	if err != nil {
		close()
		return nil, err
	}
	return &File{File: f, Close: close, Number: number}, nil
}

// Open opens a file that closes what it is read from when it is closed.
func (o *Opener) Open(ctx context.Context, name string) (*scanner.File, error) {
	f, err := o.File(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	f.OnClose(f.Close)
	return f.File, nil
}

// source opens the bytes of a file.
func (o *Opener) source(ctx context.Context, name string) (src fetch.Source, close func() error, err error) {
	if s := o.Streams[name]; s != nil {
		src, err = s.Open(ctx)
		if cause := errors.Unwrap(err); cause != nil && s.Name != "" {
			err = cause // without the path, which InFile adds
		}
		return src, func() error { return nil }, fault.InFile(name, err)
	}
	if s := o.scheme(name); s != nil {
		if src, err = s.Open(ctx, name); err != nil {
			return nil, nil, fault.InFile(name, err)
		}
		close = func() error { return nil }
		if c, ok := src.(io.Closer); ok {
			close = c.Close
		}
		if o.Blocks != nil {
			src = o.Blocks.Source(src)
		}
		return src, close, nil
	}
	file, err := fetch.Open(name)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // without the path, which InFile adds
		}
		return nil, nil, fault.InFile(name, o.orNoScheme(name, err))
	}
	return file, file.Close, nil
}

// maxBlocks bounds the memory of ReadOnce.
const maxBlocks = 64 << 20

// ReadOnce keeps the last blocks that were read of files of schemes in memory, for a command that reads them for
// several ends.
func (o *Opener) ReadOnce() {
	if o.Blocks == nil {
		o.Blocks = cache.NewBlocks(cache.New(maxBlocks), 0)
	}
}

// Check returns what is wrong with a file of which nothing is wanted any more.
func (o *Opener) Check(ctx context.Context, name string) error {
	if o.Streams[name] != nil {
		return nil
	}
	_, close, err := o.source(ctx, name)
	if err == nil {
		err = close()
	}
	return err
}

// Web returns the schemes http and https. Their files share connections.
func Web() []Scheme {
	client := web.NewClient()
	open := func(ctx context.Context, name string) (fetch.Source, error) {
		f, err := web.Open(ctx, name, web.Options{Client: client})
		if e := (*web.Error)(nil); errors.As(err, &e) {
			place := *e
			place.Name = "" // which InFile adds
			err = &place
		}
		return f, err
	}
	return []Scheme{{Name: "https", Open: open}, {Name: "http", Open: open}}
}

// Scheme is a place for files that are not on this machine. Its files have names
// like s3://bucket/key.parquet.
type Scheme struct {
	Name string // what stands before "://"

	// Open opens a file. If the source is an io.Closer, it is closed after use. Several
	// files may be opened at the same time. With an error, the source is not looked at.
	Open func(ctx context.Context, name string) (fetch.Source, error)
	// Match returns the names that an argument stands for, which may be a
	// pattern. If it is nil, each argument is the name of a file.
	Match func(ctx context.Context, arg string) ([]string, error)
}
