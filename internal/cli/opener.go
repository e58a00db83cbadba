package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// opener finds and opens the files that a command line names.
type opener struct {
	schemes []Scheme
	blocks  *cache.Blocks // through which files of schemes are read; nil: they are read as they are
	open    scanner.OpenOptions
	streams map[string]*stream // by name
}

// opener returns the opener of the files of one command line.
func (p *Program) opener(std Streams, o *options) (opener, error) {
	blocks, err := o.cache.blocks()
	if err != nil {
		return opener{}, err
	}
	open, err := o.keys.options()
	return opener{schemes: p.Schemes, blocks: blocks, open: open, streams: map[string]*stream{stdin: {in: std.In}}}, err
}

// close ends what was opened for the whole command line.
func (o *opener) close() {
	for _, s := range o.streams {
		s.close()
	}
}

// scheme returns the scheme of a name, nil for a file of this machine.
func (o *opener) scheme(name string) *Scheme {
	before, _, found := strings.Cut(name, "://")
	for i := range o.schemes {
		if found && strings.EqualFold(o.schemes[i].Name, before) {
			return &o.schemes[i]
		}
	}
	return nil
}

// match returns the names of the files that an argument stands for.
func (o *opener) match(ctx context.Context, arg string) ([]string, error) {
	switch s := o.scheme(arg); {
	case arg == stdin:
		return []string{stdin}, nil
	case s == nil && o.isStream(arg):
		return []string{arg}, nil
	case s == nil:
		names, err := fetch.Glob(arg)
		return names, o.orNoScheme(arg, err)
	case s.Match == nil:
		return []string{arg}, nil
	default:
		names, err := s.Match(ctx, arg)
		return names, inFile(arg, err)
	}
}

// isStream reports whether a name is that of a pipe or a device, which is read as standard input
// is. Those that a pattern or a folder leads to are not: nobody may ever write to them.
func (o *opener) isStream(name string) bool {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0 {
		return false
	}
	if o.streams[name] != nil {
		return true
	}
	s := &stream{name: name}
	if in := o.streams[stdin]; in != nil && isFile(in.in, info) { // such as /dev/stdin
		s = in
	}
	o.streams[name] = s
	return true
}

// isFile reports whether f is the file that info describes.
func isFile(f *os.File, info fs.FileInfo) bool {
	its, err := f.Stat()
	return err == nil && os.SameFile(its, info)
}

// orNoScheme returns err, which is about a file of this machine. If there is none, and its name
// has a scheme that the program lacks, it returns an error about that.
func (o *opener) orNoScheme(name string, err error) error {
	scheme, _, found := strings.Cut(name, "://")
	if !found || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := "files of this machine"
	for _, s := range o.schemes {
		known += ", " + s.Name + "://"
	}
	if scheme == "s3" || scheme == "hdfs" {
		known += "; the program in adapters/scan has it"
	}
	return inFile(name, fmt.Errorf("no scheme %.20q, only %s", scheme, known))
}

// input opens a file to look at. The caller closes it.
func (o *opener) input(ctx context.Context, name string, number int) (*input, error) {
	src, close, err := o.source(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := o.open.OpenSource(ctx, shortName(name), src)
	if err != nil {
		close()
		return nil, err
	}
	return &input{File: f, close: close, number: number}, nil
}

// source opens the bytes of a file.
func (o *opener) source(ctx context.Context, name string) (src fetch.Source, close func() error, err error) {
	if s := o.streams[name]; s != nil {
		src, err = s.open(ctx)
		if cause := errors.Unwrap(err); cause != nil && s.name != "" {
			err = cause // without the path, which inFile adds
		}
		return src, func() error { return nil }, inFile(name, err)
	}
	if s := o.scheme(name); s != nil {
		if src, err = s.Open(ctx, name); err != nil {
			return nil, nil, inFile(name, err)
		}
		close = func() error { return nil }
		if c, ok := src.(io.Closer); ok {
			close = c.Close
		}
		if o.blocks != nil {
			src = o.blocks.Source(src)
		}
		return src, close, nil
	}
	file, err := fetch.Open(name)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // without the path, which inFile adds
		}
		return nil, nil, inFile(name, o.orNoScheme(name, err))
	}
	return file, file.Close, nil
}

// check returns what is wrong with a file of which nothing is wanted any more.
func (o *opener) check(ctx context.Context, name string) error {
	if o.streams[name] != nil {
		return nil
	}
	_, close, err := o.source(ctx, name)
	if err == nil {
		err = close()
	}
	return err
}

// inFile adds the file's name to an error that does not have it.
func inFile(name string, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: shortName(name), RowGroup: -1, Page: -1, Offset: -1, Err: err}
}
